"""Loops over bytes as Hadoop writes them: records of a SequenceFile, numbers of variable size, texts."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

__all__ = [
    "BAD_LENGTH", "BAD_SYNC", "FINE", "Number", "find_frames", "int_at", "read_texts", "read_vints", "vint_at",
]  # fmt: skip

FINE, BAD_LENGTH, BAD_SYNC = range(3)
"""What a loop found wrong."""

Number = Any
"""An int64 in compiled code."""

_SYNC = 16
_HEAD = 8


@numba.njit(inline="always")
def int_at(data: np.ndarray, at: Number) -> Number:
    """The signed 32-bit number at a byte, high byte first; its four bytes are there."""
    value = (np.int64(data[at]) << 24) | (np.int64(data[at + 1]) << 16)
    value |= (np.int64(data[at + 2]) << 8) | np.int64(data[at + 3])
    return value - (np.int64(1) << 32) if value >= (np.int64(1) << 31) else value


@numba.njit(cache=True, nogil=True)
def vint_at(data: np.ndarray, at: Number, end: Number) -> tuple[Number, Number]:
    """The number of one to nine bytes at a byte, and the byte after it: -1 where it does not fit before `end`."""
    if at >= end:
        return 0, -1
    first = np.int64(np.int8(data[at]))
    at += 1
    if first >= -112:
        return first, np.int64(at)
    size = -120 - first if first < -120 else -112 - first
    if at + size > end:
        return 0, -1
    value = np.int64(0)
    for i in range(size):
        value = (value << 8) | np.int64(data[at + i])
    return (~value if first < -120 else value), np.int64(at + size)


@numba.njit(cache=True, nogil=True)
def find_frames(
    data: np.ndarray, sync: np.ndarray, longest: int, starts: np.ndarray, keys: np.ndarray, ends: np.ndarray
) -> tuple[Number, Number, Number]:
    """Where the records of a SequenceFile begin (`starts`), their keys end (`keys`) and their values end (`ends`).

    Parameters
    ----------
    data
        Bytes that begin with a record or a sync mark.
    sync
        The 16 bytes of the file's sync mark.
    longest
        A longer record is taken for a broken one.
    starts, keys, ends
        int64, filled here; where they are full the loop stops.

    Returns
    -------
    tuple
        How many records, how many bytes they took, and what is wrong after them. With `FINE`, what is left is
        the beginning of a record.
    """
    size = len(data)
    at = 0
    count = 0
    while count < len(starts) and at + 4 <= size:
        length = int_at(data, at)
        if length == -1:
            if at + 4 + _SYNC > size:
                break
            for i in range(_SYNC):
                if data[at + 4 + i] != sync[i]:
                    return count, at, BAD_SYNC
            at += 4 + _SYNC
            continue
        if length < 0 or length > longest:
            return count, at, BAD_LENGTH
        if at + _HEAD > size:
            break
        key = int_at(data, at + 4)
        if key < 0 or key > length:
            return count, at, BAD_LENGTH
        if at + _HEAD + length > size:
            break
        starts[count] = at + _HEAD
        keys[count] = at + _HEAD + key
        ends[count] = at + _HEAD + length
        count += 1
        at += _HEAD + length
    return count, at, FINE


@numba.njit(cache=True, nogil=True)
def read_vints(data: np.ndarray, numbers: np.ndarray) -> bool:
    """Read as many numbers of variable size as `numbers` holds; whether these are all the bytes, and none negative."""
    at = 0
    for i in range(len(numbers)):
        value, at = vint_at(data, at, len(data))
        if at < 0 or value < 0:
            return False
        numbers[i] = value
    return at == len(data)


@numba.njit(cache=True, nogil=True)
def read_texts(
    data: np.ndarray, starts: np.ndarray, ends: np.ndarray, text_starts: np.ndarray, text_ends: np.ndarray
) -> None:
    """The bytes of texts, each a length of variable size and as many bytes; -1 and -1 where that is not so."""
    for i in range(len(starts)):
        length, after = vint_at(data, starts[i], ends[i])
        fits = after >= 0 and length >= 0 and after + length == ends[i]
        text_starts[i] = after if fits else -1
        text_ends[i] = ends[i] if fits else -1
