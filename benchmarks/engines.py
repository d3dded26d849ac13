"""The native engine side by side with scikit-network, igraph, NetworKit and SciPy, in one process on the same graphs.

    python benchmarks/engines.py                       cnr-2000 and web-NotreDame
    python benchmarks/engines.py --graph DIR           a folder of WebGraph arrays, such as `seedrank generate --graph`
    python benchmarks/engines.py --only pagerank,hits  some of the primitives

Everybody's graph is built beforehand, and everybody works from it alone. Repeats are interleaved and the fastest
counts, so that a busy machine harms all alike. PageRank: damping .85, uniform teleport, dangling mass spread like
it; each solver runs with the loosest stopping rule of a grid that brings it as close (L1) to a solution to 1e-15 as
igraph comes, which has no rule to set. scikit-network spreads dangling mass so by its solver RH only; its power
iteration has another fixed point and is held to the same error of that.
"""

from __future__ import annotations

import argparse
import bisect
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import igraph
import networkit
import numba
import numpy as np
import scipy.sparse as sp
from scipy.sparse import csgraph
from sknetwork.ranking import HITS, PageRank

from benchmarks.common import cnr_2000, race, web_notredame
from seedrank.engines.kernels import components as component_kernels
from seedrank.engines.native.engine import NativeEngine
from seedrank.graph import WebGraph


@dataclass(frozen=True)
class Row:
    """A line of the table."""

    graph: str
    what: str
    ours: float
    peer: str
    theirs: float
    goal: float
    note: str = ""


@dataclass
class Peers:
    """One graph as everybody wants it."""

    name: str
    engine: NativeEngine
    matrix: sp.csr_matrix
    transposed: sp.csr_matrix
    igraph: igraph.Graph
    networkit: networkit.Graph
    repeats: int

    @classmethod
    def of(cls, name: str, graph: WebGraph, repeats: int) -> Peers:
        """Build everybody's graph."""
        offsets, targets = np.array(graph.out_offsets), np.array(graph.out_targets)
        if graph.links < 2**31:
            offsets = offsets.astype(np.int32)
        matrix = sp.csr_matrix((np.ones(graph.links), targets, offsets), (graph.pages, graph.pages))
        links = np.column_stack((np.repeat(np.arange(graph.pages), np.diff(offsets)), targets))
        engine = NativeEngine(graph)
        graph.in_offsets  # noqa: B018 - ours needs both directions, as igraph has and the others get below
        theirs = igraph.Graph(n=graph.pages, edges=links, directed=True)
        coordinates = np.ascontiguousarray(links[:, 0]), np.ascontiguousarray(links[:, 1])
        fourth = networkit.GraphFromCoo(coordinates, n=graph.pages, directed=True)
        return cls(name, engine, matrix, matrix.T.tocsr(), theirs, fourth, repeats)

    def rows(self, what: str, times: dict[str, float], goal: float, note: str = "") -> list[Row]:
        """A row per peer."""
        ours = times.pop("seedrank")
        return [Row(self.name, what, ours, peer, seconds, goal, note) for peer, seconds in times.items()]


