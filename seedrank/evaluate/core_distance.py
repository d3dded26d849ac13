"""How far cores lie apart (docs/algorithms.md §3.5)."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from seedrank.charts.chart import Chart, Series
from seedrank.core.progress import Progress
from seedrank.engines.base import Engine
from seedrank.evaluate.experiment import Claim
from seedrank.evaluate.intervals import Interval, mean_interval
from seedrank.evaluate.verdicts import exceeds

__all__ = ["between_cores", "charts", "claims", "places"]

PAPER = "001, 003"
NEAR = 3
"""Iterations that count as close."""
FEWEST = 10
"""Pairs below which nothing is judged."""


def between_cores(engine: Engine, members: list[np.ndarray], progress: Progress) -> pa.Table:
    """Shortest directed paths from any page of a core to any of another, where there is one.

    Returns
    -------
    table
        ``source``, ``target`` (cores from 1), ``gap`` (of their iterations), ``distance`` in links.
    """
    rows: list[tuple[int, int, int]] = []
    with progress("distances between cores", len(members)) as advance:
        for source, pages in enumerate(members):
            level = engine.levels(pages)
            for target, others in enumerate(members):
                reached = level[others]
                reached = reached[reached >= 0]
                if target != source and len(reached):
                    rows.append((source + 1, target + 1, int(reached.min())))
            advance(1)
    sources, targets, distances = np.array(rows, np.int64).reshape(-1, 3).T
    gaps = np.abs(sources - targets)
    return pa.table({"source": sources, "target": targets, "gap": gaps, "distance": distances})


def places(table: pa.Table, cores: int) -> pa.Table:
    """The map: ``core``, ``x``, ``y`` so that cores lie about as far apart as the shorter way between them is long.

    Classical scaling; where no way leads, one link more than the longest.
    """
    source, target, distance = (table[name].to_numpy() for name in ("source", "target", "distance"))
    apart = np.full((cores, cores), (distance.max() if len(distance) else 0) + 1.0)
    np.minimum.at(apart, (source - 1, target - 1), distance)
    apart = np.minimum(apart, apart.T)
    np.fill_diagonal(apart, 0)
    centre = np.eye(cores) - 1 / cores
    values, vectors = np.linalg.eigh(-0.5 * centre @ apart**2 @ centre)
    axes = vectors[:, ::-1][:, :2] * np.sqrt(np.maximum(values[::-1][:2], 0))
    axes = np.pad(axes, ((0, 0), (0, 2 - axes.shape[1])))
    return pa.table({"core": np.arange(1, cores + 1), "x": axes[:, 0], "y": axes[:, 1]})


def charts(table: pa.Table, located: pa.Table, usual: Interval | None) -> list[Chart]:
    """The map, cores grouped by iteration; and distance by iteration gap beside the mean distance of pages.

    None where no way leads from any core to another.
    """
    if not len(table):
        return []
    core, x, y = (located[name].to_numpy() for name in ("core", "x", "y"))
    width = max(1, -(-len(core) // 6))
    groups = [
        Series(f"cores {low}-{low + width - 1}", x[(core >= low) & (core < low + width)],
               y[(core >= low) & (core < low + width)])
        for low in range(1, len(core) + 1, width)
    ]  # fmt: skip
    gap, distance = table["gap"].to_numpy().astype(float), table["distance"].to_numpy().astype(float)
    gaps = np.unique(gap)
    means = np.array([distance[gap == one].mean() for one in gaps])
    lines = [Series("pairs of cores", gap, distance), Series("mean of the gap", gaps, means)]
    if usual is not None:
        lines.append(Series("mean distance of pages", gaps, np.full(len(gaps), usual.value)))
    return [
        Chart("distance-map", "Map of the cores", "", "", groups, "scatter",
              caption="Cores lie about as far apart as the way between them is long; the table has the numbers."),
        Chart("distance-by-gap", "Distance of cores by how far apart their iterations are", "iterations between",
              "links", lines, "scatter"),
    ]  # fmt: skip


def claims(table: pa.Table, usual: Interval | None) -> list[Claim]:
    """Close iterations give distant cores; close cores come from distant iterations."""
    gap, distance = table["gap"].to_numpy(), table["distance"].to_numpy().astype(float)
    close, near = distance[gap <= NEAR], gap[distance <= 1]
    far = Claim(
        PAPER, f"Cores of close iterations (up to {NEAR} apart) are at least the mean distance of pages apart",
        "7.15 between cores, 14.9 between pages (UK-2002)", "", "cannot be judged",
        f"only {len(close)} pairs of such cores are connected",
    )  # fmt: skip
    if len(close) >= FEWEST and usual is not None:
        mean = mean_interval(close)
        verdict, why = exceeds(mean, usual.value, "the mean distance of pages")
        far = Claim(far.paper, far.claim, far.reported, f"{mean} links between cores, {usual} between pages",
                    verdict, why)  # fmt: skip
    late = Claim(
        PAPER, "Close cores come from far iterations", "distance 1: cores 32 and 47 of 56", "", "cannot be judged",
        f"only {len(near)} pairs of cores are one link apart, {len(table) - len(near)} farther",
    )  # fmt: skip
    if min(len(near), len(gap) - len(near)) >= FEWEST:
        mean, others = mean_interval(near.astype(float)), float(gap[distance > 1].mean())
        verdict, why = exceeds(mean, others, "that of the others")
        late = Claim(late.paper, late.claim, late.reported,
                     f"{mean} iterations between cores one link apart, {others:.4g} between the others",
                     verdict, why)  # fmt: skip
    return [far, late]
