"""`seedrank.functional` beside networkx and scikit-network: the same arrays, one process, runs that take turns.

Errors of PageRank are L1 against a precise solution. scikit-network's power iteration leaves what dangling pages hold
out; its solver RH spreads it as ours and networkx do. networkx's graph is built beforehand.
"""

from __future__ import annotations

from collections.abc import Callable

import networkx as nx
import numpy as np
from scipy import sparse
from sknetwork.path import get_distances
from sknetwork.ranking import HITS, Closeness, PageRank

from benchmarks.common import race, web_notredame
from benchmarks.crawl import plain_fpr
from seedrank import functional

K, HOPS = 10, 2
SMALL = 4_000
"""Pages, the first ones, of the graph of exact harmonic centrality and of greedy coverage."""


def line(name: str, times: dict[str, float], note: str = "") -> None:
    ours = times.pop("seedrank")
    peers = "; ".join(f"{peer} {seconds:.3g} s = {seconds / ours:.3g} ×" for peer, seconds in times.items())
    print(f"| {name} | {ours:.3g} s | {peers} | {note} |", flush=True)


def plain_greedy(graph: nx.DiGraph, k: int, hops: int) -> list[int]:
    """Greedy coverage over balls of networkx."""
    balls = {page: set(nx.single_source_shortest_path_length(graph, page, hops)) for page in graph}
    covered: set[int] = set()
    chosen = []
    for _ in range(k):
        best = max(sorted(balls), key=lambda page: len(balls[page] - covered))
        chosen.append(best)
        covered |= balls[best]
    return chosen


def main() -> None:
    web = web_notredame()
    matrix = web.to_scipy()
    links = matrix.indptr, matrix.indices
    plain = sparse.csr_matrix((np.ones(web.links), matrix.indices, matrix.indptr), matrix.shape)
    graph = nx.from_scipy_sparse_array(plain, create_using=nx.DiGraph)
    print(f"web-NotreDame: {web.pages:,} pages, {web.links:,} links\n")
    print("| function | seedrank | peers | |\n| --- | --- | --- | --- |")

    exact = functional.pagerank(*links, tolerance=1e-15)

    def off(scores: object) -> float:
        return float(np.abs(np.asarray(scores) - exact).sum())

    def by_networkx() -> np.ndarray:
        return np.array(list(nx.pagerank(graph, tol=1e-12, max_iter=1_000).values()))

    def by_sknetwork() -> np.ndarray:
        return PageRank(solver="RH", n_iter=140).fit_predict(plain)

    times = race(
        3,
        {
            "seedrank": lambda: functional.pagerank(*links, tolerance=1e-12),
            "networkx": by_networkx,
            "scikit-network": by_sknetwork,
        },
    )
    errors = (functional.pagerank(*links, tolerance=1e-12), by_networkx(), by_sknetwork())
    line("`pagerank`", times, "errors {:.0e}, {:.0e}, {:.0e}".format(*map(off, errors)))

    runners: dict[str, Callable[[], object]] = {
        "seedrank": lambda: functional.hits(*links),
        "scikit-network": lambda: HITS().fit(plain),
    }
    line("`hits`, 60 rounds", race(3, runners), "scikit-network: to its own precision")

    source = int(np.argmax(np.diff(matrix.indptr)))
    runners = {
        "seedrank": lambda: functional.hops_from(*links, [source]),
        "networkx": lambda: nx.single_source_shortest_path_length(graph, source),
        "scikit-network": lambda: get_distances(plain, source),
    }
    theirs = nx.single_source_shortest_path_length(graph, source)
    same = functional.hops_from(*links, [source]).tolist() == [theirs.get(page, -1) for page in range(web.pages)]
    line("`hops_from` one page", race(3, runners), f"the same hops: {same}")

    runners = {
        "seedrank": lambda: functional.bfs_order(*links, [source]),
        "networkx": lambda: list(nx.bfs_tree(graph, source)),
    }
    line("`bfs_order`", race(3, runners), "networkx: bfs_tree")

    seeds = np.argsort(-exact)[:160]
    runners = {
        "seedrank": lambda: functional.fpr_order(*links, seeds),
        "heapq": lambda: plain_fpr(web, seeds),
    }
    same = plain_fpr(web, seeds) == functional.fpr_order(*links, seeds).tolist()
    line("`fpr_order`, 160 seeds", race(1, runners), f"plain Python with a heap, the same order: {same}")

    small = plain[:SMALL, :SMALL].tocsr()
    small.sort_indices()
    few = small.indptr, small.indices
    little = nx.from_scipy_sparse_array(small, create_using=nx.DiGraph)
    runners = {
        "seedrank": lambda: functional.harmonic(*few),
        "networkx": lambda: nx.harmonic_centrality(little),
        "scikit-network": lambda: Closeness(method="exact").fit(small + small.T),
    }
    line(f"`harmonic` of {SMALL:,} pages", race(1, runners), "scikit-network: closeness, without directions")

    runners = {
        "seedrank": lambda: functional.coverage_greedy(*few, K, HOPS),
        "networkx": lambda: plain_greedy(little, K, HOPS),
    }
    same = functional.coverage_greedy(*few, K, HOPS)[0].tolist() == plain_greedy(little, K, HOPS)
    line(f"`coverage_greedy`, k = {K}, {SMALL:,} pages", race(1, runners), f"balls by networkx, the same seeds: {same}")


if __name__ == "__main__":
    main()
