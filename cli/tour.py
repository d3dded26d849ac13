"""``seedrank tour`` and ``demo``: from a store, or from nothing, to a report in one command."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seedrank.cli.ask import opened, reporter
from seedrank.cli.command import command
from seedrank.cli.options import Settings
from seedrank.cli.output import printable, remark
from seedrank.cli.streams import folded
from seedrank.core.errors import GraphError, UsageError

if TYPE_CHECKING:
    from seedrank.api.workbench import Workbench
    from seedrank.loaders.table import TableSource
    from seedrank.runs import Run

__all__ = ["app", "ask_all"]

_SEEDS = 10
_FETCHED = 5_000
"""Pages of the crawl order that are kept."""
_MARK = ".seedrank-demo"
_KINDS = ("pages", "links", "hosts", "queries", "results")

app = typer.Typer()


@command(app, "tour", "store", "database", "engine", "master", "site", "rng", "refresh")
def tour(
    settings: Settings,
    file: Annotated[Path, typer.Option("--report", "-o", metavar="FILE", help="Where the report goes.")] = Path(
        "report.html"
    ),
    fold: Annotated[bool, typer.Option("--fold", help="Count pages that repeat others of their host once.")] = False,
    no_traps: Annotated[bool, typer.Option("--no-traps", help="Count pages in traps as worth nothing.")] = False,
) -> None:
    """Ask the graph everything that it can answer, print what to do, and write a report.

    Seeds, an order to fetch in, and the frontier pages to fetch next: with clicks or views by the method that does best
    on hidden pages of this graph, else by PageRank and trust. The answers are kept as runs. What the graph cannot
    answer is listed, with what to load for it.

    Example: seedrank tour -o report.html
    """
    with opened(settings, free_form=True) as bench:
        _say_all(ask_all(bench, lambda text: remark(settings, text), fold=fold, no_traps=no_traps))
        _write(bench, file)
    typer.echo(f"\nOpen {printable(file)} in a browser.")


def _say_all(sentences: Sequence[str]) -> None:
    """Print sentences, then what the methods in them do."""
    from seedrank.methods.crawl.methods import CRAWL
    from seedrank.methods.frontier.methods import FRONTIER
    from seedrank.methods.seeds.methods import SEEDS
    from seedrank.output.report.page import meanings

    for sentence in sentences:
        _say(f"- {printable(sentence)}")
    methods = {name for family in (CRAWL, FRONTIER, SEEDS) for name in family.names}
    typer.echo("")
    for word, meaning in meanings(sentences):
        if word in methods:
            _say(f"  {word}: {meaning}")


def _say(line: str) -> None:
    typer.echo(folded(line, sys.stdout, "  "))


def _write(bench: Workbench, file: Path) -> None:
    from seedrank.cli.command_words import command_of

    bench.report(file, command=command_of)


def ask_all(bench: Workbench, step: Callable[[str], None], *, fold: bool = False, no_traps: bool = False) -> list[str]:
    """Ask what the graph can answer, keep the answers, and return what to do, a sentence each.

    Parameters
    ----------
    fold, no_traps
        Whether pages that repeat others, and pages in traps, are worth nothing.
    """
    from seedrank.core.model import Status
    from seedrank.output.advice import recommended_order
    from seedrank.output.report.findings import findings, missing

    session = bench.session
    lacking = missing(session)
    runs: list[Run] = []
    crawled = int((session.graph.status == Status.CRAWLED).sum())
    if not crawled:
        raise GraphError("no page is crawled, so there is nothing to ask", hint="load links first")
    step("choosing seeds")
    k = min(_SEEDS, crawled)
    best = bench.seeds("best", k=k, fold=fold, no_traps=no_traps)
    step("ordering a crawl from them")
    orders = ["fpr", "fpr@20", "bfs"] if len(session.graph.host_names) else ["fpr", "bfs"]
    compared = bench.compare(*orders, seeds=best, fold=fold, no_traps=no_traps)
    tables = compared.experiment.tables
    order, _ = recommended_order(tables["orders"].to_pylist(), tables["curves"])
    runs.append(compared.run)
    fetched = min(_FETCHED, session.graph.pages)
    runs.append(bench.crawl(order, seeds=best, limit=fetched, fold=fold, no_traps=no_traps).run)
    if (session.graph.status == Status.FRONTIER).any():
        runs.append(_ranked_frontier(bench, step, fold=fold, no_traps=no_traps))
    return [*findings(session, [*runs, best.run]), *lacking]


def _ranked_frontier(bench: Workbench, step: Callable[[str], None], *, fold: bool, no_traps: bool) -> Run:
    """The frontier by the method that does best on hidden pages; without clicks or views, by PageRank and trust."""
    from seedrank.methods.frontier.tried import tried
    from seedrank.output.report.findings import impact_column
    from seedrank.questions.frontier import FrontierQuestion

    impact = impact_column(bench.session)
    if impact is None:
        step("ranking the frontier by PageRank and trust")
        return bench.frontier("trust", budget="1%", fold=fold, no_traps=no_traps).run
    step(f"trying methods on hidden pages, ranking the frontier by {impact}")
    best = next(iter(tried(bench.session, FrontierQuestion(impact=impact, budget="1%"))))
    return bench.frontier(best, impact=impact, budget="1%", fold=fold, no_traps=no_traps).run


@command(app, "demo", "store_memory")
def demo(
    settings: Settings,
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="Where everything goes.")] = Path("demo"),
    pages: Annotated[int, typer.Option(help="Pages of the synthetic web.")] = 50_000,
) -> None:
    """Make a synthetic web, load it into an embedded store, ask it everything, and write a report.

    Seeds, a crawl order and frontier pages are chosen, as `seedrank tour` does; the seeds are exported for Apache
    Nutch. Everything ends in DIR; an earlier demo there is replaced.

    Example: seedrank demo small --pages 5000
    """
    import seedrank
    from seedrank.cli.command_words import command_of
    from seedrank.ingest.synthetic import demo_web, write_tables

    web = demo_web(pages)
    _start_anew(folder)
    progress = reporter(settings)
    started = time.monotonic()

    def step(text: str) -> None:
        remark(settings, f"[{time.monotonic() - started:3.0f} s] {text}")

    step(f"making a synthetic web of {pages:,} pages in {folder / 'web'}")
    tables = write_tables(web, folder / "web", progress=progress)
    store = folder / "web.duckdb"
    step(f"loading it into {store}")
    with seedrank.open(str(store), create=True, store_memory=settings.store_memory, progress=progress) as bench:
        bench.load(_source(tables))
        said = ask_all(bench, step)
        step("exporting the seeds for Apache Nutch, writing the report")
        seeds = next(run for run in reversed(bench.runs()) if run.method == "seeds best")
        bench.export("nutch-seeds", seeds, folder / "nutch-seeds.txt")
        bench.report(folder / "report.html", command=command_of)
    _say_all(said)
    _say_what_next(folder, store)


def _start_anew(folder: Path) -> None:
    """Make an empty folder in the place of an older demo, and of nothing else."""
    if folder.exists():
        if not (folder / _MARK).exists():
            raise UsageError(f"{folder} exists and was not made by `seedrank demo`", hint="name another folder")
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    (folder / _MARK).touch()


def _source(tables: Path) -> TableSource:
    """The tables of the web that are loaded."""
    from seedrank.loaders.table import TableSource

    pages, links, hosts, queries, results = ([str(tables / f"{kind}.parquet")] for kind in _KINDS)
    return TableSource(pages=pages, links=links, hosts=hosts, queries=queries, results=results)


def _called() -> str:
    """How the command is called from here: by its path where it is not on the PATH, as after ``make demo``."""
    if shutil.which("seedrank"):
        return "seedrank"
    return shlex.quote(os.path.relpath(sys.argv[0])) if Path(sys.argv[0]).name == "seedrank" else "seedrank"


def _say_what_next(folder: Path, store: Path) -> None:
    files = [printable(folder / name) for name in ("nutch-seeds.txt", "report.html")]
    typer.echo(f"\nThe seeds are in {files[0]}. Open {files[1]} in a browser. Then:")
    for line in (
        "seeds -k 50                   # more seeds",
        "crawl compare fpr fpr@20 bfs  # side by side",
        "frontier rw-eg --budget 1%    # fetch next",
        'query "MATCH (p:Page) RETURN p.url LIMIT 5"',
    ):
        typer.echo(f"  {_called()} --store {shlex.quote(printable(store))} {line}")
