"""A chart as a file for a paper or slides: SVG, PDF or PNG of a given size."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from seedrank.charts.chart import Chart
from seedrank.charts.draw import as_pdf, as_png, as_svg
from seedrank.charts.prepared import Look
from seedrank.charts.sheets import Sheet, sheets_of, with_series, without_data
from seedrank.core.errors import InputError, UsageError, shorten
from seedrank.core.files import whole_file

__all__ = ["chart_named", "check_figure", "look_of", "write_figure"]

_KINDS: dict[str, Callable[[Sheet, Look], bytes]] = {
    ".svg": lambda sheet, look: as_svg(sheet, look).encode(),
    ".pdf": as_pdf,
    ".png": as_png,
}
_POINTS = {"cm": 72 / 2.54, "mm": 72 / 25.4, "in": 72.0}
_SIZE = re.compile(r"(\d+(?:\.\d+)?)[x×](\d+(?:\.\d+)?)(cm|mm|in)")
_SMALLEST, _LARGEST = (5.0, 3.0), (100.0, 100.0)
"""In centimetres: less leaves no room beside the labels, more is no figure."""
_FONT = 8.0
"""Points; in small figures a little less."""


def check_figure(path: Path, size: str | None = None) -> None:
    """Refuse a file that cannot be a figure, or cannot be there, before any work is done."""
    if path.suffix.lower() not in _KINDS:
        raise UsageError(f"the suffix of {path} names no kind of figure", hint=f"use one of {' '.join(_KINDS)}")
    if not path.parent.is_dir():
        raise InputError("its folder is not there", file=str(path), hint="make it, or name another file")
    look_of(size)


def look_of(size: str | None) -> Look:
    """The size of a figure from text such as ``8x5cm``."""
    if size is None:
        return Look(16 * _POINTS["cm"], None, _FONT, "pt")
    found = _SIZE.fullmatch(size.strip().lower().replace(" ", ""))
    if found is None:
        raise UsageError(
            "{size} {given} is no size",
            hint="write it like 8x5cm, in cm, mm or in",
            fields=("size",),
            values={"given": shorten(size)},
        )
    width, height = (float(found[n]) * _POINTS[found[3]] for n in (1, 2))
    for length, least, most in zip((width, height), _SMALLEST, _LARGEST, strict=True):
        if not least <= length / _POINTS["cm"] * (1 + 1e-9) <= most * (1 + 2e-9):
            raise UsageError(
                "{size} must be from 5x3cm to 100x100cm, not {given}", fields=("size",), values={"given": shorten(size)}
            )
    return Look(width, height, _FONT if width > 7.5 * _POINTS["cm"] else _FONT - 1, "pt")


def chart_named(charts: Sequence[Chart], name: str | None) -> Chart:
    """A chart by its name; the first that has data without one."""
    known = [chart for chart in charts if not without_data(chart)]
    if name is None and known:
        return known[0]
    found = next((chart for chart in charts if chart.name == name), None)
    if found is None:
        names = ", ".join(chart.name for chart in known) or "none"
        raise UsageError(f"there is no chart {shorten(name or '')}", hint=f"there are: {names}")
    return found


def write_figure(
    chart: Chart, path: Path, *, size: str | None = None, series: str | Sequence[str] | None = None
) -> list[Path]:
    """Write a chart to a file, and to ``NAME-2`` beside it what has no room on one sheet; each appears whole.

    Parameters
    ----------
    chart, path, size, series
        As for `Chart.save`.
    """
    check_figure(path, size)
    look = look_of(size)
    drawn = sheets_of(chart if series is None else with_series(chart, series))
    if not drawn:
        raise UsageError(f"the chart {chart.name} has nothing to show: {without_data(chart)}")
    written = {}
    for number, sheet in enumerate(drawn, 1):
        one = path if number == 1 else path.with_stem(f"{path.stem}-{number}")
        written[one] = _KINDS[path.suffix.lower()](sheet, look)
    for one, content in written.items():
        with whole_file(one) as half:
            half.write_bytes(content)
    return list(written)
