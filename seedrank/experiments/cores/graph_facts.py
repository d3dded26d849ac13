"""Degrees, HITS by iteration, density, time, as Daneshpajouh et al. 2008 show them (docs/algorithms.md §3.5)."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from seedrank.core.order import order
from seedrank.engines.base import Engine
from seedrank.engines.native.engine import NativeEngine
from seedrank.experiments.intervals import FEWEST, Interval, ratio_interval
from seedrank.graph import WebGraph
from seedrank.methods.seeds import cores
from seedrank.questions.seeds import CoreQuestion

__all__ = ["FIRST", "SETTLED", "convergence", "degrees", "density_steps", "distances", "mean_distance", "power_laws",
           "running_time"]  # fmt: skip

SETTLED = 240
"""Iterations of HITS after which its ranks are taken for final."""
FIRST = 1000
"""Pages whose ranks are looked at: cores grow from the first ones."""
TAIL, MOST_FITS, DRAWN = 50, 100, 100
"""Pages of a power law's tail at least, degrees where it may begin, and samples of it that are drawn."""
RUNS = FEWEST
"""Runs whose time is measured."""


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


def power_laws(table: pa.Table, rng: int) -> pa.Table:
    """Power laws fitted to degrees (Clauset, Shalizi and Newman 2009), of all links: in and out, a row each.

    Returns
    -------
    table
        ``direction``; ``exponent``, by maximum likelihood, of degrees from ``from_degree`` on, where it fits best;
        ``tail`` (share of the pages with a link that have such a degree); ``gap`` (Kolmogorov and Smirnov's) and
        ``p`` (share of `DRAWN` samples of the fitted law whose own gap is larger; below 0.1 it is ruled out).
    """
    frame, rows = table.to_pandas(), []
    for direction in ("in", "out"):
        some = frame[(frame["links"] == "all") & (frame["direction"] == direction) & (frame["degree"] > 0)]
        degree, pages = some["degree"].to_numpy(), some["pages"].to_numpy()
        fits = [_fit(degree, pages, least) for least in _from_degrees(degree, pages)]
        if not fits:
            continue
        gap, exponent, least = min(fits)
        size = int(pages[degree >= least].sum())
        draw = np.random.default_rng(rng)
        gaps = []
        for _ in range(DRAWN):
            drawn = np.floor((least - 0.5) * (1 - draw.random(size)) ** (-1 / (exponent - 1)) + 0.5)
            gaps.append(_fit(*np.unique(np.minimum(drawn, 1e15).astype(np.int64), return_counts=True), least)[0])
        rows.append(
            {"direction": direction, "exponent": exponent, "from_degree": least, "tail": size / int(pages.sum()),
             "gap": gap, "p": float(np.mean(np.array(gaps) >= gap))}
        )  # fmt: skip
    return pa.Table.from_pylist(rows, _LAWS)


def _from_degrees(degree: np.ndarray, pages: np.ndarray) -> list[int]:
    """Where a power law may begin: with enough pages and degrees above to fit one."""
    above = np.cumsum(pages[::-1])[::-1]
    return [int(one) for place, one in enumerate(degree) if above[place] >= TAIL and len(degree) - place >= 5][
        :MOST_FITS
    ]


def _fit(degree: np.ndarray, pages: np.ndarray, least: int) -> tuple[float, float, int]:
    """Gap, exponent and where it begins, of the power law of degrees from `least` on."""
    from scipy.special import zeta

    some = degree >= least
    x, n = degree[some].astype(np.float64), pages[some].astype(np.float64)
    exponent = 1 + n.sum() / float(n @ np.log(x / (least - 0.5)))
    expected = 1 - zeta(exponent, x + 1) / zeta(exponent, least)
    return float(np.abs(np.cumsum(n) / n.sum() - expected).max()), float(exponent), least


_LAWS = pa.schema([("direction", pa.string()), ("exponent", pa.float64()), ("from_degree", pa.int64()),
                   ("tail", pa.float64()), ("gap", pa.float64()), ("p", pa.float64())])  # fmt: skip


