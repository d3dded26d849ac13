"""Sheets as SVG, PDF and PNG, drawn by Vega in this process: no browser, no network, no files."""

from __future__ import annotations

import json
import re
from typing import Any

from seedrank.charts.prepared import Look
from seedrank.charts.sheets import Sheet
from seedrank.charts.specification import specification
from seedrank.charts.svg import tidy

__all__ = ["as_pdf", "as_png", "as_svg", "vega_svg"]

_DOTS = 300
"""Dots per inch of a picture for paper; on a screen a pixel is two of them wide."""

_LISTED = re.compile(rb"(/(?:ExtGState|XObject|Font) <<\n)((?: +/\w+ \d+ 0 R\n)+)")


def as_svg(sheet: Sheet, look: Look | None = None, *, bare: bool = False) -> str:
    """A sheet as an SVG document; `bare` for a page that has `seedrank.charts.svg.STYLE` and a background."""
    look = look or Look()
    return _tidy(sheet, look, unit="" if look.unit == "px" else look.unit, style=not bare, back=not bare)


def as_pdf(sheet: Sheet, look: Look) -> bytes:
    """A sheet as a PDF document of one page.

    The same sheet gives the same bytes, as long as its font (`seedrank.charts.svg.FONTS`: Latin, Greek, Cyrillic) has
    all letters: a second font is written before or after the first, as it comes.
    """
    import vl_convert

    pdf: bytes = vl_convert.svg_to_pdf(_tidy(sheet, look, style=False, back=False))
    # The renderer lists what a page refers to in any order; sorted, every line keeps its length, and each object its
    # place.
    return _LISTED.sub(lambda found: found[1] + b"".join(sorted(found[2].splitlines(keepends=True))), pdf)


def as_png(sheet: Sheet, look: Look) -> bytes:
    """A sheet as a picture on white."""
    import vl_convert

    scale = _DOTS / 72 if look.unit == "pt" else 2
    png: bytes = vl_convert.svg_to_png(_tidy(sheet, look, style=False, back=True), scale=scale)
    return png


def vega_svg(what: dict[str, Any]) -> str:
    """A specification as Vega draws it; nothing is fetched from anywhere."""
    import vl_convert

    svg: str = vl_convert.vegalite_to_svg(json.dumps(what), allowed_base_urls=[])
    return svg


def _tidy(sheet: Sheet, look: Look, *, unit: str = "", style: bool, back: bool) -> str:
    drawn = vega_svg(specification([sheet], look))
    return tidy(drawn, sheet.chart.title, sheet.chart.caption, unit=unit, style=style, back=back)
