"""The same crawl from every store: the order does not depend on where the graph is kept."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from seedrank.api.workbench import Workbench
from seedrank.graph import WebGraph
from seedrank.graphdb.store import Database
from seedrank.methods.crawl.methods import CRAWL
from seedrank.methods.crawl.simulate import Budget, simulate
from seedrank.questions.crawl import CrawlQuestion
from tests.stores import graphs

PAGES, HOSTS = 40, ("a.example", "b.example", "c.test")


@pytest.fixture(scope="module")
def web() -> graphs.Graph:
    random = np.random.default_rng(3)
    pages = [
        {"id": page, "url": f"http://{HOSTS[page % 3]}/{page}", "source_id": None, "host": HOSTS[page % 3],
         "status": ("crawled", "crawled", "frontier", "missing")[min(page % 7, 3) if page > 5 else 0],
         "clicks": float(page * page % 11)}
        for page in range(PAGES)
    ]  # fmt: skip
    linking = [page["id"] for page in pages if page["status"] == "crawled"]
    pairs = sorted({(int(a), int(b)) for a in linking for b in random.integers(0, PAGES, 5) if a != b})
    links = [{"source": a, "target": b, "weight": 1.0, "anchors": None} for a, b in pairs]
    hosts = [{"name": name, "pages": sum(page["host"] == name for page in pages)} for name in HOSTS]
    return graphs.Graph(pages=pages, links=links, hosts=hosts, page_columns={"clicks": pa.float64()})


def in_memory(web: graphs.Graph) -> WebGraph:
    status = {"frontier": 0, "missing": 1, "crawled": 2}
    return WebGraph.from_links(
        PAGES,
        np.array([link["source"] for link in web.links]),
        np.array([link["target"] for link in web.links]),
        status=np.array([status[page["status"]] for page in web.pages]),
        host=np.array([HOSTS.index(page["host"]) for page in web.pages]),
        host_names=HOSTS,
        columns={"clicks": np.array([page["clicks"] for page in web.pages])},
    )


def test_every_order(database: Database, web: graphs.Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    database.apply(graphs.everything(web), graphs.load("crawl"))
    bench = Workbench(database)
    graph = in_memory(web)
    seeds = np.array([0, 3])
    (tmp_path / "seeds.txt").write_text("http://a.example/0\nhttp://a.example/3\n")
    for name in CRAWL.names:
        question = CrawlQuestion(order=name, inter_host_weight=20 if name == "fpr" else 1, limit=30)
        run, table = bench.crawl(question, seeds=tmp_path / "seeds.txt")
        expected = simulate(graph, _policy(question, graph, seeds), seeds, site=graph.host, budget=Budget(pages=30))
        assert table["id"].to_pylist() == expected.pages.tolist(), name
        assert table["score"].to_pylist() == expected.scores.tolist(), name
        assert run.facts["pages"] == len(expected.pages)


def _policy(question: CrawlQuestion, graph: WebGraph, seeds: np.ndarray):
    from seedrank.engines.native.engine import NativeEngine
    from seedrank.graph.levels import site_of
    from seedrank.methods.crawl.orders import CrawlProblem, policy_of

    pagerank = NativeEngine(graph).walk().scores
    domains = site_of(graph, "domain")
    return policy_of(
        CrawlProblem(
            question, graph, seeds.astype(np.uint32), lambda: domains, lambda: pagerank, lambda: NativeEngine(graph)
        )
    )
