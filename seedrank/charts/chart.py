"""A chart as data: what the curves are, before anything is drawn.

The same chart becomes an SVG file, a figure of the report with values on hover, and a picture in a notebook.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

__all__ = ["Chart", "Series"]


@dataclass(frozen=True)
class Series:
    """One curve, set of points or set of bars.

    Parameters
    ----------
    name
        As the legend shows it, such as ``fpr@20``.
    x, y
        Numbers of the same length; NaN leaves a gap. For bars `x` numbers the chart's `ticks`.
    low, high
        Ends of the interval around each `y`, where there is one.
    """

    name: str
    x: np.ndarray
    y: np.ndarray
    low: np.ndarray | None = None
    high: np.ndarray | None = None


@dataclass(frozen=True)
class Chart:
    """A chart.

    Parameters
    ----------
    name
        File name without suffix, such as ``coverage-by-k``; unique within an experiment.
    title
        What it shows, in one line.
    x, y
        Labels of the axes, with units.
    series
        What is drawn.
    kind
        ``line`` (with a band where there is an interval), ``scatter`` or ``bar``.
    log_x, log_y
        Logarithmic axes; values that are not positive are left out.
    ticks
        For bars: names of the places along `x`.
    caption
        What to look for, in a sentence or two; also what a screen reader says.
    """

    name: str
    title: str
    x: str
    y: str
    series: Sequence[Series]
    kind: Literal["line", "scatter", "bar"] = "line"
    log_x: bool = False
    log_y: bool = False
    ticks: Sequence[str] = ()
    caption: str = ""

    def _repr_svg_(self) -> str:
        from seedrank.charts.svg import draw

        return draw(self)
