"""A database that others use too: their nodes are refused before the first write, and left as they are."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from seedrank import cypher
from seedrank.api import cypher_queries
from seedrank.api.workbench import Workbench
from seedrank.core.errors import StoreError, UsageError
from seedrank.core.progress import silent
from seedrank.graphdb.neo4j import Neo4jStore, open_store, schema
from seedrank.graphdb.neo4j.loading import Writer
from seedrank.graphdb.store import HasGds
from seedrank.ingest.load import load
from seedrank.runs import Ranking, Run
from seedrank.session import Session
from seedrank.session.page_lists import run_pages
from tests.conftest import Neo4jServer
from tests.stores import graphs
from tests.stores.graphs import SMALL

FOREIGN = "CREATE (:Page {title: 'Home'}), (:Page {title: 'News'})"


def everything(store: Neo4jStore) -> list[Any]:
    """All nodes and relationships, and all indexes, as they stand."""
    rows = store.connection.read("MATCH (n) OPTIONAL MATCH (n)-[r]->(m) RETURN n, labels(n), r, elementId(m)")
    names = store.connection.read("SHOW INDEXES YIELD name RETURN collect(name) AS names")[0]["names"]
    return [sorted(str([dict(row[0]), row[1], dict(row[2] or {}), row[3]]) for row in rows), sorted(names)]


@pytest.fixture
def prefixed(neo4j_store: Neo4jStore, neo4j_server: Neo4jServer) -> Iterator[Neo4jStore]:
    """A graph under a prefix in the database of `neo4j_store`."""
    with open_store(neo4j_server.url, prefix="Web") as store:
        yield store
        for name in store.connection.read("SHOW CONSTRAINTS YIELD name WHERE name STARTS WITH 'web_' RETURN name"):
            store.connection.auto_commit(f"DROP CONSTRAINT {name['name']}")
        for name in store.connection.read("SHOW INDEXES YIELD name WHERE name = 'web_page_status' RETURN name"):
            store.connection.auto_commit(f"DROP INDEX {name['name']}")


@pytest.mark.parametrize(
    ("foreign", "named"),
    [
        (FOREIGN, '2 :Page nodes .*{"title": "'),
        ("CREATE (:Page {id: 0, url: 'http://a.example/'})", '1 :Page nodes .*{"id": 0'),
        ("CREATE (:Host {name: 'a.example', rack: 7})", '1 :Host nodes .*"rack": 7'),
        ("CREATE (:Query {text: 'x'})", "1 :Query nodes"),
    ],
)
def test_nodes_of_others_are_refused_before_the_first_write(neo4j_store: Neo4jStore, foreign: str, named: str) -> None:
    neo4j_store.connection.write(foreign)
    before = everything(neo4j_store)
    with pytest.raises(StoreError, match=named) as refused:
        load(Session(neo4j_store), pages={"url": ["http://a.example/"]})
    assert all(way in str(refused.value) for way in ("prefix", "database", "model"))
    assert everything(neo4j_store) == before


@pytest.mark.parametrize("foreign", [FOREIGN, "CREATE (:Host {name: 'new.example'})"])
def test_so_are_those_that_came_after_a_load(neo4j_store: Neo4jStore, foreign: str) -> None:
    load(Session(neo4j_store), pages={"url": ["http://a.example/"]})
    neo4j_store.connection.write(foreign)
    before = everything(neo4j_store)
    with pytest.raises(StoreError, match="nodes that seedrank did not write"):
        load(Session(neo4j_store), pages={"url": ["http://new.example/"]})
    assert everything(neo4j_store) == before


def test_a_graph_with_a_prefix_stands_beside_them(neo4j_store: Neo4jStore, prefixed: Neo4jStore) -> None:
    neo4j_store.connection.write(FOREIGN)
    prefixed.create_schema()
    prefixed.apply(graphs.everything(SMALL), graphs.load("first"))
    assert prefixed.counts().pages == len(SMALL.pages)
    assert prefixed.check() == []
    assert sum(batch.num_rows for batch in prefixed.read_links()) == len(SMALL.links)
    rows = prefixed.connection.read(
        "MATCH (n) WHERE NOT n:SeedrankSchema UNWIND labels(n) AS label RETURN DISTINCT label"
    )
    assert {row["label"] for row in rows} == {
        "Page", "WebPage", "WebHost", "WebQuery", "WebLoad", "WebSeedrankSchema",
    }  # fmt: skip
    assert prefixed.url.endswith("#Web")
    with open_store(prefixed.url) as again:
        assert again.version() == prefixed.version()
    found = cypher_queries.explore(prefixed, "biggest_hosts", {})
    assert found.num_rows == len(SMALL.hosts)


def test_two_prefixes_are_two_graphs(neo4j_store: Neo4jStore, prefixed: Neo4jStore) -> None:
    neo4j_store.create_schema()
    neo4j_store.apply(graphs.everything(SMALL), graphs.load("first"))
    runs = Session(neo4j_store).runs.folder
    prefixed.create_schema()
    assert prefixed.counts().pages == 0
    prefixed.apply(graphs.changes(new_pages=[{"id": 0, "url": "http://z.example/"}]), graphs.load("other"))
    assert (neo4j_store.counts().pages, prefixed.counts().pages) == (len(SMALL.pages), 1)
    assert [one.id for one in neo4j_store.loads()] == ["first"]
    assert Session(prefixed).runs.folder != runs


@pytest.mark.parametrize("prefix", ["web", "W-eb", "WEB", "Web`", "", "Wéb", "W" * 50, "Seedrank"])
def test_a_prefix_is_a_name(neo4j_server: Neo4jServer, prefix: str) -> None:
    if prefix:
        with pytest.raises(UsageError, match="prefix"):
            open_store(neo4j_server.url, prefix=prefix, auth=("x", "y"))
        return
    assert cypher.statement("read/counts", prefix=prefix) == cypher.statement("read/counts")


def test_only_pages_lose_their_colours(neo4j_store: Neo4jStore) -> None:
    neo4j_store.create_schema()
    neo4j_store.connection.write("CREATE (:Frontier {of: 'others'}), (:Page:Frontier {id: 0})")
    cypher_queries.explore(neo4j_store, "remove_colours", {}, write=True)
    rows = neo4j_store.connection.read("MATCH (n:Frontier) RETURN n.of AS of")
    assert [row["of"] for row in rows] == ["others"]


def test_runs_and_loads_of_others_are_not_ours(neo4j_store: Neo4jStore) -> None:
    neo4j_store.create_schema()
    neo4j_store.connection.write("CREATE (:Load {id: 'truck 7'}), (:Run {id: 'run 7', metres: 100})")
    assert neo4j_store.loads() == []
    assert neo4j_store.read_saved_runs().runs.num_rows == 0
    assert neo4j_store.check() == []


def fill(store: Neo4jStore) -> None:
    """A graph with everything that seedrank writes."""
    store.create_schema()
    store.apply(graphs.everything(SMALL), graphs.load("first"))
    ranking = Ranking(np.array([2, 0]), np.array([2.0, 1.0]), {})
    store.write_run(Run("r1", "indegree"), ranking)
    store.write_cores(Run("r2", "cores"), pa.table({"id": [0], "n": [1], "role": ["hub"]}))
    store.write_virtual_links(pa.table({"source": [0], "target": [4], "weight": [2.0]}))
    store.write_scores("score", np.arange(6.0))


@pytest.fixture
def bare(neo4j_store: Neo4jStore) -> Iterator[Neo4jStore]:
    """A database that seedrank never saw: no node, no constraint."""
    neo4j_store.wipe()
    schema.forget(neo4j_store.connection)
    yield neo4j_store
    neo4j_store.wipe()
    neo4j_store.connection.auto_commit("DROP CONSTRAINT page_id IF EXISTS")
    neo4j_store.connection.auto_commit("DROP INDEX page_status IF EXISTS")
    neo4j_store.create_schema()


def test_what_seedrank_wrote_is_taken_away_and_nothing_else(bare: Neo4jStore) -> None:
    bare.connection.auto_commit("CREATE CONSTRAINT page_id FOR (n:Other) REQUIRE n.id IS UNIQUE")
    bare.connection.auto_commit("CREATE INDEX page_status FOR (n:Other) ON (n.status)")
    others = (
        "CREATE (:Run {id: 'run 7'})-[:RANKED]->(:Other {id: 1}), (:Load {id: 'truck 7'}), (:Schema {name: 'turn'})"
    )
    bare.connection.auto_commit(others)
    before = everything(bare)
    fill(bare)
    assert everything(bare) != before
    bare.remove()
    assert everything(bare) == before


def test_ids_of_others_that_cannot_be_kept_unique_are_refused(bare: Neo4jStore) -> None:
    """Runs and loads of others may stay beside ours, but not two with one id: the constraint could not be made."""
    bare.connection.auto_commit("UNWIND [1, 2] AS n CREATE (:Run {id: 'run 7', n: n})")
    before = everything(bare)
    with pytest.raises(StoreError, match=r'2 :Run nodes with one id, such as .*"run 7".*prefix="Web"'):
        load(Session(bare), pages={"url": ["http://a.example/"]})
    assert everything(bare) == before
    bare.connection.auto_commit("MATCH (r:Run {n: 2}) DELETE r")
    load(Session(bare), pages={"url": ["http://a.example/"]})


def test_what_seedrank_notes_is_unique_before_anything_is_noted(bare: Neo4jStore) -> None:
    """After a bulk import the sign of life of the load and what it writes come at once, into a database without it."""
    with bare.writing():
        assert ("SeedrankSchema", "name") not in schema.missing(bare.connection).values()
    bare.remove()
    bare.create_schema()


def test_a_prefix_is_taken_away_alone(bare: Neo4jStore, prefixed: Neo4jStore) -> None:
    fill(bare)
    before, version = everything(bare), bare.counts()
    fill(prefixed)
    prefixed.remove()
    assert everything(bare) == before
    assert bare.counts() == version


def test_pages_that_others_point_at_are_not_taken_away(bare: Neo4jStore) -> None:
    fill(bare)
    bare.connection.auto_commit("MATCH (p:Page {id: 0}) CREATE (:Team)-[:OWNS]->(p)")
    before = everything(bare)
    with pytest.raises(StoreError, match=r"1 relationships of others .* such as OWNS"):
        bare.remove()
    after = everything(bare)
    assert [len(after[0]), after[1]] == [len(before[0]), before[1]]


def test_a_run_of_before_the_database_was_emptied_is_told_apart(
    bare: Neo4jStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(folder, str(tmp_path))
    fill(bare)
    bench = Workbench(bare, engine="native")
    monkeypatch.setattr("seedrank.session.session.now", lambda: "2020-01-01T00:00:00+00:00")
    old = bench.rank("pagerank").run.name
    with pytest.raises(UsageError, match="is of another graph"):
        run_pages(bench.session, old)
    monkeypatch.undo()
    for folder in ("XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(folder, str(tmp_path))
    assert len(run_pages(bench.session, bench.rank("pagerank").run.name))


def test_when_a_restored_database_began_is_not_known(bare: Neo4jStore) -> None:
    """Its runs come with it, and may be older than the last time that a load was repeated."""
    bare.create_schema()
    writer = Writer(bare.connection, 100, silent)
    writer.start(graphs.load("first"), restored=True)
    bare.apply(graphs.everything(SMALL), graphs.load("first"))
    assert bare.begun() == ""
    bare.wipe()
    bare.apply(graphs.everything(SMALL), graphs.load("first"))
    assert bare.begun() == bare.loads()[0].started != ""


def test_the_engines_see_the_graph_of_their_prefix(neo4j_store: Neo4jStore, prefixed: Neo4jStore) -> None:
    if not isinstance(prefixed, HasGds):
        pytest.skip("no GDS on this server")
    neo4j_store.create_schema()
    neo4j_store.apply(graphs.changes(new_pages=[{"id": 0, "url": "http://z.example/"}]), graphs.load("other"))
    fill(prefixed)
    ranked = []
    for engine in ("gds", "native"):
        with Session(open_store(prefixed.url), engine=engine) as session:  # type: ignore[arg-type]
            ranked.append(session.engine.walk().scores)
            assert session.engine.components().component.shape == (len(SMALL.pages),)
            hosts = session.view(level="host").engine
            assert hosts.walk().scores.shape == (len(SMALL.hosts),)
    np.testing.assert_allclose(*ranked, atol=1e-10)


@pytest.mark.long
def test_commands_take_a_prefix(
    neo4j_store: Neo4jStore, prefixed: Neo4jStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Loaded, ranked, asked again by the record of the run, and taken away."""
    for folder in ("XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(folder, str(tmp_path))
    neo4j_store.connection.write(FOREIGN)
    before = everything(neo4j_store)
    links = tmp_path / "links.csv"
    links.write_text("source,target\nhttp://a.example/,http://b.example/\n")

    def seedrank(*words: str) -> str:
        command = [sys.executable, "-m", "seedrank.cli.main", "--store", neo4j_store.url, "--prefix", "Web", *words]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        return done.stdout + done.stderr

    seedrank("load", "table", "--links", str(links))
    assert '"url":"http://b.example/"' in seedrank("rank", "pagerank", "--top", "1", "--format", "json").replace(
        " ", ""
    )
    assert "#Web" in seedrank("runs", "show", "run:latest")
    assert "2 pages, 1 links and 2 hosts would be removed" in seedrank("db", "remove")
    assert prefixed.counts().pages == 2
    assert "removed from" in seedrank("db", "remove", "--yes")
    assert everything(neo4j_store)[0] == before[0]
