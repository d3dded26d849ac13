"""Sets of small whole numbers as a bit each: a set of vertices takes an eighth of a byte per vertex."""

from __future__ import annotations

import numba
import numpy as np

__all__ = ["are_marked", "mark", "spread_marks"]


@numba.njit(cache=True, nogil=True)
def mark(marks: np.ndarray, numbers: np.ndarray) -> None:
    """Put numbers into the set `marks` (uint8), which has room for them."""
    for i in range(len(numbers)):
        number = numbers[i]
        marks[number >> 3] |= np.uint8(1 << (number & 7))


@numba.njit(cache=True, nogil=True)
def are_marked(marks: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """Boolean per number: whether it is in the set; one beyond its room is not."""
    found = np.zeros(len(numbers), np.bool_)
    for i in range(len(numbers)):
        place = numbers[i] >> 3
        if place < len(marks):
            found[i] = (marks[place] >> (numbers[i] & 7)) & 1
    return found


@numba.njit(cache=True, nogil=True)
def spread_marks(marks: np.ndarray, sources: np.ndarray, targets: np.ndarray, out: np.ndarray) -> None:
    """Put into the set `out` each end of a link whose other end is in `marks`; both sets have the same room."""
    for i in range(len(sources)):
        source, target = sources[i], targets[i]
        if (marks[source >> 3] >> (source & 7)) & 1:
            out[target >> 3] |= np.uint8(1 << (target & 7))
        if (marks[target >> 3] >> (target & 7)) & 1:
            out[source >> 3] |= np.uint8(1 << (source & 7))
