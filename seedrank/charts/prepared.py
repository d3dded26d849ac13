"""A sheet made ready: its axes, names that differ, and the rows of data that its marks are drawn from."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from seedrank.charts.chart import Series
from seedrank.charts.places import alone, apart, thinned
from seedrank.charts.scale import number, scale
from seedrank.charts.sheets import Sheet
from seedrank.charts.text import wrapped
from seedrank.core.hostile import visible

__all__ = ["Look", "Prepared", "Row"]

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
"""Size of the font by which a title is broken into lines, to that of the text."""
_LONGEST = 60
"""Letters of a name."""


@dataclass(frozen=True)
class Look:
    """Size of a sheet.

    Parameters
    ----------
    width, height
        In all. Without a height: what is usual; bars get what they need.
    font
        Size of the text.
    unit
        Of these: ``px`` on a screen, ``pt`` (1/72 inch) on paper.
    """

    width: float = 500.0
    height: float | None = None
    font: float = 12.0
    unit: str = "px"


class Prepared:
    """A sheet with its axes.

    Parameters
    ----------
    sheet
        What is drawn.
    look
        How large.
    """

    def __init__(self, sheet: Sheet, look: Look) -> None:
        self.chart, self.look = sheet.chart, look
        self.data: dict[str, list[Row]] = {}
        self.bars = self.chart.kind == "bar"
        self.names = _differing([series.name for series in self.chart.series])
        self.ticks = _differing(self._places_of_bars()) if self.bars else []
        # On a screen it is bold, and in whatever font there is.
        self.title = wrapped(visible(self.chart.title), look.width - look.font, look.font * _TITLE[look.unit])
        self.width, self.height = look.width, look.height or self._usual_height()
        # The rest goes to title, axis and margins; only labels, which must not overlap, need to know how much is left.
        self.plot_height = max(self.height - look.font * (5.5 + 1.4 * len(self.title)), 4 * look.font)
        whole = sheet.whole.series
        along, up = look.width / (6 * look.font), self.plot_height / (2.8 * look.font)
        self.x = scale(
            _join([one.x for one in whole]), log=self.chart.log_x, count=True, wanted=min(max(int(along), 3), 8)
        )
        self.y = scale(
            _join([end for one in whole for end in (one.y, one.low, one.high) if end is not None]),
            log=self.chart.log_y,
            zero=self.bars,
            wanted=min(max(int(along if self.bars else up), 3), 6),
        )

        self.side_by_side = self.chart.kind == "line" and self._crowded()
        self.shifts = self._shifts()

    def _places_of_bars(self) -> list[str]:
        """Names of the places along x: numbers where the chart has no more names."""
        named = self.chart.ticks
        places = int(max(np.nanmax(series.x, initial=-1) for series in self.chart.series)) + 1
        return [*named, *map(str, range(len(named), places))]

    @property
    def x_ends(self) -> list[float]:
        """Ends of the axis, with room for curves that are drawn side by side."""
        room = max(self.shifts) + 0.5 * self.look.font / self.width if self.side_by_side else 0.0
        return self.x.value(np.array([-room, 1 + room])).tolist()

    def _crowded(self) -> bool:
        """Whether bands would lie on one another: at most places at least two of three or more."""
        ends = [self._places(series) for series in self.chart.series]
        ends = [one[:, np.isfinite(one).all(axis=0)] for one in ends]
        ends = [one for one in ends if one.shape[1]]
        if len(ends) < 3:
            return False
        at = np.unique(np.concatenate([one[0] for one in ends]))
        low, high = (
            np.stack([np.interp(at, one[0], one[side], left=np.nan, right=np.nan) for one in ends]) for side in (1, 2)
        )
        filled, room = np.nansum(high - low, axis=0), np.nanmax(high, axis=0) - np.nanmin(low, axis=0)
        return bool(np.mean(filled) > _CROWDED * np.mean(room))

    def _places(self, series: Series) -> np.ndarray:
        """Where the interval of a curve lies: x, low and high from 0 to 1."""
        x, _, low, high = self._shown(series)
        return np.stack([self.x.place(x), self.y.place(low), self.y.place(high)])

    def _shifts(self) -> list[float]:
        """How far each curve is moved along x: a little, where the intervals of several would lie on one another."""
        count = len(self.names)
        at = [np.unique(self.x.place(self._shown(series)[0])) for series in self.chart.series]
        if not self.side_by_side or max(map(len, at)) > _MARKED:
            return [0.0] * count
        steps = np.concatenate([np.diff(one[np.isfinite(one)]) for one in at])
        step = min(_APART / self.width, 0.7 * float(steps.min(initial=1.0)) / count)
        return [(place - (count - 1) / 2) * step for place in range(count)]

    def _picked(self, place: int) -> np.ndarray:
        """Points of a curve whose intervals are drawn one by one; of long curves each has its own turn."""
        x, y, low, _ = self._shown(self.chart.series[place])
        there = np.flatnonzero(np.isfinite(x) & np.isfinite(low))
        if not self.side_by_side:
            return np.intersect1d(there, alone(np.isfinite(x) & np.isfinite(y)))
        if any(self.shifts):
            return there
        turns = len(self.names) * -(-len(there) // (8 * len(self.names)))
        return there[place * turns // len(self.names) :: turns]

    def _usual_height(self) -> float:
        font = self.look.font
        if not self.bars:
            return max(0.62 * self.look.width, 20 * font)
        rows = len(self.ticks) * (1.9 if len(self.names) == 1 else 0.6 + 1.0 * len(self.names))
        legend = 2.2 if len(self.names) > 1 else 0.0
        return font * (4.5 + legend + 1.4 * len(self.title) + rows)

    def curves(self) -> list[Row]:
        """Points of every curve with their intervals; values that cannot be shown break it."""
        rows: list[Row] = []
        for name, series, shift in self._named():
            x, y, low, high = self._shown(series, shift)
            keep = thinned(self.x.place(x), y, int(self.width))
            rows += _rows({"x": x[keep], "y": y[keep], "low": low[keep], "high": high[keep]}, s=name)
        return rows

    def whiskers(self) -> list[Row]:
        """Intervals that are drawn one by one: of every curve where bands would overlap, else of lone points."""
        rows: list[Row] = []
        for place, (name, series, shift) in enumerate(self._named()):
            x, _, low, high = self._shown(series, shift)
            keep = self._picked(place)
            rows += _rows({"x": x[keep], "low": low[keep], "high": high[keep]}, s=name)
        return rows

    def points(self) -> list[Row]:
        """Points that carry their value: ``seen`` is 1 where a marker is drawn."""
        rows: list[Row] = []
        for name, series, shift in self._named():
            x, y, low, high = self._shown(series, shift)
            there = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
            seen = np.ones(len(x), np.int64)
            if self.chart.kind == "scatter":
                cells = np.stack([self.x.place(x[there]) * self.width, self.y.place(y[there]) * self.height]) // _CELL
                there = there[np.sort(np.unique(cells, axis=1, return_index=True)[1])]
            elif len(there) > _MARKED:
                lone = alone(np.isfinite(x) & np.isfinite(y))
                seen[:] = 0
                seen[lone] = 1
                few = np.linspace(0, len(there) - 1, _MARKED).round().astype(np.int64)
                there = np.union1d(there[few], lone)
            columns = {"x": x[there], "y": y[there], "low": low[there], "high": high[there], "seen": seen[there]}
            said = [self._said(name, series, i) for i in there.tolist()]
            rows += [{**row, "said": text} for row, text in zip(_rows(columns, s=name), said, strict=True)]
        return rows

    def bar_rows(self) -> list[Row]:
        """Bars from their foot to their value, with the interval, the value in words, and where those begin."""
        foot = self.y.low if self.y.log else min(max(0.0, self.y.low), self.y.high)
        rows: list[Row] = []
        for name, series, _ in self._named():
            x, y, low, high = self._shown(series)
            for i in np.flatnonzero(np.isfinite(x) & np.isfinite(y)).tolist():
                ends = [float(end) for end in (low[i], high[i], y[i]) if np.isfinite(end)]
                left = bool(y[i] < foot)
                row = {"foot": foot, "y": float(y[i]), "low": float(low[i]), "high": float(high[i])}
                row |= {"end": min(ends) if left else max(ends)}
                words = {"s": name, "t": self.ticks[int(x[i])], "value": _few_digits(float(series.y[i]))}
                rows.append({key: _short(value) for key, value in row.items()} | words)
                rows[-1] |= {"said": self._said(name, series, i), "left": left}
        return rows

    def labels(self) -> list[Row]:
        """The name of each curve at its end, none above another, and the way from the end to the name."""
        ends, places = [], []
        for name, series, shift in self._named():
            x, y, _, _ = self._shown(series, shift)
            there = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
            if name:
                ends.append((name, float(x[there[-1]]), float(y[there[-1]])))
                levels = self.y.place(y[there])
                # Of curves that end together the one that was higher before has the higher label.
                places.append(round(levels[-1] * self.plot_height) / self.plot_height + 1e-6 * levels.mean())
        gap = 1.15 * self.look.font / self.plot_height
        right = 1 + max(self.shifts) + self.look.font / self.width
        rows = []
        to = apart(np.array(places), gap)
        to_x, to_y = float(self.x.value(np.array([right]))[0]), self.y.value(to).tolist()
        for place, (name, x_end, y_end) in enumerate(ends):
            near = self.x.place(np.array([x_end]))[0] >= 0.96 and abs(places[place] - to[place]) <= gap / 3
            row = {"s": name, "x": _short(x_end), "y": _short(y_end), "far": not near}
            rows.append(row | {"to_x": _short(to_x), "to_y": _short(to_y[place])})
        return rows

    def _named(self) -> Iterator[tuple[str, Series, float]]:
        return zip(self.names, self.chart.series, self.shifts, strict=True)

    def _shown(self, series: Series, shift: float = 0.0) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """x, y and the interval as the axes hold them; NaN for what they do not."""
        x, y = np.asarray(series.x, np.float64), np.asarray(series.y, np.float64)
        if not self.bars:
            x = np.where(np.isnan(self.x.place(x)), np.nan, x)
            x = self.x.value(self.x.place(x) + shift) if shift else x
        y = np.where(np.isnan(self.y.place(y)), np.nan, y)
        if series.low is None or series.high is None:
            none = np.full(len(y), np.nan)
            return x, y, none, none
        low, high = np.asarray(series.low, np.float64), np.asarray(series.high, np.float64)
        there = np.isfinite(low) & np.isfinite(high) & np.isfinite(y)
        if self.y.log:
            # An end that is not positive lies at the axis itself.
            low, high = np.maximum(low, self.y.low), np.maximum(high, self.y.low)
        return x, y, np.where(there, low, np.nan), np.where(there, high, np.nan)

    def _said(self, name: str, series: Series, i: int) -> str:
        """A point in words: ``fpr · pages 100 · 0.5 [0.4, 0.6]``."""
        at = self.ticks[int(series.x[i])] if self.bars else f"{visible(self.chart.x)} {number(float(series.x[i]))}"
        interval = ""
        if series.low is not None and series.high is not None and np.isfinite(series.low[i] + series.high[i]):
            interval = f" [{number(float(series.low[i]))}, {number(float(series.high[i]))}]"
        return " · ".join(part for part in (name, at.strip(), number(float(series.y[i])) + interval) if part)


def _differing(names: Sequence[str]) -> list[str]:
    """Names as they are shown; of two that look alike the second gets a number."""
    made: dict[str, None] = {}
    for name in names:
        short = visible(name)
        short = short if len(short) <= _LONGEST else short[: _LONGEST - 1] + "…"
        taken, number_ = short, 2
        while taken in made:
            taken, number_ = f"{short} ({number_})", number_ + 1
        made[taken] = None
    return list(made)


def _rows(columns: dict[str, np.ndarray], **same: str) -> list[Row]:
    lists = {name: [_short(value) for value in values.tolist()] for name, values in columns.items()}
    return [{**dict(zip(lists, row, strict=True)), **same} for row in zip(*lists.values(), strict=True)]


def _short(value: float) -> float | None:
    """Digits enough to draw by; JSON knows no NaN."""
    return float(f"{value:.9g}") if math.isfinite(value) else None


def _few_digits(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def _join(arrays: Sequence[np.ndarray]) -> np.ndarray:
    return np.concatenate([np.asarray(one, np.float64) for one in arrays]) if arrays else np.empty(0)
