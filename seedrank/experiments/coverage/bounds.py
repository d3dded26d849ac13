"""What seeds could cover at most, site by site: the end of the way that a gain is a share of.

After any seeds S no k seeds are worth more than f⁺(S) plus the k largest gains that single pages add to it, f⁺ counting
what is worth more than nothing (docs/algorithms.md §2.6), and never more than all there is. Gains are summed exactly;
for sites so large that it would take too long the bound is all there is.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from seedrank.methods.seeds.coverage import CoverageProblem as Problem

__all__ = ["bounds"]

AFTER = (0, 1, 5)
"""Seeds after which bounds are taken: the least of them counts."""
LARGEST = 2e9
"""Pages times links of a site up to which gains are summed."""


def bounds(problem: Problem, chosen: pa.Table, seeds: Sequence[int]) -> np.ndarray:
    """Bounds of pages and of value, (groups, numbers of seeds, 2).

    `chosen` is a good choice (``group``, ``round``, ``page``): bounds after its first seeds are close.
    """
    found = np.empty((len(problem.quota), len(seeds), 2))
    for number, worth in enumerate((problem.crawled.astype(np.float64), np.maximum(problem.value, 0.0))):
        found[..., number] = _of(problem, worth, chosen, seeds)
    return found


def _of(problem: Problem, worth: np.ndarray, chosen: pa.Table, seeds: Sequence[int]) -> np.ndarray:
    whole = problem.per_group(worth)
    best = np.repeat(whole[:, None], len(seeds), axis=1)
    small = _small(problem)
    candidates = np.flatnonzero(problem.candidates & (problem.groups >= 0) & small[problem.groups])
    group = problem.groups[candidates]
    rounds, pages = chosen["round"].to_numpy(), chosen["page"].to_numpy()
    for after in AFTER:
        if not len(candidates) or after > max(seeds):
            continue
        covered = problem.reached(pages[rounds < after]) if after else np.zeros(len(worth), bool)
        left = np.where(covered, 0.0, worth)
        gain = problem.engine.ball_weight(left, problem.hops, candidates)
        order = np.lexsort((-gain, group))
        place = np.arange(len(order)) - np.searchsorted(group[order], group[order])
        reached = problem.per_group(np.where(covered, worth, 0.0))
        for column, count in enumerate(seeds):
            first = order[place < count]
            gained = np.bincount(group[first], gain[first], len(whole))
            best[small, column] = np.minimum(best[small, column], (reached + gained)[small])
    return best


def _small(problem: Problem) -> np.ndarray:
    """Groups whose gains are summed."""
    inside = np.flatnonzero(problem.groups >= 0)
    count = len(problem.quota)
    pages = np.bincount(problem.groups[inside], minlength=count)
    links = np.bincount(problem.groups[inside], problem.engine.degrees()[1][inside], count)
    return np.asarray((pages * links <= LARGEST) & (problem.quota > 0))
