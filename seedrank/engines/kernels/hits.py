"""Half-steps of HITS: sums over neighbours with the sum of squares on the way.

`gather` needs the links in both directions. `step` and `join` do with the links as they are, for graphs whose links are
larger than memory: a pass reads each page's links twice in a row, first to sum the authorities of the pages it links
to, which is its hub score, then to add that to theirs.
"""

from __future__ import annotations

import numba
import numpy as np

from seedrank.engines.kernels.prefetch import prefetch

__all__ = ["gather", "join", "step"]

_AHEAD = 32
"""Links ahead whose target is called into the cache: half the time where pages link far."""


@numba.njit(cache=True, nogil=True, parallel=True)
def gather(
    offsets: np.ndarray, neighbours: np.ndarray, weights: np.ndarray | None, rows: np.ndarray, bounds: np.ndarray,
    values: np.ndarray, scale: float, sums: np.ndarray, squares: np.ndarray,
) -> None:  # fmt: skip
    """Write `scale` × the sum of the neighbours' values of each of `rows`; per chunk of those the sum of squares.

    Each value counts `weights` times; once when `None`.
    """
    for chunk in numba.prange(len(bounds) - 1):
        square = 0.0
        for k in range(bounds[chunk], bounds[chunk + 1]):
            page = rows[k]
            total = 0.0
            if weights is None:
                for i in range(offsets[page], offsets[np.int64(page) + 1]):
                    total += values[neighbours[i]]
            else:
                for i in range(offsets[page], offsets[np.int64(page) + 1]):
                    total += weights[i] * values[neighbours[i]]
            total *= scale
            sums[page] = total
            square += total * total
        squares[chunk] = square


@numba.njit(cache=True, nogil=True)
def step(
    offsets: np.ndarray, targets: np.ndarray, weights: np.ndarray | None, stays: np.ndarray, first: int, last: int,
    authorities: np.ndarray, scale: float, hubs: np.ndarray, after: np.ndarray,
) -> float:  # fmt: skip
    """Add to `after` what the pages from `first` to `last` give the pages they link to; returns their sum of squares.

    Parameters
    ----------
    offsets, targets, weights
        Links by source; each counts `weights` times, once when `None`.
    stays
        Boolean per page: the others have no links; empty keeps all.
    authorities, scale
        A page's hub score is `scale` × the sum of the authorities it links to; 1 for every page where there are none
        (an empty array).
    hubs
        Gets the hub scores; none where it is empty.
    after
        The next authorities; none where it is empty.
    """
    squares = 0.0
    end = len(targets) - 1
    for page in range(first, last):
        if len(stays) and not stays[page]:
            continue
        start, stop = offsets[page], offsets[page + 1]
        total = 1.0
        if len(authorities):
            total = 0.0
            for i in range(start, stop):
                coming = np.int64(targets[min(i + _AHEAD, end)])
                prefetch(authorities, coming)
                prefetch(after, coming)
                if weights is None:
                    total += authorities[targets[i]]
                else:
                    total += weights[i] * authorities[targets[i]]
            total *= scale
            squares += total * total
            if len(hubs):
                hubs[page] = total
        if len(after) and total != 0.0:
            if weights is None:
                for i in range(start, stop):
                    after[targets[i]] += total
            else:
                for i in range(start, stop):
                    after[targets[i]] += weights[i] * total
    return squares


@numba.njit(cache=True, nogil=True)
def join(parts: np.ndarray, stays: np.ndarray, first: int, last: int, sums: np.ndarray) -> float:
    """Write the sum of the rows of `parts` of the pages from `first` to `last`, 0 for pages that do not stay.

    Empties `parts` there; returns the sum of squares.
    """
    squares = 0.0
    for page in range(first, last):
        total = 0.0
        for part in range(len(parts)):
            total += parts[part, page]
            parts[part, page] = 0.0
        if len(stays) and not stays[page]:
            total = 0.0
        sums[page] = total
        squares += total * total
    return squares
