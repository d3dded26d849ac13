"""Weights of links: summed by page, transposed with the links, capped."""

from __future__ import annotations

import numba
import numpy as np

from seedrank.engines.kernels.hashing import GOLDEN, mix

__all__ = ["cap_rows", "row_sums", "transpose_weights"]


@numba.njit(cache=True, nogil=True, parallel=True)
def row_sums(offsets: np.ndarray, weights: np.ndarray, sums: np.ndarray) -> None:
    """Write the sum of each page's weights, in float64."""
    for page in numba.prange(len(offsets) - 1):
        total = 0.0
        for i in range(offsets[page], offsets[page + 1]):
            total += weights[i]
        sums[page] = total


@numba.njit(cache=True, nogil=True)
def transpose_weights(
    offsets: np.ndarray, targets: np.ndarray, in_offsets: np.ndarray, weights: np.ndarray, transposed: np.ndarray
) -> None:
    """Fill `transposed` with the weights in the order in which `transpose` lays the sources."""
    fill = in_offsets[:-1].copy()
    for source in range(len(offsets) - 1):
        for i in range(offsets[source], offsets[source + 1]):
            target = targets[i]
            transposed[fill[target]] = weights[i]
            fill[target] += 1


@numba.njit(cache=True, nogil=True)
def _hash(source: int, target: int) -> np.uint64:
    """A number that looks random, another one for every pair of pages."""
    return mix(((np.uint64(source) << np.uint64(32)) | np.uint64(target)) + GOLDEN)


@numba.njit(cache=True, nogil=True, parallel=True)
def cap_rows(offsets: np.ndarray, targets: np.ndarray, most: int, weights: np.ndarray) -> None:
    """Set to 0, in place, all but the `most` heaviest weights of each page; ties stay by the smaller hash."""
    for source in numba.prange(len(offsets) - 1):
        start, stop = offsets[source], offsets[source + 1]
        if stop - start <= most:
            continue
        row = weights[start:stop]
        least = np.sort(row)[stop - start - most]
        heavier = 0
        ties = 0
        for i in range(stop - start):
            heavier += row[i] > least
            ties += row[i] == least
        hashes = np.empty(ties, np.uint64)
        at = 0
        for i in range(stop - start):
            if row[i] == least:
                hashes[at] = _hash(source, targets[start + i])
                at += 1
        last = np.sort(hashes)[most - heavier - 1]
        for i in range(stop - start):
            if row[i] < least or (row[i] == least and _hash(source, targets[start + i]) > last):
                row[i] = 0.0
