"""The small chart beside a finding: a square a web, the diamond their mean."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from seedrank.core.sanitize import as_markup
from seedrank.experiments.claim_specs import MARGINS
from seedrank.experiments.decisions import axis_of
from seedrank.output.charts.scale import Scale, scale
from seedrank.output.charts.svg import COLOURS, STYLE

__all__ = ["Mark", "beside"]

WIDTH, ROW, TOP, FOOT = 440, 18, 8, 34
LEFT, RIGHT = 150, 428
"""Where the plot begins and ends; names are left of it."""


@dataclass(frozen=True)
class Mark:
    """A web, or the mean of all: its name, estimate, and the ends of its interval, NaN where it has none."""

    name: str
    value: float
    low: float = math.nan
    high: float = math.nan

    def times(self, factor: float) -> Mark:
        """The same in other units."""
        return Mark(self.name, factor * self.value, factor * self.low, factor * self.high)


def beside(title: str, webs: Sequence[Mark], mean: Mark | None, quantity: str) -> str:
    """The chart as an SVG document; the same marks give the same text.

    Parameters
    ----------
    title
        What a screen reader says.
    webs, mean
        A row each, the mean last; none where the webs are too few.
    quantity
        What is measured; within its margin is the band in which there is no difference that matters.
    """
    factor, label = axis_of(quantity)
    margin = MARGINS[quantity]
    rows = [row.times(factor) for row in (*webs, *([mean] if mean else []))]
    nothing = 1.0 if margin.ratio and margin.lowest == 0 else 0.0
    band = (1 / margin.least, margin.least) if nothing else (-margin.least * factor, margin.least * factor)
    axis = _axis(rows, nothing)
    bottom = TOP + ROW * len(rows)
    parts = [_rectangle(*(_x(end, axis) for end in band), bottom), *_ticks(axis, nothing, bottom)]
    for number, row in enumerate(rows):
        y = TOP + ROW * (number + 0.5)
        last = mean is not None and row is rows[-1]
        parts.append(_text(LEFT - 8, y + 4, row.name, "end", bold=last))
        parts.append(_diamond(row, axis, y) if last else _square(row, axis, y))
    parts.append(_text((LEFT + RIGHT) / 2, bottom + 30, label, "middle"))
    height = bottom + FOOT
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="sr-chart" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
        f'height="{height}" role="img" aria-label="{as_markup(title)}"><title>{as_markup(title)}</title>'
        f'<style>{STYLE}</style><rect class="back" width="100%" height="100%" fill="#fff"/>'
        + "\n".join(parts)
        + "</svg>\n"
    )


def _axis(rows: Sequence[Mark], nothing: float) -> Scale:
    """An axis that holds all estimates and where there is no difference; intervals may end beyond it."""
    values = np.array([nothing, *(row.value for row in rows)])
    span = max(float(np.ptp(values)), 1e-9)
    ends = np.array([end for row in rows for end in (row.low, row.high) if math.isfinite(end)])
    return scale(np.append(values, np.clip(ends, values.min() - span / 2, values.max() + span / 2)), wanted=5)


def _x(value: float, axis: Scale) -> float:
    return LEFT + float(np.clip(axis.place(np.array([value]))[0], 0, 1)) * (RIGHT - LEFT)


def _rectangle(left: float, right: float, bottom: float) -> str:
    return (
        f'<rect x="{left:.1f}" y="{TOP}" width="{max(right - left, 1):.1f}" height="{bottom - TOP}" '
        'fill="currentColor" fill-opacity=".12"/>'
    )


def _ticks(axis: Scale, nothing: float, bottom: float) -> list[str]:
    parts = [f'<path d="M{LEFT} {bottom}H{RIGHT}" stroke="currentColor" stroke-opacity=".6"/>']
    for value, label in zip(axis.ticks, axis.labels, strict=True):
        x, strong = _x(value, axis), ".45" if value == nothing else ".12"
        parts.append(f'<path d="M{x:.1f} {TOP}V{bottom + 4}" stroke="currentColor" stroke-opacity="{strong}"/>')
        parts.append(_text(x, bottom + 16, label, "middle"))
    return parts


def _square(row: Mark, axis: Scale, y: float) -> str:
    x, colour, parts = _x(row.value, axis), COLOURS[0], []
    if math.isfinite(row.low):
        ends = f"M{_x(row.low, axis):.1f} {y:.1f}H{_x(row.high, axis):.1f}"
        parts.append(f'<path d="{ends}" stroke="{colour}" stroke-width="1.6"/>')
    parts.append(f'<rect fill="{colour}" x="{x - 3.5:.1f}" y="{y - 3.5:.1f}" width="7" height="7"/>')
    return "".join(parts)


def _diamond(row: Mark, axis: Scale, y: float) -> str:
    low, middle, high = (_x(value, axis) for value in (row.low, row.value, row.high))
    path = f"M{low:.1f} {y:.1f}L{middle:.1f} {y - 6:.1f}L{high:.1f} {y:.1f}L{middle:.1f} {y + 6:.1f}z"
    return f'<path d="{path}" fill="{COLOURS[1]}"/>'


def _text(x: float, y: float, text: str, anchor: str, *, bold: bool = False) -> str:
    weight = ' font-weight="600"' if bold else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="currentColor"{weight}>{as_markup(text)}</text>'
