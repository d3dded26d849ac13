"""A 4-ary heap of items by key that knows where each item is: no stale entries, keys may change in place.

An entry is 16 bytes and holds everything a comparison needs: its key, then one word of discovery number and item. The
four children of an entry fill one cache line: the root is at index 3, so that they start at a multiple of four of a
64-byte aligned array. The largest key is first; equal keys go by the smaller number of discovery.

A heap is one piece of memory seen twice, as float64 (`keys`) and as uint64 (`words`); entry i is ``keys[2 i]`` and
``words[2 i + 1]``. Indices are unsigned throughout, which spares the kernels a test of the sign at each access;
with entries in one piece and no branches in `sink`, a plain loop over a million pages took 0.35 s instead of 0.93 s.

Several heaps may lie in one piece of memory, one behind the other: `base`, a multiple of four, is where entry 0 of a
heap is, and places count from there. A heap that is alone has the base `ALONE`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np

from seedrank.engines.kernels.prefetch import prefetch

__all__ = ["ALONE", "ROOT", "Heap", "better", "drop", "entries", "heapify", "item", "put", "rise", "room", "sink"]

ROOT = 3
"""Index of the first entry; a heap of n entries ends before index `ROOT` + n."""

ALONE = np.uint64(0)
"""Base of a heap that has its memory for itself."""

_LINE = 64
_ONE, _TWO, _THREE, _FOUR, _EIGHT, _SHIFT = (np.uint64(n) for n in (1, 2, 3, 4, 8, 32))
_LAST_WORD = np.uint64(2**64 - 1)


class Heap(NamedTuple):
    """The memory of a heap, and the place (index) of each item, int32.

    Loops take the three arrays apart: to hand on a tuple of arrays costs more than to move an entry.
    """

    keys: np.ndarray
    words: np.ndarray
    place: np.ndarray


def room(counts: np.ndarray) -> np.ndarray:
    """Bases of heaps that lie one behind the other, by the most entries of each, and where the last one ends, int64."""
    bases = np.zeros(len(counts) + 1, np.int64)
    # With the places before the root and the rest of the last line of children.
    np.cumsum((np.asarray(counts, np.int64) + ROOT + 3) // 4 * 4, out=bases[1:])
    return bases


def entries(count: int, place: np.ndarray) -> Heap:
    """Room for `count` entries of a heap, aligned to cache lines; the system gives memory only to what is touched."""
    size = (count + ROOT + 4) * 16
    raw = np.empty(size + _LINE, np.uint8)
    skip = -raw.ctypes.data % _LINE
    raw = raw[skip : skip + size]
    return Heap(raw.view(np.float64), raw.view(np.uint64), place)


@numba.njit(cache=True, nogil=True, inline="always")
def better(key: float, word: Any, other_key: float, other_word: Any) -> bool:
    """Whether the first goes before the other; the words hold the numbers of discovery in their upper half."""
    return key > other_key or (key == other_key and word < other_word)


@numba.njit(cache=True, nogil=True, inline="always")
def item(words: np.ndarray, at: Any) -> Any:
    """The item of an entry."""
    return np.int64(np.uint32(words[_TWO * np.uint64(at) + _ONE]))


@numba.njit(cache=True, nogil=True)
def _rise(
    keys: np.ndarray, words: np.ndarray, place: np.ndarray, base: Any, at: Any, key: float, word: Any, top: Any
) -> None:
    """Put an entry into the hole at `at`, or above it, but not above `top`."""
    while at > top:
        up = (at >> _TWO) + _TWO
        here, above = _TWO * (base + at), _TWO * (base + up)
        key_up, word_up = keys[above], words[above + _ONE]
        if better(key_up, word_up, key, word):
            break
        keys[here] = key_up
        words[here + _ONE] = word_up
        place[np.uint32(word_up)] = at
        at = up
    here = _TWO * (base + at)
    keys[here] = key
    words[here + _ONE] = word
    place[np.uint32(word)] = at


@numba.njit(cache=True, nogil=True)
def rise(keys: np.ndarray, words: np.ndarray, place: np.ndarray, base: Any, at: Any, key: float) -> None:
    """Give the entry at `at` a larger key."""
    at, base = np.uint64(at), np.uint64(base)
    _rise(keys, words, place, base, at, key, words[_TWO * (base + at) + _ONE], _THREE)


@numba.njit(cache=True, nogil=True, inline="always")
def _best_of(keys: np.ndarray, words: np.ndarray, a: Any, b: Any) -> Any:
    """The better of two entries, without a branch to guess wrong."""
    key_a, key_b = keys[_TWO * a], keys[_TWO * b]
    second = (key_b > key_a) | ((key_b == key_a) & (words[_TWO * b + _ONE] < words[_TWO * a + _ONE]))
    return b if second else a


@numba.njit(cache=True, nogil=True)
def _sink(
    keys: np.ndarray, words: np.ndarray, place: np.ndarray, base: Any, at: Any, end: Any, key: float, word: Any
) -> None:
    """Put an entry into the hole at `at`, or below it.

    The best child moves up all the way to the bottom, where most entries belong that come from there; then the entry
    rises to its place.
    """
    top = at
    while True:
        child = _FOUR * at - _EIGHT
        if child >= end:
            break
        # The sixteen grandchildren are four lines in a row.
        ahead = np.int64(_TWO * (base + _FOUR * child - _EIGHT))
        prefetch(words, ahead)
        prefetch(words, ahead + 8)
        prefetch(words, ahead + 16)
        prefetch(words, ahead + 24)
        first = base + child
        left = _best_of(keys, words, first, first + _ONE)
        best = _best_of(keys, words, left, _best_of(keys, words, first + _TWO, first + _THREE))
        word_best = words[_TWO * best + _ONE]
        here = _TWO * (base + at)
        keys[here] = keys[_TWO * best]
        words[here + _ONE] = word_best
        place[np.uint32(word_best)] = at
        at = best - base
    _rise(keys, words, place, base, at, key, word, top)


@numba.njit(cache=True, nogil=True)
def sink(keys: np.ndarray, words: np.ndarray, place: np.ndarray, base: Any, at: Any, end: Any, key: float) -> None:
    """Give the entry at `at` a smaller key."""
    at, base = np.uint64(at), np.uint64(base)
    _sink(keys, words, place, base, at, np.uint64(end), key, words[_TWO * (base + at) + _ONE])


@numba.njit(cache=True, nogil=True, inline="always")
def _close_line(keys: np.ndarray, words: np.ndarray, base: Any, end: Any) -> None:
    """Fill the rest of a cache line with what is below everything, so that four children can always be compared."""
    if end & _THREE == np.uint64(0):
        for beyond in range(1, 4):
            keys[_TWO * (base + end + np.uint64(beyond))] = -np.inf
            words[_TWO * (base + end + np.uint64(beyond)) + _ONE] = _LAST_WORD


@numba.njit(cache=True, nogil=True)
def put(
    keys: np.ndarray, words: np.ndarray, place: np.ndarray, base: Any, end: Any, key: float, found: Any, thing: Any
) -> None:
    """Add an entry at `end`; the heap then ends one further."""
    end, base = np.uint64(end), np.uint64(base)
    _close_line(keys, words, base, end)
    word = (np.uint64(found) << _SHIFT) | np.uint64(thing)
    _rise(keys, words, place, base, end, key, word, _THREE)


@numba.njit(cache=True, nogil=True)
def drop(keys: np.ndarray, words: np.ndarray, place: np.ndarray, base: Any, at: Any, end: Any) -> None:
    """Take out the entry at `at`; the heap then ends one sooner. Its item's place is left as it was."""
    at, last, base = np.uint64(at), np.uint64(end - 1), np.uint64(base)
    there = _TWO * (base + last)
    key, word = keys[there], words[there + _ONE]
    keys[there] = -np.inf
    words[there + _ONE] = _LAST_WORD
    if at == last:
        return
    up = _TWO * (base + (at >> _TWO) + _TWO)
    if at > _THREE and better(key, word, keys[up], words[up + _ONE]):
        _rise(keys, words, place, base, at, key, word, _THREE)
    else:
        _sink(keys, words, place, base, at, last, key, word)


@numba.njit(cache=True, nogil=True)
def heapify(keys: np.ndarray, words: np.ndarray, place: np.ndarray, base: Any, end: Any) -> None:
    """Make a heap of entries in any order."""
    base = np.int64(base)
    for at in range(ROOT, end):
        place[item(words, base + at)] = at
    if end > ROOT:
        for at in range(((end - 1) >> 2) + 2, ROOT - 1, -1):
            if at < end:
                sink(keys, words, place, base, at, end, keys[2 * (base + at)])
