"""What the gds engine leaves in the server (nothing), and when it refuses."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import closing, contextmanager

import numpy as np
import pytest

from seedrank import cypher
from seedrank.core.errors import GraphError, StoreError
from seedrank.engines.gds import GdsEngine, calls, catalog, expansion, names, pairs, projection_admin, sums
from seedrank.engines.gds import engine as engines
from seedrank.engines.gds.catalog import Projection
from seedrank.engines.native.engine import NativeEngine
from seedrank.graphdb import open_store
from seedrank.graphdb.neo4j import Neo4jGdsStore, Neo4jStore
from tests.engines.stored import projections, store_web
from tests.engines.webs import web_graph

LINKS = {(0, 1), (1, 2), (2, 0), (3, 1), (0, 3)}


@pytest.fixture
def store(neo4j_store):
    if not isinstance(neo4j_store, Neo4jGdsStore):
        pytest.skip("the Neo4j server has no Graph Data Science library")
    neo4j_store.create_schema()
    projection_admin.drop(neo4j_store)  # what commands in other tests left
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


def test_a_projection_that_is_kept_serves_the_next_engine(store):
    with GdsEngine(store, keep=True) as first:
        hubs = first.hits().hubs
        first.walk()
        first.without(same_site=np.array([0, 0, 1, 1, 1])).hits()
        first.without(pages=np.arange(5) == 0).hits()
        first.reversed().hits()
    kept_ones = projections(store)
    assert len(kept_ones) == 3  # that without some pages belongs to the engine
    with GdsEngine(store, keep=True) as second:
        np.testing.assert_array_equal(second.hits().hubs, hubs)
        second.walk()
        second.without(same_site=np.array([0, 0, 1, 1, 1])).hits()
        second.without(same_site=np.array([0, 0, 0, 1, 1])).hits()
    assert len(projections(store)) == 4
    assert set(kept_ones) < set(projections(store))
    assert projection_admin.drop(store).num_rows == 4
    assert projections(store) == []


@pytest.mark.parametrize(
    "change",
    [
        "MATCH (:Page {id: 0})-[r:LINKS_TO]->(:Page {id: 3}) SET r.weight = 7.0",
        "CREATE (:Note)",
        "MATCH (n) SET n.x = 1",
    ],
)
def test_whatever_is_written_makes_a_new_projection(store, change, monkeypatch):
    """Also by programs that do not count their changes: the version of the graph stays the same then."""
    with GdsEngine(store, keep=True, weighted=True) as engine:
        engine.walk()
    before = projections(store)
    monkeypatch.setattr(names, "IN_USE_MINUTES", 0)
    store.connection.rows(change, {}, write=True)
    with GdsEngine(store, keep=True, weighted=True) as engine:
        scores = engine.walk().scores
    after = projections(store)
    assert len(after) == 1 and after != before
    with GdsEngine(store, weighted=True) as engine:
        np.testing.assert_array_equal(engine.walk().scores, scores)
    projection_admin.drop(store)


def test_what_is_old_is_dropped(store, monkeypatch):
    with GdsEngine(store, keep=True) as engine:
        engine.hits()
    monkeypatch.setattr(names, "KEPT_MINUTES", 0)
    with GdsEngine(store) as engine:
        engine.hits()
    assert projections(store) == []


def test_a_projection_that_another_command_drops_is_made_again(store):
    with GdsEngine(store, keep=True) as engine:
        before = engine.hits()
        projection_admin.drop(store)
        np.testing.assert_array_equal(engine.hits().hubs, before.hubs)
        assert engine.walk().converged
    projection_admin.drop(store)


def test_one_that_was_made_while_somebody_wrote_does_not_stay(store, monkeypatch):
    call = type(store).call

    def written_meanwhile(self, statement, *parameters, **placeholders):
        if statement == "project":
            store.connection.rows("CREATE (:Note)", {}, write=True)
        return call(self, statement, *parameters, **placeholders)

    monkeypatch.setattr(type(store), "call", written_meanwhile)
    with GdsEngine(store, keep=True) as engine:
        engine.hits()
        assert len(projections(store)) == 1
    assert projections(store) == []


def test_what_others_project_stays(store, seedrank_command):
    store.call("project", {"name": "not-ours", "links": {}, "concurrency": 1, "job": "test"})
    try:
        seedrank_command("rank", "pagerank", "--engine", "gds")
        [row] = seedrank_command("db", "projections", "--format", "json")
        assert (row["nodes"], row["links"], row["graph"]) == (5, 5, store.version())
        assert row["bytes"] > 0 and 0 <= row["minutes"] < 30
        [gone] = seedrank_command("db", "projections", "--drop", "--format", "json")
        assert gone["name"] == row["name"]
        assert projections(store) == []
    finally:
        assert store.call("drop", {"name": "not-ours"})


@pytest.fixture
def seedrank_command(store):
    """A command on the store, in a process of its own; its rows."""

    def run(*words):
        command = [sys.executable, "-m", "seedrank.cli.main", "--store", store.url, *words]
        written = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        return [json.loads(line) for line in written.splitlines()]

    return run


SCRIPT = """
import logging, sys, time
import numpy as np
from seedrank.graphdb import open_store
from seedrank.engines.gds import GdsEngine
logging.basicConfig()
store = open_store(sys.argv[1])
engine = GdsEngine(store)
engine.hits()
print("projected", flush=True)
if sys.argv[2] == "work":
    engine.hits(1_000)
