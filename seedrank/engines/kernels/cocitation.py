"""Counts of shared in-links, a run of left pages at a time, in order without sorting.

A worker counts into one number per page and marks the pages it met in a bitmap with two coarser maps above it
(a bit per 64 bits below); reading the bits back gives the pages in ascending order.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numba.extending import intrinsic

__all__ = ["capped", "copy_runs", "count_shared", "most_pairs"]

_ONE = np.uint64(1)
_SIX = np.uint64(6)
_LOW = np.uint64(63)


def _lowest_bit_of(typingctx: Any, word: Any) -> Any:
    """Number of the lowest bit that is set: one machine instruction, which numba has no name for."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], context.get_constant(numba.types.boolean, True))

    return numba.uint64(numba.uint64), generate


_lowest_bit: Any = intrinsic(_lowest_bit_of)


@numba.njit(cache=True, nogil=True, parallel=True)
def most_pairs(
    in_offsets: np.ndarray, in_sources: np.ndarray, out_offsets: np.ndarray, left: np.ndarray, cap: int,
    most: np.ndarray,
) -> None:  # fmt: skip
    """Write for each of the pages `left` how many links its citing pages have: no page has more pairs."""
    for k in numba.prange(len(left)):
        page = left[k]
        total = 0
        for i in range(in_offsets[page], in_offsets[page + 1]):
            citing = in_sources[i]
            links = out_offsets[citing + 1] - out_offsets[citing]
            if links <= cap:
                total += links
        most[k] = total


@numba.njit(cache=True, nogil=True, parallel=True)
def count_shared(
    in_offsets: np.ndarray, in_sources: np.ndarray, out_offsets: np.ndarray, out_targets: np.ndarray, left: np.ndarray,
    cap: int, runs: np.ndarray, counts: np.ndarray, bits: np.ndarray, targets: np.ndarray, shared: np.ndarray,
    rows: np.ndarray,
) -> None:  # fmt: skip
    """Pairs of the left pages ``left[runs[w]:runs[w + 1]]`` by each worker w.

    Worker w fills the rows w of `targets` and `shared`, left page by left page, targets ascending, and `rows` with
    the number of pairs of each left page. Before and after, `counts` (a row per worker, one number per page) are 0
    for right pages and -1 for all others, and `bits` (a bit per page and the coarser maps behind it) are 0.
    """
    workers = len(runs) - 1
    for worker in numba.prange(workers):
        count = counts[worker]
        words = (len(count) + 63) >> 6
        blocks = (words + 63) >> 6
        low_bits = bits[worker, :words]
        mid_bits = bits[worker, words : words + blocks]
        top_bits = bits[worker, words + blocks :]
        target_row = targets[worker]
        shared_row = shared[worker]
        found = np.uint64(0)
        for k in range(runs[worker], runs[worker + 1]):
            page = left[k]
            before = found
            own = count[page]
            count[page] = -1
            if in_offsets[page + 1] - in_offsets[page] == 1:
                # One citing page, as most pages have: its links are the answer, in order and counted.
                citing = in_sources[in_offsets[page]]
                if out_offsets[citing + 1] - out_offsets[citing] <= cap:
                    for j in range(out_offsets[citing], out_offsets[citing + 1]):
                        target_row[found] = out_targets[j]
                        shared_row[found] = 1
                        found += np.uint64(count[out_targets[j]] == 0)
                count[page] = own
                rows[k] = found - before
                continue
            for i in range(in_offsets[page], in_offsets[page + 1]):
                citing = in_sources[i]
                if out_offsets[citing + 1] - out_offsets[citing] > cap:
                    continue
                for j in range(out_offsets[citing], out_offsets[citing + 1]):
                    target = np.uint64(out_targets[j])
                    met = count[target]
                    if met > 0:
                        count[target] = met + 1
                    elif met == 0:
                        count[target] = 1
                        word = target >> _SIX
                        block = word >> _SIX
                        low_bits[word] |= _ONE << (target & _LOW)
                        mid_bits[block] |= _ONE << (word & _LOW)
                        top_bits[block >> _SIX] |= _ONE << (block & _LOW)
            for top in range(len(top_bits)):
                tops = top_bits[top]
                top_bits[top] = 0
                while tops:
                    block = (np.uint64(top) << _SIX) + _lowest_bit(tops)
                    tops &= tops - _ONE
                    mids = mid_bits[block]
                    mid_bits[block] = 0
                    while mids:
                        word = (block << _SIX) + _lowest_bit(mids)
                        mids &= mids - _ONE
                        lows = low_bits[word]
                        low_bits[word] = 0
                        while lows:
                            target = (word << _SIX) + _lowest_bit(lows)
                            lows &= lows - _ONE
                            target_row[found] = target
                            shared_row[found] = count[target]
                            count[target] = 0
                            found += _ONE
            count[page] = own
            rows[k] = found - before


@numba.njit(cache=True, nogil=True, parallel=True)
def copy_runs(
    left: np.ndarray, runs: np.ndarray, rows: np.ndarray, targets: np.ndarray, shared: np.ndarray, starts: np.ndarray,
    all_sources: np.ndarray, all_targets: np.ndarray, all_shared: np.ndarray,
) -> None:  # fmt: skip
    """Copy what worker w found to the answer, from ``starts[w]`` on, and write each pair's left page beside it."""
    for worker in numba.prange(len(runs) - 1):
        start = starts[worker]
        length = starts[worker + 1] - start
        all_targets[start : start + length] = targets[worker, :length]
        all_shared[start : start + length] = shared[worker, :length]
        at = start
        for k in range(runs[worker], runs[worker + 1]):
            all_sources[at : at + rows[k]] = left[k]
            at += rows[k]


@numba.njit(cache=True, nogil=True)
def capped(
    out_offsets: np.ndarray, out_targets: np.ndarray, left: np.ndarray, right: np.ndarray, cap: int
) -> tuple[int, int]:
    """Pages with more links than `cap`, and the pairs of a left and a different right page among their links."""
    pages = 0
    pairs = 0
    for citing in range(len(out_offsets) - 1):
        if out_offsets[citing + 1] - out_offsets[citing] <= cap:
            continue
        pages += 1
        lefts = 0
        rights = 0
        both = 0
        for j in range(out_offsets[citing], out_offsets[citing + 1]):
            target = out_targets[j]
            lefts += left[target]
            rights += right[target]
            both += left[target] and right[target]
        pairs += lefts * rights - both
    return pages, pairs
