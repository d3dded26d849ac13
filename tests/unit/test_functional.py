"""The methods as functions of arrays answer as a workbench does, and as networkx where it has the same."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from scipy import sparse

import seedrank
from seedrank import functional
from seedrank.core.errors import SeedrankError
from seedrank.core.model import Status
from seedrank.graph import WebGraph
from seedrank.graphdb.arrays import MemoryStore

pytestmark = pytest.mark.slow

PAGES = 60
MATRIX = sparse.random_array((PAGES, PAGES), density=0.06, rng=3, format="csr")
MATRIX.setdiag(0)
MATRIX.eliminate_zeros()
LINKS = MATRIX.indptr, MATRIX.indices
WEIGHTS = MATRIX.data.astype(np.float32).astype(np.float64)
SEEDS = [17, 42, 3]


@pytest.fixture(scope="module")
def bench():
    with seedrank.from_scipy(MATRIX) as made:
        yield made


def test_orders_are_those_of_a_workbench(bench):
    for name, order in (
        ("fpr", functional.fpr_order),
        ("bfs", functional.bfs_order),
        ("opic", functional.opic_order),
        ("rankmass", functional.rankmass_order),
    ):
        expected = bench.crawl(name, seeds=SEEDS).table["id"].to_pylist()
        assert order(*LINKS, SEEDS).tolist() == expected, name
        assert order(*LINKS, np.array(SEEDS, np.uint8), limit=5).tolist() == expected[:5]
    weighted = bench.crawl("fpr", seeds=SEEDS, weights="links").table["id"].to_pylist()
    assert functional.fpr_order(*LINKS, SEEDS, WEIGHTS).tolist() == weighted
    assert functional.fpr_order(*LINKS, SEEDS, seed_weights=[1, 1, 9])[0] == 3
    sites = np.arange(PAGES) % 4
    far = functional.fpr_order(*LINKS, SEEDS, sites=sites, inter_site_weight=1000)
    assert sorted(far) == sorted(functional.fpr_order(*LINKS, SEEDS))
    assert far.tolist() != functional.fpr_order(*LINKS, SEEDS).tolist()


def test_ranks_are_those_of_networkx():
    graph = nx.from_scipy_sparse_array(MATRIX, create_using=nx.DiGraph)
    start = dict.fromkeys(SEEDS, 1.0)
    worth = np.isin(np.arange(PAGES), SEEDS)
    for weight, data in ((None, None), ("weight", WEIGHTS)):
        expected = nx.pagerank(graph, weight=weight, tol=1e-13, max_iter=1000)
        assert functional.pagerank(*LINKS, data) == pytest.approx([expected[n] for n in range(PAGES)], abs=1e-7)
        expected = nx.pagerank(graph, weight=weight, personalization=start, tol=1e-13, max_iter=1000)
        found = functional.pagerank(*LINKS, data, personalization=worth)
        assert found == pytest.approx([expected[n] for n in range(PAGES)], abs=1e-7)
    expected = nx.harmonic_centrality(graph)
    assert functional.harmonic(*LINKS) == pytest.approx([expected[n] for n in range(PAGES)])
    hubs, authorities = functional.hits(*LINKS)
    theirs = nx.hits(nx.from_scipy_sparse_array(MATRIX.astype(bool).astype(int), create_using=nx.DiGraph), tol=1e-13)
    for ours, other in zip((hubs, authorities), theirs, strict=True):
        assert ours / ours.sum() == pytest.approx([other[n] for n in range(PAGES)], abs=1e-4)
    hops = nx.multi_source_dijkstra_path_length(graph, set(SEEDS), weight=lambda *_: 1)
    assert functional.hops_from(*LINKS, SEEDS).tolist() == [hops.get(n, -1) for n in range(PAGES)]


def test_seeds_are_those_of_a_workbench(bench):
    value = np.arange(PAGES, dtype=float)
    for depth, method in ((2, "maxweight"), (1, "maxweight")):
        table = bench.seeds(method, k=5, hops=3, depth=depth, value=value, prefer="none").table
        seeds, gains = functional.coverage_maxweight(*LINKS, 5, 3, value, depth=depth)
        assert (seeds.tolist(), gains.tolist()) == (table["id"].to_pylist(), table["gain"].to_pylist())
    table = bench.seeds("greedy", k=5, hops=2, prefer="none").table
    assert functional.coverage_greedy(*LINKS, 5, 2)[0].tolist() == table["id"].to_pylist()
    assert set(functional.coverage_greedy(*LINKS, 2, 1, candidates=[5, 6])[0]) <= {5, 6}


@pytest.mark.parametrize("method", ["rw", "rw-eg"])
def test_frontier_scores_are_those_of_a_workbench(method):
    crawled = np.arange(40)
    impact = np.arange(PAGES, dtype=float)
    source = np.repeat(np.arange(PAGES), np.diff(MATRIX.indptr))
    known = source < 40
    status = np.where(np.arange(PAGES) < 40, Status.CRAWLED, Status.FRONTIER)
    graph = WebGraph.from_links(PAGES, source[known], MATRIX.indices[known], status=status, columns={"clicks": impact})
    with seedrank.Workbench(MemoryStore(graph)) as bench:
        table = bench.frontier(method).table
    scores = (functional.rw if method == "rw" else functional.rw_eg)(*LINKS, crawled, impact)
    assert scores[table["id"].to_numpy()] == pytest.approx(table["score"].to_numpy())


def test_arrays_in_any_order_are_the_same_graph():
    shuffled = sparse.csr_array((MATRIX.data, MATRIX.indices.copy(), MATRIX.indptr), shape=MATRIX.shape)
    for row in range(PAGES):
        begin, end = shuffled.indptr[row : row + 2]
        shuffled.indices[begin:end] = shuffled.indices[begin:end][::-1]
    found = functional.bfs_order(shuffled.indptr, shuffled.indices, SEEDS)
    assert found.tolist() == functional.bfs_order(*LINKS, SEEDS).tolist()
    looped = functional.pagerank([0, 3, 4], [0, 1, 1, 0])
    assert looped == pytest.approx([0.5, 0.5])


def test_arrays_in_order_are_not_copied_or_changed():
    indptr, indices = MATRIX.indptr.astype(np.int64), MATRIX.indices.astype(np.int32)
    assert np.shares_memory(functional._graph(indptr, indices).out_targets, indices)
    indices.flags.writeable = False
    functional.fpr_order(indptr, indices, SEEDS)


@pytest.mark.parametrize(
    ("call", "way_out"),
    [
        (lambda: functional.pagerank(MATRIX, MATRIX), "give matrix.indptr"),
        (lambda: functional.pagerank(MATRIX.indptr[1:], MATRIX.indices), "give matrix.indptr"),
        (lambda: functional.pagerank([0, 1], [5]), "give a square matrix"),
        (lambda: functional.pagerank(*LINKS, damping=1), "0.85 is usual"),
        (lambda: functional.pagerank(*LINKS, [1.0]), "one for each"),
        (lambda: functional.pagerank(*LINKS, personalization=np.zeros(PAGES)), "above 0"),
        (lambda: functional.fpr_order(*LINKS, []), "give whole numbers"),
        (lambda: functional.fpr_order(*LINKS, [0.5]), "give whole numbers"),
        (lambda: functional.fpr_order(*LINKS, [PAGES]), "give rows"),
        (lambda: functional.fpr_order(*LINKS, [1, 1]), "each page once"),
        (lambda: functional.fpr_order(*LINKS, [1], inter_site_weight=2), "give sites"),
        (lambda: functional.coverage_greedy(*LINKS, 0, 2), "at least 1"),
        (lambda: functional.rw(*LINKS, [1], ["x"] * PAGES), "give an array"),
        (lambda: functional.pagerank(*LINKS, damping="x"), "0.85 is usual"),
        (lambda: functional.pagerank(*LINKS, tolerance="x"), "tolerance must be"),
        (lambda: functional.hops_from(*LINKS, [1], most="x"), "a whole number"),
        (lambda: functional.fpr_order(*LINKS, [1], limit="x"), "a whole number"),
        (lambda: functional.fpr_order(*LINKS, [1], sites=[0] * PAGES, inter_site_weight="x"), "inter_site_weight must"),
        (lambda: functional.coverage_greedy(*LINKS, 2.5, 2), "a whole number"),
        (lambda: functional.coverage_greedy(*LINKS, 2, None), "a whole number"),
        (lambda: functional.rw(*LINKS, [1], np.ones(PAGES), beta="x"), "beta must be"),
        (lambda: functional.rw_eg(*LINKS, [1], np.ones(PAGES), omega=2), "omega must be"),
    ],
)
def test_wrong_arrays_are_told_in_a_line(call, way_out):
    with pytest.raises(SeedrankError) as caught:
        call()
    assert way_out in str(caught.value)
