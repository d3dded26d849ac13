"""Orders that push: Fractional PageRank, RankMass and its windowed form, OPIC, L-Neighbor.

After Alam et al., Cho and Schonfeld 2007 and Abiteboul et al. 2003 (docs/algorithms.md §4.1, §4.2, §4.3, §4.4). All
but the windowed form are one kernel with other flags (`seedrank.engines.kernels.push`): take what a page holds, give
shares of it to the pages it links to.
"""

from __future__ import annotations

import math

import numpy as np

from seedrank.engines.kernels import push as kernel
from seedrank.methods.crawl.policy import BatchScoring, Known, Policy, frozen_as, gifts_summed, links_of, tiny

__all__ = ["DAMPING", "fpr", "l_neighbor", "opic", "rankmass", "windowed_rankmass"]

DAMPING = 0.85
OPIC_REVISITS = 10
"""Revisits that a fetch pays for, beyond the first thousand. Cash is never lost, so it gathers where no link leads out
(two pages that link only to one another), and the page with the most cash would be visited there for ever."""
EPSILON = 0.01
"""Of L-Neighbor, where none is given."""


def fpr(
    seeds: np.ndarray,
    *,
    inter_host_weight: float = 1.0,
    damping: float = DAMPING,
    weights: np.ndarray | None = None,
) -> Policy:
    """FPR, or FPR@M: every page is pushed once, when it is fetched; links to other hosts count M times.

    Seeds begin with the same share each, or in proportion to `weights`.
    """
    name = "fpr" if inter_host_weight == 1 else f"fpr@{inter_host_weight:g}"
    start = np.full(len(seeds), (1 - damping) / len(seeds))
    if weights is not None:
        start = (1 - damping) * weights / weights.sum()
    return Policy(name, kernel.SHARE, start, damping, inter_host_weight)


def rankmass(seeds: np.ndarray, *, damping: float = DAMPING, epsilon: float | None = None) -> Policy:
    """RankMass: pages are pushed repeatedly; what was pushed is a lower bound of the mass that is fetched."""
    start = np.full(len(seeds), (1 - damping) / len(seeds))
    return Policy("rankmass", kernel.SHARE, start, damping, again=True, epsilon=epsilon, proves=True)


def opic(seeds: np.ndarray) -> Policy:
    """OPIC: pages split their cash over their links; pages without links give it back to the seeds."""
    start = np.full(len(seeds), 1.0 / len(seeds))
    return Policy("opic", kernel.SHARE, start, again=True, revisits=OPIC_REVISITS)


def l_neighbor(seeds: np.ndarray, *, damping: float = DAMPING, epsilon: float | None = None) -> Policy:
    """Everything within L links of the seeds, by discovery; L is the least with d^(L+1) ≤ epsilon (28 for 0.01)."""
    return Policy("l-neighbor", kernel.AFTER, np.zeros(len(seeds)), lowest=-float(hops(damping, epsilon or EPSILON)))


def hops(damping: float, epsilon: float) -> int:
    """L of L-Neighbor: pages within L links hold at least 1 - epsilon of the RankMass."""
    most = max(math.floor(math.log(epsilon) / math.log(damping)) - 1, 0)
    while damping ** (most + 1) > epsilon:
        most += 1
    return most


def windowed_rankmass(
    seeds: np.ndarray, pages: int, *, window: float = 0.05, damping: float = DAMPING, epsilon: float | None = None
) -> Policy:
    """Windowed RankMass: fetch the best `window` (share) of the discovered pages, then push all that is fetched."""
    state = _Windowed(seeds, pages, damping, 1 - epsilon if epsilon is not None else math.inf)
    batch = BatchScoring(
        state.score, lambda known: max(1, math.ceil(window * len(known.discovered) - 1e-9)), state.mass
    )
    return Policy(f"windowed-rankmass:{100 * window:g}%", batch=batch, proves=True)


class _Windowed:
    """RankMass of all pages between two windows; 8 bytes a page, 12 a seed."""

    def __init__(self, seeds: np.ndarray, pages: int, damping: float, enough: float) -> None:
        self.residual = np.zeros(pages)
        self.residual[seeds] = (1 - damping) / len(seeds)
        self.damping, self.enough = damping, enough
        self.pushed = 0.0
        self.sorted_seeds = np.sort(frozen_as(seeds, np.uint32))
        self.rows = np.empty(0, np.int64)
        self.looked_at = 0
        nothing = np.empty(0, np.uint32)
        self.score(Known(tiny(), frozen_as(seeds, np.uint32), nothing, nothing, nothing))

    def mass(self) -> float:
        return self.pushed

    def score(self, known: Known) -> np.ndarray | None:
        links, nothing = links_of(known.graph), np.empty(0)
        seeds, fetched = known.seeds, known.fetched
        self._find_seeds(fetched)
        while True:
            self.pushed += kernel.sweep(
                links, fetched, 0, len(fetched), self.residual, nothing, self.damping, 0.0, seeds, self.rows,
                gifts_summed(len(seeds)),
            )  # fmt: skip
            if self.pushed >= self.enough:
                return None
            if len(known.discovered) or len(known.fetching) or self.enough > 1 or not len(fetched):
                break
            # Everything is fetched: pushes go on for the bound only, as long as they can still move it.
            if self.residual[fetched].sum() < 1e-16:
                return None
        scores: np.ndarray = self.residual[known.discovered]
        return scores

    def _find_seeds(self, fetched: np.ndarray) -> None:
        """Note which rows of the fetched pages are seeds; only those since the last time are looked at."""
        new = fetched[self.looked_at :]
        at = np.searchsorted(self.sorted_seeds, new)
        is_seed = self.sorted_seeds[np.minimum(at, len(self.sorted_seeds) - 1)] == new
        self.rows = np.concatenate([self.rows, self.looked_at + np.flatnonzero(is_seed)])
        self.looked_at = len(fetched)
