"""The half-step of HITS: sums over neighbours with the sum of squares on the way."""

from __future__ import annotations

import numba
import numpy as np

__all__ = ["gather"]


@numba.njit(cache=True, nogil=True, parallel=True)
def gather(
    offsets: np.ndarray,
    neighbours: np.ndarray,
    values: np.ndarray,
    scale: float,
    sums: np.ndarray,
    bounds: np.ndarray,
    squares: np.ndarray,
) -> None:
    """Write `scale` × the sum of the neighbours' values of each page, and per chunk the sum of their squares."""
    for chunk in numba.prange(len(bounds) - 1):
        square = 0.0
        for page in range(bounds[chunk], bounds[chunk + 1]):
            total = 0.0
            for i in range(offsets[page], offsets[page + 1]):
                total += values[neighbours[i]]
            total *= scale
            sums[page] = total
            square += total * total
        squares[chunk] = square
