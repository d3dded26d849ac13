"""A user's statement on its way to the embedded database: allowed, read, and rewritten or refused."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator, Mapping
from typing import Any

from cypher import statement
from graphdb.ladybug.connection import Connection
from graphdb.ladybug.parameters import check_parameters
from graphdb.ladybug.rewrite import Schema, rewritten
from graphdb.statements import LADYBUG, Refused, check, read, statement_text
from graphdb.store import Asked
from seedrank.core.errors import StoreError

__all__ = ["asked", "read_schema", "refused_inside"]

log = logging.getLogger(__name__)

_INTERNAL = (
    "Cannot evaluate ",
    "unordered_map::at",
    "Hint join pattern",
    "Assertion failed",
)
"""How the database says that its own planner failed."""


def asked(
    cypher: str, parameters: Mapping[str, Any], schema: Schema, *, write: bool = False, as_is: bool = False
) -> Asked:
    """What the database is sent for a statement.

    Parameters
    ----------
    cypher
        The statement.
    parameters
        Values of its parameters.
    schema
        The columns of pages, hosts and links, by `read_schema`.
    write
        Whether it may change the store.
    as_is
        Send a statement that would be refused because its answer may be wrong, with a warning. What a statement may
        not do stays refused.
    """
    found = check(cypher, LADYBUG, write=write)
    check_parameters(found, parameters)
    try:
        tree = read(cypher, found)
    except Refused as reason:
        return _as_it_is(cypher, reason, as_is=as_is)
    try:
        made = rewritten(tree, schema, parameters)
    except Refused as reason:
        told = reason.advising("send it as it is with {as_is=True}", joined=", or ", fields=("as_is",))
        return _as_it_is(cypher, told, as_is=as_is)
    text = statement_text(made.statement)
    # What is sent was printed from a tree; it goes through the same gate as what came in.
    check(text, LADYBUG, write=write, printed=True)
    return Asked(text) if made.statement.looking else Asked(text, made.columns, made.distinct)


def _as_it_is(cypher: str, reason: Refused, *, as_is: bool) -> Asked:
    if not as_is:
        raise reason
    log.warning("sent as it is, the answer may be wrong: %s", reason.message)
    return Asked(cypher)


@contextlib.contextmanager
def refused_inside() -> Iterator[None]:
    """Failures of the database's own planner as refusals: the statement is fine, its form is not."""
    try:
        yield
    except StoreError as error:
        text = error.message
        if not any(sign in text for sign in _INTERNAL):
            raise
        raise Refused(
            f"the embedded store cannot run a statement of this form ({' '.join(text.split())})",
            hint="split it with WITH, or ask Neo4j",
        ) from error


def read_schema(connection: Connection) -> Schema:
    """Tables with their columns, as they are now."""
    nodes: dict[str, dict[str, str]] = {}
    links: dict[str, dict[str, str]] = {}
    keys: dict[str, str] = {}
    ends: dict[str, tuple[str, str]] = {}
    for table in connection.table(statement("read/ladybug/tables")).to_pylist():
        name = table["name"]
        if table["type"] == "NODE":
            rows = connection.table(statement("read/ladybug/node_columns", TABLE=name)).to_pylist()
            nodes[name] = {row["name"]: row["type"] for row in rows}
            keys[name] = next(row["name"] for row in rows if row["key"])
        else:
            rows = connection.table(statement("read/ladybug/relationship_columns", TABLE=name)).to_pylist()
            links[name] = {row["name"]: row["type"] for row in rows}
            (end,) = connection.table(statement("read/ladybug/relationship_ends", TABLE=name)).to_pylist()
            ends[name] = (end["source"], end["target"])
    return Schema(nodes, links, keys, ends)
