"""Small webs in a live Neo4j, one at a time, and the gds engine over them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from seedrank.core.levels import HostWeights, Level
from seedrank.engines.gds import GdsEngine, names, projection_admin
from seedrank.graphdb.neo4j import Neo4jGdsStore, open_store
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
    store.query(CREATE, {"pages": pages, "links": _rows(links)}, write=True)


def _rows(links: Links | Weights) -> list[list[float | None]]:
    """Source, target and weight of each link."""
    weighted = isinstance(links, dict)
    return [[*link, (None if links[link] == 1 else links[link]) if weighted else 1.0] for link in sorted(links)]


CREATE_HOSTS = """
UNWIND range(0, $hosts - 1) AS i
CREATE (h:Host {name: $names[i], pages: 2})
CREATE (:Page {id: 2 * i})-[:ON]->(h)
CREATE (:Page {id: 2 * i + 1})-[:ON]->(h)
WITH collect(i) AS every
UNWIND $links AS link
MATCH (a:Page {id: link[0]})
MATCH (b:Page {id: link[1]})
CREATE (a)-[:LINKS_TO {weight: link[2]}]->(b)
"""


def page_links(hosts: int, links: Links | Weights) -> Links | Weights:
    """Links of two pages for each host, so that hosts are linked as `links` says; and links within hosts.

    Two page links make one of hosts: each has half of its weight, which is exact.
    """
    within = {(2 * i, 2 * i + 1): 1.0 for i in range(hosts)}
    between = {
        ends: links[a, b] / 2 if isinstance(links, dict) else 1.0
        for a, b in links
        for ends in ((2 * a, 2 * b + 1), (2 * a + 1, 2 * b))
    }
    every = within | between
    return every if isinstance(links, dict) else set(every)


def host_names(hosts: int) -> list[str]:
    """Names that sort as their numbers do."""
    return [f"h{i:04}.example" for i in range(hosts)]


def store_hosts(store: Neo4jGdsStore, hosts: int, links: Links | Weights) -> None:
    """Replace what the database holds by a web of two pages for each host."""
    store.query("MATCH (n) DETACH DELETE n", write=True)
    rows = _rows(page_links(hosts, links))
    store.query(CREATE_HOSTS, {"hosts": hosts, "names": host_names(hosts), "links": rows}, write=True)


def projections(store: Neo4jGdsStore) -> list[str]:
    return [row["name"] for row in store.call("projections") if row["name"].startswith("seedrank-")]


@contextmanager
def gds_engines(
    url: str, user: str, password: str, *, of_hosts: bool = False
) -> Iterator[tuple[Callable[[int, Links | Weights], GdsEngine], Callable[[], None]]]:
    """Makes an engine over a web that it stores, or over its hosts.

    The one before it is closed, the last by the other function.
    """
    with open_store(url, auth=(user, password)) as store:
        if not isinstance(store, Neo4jGdsStore):
            pytest.skip("the Neo4j server has no Graph Data Science library")
        store.create_schema()
        projection_admin.drop(store)  # what commands in other tests left
        made: list[GdsEngine] = []

        def close() -> None:
            while made:
                made.pop().close()

        def make(pages: int, links: Links | Weights) -> GdsEngine:
            close()
            (store_hosts if of_hosts else store_web)(store, pages, links)
            level: tuple[Level, HostWeights] | None = ("host", "links") if of_hosts else None
            made.append(GdsEngine(store, level=level, weighted=isinstance(links, dict)))
            return made[-1]

        yield make, close
        close()
        store.wipe()
        assert all(names.is_kept(name) for name in projections(store))  # those of commands in other tests
