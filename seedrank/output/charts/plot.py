"""A panel made ready to draw: its axes, names that differ, and the rows of data that its marks are drawn from."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from seedrank.core.numbers import show_number, show_rounded
from seedrank.core.sanitize import visible
from seedrank.output.charts.chart import Series
from seedrank.output.charts.label_layout import spread, wrap
from seedrank.output.charts.panels import Panel, looks
from seedrank.output.charts.scale import Scale, scale

__all__ = ["Plot", "Row", "Size", "lone_points", "thin"]

Row = dict[str, Any]

_MARKED = 25
"""Points of a curve whose markers are drawn and carry their value; of longer curves as many carry it unseen."""
_CELL = 1.5
"""Points of a scatter plot that lie closer than this are drawn once."""
_APART = 5.0
"""Between the intervals of two curves, where they lie side by side."""
_CROWDED = 1.5
"""Bands that lie on one another on average, from which on they cannot be told apart."""
_TITLE = {"px": 1.5, "pt": 1.15}
"""Size of the font by which a title is broken into lines, to that of the text: on a screen it is bold, in any font."""
_LONGEST = 60
"""Letters of a name."""


@dataclass(frozen=True)
class Size:
    """Width and height in all (without a height: what is usual, or what bars need), and the size of the text.

    The unit is ``px`` on a screen, ``pt`` (1/72 inch) on paper.
    """

    width: float = 500.0
    height: float | None = None
    font: float = 12.0
    unit: str = "px"


@dataclass(frozen=True)
class _Curve:
    """A series as the axes hold it: NaN for what they cannot show."""

    name: str
    series: Series
    x: np.ndarray
    y: np.ndarray
    low: np.ndarray
    high: np.ndarray

    @property
    def there(self) -> np.ndarray:
        return np.isfinite(self.x) & np.isfinite(self.y)

    def rows(self, at: np.ndarray, *fields: str) -> list[Row]:
        columns = [[_short(value) for value in getattr(self, field)[at].tolist()] for field in fields]
        return [{**dict(zip(fields, row, strict=True)), "s": self.name} for row in zip(*columns, strict=True)]


class Plot:
    """A panel with its axes, of a given size."""

    def __init__(self, panel: Panel, size: Size) -> None:
        self.chart, self.size = panel.chart, size
        self.bars = self.chart.kind == "bar"
        self.looks = looks(self.chart)
        self.names = _unique([series.name for series in self.chart.series])
        self.ticks = _unique(self._bar_names()) if self.bars else []
        # On paper, where the size is given, a caption has the title, and the plot the room.
        self.in_paper = size.unit == "pt" and size.height is not None
        lines = wrap(visible(self.chart.title), size.width - size.font, size.font * _TITLE[size.unit])
        self.title = [] if self.in_paper else lines
        self.width, self.height = size.width, size.height or self._usual_height()
        # The rest goes to title, axis and margins; only labels, which must not overlap, need to know how much is left.
        around = 4.3 if self.in_paper else 5.5 + 1.4 * len(self.title)
        self.plot_height = max(self.height - size.font * around, 4 * size.font)
        whole = panel.whole.series
        along, up = int(size.width / (6 * size.font)), int(self.plot_height / (2.8 * size.font))
        self.x = scale(
            np.concatenate([one.x for one in whole]), log=self.chart.log_x, count=True, wanted=min(max(along, 3), 8)
        )
        self.y = scale(
            np.concatenate([end for one in whole for end in (one.y, one.low, one.high) if end is not None]),
            log=self.chart.log_y,
            zero=self.bars,
            wanted=min(max(along if self.bars else up, 3), 6),
        )
        curves = [self._curve(name, series) for name, series in zip(self.names, self.chart.series, strict=True)]
        self.side_by_side = self.chart.kind == "line" and _crowded(curves, self.x, self.y)
        shifts = self._shifts(curves)
        self.shift = max(shifts)
        self.curves = [
            replace(curve, x=self.x.value(self.x.place(curve.x) + shift)) if shift else curve
            for curve, shift in zip(curves, shifts, strict=True)
        ]

    def _bar_names(self) -> list[str]:
        """Names of the places along x: numbers where the chart has no more names."""
        named = self.chart.ticks
        places = int(max(np.nanmax(series.x, initial=-1) for series in self.chart.series)) + 1
        return [*named, *map(str, range(len(named), places))]

    def _usual_height(self) -> float:
        font, several = self.size.font, len(self.names) > 1
        if not self.bars:
            return max(0.62 * self.size.width, 20 * font)
        rows = len(self.ticks) * (0.6 + 1.0 * len(self.names) if several else 1.9)
        return font * (4.5 + (2.2 if several else 0.0) + 1.4 * len(self.title) + rows)

    def _curve(self, name: str, series: Series) -> _Curve:
        x, y = np.asarray(series.x, np.float64), np.asarray(series.y, np.float64)
        x = x if self.bars else np.where(np.isnan(self.x.place(x)), np.nan, x)
        y = np.where(np.isnan(self.y.place(y)), np.nan, y)
        if series.low is None or series.high is None:
            none = np.full(len(y), np.nan)
            return _Curve(name, series, x, y, none, none)
        low, high = np.asarray(series.low, np.float64), np.asarray(series.high, np.float64)
        there = np.isfinite(low) & np.isfinite(high) & np.isfinite(y)
        # An end that is not positive lies at the logarithmic axis itself.
        least = self.y.low if self.y.log else -np.inf
        low, high = (np.where(there, np.maximum(end, least), np.nan) for end in (low, high))
        return _Curve(name, series, x, y, low, high)

    def _shifts(self, curves: Sequence[_Curve]) -> list[float]:
        """How far each curve is moved along x: a little, where the intervals of several would lie on one another."""
        count = len(curves)
        at = [np.unique(self.x.place(curve.x)) for curve in curves]
        if not self.side_by_side or max(map(len, at)) > _MARKED:
            return [0.0] * count
        steps = np.concatenate([np.diff(one[np.isfinite(one)]) for one in at])
        step = min(_APART / self.width, 0.7 * float(steps.min(initial=1.0)) / count)
        return [(place - (count - 1) / 2) * step for place in range(count)]

    @property
    def x_ends(self) -> list[float]:
        """Ends of the axis, with room for curves that are drawn side by side."""
        room = self.shift + 0.5 * self.size.font / self.width if self.side_by_side else 0.0
        return self.x.value(np.array([-room, 1 + room])).tolist()

    def line_rows(self) -> list[Row]:
        """Points of every curve with their intervals; values that cannot be shown break it."""
        kept = [(curve, thin(self.x.place(curve.x), curve.y, int(self.width))) for curve in self.curves]
        return [row for curve, at in kept for row in curve.rows(at, "x", "y", "low", "high")]

    def whisker_rows(self) -> list[Row]:
        """Intervals that are drawn one by one: of every curve where bands would overlap, else of lone points."""
        rows, count = [], len(self.curves)
        for place, curve in enumerate(self.curves):
            at = np.flatnonzero(np.isfinite(curve.x) & np.isfinite(curve.low))
            if not self.side_by_side:
                at = np.intersect1d(at, lone_points(curve.there))
            elif not self.shift:  # of long curves each has its own turn
                turns = count * -(-len(at) // (8 * count))
                at = at[place * turns // count :: turns]
            rows += curve.rows(at, "x", "low", "high")
        return rows

    def point_rows(self) -> list[Row]:
        """Points that carry their value: ``seen`` is 1 where a marker is drawn."""
        rows: list[Row] = []
        for curve in self.curves:
            at, seen = np.flatnonzero(curve.there), np.ones(len(curve.x))
            if self.chart.kind == "scatter":
                x, y = self.x.place(curve.x[at]) * self.width, self.y.place(curve.y[at]) * self.height
                at = at[np.sort(np.unique(np.stack([x, y]) // _CELL, axis=1, return_index=True)[1])]
            elif len(at) > _MARKED:
                lone = lone_points(curve.there)
                seen = np.isin(np.arange(len(curve.x)), lone).astype(np.float64)
                at = np.union1d(at[np.linspace(0, len(at) - 1, _MARKED).round().astype(np.int64)], lone)
            for i, row in zip(at.tolist(), curve.rows(at, "x", "y", "low", "high"), strict=True):
                rows.append({**row, "seen": float(seen[i]), "said": self._said(curve, i)})
        return rows

    def bar_rows(self) -> list[Row]:
        """Bars from foot to value, the interval, the value in words, and where it begins: at the right of its bar."""
        foot = self.y.low if self.y.log else min(max(0.0, self.y.low), self.y.high)
        rows: list[Row] = []
        for curve in self.curves:
            at = np.flatnonzero(curve.there)
            for i, row in zip(at.tolist(), curve.rows(at, "y", "low", "high"), strict=True):
                ends = [end for end in (row["low"], row["high"], row["y"]) if end is not None]
                row |= {"foot": _short(foot), "end": _short(max(foot, *ends))}
                row |= {"t": self.ticks[int(curve.x[i])], "value": show_rounded(float(curve.series.y[i]))}
                rows.append({**row, "said": self._said(curve, i)})
        return rows

    def label_rows(self) -> list[Row]:
        """The name of each curve at its end, none above another, and the way from the end to the name."""
        named = [(curve, np.flatnonzero(curve.there)) for curve in self.curves if curve.name]
        levels = [self.y.place(curve.y[at]) for curve, at in named]
        # Of curves that end together the one that was higher before has the higher label.
        ends = [round(one[-1] * self.plot_height) / self.plot_height + 1e-6 * one.mean() for one in levels]
        gap = 1.15 * self.size.font / self.plot_height
        to = spread(np.array(ends), gap)
        right = _short(float(self.x.value(np.array([1 + self.shift + self.size.font / self.width]))[0]))
        rows = []
        for (curve, at), end, label, to_y in zip(named, ends, to, self.y.value(to).tolist(), strict=True):
            [row] = curve.rows(at[-1:], "x", "y")
            near = self.x.place(curve.x[at[-1:]])[0] >= 0.96 and abs(end - label) <= gap / 3
            rows.append({**row, "far": not near, "to_x": right, "to_y": _short(to_y)})
        return rows

    def _said(self, curve: _Curve, i: int) -> str:
        """A point in words: ``fpr · pages 100 · 0.5 [0.4, 0.6]``."""
        series = curve.series
        at = self.ticks[int(series.x[i])] if self.bars else f"{visible(self.chart.x)} {show_number(float(series.x[i]))}"
        interval = ""
        if series.low is not None and series.high is not None and np.isfinite(series.low[i] + series.high[i]):
            interval = f" [{show_number(float(series.low[i]))}, {show_number(float(series.high[i]))}]"
        return " · ".join(part for part in (curve.name, at.strip(), show_number(float(series.y[i])) + interval) if part)


def thin(places: np.ndarray, y: np.ndarray, columns: int) -> np.ndarray:
    """Indices of points enough to draw a curve: of each column of the plot the first, last, lowest and highest."""
    if len(y) <= 4 * columns:
        return np.arange(len(y))
    column = np.where(np.isnan(places), -1, np.nan_to_num(places) * columns).astype(np.int64)
    # A gap is a column of its own, and so is what comes back to a column later.
    edges = np.flatnonzero(np.diff(column) | np.diff(np.isnan(y))) + 1
    kept = []
    for start, stop in zip([0, *edges], [*edges, len(y)], strict=True):
        part = y[start:stop]
        peaks = [] if np.isnan(part).all() else [np.nanargmin(part), np.nanargmax(part)]
        kept.append(start + np.unique([0, stop - start - 1, *peaks]).astype(np.int64))
    return np.concatenate(kept)


def lone_points(there: np.ndarray) -> np.ndarray:
    """Points between two gaps, which no line shows."""
    padded = np.concatenate([[False], there, [False]])
    return np.flatnonzero(there & ~padded[:-2] & ~padded[2:])


def _crowded(curves: Sequence[_Curve], x: Scale, y: Scale) -> bool:
    """Whether bands would lie on one another: at most places at least two of three or more."""
    bands = [np.stack([x.place(curve.x), y.place(curve.low), y.place(curve.high)]) for curve in curves]
    bands = [one[:, np.isfinite(one).all(axis=0)] for one in bands]
    bands = [one for one in bands if one.shape[1]]
    if len(bands) < 3:
        return False
    at = np.unique(np.concatenate([one[0] for one in bands]))
    low, high = (
        np.stack([np.interp(at, one[0], one[side], left=np.nan, right=np.nan) for one in bands]) for side in (1, 2)
    )
    filled, room = np.nansum(high - low, axis=0), np.nanmax(high, axis=0) - np.nanmin(low, axis=0)
    return bool(np.mean(filled) > _CROWDED * np.mean(room))


def _unique(names: Sequence[str]) -> list[str]:
    """Names as they are shown; of two that look alike the second gets a number."""
    made: dict[str, None] = {}
    for name in names:
        short = visible(name)
        short = short if len(short) <= _LONGEST else short[: _LONGEST - 1] + "…"
        taken, count = short, 2
        while taken in made:
            taken, count = f"{short} ({count})", count + 1
        made[taken] = None
    return list(made)


def _short(value: float) -> float | None:
    """Digits enough to draw by; JSON knows no NaN."""
    return float(f"{value:.9g}") if math.isfinite(value) else None
