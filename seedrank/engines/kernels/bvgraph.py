"""Successor lists out of the bits of WebGraph's compressed graphs (BVGraph).

A list is coded as what it copies from one of the last few lists (alternating lengths of blocks that are copied and
skipped), intervals of consecutive pages, and the rest as gaps. Everything read is checked before it is used: a
position against the bits there are, a number against what it may be.

Bits lie in a uint8 array with `PADDING` zero bytes after the last of them, so that a word can be read wherever a bit
may be. In big-endian files, which Java writes, the first bit of a byte is its highest, in little-endian ones its
lowest.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba.core import types
from numba.extending import intrinsic

__all__ = [
    "BLOCKS", "DELTA", "FULL", "GAMMA", "GOLOMB", "INTERVALS", "MORE", "NIBBLE", "ORDER", "OUTDEGREE", "PADDING",
    "READ", "REFERENCE", "RESIDUALS", "UNARY", "ZETA", "read_lists", "read_offsets",
]  # fmt: skip

PADDING = 16
"""Zero bytes that follow the bits."""

UNARY, GAMMA, DELTA, ZETA, GOLOMB, NIBBLE = range(6)
"""Codings of numbers."""

READ, MORE, FULL, OUTDEGREE, REFERENCE, BLOCKS, INTERVALS, RESIDUALS, ORDER = range(9)
"""How reading ended: as asked, for want of bits, for want of room, or at something that cannot be."""

_OUTDEGREES, _REFERENCES, _BLOCK_COUNTS, _BLOCKS, _INTERVALS, _RESIDUALS = range(6)
"""Rows of `codes`."""

_WIDEST = 56
"""Bits of a number at most: with the seven before it in its byte they fit in a word."""

_Word = Any
"""A uint64 in compiled code."""


@intrinsic
def _leading_zeros_of(typing: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), generate


@intrinsic
def _trailing_zeros_of(typing: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), generate


# An intrinsic takes one argument less than its definition, which mypy cannot know.
_leading_zeros: Any = _leading_zeros_of
_trailing_zeros: Any = _trailing_zeros_of


@numba.njit(cache=True, nogil=True)
def _ahead(data: np.ndarray, at: int, little: bool) -> _Word:
    """The next 57 bits or more, from the top of the word (big-endian) or from its bottom (little-endian)."""
    place = np.uint64(at >> 3)
    shift = np.uint64(at & 7)
    word = np.uint64(0)
    if little:
        for i in range(8):
            word |= np.uint64(data[place + np.uint64(i)]) << np.uint64(8 * i)
        return word >> shift
    for i in range(8):
        word |= np.uint64(data[place + np.uint64(i)]) << np.uint64(56 - 8 * i)
    return word << shift


@numba.njit(cache=True, nogil=True)
def _bits(data: np.ndarray, limit: int, at: int, count: int, little: bool) -> tuple[Any, int]:
    """A number of `count` bits, `_WIDEST` at most, and the position after it."""
    if at > limit or count == 0:
        return 0, at
    word = _ahead(data, at, little)
    if little:
        return np.int64(word & ((np.uint64(1) << np.uint64(count)) - np.uint64(1))), at + count
    return np.int64(word >> np.uint64(64 - count)), at + count


@numba.njit(cache=True, nogil=True)
def _zeros(data: np.ndarray, limit: int, at: int, most: int, little: bool) -> tuple[int, int]:
    """How many zeros come before the next one, -1 for more than `most`, and the position after that one."""
    zeros = 0
    while at <= limit:
        word = _ahead(data, at, little)
        if word:
            run = _trailing_zeros(word) if little else _leading_zeros(word)
            zeros += run
            return (zeros if zeros <= most else -1), at + run + 1
        zeros += 57
        at += 57
        if zeros > most:
            return -1, at
    return 0, limit + 1


@numba.njit(cache=True, nogil=True)
def _gamma(data: np.ndarray, limit: int, at: int, little: bool) -> tuple[int, int]:
    width, at = _zeros(data, limit, at, _WIDEST, little)
    if width < 0:
        return -1, at
    rest, at = _bits(data, limit, at, width, little)
    return (1 << width | rest) - 1, at


@numba.njit(cache=True, nogil=True)
def _delta(data: np.ndarray, limit: int, at: int, little: bool) -> tuple[int, int]:
    width, at = _gamma(data, limit, at, little)
    if width < 0 or width > _WIDEST:
        return -1, at
    rest, at = _bits(data, limit, at, width, little)
    return (1 << width | rest) - 1, at


@numba.njit(cache=True, nogil=True)
def _zeta(data: np.ndarray, limit: int, at: int, k: int, little: bool) -> tuple[int, int]:
    step, at = _zeros(data, limit, at, _WIDEST, little)
    if step < 0 or step * k + k - 1 > _WIDEST:
        return -1, at
    low = 1 << (step * k)
    value, at = _bits(data, limit, at, step * k + k - 1, little)
    if value < low:
        return value + low - 1, at
    last, at = _bits(data, limit, at, 1, little)
    return (value << 1 | last) - 1, at


@numba.njit(cache=True, nogil=True)
def _golomb(data: np.ndarray, limit: int, at: int, k: int, most: int, little: bool) -> tuple[int, int]:
    times, at = _zeros(data, limit, at, most // k + 1, little)
    if times < 0:
        return -1, at
    width = 0
    while k >> (width + 1):
        width += 1
    short = (1 << (width + 1)) - k
    rest, at = _bits(data, limit, at, width, little)
    if rest >= short:
        last, at = _bits(data, limit, at, 1, little)
        rest = (rest << 1 | last) - short
    return times * k + rest, at


@numba.njit(cache=True, nogil=True)
def _nibbles(data: np.ndarray, limit: int, at: int, little: bool) -> tuple[int, int]:
    value = 0
    for _ in range(_WIDEST // 3):
        last, at = _bits(data, limit, at, 1, little)
        three, at = _bits(data, limit, at, 3, little)
        value = value << 3 | three
        if last or at > limit:
            return value, at
    return -1, at


@numba.njit(cache=True, nogil=True)
def _number(
    data: np.ndarray, limit: int, at: int, codes: np.ndarray, which: int, most: int, little: bool
) -> tuple[int, int]:
    """The next number, in the coding that `codes` has for its kind, and the position after it.

    A position beyond `limit` says that the bits ended first; a negative number that it is too large. `most` bounds how
    far a number is followed whose bits grow with its value; others may be larger.
    """
    coding = codes[which, 0]
    if coding == GAMMA:
        return _gamma(data, limit, at, little)
    if coding == ZETA:
        return _zeta(data, limit, at, codes[which, 1], little)
    if coding == UNARY:
        return _zeros(data, limit, at, most, little)
    if coding == DELTA:
        return _delta(data, limit, at, little)
    if coding == GOLOMB:
        return _golomb(data, limit, at, codes[which, 1], most, little)
    return _nibbles(data, limit, at, little)


@numba.njit(cache=True, nogil=True)
def _signed(value: int) -> int:
    """The number that 0, 1, 2, 3, 4 and so on stand for: 0, -1, 1, -2, 2."""
    return -((value + 1) >> 1) if value & 1 else value >> 1


@numba.njit(cache=True, nogil=True)
def _copy_blocks(
    data: np.ndarray, limit: int, at: int, little: bool, codes: np.ndarray, listed: np.ndarray, degree: int,
    copied: np.ndarray,
) -> tuple[int, int, int]:  # fmt: skip
    """Copy blocks of the list `listed`: state, how many pages were copied, position."""
    blocks, at = _number(data, limit, at, codes, _BLOCK_COUNTS, len(listed) + 1, little)
    if at > limit:
        return MORE, 0, at
    if blocks < 0 or blocks > len(listed) + 1:
        return BLOCKS, 0, at
    kept = 0
    done = 0
    for block in range(blocks + 1):
        if block < blocks:
            size, at = _number(data, limit, at, codes, _BLOCKS, len(listed), little)
            if at > limit:
                return MORE, 0, at
            if size < 0:
                return BLOCKS, 0, at
            if block:
                size += 1
        else:
            size = len(listed) - done  # what follows the last block is copied where it was skipped, else skipped
        if size > len(listed) - done:
            return BLOCKS, 0, at
        if block & 1 == 0:
            if kept + size > degree:
                return BLOCKS, 0, at
            for i in range(size):
                copied[kept + i] = listed[done + i]
            kept += size
        done += size
    return READ, kept, at


@numba.njit(cache=True, nogil=True)
def _read_intervals(
    data: np.ndarray, limit: int, at: int, little: bool, codes: np.ndarray, shortest: int, page: int, pages: int,
    extra: int, lefts: np.ndarray, sizes: np.ndarray,
) -> tuple[int, int, int, int]:  # fmt: skip
    """Intervals of consecutive pages: state, how many intervals, how many pages are in none of them, position."""
    count, at = _number(data, limit, at, codes, _INTERVALS, extra, little)
    if at > limit:
        return MORE, 0, 0, at
    if count < 0 or count > extra // shortest:
        return INTERVALS, 0, 0, at
    previous = 0
    for i in range(count):
        gap, at = _number(data, limit, at, codes, _INTERVALS, 2 * pages, little)
        size, at = _number(data, limit, at, codes, _INTERVALS, extra, little)
        if at > limit:
            return MORE, 0, 0, at
        if gap < 0 or size < 0:
            return INTERVALS, 0, 0, at
        left = previous + gap + 1 if i else page + _signed(gap)
        size += shortest
        if left < 0 or size > extra or left + size > pages:
            return INTERVALS, 0, 0, at
        lefts[i] = left
        sizes[i] = size
        extra -= size
        previous = left + size
    return READ, count, extra, at


@numba.njit(cache=True, nogil=True)
def _read_list(
    data: np.ndarray, limit: int, at: int, little: bool, codes: np.ndarray, shortest: int, page: int, pages: int,
    copies: bool, listed: np.ndarray, degree: int, copied: np.ndarray, lefts: np.ndarray, sizes: np.ndarray,
    out: np.ndarray,
) -> tuple[int, int]:  # fmt: skip
    """The list of a page from after its reference, which says whether it `copies` from `listed`: state, position."""
    kept = 0
    if copies:
        state, kept, at = _copy_blocks(data, limit, at, little, codes, listed, degree, copied)
        if state != READ:
            return state, at
    extra = degree - kept
    intervals = 0
    if extra and shortest:
        state, intervals, extra, at = _read_intervals(
            data, limit, at, little, codes, shortest, page, pages, extra, lefts, sizes
        )
        if state != READ:
            return state, at
    residual = pages
    if extra:
        gap, at = _number(data, limit, at, codes, _RESIDUALS, 2 * pages, little)
        if at > limit:
            return MORE, at
        residual = page + _signed(gap)
        if gap < 0 or residual < 0 or residual >= pages:
            return RESIDUALS, at
        extra -= 1
    # The three parts are ascending and have no page in common; so must the list be.
    of_copied = 0
    of_intervals = 0
    inside = 0
    last = -1
    for i in range(degree):
        from_copied = copied[of_copied] if of_copied < kept else pages
        from_interval = lefts[of_intervals] + inside if of_intervals < intervals else pages
        target = min(from_copied, from_interval, residual)
        if target <= last or target >= pages:
            return ORDER, at
        out[i] = target
        last = target
        if target == from_copied:
            of_copied += 1
        elif target == from_interval:
            inside += 1
            if inside == sizes[of_intervals]:
                of_intervals += 1
                inside = 0
        elif extra:
            gap, at = _number(data, limit, at, codes, _RESIDUALS, pages, little)
            if at > limit:
                return MORE, at
            residual += gap + 1
            if gap < 0 or residual >= pages:
                return RESIDUALS, at
            extra -= 1
        else:
            residual = pages
    return READ, at


@numba.njit(cache=True, nogil=True)
def read_lists(
    data: np.ndarray, limit: int, at: int, little: bool, codes: np.ndarray, window: int, shortest: int, page: int,
    pages: int, known: int, starts: np.ndarray, targets: np.ndarray, copied: np.ndarray, lefts: np.ndarray,
    sizes: np.ndarray, begins: np.ndarray,
) -> tuple[int, int, int, int]:  # fmt: skip
    """Read lists from `page` on, as many as there are bits and room for.

    Parameters
    ----------
    data, limit, at
        uint8: the bits; how many they are; where the list of `page` begins.
    little
        Whether the first bit of a byte is its lowest.
    codes
        int64 (6, 2): coding and its parameter of outdegrees, references, block counts, blocks, intervals, residuals.
    window, shortest
        How many lists back a list may copy from; length of the shortest interval, 0 for no intervals.
    page, pages
        The first page to read; all pages.
    known
        How many lists before that of `page` are in `targets`.
    starts, targets
        int64, int32: list i, that of page - known + i, is ``targets[starts[i]:starts[i + 1]]``. The first `known`
        lists are given, the others filled in.
    copied, lefts, sizes
        int32: room for the parts of a list, as long as the longest may be.
    begins
        int64: the bit where each list begins that was read.

    Returns
    -------
    tuple
        State; how many lists were read; the position after them; with `FULL` the length of the list that had no room.
    """
    read = 0
    while page < pages and read < len(begins):
        begin = at
        degree, at = _number(data, limit, at, codes, _OUTDEGREES, pages, little)
        if at > limit:
            return MORE, read, begin, 0
        if degree < 0 or degree > pages:
            return OUTDEGREE, read, begin, 0
        filled = starts[known + read]
        if degree > min(len(targets) - filled, len(copied)):
            return FULL, read, begin, degree
        reference = 0
        if degree and window:
            reference, at = _number(data, limit, at, codes, _REFERENCES, window, little)
            if at > limit:
                return MORE, read, begin, 0
            if reference < 0 or reference > min(window, known + read):
                return REFERENCE, read, begin, 0
        if degree:
            place = known + read - reference
            listed = targets[starts[place] : starts[place + 1]] if reference else targets[:0]
            out = targets[filled : filled + degree]
            state, at = _read_list(
                data, limit, at, little, codes, shortest, page, pages, reference > 0, listed, degree, copied, lefts,
                sizes, out,
            )  # fmt: skip
            if state != READ:
                return state, read, begin, 0
        begins[read] = begin
        read += 1
        starts[known + read] = filled + degree
        page += 1
    return READ, read, at, 0


@numba.njit(cache=True, nogil=True)
def read_offsets(
    data: np.ndarray, limit: int, at: int, little: bool, codes: np.ndarray, offset: int, offsets: np.ndarray
) -> tuple[int, int, int]:
    """Read where lists begin, coded as differences from the one before, the first from `offset`.

    Returns
    -------
    tuple
        State (`READ`, `MORE` or, for a number too large, `ORDER`), how many were read, and the position after them.
    """
    for i in range(len(offsets)):
        gap, end = _number(data, limit, at, codes, 0, 0, little)
        if end > limit:
            return MORE, i, at
        if gap < 0 or offset > np.iinfo(np.int64).max - gap:
            return ORDER, i, at
        offset += gap
        offsets[i] = offset
        at = end
    return READ, len(offsets), at
