"""Where the names of curves stand in a figure for a paper that has no room beside the plot: in a corner of it."""

from __future__ import annotations

import numpy as np

from seedrank.output.charts.label_layout import text_width
from seedrank.output.charts.plot import Plot, Row

__all__ = ["NAMES", "names_inside", "plot_width"]

NAMES = 0.9
"""Size of their font, to that of the figure."""
_SAMPLE, _BESIDE, _LINE = 2.2, 3.4, 1.2
"""Length of the sample of a curve, what stands beside a name in all, and height of a line, to the font."""


def plot_width(plot: Plot) -> float:
    """About how wide the plot is where nothing stands beside it."""
    font = plot.size.font
    return plot.width - max((text_width(label, font) for label in plot.y.labels), default=0.0) - 4.0 * font


def names_inside(plot: Plot) -> tuple[list[Row], list[Row]]:
    """A row per name, with the ends of its sample; and the ground below them, where they lie on curves.

    They stand in one column or two, in the corner where they cover the fewest points.
    """
    font = NAMES * plot.size.font
    widest = max(text_width(name, font) for name in plot.names) + _BESIDE * font
    across, down = plot_width(plot), plot.plot_height
    x = np.concatenate([plot.x.place(curve.x[curve.there]) for curve in plot.curves])
    y = np.concatenate([plot.y.place(curve.y[curve.there]) for curve in plot.curves])
    found = []
    for columns in (1, 2):
        lines = -(-len(plot.names) // columns)
        width, height = columns * widest / across, (_LINE * lines + 0.4) * font / down
        for left, top in ((0.995 - width, height + 0.01), (0.005, 0.99), (0.005, height + 0.01), (0.995 - width, 0.99)):
            covered = (x >= left) & (x <= left + width) & (y <= top) & (y >= top - height)
            too_large = width > 1 or height > 1
            found.append((int(covered.sum()) + len(x) * too_large, lines, left, left + width, top, top - height))
    covered_points, lines, left, right, top, bottom = min(found, key=lambda one: one[0])
    rows = []
    for n, name in enumerate(plot.names):
        start = left + (n // lines * widest + 0.3 * font) / across
        x_ends = plot.x.value(np.array([start, start + _SAMPLE * font / across])).tolist()
        at = plot.y.value(np.array([top - (_LINE * (n % lines) + 0.8) * font / down])).tolist()
        rows.append({"s": name, "x": x_ends[0], "to_x": x_ends[1], "y": at[0]})
    x_ends, y_ends = plot.x.value(np.array([left, right])).tolist(), plot.y.value(np.array([bottom, top])).tolist()
    ground = {"x": x_ends[0], "to_x": x_ends[1], "y": y_ends[0], "to_y": y_ends[1]}
    return rows, [ground] if covered_points else []
