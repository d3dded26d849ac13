"""Distances between crawled pages, by searches and by HyperBall, against networkx; and stats as a question."""

from __future__ import annotations

import tracemalloc
from collections import Counter

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import seedrank
from seedrank.core.errors import UsageError
from seedrank.engines.native.engine import NativeEngine
from seedrank.experiments import graph_stats
from seedrank.experiments.graph_stats import distances_of
from seedrank.graph import WebGraph
from seedrank.ingest.synthetic import WebSpec, write_graph
from seedrank.methods.stats import Stats
from seedrank.questions.graph import StatsQuestion

pytestmark = pytest.mark.slow

FRONTIER, CRAWLED = 0, 2


def plain(graph: WebGraph) -> Counter[int]:
    """Ordered pairs of two crawled pages at each distance, by networkx."""
    whole = nx.DiGraph()
    whole.add_nodes_from(range(graph.pages))
    for page in range(graph.pages):
        targets = graph.out_targets[graph.out_offsets[page] : graph.out_offsets[page + 1]]
        whole.add_edges_from((page, int(target)) for target in targets)
    crawled = np.flatnonzero(graph.status == CRAWLED).tolist()
    lengths = dict(nx.all_pairs_shortest_path_length(whole))
    return Counter(lengths[u][v] for u in crawled for v in crawled if u != v and v in lengths[u])


def plain_effective(at: Counter[int]) -> float:
    """90 % of the pairs, from one whole distance to the next in proportion."""
    wanted, within = 0.9 * at.total(), 0
    for distance in range(1, max(at) + 1):
        if within + at[distance] >= wanted:
            return distance - 1 + (wanted - within) / at[distance]
        within += at[distance]
    raise AssertionError


def random_web(pages: int, links: int, seed: int, crawled: float = 1.0) -> WebGraph:
    rng = np.random.default_rng(seed)
    status = np.where(rng.random(pages) < crawled, CRAWLED, FRONTIER)
    return WebGraph.from_links(pages, rng.integers(0, pages, links), rng.integers(0, pages, links), status=status)


@settings(max_examples=60)
@given(st.integers(1, 30), st.integers(0, 60), st.integers(0, 10**6), st.sampled_from([0.3, 0.8, 1.0]))
def test_searches_are_exact(pages, links, seed, crawled):
    graph = random_web(pages, links, seed, crawled)
    at, found = plain(graph), distances_of(graph)
    count = int((graph.status == CRAWLED).sum())
    assert (found.method, found.n) == ("all searches", count)
    if count < 2:
        assert found.reachable is found.mean is None
        return
    assert found.reachable == pytest.approx(at.total() / (count * (count - 1)))
    if not at:
        assert found.mean is found.effective_diameter is None
        return
    mean = sum(distance * pairs for distance, pairs in at.items()) / at.total()
    assert (found.mean, found.mean_low, found.mean_high) == pytest.approx((mean, mean, mean))
    assert found.effective_diameter == pytest.approx(plain_effective(at))


def test_exact_distances_take_no_resamples():
    """Once 1,999 float64 a page, for an interval that nobody asked for."""
    pages = 2_000
    reached, sums, at = np.full(pages, 2), np.arange(pages), np.array([pages, pages])
    tracemalloc.start()
    try:
        found = graph_stats._distances("all searches", "crawled pages", reached, sums, at, pages - 1)
        assert tracemalloc.get_traced_memory()[1] < 8 * 100 * pages
    finally:
        tracemalloc.stop()
    assert found.mean == found.mean_low == found.mean_high == sums.sum() / (2 * pages)


@settings(max_examples=60)
@given(st.integers(2, 30), st.integers(0, 90), st.integers(0, 10**6))
def test_searches_from_some_pages(pages, links, seed):
    graph = random_web(pages, links, seed, 0.7)
    sources = np.arange(0, pages, 3)
    counted = graph.status == CRAWLED
    reached, sums, at = NativeEngine(graph).distances(sources, counted)
    engine = NativeEngine(graph)
    every: Counter[int] = Counter()
    for k, source in enumerate(sources):
        levels = engine.bfs_hops(np.array([source]))
        levels = levels[counted & (levels > 0)]
        assert (reached[k], sums[k]) == (len(levels), levels.sum())
        every.update(levels.tolist())
    assert at.tolist() == [every[distance] for distance in range(1, len(at) + 1)]


