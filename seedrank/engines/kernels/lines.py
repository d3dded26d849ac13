"""Loops over lines of text that nobody has checked: is it text, where are its fields."""

from __future__ import annotations

import numba
import numpy as np

__all__ = ["NOT_TEXT", "NUL", "TEXT", "TOO_LONG", "check_lines", "split_lines"]

TEXT, NUL, NOT_TEXT, TOO_LONG = range(4)
"""What a line is: text, or not because of a NUL, of bytes that are no UTF-8, or of its length."""

_CR = 13


@numba.njit(cache=True, nogil=True)
def _check(data: np.ndarray, start: int, end: int) -> int:
    at = start
    while at < end:
        c = data[at]
        at += 1
        if c == 0:
            return NUL
        if c < 0x80:
            continue
        if c < 0xC2 or c > 0xF4:
            return NOT_TEXT
        more = 1 if c < 0xE0 else 2 if c < 0xF0 else 3
        if at + more > end:
            return NOT_TEXT
        # The second byte rules out forms that are too long, surrogates, and what lies beyond Unicode.
        low = 0xA0 if c == 0xE0 else 0x90 if c == 0xF0 else 0x80
        high = 0x9F if c == 0xED else 0x8F if c == 0xF4 else 0xBF
        for _ in range(more):
            if data[at] < low or data[at] > high:
                return NOT_TEXT
            low, high = 0x80, 0xBF
            at += 1
    return TEXT


@numba.njit(cache=True, nogil=True)
def check_lines(data: np.ndarray, starts: np.ndarray, ends: np.ndarray, longest: int) -> np.ndarray:
    """uint8 per line: what it is. `ends`, where line ends begin, move before a carriage return."""
    states = np.empty(len(starts), np.uint8)
    for i in range(len(starts)):
        if ends[i] > starts[i] and data[ends[i] - 1] == _CR:
            ends[i] -= 1
        states[i] = TOO_LONG if ends[i] - starts[i] > longest else _check(data, starts[i], ends[i])
    return states


@numba.njit(cache=True, nogil=True)
def split_lines(
    data: np.ndarray, starts: np.ndarray, ends: np.ndarray, separator: int, begins: np.ndarray, stops: np.ndarray
) -> np.ndarray:
    """Divide lines into fields.

    Parameters
    ----------
    data, starts, ends
        The bytes, and where each line begins and ends.
    separator
        The byte between fields.
    begins, stops
        int64 (fields, lines), filled: where each field begins and ends; empty where a line has fewer.

    Returns
    -------
    np.ndarray
        int64 per line: how many fields it has, which may be more than there is room for.
    """
    room = len(begins)
    counts = np.empty(len(starts), np.int64)
    for i in range(len(starts)):
        field = 0
        begin = starts[i]
        for at in range(starts[i], ends[i] + 1):
            if at == ends[i] or data[at] == separator:
                if field < room:
                    begins[field, i] = begin
                    stops[field, i] = at
                field += 1
                begin = at + 1
        counts[i] = field
        for rest in range(field, room):
            begins[rest, i] = ends[i]
            stops[rest, i] = ends[i]
    return counts
