"""What can be wrong in a database on a Neo4j server, as statements that count it and statements that mend it."""

from __future__ import annotations

from collections.abc import Iterator

from seedrank.graphdb.neo4j import schema
from seedrank.graphdb.neo4j.connection import Connection
from seedrank.graphdb.store import Finding, Severity

__all__ = ["findings", "mend"]

_AGAIN = "restore a backup, or load the sources into an empty database"
_COUNTED: tuple[tuple[str, Severity, str, str], ...] = (
    ("page_ids", "error", "page ids are missing, out of range or there twice", _AGAIN),
    ("urls", "error", "URLs are there twice", _AGAIN),
    ("doubled_links", "error", "pairs of pages have more than one link", "leave one, the heaviest"),
    ("own_links", "error", "links go from a page to itself", "delete them"),
    ("host_counts", "warning", "hosts count their pages wrong", "count them"),
    ("orphans", "note", "runs name no page", "delete them"),
)
_MENDED = ("doubled_links", "own_links", "host_counts", "orphans")


def findings(connection: Connection) -> Iterator[Finding]:
    """What is wrong."""
    for name, severity, what, remedy in _COUNTED:
        if count := connection.read(connection.statement(f"check/{name}"))[0]["found"]:
            yield Finding(severity, "store", f"{count:,} {what}", remedy, repairable=name in _MENDED)
    for name in schema.missing(connection):
        yield Finding("error", "store", f"the constraint {name} is missing", "make it", repairable=True)


def mend(connection: Connection) -> None:
    """Mend what statements mend; constraints are made afterwards, on what is then unique."""
    for name in _MENDED:
        if connection.read(connection.statement(f"check/{name}"))[0]["found"]:
            connection.auto_commit(connection.statement(f"check/mend_{name}"))
