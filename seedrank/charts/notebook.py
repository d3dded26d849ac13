"""Charts as notebooks show them."""

from __future__ import annotations

from typing import Any

from seedrank.charts.chart import Chart
from seedrank.charts.draw import vega_svg
from seedrank.charts.prepared import Look
from seedrank.charts.sheets import sheets_of, without_data
from seedrank.charts.specification import specification
from seedrank.charts.svg import tidy

__all__ = ["mime_bundle"]


def mime_bundle(chart: Chart) -> dict[str, Any]:
    """A chart by MIME type: Vega-Lite of the version that altair writes, SVG, and a line of text.

    All sheets are in one picture, below one another.
    """
    words = f"{chart.title}: {', '.join(series.name for series in chart.series if series.name)}".removesuffix(": ")
    drawn = sheets_of(chart)
    if not drawn:
        return {"text/plain": f"{chart.title}: nothing is drawn, {without_data(chart)}"}
    what = specification(drawn, Look())
    major = what["$schema"].rpartition("/v")[2].partition(".")[0]
    return {
        f"application/vnd.vegalite.v{major}+json": what,
        "image/svg+xml": tidy(vega_svg(what), chart.title, chart.caption),
        "text/plain": words,
    }
