"""``seedrank export``: the graph and its answers, for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from cli.open import opened
from cli.options import Settings, shared
from cli.output import remark
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


def _export(settings: Settings, folder: Path, kind: Literal["csv", "parquet"]) -> None:
    from exporters.tables import export_tables

    with opened(settings) as bench:
        rows = export_tables(bench.store, folder, kind, progress=reporter(settings))
    for name, count in rows.items():
        remark(settings, f"{folder / name}.{kind}: {count:,} rows")


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.add_typer(app, name="export", help="Write the graph and its answers for other programs.")
