"""A graph of others in a Neo4j database: read and ranked as a model says, and left bit for bit as it was."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

from seedrank.api.workbench import Workbench
from seedrank.core.errors import InputError, SeedrankError, StoreError, UsageError
from seedrank.core.model import Status
from seedrank.graphdb import open_store
from seedrank.graphdb.neo4j import Neo4jStore, attach
from seedrank.graphdb.neo4j.attached import AttachedStore

HOSTS = """
UNWIND range(0, $nodes - 1) AS i
CREATE (:Vertex {id: i, host_parts: ['com', 'example' + toString(i % 97), 'w' + toString(i)], num_hosts: 1 + i % 5})
"""
LINKED = """
UNWIND range(0, $nodes - 1) AS i
MATCH (a:Vertex {id: i})
UNWIND [(i * 7 + 1) % $nodes, (i * 13 + 5) % $nodes, i % 100] AS j
MATCH (b:Vertex {id: j})
CREATE (a)-[:LINKS {count: 1 + i % 3}]->(b)
"""
COMMON_CRAWL = """
[pages]
label = "Vertex"
level = "host"
id = "id"
host = {property = "host_parts", reversed = true}
columns = ["num_hosts"]
[links]
type = "LINKS"
weight = "count"
"""
MOVIES = """
CREATE (m:Movie {title: 'The Matrix', released: 1999}), (n:Movie {title: 'Speed', released: 1994}),
  (k:Person {name: 'Keanu Reeves', born: 1964}), (s:Person {name: 'Sandra Bullock'}), (c:Person:Critic {name: 'Ebert'}),
  (k)-[:ACTED_IN {roles: ['Neo']}]->(m), (k)-[:ACTED_IN]->(n), (s)-[:ACTED_IN]->(n), (c)-[:REVIEWED]->(n),
  (c)-[:FOLLOWS]->(k), (n)-[:LIKES]->(n), (k)-[:ACTED_IN]->(m), (s)-[:ACTED_IN]->(:Play {title: 'Hamlet'})
