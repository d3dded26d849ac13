"""Many balls at once: a bit per start page, carried along links by whole words (bit-parallel breadth-first search)."""

from __future__ import annotations

import numba
import numpy as np

__all__ = ["ball_sums", "sums_into_sources"]


@numba.njit(cache=True, nogil=True)
def _spread(
    offsets: np.ndarray,
    targets: np.ndarray,
    starts: np.ndarray,
    hops: int,
    seen: np.ndarray,
    fresh: np.ndarray,
    queue: np.ndarray,
    queued: np.ndarray,
    touched: np.ndarray,
) -> int:
    """Mark in `seen` (pages, words) which of `starts` reach each page within `hops`.

    All scratch arrays must be zero; the pages with marks are written to `touched`, and their number is returned.
    `fresh` holds the marks of the last hop, `queue` (2, pages) the pages that have some.
    """
    words = seen.shape[1]
    marked = 0
    now = 0
    size = 0
    for bit in range(len(starts)):
        page = starts[bit]
        if not queued[page]:
            queued[page] = True
            touched[marked] = page
            marked += 1
            queue[0, size] = page
            size += 1
        fresh[0, page, bit >> 6] |= np.uint64(1) << np.uint64(bit & 63)
    for k in range(size):
        page = queue[0, k]
        for word in range(words):
            seen[page, word] |= fresh[0, page, word]
    for _ in range(hops):
        then = 1 - now
        next_size = 0
        for k in range(size):
            page = queue[now, k]
            for i in range(offsets[page], offsets[page + 1]):
                target = targets[i]
                news = np.uint64(0)
                olds = np.uint64(0)
                for word in range(words):
                    more = fresh[now, page, word] & ~seen[target, word]
                    news |= more
                    olds |= fresh[then, target, word]
                    fresh[then, target, word] |= more
                if news and not olds:
                    queue[then, next_size] = target
                    next_size += 1
        for k in range(size):
            page = queue[now, k]
            for word in range(words):
                fresh[now, page, word] = 0
        for k in range(next_size):
            page = queue[then, k]
            if not queued[page]:
                queued[page] = True
                touched[marked] = page
                marked += 1
            for word in range(words):
                seen[page, word] |= fresh[then, page, word]
        now = then
        size = next_size
        if size == 0:
            break
    for k in range(size):
        page = queue[now, k]
        for word in range(words):
            fresh[now, page, word] = 0
    return marked


@numba.njit(cache=True, nogil=True)
def _clear(seen: np.ndarray, queued: np.ndarray, touched: np.ndarray, marked: int) -> None:
    for k in range(marked):
        page = touched[k]
        queued[page] = False
        for word in range(seen.shape[1]):
            seen[page, word] = 0


@numba.njit(cache=True, nogil=True, parallel=True)
def ball_sums(
    offsets: np.ndarray,
    targets: np.ndarray,
    weight: np.ndarray,
    starts: np.ndarray,
    hops: int,
    workers: int,
    words: int,
    sums: np.ndarray,
) -> None:
    """Sum of `weight` over the ball of each of `starts`, 64 × `words` balls a sweep, a sweep a worker at a time.

    Each worker takes pages × (24 × words + 13) bytes.
    """
    pages = len(offsets) - 1
    width = 64 * words
    sweeps = (len(starts) + width - 1) // width
    for worker in numba.prange(workers):
        seen = np.zeros((pages, words), np.uint64)
        fresh = np.zeros((2, pages, words), np.uint64)
        queue = np.empty((2, pages), np.int32)
        queued = np.zeros(pages, np.bool_)
        touched = np.empty(pages, np.int32)
        for sweep in range(worker, sweeps, workers):
            first = sweep * width
            some = starts[first : min(first + width, len(starts))]
            marked = _spread(offsets, targets, some, hops, seen, fresh, queue, queued, touched)
            for k in range(marked):
                page = touched[k]
                value = weight[page]
                if value != 0:
                    for word in range(words):
                        bits = seen[page, word]
                        base = first + 64 * word
                        while bits:
                            low = bits & (~bits + np.uint64(1))
                            sums[base + _position(low)] += value
                            bits ^= low
            _clear(seen, queued, touched, marked)


@numba.njit(cache=True, nogil=True, parallel=True)
def sums_into_sources(
    in_offsets: np.ndarray,
    in_sources: np.ndarray,
    weight: np.ndarray,
    ends: np.ndarray,
    hops: int,
    words: int,
    parts: np.ndarray,
) -> None:
    """Add to each page the `weight` of those of `ends` that lie in its ball: balls the other way round.

    Cheaper than `ball_sums` once fewer pages have worth than are asked about. Sweeps are dealt to the rows of `parts`
    (rows, pages) in turn, so that sums are the same for any number of threads: add the rows up.
    """
    pages = len(in_offsets) - 1
    width = 64 * words
    sweeps = (len(ends) + width - 1) // width
    for part in numba.prange(len(parts)):
        sums = parts[part]
        seen = np.zeros((pages, words), np.uint64)
        fresh = np.zeros((2, pages, words), np.uint64)
        queue = np.empty((2, pages), np.int32)
        queued = np.zeros(pages, np.bool_)
        touched = np.empty(pages, np.int32)
        for sweep in range(part, sweeps, len(parts)):
            first = sweep * width
            some = ends[first : min(first + width, len(ends))]
            marked = _spread(in_offsets, in_sources, some, hops, seen, fresh, queue, queued, touched)
            for k in range(marked):
                page = touched[k]
                total = 0.0
                for word in range(words):
                    bits = seen[page, word]
                    base = first + 64 * word
                    while bits:
                        low = bits & (~bits + np.uint64(1))
                        total += weight[ends[base + _position(low)]]
                        bits ^= low
                sums[page] += total
            _clear(seen, queued, touched, marked)


@numba.njit(cache=True, nogil=True, inline="always")
def _position(low: np.uint64) -> int:
    """Number of the only bit that is set: a de Bruijn sequence names it in the top six bits."""
    return _DE_BRUIJN_PLACE[(low * np.uint64(0x03F79D71B4CB0A89)) >> np.uint64(58)]


_DE_BRUIJN_PLACE = np.zeros(64, np.int64)
for _bit in range(64):
    _DE_BRUIJN_PLACE[((1 << _bit) * 0x03F79D71B4CB0A89 % 2**64) >> 58] = _bit
