"""What is drawn of a chart: nothing where it has no data, and several sheets where it has more than six curves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from seedrank.charts.chart import Chart, Series
from seedrank.charts.scale import SMALLEST
from seedrank.core.errors import UsageError, shorten

__all__ = ["MOST", "Sheet", "known_series", "sheets", "sheets_of", "with_series", "without_data"]

MOST = 6
"""Curves of a sheet: as many as can be told apart by colour, and labelled at their ends."""


@dataclass(frozen=True)
class Sheet:
    """A chart that is drawn.

    Parameters
    ----------
    chart
        With at most six curves, each of which has something to show.
    whole
        The chart it is a part of, whose axes it has.
    """

    chart: Chart
    whole: Chart


def sheets(charts: Iterable[Chart]) -> tuple[list[Sheet], list[str]]:
    """The sheets of charts, and a sentence for each chart that has no data."""
    drawn: list[Sheet] = []
    left_out = []
    for chart in charts:
        drawn += sheets_of(chart)
        if reason := without_data(chart):
            left_out.append(f"chart `{chart.name}` ({chart.title}): {reason}")
    return drawn, left_out


def sheets_of(chart: Chart) -> list[Sheet]:
    """The sheets of a chart: the first six curves, the next six, …; none where it has no data."""
    if without_data(chart):
        return []
    some = [series for series in chart.series if _drawable(chart, series).any()]
    if chart.kind == "bar":
        return [Sheet(replace(chart, series=some), chart)]
    parts = [some[first : first + MOST] for first in range(0, len(some), MOST)]
    if len(parts) == 1:
        return [Sheet(replace(chart, series=some), chart)]
    made = []
    for number, part in enumerate(parts, 1):
        name = chart.name if number == 1 else f"{chart.name}-{number}"
        title = f"{chart.title} ({number} of {len(parts)})"
        made.append(Sheet(replace(chart, name=name, title=title, series=part), chart))
    return made


def without_data(chart: Chart) -> str:
    """Why a chart would show nothing; empty where it shows something."""
    there = [_drawable(chart, series) for series in chart.series]
    if not any(one.any() for one in there):
        return "no values" + (" that a logarithmic axis can show" if chart.log_x or chart.log_y else "")
    if not any(np.any(series.y[one] != 0) for series, one in zip(chart.series, there, strict=True)):
        return "every value is 0"
    return ""


def with_series(chart: Chart, names: str | Sequence[str]) -> Chart:
    """The chart with some of its series, in the order of `names`; of a bar chart also some of its bars."""
    series = {one.name: one for one in chart.series if one.name}
    wanted = known_series(names, [*chart.ticks, *series] if chart.kind == "bar" else [*series], f"chart {chart.name}")
    chosen = [series[name] for name in wanted if name in series] or list(chart.series)
    places = [chart.ticks.index(name) for name in wanted if name in chart.ticks]
    if chart.kind != "bar" or not places:
        return replace(chart, series=chosen)
    return replace(chart, series=[_bars(one, places) for one in chosen], ticks=[chart.ticks[at] for at in places])


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
    pairs = [(new, row) for new, old in enumerate(places) for row in np.flatnonzero(series.x == old)]
    x, rows = np.array([new for new, _ in pairs], np.float64), np.array([row for _, row in pairs], np.int64)
    ends = (None if end is None else np.asarray(end)[rows] for end in (series.low, series.high))
    return Series(series.name, x, np.asarray(series.y)[rows], *ends)


def _drawable(chart: Chart, series: Series) -> np.ndarray:
    """Where a series has a point that the axes can hold."""
    x, y = np.asarray(series.x, np.float64), np.asarray(series.y, np.float64)
    there = np.isfinite(x) & np.isfinite(y)
    if chart.log_x:
        there &= x > SMALLEST
    if chart.log_y:
        there &= y > SMALLEST
    return there
