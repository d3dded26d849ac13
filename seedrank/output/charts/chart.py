"""A chart as data: what the curves are, before anything is drawn.

The same chart becomes a figure of the report, a file (SVG, PDF, PNG) and a picture in a notebook.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

__all__ = ["Chart", "Series"]


@dataclass(frozen=True)
class Series:
    """One curve, set of points or set of bars."""

    name: str
    """As its label shows it, such as ``fpr@20``."""
    x: np.ndarray
    y: np.ndarray
    """Numbers of the same length; NaN leaves a gap. For bars `x` numbers the chart's `ticks`."""
    low: np.ndarray | None = None
    high: np.ndarray | None = None
    """Ends of the interval around each `y`, where there is one."""


@dataclass(frozen=True)
class Chart:
    """A chart."""

    name: str
    """File name without suffix, such as ``coverage-by-k``; unique within an experiment."""
    title: str
    """What it shows, in one line."""
    x: str
    y: str
    """Labels of the axes, with units."""
    series: Sequence[Series]
    """What is drawn; more than ten curves are drawn in several panels with the same axes."""
    kind: Literal["line", "scatter", "bar"] = "line"
    """``line`` (with a band where there is an interval), ``scatter`` or ``bar``."""
    log_x: bool = False
    log_y: bool = False
    """Logarithmic axes; values that are not positive are left out."""
    ticks: Sequence[str] = ()
    """For bars: names of the places along `x`."""
    caption: str = ""
    """What to look for, in a sentence or two; also what a screen reader says."""
    palette: Sequence[str] = ()
    """Names in the order in which they get colours, so that several charts agree; those of `series` by default."""
    baselines: Sequence[str] = ("random", "Random", "bfs", "omniscient", "ideal")
    """Series that others are compared with: drawn in grey, and repeated in every panel."""

    def __repr__(self) -> str:
        return f"Chart({self.name}: {self.title}; {self.kind}s of {', '.join(one.name for one in self.series)})"

    def save(
        self, path: str | Path, *, size: str | None = None, series: str | Sequence[str] | None = None
    ) -> list[Path]:
        """Write the chart to a file, and to ``NAME-2`` beside it its second panel.

        Parameters
        ----------
        path
            Its suffix says what it becomes: ``.svg``, ``.pdf`` or ``.png``.
        size
            Such as ``8x5cm``; also in ``mm`` and ``in``. Default 16 cm wide, as high as it needs.
        series
            Names of those to draw, in this order, as a list or with commas between; all by default.

        Returns
        -------
        list of Path
            The files, in the order of the panels.
        """
        from seedrank.output.charts.render import write_figure

        return write_figure(self, Path(path), size=size, series=series)

    def _repr_mimebundle_(self, **_asked: Any) -> dict[str, Any]:
        """As a notebook shows it: Vega-Lite, with values at the pointer, and SVG where that is unknown."""
        from seedrank.output.charts.render import mime_bundle

        return mime_bundle(self)
