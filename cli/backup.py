"""``seedrank backup``: everything in the store, and its kept runs, in one file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from seedrank.cli.open import opened
from seedrank.cli.options import Settings, shared
from seedrank.cli.output import remark

__all__ = ["register"]


@shared("store", "database")
def backup(
    settings: Settings,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The archive; it appears whole or not at all.")],
) -> None:
    """Write everything in the store, and its kept runs, into one file, which any later version can restore.

    The file is a ZIP archive of Parquet tables with a manifest, the same for an embedded store and for Neo4j.

    Example: seedrank backup web.zip
    """
    with opened(settings) as bench:
        manifest = bench.backup(file)
    counts = manifest["counts"]
    remark(settings, f"{file}: {counts['pages']:,} pages, {counts['links']:,} links, graph {manifest['version']}")


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.command("backup")(backup)
