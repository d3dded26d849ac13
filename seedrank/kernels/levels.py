"""Breadth-first search."""

from __future__ import annotations

import numba
import numpy as np

__all__ = ["levels"]


@numba.njit(cache=True, nogil=True)
def levels(offsets: np.ndarray, targets: np.ndarray, sources: np.ndarray, max_hops: int) -> np.ndarray:
    """int32 per page: hops from the nearest source, -1 where none is within `max_hops`."""
    pages = len(offsets) - 1
    level = np.full(pages, -1, np.int32)
    queue = np.empty(pages, np.uint32)
    tail = 0
    for i in range(len(sources)):
        if level[sources[i]] < 0:
            level[sources[i]] = 0
            queue[tail] = sources[i]
            tail += 1
    head = 0
    hop = 0
    while head < tail and hop < max_hops:
        hop += 1
        last = tail
        while head < last:
            page = queue[head]
            head += 1
            for i in range(offsets[page], offsets[page + 1]):
                target = targets[i]
                if level[target] < 0:
                    level[target] = hop
                    queue[tail] = target
                    tail += 1
    return level
