"""Where crawls begin: `crawl --seeds pagerank:N` and `seeds pagerank` are one choice."""

from __future__ import annotations

import numpy as np
import pytest

import seedrank
from seedrank.core import resources
from seedrank.core.errors import GraphError
from seedrank.engines.native.engine import NativeEngine
from seedrank.graph import WebGraph
from seedrank.graphdb.arrays import ArrayStore
from seedrank.ingest.synthetic import WebSpec, write_graph
from seedrank.methods.crawl.starts import best_pages, start_pages
from seedrank.session import Session


@pytest.fixture(scope="module")
def web(tmp_path_factory):
    folder = tmp_path_factory.mktemp("starts") / "web"
    write_graph(WebSpec(pages=2_000, rng=5), folder, urls=True)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 7, 160, 5_000])
def test_pagerank_seeds_of_a_crawl_are_those_of_the_seeds_method(web, count):
    with seedrank.open(str(web)) as bench:
        _, table = bench.seeds("pagerank", k=count, hops=0)
        start = start_pages(bench.session, f"pagerank:{count}")
        pages = start.pages
        assert pages.tolist() == table["id"].to_pylist()
        assert start.facts == {"seeds": len(pages)}
        _, order = bench.crawl("bfs", limit=len(pages), seeds=f"pagerank:{count}")
        assert order["id"].to_pylist() == pages.tolist()


def test_ties_go_to_the_smaller_id():
    """Nine pages of a ring have the same PageRank, whichever way the few best are found."""
    ring = np.arange(9)
    graph = WebGraph.from_links(9, ring, (ring + 1) % 9)
    session = Session(ArrayStore(graph, "memory"))
    assert best_pages(session, 2).tolist() == [0, 1]
    assert best_pages(session, 9).tolist() == list(range(9))


def test_no_crawled_page_no_seeds():
    session = Session(ArrayStore(WebGraph.from_links(3, [0], [1], status=np.zeros(3, np.int8)), "memory"))
    with pytest.raises(GraphError, match="no page is crawled, so there are no seeds"):
        start_pages(session, "pagerank:2")


@pytest.mark.slow
def test_a_graph_whose_in_links_do_not_fit_is_ranked_without_them(web, monkeypatch):
    with seedrank.open(str(web)) as bench:
        usual = bench.session.pagerank
        seeds = best_pages(bench.session, 20).tolist()
    for file in web.glob("in_*.npy"):
        file.unlink()
    monkeypatch.setattr(resources, "free_memory", lambda: 1_000)
    monkeypatch.setattr(resources, "_NOT_WORTH_ASKING", 0)
    with seedrank.open(str(web)) as bench:
        assert bench.session.pagerank == pytest.approx(usual, abs=1e-11)
        assert best_pages(bench.session, 20).tolist() == seeds
        bench.crawl(limit=50, seeds="pagerank:20")
    assert not list(web.glob("in_*.npy"))


def test_pagerank_is_worked_out_once(web, monkeypatch):
    calls, walk = [], NativeEngine.walk
    monkeypatch.setattr(NativeEngine, "walk", lambda self, *a, **k: calls.append(1) or walk(self, *a, **k))
    with seedrank.open(str(web)) as bench:
        bench.seeds("pagerank", k=3, hops=0)
        bench.crawl("omniscient", limit=50, seeds="pagerank:20")
    assert len(calls) == 1
