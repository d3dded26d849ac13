"""Panels as SVG, PDF and PNG, and as notebooks show them; Vega draws in this process: no browser, network or files."""

from __future__ import annotations

import json
import re
from typing import Any

from seedrank.output.charts.chart import Chart
from seedrank.output.charts.panels import Panel, panels_of, without_data
from seedrank.output.charts.plot import Size
from seedrank.output.charts.svg import tidy
from seedrank.output.charts.vega_lite import VERSION, specification

__all__ = ["as_pdf", "as_png", "as_svg", "mime_bundle", "vega_svg"]

_DOTS = 300
"""Dots per inch of a picture for paper; on a screen a pixel is two of them wide."""
_REFERENCES = re.compile(rb"(/(?:ExtGState|XObject|Font) <<\n)((?: +/\w+ \d+ 0 R\n)+)")


def as_svg(panel: Panel, size: Size | None = None, *, bare: bool = False) -> str:
    """A panel as an SVG document; `bare` for a page that has `seedrank.output.charts.svg.STYLE` and a background."""
    size = size or Size()
    return _tidy(panel, size, unit="" if size.unit == "px" else size.unit, style=not bare, back=not bare)


def as_pdf(panel: Panel, size: Size) -> bytes:
    """A panel as a PDF document of one page.

    The same panel gives the same bytes, as long as its font (`seedrank.output.charts.svg.FONTS`: Latin, Greek,
    Cyrillic) has all letters: a second font is written before or after the first, as it comes.
    """
    import vl_convert

    pdf: bytes = vl_convert.svg_to_pdf(_tidy(panel, size, style=False, back=False))
    # The renderer lists what a page refers to in any order; sorted, each object keeps its place in the file.
    return _REFERENCES.sub(lambda found: found[1] + b"".join(sorted(found[2].splitlines(keepends=True))), pdf)


def as_png(panel: Panel, size: Size) -> bytes:
    """A panel as a picture on white."""
    import vl_convert

    scale = _DOTS / 72 if size.unit == "pt" else 2
    png: bytes = vl_convert.svg_to_png(_tidy(panel, size, style=False, back=True), scale=scale)
    return png


def mime_bundle(chart: Chart) -> dict[str, Any]:
    """A chart by MIME type, its panels below one another: Vega-Lite, SVG, and a line of text."""
    panels = panels_of(chart)
    if not panels:
        return {"text/plain": f"{chart.title}: nothing is drawn, {without_data(chart)}"}
    what = specification(panels, Size())
    names = ", ".join(series.name for series in chart.series if series.name)
    return {
        "application/vnd.vegalite.v6+json": what,
        "image/svg+xml": tidy(vega_svg(what), chart.title, chart.caption),
        "text/plain": f"{chart.title}: {names}" if names else chart.title,
    }


def vega_svg(what: dict[str, Any]) -> str:
    """A specification as Vega draws it; nothing is fetched from anywhere."""
    import vl_convert

    svg: str = vl_convert.vegalite_to_svg(json.dumps(what), vl_version=VERSION, allowed_base_urls=[])
    return svg


def _tidy(panel: Panel, size: Size, *, unit: str = "", style: bool, back: bool) -> str:
    drawn = vega_svg(specification([panel], size))
    return tidy(drawn, panel.chart.title, panel.chart.caption, unit=unit, style=style, back=back)
