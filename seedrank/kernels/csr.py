"""Loops over links as CSR arrays: count, transpose."""

from __future__ import annotations

import numba
import numpy as np

__all__ = ["count_targets", "transpose"]


@numba.njit(cache=True, nogil=True)
def count_targets(targets: np.ndarray, pages: int) -> np.ndarray:
    """int32 per page: how often it is a target."""
    counts = np.zeros(pages, np.int32)
    for i in range(len(targets)):
        counts[targets[i]] += 1
    return counts


@numba.njit(cache=True, nogil=True)
def transpose(offsets: np.ndarray, targets: np.ndarray, pages: int, sources: np.ndarray) -> np.ndarray:
    """Fill `sources` with the sources of all links, by target, ascending; returns the new offsets (int64)."""
    starts = np.zeros(pages + 1, np.int64)
    for i in range(len(targets)):
        starts[targets[i] + 1] += 1
    for page in range(pages):
        starts[page + 1] += starts[page]
    fill = starts[:-1].copy()
    for source in range(pages):
        for i in range(offsets[source], offsets[source + 1]):
            target = targets[i]
            sources[fill[target]] = source
            fill[target] += 1
    return starts
