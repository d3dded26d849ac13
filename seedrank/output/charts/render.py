"""Panels as SVG, PDF and PNG, and as notebooks show them; Vega draws in this process: no browser, network or files."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from seedrank.core.errors import InputError, UsageError, shorten
from seedrank.core.files import whole_file
from seedrank.output.charts.chart import Chart
from seedrank.output.charts.panels import Panel, panels_of, with_series, without_data
from seedrank.output.charts.plot import Size
from seedrank.output.charts.svg import tidy
from seedrank.output.charts.vega_lite import VERSION, specification

__all__ = [
    "KINDS",
    "as_pdf",
    "as_png",
    "as_svg",
    "chart_named",
    "check_figure",
    "figure_size",
    "mime_bundle",
    "vega_svg",
    "write_figure",
]


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


KINDS: dict[str, Callable[[Panel, Size], bytes]] = {
    ".svg": lambda panel, size: as_svg(panel, size).encode(),
    ".pdf": as_pdf,
    ".png": as_png,
}
"""What draws a panel, by the suffix of its file."""
_CENTIMETRES = {"cm": 1.0, "mm": 0.1, "in": 2.54}
_SIZE = re.compile(r"(\d+(?:\.\d+)?)[x×](\d+(?:\.\d+)?)(cm|mm|in)")
_FONT = 8.0
"""Points; in figures of at most 8.5 cm one less."""


def check_figure(path: Path, size: str | None = None) -> None:
    """Refuse a file that cannot be a figure, or cannot be there, before any work is done."""
    if path.suffix.lower() not in KINDS:
        raise UsageError(f"the suffix of {path} names no kind of figure", hint=f"use one of {' '.join(KINDS)}")
    if not path.parent.is_dir():
        raise InputError("its folder does not exist", file=str(path), hint="make it, or name another file")
    figure_size(size)


def figure_size(text: str | None) -> Size:
    """The size of a figure from text such as ``8x5cm``."""
    if text is None:
        return Size(16 / 2.54 * 72, None, _FONT, "pt")
    found = _SIZE.fullmatch(str(text).lower().replace(" ", ""))
    if found is None:
        raise UsageError(
            "{size} {given} is not a size",
            hint="write it like 8x5cm, in cm, mm or in",
            fields=("size",),
            values={"given": shorten(text)},
        )
    width, height = (round(float(found[n]) * _CENTIMETRES[found[3]], 9) for n in (1, 2))
    # Less leaves no room beside the labels, more is no figure.
    if not (5 <= width <= 100 and 3 <= height <= 100):
        raise UsageError(
            "{size} must be from 5x3cm to 100x100cm, not {given}", fields=("size",), values={"given": shorten(text)}
        )
    return Size(width / 2.54 * 72, height / 2.54 * 72, _FONT if width > 8.5 else _FONT - 1, "pt")


def chart_named(charts: Sequence[Chart], name: str | None) -> Chart:
    """A chart by its name; the first that has data without one."""
    known = [chart for chart in charts if not without_data(chart)]
    if name is None and known:
        return known[0]
    found = next((chart for chart in charts if chart.name == name), None)
    if found is None:
        names = ", ".join(chart.name for chart in known) or "none"
        raise UsageError(f"unknown chart {shorten(name or '')}", hint=f"there are: {names}")
    return found


def write_figure(
    chart: Chart, path: Path, *, size: str | None = None, series: str | Sequence[str] | None = None
) -> list[Path]:
    """Write a chart to a file, and its further panels to ``NAME-2`` beside it; each appears whole.

    Parameters
    ----------
    chart, path, size, series
        As for `Chart.save`.
    """
    check_figure(path, size)
    panels = panels_of(chart if series is None else with_series(chart, series))
    if not panels:
        raise UsageError(f"the chart {chart.name} has nothing to show: {without_data(chart)}")
    contents = [KINDS[path.suffix.lower()](panel, figure_size(size)) for panel in panels]
    files = [path, *(path.with_stem(f"{path.stem}-{number}") for number in range(2, len(panels) + 1))]
    for file, content in zip(files, contents, strict=True):
        with whole_file(file) as half:
            half.write_bytes(content)
    return files
