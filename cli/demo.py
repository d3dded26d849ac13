"""``seedrank demo``: generate, load and tour."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seedrank.cli.options import Settings, shared
from seedrank.cli.output import printable, remark
from seedrank.cli.progress import reporter
from seedrank.cli.tour import ask_all, say_all
from seedrank.core.errors import UsageError

if TYPE_CHECKING:
    from seedrank.loaders.table import TableSource

__all__ = ["register"]

_MARK = ".seedrank-demo"
_KINDS = ("pages", "links", "hosts", "queries", "results")


@shared("store_memory")
def demo(
    settings: Settings,
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="Where everything goes.")] = Path("demo"),
    pages: Annotated[int, typer.Option(help="Pages of the synthetic web.")] = 50_000,
) -> None:
    """Make a synthetic web, load it into an embedded store, ask it everything, and write a report.

    Seeds, a crawl order and frontier pages are chosen, as `seedrank tour` does; the seeds are exported for Apache
    Nutch. Everything ends in DIR; a demo that is there is made anew.

    Example: seedrank demo small --pages 5000
    """
    import time

    import seedrank
    from seedrank.cli.repeat import command_of
    from seedrank.ingest.synthetic import WebSpec, write_tables

    web = WebSpec(pages)
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
    say_all(said)
    _say_what_next(folder / "report.html", store)


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


def _say_what_next(report: Path, store: Path) -> None:
    typer.echo(f"\nOpen {printable(report)} in a browser. Then:")
    for line in (
        "seeds -k 50                        # more seeds, and what they add",
        "crawl compare fpr fpr@20 bfs       # orders side by side",
        "frontier rw-eg --budget 1%         # what to fetch next",
        'query "MATCH (p:Page) RETURN p.url LIMIT 5"',
    ):
        typer.echo(f"  {_called()} --store {shlex.quote(printable(store))} {line}")


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.command("demo")(demo)
