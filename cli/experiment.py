"""``seedrank experiment``: a paper's figures and claims on the graph in the store."""

from __future__ import annotations

import functools
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import typer

from seedrank.cli.ask import answer_to
from seedrank.cli.command import add_command, add_group, group_class
from seedrank.cli.options import ASKING, Options, Settings, option
from seedrank.cli.output import draw_sheet, emit_answer, emit_drawn, for_people, printable, remark, remark_about
from seedrank.core.errors import InputError, UsageError
from seedrank.questions.experiments import EXPERIMENTS
from seedrank.questions.question import Question

if TYPE_CHECKING:
    from seedrank.core.tables import Sheet
    from seedrank.runs import Answer

__all__ = ["FILES", "Files", "app", "emit_experiment"]


_HELP = {
    "coverage": """Measure seed selection: pages and value covered over random seeds, site by site (Zheng et al. 2009).

    k = 1 to 10 seeds at 5 hops, 1 to 5 hops at 5 seeds, in up to 2,000 sites with enough pages and a link from
    elsewhere; seconds per method; strong components of the sites; intervals over sites. Claims are judged over 30 sites
    or more.

    Example: seedrank experiment coverage --quick --min-pages 20 --into results
    """,
    "cores": """Sizes and distances of HITS cores, crawls from their hubs, transfer (Daneshpajouh et al. 2008).

    Example: seedrank experiment cores --transfer-from old-seeds.csv --old-store old.duckdb --into figures
    """,
    "ordering": """Crawl orders: how early important pages come, what deciding costs, how much is spam (Alam et al.).

    Example: seedrank experiment ordering --into figures
    """,
    "impact": """Find hidden pages with impact by every method: impact share, click-through, claims (Tran et al. 2015).

    Example: seedrank experiment impact --impact views --hide 35% --into results
    """,
}


def _can_be_made(context: typer.Context, folder: Path | None) -> Path | None:
    """The folder, made now and removed again: an hour's work must not end with a folder that cannot be."""
    if folder is not None and not context.resilient_parsing:
        missing = [one for one in (folder, *folder.parents) if not one.exists()]
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for one in missing:
                one.rmdir()
        except OSError as error:
            raise InputError(
                f"cannot be made ({error.strerror})", file=str(folder), hint="name another folder"
            ) from None
    return folder


NO_CLAIMS = "this experiment judges no claim on this graph"
FILES: Options = {
    "into": option(
        Path | None,
        None,
        "Also write tables (CSV), figures (SVG) and claims there.",
        metavar="DIR",
        callback=_can_be_made,
    ),
    "figure": option(
        Path | None,
        None,
        "Also draw the main chart into this file: .svg, .pdf or .png. More than ten curves go on to FILE-2.",
        panel="Figure",
        metavar="FILE",
    ),
    "size": option(
        str | None,
        None,
        "Its size, such as 8x5cm, in cm, mm or in. \\[default: 16 cm wide, as high as it needs]",
        panel="Figure",
        metavar="WxHcm",
    ),
    "series": option(
        str | None,
        None,
        "Curves or bars to draw, in this order. \\[default: all]",
        panel="Figure",
        metavar="NAME,…",
    ),
    "chart": option(str | None, None, "Another chart than the main one.", panel="Figure", metavar="NAME"),
}
"""Options of commands whose answer has charts."""


@dataclass(frozen=True)
class Files:
    """A folder and a figure as asked for; what cannot be is refused at once, before any work is done."""

    into: Path | None
    figure: Path | None
    size: str | None
    series: str | None
    chart: str | None

    def __post_init__(self) -> None:
        if self.figure is not None:
            from seedrank.output.charts.render import check_figure

            check_figure(self.figure, self.size)
            return
        options = {"--size": self.size, "--series": self.series, "--chart": self.chart}
        if alone := next((name for name, given in options.items() if given is not None), None):
            raise UsageError(f"{alone} says how a figure looks", hint="name its file with --figure FILE")

    def check_series(self, known: list[str]) -> None:
        """Refuse series that are none of those the answer will have."""
        if self.series is not None:
            from seedrank.output.charts.panels import known_series

            known_series(self.series, known, "figure")

    def write(self, settings: Settings, answer: Answer) -> None:
        """Write the tables, figures and claims of an answer into the folder, and draw the figure."""
        if self.into is not None:
            from seedrank.output.charts.panels import panels

            for sentence in panels(answer.experiment.charts)[1]:
                remark(settings, f"left out: {sentence}")
            remark(settings, f"wrote {len(answer.export(self.into))} files into {self.into}")
        if self.figure is not None:
            self._draw(settings, answer)

    def _draw(self, settings: Settings, answer: Answer) -> None:
        from seedrank.output.charts.render import chart_named, write_figure

        charts = answer.experiment.charts
        chart = chart_named(charts, self.chart)
        written = write_figure(chart, cast("Path", self.figure), size=self.size, series=self.series)
        others = [one.name for one in charts if one.name != chart.name]
        more = f"; other charts, by --chart: {', '.join(others)}" if others and self.chart is None else ""
        remark(settings, f"wrote {', '.join(map(str, written))}: {chart.title}{more}")


