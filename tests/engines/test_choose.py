"""Which engine runs what, and that a run in the database reads no links."""

from __future__ import annotations

import logging
from contextlib import closing

import numpy as np
import pytest

from seedrank.core.errors import StoreError, UsageError
from seedrank.engines.choose import FEW_BALLS, engine_for
from seedrank.engines.gds import names, projection_admin
from seedrank.graphdb import open_store
from seedrank.graphdb.neo4j import Neo4jGdsStore
from tests.engines.stored import projections, store_web
from tests.engines.webs import web_graph

LINKS = {(0, 1), (1, 2), (2, 0), (3, 1), (0, 3)}
ALL = np.ones(5, bool)
CALLS = {
    "degrees": lambda e: e.degrees(),
    "walk": lambda e: e.walk(),
    "hits": lambda e: e.hits(),
    "components": lambda e: e.components(),
    "bfs_hops": lambda e: e.bfs_hops(np.array([0])),
    "ball weights": lambda e: e.ball_weight(np.ones(5), 2, np.array([1])),
    "walk bound": lambda e: e.walk_bound(np.ones(5), 2),
    "co-citation": lambda e: e.cocitation(ALL, ALL),
    "harmonic": lambda e: e.harmonic(),
}
IN_MEMORY = {"walk bound", "co-citation", "harmonic"}


@pytest.fixture
def store(neo4j_store):
    if not isinstance(neo4j_store, Neo4jGdsStore):
        pytest.skip("the Neo4j server has no Graph Data Science library")
    neo4j_store.create_schema()
    store_web(neo4j_store, 5, LINKS)
    yield neo4j_store
    projection_admin.drop(neo4j_store)


@pytest.fixture
def load(store):
    """Reads the graph as the store has it."""

    def read():
        graph = web_graph(5, LINKS)
        graph.version = store.version()
        return graph

    return read


def unread():
    raise AssertionError("the links were read")


def ran(caplog, engine, what):
    """Which engine the log says ran."""
    caplog.clear()
    CALLS[what](engine)
    engine.report()
    (line,) = [record.getMessage() for record in caplog.records if record.name == "seedrank.engines.choose"]
    title, rest = line.split(": ")
    assert title == ("hops" if what == "bfs_hops" else what)
    assert rest.endswith(" s, 5 pages, 5 links")
    return rest.split(",")[0]


@pytest.mark.parametrize("name", ["auto", "gds", "native"])
def test_engine_of_each_primitive(store, load, caplog, name):
    caplog.set_level(logging.DEBUG)
    with engine_for(load, store, name) as engine:
        for what in CALLS:
            expected = name if name != "auto" else "native" if what in IN_MEMORY else "gds"
            assert ran(caplog, engine, what) == expected
    # That of the whole graph stays for the next command.
    assert [names.is_kept(one) for one in projections(store)] == ([] if name == "native" else [True])


def test_many_balls_are_summed_in_memory(store, load, caplog):
    caplog.set_level(logging.DEBUG)
    with engine_for(load, store, "auto") as engine:
        engine.ball_weight(np.ones(5), 2, np.zeros(FEW_BALLS + 1, int))
        engine.report()
    assert "ball weights: native, " in caplog.text


def test_many_calls_are_told_in_one_line(store, load, caplog):
    caplog.set_level(logging.DEBUG)
    with engine_for(load, store, "native") as engine:
        engine.bfs_hops(np.array([0]))
        engine.without(pages=np.arange(5) == 0).bfs_hops(np.array([1]))
    (line,) = [record.getMessage() for record in caplog.records if record.name == "seedrank.engines.choose"]
    assert line.startswith("hops: native, ")
    assert " s in 2 calls, 5 pages, " in line


def test_a_run_in_the_database_reads_no_links(store):
    with engine_for(unread, store) as engine:
        assert (engine.name, engine.pages, engine.links) == ("auto", 5, 5)
        for what in CALLS.keys() - IN_MEMORY:
            CALLS[what](engine)
        view = engine.without(pages=np.arange(5) == 0)
        assert view.links == 2
        view.hits()


def test_views_of_both_engines_agree(store, load):
    with engine_for(load, store) as engine:
        view = engine.without(pages=np.arange(5) == 0, same_site=np.array([0, 1, 1, 2, 2]))
        assert view.links == 1
        assert view.harmonic()[0].tolist() == [0, 1, 0, 0, 0]
        assert view.bfs_hops(np.array([3])).tolist() == [-1, 1, -1, 0, -1]


def test_stores_without_gds(tmp_path):
    with closing(open_store(str(tmp_path / "web.duckdb"), create=True)) as store:
        store.create_schema()
        with engine_for(lambda: web_graph(5, LINKS), store) as engine:
            assert engine.name == "native"
            assert engine.hits().hubs.any()
        with (
            engine_for(lambda: web_graph(5, LINKS), store, "gds") as engine,
            pytest.raises(StoreError, match='engine="native"'),
        ):
            engine.hits()


def test_a_cap_is_worked_out_in_memory(store, load):
    with engine_for(load, store, capped=True) as engine:
        assert engine.name == "native"
    with pytest.raises(UsageError, match="cap_links is worked out in memory"):
        engine_for(load, store, "gds", capped=True)


def test_no_such_engine(store, load):
    with pytest.raises(UsageError, match="unknown engine 'flink'; engines are auto, native, gds, spark"):
        engine_for(load, store, "flink")
