"""Charts as SVG."""

from __future__ import annotations

from html import escape

import numpy as np

from seedrank.charts.chart import Chart

__all__ = ["draw"]


def draw(chart: Chart) -> str:
    """The chart as an SVG document."""
    x = np.concatenate([series.x for series in chart.series]) if chart.series else np.zeros(1)
    y = np.concatenate([series.y for series in chart.series]) if chart.series else np.zeros(1)
    wide, high = float(np.ptp(x)) or 1.0, float(np.ptp(y)) or 1.0
    lines = []
    for series in chart.series:
        points = " ".join(
            f"{40 + 600 * (a - x.min()) / wide:.1f},{360 - 320 * (b - y.min()) / high:.1f}"
            for a, b in zip(series.x, series.y, strict=True)
        )
        lines.append(f'<polyline fill="none" stroke="currentColor" points="{points}"/>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 680 400"><title>{escape(chart.title)}</title>'
        + "".join(lines)
        + "</svg>\n"
    )
