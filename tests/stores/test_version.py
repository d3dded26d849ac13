"""The version of a graph: another one after every change of it, the same one after our own answers."""

from __future__ import annotations

import secrets
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from seedrank.api.workbench import Workbench
from seedrank.core.errors import StoreError
from seedrank.graphdb.neo4j import Neo4jStore
from seedrank.graphdb.store import Database, HasGds
from seedrank.runs import Ranking, Run
from seedrank.session import Session
from tests.stores import graphs
from tests.stores.graphs import SMALL
from tests.stores.traits import Traits

RUN = Run(
    id="r1",
    method="indegree",
    parameters={},
    graph="v",
    store="s",
    engine="native",
    version="0",
    created="now",
    seconds=0.1,
)


def clicks(value: float) -> pa.Table:
    return pa.table({"id": [0], "clicks": [value]})


def test_loading_a_again_after_b_is_another_graph(database: Database) -> None:
    database.apply(graphs.everything(SMALL), graphs.load("first"))
    seen = [database.version()]
    for name, value in (("a", 1.0), ("b", 2.0), ("a", 1.0), ("b", 2.0)):
        changed = graphs.changes(changed_pages=clicks(value), page_columns={"clicks": pa.float64()})
        database.apply(changed, graphs.load(name))
        seen.append(database.version())
    assert len(set(seen)) == len(seen)


def test_our_own_answers_leave_it(filled_database: Database) -> None:
    version = filled_database.version()
    ranking = Ranking(np.array([2, 0]), np.array([2.0, 1.0]), {})
    filled_database.write_run(RUN, ranking)
    filled_database.write_cores(replace(RUN, id="r2"), pa.table({"id": [0], "n": [1], "role": ["hub"]}))
    filled_database.write_scores("score", np.arange(6.0))
    filled_database.write_virtual_links(pa.table({"source": [0], "target": [4], "weight": [2.0]}))
    filled_database.delete_run("r1")
    filled_database.create_schema()
    assert filled_database.version() == version


def test_a_statement_that_may_write_moves_it(filled_database: Database, traits: Traits) -> None:
    if not traits.cypher_writes:
        pytest.skip("Cypher only reads this store")
    version = filled_database.version()
    filled_database.query("MATCH (p:Page {id: 0}) SET p.clicks = 77.0", write=True)
    assert filled_database.version() != version


def test_a_statement_that_reads_leaves_it(filled_database: Database) -> None:
    version = filled_database.version()
    filled_database.query("MATCH (p:Page) RETURN count(*) AS n")
    assert filled_database.version() == version


def edited(store: Database, cypher: str) -> None:
    """What another program writes: neither our connection nor our counter knows."""
    assert isinstance(store, Neo4jStore)
    with store.connection.driver.session() as session:
        session.run(cypher).consume()


@pytest.fixture
def shared(filled_database: Database) -> Neo4jStore:
    if not isinstance(filled_database, Neo4jStore):
        pytest.skip("an embedded store is written by us alone")
    return filled_database


@pytest.mark.parametrize(
    "edit",
    [
        "MATCH (p:Page {id: 0}) SET p.clicks = 77.0",
        "MATCH (p:Page {id: 0})-[r:LINKS_TO]->() SET r.weight = 9.0",
        "MATCH (p:Page {id: 0})-[r:LINKS_TO]->(q) WITH p, r LIMIT 1 DELETE r "
        "WITH p MATCH (z:Page {id: 5}) CREATE (p)-[:LINKS_TO {weight: 1.0}]->(z)",
    ],
)
def test_an_edit_of_others_moves_it(shared: Neo4jStore, edit: str) -> None:
    """Also one that leaves all counts as they are."""
    version = shared.version()
    edited(shared, edit)
    assert shared.version() != version


def test_our_own_answers_leave_it_with_names_that_are_new(shared: Neo4jStore) -> None:
    version = shared.version()
    shared.write_scores("x" + secrets.token_hex(4), np.arange(6.0))
    shared.write_host_scores("x" + secrets.token_hex(4), shared.read_hosts()["name"], np.arange(3.0))
    with shared.writing():
        pass
    assert shared.version() == version


def test_a_graph_that_others_edit_is_read_again(
    shared: Neo4jStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with_clicks = Session(shared, engine="native").graph.column("clicks")[0]
    edited(shared, "MATCH (p:Page {id: 0}) SET p.clicks = p.clicks + 1000.0")
    assert Session(shared, engine="native").graph.column("clicks")[0] == with_clicks + 1000


def test_an_open_workbench_follows_edits_of_others(
    shared: Neo4jStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(folder, str(tmp_path))
    bench = Workbench(shared, engine="native")
    before = bench.rank("pagerank")
    edited(shared, "MATCH (p:Page {id: 5}), (q:Page {id: 0}) CREATE (p)-[:LINKS_TO {weight: 1.0}]->(q)")
    after = bench.rank("pagerank")
    assert before.run.graph != after.run.graph
    assert before.ranking.scores.tolist() != after.ranking.scores.tolist()


@pytest.mark.parametrize("first", ["memory", "elsewhere"])
def test_auto_never_mixes_two_states(
    shared: Neo4jStore, first: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The graph in memory and that of the server are of one version, or there is no answer."""
    if not isinstance(shared, HasGds):
        pytest.skip("no GDS on this server")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with Session(shared, engine="auto").engine as engine:
        engine.engine_at(first).degrees()
        edited(shared, "MATCH (p:Page {id: 5}), (q:Page {id: 0}) CREATE (p)-[:LINKS_TO {weight: 1.0}]->(q)")
        with pytest.raises(StoreError, match="changed meanwhile"):
            engine.engine_at("elsewhere" if first == "memory" else "memory").degrees()


def test_a_bookmark_that_cannot_be_read_moves_it_too(shared: Neo4jStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared.connection, "last_transaction", lambda: "ZZ:1")
    version = shared.version()
    monkeypatch.setattr(shared.connection, "last_transaction", lambda: "ZZ:2")
    assert shared.version() != version
