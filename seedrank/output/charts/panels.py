"""Panels of a chart (none without data, several where it has more than ten curves), and how each curve looks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from seedrank.core.errors import UsageError, shorten
from seedrank.output.charts.chart import Chart, Series
from seedrank.output.charts.scale import SMALLEST
from seedrank.output.charts.svg import COLOURS, CURVES

__all__ = [
    "Look",
    "Panel",
    "known_series",
    "looks",
    "panels",
    "panels_of",
    "split_baselines",
    "with_series",
    "without_data",
]


_MOST = 10
"""Curves of a chart that are drawn in one panel."""
_SEVERAL = 6
"""Of more, those of a panel that are no baselines: as many as can be told apart by colour alone."""


@dataclass(frozen=True)
class Panel:
    """A chart with at most ten curves, each of which has data, and the `whole` chart, whose axes it has."""

    chart: Chart
    whole: Chart


def panels(charts: Iterable[Chart]) -> tuple[list[Panel], list[str]]:
    """The panels of charts, and a sentence for each chart that has no data."""
    charts = list(charts)
    reasons = [(chart, without_data(chart)) for chart in charts]
    left_out = [f"chart `{chart.name}` ({chart.title}): {reason}" for chart, reason in reasons if reason]
    return [panel for chart in charts for panel in panels_of(chart)], left_out


def panels_of(chart: Chart) -> list[Panel]:
    """The panels of a chart: all of up to ten curves; of more six at a time, baselines in each; none without data."""
    if without_data(chart):
        return []
    some = [series for series in chart.series if _drawable(chart, series).any()]
    palette = chart.palette or [series.name for series in chart.series]
    parts = [replace(chart, series=part, palette=palette) for part in _parted(chart, some)]
    for place in range(len(parts) if len(parts) > 1 else 0):
        name = f"{chart.name}-{place + 1}" if place else chart.name
        parts[place] = replace(parts[place], name=name, title=f"{chart.title} ({place + 1} of {len(parts)})")
    return [Panel(part, chart) for part in parts]


def _parted(chart: Chart, some: Sequence[Series]) -> list[Sequence[Series]]:
    """The series of each panel."""
    if chart.kind == "bar" or len(some) <= _MOST:
        return [some]
    names = {one.name for one in some}
    grey = set(split_baselines(chart, list(names))[0])
    shared, others = ([one for one in some if (one.name in grey) is of] for of in (True, False))
    return [[*others[first : first + _SEVERAL], *shared] for first in range(0, len(others), _SEVERAL)]


def without_data(chart: Chart) -> str:
    """Why a chart would show nothing; empty where it shows something."""
    there = [np.asarray(series.y)[_drawable(chart, series)] for series in chart.series]
    if not any(map(len, there)):
        return "no values" + (" that a logarithmic axis can show" if chart.log_x or chart.log_y else "")
    return "" if any(map(np.any, there)) else "every value is 0"


def _drawable(chart: Chart, series: Series) -> np.ndarray:
    """Where a series has a point that the axes can hold."""
    x, y = np.asarray(series.x, np.float64), np.asarray(series.y, np.float64)
    there = np.isfinite(x) & np.isfinite(y)
    there &= (x > SMALLEST) | (not chart.log_x)
    there &= (y > SMALLEST) | (not chart.log_y)
    return there


def with_series(chart: Chart, names: str | Sequence[str]) -> Chart:
    """The chart with some of its series, in the order of `names`; of a bar chart also some of its bars."""
    series = {one.name: one for one in chart.series if one.name}
    wanted = known_series(names, [*chart.ticks, *series] if chart.kind == "bar" else [*series], f"chart {chart.name}")
    chosen = [series[name] for name in wanted if name in series] or list(chart.series)
    places = [chart.ticks.index(name) for name in wanted if name in chart.ticks]
    palette = chart.palette or list(series)
    if chart.kind != "bar" or not places:
        return replace(chart, series=chosen, palette=palette)
    return replace(
        chart, palette=palette, series=[_bars(one, places) for one in chosen], ticks=[chart.ticks[at] for at in places]
    )


def known_series(names: str | Sequence[str], known: Sequence[str], where: str) -> list[str]:
    """Names, given as a list or with commas between, each once; those that `where` does not have are refused."""
    given = names.split(",") if isinstance(names, str) else names
    wanted = list(dict.fromkeys(name.strip() for name in given))
    if unknown := [name for name in wanted if name not in known]:
        has = ", ".join(dict.fromkeys(known)) or "none"
        raise UsageError(f"the {where} has no series {shorten(unknown[0])}", hint=f"it has {has}")
    return wanted


def _bars(series: Series, places: Sequence[int]) -> Series:
    """Bars of some places, numbered anew."""
    found = [np.flatnonzero(series.x == old) for old in places]
    x, rows = np.repeat(np.arange(len(places), dtype=np.float64), list(map(len, found))), np.concatenate(found)
    ends = (None if end is None else np.asarray(end)[rows] for end in (series.low, series.high))
    return Series(series.name, x, np.asarray(series.y)[rows], *ends)


_GREY = COLOURS[7]
_DASHES = (
    [1, 0], [7, 3], [2, 2], [8, 3, 2, 3], [12, 3], [4, 2], [1, 3], [10, 2, 2, 2, 2, 2], [5, 5], [3, 1],
)  # fmt: skip
_SHAPES = (
    "circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right", "triangle-left", "stroke",
    "wedge",
)  # fmt: skip


@dataclass(frozen=True)
class Look:
    """How a curve is drawn."""

    colour: str
    dash: Sequence[int]
    shape: str


def looks(chart: Chart) -> list[Look]:
    """A look for each series of a chart; two differ by dash and shape also where colours repeat."""
    names = list(dict.fromkeys([*chart.palette, *(one.name for one in chart.series)]))
    grey, own = split_baselines(chart, names)
    found = {name: Look(CURVES[n % len(CURVES)], *_marks(n)) for n, name in enumerate(own)}
    found |= {name: Look(_GREY, *_marks(n)) for n, name in enumerate(grey)}
    return [found[one.name] for one in chart.series]


def split_baselines(chart: Chart, names: Sequence[str]) -> tuple[list[str], list[str]]:
    """The names of baselines, and the others; where all are baselines, none is."""
    grey = [name for name in names if name in chart.baselines]
    own = [name for name in names if name not in chart.baselines]
    return (grey, own) if own else ([], list(names))


def _marks(n: int) -> tuple[Sequence[int], str]:
    return _DASHES[n % len(_DASHES)], _SHAPES[n % len(_SHAPES)]
