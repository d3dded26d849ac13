"""Values as Hadoop and Nutch write them: texts, arrays of strings, maps of metadata.

Each function takes the byte a value begins at and the end of its record, and gives the byte after it.
"""

from __future__ import annotations

import numba
import numpy as np

from seedrank.engines.kernels.hadoop import Number, int_at, vint_at

__all__ = ["STATUS_VERSION", "map_at", "strings_at", "text_at"]

STATUS_VERSION = 2
"""Of ProtocolStatus and ParseStatus."""

_MOVED, _TEMP_MOVED = 12, 13

# Classes that Hadoop's MapWritable knows by number; a map names all others at its beginning.
_BOOLEAN, _BYTES, _FLOAT, _INT, _LONG, _MD5, _NULL, _TEXT, _VINT, _VLONG = (
    -126, -125, -124, -123, -122, -120, -119, -116, -114, -113
)  # fmt: skip

_PROTOCOL_STATUS = np.frombuffer(b"org.apache.nutch.protocol.ProtocolStatus", np.uint8)
_STATUS_KEY = np.frombuffer(b"_pst_", np.uint8)
_TYPE_KEY = np.frombuffer(b"Content-Type", np.uint8)


@numba.njit(inline="always")
def _is(data: np.ndarray, start: Number, end: Number, word: np.ndarray) -> bool:
    if end - start != len(word):
        return False
    for i in range(len(word)):  # noqa: SIM110 -- numba has no generator expressions
        if data[start + i] != word[i]:
            return False
    return True


@numba.njit(cache=True, nogil=True)
def text_at(data: np.ndarray, at: Number, end: Number) -> tuple[Number, Number]:
    """Begin and end of the text at a byte; both -1 where it does not fit."""
    length, after = vint_at(data, at, end)
    if after < 0 or length < 0 or length > end - after:
        return -1, -1
    return after, after + length


@numba.njit(cache=True, nogil=True)
def strings_at(data: np.ndarray, at: Number, end: Number) -> tuple[Number, Number, Number]:
    """An array of strings: the byte after it (-1 where it does not fit), begin and end of the first (-1: none)."""
    if at + 4 > end:
        return -1, -1, -1
    start: Number = -1
    stop: Number = -1
    count = int_at(data, at)
    at += 4
    for i in range(count):
        if at + 4 > end:
            return -1, start, stop
        length = int_at(data, at)
        at += 4
        if length > end - at:
            return -1, start, stop
        if length >= 0:
            if i == 0:
                start, stop = at, at + length
            at += length
    return at, start, stop


@numba.njit(cache=True, nogil=True)
def _protocol_status(data: np.ndarray, at: Number, end: Number) -> tuple[Number, Number, Number, Number]:
    """A ProtocolStatus: the byte after it (-1 where it is none), its code, begin and end of its first argument."""
    if at + 10 > end or data[at] != STATUS_VERSION:
        return -1, -1, -1, -1
    code = np.int64(data[at + 1])
    after, start, stop = strings_at(data, at + 10, end)
    return after, code, start, stop


@numba.njit(cache=True, nogil=True)
def _skip(data: np.ndarray, at: Number, end: Number, kind: Number) -> Number:
    """The byte after a value of a class that MapWritable knows by number; -1 where it does not fit or is unknown."""
    after: Number = -1
    if kind == _TEXT:
        _, after = text_at(data, at, end)
    elif kind == _BOOLEAN:
        after = at + 1
    elif kind in (_FLOAT, _INT):
        after = at + 4
    elif kind == _LONG:
        after = at + 8
    elif kind == _MD5:
        after = at + 16
    elif kind == _NULL:
        after = at
    elif kind in (_VINT, _VLONG):
        _, after = vint_at(data, at, end)
    elif kind == _BYTES and at + 4 <= end:
        length = int_at(data, at)
        if length >= 0:
            after = at + 4 + length
    return after if after <= end else -1


@numba.njit(cache=True, nogil=True)
def map_at(data: np.ndarray, at: Number, end: Number, found: np.ndarray) -> Number:
    """Read a MapWritable: the byte after it, -1 where it does not fit or holds a class that is not known.

    `found` becomes begin and end of the address that a page has moved to, and of its content type, where they come
    before such a class.
    """
    if at >= end:
        return -1
    classes = np.int64(np.int8(data[at]))
    at += 1
    status: Number = 0
    for _ in range(classes):
        if at + 3 > end:
            return -1
        length = (np.int64(data[at + 1]) << 8) | np.int64(data[at + 2])
        if length > end - at - 3:
            return -1
        if _is(data, at + 3, at + 3 + length, _PROTOCOL_STATUS):
            status = np.int64(np.int8(data[at]))
        at += 3 + length
    if at + 4 > end:
        return -1
    entries = int_at(data, at)
    at += 4
    for _ in range(entries):
        if at >= end:
            return -1
        kind = np.int64(np.int8(data[at]))
        name: Number = -1
        name_end: Number = -1
        if kind == _TEXT:
            name, name_end = text_at(data, at + 1, end)
            at = name_end
        else:
            at = _skip(data, at + 1, end, kind)
        if at < 0 or at >= end:
            return -1
        kind = np.int64(np.int8(data[at]))
        at += 1
        if status and kind == status:
            at, code, start, stop = _protocol_status(data, at, end)
            if code in (_MOVED, _TEMP_MOVED) and _is(data, name, name_end, _STATUS_KEY):
                found[0], found[1] = start, stop
        elif kind == _TEXT and name >= 0 and _is(data, name, name_end, _TYPE_KEY):
            found[2], found[3] = text_at(data, at, end)
            at = found[3]
        else:
            at = _skip(data, at, end, kind)
        if at < 0:
            return -1
    return at
