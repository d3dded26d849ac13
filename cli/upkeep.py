"""``seedrank check``, ``backup`` and ``restore``: a store that is whole, in one file, and back."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from seedrank.cli.ask import opened
from seedrank.cli.command import command
from seedrank.cli.options import Settings
from seedrank.cli.output import emit, remark

__all__ = ["app"]

app = typer.Typer()


@command(app, "check", "store", "database", "format", "output")
def check(
    settings: Settings,
    repair: Annotated[bool, typer.Option("--repair", help="Mend what can be mended, then check again.")] = False,
) -> None:
    """Check the store, kept runs, cached arrays and loads; --repair mends what can be mended.

    Every table and file is read. A row is a finding with its severity and its remedy: an error can make answers wrong,
    a warning is in the way, a note is harmless. The exit code is 0 where nothing is worse than a note, else 1.
    --repair mends doubled links, counts of hosts and files that a killed command left; in an embedded store also links
    without a page, in Neo4j runs without pages and missing constraints. It writes as a load does.

    Example: seedrank check --repair
    """
    import pyarrow as pa

    with opened(settings, write=repair) as bench:
        found = bench.check(repair=repair)
    names = ("severity", "part", "what", "remedy", "repairable")
    rows = [asdict(finding) for finding in found]
    emit(settings, pa.table({name: pa.array([row[name] for row in rows]) for name in names}))
    worse = sum(finding.severity != "note" for finding in found)
    if not worse:
        remark(settings, "nothing is wrong")
        return
    mends = (
        "; seedrank check --repair mends some" if any(finding.repairable for finding in found) and not repair else ""
    )
    remark(settings, f"{worse} finding{'' if worse == 1 else 's'}{mends}")
    raise typer.Exit(1)


@command(app, "backup", "store", "database")
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


@command(app, "restore", "store", "database")
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