if sys.argv[2] == "long":
    engine.hits(2_000)
if sys.argv[2] == "expand":
    nodes = engine._made.nodes_of(np.zeros(1_000_000, int))
    engine._catalog.run("view_balls", name=engine._made.name, nodes=nodes, hops=2)
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


def jobs_of(store):
    """Ids of our jobs whose transactions are there, ended ones that still work too."""
    shown = (
        "SHOW TRANSACTIONS YIELD parameters AS given WHERE given.job STARTS WITH 'seedrank-' RETURN given.job AS job"
    )
    return [job for [job] in store.connection.rows(shown, {}, write=False, auto=True)[1]]


def interrupted(store, how):
    """A process that got Ctrl-C while the server worked for it; what it wrote to standard error."""
    process = start(store, how)
    deadline = time.monotonic() + 60
    while not jobs_of(store):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    error = process.communicate(timeout=120)[1].decode()
    assert "KeyboardInterrupt" in error
    return error


def wait_for_jobs(store, seconds):
    """Until the server works for nobody; a transaction is listed for a moment after its statement has ended."""
    deadline = time.monotonic() + seconds
    while jobs_of(store):
        assert time.monotonic() < deadline
        time.sleep(0.1)


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_ends_a_statement_on_the_server(store):
    """Left alone, the statement would go on for a minute or more."""
    error = interrupted(store, "expand")
    assert "told to stop" not in error
    wait_for_jobs(store, 15)
    assert projections(store) == []


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_tells_of_work_that_goes_on(store):
    """HITS does not listen, and goes on to its last iteration: it is there where the message says, or is over."""
    error = interrupted(store, "long")
    told = re.search(r"HITS was told to stop.*gds\.listProgress\('(seedrank-\w+)'\)", error)
    if told is not None:
        assert set(jobs_of(store)) <= {told[1]}, error
    if told is None or not store.call("progress", {"job": told[1]}):
        wait_for_jobs(store, 15)
    assert projections(store) == []
    wait_for_jobs(store, 600)  # the server is needed by other tests


def test_what_a_killed_process_left_is_dropped(store):
    process = start(store, "wait")
    assert len(projections(store)) == 1
    process.kill()
    process.communicate(timeout=120)
    machine = names.machine()
    other_machine = "seedrank-0a-ffffffff-1-aa"
    ours = f"seedrank-0a-{machine}-{os.getpid()}-bb"
    for name in (other_machine, ours, "not-ours"):
        store.call("project", {"name": name, "links": {}, "concurrency": 1, "job": "test"})
    try:
        with GdsEngine(store) as engine:
            engine.hits()
            assert set(projections(store)) - engine._catalog._names == {other_machine, ours}
    finally:
        for name in (other_machine, ours, "not-ours"):
            assert store.call("drop", {"name": name})
    now = {"version": "0a", "state": "1"}
    assert names.is_stale(other_machine, 24 * 60 + 1, **now)
    assert not names.is_stale("not-ours", 24 * 60 + 1, **now)


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
    with closing(open_store(str(tmp_path / "web.duckdb"), create=True)) as embedded:
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
    monkeypatch.setattr(sums, "HOUR", 1e-9)
    monkeypatch.setattr(pairs, "HOUR", 1e-9)
    monkeypatch.setattr(engines, "HARMONIC_RATE", 1e-9)
    with GdsEngine(store) as engine:
        for what in (
            lambda: engine.ball_weight(np.ones(5), 2),
            lambda: engine.walk_bound(np.ones(5), 2),
            lambda: engine.cocitation(everything, everything),
            lambda: engine.harmonic(),
        ):
            with pytest.raises(GraphError, match='hours in Neo4j; use engine="native"'):
                what()


