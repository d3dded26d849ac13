"""A 4-ary heap of items by key that knows where each item is: no stale entries, keys may change in place.

An entry is 16 bytes (key, number of discovery, item) and holds everything a comparison needs. The four children of an
entry fill one cache line: the root is at index 3, so that they start at a multiple of four of a 64-byte aligned array.
The largest key is first; equal keys go by the smaller number of discovery.

`place[item]` is ``base + step * index``: two heaps can share one array of places, one counting up, one down.
"""

from __future__ import annotations

import numba
import numpy as np

__all__ = ["ENTRY", "ROOT", "better", "entries", "heapify", "put", "rise", "sink", "take"]

ENTRY = np.dtype([("key", np.float64), ("found", np.uint32), ("item", np.uint32)])
ROOT = 3
"""Index of the first entry; a heap of n entries ends before index `ROOT` + n."""

_LINE = 64


def entries(count: int) -> np.ndarray:
    """Room for a heap of `count` entries, aligned to cache lines; the system gives memory only to what is touched."""
    size = (count + ROOT + 1) * ENTRY.itemsize
    raw = np.empty(size + _LINE, np.uint8)
    skip = -raw.ctypes.data % _LINE
    return raw[skip : skip + size].view(ENTRY)


@numba.njit(cache=True, nogil=True, inline="always")
def better(key: float, found: int, other_key: float, other_found: int) -> bool:
    """Whether the first goes before the other."""
    return key > other_key or (key == other_key and found < other_found)


@numba.njit(cache=True, nogil=True)
def rise(heap: np.ndarray, at: int, place: np.ndarray, base: int, step: int) -> None:
    """Put right the entry at `at` whose key may have grown."""
    key, found, item = heap[at].key, heap[at].found, heap[at].item
    while at > ROOT:
        up = (at >> 2) + 2
        if not better(key, found, heap[up].key, heap[up].found):
            break
        moved = heap[up].item
        heap[at].key = heap[up].key
        heap[at].found = heap[up].found
        heap[at].item = moved
        place[moved] = base + step * at
        at = up
    heap[at].key = key
    heap[at].found = found
    heap[at].item = item
    place[item] = base + step * at


@numba.njit(cache=True, nogil=True)
def sink(heap: np.ndarray, at: int, end: int, place: np.ndarray, base: int, step: int) -> None:
    """Put right the entry at `at` whose key may have fallen."""
    key, found, item = heap[at].key, heap[at].found, heap[at].item
    while True:
        child = 4 * at - 8
        if child >= end:
            break
        best = child
        for other in range(child + 1, min(child + 4, end)):
            if better(heap[other].key, heap[other].found, heap[best].key, heap[best].found):
                best = other
        if not better(heap[best].key, heap[best].found, key, found):
            break
        moved = heap[best].item
        heap[at].key = heap[best].key
        heap[at].found = heap[best].found
        heap[at].item = moved
        place[moved] = base + step * at
        at = best
    heap[at].key = key
    heap[at].found = found
    heap[at].item = item
    place[item] = base + step * at


@numba.njit(cache=True, nogil=True)
def put(
    heap: np.ndarray, end: int, key: float, found: int, item: int, place: np.ndarray, base: int, step: int
) -> None:
    """Add an entry at `end`; the heap then ends one further."""
    heap[end].key = key
    heap[end].found = found
    heap[end].item = item
    rise(heap, end, place, base, step)


@numba.njit(cache=True, nogil=True)
def take(heap: np.ndarray, at: int, end: int, place: np.ndarray, base: int, step: int) -> None:
    """Take out the entry at `at`; the heap then ends one sooner. Its item's place is left as it was."""
    last = end - 1
    if at != last:
        heap[at].key = heap[last].key
        heap[at].found = heap[last].found
        heap[at].item = heap[last].item
        if at > ROOT:
            rise(heap, at, place, base, step)
            at = (place[heap[last].item] - base) // step
        sink(heap, at, last, place, base, step)


@numba.njit(cache=True, nogil=True)
def heapify(heap: np.ndarray, end: int, place: np.ndarray, base: int, step: int) -> None:
    """Make a heap of entries in any order."""
    for at in range(ROOT, end):
        place[heap[at].item] = base + step * at
    for at in range(((end - 1) >> 2) + 2, ROOT - 1, -1):
        if at < end:
            sink(heap, at, end, place, base, step)
