"""``seedrank db projections``: what seedrank keeps in a Neo4j server's memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from seedrank.cli.open import opened
from seedrank.cli.options import Settings, shared
from seedrank.cli.output import emit, for_people, remark

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["add"]


@shared("store", "database", "format", "output", "top")
def projections(
    settings: Settings,
    drop: Annotated[bool, typer.Option("--drop", help="Drop them; what another program projected stays.")] = False,
) -> None:
    """List the graphs that seedrank keeps in a Neo4j server's memory for the next command.

    A command with --engine gds makes them and leaves them for half an hour; the next one uses them as long as nothing
    was written to the database, and drops what is older.

    Example: seedrank db projections --store neo4j
    """
    from seedrank.api.cypher_queries import projections as kept_projections

    with opened(settings) as bench:
        found = kept_projections(bench.store, drop=drop)
    if drop:
        remark(settings, f"{found.num_rows} dropped, {sum(found['bytes'].to_pylist()) / 2**20:,.1f} MiB")
    elif not found.num_rows:
        remark(settings, "none is kept")
    emit(settings, _short(found) if for_people(settings) else found)


def _short(found: pa.Table) -> pa.Table:
    """Sizes and ages as people read them."""
    import pyarrow as pa

    rows = [
        {
            **row,
            "graph": row["graph"][:8],
            "memory": f"{row['bytes'] / 2**20:,.1f} MiB",
            "age": f"{row['minutes']:.0f} min",
        }
        for row in found.to_pylist()
    ]
    text, number = pa.string(), pa.int64()
    kinds = {"graph": text, "nodes": number, "links": number, "memory": text, "age": text, "name": text}
    return pa.Table.from_pylist(rows, pa.schema(list(kinds.items())))


def add(group: typer.Typer) -> None:
    """Add the command to the group of database commands."""
    group.command("projections")(projections)