def _perform(settings: Settings, question: Question, **given: Any) -> None:
    files = Files(**given)
    answer = answer_to(settings, question, exported=files.into is not None)
    remark_about(settings, answer)
    files.write(settings, answer)
    if not answer.experiment.claims:
        remark(settings, NO_CLAIMS)
    emit_experiment(settings, answer)


def _build(name: str) -> typer.Typer:
    app = typer.Typer()
    add_command(app, name, _perform, *ASKING, question=EXPERIMENTS[name], options=FILES, help=_HELP[name])
    return app


app = typer.Typer()
experiment = add_group(
    app,
    "experiment",
    "A paper's figures and claims, measured on the graph in the store.",
    group_class({name: functools.partial(_build, name) for name in EXPERIMENTS}),
)


_ROWS = 40
"""Rows of the results that a terminal shows unasked."""
_NARROW = 110
"""Width of a terminal below which verdicts are folded."""
_OPEN = ("cannot be judged", "no data")


def emit_experiment(settings: Settings, answer: Answer) -> None:
    """Give an experiment: to people its main table and its claims, to programs the claims, a row each."""
    if not for_people(settings):
        emit_answer(settings, answer)
        return
    emit_drawn(settings, lambda console: _draw(console, settings, answer))


def _draw(console: Any, settings: Settings, answer: Answer) -> None:
    from rich.text import Text

    quick = "; quick: fewer repeats" if answer.experiment.parameters.get("quick") else ""
    name, table = next(iter(answer.experiment.tables.items()))
    on_screen = settings.output is None and sys.stdout.isatty()
    most = settings.top if settings.top is not None else _ROWS if on_screen else table.num_rows
    console.print(Text(printable(f"{answer.run.method} ({answer.run.name}{quick})"), style="bold"))
    for sentence in answer.experiment.decisions:
        console.print(Text(printable(f"- {sentence}")))
    if answer.experiment.decisions:
        console.print()
    draw_sheet(console, _results(f"Results: {name}", table.column_names, table.slice(0, most).to_pylist()))
    if most < table.num_rows:
        shown = f"{most:,} of {table.num_rows:,} rows; --top N shows more, --into DIR takes all"
        console.print(Text(shown, style="dim"))
    claims = answer.table.slice(0, settings.top).to_pylist()
    if claims:
        console.print()
        console.print(_claims(claims, console.width < _NARROW))
        for line in _notes(claims):
            console.print(Text(printable(line), style="dim"))


def _results(title: str, names: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> Sheet:
    """A table in which an estimate and the ends of its interval share a column."""
    from seedrank.core.tables import Sheet, ends_of

    ends = {name: ends_of(name, names) for name in names}
    hidden = {end for some in ends.values() for end in some}
    columns = [name for name in names if name not in hidden]
    return Sheet(
        columns, [[_value(*(row[each] for each in (name, *ends[name]))) for name in columns] for row in rows], title
    )


def _claims(claims: Sequence[Mapping[str, Any]], narrow: bool) -> Any:
    """Verdict, claim, estimate with interval, units and margin; the parts of a claim are indented below it."""
    from rich.text import Text

    from seedrank.core.tables import text_of

    drawn = _table("Claims")
    drawn.add_column("verdict", max_width=10 if narrow else None)
    drawn.add_column("claim", ratio=1, overflow="fold")
    drawn.add_column("estimate [95 %]", justify="right", no_wrap=True)
    drawn.add_column("n", justify="right", no_wrap=True)
    drawn.add_column("holds if", no_wrap=True)
    for claim in claims:
        name = f"  {claim['part']}" if claim["part"] else claim["claim"]
        cells = claim["verdict"], name, text_of(_value(claim["estimate"], claim["low"], claim["high"], 3), 3)
        units = f"{claim['n']:,}" if claim["n"] else ""
        drawn.add_row(*(Text(printable(cell)) for cell in (*cells, units, claim["region"])))
    return drawn


def _notes(claims: Sequence[Mapping[str, Any]]) -> list[str]:
    """What n counts, and why claims could not be judged, each reason once."""
    units = dict.fromkeys(claim["unit"] for claim in claims if claim["n"] and claim["unit"])
    notes = [f"n counts {' or '.join(units)}"] if units else []
    reasons: dict[tuple[str, str], list[str]] = {}
    for claim in claims:
        if claim["verdict"] in _OPEN and not claim["part"]:
            reasons.setdefault((claim["verdict"], claim["why"]), []).append(claim["claim"])
    return [*notes, *(f"{verdict}: {'; '.join(those)}: {why}" for (verdict, why), those in reasons.items())]


def _table(title: str) -> Any:
    from rich.table import Table

    return Table(title=title, title_justify="left", header_style="bold", box=None, pad_edge=False)


def _value(value: Any, low: float | None = None, high: float | None = None, digits: int = 4) -> Any:
    """A value, with its interval where there is one."""
    from seedrank.core.tables import Bounded

    if value is None or low is None or high is None or low != low or high != high:
        return value
    return Bounded(value, low, high, digits)
