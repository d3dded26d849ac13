"""What can be wrong in a database on a Neo4j server."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from seedrank.core.findings import Finding, Severity
from seedrank.cypher import statement
from seedrank.graphdb.neo4j.connection import Connection

__all__ = ["findings"]

_AGAIN = "restore a backup, or load the sources into an empty database"
_COUNTED: tuple[tuple[str, Severity, str, str], ...] = (
    ("page_ids", "error", "page ids are missing, out of range or there twice", _AGAIN),
    ("urls", "error", "URLs are there twice", _AGAIN),
    ("doubled_links", "error", "pairs of pages have more than one link", _AGAIN),
    ("own_links", "error", "links go from a page to itself", _AGAIN),
    ("host_counts", "warning", "hosts count their pages wrong", "repeat the load that was cut off"),
    ("orphans", "note", "runs name no page", "delete them"),
)


def findings(connection: Connection, constraints: Sequence[str]) -> Iterator[Finding]:
    """What is wrong; `constraints` are those that must be there."""
    for name, severity, what, remedy in _COUNTED:
        if count := connection.read(statement(f"check/neo4j/{name}"))[0]["found"]:
            yield Finding(severity, "store", f"{count:,} {what}", remedy)
    there = set(connection.read(statement("check/neo4j/constraints"))[0]["names"])
    for name in constraints:
        if name not in there:
            yield Finding("error", "store", f"the constraint {name} is missing", "any load makes it again")
