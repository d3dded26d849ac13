"""The half-step of HITS: sums over neighbours with the sum of squares on the way."""

from __future__ import annotations

import numba
import numpy as np

__all__ = ["gather"]


@numba.njit(cache=True, nogil=True, parallel=True)
def gather(
    offsets: np.ndarray,
    neighbours: np.ndarray,
    weights: np.ndarray | None,
    rows: np.ndarray,
    bounds: np.ndarray,
    values: np.ndarray,
    scale: float,
    sums: np.ndarray,
    squares: np.ndarray,
) -> None:
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
