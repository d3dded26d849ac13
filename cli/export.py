"""``seedrank export``: the graph and its answers, for other programs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

import typer

from cli.open import opened
from cli.options import Format, Settings, shared
from cli.output import emit_answer, remark, write_text
from cli.progress import reporter
from seedrank.core.errors import UsageError

__all__ = ["register"]

app = typer.Typer(no_args_is_help=True, rich_markup_mode="rich")

Folder = Annotated[
    Path | None,
    typer.Argument(metavar="[DIR]", show_default=False, help="A new folder; it appears whole or not at all."),
]
Answer = Annotated[
    str | None,
    typer.Option("--run", show_default=False, help="An answer instead of the graph, run:ID or run:latest, to -o FILE."),
]


@app.command("csv")
@shared("store", "database", "output")
def csv(settings: Settings, folder: Folder = None, run: Answer = None) -> None:
    """Write the store's tables (pages, links, hosts, queries, results) as CSV; `load table` reads them back.

    Example: seedrank export csv graph; seedrank export csv --run run:latest -o seeds.csv
    """
    _export(settings, folder, run, "csv")


@app.command("parquet")
@shared("store", "database", "output")
def parquet(settings: Settings, folder: Folder = None, run: Answer = None) -> None:
    """Write the store's tables (pages, links, hosts, queries, results) as Parquet; `load table` reads them back.

    Example: seedrank export parquet graph; seedrank export parquet --run run:latest -o seeds.parquet
    """
    _export(settings, folder, run, "parquet")


@app.command("nutch-seeds")
@shared("store", "database", "output")
def nutch(
    settings: Settings,
    run: Annotated[str, typer.Option(help="The answer: run:ID or run:latest.")] = "run:latest",
) -> None:
    """Write an answer as seeds for Apache Nutch: URL, TAB, nutch.score (higher first, the best is 1).

    The whole answer is written: of a ranking, all pages. `seedrank runs` lists the answers.

    Example: seedrank export nutch-seeds -o urls/seeds.txt && bin/nutch inject crawl/crawldb urls
    """
    from exporters.nutch import nutch_seeds

    with opened(settings, free_form=True) as bench:
        lines, left_out = nutch_seeds(bench.answer(run, "ranking").table)
    if left_out:
        remark(settings, f"{left_out:,} pages have no URL and were left out")
    write_text(settings, lines)


def _export(settings: Settings, folder: Path | None, run: str | None, kind: Literal["csv", "parquet"]) -> None:
    from exporters.tables import export_tables

    if folder is not None and run is not None:
        raise UsageError(
            "a folder is for the graph, --run for an answer", hint="write the answer to a file: --run RUN -o FILE"
        )
    if folder is None and run is None:
        raise UsageError("what is to be written?", hint="name a new folder for the graph, or --run RUN for an answer")
    if run is not None:
        with opened(settings, free_form=True) as bench:
            answer = bench.answer(run)
            _ = answer.table
        emit_answer(replace(settings, format=Format(kind)), answer)
        return
    assert folder is not None
    if settings.output is not None:
        raise UsageError("-o goes with --run", hint=f"the tables are written into {folder}")
    with opened(settings) as bench:
        rows = export_tables(bench.store, folder, kind, progress=reporter(settings))
    for name, count in rows.items():
        remark(settings, f"{folder / name}.{kind}: {count:,} rows")


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.add_typer(app, name="export", help="Write the graph and its answers for other programs.")