def pagerank(peers: Peers) -> Iterator[Row]:
    exact = peers.engine.walk(tolerance=1e-15, max_iterations=2_000).scores

    def off(scores: Any, fixed_point: np.ndarray = exact) -> float:
        return float(np.abs(np.asarray(scores) - fixed_point).sum())

    def ours(tolerance: float) -> np.ndarray:
        return peers.engine.walk(tolerance=tolerance).scores

    def sknetwork(solver: str, steps: int, tolerance: float = 0.0) -> np.ndarray:
        return PageRank(solver=solver, n_iter=steps, tol=tolerance).fit_predict(peers.matrix)

    def by_networkit(tolerance: float) -> list[float]:
        sinks = networkit.centrality.SinkHandling.DistributeSinks
        return networkit.centrality.PageRank(peers.networkit, 0.85, tolerance, False, sinks).run().scores()

    error = off(peers.igraph.pagerank())
    tolerances = 10.0 ** np.arange(-8, -15, -0.25)
    our_tolerance = next(t for t in tolerances if off(ours(t)) <= error)
    rh_steps = next(n for n in range(90, 400, 2) if off(sknetwork("RH", n)) <= error)
    other = sknetwork("piteration", 600)
    power_tolerance = next(t for t in tolerances if off(sknetwork("piteration", 600, t), other) <= error)
    nk_tolerance = next(t for t in tolerances if off(by_networkit(t)) <= error)
    note = f"error ours {off(ours(our_tolerance)):.0e}, igraph {error:.0e}"
    times = race(
        peers.repeats,
        {
            "seedrank": lambda: ours(our_tolerance),
            "scikit-network RH": lambda: sknetwork("RH", rh_steps),
            "scikit-network": lambda: sknetwork("piteration", 600, power_tolerance),
            "igraph": lambda: peers.igraph.pagerank(),
            "NetworKit": lambda: by_networkit(nk_tolerance),
        },
    )
    yield from peers.rows("PageRank", times, 2, note)


def hits_60(peers: Peers) -> Iterator[Row]:
    def scipy() -> None:
        hubs = np.ones(peers.engine.pages)
        for _ in range(60):
            authorities = peers.transposed @ hubs
            authorities /= np.linalg.norm(authorities)
            hubs = peers.matrix @ authorities
            hubs /= np.linalg.norm(hubs)

    times = race(peers.repeats, {"seedrank": lambda: peers.engine.hits(60), "SciPy": scipy})
    yield from peers.rows("HITS, 60 iterations", times, 2)


def hits_to_error(peers: Peers) -> Iterator[Row]:
    """As many of our iterations as reach 1e-10, or the error of the peer where that is larger (authorities, L2)."""
    vector = sp.linalg.svds(peers.matrix, k=1, tol=1e-14, random_state=0)[2][0]
    exact = np.abs(vector) / np.linalg.norm(vector)

    def off(scores: Any) -> float:
        scores = np.abs(np.asarray(scores, float))
        return float(np.linalg.norm(scores / np.linalg.norm(scores) - exact))

    runners = {
        "scikit-network": lambda: HITS().fit(peers.matrix).scores_col_,
        "igraph": lambda: peers.igraph.authority_score(),
    }
    for name, run in runners.items():
        error = max(off(run()), 1e-10)
        # The error falls with every iteration, so the number needed can be bisected.
        needed = bisect.bisect_left(
            range(1, 2_000), True, key=lambda n, e=error: off(peers.engine.hits(n).authorities) <= e
        )
        needed += 1
        times = race(peers.repeats, {"seedrank": lambda n=needed: peers.engine.hits(n), name: run})
        yield from peers.rows("HITS to equal error", times, 3, f"{needed} iterations to {error:.0e}")


def components(peers: Peers) -> Iterator[Row]:
    times = race(
        3 * peers.repeats,
        {
            "seedrank": peers.engine.components,
            "SciPy": lambda: csgraph.connected_components(peers.matrix, directed=True, connection="strong"),
            "igraph": lambda: peers.igraph.connected_components("strong"),
            "NetworKit": lambda: networkit.components.StronglyConnectedComponents(peers.networkit).run(),
        },
    )
    yield from peers.rows("components", times, 1, "ours with the condensation")
    links = peers.engine._out

    def labels() -> None:
        component_kernels.number(component_kernels.strong(*links))

    times = race(
        3 * peers.repeats,
        {
            "seedrank": labels,
            "SciPy": lambda: csgraph.connected_components(peers.matrix, directed=True, connection="strong"),
        },
    )
    yield from peers.rows("components, labels", times, 1)