def distances(engine: Engine, crawled: np.ndarray, sources: int, rng: int) -> pa.Table:
    """Sums of distances from sampled crawled pages to the pages they reach: ``source``, ``reached``, ``sum``."""
    draw = np.random.default_rng(rng)
    chosen = np.sort(draw.choice(crawled, min(sources, len(crawled)), replace=False))
    reached, total = np.zeros(len(chosen), np.int64), np.zeros(len(chosen), np.int64)
    for row, page in enumerate(chosen):
        level = engine.bfs_hops(np.array([page]))
        reached[row], total[row] = (level > 0).sum(), level[level > 0].sum()
    return pa.table({"source": chosen, "reached": reached, "sum": total})


def mean_distance(table: pa.Table) -> Interval | None:
    """Mean distance over reachable ordered pairs, its interval over sources; `None` where nothing is reached."""
    reached, total = (table[name].to_numpy().astype(float) for name in ("reached", "sum"))
    return ratio_interval(total, reached, "sampled pages") if reached.any() else None


def convergence(engine: Engine, iterations: Sequence[int]) -> pa.Table:
    """HITS by iteration: how it changes, and how many of the first pages are the final ones.

    Returns
    -------
    table
        ``iterations``; ``residual``: L2 change of the last one, of hubs and authorities together; ``hubs`` and
        ``authorities``: share of the first `FIRST` that are among the first after `SETTLED` iterations.
    """
    last = engine.hits(SETTLED)
    final = {"hubs": _first(last.hubs), "authorities": _first(last.authorities)}
    rows = []
    for number in iterations:
        hits, before = engine.hits(number), engine.hits(number - 1)
        change = np.concatenate((hits.hubs - before.hubs, hits.authorities - before.authorities))
        now = {"hubs": _first(hits.hubs), "authorities": _first(hits.authorities)}
        shares = {side: float(np.isin(pages, now[side]).mean()) for side, pages in final.items()}
        rows.append({"iterations": number, "residual": float(np.linalg.norm(change)), **shares})
    return pa.Table.from_pylist(rows)


def _first(scores: np.ndarray) -> np.ndarray:
    """The `FIRST` pages with the highest scores above 0, ties by smaller id."""
    some = np.flatnonzero(scores > 0)
    if len(some) > FIRST:
        # Only what may be among the first is ordered; 1e-8 is wider than a tie.
        least = np.partition(scores[some], -FIRST)[-FIRST]
        some = some[scores[some] >= least * (1 - 1e-8)]
    return some[order(scores[some])[:FIRST]]


def density_steps(engine: Engine, graph: WebGraph, size: int, iterations: int, count: int) -> pa.Table:
    """The first cores by size, pair by pair: ``core``, ``pair``, ``hubs``, ``authorities``, ``density`` in per cent."""
    parts = []
    for number, rounds in enumerate(cores.sized_rounds(engine, graph, size, iterations, count), 1):
        hubs, authorities, links = rounds.T
        sizes = {"pair": np.arange(1, len(rounds) + 1), "hubs": hubs, "authorities": authorities}
        density = 100.0 * links / (hubs * authorities)
        parts.append(pa.table({"core": np.full(len(rounds), number), **sizes, "density": density}))
    return pa.concat_tables(parts)


def running_time(graph: WebGraph, sites: np.ndarray | None, shares: Sequence[float], iterations: int) -> pa.Table:
    """Time of one core (leave out links, HITS, grow) on the first pages of the graph, in memory, `RUNS` times.

    Time of the processors, so that other work on the machine counts little.

    Returns
    -------
    table
        ``run``, ``pages``, ``links`` (ranked), ``seconds`` of all processors together.
    """
    rows = []
    for share in shares:
        some = _first_pages(graph, max(2, round(share * graph.pages)))
        own = None if sites is None else sites[: some.pages]
        # The first time also reads the links into memory, so it does not count.
        for run in range(RUNS + 1):
            started = time.process_time()
            engine, left = cores.prune(NativeEngine(some), some, own)
            if left.links:
                cores.extract(left, np.zeros(left.pages, bool), engine.hits(iterations), CoreQuestion())
            if run:
                taken = time.process_time() - started
                rows.append({"run": run, "pages": some.pages, "links": left.links, "seconds": taken})
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