def test_progress_comes_from_the_server(store, monkeypatch):
    monkeypatch.setattr(calls, "_POLL_SECONDS", 0.02)
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
    monkeypatch.setattr(calls, "_POLL_SECONDS", 0.001)
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


@pytest.mark.parametrize("seed", range(6))
def test_statements_on_the_server_give_what_links_in_memory_give(store, seed):
    """Balls by Cypher, or in the projection that a walk left."""
    rng = np.random.default_rng(seed)
    pages = 12
    links = {(int(a), int(b)) for a, b in rng.integers(0, pages, (30, 2)) if a != b}
    store_web(store, pages, links)
    weight, some, flags = rng.normal(size=pages), rng.integers(0, pages, 5), rng.random(pages) < 0.4
    site = rng.integers(-1, 3, pages)
    with GdsEngine(store) as engine:
        if seed % 2:
            engine.walk()
        whole = NativeEngine(web_graph(pages, links))
        for ours, native in (
            (engine, whole),
            (engine.without(pages=flags), whole.without(pages=flags)),
            (engine.without(same_site=site).reversed(), whole.without(same_site=site).reversed()),
            (engine.without(between_sites=site), whole.without(between_sites=site)),
        ):
            for hops in range(4):
                np.testing.assert_allclose(
                    ours.ball_weight(weight, hops), native.ball_weight(weight, hops), rtol=1e-12, atol=1e-12
                )
                np.testing.assert_allclose(
                    ours.ball_weight(weight, hops, some), native.ball_weight(weight, hops, some), rtol=1e-12, atol=1e-12
                )
                bound = ours.walk_bound(weight, hops)
                np.testing.assert_allclose(bound, native.walk_bound(weight, hops), rtol=1e-9)
                assert (bound >= ours.ball_weight(weight, hops)).all()
                assert (ours.ball_bound(weight, hops) >= ours.ball_weight(weight, hops)).all()
                np.testing.assert_array_equal(ours.bfs_hops(some, hops), native.bfs_hops(some, hops))
            np.testing.assert_array_equal(ours.links_into(flags), native.links_into(flags))


def test_balls_that_overlap_count_a_page_once(store, monkeypatch):
    """(0)->(2)<-(1), (2)->(3): the smallest web where ``IN $ids`` with DISTINCT is answered wrongly."""
    store_web(store, 4, {(0, 2), (1, 2), (2, 3)})
    with GdsEngine(store) as engine:
        assert engine.bfs_hops(np.array([0, 1]), 2).tolist() == [0, 0, 1, 2]
        np.testing.assert_array_equal(engine.ball_weight(np.ones(4), 2, np.array([0, 1, 0])), [3, 3, 3])


def test_no_statement_has_the_form_that_neo4j_answers_wrongly():
    """DISTINCT over paths of several links from pages given by IN (Neo4j 5.26 drops the DISTINCT)."""
    for name in cypher.names():
        source = (cypher.files("seedrank.cypher") / f"{name}.cypher").read_text("utf-8")
        text = cypher.statement(name, **dict.fromkeys(re.findall(r"\{\{(\w+)\}\}", source), "2"))
        several_links = re.search(r"\[[^]]*\*[^]]*\]|\)\s*\{\d*,\d*\}|\)[+*]", text)
        assert not (several_links and re.search(r"\bIN\s+[$\[]", text) and "DISTINCT" in text), name


def test_a_node_that_came_later_is_refused() -> None:
    """A projection that was made again may hold more than the engine knows: no page takes another's value."""
    known = Projection("x", 3, 1, np.array([10, 30, 20]))
    assert known.pages_of([20, 10]).tolist() == [2, 0]
    for later in ([15], [40], [10, 5]):
        with pytest.raises(StoreError, match="changed meanwhile"):
            known.pages_of(later)