def levels(peers: Peers) -> Iterator[Row]:
    source = np.array([0])
    times = race(
        5 * peers.repeats,
        {
            "seedrank": lambda: peers.engine.bfs_hops(source),
            "igraph": lambda: peers.igraph.distances(source=[0]),
            "NetworKit": lambda: networkit.distance.BFS(peers.networkit, 0, False).run(),
            "SciPy dijkstra": lambda: csgraph.dijkstra(peers.matrix, indices=0, unweighted=True),
            "SciPy bfs": lambda: csgraph.breadth_first_order(peers.matrix, 0),
        },
    )
    reached = int((peers.engine.bfs_hops(source) >= 0).sum())
    yield from peers.rows("levels from page 0", times, 2, f"{reached:,} pages reached; bfs gives no levels")


def balls(peers: Peers) -> Iterator[Row]:
    weight = np.ones(peers.engine.pages)
    times = race(
        peers.repeats,
        {
            "seedrank": lambda: peers.engine.ball_weight(weight, 2),
            "igraph": lambda: peers.igraph.neighborhood_size(order=2, mode="out"),
        },
    )
    yield from peers.rows("all balls, 2 hops", times, 3)


def cocitation(peers: Peers) -> Iterator[Row]:
    if peers.engine.links > 10_000_000:
        return
    matrix = sp.csr_matrix(
        (np.ones(peers.engine.links, np.int32), peers.matrix.indices, peers.matrix.indptr), peers.matrix.shape
    )
    transposed = matrix.T.tocsr()
    everywhere = np.ones(peers.engine.pages, bool)

    def in_our_form() -> None:
        product = transposed @ matrix
        product.setdiag(0)
        product.eliminate_zeros()
        product.sort_indices()
        product.tocoo()

    pairs = len(peers.engine.cocitation(everywhere, everywhere).source)
    times = race(
        peers.repeats,
        {
            "seedrank": lambda: peers.engine.cocitation(everywhere, everywhere),
            "SciPy product": lambda: transposed @ matrix,
            "SciPy, sorted": in_our_form,
        },
    )
    yield from peers.rows("co-citation, all pages", times, 2, f"{pairs:,} ordered pairs")


def harmonic(peers: Peers) -> Iterator[Row]:
    start = time.perf_counter()
    error = peers.engine.harmonic(exact=False)[1]
    seconds = time.perf_counter() - start
    yield Row(peers.name, "harmonic", seconds, "(no peer)", float("nan"), 0, f"standard error {error:.1%}")


BENCHMARKS = {
    "pagerank": pagerank,
    "hits": hits_60,
    "hits-error": hits_to_error,
    "components": components,
    "levels": levels,
    "balls": balls,
    "cocitation": cocitation,
    "harmonic": harmonic,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graph", type=Path, action="append", help="a folder of WebGraph arrays instead of real data")
    parser.add_argument("--only", default=",".join(BENCHMARKS), help="comma-separated: " + " ".join(BENCHMARKS))
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    graphs: dict[str, Callable[[], WebGraph]] = {"cnr-2000": cnr_2000, "web-NotreDame": web_notredame}
    if options.graph:
        graphs = {folder.name: lambda folder=folder: WebGraph.open(folder) for folder in options.graph}
    warnings.simplefilter("ignore")  # igraph warns of pages without links; they are part of the web
    print(f"{numba.get_num_threads()} threads; seconds, the fastest of {options.repeats} or more interleaved runs\n")
    print(f"| {'graph':14} | {'primitive':22} | {'seedrank':>8} | {'peer':14} | {'peer s':>8} | ratio | goal | note |")
    print("| --- | --- | ---: | --- | ---: | ---: | ---: | --- |")
    for name, make in graphs.items():
        peers = Peers.of(name, make(), options.repeats)
        print(f"{peers.engine}", file=sys.stderr)
        for what in options.only.split(","):
            for row in BENCHMARKS[what](peers):
                ratio = row.theirs / row.ours
                print(
                    f"| {row.graph:14} | {row.what:22} | {row.ours:8.4f} | {row.peer:14} | {row.theirs:8.4f} |"
                    f" {ratio:5.1f} | {row.goal:4.0f} | {row.note} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
