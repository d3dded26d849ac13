"""Degrees, HITS by iteration, density, time, as Daneshpajouh et al. 2008 show them (docs/algorithms.md §3.5)."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from seedrank.engines.base import Engine
from seedrank.engines.native import NativeEngine
from seedrank.evaluate.intervals import Interval, bootstrap
from seedrank.graph import WebGraph
from seedrank.questions.seeds import CoreQuestion
from seedrank.seeds import cores

__all__ = ["SETTLED", "convergence", "degrees", "density_steps", "distances", "mean_distance", "running_time"]

SETTLED = 240
"""Iterations of HITS after which its cores are taken for final."""
FIRST = 10
"""Cores that are looked at after so many iterations."""


def degrees(graph: WebGraph, pruned: WebGraph) -> pa.Table:
    """How many pages have each degree: ``links`` (all, or between sites), ``direction``, ``degree``, ``pages``."""
    parts = []
    for which, some in (("all", graph), ("between sites", pruned)):
        for direction, degree in (("in", some.in_degree), ("out", some.out_degree)):
            pages = np.bincount(degree)
            there = np.flatnonzero(pages)
            names = {"links": [which] * len(there), "direction": [direction] * len(there)}
            parts.append(pa.table({**names, "degree": there, "pages": pages[there]}))
    return pa.concat_tables(parts)


def distances(engine: Engine, crawled: np.ndarray, sources: int, rng: int) -> pa.Table:
    """Sums of distances from sampled crawled pages to the pages they reach: ``source``, ``reached``, ``sum``."""
    draw = np.random.default_rng(rng)
    chosen = np.sort(draw.choice(crawled, min(sources, len(crawled)), replace=False))
    reached, total = np.zeros(len(chosen), np.int64), np.zeros(len(chosen), np.int64)
    for row, page in enumerate(chosen):
        level = engine.levels(np.array([page]))
        reached[row], total[row] = (level > 0).sum(), level[level > 0].sum()
    return pa.table({"source": chosen, "reached": reached, "sum": total})


def mean_distance(table: pa.Table) -> Interval | None:
    """Mean distance over reachable ordered pairs, its interval over sources; `None` where nothing is reached."""
    reached, total = (table[name].to_numpy().astype(float) for name in ("reached", "sum"))
    if not reached.any():
        return None
    with np.errstate(invalid="ignore", divide="ignore"):
        return bootstrap(lambda sums, counts: sums.sum(axis=1) / counts.sum(axis=1), total, reached)


def convergence(engine: Engine, graph: WebGraph, iterations: Sequence[int], count: int = FIRST) -> pa.Table:
    """HITS by iteration, and what it makes of the first cores.

    Returns
    -------
    table
        ``iterations``; ``residual``: L2 change of the last one, of hubs and authorities together; ``cores`` looked at;
        ``final``: how many of them have the same pages as one of those after `SETTLED` iterations.
    """
    final = _first_cores(engine, graph, SETTLED, count)
    rows = []
    for number in iterations:
        hits, before = engine.hits(number), engine.hits(number - 1)
        change = np.concatenate((hits.hubs - before.hubs, hits.authorities - before.authorities))
        some = _first_cores(engine, graph, number, count)
        rows.append(
            {"iterations": number, "residual": float(np.linalg.norm(change)), "cores": len(some),
             "final": len(some & final)}
        )  # fmt: skip
    return pa.Table.from_pylist(rows)


def _first_cores(engine: Engine, graph: WebGraph, iterations: int, count: int) -> set[bytes]:
    """The pages of each core, hubs apart from authorities."""
    found = cores.find(CoreQuestion(k=count, iterations=iterations), engine, graph)
    return {np.sort(core.hubs).tobytes() + b"|" + np.sort(core.authorities).tobytes() for core in found}


def density_steps(engine: Engine, graph: WebGraph, size: int, iterations: int) -> pa.Table:
    """The first core by size, pair by pair: ``pair``, ``hubs``, ``authorities``, ``density`` in per cent."""
    rounds = cores.sized_rounds(graph, engine.hits(iterations), size)
    hubs, authorities, links = rounds.T
    density = 100.0 * links / (hubs * authorities)
    pairs = np.arange(1, len(rounds) + 1)
    return pa.table({"pair": pairs, "hubs": hubs, "authorities": authorities, "density": density})


def running_time(graph: WebGraph, sites: np.ndarray | None, shares: Sequence[float], iterations: int) -> pa.Table:
    """Time of one core (leave out links, HITS, grow) on the first pages of the graph, in memory, best of three.

    Time of the processors, so that other work on the machine counts little.

    Returns
    -------
    table
        ``pages``, ``links`` (ranked), ``seconds`` of all processors together.
    """
    rows = []
    for share in shares:
        some = _first_pages(graph, max(2, round(share * graph.pages)))
        own = None if sites is None else sites[: some.pages]
        best, links = np.inf, 0
        for _ in range(3):
            started = time.process_time()
            engine, left = cores.prune(NativeEngine(some), some, own)
            links = left.links
            if links:
                cores.extract(left, np.zeros(left.pages, bool), engine.hits(iterations), CoreQuestion())
            best = min(best, time.process_time() - started)
        rows.append({"pages": some.pages, "links": links, "seconds": best})
    return pa.Table.from_pylist(rows)


def _first_pages(graph: WebGraph, pages: int) -> WebGraph:
    """The pages with the smallest ids and the links among them."""
    offsets = graph.out_offsets[: pages + 1]
    targets = graph.out_targets[: offsets[-1]]
    stays = targets < pages
    kept = np.concatenate(([0], np.cumsum(stays)))[offsets]
    arrays = {"out_offsets": kept, "out_targets": np.ascontiguousarray(targets[stays]),
              "status": graph.status[:pages], "host": graph.host[:pages]}  # fmt: skip
    return WebGraph(arrays, {"pages": pages, "links": int(kept[-1]), "version": f"{graph.version}, a part"})
