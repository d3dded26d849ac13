"""``--figure``: a chart of an answer as a file, for a paper or slides."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seedrank.cli.options import Settings
from seedrank.cli.output import remark
from seedrank.core.errors import UsageError

if TYPE_CHECKING:
    from seedrank.runs import Answer

__all__ = ["ChartName", "Figure", "FigureFile", "FigureSize", "SeriesNames"]

_PANEL = "Figure"

FigureFile = Annotated[
    Path | None,
    typer.Option(
        "--figure",
        metavar="FILE",
        rich_help_panel=_PANEL,
        show_default=False,
        help="Also draw the main chart into this file: .svg, .pdf or .png. More than six curves go on to FILE-2.",
    ),
]
FigureSize = Annotated[
    str | None,
    typer.Option(
        "--size",
        metavar="WxHcm",
        rich_help_panel=_PANEL,
        show_default=False,
        help="Its size, such as 8x5cm, in cm, mm or in. \\[default: 16 cm wide, as high as it needs]",
    ),
]
SeriesNames = Annotated[
    str | None,
    typer.Option(
        "--series",
        metavar="NAME,…",
        rich_help_panel=_PANEL,
        show_default=False,
        help="Curves or bars to draw, in this order. \\[default: all]",
    ),
]
ChartName = Annotated[
    str | None,
    typer.Option(
        "--chart", metavar="NAME", rich_help_panel=_PANEL, show_default=False, help="Another chart than the main one."
    ),
]


@dataclass(frozen=True)
class Figure:
    """A figure as asked for; what cannot be is refused at once, before any work is done."""

    file: Path | None
    size: str | None
    series: str | None
    chart: str | None

    def __post_init__(self) -> None:
        if self.file is not None:
            from seedrank.output.charts.figure import check_figure

            check_figure(self.file, self.size)
            return
        options = {"--size": self.size, "--series": self.series, "--chart": self.chart}
        if alone := next((name for name, given in options.items() if given is not None), None):
            raise UsageError(f"{alone} says how a figure looks", hint="name its file with --figure FILE")

    def check_series(self, known: list[str]) -> None:
        """Refuse series that are none of those the answer will have."""
        if self.series is not None:
            from seedrank.output.charts.panels import known_series

            known_series(self.series, known, "figure")

    def draw(self, settings: Settings, answer: Answer) -> None:
        """Draw it, where one is asked for."""
        if self.file is None:
            return
        from seedrank.output.charts.figure import chart_named, write_figure

        charts = answer.experiment.charts
        chart = chart_named(charts, self.chart)
        written = write_figure(chart, self.file, size=self.size, series=self.series)
        others = [one.name for one in charts if one.name != chart.name]
        more = f"; other charts, by --chart: {', '.join(others)}" if others and self.chart is None else ""
        remark(settings, f"wrote {', '.join(map(str, written))}: {chart.title}{more}")
