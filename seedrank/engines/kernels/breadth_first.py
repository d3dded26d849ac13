"""Breadth-first searches: hops from the nearest of some pages; of many, how many pages each reaches, how far off."""

from __future__ import annotations

import numba
import numpy as np

from seedrank.engines.kernels.prefetch import prefetch

__all__ = ["hops", "search"]


@numba.njit(cache=True, nogil=True, parallel=True)
def search(
    offsets: np.ndarray, targets: np.ndarray, counted: np.ndarray, sources: np.ndarray, first: int, stamps: np.ndarray,
    queues: np.ndarray, reached: np.ndarray, sums: np.ndarray, at: np.ndarray, depths: np.ndarray,
) -> None:  # fmt: skip
    """Write, per source, how many `counted` pages other than itself it reaches and the sum of their distances.

    `first`, `stamps` and `queues` are as for `seedrank.engines.kernels.balls.ball_weights`. `at` (workers, pages) gets,
    per worker, the counted pages at each distance from 1 on (column 0 is distance 1), `depths` the columns in use.
    """
    workers = len(stamps)
    for worker in numba.prange(workers):
        stamp = stamps[worker]
        queue = queues[worker]
        for k in range(worker, len(sources), workers):
            mark = first + k
            stamp[sources[k]] = mark
            queue[0] = sources[k]
            head = 0
            tail = 1
            hop = 0
            while head < tail:
                last = tail
                found = 0
                while head < last:
                    page = queue[head]
                    head += 1
                    for i in range(offsets[page], offsets[page + 1]):
                        target = targets[i]
                        if stamp[target] != mark:
                            stamp[target] = mark
                            queue[tail] = target
                            tail += 1
                            found += counted[target]
                hop += 1
                if found:
                    at[worker, hop - 1] += found
                    reached[k] += found
                    sums[k] += found * hop
                    depths[worker] = max(depths[worker], hop)


_FAR, _NEAR = 16, 8
"""Pages ahead in the queue whose offsets, and whose links, are asked for."""


@numba.njit(cache=True, nogil=True)
def hops(offsets: np.ndarray, targets: np.ndarray, sources: np.ndarray, max_hops: int) -> np.ndarray:
    """int32 per page: hops from the nearest source, -1 where none is within `max_hops`.

    The links of pages that wait in the queue are called into the cache before their turn. Searching from the pages that
    are not reached yet (direction-optimising) was slower on recorded webs: their levels are many and narrow.
    """
    pages = len(offsets) - 1
    level = np.full(pages, -1, np.int32)
    queue = np.zeros(pages + _FAR, np.uint32)
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
            prefetch(offsets, np.int64(queue[head + _FAR]))
            prefetch(targets, offsets[queue[head + _NEAR]])
            head += 1
            for i in range(offsets[page], offsets[page + 1]):
                target = targets[i]
                if level[target] < 0:
                    level[target] = hop
                    queue[tail] = target
                    tail += 1
    return level
