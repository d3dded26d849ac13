"""Colour, dash and shape of each curve: the same in every chart of an experiment, baselines in grey."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from seedrank.output.charts.chart import Chart
from seedrank.output.charts.svg import COLOURS, CURVES

__all__ = ["Look", "looks", "split_baselines"]

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
