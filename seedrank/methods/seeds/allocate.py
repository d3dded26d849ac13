"""How many seeds each site gets: by importance, largest remainder, capped and handed on (docs/algorithms.md §2.4)."""

from __future__ import annotations

import numpy as np

from seedrank.core.errors import UsageError

__all__ = ["allocate"]


def allocate(k: int, importance: np.ndarray, capacity: np.ndarray) -> np.ndarray:
    """Split `k` seeds over sites.

    Parameters
    ----------
    k
        Seeds in all.
    importance
        Per site, 0 or more; seeds are split in proportion to it.
    capacity
        Per site: at most so many (its candidates); what a site cannot take goes to the others.

    Returns
    -------
    np.ndarray
        int64 per site; sums to `k`, or to all that sites of some importance can take.
    """
    importance = np.asarray(importance, np.float64)
    wrong = np.flatnonzero(~np.isfinite(importance) | (importance < 0))
    if len(wrong):
        raise UsageError(f"importance of site {wrong[0]} is {importance[wrong[0]]}", hint="give finite numbers from 0")
    quota = np.zeros(len(importance), np.int64)
    open_sites = (importance > 0) & (capacity > 0)
    left = k
    while left > 0 and open_sites.any():
        # By the largest first, so that tiny and huge numbers neither vanish nor overflow.
        relative = np.where(open_sites, importance, 0.0) / importance[open_sites].max()
        share = left * relative / relative.sum()
        full = open_sites & (share >= capacity)
        if full.any():
            # A site that cannot take its share takes what it can; the others share the rest anew.
            quota[full] = capacity[full]
            left -= int(capacity[full].sum())
            open_sites &= ~full
            continue
        quota[open_sites] = np.floor(share[open_sites]).astype(np.int64)
        rest = left - int(quota[open_sites].sum())
        remainder = np.where(open_sites, np.round(share - np.floor(share), 12), -1.0)
        quota[np.lexsort((np.arange(len(quota)), -remainder))[:rest]] += 1
        break
    return quota
