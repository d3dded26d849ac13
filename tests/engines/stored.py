"""Small webs in a live Neo4j, one at a time, and the gds engine over them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from graphdb.neo4j import Neo4jGdsStore, open_store
from seedrank.engines.gds import GdsEngine
from tests.engines.reference import Links, Weights

CREATE = """
FOREACH (i IN range(0, $pages - 1) | CREATE (:Page {id: i}))
WITH 1 AS done
UNWIND $links AS link
MATCH (a:Page {id: link[0]})
MATCH (b:Page {id: link[1]})
CREATE (a)-[:LINKS_TO {weight: link[2]}]->(b)
"""


def store_web(store: Neo4jGdsStore, pages: int, links: Links | Weights) -> None:
    """Replace what the database holds by a web; a weight of 1 is left out in a web with weights."""
    store.query("MATCH (n) DETACH DELETE n", write=True)
    weighted = isinstance(links, dict)
    rows = [[*link, (None if links[link] == 1 else links[link]) if weighted else 1.0] for link in sorted(links)]
    store.query(CREATE, {"pages": pages, "links": rows}, write=True)


def projections(store: Neo4jGdsStore) -> list[str]:
    return [row["name"] for row in store.call("projections") if row["name"].startswith("seedrank-")]


@contextmanager
def gds_engines(
    url: str, user: str, password: str
) -> Iterator[tuple[Callable[[int, Links | Weights], GdsEngine], Callable[[], None]]]:
    """Makes an engine over a web that it stores; the one before it is closed, the last by the other function."""
    with open_store(url, auth=(user, password)) as store:
        if not isinstance(store, Neo4jGdsStore):
            pytest.skip("the Neo4j server has no Graph Data Science library")
        store.create_schema()
        made: list[GdsEngine] = []

        def close() -> None:
            while made:
                made.pop().close()

        def make(pages: int, links: Links | Weights) -> GdsEngine:
            close()
            store_web(store, pages, links)
            made.append(GdsEngine(store, weighted=isinstance(links, dict)))
            return made[-1]

        yield make, close
        close()
        store.wipe()
        assert projections(store) == []
