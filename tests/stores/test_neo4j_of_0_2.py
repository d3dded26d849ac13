"""A Neo4j database as version 0.2.0 left it is read and loaded into, and keeps its version."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from seedrank.graphdb.neo4j import Neo4jStore
from seedrank.ingest.load import load
from seedrank.runs import Ranking, Run
from seedrank.session import Session
from tests.stores import graphs

VERSION = "b1ca31575d9a8d74"
"""What 0.2.0 called this graph in the records of its runs."""
LOAD = {
    "id": "b38de99ff48ec5ec",
    "seq": 1,
    "source": "table pages=t/pages.csv links=t/links.csv",
    "sha256": "4b1178a996700a9f3483bad61bc5dbf5f1d7ae6d4a327ea057790c690f9e290b",
    "started": "2026-11-18T20:57:48+00:00",
    "state": "done",
    "level": "page",
    "counts": '{"page rows": 3, "link rows": 3, "links new": 3, "pages new": 3}',
}
RUN = {"id": "20261118-205827-a27vtz", "method": "seeds maxweight", "parameters": '{"k": 1}', "graph": VERSION}
PAGES = [
    {"id": 0, "url": "http://a.example/", "status": "crawled", "clicks": 40.0, "host": "a.example"},
    {"id": 1, "url": "http://a.example/about", "status": "crawled", "clicks": 3.0, "host": "a.example"},
    {"id": 2, "url": "http://b.example/news", "status": "frontier", "clicks": 25.0, "host": "b.example"},
]
LINKS = [{"source": 0, "target": 1, "weight": 2.0}, {"source": 0, "target": 2, "weight": 1.0}]
WRITTEN = """
CREATE (:Schema {name: 'turn', load: $load.id, changes: 7}), (:Schema {name: 'turn 0', load: ''}),
  (:Schema {name: 'turn 1', load: ''}), (:Schema {name: 'columns', pages: '{"clicks": "double"}', hosts: '{}'})
CREATE (load:Load) SET load = $load
CREATE (run:Run {seconds: 16.046, engine: 'native', created: '2026-11-18T20:58:27+00:00', version: '0.2.0'})
SET run += $run
CREATE (a:Host {name: 'a.example', pages: 2}), (b:Host {name: 'b.example', pages: 1})
WITH run, a, b
UNWIND $pages AS row
CREATE (p:Page {id: row.id, url: row.url, status: row.status, clicks: row.clicks})
FOREACH (x IN CASE row.host WHEN 'a.example' THEN [1] ELSE [] END | CREATE (p)-[:ON]->(a))
FOREACH (x IN CASE row.host WHEN 'b.example' THEN [1] ELSE [] END | CREATE (p)-[:ON]->(b))
FOREACH (x IN CASE row.id WHEN 0 THEN [1] ELSE [] END | CREATE (run)-[:RANKED {rank: 1, score: 2.0}]->(p))
"""
LINKED = """
UNWIND [[0, 1, 2.0], [0, 2, 1.0], [1, 0, 1.0]] AS row
MATCH (a:Page {id: row[0]}), (b:Page {id: row[1]}) CREATE (a)-[:LINKS_TO {weight: row[2]}]->(b)
"""


def rows(batches: Any) -> list[dict[str, Any]]:
    return [row for batch in batches for row in batch.to_pylist()]


def test_it_is_read_and_loaded_into(neo4j_store: Neo4jStore) -> None:
    neo4j_store.connection.write(WRITTEN, load=LOAD, run=RUN, pages=PAGES)
    neo4j_store.connection.write(LINKED)
    assert neo4j_store.version() == VERSION
    assert rows(neo4j_store.read_pages(["url", "status", "clicks", "host"])) == PAGES
    assert neo4j_store.page_columns() == {"clicks": pa.float64()}
    [load] = neo4j_store.loads()
    assert (load.id, load.level, load.counts["pages new"]) == (LOAD["id"], "page", 3)
    neo4j_store.create_schema()
    links = sorted(rows(neo4j_store.read_links(["weight"])), key=lambda row: (row["source"], row["target"]))
    assert links[:2] == LINKS and len(links) == 3
    assert neo4j_store.read_saved_runs().runs["id"].to_pylist() == [RUN["id"]]
    new = [{"id": 3, "url": "http://c.example/", "status": "frontier"}]
    neo4j_store.apply(graphs.changes(new_pages=new), graphs.load("next"))
    assert [one.id for one in neo4j_store.loads()] == [LOAD["id"], "next"]
    assert neo4j_store.counts().pages == 4 and neo4j_store.version() != VERSION


FIRST_WRITES: dict[str, Callable[[Neo4jStore], object]] = {
    "a statement": lambda store: store.query("MATCH (p:Page {id: 0}) SET p.note = 1", write=True),
    "scores": lambda store: store.write_scores("score", np.arange(3.0)),
    "a run": lambda store: store.write_run(Run("r", "indegree"), Ranking(np.array([2]), np.array([1.0]), {})),
    "virtual links": lambda store: store.write_virtual_links(pa.table({"source": [0], "target": [2], "weight": [2.0]})),
    "a repair": lambda store: store.repair(),
}


@pytest.mark.parametrize("first", FIRST_WRITES)
def test_whatever_is_written_first_a_load_follows(neo4j_store: Neo4jStore, first: str) -> None:
    """What 0.2 noted has its new label before the same is noted beside it."""
    neo4j_store.connection.write(WRITTEN, load=LOAD, run=RUN, pages=PAGES)
    neo4j_store.connection.write(LINKED)
    FIRST_WRITES[first](neo4j_store)
    load(Session(neo4j_store), pages={"url": ["http://c.example/"], "depth": [1]})
    assert neo4j_store.counts().pages == 4
    assert neo4j_store.page_columns().keys() == {"clicks", "depth", *(["score"] if first == "scores" else [])}
    assert neo4j_store.connection.read("MATCH (s:Schema) RETURN count(s) AS n")[0]["n"] == 0


def test_it_is_taken_away(neo4j_store: Neo4jStore) -> None:
    neo4j_store.connection.write(WRITTEN, load=LOAD, run=RUN, pages=PAGES)
    neo4j_store.connection.write(LINKED)
    neo4j_store.remove()
    assert neo4j_store.connection.read("MATCH (n) RETURN count(n) AS n")[0]["n"] == 0
    neo4j_store.create_schema()
