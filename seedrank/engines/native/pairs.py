"""Co-citation in memory: rounds of left pages whose pairs fit the workers' buffers, then on to the answer."""

from __future__ import annotations

from itertools import pairwise

import numba
import numpy as np

from seedrank.core import resources
from seedrank.engines.base import Cocitation
from seedrank.engines.kernels import cocitation as kernels

__all__ = ["PAIR_BUFFER", "count_pairs"]

PAIR_BUFFER = 1 << 21
"""Pairs a worker holds (8 bytes each) before they go to the answer."""
_PAIR = 12
"""Bytes of a pair in the answer."""


def count_pairs(
    in_links: tuple[np.ndarray, np.ndarray],
    out_links: tuple[np.ndarray, np.ndarray],
    left: np.ndarray,
    right: np.ndarray,
    cap: int | None,
) -> Cocitation:
    """Pages that link to both, for each pair of a `left` and a different `right` page."""
    total = len(left)
    most_links = total if cap is None else cap
    pages = np.flatnonzero(left).astype(np.int32).view(np.uint32)
    most = np.empty(len(pages), np.int64)
    kernels.most_pairs(*in_links, out_links[0], pages, most_links, most)
    np.minimum(most, np.count_nonzero(right), out=most)
    ends = np.cumsum(most)
    buffer = max(PAIR_BUFFER, int(most.max(initial=1)))
    workers = numba.get_num_threads()
    resources.require_memory(
        workers * (5 * total + 8 * buffer) + 24 * len(pages), "co-citation", "use a machine with more memory"
    )
    counts = np.where(right, np.zeros((workers, 1), np.int32), np.int32(-1))
    bits = np.zeros((workers, _bitmap_words(total)), np.uint64)
    # One more than fits: a target is written before it is known to count.
    targets, shared = (np.empty((workers, buffer + 1), np.int32) for _ in range(2))
    rows = np.empty(len(pages), np.int64)
    answer = _Answer(int(ends[-1]) if len(ends) else 0)
    done = 0
    while done < len(pages):
        runs = _runs(ends, done, buffer, workers)
        kernels.count_shared(*in_links, *out_links, pages, most_links, runs, counts, bits, targets, shared, rows)
        done = int(runs[-1])
        found = np.array([rows[a:b].sum() for a, b in pairwise(runs)], np.int64)
        starts = answer.pairs + np.concatenate((np.zeros(1, np.int64), np.cumsum(found)))
        arrays = answer.grow(int(starts[-1]), f"after {done:,} of {len(pages):,} pages")
        kernels.copy_runs(pages, runs, rows, targets, shared, starts, *arrays)
    over = (0, 0) if cap is None else kernels.capped(*out_links, left, right, cap)
    return Cocitation(*answer.whole(), int(over[0]), int(over[1]))


class _Answer:
    """Source, target and count of the pairs found so far, int32, with room for more.

    Room for `most` pairs is taken at the start where it is less than a quarter of the memory there is: the system
    gives memory only when it is written to. Otherwise room is doubled as it fills.
    """

    def __init__(self, most: int) -> None:
        there = resources.free_memory()
        room = most if there is None else min(most, there // 4 // _PAIR)
        self.most = most
        self.pairs = 0
        self.arrays = [np.empty(room, np.int32) for _ in range(3)]

    def grow(self, pairs: int, how_far: str) -> list[np.ndarray]:
        """Arrays with room for so many pairs."""
        new, self.pairs = pairs - self.pairs, pairs
        room = min(self.most, 2 * pairs) if pairs > len(self.arrays[0]) else 0
        resources.require_memory(
            _PAIR * max(new, room),
            f"co-citation with {pairs:,} pairs {how_far}",
            "leave out pages with many links (a fan-out cap) or take smaller sets of pages",
        )
        if room:
            for k, old in enumerate(self.arrays):
                self.arrays[k] = np.empty(room, np.int32)
                self.arrays[k][: pairs - new] = old[: pairs - new]
        return self.arrays

    def whole(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The three arrays, as long as there are pairs."""
        source, target, count = (array[: self.pairs] for array in self.arrays)
        return source, target, count


def _runs(ends: np.ndarray, done: int, buffer: int, workers: int) -> np.ndarray:
    """The next pages of each worker, workers + 1 bounds: as many as surely fit its buffer."""
    runs = [done]
    for _ in range(workers):
        filled = int(ends[runs[-1] - 1]) if runs[-1] else 0
        runs.append(int(np.searchsorted(ends, filled + buffer, side="right")))
    return np.array(runs, np.int64)


def _bitmap_words(pages: int) -> int:
    """64-bit words for a bit per page, a bit per such word, and a bit per word of those."""
    words = -(-pages // 64)
    blocks = -(-words // 64)
    return words + blocks + -(-blocks // 64)
