"""Sums over the distinct pages within some hops of each page."""

from __future__ import annotations

import numba
import numpy as np

__all__ = ["RUN", "ball_weights", "harmonic", "walk_sums"]

RUN = 64
"""Pages a worker takes at a time: short, so that dense regions are shared out."""


@numba.njit(cache=True, nogil=True)
def ball_weights(
    offsets: np.ndarray, targets: np.ndarray, weight: np.ndarray, pages: np.ndarray, hops: int, first: int,
    stamps: np.ndarray, queues: np.ndarray, sums: np.ndarray, sizes: np.ndarray, worker: int,
) -> None:  # fmt: skip
    """Write the sum of `weight` over the ball of each of `pages` that is the turn of this worker.

    A row of `stamps` and `queues` belongs to each worker.

    `sizes` gets, per worker, how many pages its balls hold before their last hop.

    A ball stamps its pages with its own number, `first` upwards: larger than every stamp there. The last hop is summed
    without being queued, so that up to two hops cost about one read a link walked.
    """
    workers = len(stamps)
    runs = (len(pages) + RUN - 1) // RUN
    stamp = stamps[worker]
    queue = queues[worker]
    for run in range(worker, runs, workers):
        for k in range(run * RUN, min((run + 1) * RUN, len(pages))):
            start = pages[k]
            mark = first + k
            total = weight[start]
            stamp[start] = mark
            queue[0] = start
            head = 0
            tail = 1
            for hop in range(hops):
                if head == tail:
                    break
                last = tail
                if hop + 1 < hops:
                    while head < last:
                        page = queue[head]
                        head += 1
                        for i in range(offsets[page], offsets[page + 1]):
                            target = targets[i]
                            if stamp[target] != mark:
                                stamp[target] = mark
                                total += weight[target]
                                queue[tail] = target
                                tail += 1
                else:
                    while head < last:
                        page = queue[head]
                        head += 1
                        for i in range(offsets[page], offsets[page + 1]):
                            target = targets[i]
                            if stamp[target] != mark:
                                stamp[target] = mark
                                total += weight[target]
            sums[k] = total
            sizes[worker] += tail


@numba.njit(cache=True, nogil=True, parallel=True)
def harmonic(
    in_offsets: np.ndarray, in_sources: np.ndarray, first: int, stamps: np.ndarray, queues: np.ndarray, sums: np.ndarray
) -> None:
    """Write Σ 1/distance over the pages that reach each page; `first`, `stamps`, `queues` as for `ball_weights`."""
    workers = len(stamps)
    pages = len(sums)
    runs = (pages + RUN - 1) // RUN
    for worker in numba.prange(workers):
        stamp = stamps[worker]
        queue = queues[worker]
        for run in range(worker, runs, workers):
            for start in range(run * RUN, min((run + 1) * RUN, pages)):
                mark = first + start
                stamp[start] = mark
                queue[0] = start
                head = 0
                tail = 1
                hop = 0
                total = 0.0
                while head < tail:
                    hop += 1
                    last = tail
                    while head < last:
                        page = queue[head]
                        head += 1
                        for i in range(in_offsets[page], in_offsets[page + 1]):
                            source = in_sources[i]
                            if stamp[source] != mark:
                                stamp[source] = mark
                                queue[tail] = source
                                tail += 1
                    total += (tail - last) / hop
                sums[start] = total


@numba.njit(cache=True, nogil=True)
def walk_sums(
    offsets: np.ndarray, targets: np.ndarray, own: np.ndarray, before: np.ndarray, after: np.ndarray, first: int,
    last: int,
) -> None:  # fmt: skip
    """One hop of the walk bound for pages from `first` to before `last`.

    `after` = `own` + the sum of `before` over the pages linked to.
    """
    for page in range(first, last):
        total = own[page]
        for i in range(offsets[page], offsets[page + 1]):
            total += before[targets[i]]
        after[page] = total