"""
FILM = """
[pages]
label = ["Movie", "Person"]
url = ["title", "name"]
status = {property = "seen"}
columns = ["released"]
[links]
type = ["ACTED_IN", "REVIEWED", "LIKES"]
"""


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Writes a model into a file."""
    for folder in ("XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(folder, str(tmp_path))

    def write(text: str) -> Path:
        path = tmp_path / "model.toml"
        path.write_text(text)
        return path

    return write


def attached(store: Neo4jStore, model: Path) -> AttachedStore:
    return attach(store.url, model, auth=(os.environ["NEO4J_USERNAME"], os.environ["NEO4J_PASSWORD"]))


def digest(store: Neo4jStore) -> str:
    """Of every node, relationship and index of the database, and of its last transaction."""
    found = hashlib.sha256(store.connection.last_transaction().encode())
    for cypher in (
        "MATCH (n) RETURN elementId(n) AS k, labels(n), properties(n) ORDER BY k",
        "MATCH (a)-[r]->(b) RETURN elementId(r) AS k, elementId(a), elementId(b), type(r), properties(r) ORDER BY k",
        "SHOW INDEXES YIELD name RETURN name ORDER BY name",
    ):
        for record in store.connection.read(cypher):
            found.update(repr(record.values()).encode())
    return found.hexdigest()


def fill_hosts(store: Neo4jStore, nodes: int) -> None:
    store.connection.auto_commit("CREATE INDEX vertex_id IF NOT EXISTS FOR (v:Vertex) ON (v.id)")
    store.connection.auto_commit("CALL db.awaitIndexes(300)")
    store.connection.auto_commit(HOSTS, nodes=nodes)
    store.connection.auto_commit(LINKED, nodes=nodes)


@pytest.mark.parametrize("nodes", [1_000, pytest.param(100_000, marks=pytest.mark.long)])
def test_a_database_laid_out_as_common_crawl(neo4j_store: Neo4jStore, model: Callable[[str], Path], nodes: int) -> None:
    fill_hosts(neo4j_store, nodes)
    before = digest(neo4j_store)
    with Workbench(attached(neo4j_store, model(COMMON_CRAWL))) as bench:
        graph = bench.session.stored_graph
        ranked = bench.rank("pagerank")
        seeds = bench.seeds("outdegree", k=3)
        names = ranked.table["host"].to_pylist()
    assert digest(neo4j_store) == before
    neo4j_store.connection.auto_commit("DROP INDEX vertex_id")
    assert (graph.pages, graph.column("num_hosts")[6]) == (nodes, 2)
    links = {}
    for i in range(nodes):
        for j in ((i * 7 + 1) % nodes, (i * 13 + 5) % nodes, i % 100):
            if i != j:
                links[i, j] = links.get((i, j), 0) + 1 + i % 3
    assert graph.links == len(links)
    ends = np.repeat(np.arange(nodes), np.diff(graph.out_offsets)), graph.out_targets
    weights = dict(zip(zip(*(side.tolist() for side in ends), strict=True), graph.weights.tolist(), strict=True))
    assert weights == links
    assert graph.source_id is not None and graph.source_id.tolist() == list(range(nodes))
    assert names[0] == f"w{ranked.ranking.pages[0]}.example{ranked.ranking.pages[0] % 97}.com"
    assert len(seeds.ranking.pages) == 3
    if nodes < 10_000:
        expected = nx.pagerank(nx.DiGraph(list(links)), tol=1e-14, max_iter=1000, weight=None)
        scores = dict(zip(ranked.ranking.pages.tolist(), ranked.ranking.scores.tolist(), strict=True))
        assert scores == pytest.approx(expected, abs=1e-10)


def test_the_movies(neo4j_store: Neo4jStore, model: Callable[[str], Path]) -> None:
    neo4j_store.connection.auto_commit(MOVIES)
    neo4j_store.connection.auto_commit("MATCH (s:Person {name: 'Sandra Bullock'}) SET s.seen = 'frontier'")
    before = digest(neo4j_store)
    with Workbench(attached(neo4j_store, model(FILM))) as bench:
        graph = bench.session.stored_graph
        ranked = bench.rank("indegree")
        urls = ranked.table["url"].to_pylist()
    assert digest(neo4j_store) == before
    assert (graph.pages, graph.links) == (5, 4)
    assert urls[0] == "Speed" and set(urls) == {"Speed", "The Matrix", "Keanu Reeves", "Sandra Bullock", "Ebert"}
    assert sorted(graph.status.tolist()).count(Status.FRONTIER) == 1
    assert np.nansum(graph.column("released")) == 1999 + 1994


def test_scores_are_written_under_the_name_that_is_given(neo4j_store: Neo4jStore, model: Callable[[str], Path]) -> None:
    neo4j_store.connection.auto_commit(MOVIES)
    with Workbench(attached(neo4j_store, model(FILM))) as bench:
        for taken in ("title", "born"):
            with pytest.raises(SeedrankError, match=r"model reads it|already"):
                bench.rank("pagerank", write=taken)
        before = neo4j_store.connection.read("MATCH (n) RETURN count(n) AS n, sum(size(keys(n))) AS k")[0].data()
        ranked = bench.rank("pagerank", write="importance")
        best = ranked.table["url"][0].as_py()
        again = bench.rank("pagerank")
    found = neo4j_store.connection.read(
        "MATCH (n) WHERE n.importance > 0 RETURN n.title AS t ORDER BY n.importance DESC"
    )
    assert (len(found), found[0]["t"]) == (5, best)
    after = neo4j_store.connection.read("MATCH (n) RETURN count(n) AS n, sum(size(keys(n))) AS k")[0].data()
    assert after == {"n": before["n"], "k": before["k"] + 5}
    assert again.ranking.scores.tolist() == ranked.ranking.scores.tolist()


def test_it_follows_what_others_write(neo4j_store: Neo4jStore, model: Callable[[str], Path]) -> None:
    neo4j_store.connection.auto_commit(MOVIES)
    with Workbench(attached(neo4j_store, model(FILM))) as bench:
        before = bench.rank("indegree").ranking.scores.sum()
        neo4j_store.connection.auto_commit(
            "MATCH (m:Movie {title: 'Speed'}) CREATE (m)-[:LIKES]->(:Movie {title: 'Heat'})"
        )
        assert bench.rank("indegree").ranking.scores.sum() == before + 1


def test_what_it_cannot_do_it_says(neo4j_store: Neo4jStore, model: Callable[[str], Path]) -> None:
    neo4j_store.connection.auto_commit(MOVIES)
    path = model(FILM)
    with Workbench(attached(neo4j_store, path)) as bench:
        with pytest.raises(StoreError, match="a graph of others that is only read"):
            bench.query("MATCH (n) RETURN n")
        with pytest.raises(StoreError, match="only read"):
            bench.load(pages={"url": ["http://a.example/"]})
    with (
        Workbench(attached(neo4j_store, path), engine="gds") as bench,
        pytest.raises(StoreError, match="is read into memory"),
    ):
        bench.rank("pagerank")
    nobody = model(FILM.replace("Movie", "Nothing").replace("Person", "None"))
    with (
        Workbench(attached(neo4j_store, nobody)) as bench,
        pytest.raises(StoreError, match="no nodes of Nothing, None"),
    ):
        bench.rank("pagerank")


@pytest.mark.parametrize(
    ("ids", "said"),
    [("['a', 'b']", "no whole number"), ("[1, 1]", "missing or there twice"), ("[1, null]", "no whole number")],
)
def test_ids_that_tell_no_nodes_apart(
    neo4j_store: Neo4jStore, model: Callable[[str], Path], ids: str, said: str
) -> None:
    neo4j_store.connection.auto_commit(f"UNWIND {ids} AS i CREATE (:Vertex {{id: i}})")
    text = '[pages]\nlabel = "Vertex"\nid = "id"\n[links]\ntype = "LINKS"\n'
    with Workbench(attached(neo4j_store, model(text))) as bench, pytest.raises(StoreError, match=said):
        bench.rank("pagerank")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[pages", "is no TOML"),
        ("", r"has no table \[pages\]"),
        ("[pages]\n[links]\ntype = 'A'", "label cannot be"),
        ("[pages]\nlabel = 'A'\n[links]", "type cannot be"),
        ("[pages]\nlabel = []\n[links]\ntype = 'A'", "label cannot be"),
        ("[pages]\nlabel = 'A'\nlevel = 'site'\n[links]\ntype = 'A'", "level cannot be.*page, host, domain"),
        ("[pages]\nlabel = 'A'\nstatus = 'new'\n[links]\ntype = 'A'", "status cannot be"),
        ("[pages]\nlabel = 'A'\nlabels = 'B'\n[links]\ntype = 'A'", "unknown name 'labels'"),
        ("[pages]\nlabel = 'A'\n[links]\ntype = 'A'\n[nodes]", "unknown name 'nodes'"),
        ("[pages]\nlabel = 'A'\nid = 7\n[links]\ntype = 'A'", "id cannot be 7"),
    ],
)
def test_a_model_that_says_what_is_not_known(model: Callable[[str], Path], text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        attach("neo4j://localhost:1", model(text), auth=("x", "y"))


def test_a_model_and_a_prefix_are_two_graphs(model: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_PASSWORD", "x")
    with pytest.raises(UsageError, match="two graphs"):
        open_store("neo4j://localhost:1", model=model(FILM), prefix="Web")
    with pytest.raises(UsageError, match="go with a neo4j:// store"):
        open_store("web.duckdb", model=model(FILM))
