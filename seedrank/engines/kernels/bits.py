"""Many balls at once: a bit per start page, carried along links by whole words (bit-parallel breadth-first search).

A sweep takes `WIDTH` balls, a bit each. The loops run in one thread; those who call them deal the sweeps out to workers
(`seedrank.engines.native.loops`), each with scratch arrays of its own.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np

__all__ = ["WIDTH", "WORDS", "Scratch", "ball_sums", "scratch", "sums_into_sources"]

WORDS = 8
"""Words of bits a page has: one cache line. The number is known when the loops are compiled, which unrolls them."""
WIDTH = 64 * WORDS


class Scratch(NamedTuple):
    """What a worker needs beside the links, (24 · `WORDS` + 13) bytes a page.

    `seen` holds the bits of each page, `now` and `then` those of the last hop and of this one (`WORDS` words a page);
    `queue` (2, pages) the pages that have some. All but the queue are zero between sweeps.
    """

    seen: np.ndarray
    now: np.ndarray
    then: np.ndarray
    queue: np.ndarray
    queued: np.ndarray
    touched: np.ndarray


def scratch(pages: int) -> Scratch:
    """For one worker."""
    return Scratch(
        seen=np.zeros(pages * WORDS, np.uint64),
        now=np.zeros(pages * WORDS, np.uint64),
        then=np.zeros(pages * WORDS, np.uint64),
        queue=np.empty((2, pages), np.uint32),
        queued=np.zeros(pages, np.bool_),
        touched=np.empty(pages, np.uint32),
    )


@numba.njit(cache=True, nogil=True)
def _start(starts: np.ndarray, seen: np.ndarray, now: np.ndarray, queue: np.ndarray) -> int:
    """Give each of `starts` its bit, and queue them; returns how many pages they are."""
    size = 0
    for bit in range(len(starts)):
        page = np.int64(starts[bit])
        some = np.uint64(0)
        for word in range(WORDS):
            some |= seen[page * WORDS + word]
        if not some:
            queue[size] = page
            size += 1
        at = page * WORDS + (bit >> 6)
        one = np.uint64(1) << np.uint64(bit & 63)
        seen[at] |= one
        now[at] |= one
    return size


@numba.njit(cache=True, nogil=True)
def _hop(
    offsets: np.ndarray, targets: np.ndarray, size: int, seen: np.ndarray, now: np.ndarray, then: np.ndarray,
    queue: np.ndarray, following: np.ndarray,
) -> int:  # fmt: skip
    """Carry the bits of the queued pages one link further; returns how many pages got new ones."""
    found = 0
    for k in range(size):
        page = np.int64(queue[k])
        own = page * WORDS
        for i in range(offsets[page], offsets[page + 1]):
            at = np.int64(targets[i]) * WORDS
            # Look first, write after: most links bring nothing new, and reads alone are done by whole vectors.
            news = np.uint64(0)
            for word in range(WORDS):
                news |= now[own + word] & ~seen[at + word]
            if not news:
                continue
            olds = np.uint64(0)
            for word in range(WORDS):
                olds |= then[at + word]
            if not olds:
                following[found] = targets[i]
                found += 1
            for word in range(WORDS):
                then[at + word] |= now[own + word] & ~seen[at + word]
    for k in range(size):
        own = np.int64(queue[k]) * WORDS
        for word in range(WORDS):
            now[own + word] = 0
    for k in range(found):
        at = np.int64(following[k]) * WORDS
        for word in range(WORDS):
            seen[at + word] |= then[at + word]
    return found


@numba.njit(cache=True, nogil=True)
def _spread(offsets: np.ndarray, targets: np.ndarray, starts: np.ndarray, hops: int, room: Scratch) -> int:
    """Mark in `seen` which of `starts` reach each page within `hops`; the pages with marks are `touched`: how many."""
    seen, now, then, queued, touched = room.seen, room.now, room.then, room.queued, room.touched
    queue, following = room.queue[0], room.queue[1]
    marked = 0
    size = _start(starts, seen, now, queue)
    for hop in range(hops + 1):
        for k in range(size):
            if not queued[queue[k]]:
                queued[queue[k]] = True
                touched[marked] = queue[k]
                marked += 1
        if size == 0 or hop == hops:
            break
        size = _hop(offsets, targets, size, seen, now, then, queue, following)
        queue, following = following, queue
        now, then = then, now
    for k in range(size):
        own = np.int64(queue[k]) * WORDS
        for word in range(WORDS):
            now[own + word] = 0
    return marked


@numba.njit(cache=True, nogil=True)
def _clear(seen: np.ndarray, queued: np.ndarray, touched: np.ndarray, marked: int) -> None:
    for k in range(marked):
        page = np.int64(touched[k])
        queued[page] = False
        for word in range(WORDS):
            seen[page * WORDS + word] = 0


@numba.njit(cache=True, nogil=True)
def ball_sums(
    offsets: np.ndarray, targets: np.ndarray, weight: np.ndarray, starts: np.ndarray, hops: int, worker: int,
    workers: int, room: Scratch, sums: np.ndarray,
) -> None:  # fmt: skip
    """Sum of `weight` over the ball of each of `starts`, in every sweep that is the turn of this worker."""
    seen, touched = room.seen, room.touched
    sweeps = (len(starts) + WIDTH - 1) // WIDTH
    for sweep in range(worker, sweeps, workers):
        first = sweep * WIDTH
        some = starts[first : min(first + WIDTH, len(starts))]
        marked = _spread(offsets, targets, some, hops, room)
        for k in range(marked):
            page = np.int64(touched[k])
            value = weight[page]
            if value != 0:
                for word in range(WORDS):
                    bits = seen[page * WORDS + word]
                    base = first + 64 * word
                    while bits:
                        low = bits & (~bits + np.uint64(1))
                        sums[base + _position(low)] += value
                        bits ^= low
        _clear(seen, room.queued, touched, marked)


@numba.njit(cache=True, nogil=True)
def sums_into_sources(
    in_offsets: np.ndarray, in_sources: np.ndarray, weight: np.ndarray, ends: np.ndarray, hops: int, worker: int,
    workers: int, room: Scratch, sums: np.ndarray,
) -> None:  # fmt: skip
    """Add to each page the `weight` of those of `ends` that lie in its ball: balls the other way round.

    Cheaper than `ball_sums` once fewer pages have worth than are asked about. Each worker adds to `sums` of its own;
    with a fixed number of workers their sum is the same for any number of threads.
    """
    seen, touched = room.seen, room.touched
    sweeps = (len(ends) + WIDTH - 1) // WIDTH
    for sweep in range(worker, sweeps, workers):
        first = sweep * WIDTH
        some = ends[first : min(first + WIDTH, len(ends))]
        marked = _spread(in_offsets, in_sources, some, hops, room)
        for k in range(marked):
            page = np.int64(touched[k])
            total = 0.0
            for word in range(WORDS):
                bits = seen[page * WORDS + word]
                base = first + 64 * word
                while bits:
                    low = bits & (~bits + np.uint64(1))
                    total += weight[ends[base + _position(low)]]
                    bits ^= low
            sums[page] += total
        _clear(seen, room.queued, touched, marked)


@numba.njit(cache=True, nogil=True, inline="always")
def _position(low: np.uint64) -> int:
    """Number of the only bit that is set: a de Bruijn sequence names it in the top six bits."""
    return _DE_BRUIJN_PLACE[(low * np.uint64(0x03F79D71B4CB0A89)) >> np.uint64(58)]


_DE_BRUIJN_PLACE = np.zeros(64, np.int64)
for _bit in range(64):
    _DE_BRUIJN_PLACE[((1 << _bit) * 0x03F79D71B4CB0A89 % 2**64) >> 58] = _bit