@pytest.mark.parametrize(("pages", "links", "crawled"), [(700, 2_800, 1.0), (700, 2_000, 0.8), (700, 900, 1.0)])
def test_hyperball_agrees_with_searches_and_networkx(pages, links, crawled):
    graph = random_web(pages, links, 5, crawled)
    at = plain(graph)
    mean = sum(distance * pairs for distance, pairs in at.items()) / at.total()
    exact, estimate = distances_of(graph, method="searches"), distances_of(graph, method="hyperball")
    assert exact.mean == pytest.approx(mean)
    assert exact.effective_diameter == pytest.approx(plain_effective(at))
    assert (estimate.method, estimate.n, estimate.unit) == ("hyperball", graph_stats.RUNS, "hash functions")
    assert estimate.mean == pytest.approx(mean, rel=0.03)
    assert estimate.effective_diameter == pytest.approx(exact.effective_diameter, rel=0.05)
    assert estimate.reachable == pytest.approx(exact.reachable, rel=0.15)
    assert estimate.mean_low < estimate.mean < estimate.mean_high


def test_intervals_of_hyperball_cover(monkeypatch):
    """Over hash functions, on one graph: 95 % of 60 intervals, less what chance may take (at least 51)."""
    graph = random_web(800, 2_400, 9)
    exact = distances_of(graph, method="searches")
    found = [distances_of(graph, rng, method="hyperball") for rng in range(60)]
    assert sum(one.mean_low <= exact.mean <= one.mean_high for one in found) >= 51
    assert sum(one.reachable_low <= exact.reachable <= one.reachable_high for one in found) >= 51


def test_intervals_of_sampled_searches_cover(monkeypatch):
    graph = random_web(800, 2_400, 9)
    exact = distances_of(graph)
    monkeypatch.setattr(graph_stats, "WORK", 3_200 * 200)
    found = [distances_of(graph, rng) for rng in range(60)]
    assert {(one.method, one.n, one.unit) for one in found} == {("sampled searches", 200, "crawled pages")}
    assert sum(one.mean_low <= exact.mean <= one.mean_high for one in found) >= 51
    assert sum(one.reachable_low <= exact.reachable <= one.reachable_high for one in found) >= 51
    assert np.mean([one.effective_diameter for one in found]) == pytest.approx(exact.effective_diameter, rel=0.02)


def test_the_size_of_the_graph_decides(monkeypatch):
    graph = random_web(800, 2_400, 9)
    cost = graph.pages + graph.links
    for work, method in ((800 * cost, "all searches"), (799 * cost, "sampled searches"), (99 * cost, "hyperball")):
        monkeypatch.setattr(graph_stats, "WORK", work)
        assert distances_of(graph).method == method


def test_a_path_by_hand():
    found = distances_of(WebGraph.from_links(3, [0, 1], [1, 2]))
    assert (found.mean, found.reachable) == (pytest.approx(4 / 3), pytest.approx(0.5))
    assert found.effective_diameter == pytest.approx(1.7)  # two of three pairs within 1, and 0.7 of the third


def test_long_paths():
    pages = 3_000
    found = distances_of(WebGraph.from_links(pages, np.arange(pages - 1), np.arange(1, pages)))
    assert found.mean == pytest.approx((pages + 1) / 3)


# -- stats as a question


@pytest.fixture(scope="module")
def web(tmp_path_factory) -> str:
    folder = tmp_path_factory.mktemp("stats") / "web"
    write_graph(WebSpec(pages=500, rng=2), folder)
    return str(folder)


def test_stats_are_a_question_that_is_not_kept(web):
    with seedrank.open(web) as bench:
        stats = bench.stats()
        run, table = bench.ask(StatsQuestion())
        assert bench.runs() == []
    values = dict(zip(table["name"].to_pylist(), table["value"].to_pylist(), strict=True))
    assert values["pages"] == stats.pages == 500
    assert values["out_degree.p90"] == stats.out_degree.p90
    assert values["weighted"] == stats.weighted
    assert stats.distances is None
    assert not any(name.startswith("distances") for name in values)
    assert run.method == "stats"
    assert run.kind == "table"
    assert Stats.read(run.facts) == stats


def test_stats_with_distances(web):
    with seedrank.open(web) as bench:
        stats = bench.stats(distances=True)
        answer = bench.ask(StatsQuestion(distances=True))
        graph = bench.graph
    at = plain(graph)
    assert stats.distances.effective_diameter == pytest.approx(plain_effective(at))
    values = dict(zip(*(answer.table[name].to_pylist() for name in ("name", "value")), strict=True))
    assert values["distances.mean"] == stats.distances.mean
    assert Stats.read(answer.facts) == stats


def test_what_stats_does_not_know_is_refused(web):
    with seedrank.open(web) as bench, pytest.raises(UsageError, match="stats"):
        bench.stats(diameter=True)
