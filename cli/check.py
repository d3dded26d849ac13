"""``seedrank check``: whether the store and what is kept beside it are whole."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from seedrank.cli.open import opened
from seedrank.cli.options import Settings, shared
from seedrank.cli.output import emit, remark

__all__ = ["register"]


@shared("store", "database", "format", "output")
def check(
    settings: Settings,
    repair: Annotated[bool, typer.Option("--repair", help="Mend what can be mended, then check again.")] = False,
) -> None:
    """Check the store, kept runs, cached arrays and loads; --repair mends what can be mended.

    Every table and file is read. A row is a finding with its severity and its remedy: an error can make answers wrong,
    a warning is in the way, a note is harmless. The exit code is 0 where nothing is worse than a note, else 1.
    --repair works on an embedded store: links without a page, doubled links, counts of hosts and files that a killed
    command left; it writes as a load does, whole or not at all.

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


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.command("check")(check)
