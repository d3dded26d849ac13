"""`--engine gds` works in the server: what is sent there, not read, and refused; and when `auto` leaves it."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest

import seedrank
from seedrank.core.errors import GraphError, StoreError
from seedrank.engines.gds import GdsEngine, expansion, projection_admin, sums
from seedrank.engines.native.engine import NativeEngine
from seedrank.graphdb.neo4j import Neo4jGdsStore
from seedrank.graphdb.neo4j.connection import Connection
from seedrank.loaders.table import TableSource
from tests.engines.stored import store_web
from tests.engines.webs import web_graph

PAGES = 60


@pytest.fixture
def links():
    rng = np.random.default_rng(5)
    ends = rng.integers(0, PAGES, (240, 2))
    return [(int(a), int(b)) for a, b in ends if a != b]


@pytest.fixture
def web(neo4j_store, links, tmp_path, monkeypatch):
    """A store with pages that link at random, and the names of the statements that GDS and the server were sent."""
    if not isinstance(neo4j_store, Neo4jGdsStore):
        pytest.skip("the Neo4j server has no Graph Data Science library")
    for variable in ("XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(variable, str(tmp_path / variable))
    table = tmp_path / "links.tsv"
    table.write_text("source\ttarget\n" + "".join(f"http://s.org/{a}\thttp://s.org/{b}\n" for a, b in links))
    with seedrank.open(neo4j_store.url) as bench:
        bench.load(TableSource(links=[str(table)]))
    yield neo4j_store.url
    projection_admin.drop(neo4j_store)


@pytest.fixture
def sent(monkeypatch):
    counts = Counter()
    call = Neo4jGdsStore.call

    def counted(self, statement, *parameters, **placeholders):
        counts[statement] += 1
        return call(self, statement, *parameters, **placeholders)

    monkeypatch.setattr(Neo4jGdsStore, "call", counted)
    return counts


@pytest.fixture
def no_links(monkeypatch):
    """Reading a link from the server fails."""

    def unread(self, columns=()):
        raise AssertionError("links were read")

    monkeypatch.setattr(Neo4jGdsStore, "read_links", unread)


@pytest.mark.parametrize("balls_by_cypher", [0, 64])
def test_gds_sends_the_greedy_loop_to_the_server(web, sent, no_links, monkeypatch, balls_by_cypher):
    monkeypatch.setattr("seedrank.engines.gds.engine.BALLS_BY_CYPHER", balls_by_cypher)
    with seedrank.open(web, engine="gds") as bench:
        answer = bench.seeds("maxweight", k=3, hops=2)
    assert (answer.run.engine, set(answer.run.engines.values())) == ("gds", {"gds"})
    assert sent["link_sums"] >= 6  # bounds: two hops in each round
    assert sent["view_balls" if balls_by_cypher == 0 else "balls"] >= 3
    assert sent["targets"] >= 6  # what the seeds reach, hop by hop


def test_both_engines_choose_the_same_seeds(web, sent):
    chosen = []
    for engine in ("gds", "native", "auto"):
        with seedrank.open(web, engine=engine) as bench:
            table = bench.seeds("maxweight", k=4, hops=3).table
            chosen.append((table["id"].to_pylist(), table["gain"].to_pylist()))
    assert chosen[0] == chosen[1] == chosen[2]
    assert sent["view_balls"] + sent["balls"] > 0


@pytest.mark.parametrize(
    ("question", "options"),
    [("seeds", {"method": "maxout", "k": 2}), ("rank", {"method": "pagerank"}), ("seeds", {"method": "best", "k": 2})],
)
def test_gds_reads_no_links(web, no_links, question, options):
    with seedrank.open(web, engine="gds") as bench:
        answer = getattr(bench, question)(options.pop("method"), **options)
    assert answer.run.engine == "gds"


def test_what_goes_page_by_page_says_that_links_were_read(web, caplog):
    caplog.set_level("INFO", "seedrank.session")
    with seedrank.open(web, engine="gds") as bench:
        run = bench.crawl("bfs", seeds="pagerank:1").run
    assert "native, links read from Neo4j (" in run.engine and "gds (" in run.engine
    assert "links are read from" in caplog.text


def test_auto_stays_in_memory_once_the_arrays_are_there(web, sent):
    with seedrank.open(web) as bench:
        assert bench.rank("pagerank").run.engine == "gds"
        assert bench.seeds("maxweight", k=2).run.engine == "native, links read from Neo4j"
        sent.clear()
        assert bench.rank("hits").run.engine == "native, links read from Neo4j"
    with seedrank.open(web) as bench:  # they are kept for the next command
        assert bench.rank("pagerank").run.engine == "native, links read from Neo4j"
    assert not sent


def test_rounds_that_would_take_hours_are_refused_before_the_first(web, sent, monkeypatch):
    monkeypatch.setattr(sums, "HOUR", 2e-3)
    with seedrank.open(web, engine="gds") as bench:
        with pytest.raises(GraphError, match=r'10 sums over \d+ links .* hours in Neo4j; use engine="native"'):
            bench.seeds("maxweight", k=3, hops=2)
        bench.seeds("outdegree", k=3)
    assert not sent["view_balls"] + sent["balls"]


@pytest.mark.parametrize("seed", range(3))
def test_a_bound_from_drawn_pages_holds_and_is_tighter_than_that_of_walks(neo4j_store, seed):
    if not isinstance(neo4j_store, Neo4jGdsStore):
        pytest.skip("the Neo4j server has no Graph Data Science library")
    neo4j_store.create_schema()
    rng = np.random.default_rng(seed)
    pages = 400
    links = {(int(a), int(b)) for a, b in rng.integers(0, pages, (4_800, 2)) if a != b}
    store_web(neo4j_store, pages, links)
    weight = rng.exponential(size=pages) * (rng.random(pages) < 0.7)
    whole = NativeEngine(web_graph(pages, links))
    gone = rng.random(pages) < 0.2
    with GdsEngine(neo4j_store) as engine:
        for ours, native in ((engine, whole), (engine.without(pages=gone), whole.without(pages=gone))):
            for hops in (0, 1, 3):
                exact, bound = native.ball_weight(weight, hops), ours.ball_bound(weight, hops)
                assert (bound >= exact).all()
            far = exact > weight.sum() / 4
            assert far.any() and (bound[far] < 1.5 * exact[far]).all()
            assert np.median(native.walk_bound(weight, 3)[far] / exact[far]) > 1.5
        np.testing.assert_array_equal(engine.ball_bound(np.zeros(pages), 2), np.zeros(pages))
    assert expansion.SAMPLED == 2_048


def test_a_reader_can_ask_everything(web, monkeypatch):
    """Questions ask for sessions that read, also where GDS projects: a role that may not write is let in."""
    modes = []
    opened = Connection._session

    def noted(self, mode="WRITE"):
        modes.append(mode)
        return opened(self, mode)

    monkeypatch.setattr(Connection, "_session", noted)
    for engine in ("gds", "native"):
        with seedrank.open(web, engine=engine) as bench:
            bench.rank("pagerank")
            bench.rank("hits", iterations=2)
            bench.seeds("maxweight", k=2, hops=2)
            bench.query("MATCH (p:Page) RETURN count(p)")
            bench.stats()
        modes.append(engine)
    checked = {"gds", "native", "READ"}
    assert set(modes) <= checked, [mode for mode in modes if mode not in checked]


def test_what_breaks_a_constraint_is_said_in_full(web):
    store = seedrank.open(web).store
    with pytest.raises(StoreError) as refused:
        store.connection.auto_commit("MATCH (p:Page) SET p.same = 1")
        store.connection.auto_commit("CREATE CONSTRAINT same FOR (p:Page) REQUIRE p.same IS UNIQUE")
    store.close()
    assert re.search(r"Both Node\(\d+\) and Node\(\d+\) have the label", str(refused.value))
    assert "\n" not in str(refused.value)
