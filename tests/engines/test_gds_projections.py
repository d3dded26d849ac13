"""What the gds engine leaves in the server (nothing), and when it refuses."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from contextlib import closing, contextmanager

import numpy as np
import pytest

import cypher
from graphdb import open_store
from graphdb.neo4j import Neo4jGdsStore, Neo4jStore
from seedrank.core.errors import GraphError, StoreError
from seedrank.engines.gds import GdsEngine, catalog, expansion, pairs
from seedrank.engines.gds import engine as engines
from tests.engines.stored import projections, store_web

LINKS = {(0, 1), (1, 2), (2, 0), (3, 1), (0, 3)}


@pytest.fixture
def store(neo4j_store):
    if not isinstance(neo4j_store, Neo4jGdsStore):
        pytest.skip("the Neo4j server has no Graph Data Science library")
    neo4j_store.create_schema()
    store_web(neo4j_store, 5, LINKS)
    return neo4j_store


def test_a_projection_is_made_once_and_dropped_at_the_end(store):
    with GdsEngine(store) as engine:
        assert projections(store) == []
        engine.hits()
        made = projections(store)
        assert len(made) == 1
        engine.walk()
        engine.components()
        assert projections(store) == made
        view = engine.without(pages=np.arange(5) == 0)
        view.hits()
        assert len(projections(store)) == 2
    assert projections(store) == []
    engine.close()


def test_views_nobody_holds_are_dropped(store):
    with GdsEngine(store) as engine:
        for page in range(4):
            engine.without(pages=np.arange(5) == page).hits()
        assert len(projections(store)) <= 3
        same = np.zeros(5, int)
        engine.without(same_site=same).degrees()
        assert len(projections(store)) <= 3


def test_a_failure_leaves_nothing(store):
    with pytest.raises(ZeroDivisionError), GdsEngine(store) as engine:
        engine.hits()
        raise ZeroDivisionError
    assert projections(store) == []


def test_a_weighted_projection_is_dropped_after_the_walk(store):
    with GdsEngine(store) as engine:
        engine.walk(teleport=np.arange(5.0))
        assert projections(store) == []


SCRIPT = """
import sys, time
from graphdb import open_store
from seedrank.engines.gds import GdsEngine
store = open_store(sys.argv[1])
engine = GdsEngine(store)
engine.hits()
print("projected", flush=True)
if sys.argv[2] == "work":
    engine.hits(1_000)
if sys.argv[2] == "wait":
    time.sleep(600)
