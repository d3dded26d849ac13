"""Degrees, HITS by iteration, density, time, as Daneshpajouh et al. 2008 show them (docs/algorithms.md §3.5)."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from seedrank.charts.chart import Chart, Series
from seedrank.engines.base import Engine
from seedrank.engines.native import NativeEngine
from seedrank.evaluate.experiment import Claim
from seedrank.evaluate.intervals import Interval, bootstrap
from seedrank.graph import WebGraph
from seedrank.seeds import cores
from seedrank.seeds.cores import CoreQuestion, CoreRule

__all__ = [
    "convergence",
    "convergence_claims",
    "degrees",
    "density_claim",
    "density_steps",
    "distances",
    "mean_distance",
    "running_time",
    "time_claim",
]

PAPER = "001, 003"
LONG = 240
"""Iterations of HITS after which its cores are taken for final."""
FIRST = 10
"""Cores that are looked at after so many iterations."""
EARLY_PAIRS = 5
"""Pairs of a hub and an authority that count as the first steps."""
SHORTEST = 1.0
"""Processor seconds of the whole graph below which times say more of the machine than of the method."""


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


def degree_chart(table: pa.Table) -> Chart:
    """Degree distributions on logarithmic axes."""
    frame = table.to_pandas()
    series = [
        Series(f"{direction}-links, {links}", rows["degree"].to_numpy(float), rows["pages"].to_numpy(float))
        for (links, direction), rows in frame[frame["degree"] > 0].groupby(["links", "direction"], sort=False)
    ]
    return Chart(
        "degrees", "Degrees before and after links within sites are left out", "links of a page", "pages", series,
        "scatter", log_x=True, log_y=True, caption="Straight falling points are a power law.",
    )  # fmt: skip


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
        ``final``: how many of them have the same pages as one of those after `LONG` iterations.
    """
    final = _first_cores(engine, graph, LONG, count)
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


def convergence_chart(table: pa.Table) -> Chart:
    """Residual of HITS by iteration."""
    x, y = (table[name].to_numpy().astype(float) for name in ("iterations", "residual"))
    return Chart(
        "hits-residual", "Change of HITS scores by iteration", "iterations", "L2 change", [Series("HITS", x, y)],
        log_y=True, caption="Where it falls slowly, twenty iterations give other cores than sixty.",
    )  # fmt: skip


def convergence_claims(table: pa.Table) -> list[Claim]:
    """More than 50 iterations are enough, 20 are not: by whether the first cores are the final ones."""
    rows = {row["iterations"]: row for row in table.to_pylist()}
    few, many = rows[20], rows[60]
    why = f"final: the first cores after {LONG} iterations"

    def measured(row: dict[str, Any]) -> str:
        return (
            f"after {row['iterations']}: {row['final']} of {row['cores']} cores are final (residual of the first "
            f"{row['residual']:.2g})"
        )

    settled, early = many["final"] == many["cores"], few["final"] == few["cores"]
    return [
        Claim(PAPER, "HITS has settled after more than 50 iterations", "> 50", measured(many),
              "holds" if settled else "does not hold", why),
        Claim(PAPER, "20 iterations of HITS are too few", "20", measured(few),
              "does not hold" if early else "holds", why),
    ]  # fmt: skip


def density_steps(engine: Engine, graph: WebGraph, size: int, iterations: int) -> pa.Table:
    """The first core by size, pair by pair: ``pair``, ``hubs``, ``authorities``, ``density`` in per cent."""
    rounds = cores.sized_rounds(graph, engine.hits(iterations), size)
    hubs, authorities, links = rounds.T
    density = 100.0 * links / (hubs * authorities)
    pairs = np.arange(1, len(rounds) + 1)
    return pa.table({"pair": pairs, "hubs": hubs, "authorities": authorities, "density": density})


def density_chart(table: pa.Table) -> Chart:
    """Density of a core by size as it grows."""
    x, y = (table[name].to_numpy().astype(float) for name in ("pair", "density"))
    return Chart(
        "density-by-step", "Density of a core that grows by size", "pairs of a hub and an authority added",
        "density in per cent", [Series("first core", x, y)], caption="The papers find cores complete at first.",
    )  # fmt: skip


def density_claim(table: pa.Table) -> Claim:
    """Cores by size are complete at their first steps."""
    density = table["density"].to_numpy()
    whole = int(np.argmax(density < 100)) if (density < 100).any() else len(density)
    return Claim(
        PAPER,
        "Cores by size are complete at their first steps",
        "",
        f"complete for the first {whole} of {len(density)} pairs, {density[-1]:.4g} % at the end",
        "cannot be judged" if len(density) < EARLY_PAIRS else "holds" if whole >= EARLY_PAIRS else "does not hold",
        f"the first steps are taken to be {EARLY_PAIRS} pairs",
    )


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
                cores.extract(left, np.zeros(left.pages, bool), engine.hits(iterations), CoreRule())
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


def time_chart(table: pa.Table) -> Chart:
    """Time of a core by size of the graph."""
    x, y = table["pages"].to_numpy() + table["links"].to_numpy(), table["seconds"].to_numpy()
    return Chart(
        "running-time", "Time of one core", "pages and links ranked", "processor seconds",
        [Series("one core", x * 1.0, y)], log_x=True, log_y=True, caption="A slope of one is linear time.",
    )  # fmt: skip


def time_claim(table: pa.Table) -> Claim:
    """The running time is linear."""
    x, y = table["pages"].to_numpy() + table["links"].to_numpy(), table["seconds"].to_numpy()
    slope = float(np.polyfit(np.log(x), np.log(y), 1)[0]) if x.min() < x.max() else np.nan
    short = y.max() < SHORTEST or np.isnan(slope)
    return Claim(
        PAPER,
        "The running time is linear in the size of the graph",
        "O(n)",
        f"time grows with the {slope:.2f}th power of pages and links, {y.max():.3g} s for the whole graph",
        "cannot be judged" if short else "holds" if slope <= 1.2 else "does not hold",
        f"less than {SHORTEST:g} s: the graph is too small to tell"
        if short
        else "one core; up to a power of 1.2 counts",
    )
