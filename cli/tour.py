"""``seedrank tour``: from a loaded store to a report, in one command."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seedrank.cli.open import opened
from seedrank.cli.options import Settings, shared
from seedrank.cli.output import printable, remark
from seedrank.core.errors import GraphError

if TYPE_CHECKING:
    from seedrank.api.workbench import Workbench
    from seedrank.runs import Run

__all__ = ["ask_all", "register", "say_all"]

_SEEDS = 10
_FETCHED = 5_000
"""Pages of the crawl order that are kept."""


@shared("store", "database", "engine", "master", "site", "rng", "refresh")
def tour(
    settings: Settings,
    file: Annotated[Path, typer.Option("--report", "-o", metavar="FILE", help="Where the report goes.")] = Path(
        "report.html"
    ),
) -> None:
    """Ask the graph everything that it can answer, print what to do, and write a report.

    Seeds, an order to fetch in, and the frontier pages to fetch next: with clicks or views by the method that does best
    on hidden pages of this graph, else by PageRank and trust. The answers are
    kept as runs; what the graph cannot answer is said, with what to load for it.

    Example: seedrank tour -o report.html
    """
    with opened(settings, free_form=True) as bench:
        say_all(ask_all(bench, lambda text: remark(settings, text)))
        _write(bench, file)
    typer.echo(f"\nOpen {printable(file)} in a browser.")


def say_all(sentences: Sequence[str]) -> None:
    """Print sentences, a line each; in a terminal, lines that end between words."""
    import shutil
    import sys
    import textwrap

    width = shutil.get_terminal_size().columns - 1
    for sentence in sentences:
        line = f"- {printable(sentence)}"
        if sys.stdout.isatty() and width > 20:
            line = textwrap.fill(line, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
        typer.echo(line)


def _write(bench: Workbench, file: Path) -> None:
    from seedrank.cli.repeat import command_of

    bench.report(file, command=command_of)


def ask_all(bench: Workbench, step: Callable[[str], None]) -> list[str]:
    """Ask what the graph can answer, keep the answers, and return what to do, a sentence each.

    Parameters
    ----------
    bench
        The store.
    step
        Told what comes next.
    """
    from seedrank.core.model import Status
    from seedrank.output.report.findings import findings, missing

    session = bench.session
    lacking = missing(session)
    runs: list[Run] = []
    crawled = int((session.graph.status == Status.CRAWLED).sum())
    if not crawled:
        raise GraphError("no page is crawled, so there is nothing to ask", hint="load links first")
    step("choosing seeds")
    k = min(_SEEDS, crawled)
    best = bench.seeds("best", k=k)
    step("ordering a crawl from them")
    runs.append(bench.compare("fpr", "fpr@20", "bfs", seeds=best).run)
    runs.append(bench.crawl("fpr", seeds=best, limit=min(_FETCHED, session.graph.pages)).run)
    if (session.graph.status == Status.FRONTIER).any():
        runs.append(_ranked_frontier(bench, step))
    return [*findings(session, [*runs, best.run]), *lacking]


def _ranked_frontier(bench: Workbench, step: Callable[[str], None]) -> Run:
    """The frontier by the method that does best on hidden pages; without clicks or views, by PageRank and trust."""
    from seedrank.methods.frontier.tried import tried
    from seedrank.output.report.findings import impact_column
    from seedrank.questions.frontier import FrontierQuestion

    impact = impact_column(bench.session)
    if impact is None:
        step("ranking the frontier by PageRank and trust")
        return bench.frontier("trust", budget="1%").run
    step(f"trying methods on hidden pages, ranking the frontier by {impact}")
    best = next(iter(tried(bench.session, FrontierQuestion(impact=impact, budget="1%"))))
    return bench.frontier(best, impact=impact, budget="1%").run


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.command("tour")(tour)