"""


def start(store, how):
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, store.url, how], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout.readline() == b"projected\n"
    return process


def test_an_engine_that_nobody_closes_is_closed_at_exit(store):
    process = start(store, "end")
    process.communicate(timeout=120)
    assert process.returncode == 0
    assert projections(store) == []


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_leaves_nothing(store):
    process = start(store, "work")
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=120)
    assert b"KeyboardInterrupt" in error
    assert projections(store) == []


def test_what_a_killed_process_left_is_dropped(store):
    process = start(store, "wait")
    assert len(projections(store)) == 1
    process.kill()
    process.communicate(timeout=120)
    machine = catalog._machine()
    other_machine = "seedrank-0a-ffffffff-1-aa"
    ours = f"seedrank-0a-{machine}-{os.getpid()}-bb"
    for name in (other_machine, ours, "not-ours"):
        store.call("project", {"name": name, "relationships": "LINKS_TO", "concurrency": 1, "job": "test"})
    try:
        with GdsEngine(store) as engine:
            engine.hits()
            assert set(projections(store)) - engine._catalog._names == {other_machine, ours}
    finally:
        for name in (other_machine, ours, "not-ours"):
            assert store.call("drop", {"name": name})
    assert catalog._is_stale(other_machine, True)
    assert not catalog._is_stale("not-ours", True)


def test_a_graph_that_changed(store):
    with GdsEngine(store) as engine:
        engine.hits()
        store.query("CREATE (:Page {id: 5})", write=True)
        with pytest.raises(StoreError, match="was changed meanwhile; repeat the command"):
            engine.hits()
        assert projections(store) == []


def test_pages_without_an_id(store):
    store.query("CREATE (:Page)", write=True)
    with GdsEngine(store) as engine, pytest.raises(StoreError, match="not numbered from 0 to 5"):
        engine.hits()
    assert projections(store) == []


def test_no_gds(store, tmp_path):
    with pytest.raises(StoreError, match=r'Graph Data Science.*engine="native"'):
        GdsEngine(Neo4jStore(store.connection))
    with closing(open_store(str(tmp_path / "web.lbug"), create=True)) as embedded:
        embedded.create_schema()
        with pytest.raises(StoreError, match='engine="native"'):
            GdsEngine(embedded)


def test_too_little_memory_is_told_before_the_work(store, monkeypatch):
    monkeypatch.setattr(catalog, "SMALL", 0)
    with GdsEngine(store) as engine:
        for run in (engine.walk, engine.hits, engine.components):
            run()
        with pytest.raises(GraphError, match=r"needs at least .* GiB .*which has .*db up --heap"):
            engine._catalog.require_projection(10**10, 10**11)
        assert 1 <= engine._catalog.concurrency <= 4


def test_what_takes_hours_is_refused(store, monkeypatch):
    everything = np.ones(5, bool)
    monkeypatch.setattr(expansion, "_ALWAYS", 0)
    monkeypatch.setattr(expansion, "HOUR", 1e-9)
    monkeypatch.setattr(pairs, "HOUR", 1e-9)
    monkeypatch.setattr(engines, "HARMONIC_RATE", 1e-9)
    with GdsEngine(store) as engine:
        for what in (
            lambda: engine.ball_weight(np.ones(5), 2),
            lambda: engine.cocitation(everything, everything),
            lambda: engine.harmonic(),
        ):
            with pytest.raises(GraphError, match='hours in Neo4j; use engine="native"'):
                what()


def test_progress_comes_from_the_server(store, monkeypatch):
    monkeypatch.setattr(catalog, "_POLL_SECONDS", 0.02)
    titles, shares = [], []

    @contextmanager
    def progress(title, total=None):
        titles.append((title, total))
        yield shares.append

    with GdsEngine(store, progress=progress) as engine:
        engine.hits(300)
    assert ("HITS", 100) in titles
    assert all(0 <= share <= 100 for share in shares)


def test_progress_that_fails_does_not_stop_the_work(store, monkeypatch):
    monkeypatch.setattr(catalog, "_POLL_SECONDS", 0.001)
    call = type(store).call

    def without_progress(self, statement, *parameters, **placeholders):
        if statement == "progress":
            raise StoreError("gone")
        return call(self, statement, *parameters, **placeholders)

    monkeypatch.setattr(type(store), "call", without_progress)

    @contextmanager
    def progress(title, total=None):
        yield lambda units: None

    with GdsEngine(store, progress=progress) as engine:
        assert engine.hits(200).authorities.any()


def test_balls_that_overlap_count_a_page_once(store):
    """(0)->(2)<-(1), (2)->(3): the smallest web where ``IN $ids`` with DISTINCT is answered wrongly."""
    store_web(store, 4, {(0, 2), (1, 2), (2, 3)})
    with GdsEngine(store) as engine:
        assert engine.levels(np.array([0, 1]), 2).tolist() == [0, 0, 1, 2]
        np.testing.assert_array_equal(engine.ball_weight(np.ones(4), 2, np.array([0, 1, 0])), [3, 3, 3])


@pytest.mark.parametrize("name", [name for name in cypher.names() if cypher.header(name).store in ("neo4j", "both")])
def test_no_statement_has_the_form_that_neo4j_answers_wrongly(name):
    """DISTINCT over paths of several links from pages given by IN (Neo4j 5.26 drops the DISTINCT)."""
    wanted = set(re.findall(r"\{\{(\w+)\}\}", (cypher.files("cypher") / f"{name}.cypher").read_text("utf-8")))
    text = cypher.statement(name, **dict.fromkeys(wanted, "2"))
    several_links = re.search(r"\[[^]]*\*[^]]*\]|\)\s*\{\d*,\d*\}|\)[+*]", text)
    assert not (several_links and re.search(r"\bIN\s+[$\[]", text) and "DISTINCT" in text)
