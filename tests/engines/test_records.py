"""The record of an answer says where each primitive ran."""

from __future__ import annotations

import pytest

import seedrank
from seedrank.graphdb.neo4j import Neo4jGdsStore
from seedrank.loaders.table import TableSource

LINKS = "source\ttarget\n" + "".join(
    f"http://{a}.org/\thttp://{b}.org/\n" for a, b in ("ab", "bc", "ca", "da", "ad", "be")
)


@pytest.fixture
def web(tmp_path, monkeypatch):
    """A file of links; answers and arrays of servers go below the test's folder."""
    for variable in ("XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(variable, str(tmp_path / variable))
    path = tmp_path / "links.tsv"
    path.write_text(LINKS)
    return path


def loaded(bench, web):
    bench.load(TableSource(links=[str(web)]))
    return bench


@pytest.fixture
def on_neo4j(neo4j_store, web):
    if not isinstance(neo4j_store, Neo4jGdsStore):
        pytest.skip("the Neo4j server has no Graph Data Science library")
    with loaded(seedrank.open(neo4j_store.url), web) as bench:
        yield bench


def test_an_answer_on_neo4j_says_where_it_was_worked_out(on_neo4j):
    run, _ = on_neo4j.rank("pagerank")
    assert (run.engine, run.engines) == ("gds", {"walk": "gds"})
    run, _ = on_neo4j.rank("pagerank", level="host")
    assert (run.engine, run.engines) == ("gds", {"walk": "gds"})
    run, _ = on_neo4j.seeds("maxout", k=2, save=True)
    assert run.engines == dict.fromkeys(("links_into", "ball_weight", "bfs_hops", "walk_bound"), "native")
    assert run.engine == "native, links read from Neo4j"
    assert run.asked_engine == "auto"
    kept = on_neo4j.runs()[-1]
    assert (kept.id, kept.engine, kept.engines) == (run.id, run.engine, run.engines)
    held = on_neo4j.query("MATCH (r:Run) RETURN r.engine AS engine")
    assert held["engine"].to_pylist() == [run.engine]

    # What ran for one answer is not told of the next.
    run, _ = on_neo4j.crawl("bfs", seeds="pagerank:1")
    assert run.engines["crawl"] == "native"
    run, _ = on_neo4j.experiment("cores", quick=True)
    assert run.engines["hits"] == "native"


@pytest.mark.parametrize("engine", ["auto", "native"])
def test_an_answer_on_an_embedded_store_is_native(tmp_path, web, engine):
    with loaded(seedrank.open(str(tmp_path / "web.duckdb"), create=True, engine=engine), web) as bench:
        run, _ = bench.seeds("maxout", k=2)
        assert (run.engine, run.engines) == (
            "native",
            dict.fromkeys(("links_into", "ball_weight", "bfs_hops", "walk_bound"), "native"),
        )
        assert run.asked_engine == engine
        run, _ = bench.frontier("indegree")
        assert run.engine == "native"
        run, _ = bench.experiment("cores", quick=True)
        assert (run.engine, run.engines["hits"]) == ("native", "native")
