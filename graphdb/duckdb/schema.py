"""The tables of an embedded store, documented in docs/explore.md: people read them with any DuckDB client.

    page      id, url, source_id, status, host, then the user's columns
    host      name, pages, then the user's columns
    link      source, target (page ids), weight, anchors
    query     text, freq, need
    result    query (text), page (id), rank, clicks
    run       id, method, parameters (JSON), graph, engine, version, created, seconds
    ranked    run (id), page (id), rank, score
    core      run (id), page (id), n, role
    co_cited  source, target, weight
    load      id, source, sha256, state, started, counts (JSON), level, seq
    store     schema (its version), changes (a counter), seedrank (the version that wrote last); one row

Pages are stored by id, links by source, then target. There are no keys or indexes: a scan is as fast (DUCKDB notes in
docs/operations.md), and what writes keeps them unique.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.package import VERSION
from seedrank.graphdb.column_types import stored_type

if TYPE_CHECKING:
    from seedrank.graphdb.duckdb.connection import Connection

__all__ = [
    "HOST_COLUMNS",
    "PAGE_COLUMNS",
    "SCHEMA_VERSION",
    "TABLES",
    "arrow_type",
    "column_type",
    "create_tables",
    "make_tables",
    "quote",
    "stored",
]

SCHEMA_VERSION = 1

PAGE_COLUMNS = ("id", "url", "source_id", "status", "host")
HOST_COLUMNS = ("name", "pages")

TABLES = {
    "page": "id INTEGER, url VARCHAR, source_id BIGINT, status VARCHAR, host VARCHAR",
    "host": "name VARCHAR, pages BIGINT",
    "link": "source INTEGER, target INTEGER, weight DOUBLE, anchors VARCHAR[]",
    "query": "text VARCHAR, freq DOUBLE, need DOUBLE",
    "result": "query VARCHAR, page INTEGER, rank BIGINT, clicks DOUBLE",
    "run": "id VARCHAR, method VARCHAR, parameters VARCHAR, graph VARCHAR, engine VARCHAR, version VARCHAR, "
    "created VARCHAR, seconds DOUBLE",
    "ranked": "run VARCHAR, page INTEGER, rank BIGINT, score DOUBLE",
    "core": "run VARCHAR, page INTEGER, n BIGINT, role VARCHAR",
    "co_cited": "source INTEGER, target INTEGER, weight DOUBLE",
    "load": "id VARCHAR, source VARCHAR, sha256 VARCHAR, state VARCHAR, started VARCHAR, counts VARCHAR, "
    "level VARCHAR, seq BIGINT",
    "store": "schema INTEGER, changes BIGINT, seedrank VARCHAR",
}


def quote(name: str) -> str:
    """An identifier for SQL."""
    return '"' + name.replace('"', '""') + '"'


def create_tables(connection: Connection, into: str = "") -> None:
    """Make all tables, empty; `into` is a schema or attached database (``"stored."``)."""
    for name, columns in TABLES.items():
        connection.run(f"CREATE TABLE {into}{quote(name)} ({columns})")


def make_tables(connection: Connection, name: str) -> None:
    """Make the tables of an empty store in an attached database."""
    create_tables(connection, f"{name}.")
    connection.run(f"INSERT INTO {name}.store VALUES (?, 0, ?)", [SCHEMA_VERSION, VERSION])


_ARROW = {
    "BOOLEAN": pa.bool_(),
    "BIGINT": pa.int64(),
    "DOUBLE": pa.float64(),
    "VARCHAR": pa.string(),
    "DATE": pa.date32(),
    "TIMESTAMP": pa.timestamp("us"),
}
_DATABASE = {kind: name for name, kind in _ARROW.items()}


def column_type(name: str, kind: pa.DataType) -> str:
    """The database's type for a column of this Arrow type."""
    return _DATABASE[stored_type(name, kind)]


def arrow_type(database_type: str) -> pa.DataType:
    """The Arrow type of a column in the database; text for what we would not have made."""
    return _ARROW.get(database_type, pa.string())


def stored(table: pa.Table, types: Mapping[str, str]) -> pa.Table:
    """`table` cast to the database's types, where they differ; ids stay as they are, and NaN is no value."""
    wanted = pa.schema(
        [
            (name, _ARROW[types[name]] if types.get(name) in _ARROW else table.field(name).type)
            for name in table.column_names
        ]
    )
    table = table if table.schema.equals(wanted) else table.cast(wanted)
    for place, field in enumerate(table.schema):
        if pa.types.is_floating(field.type) and pc.any(pc.is_nan(table.column(place))).as_py():
            # Cypher's NaN differs from itself, SQL's does not.
            known = pc.if_else(pc.is_nan(table.column(place)), pa.scalar(None, field.type), table.column(place))
            table = table.set_column(place, field, known)
    return table
