"""Both databases open with the same web in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import ladybug
import neo4j

from graphdb.ladybug import LadybugStore
from graphdb.neo4j import Neo4jStore
from tests.cypher.compare import Answer, Ask, Question, Row, ask_neo4j, compare, plain_rows
from tests.cypher.graphs import Web, write


class Asked(Protocol):
    """Ask both databases."""

    def __call__(self, question: Question, /, on_neo4j: str | None = None) -> Answer:
        """The answer; `on_neo4j` is the statement for Neo4j where it differs."""


@contextmanager
def pair(web: Web, server: Neo4jStore, session: neo4j.Session, folder: Path, *, as_is: bool = False) -> Iterator[Asked]:
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
    as_is
        Send statements to the embedded engine as they are, past our reading of them.
    """
    server.wipe()
    write(web, server)
    path = folder / f"web-{web.seed}.lbug"
    with _closing(LadybugStore.open(str(path), create=True)) as store:
        write(web, store)
    ask_server = ask_neo4j(session)
    with (_raw if as_is else _ours)(path) as on_embedded:

        def ask(question: Question, /, on_neo4j: str | None = None) -> Answer:
            reference = ask_server if on_neo4j is None else lambda _, parameters: ask_server(on_neo4j, parameters)
            return compare(question, reference, on_embedded)

        yield ask


@contextmanager
def _closing(store: LadybugStore) -> Iterator[LadybugStore]:
    try:
        yield store
    finally:
        store.close()


@contextmanager
def _ours(path: Path) -> Iterator[Ask]:
    with _closing(LadybugStore.open(str(path), read_only=True)) as store:
        yield lambda text, parameters: plain_rows(store.query(text, parameters))


@contextmanager
def _raw(path: Path) -> Iterator[Ask]:
    with ladybug.Database(str(path), buffer_pool_size=512 << 20, read_only=True) as database:
        connection = ladybug.Connection(database)

        def ask(text: str, parameters: Mapping[str, Any]) -> list[Row]:
            with connection.execute(text, dict(parameters)) as result:
                return plain_rows(result.get_as_arrow(1 << 20))

        yield ask
        connection.close()
