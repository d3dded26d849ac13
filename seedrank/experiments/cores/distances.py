"""How far cores lie apart (docs/algorithms.md §3.5, 2), and two kinds of pairs of cores compared.

Pairs that share a core are not independent. Means per core are not either (each pair counts for both of its cores),
and a jackknife over cores is too wide here, because a core that lies far from everything does so in pairs of both
kinds. So the cores are shuffled: where the kind of a pair has nothing to do with its value, any other order of the
cores is as likely as theirs. A difference belongs to the interval unless, with that difference taken out, theirs stands
out among the shuffled orders at 5 %. tests/unit/experiments/test_core_pairs.py measures the coverage.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from seedrank.core.progress import Progress
from seedrank.engines.base import Engine
from seedrank.experiments.intervals import FEWEST, LEVEL, RESAMPLES, Interval

__all__ = ["between_cores", "difference_of_pairs", "map_positions", "mean_of_pairs"]

_NAN = float("nan")
_AT_ONCE = 2_000_000
"""Pairs shuffled at once."""


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
            level = engine.bfs_hops(pages)
            for target, others in enumerate(members):
                reached = level[others]
                reached = reached[reached >= 0]
                if target != source and len(reached):
                    rows.append((source + 1, target + 1, int(reached.min())))
            advance(1)
    sources, targets, distances = np.array(rows, np.int64).reshape(-1, 3).T
    gaps = np.abs(sources - targets)
    return pa.table({"source": sources, "target": targets, "gap": gaps, "distance": distances})


def map_positions(table: pa.Table, cores: int) -> pa.Table:
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


def difference_of_pairs(values: np.ndarray, kind: np.ndarray, unit: str = "", *, rng: int = 1) -> Interval:
    """Mean over pairs of one kind minus the mean over the others.

    Parameters
    ----------
    values
        float64, cores x cores; NaN where a pair has none. The diagonal is left out.
    kind
        Boolean, cores x cores: pairs of the kind.
    unit
        What a core is called.

    Returns
    -------
    interval
        ``n`` counts the cores in pairs of the rarer kind; below `FEWEST` there is no interval.
    """
    known = ~np.isnan(values) & ~np.eye(len(values), dtype=bool)
    source, target = np.nonzero(known)
    value, inside = values[source, target], kind[source, target]
    n = min(len(np.union1d(source[some], target[some])) for some in (inside, ~inside))
    if not n:
        return Interval(_NAN, _NAN, _NAN, 0, unit)
    found = float(value[inside].mean() - value[~inside].mean())
    if n < FEWEST:
        return Interval(found, _NAN, _NAN, n, unit)
    down, up = _reach(found, *_shuffled(value, inside, kind, source, target, rng))
    if not np.isfinite(down + up):
        return Interval(found, _NAN, _NAN, n, unit)
    # Half the width of a normal interval is 1.96 standard errors.
    return Interval(found, found - down, found + up, n, unit, (down + up) / (2 * 1.96))


def mean_of_pairs(values: np.ndarray, kind: np.ndarray, unit: str = "") -> Interval:
    """Mean over pairs of one kind, with an interval over cores: each core is left out in turn, with all its pairs."""
    from scipy.stats import t

    known = kind & ~np.isnan(values) & ~np.eye(len(values), dtype=bool)
    there = np.flatnonzero(known.any(axis=0) | known.any(axis=1))
    n = len(there)
    if not n:
        return Interval(_NAN, _NAN, _NAN, 0, unit)
    found = float(values[known].mean())
    without = []
    for core in there:
        rest = known.copy()
        rest[core], rest[:, core] = False, False
        without.append(values[rest].mean() if rest.any() else _NAN)
    if n < FEWEST or np.isnan(without).any():
        return Interval(found, _NAN, _NAN, n, unit)
    error = float(np.sqrt((n - 1) / n * np.square(np.array(without) - np.mean(without)).sum()))
    half = float(t.ppf((1 + LEVEL) / 2, n - 1)) * error
    return Interval(found, found - half, found + half, n, unit, error)


def _shuffled(
    value: np.ndarray, inside: np.ndarray, kind: np.ndarray, source: np.ndarray, target: np.ndarray, rng: int
) -> tuple[np.ndarray, np.ndarray]:
    """Under shuffled orders of the cores: the difference of the values, and that of being of the kind in truth."""
    draw = np.random.default_rng(rng)
    orders = np.argsort(draw.random((RESAMPLES, len(kind))), axis=1)
    of_values: list[np.ndarray] = []
    of_kind: list[np.ndarray] = []
    step = max(1, _AT_ONCE // len(value))
    for first in range(0, RESAMPLES, step):
        some = orders[first : first + step]
        now = kind[some[:, source], some[:, target]]
        count = now.sum(axis=1)
        proper = (count > 0) & (count < len(value))  # or there is nothing to compare
        now, count = now[proper], count[proper]
        for which, sums in ((of_values, value), (of_kind, inside.astype(np.float64))):
            within = now @ sums
            which.append(within / count - (sums.sum() - within) / (len(value) - count))
    return np.concatenate(of_values), np.concatenate(of_kind)


def _reach(found: float, of_values: np.ndarray, share: np.ndarray) -> tuple[float, float]:
    """How far below and above the estimate a difference may lie that the shuffled orders do not rule out.

    With the difference ``found + u`` taken out of the pairs of the kind, a shuffled order gives ``rest - share · u``
    and the order of the cores gives ``-u``: it stands out where its size is the larger one in all but 5 % of the
    orders. Solved for u, an order does not rule out what is nearer than ``|rest| / (1 ± share)``.
    """
    rest = of_values - found * share
    same = np.abs(share) > 1 - 1e-9  # the pairs are the same ones, or all the others: such an order rules nothing out
    with np.errstate(divide="ignore", invalid="ignore"):
        plus = np.where(same, np.inf, np.abs(rest) / (1 + share))
        minus = np.where(same, np.inf, np.abs(rest) / (1 - share))
    above, below = np.where(rest >= 0, plus, minus), np.where(rest >= 0, minus, plus)
    down, up = (np.quantile(np.append(one, np.inf), LEVEL, method="inverted_cdf") for one in (below, above))
    return float(down), float(up)
