"""``seedrank export``: the graph and its answers, for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from cli.open import opened
from cli.options import Settings, shared
from cli.output import remark, write_text
from cli.progress import reporter

__all__ = ["register"]

app = typer.Typer(no_args_is_help=True, rich_markup_mode="rich")

Folder = Annotated[Path, typer.Argument(metavar="DIR", help="A new folder; it appears whole or not at all.")]


@app.command("csv")
@shared("store", "database")
def csv(settings: Settings, folder: Folder) -> None:
    """Write the store's tables (pages, links, hosts, queries, results) as CSV; `load table` reads them back."""
    _export(settings, folder, "csv")


@app.command("parquet")
@shared("store", "database")
def parquet(settings: Settings, folder: Folder) -> None:
    """Write the store's tables (pages, links, hosts, queries, results) as Parquet; `load table` reads them back."""
    _export(settings, folder, "parquet")


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
        lines, left_out = nutch_seeds(bench.answer(run)[1])
    if left_out:
        remark(settings, f"{left_out:,} pages have no URL and were left out")
    write_text(settings, lines)


def _export(settings: Settings, folder: Path, kind: Literal["csv", "parquet"]) -> None:
    from exporters.tables import export_tables

    with opened(settings) as bench:
        rows = export_tables(bench.store, folder, kind, progress=reporter(settings))
    for name, count in rows.items():
        remark(settings, f"{folder / name}.{kind}: {count:,} rows")


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.add_typer(app, name="export", help="Write the graph and its answers for other programs.")
