"""``seedrank experiment``: a paper's figures and claims on the graph in the store."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seedrank.cli.figures import ChartName, Figure, FigureFile, FigureSize, SeriesNames
from seedrank.cli.lazy_group import group_of
from seedrank.cli.open import answer_to
from seedrank.cli.options import Settings, shared
from seedrank.cli.output import remark
from seedrank.cli.question_options import takes
from seedrank.cli.results import emit_experiment
from seedrank.core.errors import InputError
from seedrank.questions.experiments import EXPERIMENTS
from seedrank.questions.question import Question

if TYPE_CHECKING:
    from seedrank.runs import Answer

__all__ = ["Into", "register", "write_into"]

app = typer.Typer(no_args_is_help=True, rich_markup_mode="rich")

_SHARED = ("store", "database", "engine", "master", "site", "rng", "format", "output", "top", "refresh")
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


Into = Annotated[
    Path | None,
    typer.Option(
        "--into",
        callback=_can_be_made,
        metavar="DIR",
        show_default=False,
        help="Also write tables (CSV), figures (SVG) and claims there.",
    ),
]
NO_CLAIMS = "this experiment judges no claim on this graph"


def write_into(settings: Settings, answer: Answer, folder: Path | None) -> None:
    """Write the tables, figures and claims of an answer into a folder, where one is named."""
    if folder is not None:
        from seedrank import export
        from seedrank.output.charts.panels import panels

        for sentence in panels(answer.experiment.charts)[1]:
            remark(settings, f"left out: {sentence}")
        remark(settings, f"wrote {len(export(answer.experiment, folder))} files into {folder}")


def _register(name: str, app: typer.Typer) -> None:
    @app.command(name, help=_HELP[name])
    @shared(*_SHARED)
    @takes(EXPERIMENTS[name])
    def experiment(
        settings: Settings,
        question: Question,
        into: Into = None,
        figure: FigureFile = None,
        size: FigureSize = None,
        series: SeriesNames = None,
        chart: ChartName = None,
    ) -> None:
        drawn = Figure(figure, size, series, chart)
        answer = answer_to(settings, question)
        for sentence in answer.experiment.about:
            remark(settings, sentence)
        for sentence in answer.experiment.left_out:
            remark(settings, f"left out: {sentence}")
        write_into(settings, answer, into)
        drawn.draw(settings, answer)
        if not answer.experiment.claims:
            remark(settings, NO_CLAIMS)
        emit_experiment(settings, answer)


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.add_typer(
        app,
        name="experiment",
        cls=group_of({name: functools.partial(_register, name) for name in EXPERIMENTS}),
        help="A paper's figures and claims, measured on the graph in the store.",
    )
