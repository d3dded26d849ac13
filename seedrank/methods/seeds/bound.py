"""How good a choice of seeds can be at most: a certificate for any answer, also with negative worth.

After any seeds S, the best choice of k more is worth at most f⁺(S) plus the k largest gains that single pages would
add to it, where f⁺ counts only what is worth more than nothing (docs/algorithms.md §2.6).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from seedrank.methods.seeds.coverage import CoverageProblem, Selection

__all__ = ["Bound", "upper_bound"]


@dataclass(frozen=True)
class Bound:
    """An upper bound of the best possible value."""

    value: float
    """No choice within the quota is worth more."""
    form: str
    """``cheap``: gains bounded by walks and by what is left. ``tight``: gains of every candidate summed exactly.
    ``all``: simply everything of positive worth that the groups hold."""

    def ratio(self, reached: float) -> float | None:
        """Share of the bound that was reached; `None` where either is not above 0, and a share means nothing."""
        return reached / self.value if self.value > 0 and reached > 0 else None


def upper_bound(problem: CoverageProblem, selection: Selection, *, tight: bool = False) -> Bound:
    """Bound the best possible value, from what the selection leaves to gain and from the start.

    What it bounds are choices of as many seeds in each group as the selection could have.

    Parameters
    ----------
    tight
        Sum the ball of every candidate exactly: better, and as costly as a round of exact greedy.
    """
    problem = replace(problem, quota=selection.quota)
    positive = np.maximum(problem.value, 0.0)
    total = float(problem.per_group(positive).sum())
    bounds = [Bound(total, "all")]
    for seeds in (problem.keep, np.concatenate([problem.keep, selection.pages])):
        covered = problem.reached(seeds)
        reached = problem.per_group(np.where(covered, positive, 0.0))
        left = np.where(covered, 0.0, positive)
        bounds.append(_after(problem, reached, left, tight))
    return min(bounds, key=lambda bound: bound.value)


def _after(problem: CoverageProblem, reached: np.ndarray, left: np.ndarray, tight: bool) -> Bound:
    """The bound from one set of seeds: what they reach, and what is left of positive worth per page."""
    may_be_chosen = problem.candidates & (problem.groups >= 0)
    if tight:
        gain = problem.engine.ball_weight(left, problem.hops, np.flatnonzero(may_be_chosen))
    else:
        gain = problem.engine.walk_bound(left, problem.hops)[may_be_chosen]
    group = problem.groups[may_be_chosen]
    left_in_group = problem.per_group(left)
    gain = np.minimum(gain, left_in_group[group])
    gained = np.minimum(_largest(gain, group, problem.quota), left_in_group)
    return Bound(float((reached + gained).sum()), "tight" if tight else "cheap")


def _largest(gain: np.ndarray, group: np.ndarray, quota: np.ndarray) -> np.ndarray:
    """Sum of the largest gains of each group, as many as its quota."""
    if len(quota) == 1 and 0 < quota[0] < len(gain):
        # Of one group no more than the quota need be in order.
        gain = np.partition(gain, len(gain) - quota[0])[-quota[0] :]
        group = np.zeros(len(gain), np.int64)
    order = np.lexsort((-gain, group))
    starts = np.searchsorted(group[order], np.arange(len(quota)))
    place = np.arange(len(order)) - starts[group[order]]
    best = order[place < quota[group[order]]]
    return np.bincount(group[best], weights=gain[best], minlength=len(quota))
