"""``seedrank restore``: an empty store, filled from a backup."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from seedrank.cli.open import opened
from seedrank.cli.options import Settings, shared
from seedrank.cli.output import remark

__all__ = ["register"]


@shared("store", "database")
def restore(
    settings: Settings,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that `seedrank backup` wrote.", exists=True)],
) -> None:
    """Fill an empty store from a backup: pages with their numbers, links, loads, saved and kept runs.

    Every part is compared with its digest first. The store may be of another kind than the one that was backed up.

    Example: seedrank restore web.zip --store again.duckdb
    """
    with opened(settings, create=True) as bench:
        manifest = bench.restore(file)
        version = bench.store.version()
    counts = manifest["counts"]
    remark(settings, f"{counts['pages']:,} pages, {counts['links']:,} links, graph {version}")
    if version != manifest["version"]:
        remark(
            settings,
            f"its version was {manifest['version']}: only from an embedded store into another it stays the same, so "
            "kept answers count as those of an earlier graph",
        )


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.command("restore")(restore)
