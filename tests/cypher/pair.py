"""Both databases open with the same web in them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import neo4j

from seedrank.graphdb.duckdb import DuckDBStore
from seedrank.graphdb.neo4j import Neo4jStore
from tests.cypher.compare import Answer, Ask, Question, ask_neo4j, compare, plain_rows
from tests.cypher.graphs import Web, write

_MEMORY = "512M"
_SECONDS = 60.0


class Asked(Protocol):
    """Ask both databases."""

    def __call__(self, question: Question, /) -> Answer:
        """The answer."""


@contextmanager
def pair(web: Web, server: Neo4jStore, session: neo4j.Session, folder: Path) -> Iterator[Asked]:
    """Questions to both databases filled with `web`.

    Parameters
    ----------
    web
        What they hold.
    server
        A Neo4j database whose data may be deleted.
    session
        A session on the same server: one for all statements is faster.
    folder
        Where the embedded store is made.
    """
    server.wipe()
    write(web, server)
    on_neo4j = ask_neo4j(session)
    with embedded(web, folder) as on_embedded:
        yield lambda question: compare(question, on_neo4j, on_embedded)


@contextmanager
def embedded(web: Web, folder: Path) -> Iterator[Ask]:
    """Questions to an embedded store filled with `web`."""
    store = DuckDBStore.open(str(folder / f"web-{web.seed}.duckdb"), create=True, memory=_MEMORY)
    try:
        write(web, store)
        yield lambda text, parameters: plain_rows(store.query(text, parameters, timeout=_SECONDS))
    finally:
        store.close()
