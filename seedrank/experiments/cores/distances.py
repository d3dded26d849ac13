"""How far cores lie apart (docs/algorithms.md §3.5, 2)."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from seedrank.core.progress import Progress
from seedrank.engines.base import Engine

__all__ = ["between_cores", "places"]


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
