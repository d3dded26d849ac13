"""Small webs in a live Neo4j, one at a time, and the gds engine over them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from graphdb.neo4j import Neo4jGdsStore, open_store
from seedrank.engines.gds import GdsEngine
from tests.engines.reference import Links

CREATE = """
FOREACH (i IN range(0, $pages - 1) | CREATE (:Page {id: i}))
WITH 1 AS done
UNWIND $links AS link
MATCH (a:Page {id: link[0]})
MATCH (b:Page {id: link[1]})
CREATE (a)-[:LINKS_TO {weight: 1.0}]->(b)
"""


def store_web(store: Neo4jGdsStore, pages: int, links: Links) -> None:
    """Replace what the database holds by a web."""
    store.query("MATCH (n) DETACH DELETE n", write=True)
    store.query(CREATE, {"pages": pages, "links": [list(link) for link in sorted(links)]}, write=True)


CREATE_HOSTS = """
UNWIND range(0, $hosts - 1) AS i
CREATE (h:Host {name: $names[i], pages: 2})
CREATE (:Page {id: 2 * i})-[:ON]->(h)
CREATE (:Page {id: 2 * i + 1})-[:ON]->(h)
WITH collect(i) AS every
UNWIND $links AS link
MATCH (a:Page {id: link[0]})
MATCH (b:Page {id: link[1]})
CREATE (a)-[:LINKS_TO {weight: 1.0}]->(b)
"""


def page_links(hosts: int, links: Links) -> Links:
    """Links of two pages for each host, so that hosts are linked as `links` says; and links within hosts."""
    within = {(2 * i, 2 * i + 1) for i in range(hosts)}
    return within | {(2 * a, 2 * b + 1) for a, b in links} | {(2 * a + 1, 2 * b) for a, b in links}


def host_names(hosts: int) -> list[str]:
    """Names that sort as their numbers do."""
    return [f"h{i:04}.example" for i in range(hosts)]


def store_hosts(store: Neo4jGdsStore, hosts: int, links: Links) -> None:
    """Replace what the database holds by a web of two pages for each host."""
    store.query("MATCH (n) DETACH DELETE n", write=True)
    rows = [list(link) for link in sorted(page_links(hosts, links))]
    store.query(CREATE_HOSTS, {"hosts": hosts, "names": host_names(hosts), "links": rows}, write=True)


def projections(store: Neo4jGdsStore) -> list[str]:
    return [row["name"] for row in store.call("projections") if row["name"].startswith("seedrank-")]


@contextmanager
def gds_engines(
    url: str, user: str, password: str, *, of_hosts: bool = False
) -> Iterator[Callable[[int, Links], GdsEngine]]:
    """Makes an engine over a web that it stores, or over its hosts; the engine before it is closed."""
    with open_store(url, auth=(user, password)) as store:
        if not isinstance(store, Neo4jGdsStore):
            pytest.skip("the Neo4j server has no Graph Data Science library")
        store.create_schema()
        made: list[GdsEngine] = []

        def make(pages: int, links: Links) -> GdsEngine:
            while made:
                made.pop().close()
            if of_hosts:
                store_hosts(store, pages, links)
            else:
                store_web(store, pages, links)
            made.append(GdsEngine(store, level=("host", "links") if of_hosts else None))
            return made[-1]

        yield make
        while made:
            made.pop().close()
        store.wipe()
        assert projections(store) == []
