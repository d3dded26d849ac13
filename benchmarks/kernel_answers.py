"""What the kernels answer on recorded graphs: PageRank, HITS, components … of cnr-2000, web-NotreDame and asf-web.

Whole numbers, orders and choices must be equal; scores may differ by the tolerance they are asked for with.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.common import asf_web, cnr_2000, web_notredame
from seedrank.core.model import Status
from seedrank.engines.native.engine import NativeEngine
from seedrank.graph import WebGraph
from seedrank.methods.crawl import push_orders
from seedrank.methods.crawl.policy import Policy
from seedrank.methods.crawl.simulate import Budget, simulate
from seedrank.methods.seeds import graph_methods
from seedrank.methods.seeds.coverage import CoverageProblem, Search

TOLERANCE = 1e-12
"""L1 change of a walk."""
WALK_ERROR = 2 * TOLERANCE * 0.85 / 0.15
"""L1: two walks to that tolerance differ by no more."""
HITS_ERROR = 1e-12
"""L2, after the same number of iterations."""
SUM_ERROR = 1e-9
"""Sums of many numbers in another order, relative to the largest."""
SEEDS = 100
FETCHES = 50_000

Kept = tuple[str, np.ndarray, float]
"""Name, answer, and how far it may be off: 0 for exactly the same, else L1."""


def primitives(graph: WebGraph) -> Iterator[Kept]:
    """What the engine says."""
    engine = NativeEngine(graph)
    yield "pagerank", engine.walk(tolerance=TOLERANCE).scores, WALK_ERROR
    teleport = np.zeros(graph.pages)
    teleport[:: max(graph.pages // 50, 1)] = 1.0
    for dangling in ("uniform", "drop"):
        scores = engine.walk(teleport=teleport, dangling=dangling, tolerance=TOLERANCE).scores
        yield f"walk from some pages, {dangling}", scores, WALK_ERROR
    factor = np.linspace(0, 1, graph.pages)
    shares = engine.walk_shares(np.linspace(0, 1, 11), factor, tolerance=TOLERANCE)
    yield "eleven shares", shares, len(shares) * WALK_ERROR
    hits = engine.hits()
    yield "hubs", hits.hubs, HITS_ERROR * math.sqrt(graph.pages)
    yield "authorities", hits.authorities, HITS_ERROR * math.sqrt(graph.pages)
    parts = engine.components()
    yield "components", parts.component, 0
    yield "arcs", parts.arcs, 0
    yield "levels", engine.bfs_hops(np.array([0])), 0
    yield "levels within 3", engine.bfs_hops(np.arange(0, graph.pages, 9_973), 3), 0
    every = np.arange(graph.pages)
    found = engine.cocitation(every % 7 == 0, every % 5 == 0, fan_out_cap=500)
    yield "co-citation", np.stack((found.source, found.target, found.count)), 0
    yield "co-citation over the cap", np.array([found.capped_pages, found.capped_pairs]), 0
    balls = engine.ball_weight(factor, 5, every[::97])
    yield "balls", balls, SUM_ERROR * len(balls) * float(balls.max())


def choices(graph: WebGraph) -> Iterator[Kept]:
    """Seeds, and what each adds."""
    crawled, frontier = graph.status == Status.CRAWLED, graph.status == Status.FRONTIER
    for sketch in (True, False):
        problem = CoverageProblem(
            NativeEngine(graph), crawled.astype(float), 5, np.array([10]), crawled, crawled, frontier,
            search=Search(sketch=sketch),
        )  # fmt: skip
        found = graph_methods.greedy(problem)
        name = "greedy" if sketch else "greedy without sketches"
        yield name, found.pages, 0
        yield f"{name}, gains", found.gain, 0


def orders(graph: WebGraph) -> Iterator[Kept]:
    """Crawls: pages in their order, keys, bounds; many seeds, and pages without links."""
    links = np.asarray(graph.out_degree)
    seeds = np.argsort(-links, kind="stable")[:SEEDS]
    host = np.asarray(graph.host)
    site = host if (host >= 0).any() else (np.arange(graph.pages) // 100).astype(np.int32)
    whole, part = Budget(), Budget(pages=FETCHES)
    polite = Budget(host_delay=1.0, parallel=20)
    crawls: dict[str, tuple[Policy, Budget]] = {
        "fpr": (push_orders.fpr(seeds), whole),
        "fpr@100": (push_orders.fpr(seeds, inter_host_weight=100), whole),
        "opic": (push_orders.opic(seeds), part),
        "rankmass": (push_orders.rankmass(seeds), part),
        "polite bfs": (Policy("bfs"), polite),
        "polite fpr": (push_orders.fpr(seeds), polite),
        "polite opic": (push_orders.opic(seeds), Budget(pages=FETCHES // 10, host_delay=1.0, parallel=20)),
    }
    for name, (policy, budget) in crawls.items():
        crawl = simulate(graph, policy, seeds, site=site, budget=budget)
        yield name, crawl.pages, 0
        yield f"{name}, keys", crawl.scores, 0
        if crawl.times is not None:
            yield f"{name}, times", crawl.times, 0
        if crawl.bound is not None:
            yield f"{name}, bound", np.array([crawl.bound]), SUM_ERROR


def answers() -> Iterator[Kept]:
    """All of them, the name of the graph before each."""
    graphs = {"cnr-2000": cnr_2000, "web-NotreDame": web_notredame, "asf-web": lambda: asf_web("2024-10-31")}
    for name, make in graphs.items():
        graph = make()
        parts = [primitives, orders, choices] if name == "asf-web" else [primitives, orders]
        for part in parts:
            for what, answer, error in part(graph):
                print(f"{name}: {what}", file=sys.stderr, flush=True)
                yield f"{name}: {what}", answer, error


def off(now: np.ndarray, kept: np.ndarray, error: float) -> float:
    """L1 distance; infinite where numbers that must be equal are not, or shapes differ."""
    if now.shape != kept.shape or now.dtype != kept.dtype or (error == 0 and not np.array_equal(now, kept)):
        return math.inf
    return float(np.abs(now.astype(np.float64) - kept).sum())


def keep(file: Path) -> bool:
    """Write every answer; it cannot go wrong, as one of the command line can."""
    np.savez(file, **{name: answer for name, answer, _ in answers()})
    return True


def compare(kept: Path) -> bool:
    """Print a line per answer; whether each is within its tolerance."""
    well = True
    with np.load(kept) as before:
        for name, answer, error in answers():
            distance = off(answer, before[name], error)
            well &= distance <= error
            verdict = "same" if distance == 0 else "within" if distance <= error else "ANOTHER"
            print(f"{verdict:8} {name}: off by {distance:.1e}, allowed {error:.1e}", flush=True)
    return well
