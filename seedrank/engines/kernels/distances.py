"""Breadth-first searches from many pages: how many pages each reaches, and how far away they are."""

from __future__ import annotations

import numba
import numpy as np

__all__ = ["search"]


@numba.njit(cache=True, nogil=True, parallel=True)
def search(
    offsets: np.ndarray,
    targets: np.ndarray,
    counted: np.ndarray,
    sources: np.ndarray,
    first: int,
    stamps: np.ndarray,
    queues: np.ndarray,
    reached: np.ndarray,
    sums: np.ndarray,
    at: np.ndarray,
    depths: np.ndarray,
) -> None:
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
