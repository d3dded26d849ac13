"""A small web in the tables of an embedded store, and Cypher asked of it by translation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from seedrank.graphdb.duckdb.connection import Connection, connect
from seedrank.graphdb.duckdb.cypher_sql import GraphSchema, Translation, graph_schema, translate
from seedrank.graphdb.duckdb.schema import create_tables

Row = tuple[Any, ...]

_ROWS = """
ALTER TABLE page ADD COLUMN clicks DOUBLE;
ALTER TABLE page ADD COLUMN visits BIGINT;
ALTER TABLE page ADD COLUMN lang VARCHAR;
ALTER TABLE page ADD COLUMN day DATE;
ALTER TABLE page ADD COLUMN small TINYINT;
INSERT INTO page VALUES
    (0, 'http://a.example/', 100, 'crawled', 'a.example', 2.0, 3, 'de', '2024-01-31', 100),
    (1, 'http://a.example/one', 101, 'crawled', 'a.example', NULL, 1, 'en', '2024-02-01', 100),
    (2, 'http://b.example/', 102, 'crawled', 'b.example', 0.5, NULL, NULL, NULL, NULL),
    (3, 'http://b.example/two', 103, 'frontier', 'b.example', 2.0, 4, 'de', NULL, NULL),
    (4, 'http://c.example/', NULL, 'missing', 'c.example', NULL, NULL, NULL, NULL, NULL),
    (5, 'straße', NULL, 'frontier', NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO host VALUES ('a.example', 2), ('b.example', 2), ('c.example', 1);
INSERT INTO link VALUES
    (0, 1, 1.0, ['next', 'one']), (0, 2, 2.0, NULL), (1, 2, 1.0, NULL),
    (2, 0, 3.0, NULL), (2, 3, 1.0, NULL), (3, 3, 1.0, NULL);
INSERT INTO query VALUES ('flu', 3.0, 0.5);
INSERT INTO result VALUES ('flu', 1, 1, 2.0);
INSERT INTO run VALUES ('r1', 'seeds x', '{}', 'g', 'native', '1', '2024-01-01', 1.5);
INSERT INTO ranked VALUES ('r1', 0, 1, 0.9), ('r1', 2, 2, 0.5);
INSERT INTO core VALUES ('r1', 0, 1, 'hub'), ('r1', 2, 1, 'authority');
"""


class Web:
    """Tables that answer Cypher."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    def schema(self) -> GraphSchema:
        """The graph in the tables."""
        columns: dict[str, dict[str, str]] = {}
        rows = self.connection.table("SELECT table_name, column_name, data_type FROM information_schema.columns")
        for row in rows.to_pylist():
            columns.setdefault(row["table_name"], {})[row["column_name"]] = row["data_type"]
        return graph_schema(columns)

    def translated(self, cypher: str, parameters: Mapping[str, Any] | None = None) -> Translation:
        """A statement in SQL."""
        return translate(cypher, parameters or {}, self.schema())

    def ask(self, cypher: str, parameters: Mapping[str, Any] | None = None) -> list[Row]:
        """The rows of a statement."""
        made = self.translated(cypher, parameters)
        return self.connection.raw.execute(made.sql, made.parameters).fetchall()


@contextmanager
def small_web(folder: Path) -> Iterator[Web]:
    """Six pages on three hosts, six links (one from a page to itself), a search, a run."""
    connection = connect(memory=1 << 28, temporary=folder, threads=1)
    try:
        create_tables(connection)
        connection.run(_ROWS)
        yield Web(connection)
    finally:
        connection.close()


@contextmanager
def linked_web(folder: Path, pages: int, links: list[tuple[int, int]]) -> Iterator[Web]:
    """Pages with these links and nothing else."""
    connection = connect(memory=1 << 28, temporary=folder, threads=1)
    try:
        create_tables(connection)
        connection.run(f"INSERT INTO page (id, url) SELECT i, 'u' || i FROM range({pages}) t(i)")
        for source, target in links:
            connection.run("INSERT INTO link VALUES (?, ?, 1.0, NULL)", [source, target])
        yield Web(connection)
    finally:
        connection.close()
