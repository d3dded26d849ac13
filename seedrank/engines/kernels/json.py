"""A loop over the bytes of JSON lines: where the fields of flat objects are."""

from __future__ import annotations

import numba
import numpy as np

__all__ = ["ESCAPED", "FALSE", "NESTED", "NULL", "NUMBER", "STRING", "TRUE", "find_fields"]

NULL, TRUE, FALSE, NUMBER, STRING, ESCAPED, NESTED = range(7)
"""What a value is; `ESCAPED` is a string with a backslash in it."""

_TAB, _LF, _CR, _SPACE, _QUOTE, _PLUS, _COMMA, _MINUS, _POINT = 9, 10, 13, 32, 34, 43, 44, 45, 46
_ZERO, _NINE, _COLON, _BIG_E, _OPEN_LIST, _BACKSLASH, _CLOSE_LIST, _SMALL_E = 48, 57, 58, 69, 91, 92, 93, 101
_SMALL_F, _SMALL_N, _SMALL_T, _OPEN, _CLOSE = 102, 110, 116, 123, 125
_NULL, _TRUE, _FALSE = (np.frombuffer(word, np.uint8) for word in (b"null", b"true", b"false"))


@numba.njit(cache=True, nogil=True)
def _blank(data: np.ndarray, at: int, end: int) -> int:
    while at < end and data[at] in (_SPACE, _TAB, _LF, _CR):
        at += 1
    return at


@numba.njit(cache=True, nogil=True)
def _string(data: np.ndarray, at: int, end: int) -> tuple[int, bool]:
    """Where the string that begins here, after its quote, ends (-1 for never), and whether it is escaped."""
    escaped = False
    while at < end:
        c = data[at]
        if c == _QUOTE:
            return at, escaped
        if c < _SPACE:
            return -1, escaped
        if c == _BACKSLASH:
            escaped = True
            at += 1
        at += 1
    return -1, escaped


@numba.njit(cache=True, nogil=True)
def _digits(data: np.ndarray, at: int, end: int) -> int:
    while at < end and _ZERO <= data[at] <= _NINE:
        at += 1
    return at


@numba.njit(cache=True, nogil=True)
def _number(data: np.ndarray, at: int, end: int) -> int:
    """Where the number that begins here ends, -1 where it is none."""
    if at < end and data[at] == _MINUS:
        at += 1
    after = _digits(data, at, end)
    if after == at or (data[at] == _ZERO and after > at + 1):
        return -1
    at = after
    if at < end and data[at] == _POINT:
        after = _digits(data, at + 1, end)
        if after == at + 1:
            return -1
        at = after
    if at < end and data[at] in (_SMALL_E, _BIG_E):
        at += 1
        if at < end and data[at] in (_PLUS, _MINUS):
            at += 1
        after = _digits(data, at, end)
        if after == at:
            return -1
        at = after
    return at


@numba.njit(cache=True, nogil=True)
def _nested(data: np.ndarray, at: int, end: int) -> int:
    """Where the list or object that begins here ends, -1 for never; what is in it is not looked at."""
    depth = 0
    while at < end:
        c = data[at]
        at += 1
        if c == _QUOTE:
            at = _string(data, at, end)[0] + 1
            if at == 0:
                return -1
        elif c in (_OPEN, _OPEN_LIST):
            depth += 1
        elif c in (_CLOSE, _CLOSE_LIST):
            depth -= 1
            if depth == 0:
                return at
    return -1


@numba.njit(cache=True, nogil=True)
def _word(data: np.ndarray, at: int, end: int, word: np.ndarray) -> int:
    """Where the word ends that should begin here, -1 where it does not."""
    if end - at < len(word):
        return -1
    for i in range(len(word)):
        if data[at + i] != word[i]:
            return -1
    return at + len(word)


@numba.njit(cache=True, nogil=True)
def _value(data: np.ndarray, at: int, end: int) -> tuple[int, int, int, int]:
    """The value that begins here: the position after it (-1 where there is none), its kind, and where its text is."""
    if at >= end:
        return -1, NULL, 0, 0
    c = data[at]
    if c == _QUOTE:
        stop, escaped = _string(data, at + 1, end)
        return (-1 if stop < 0 else stop + 1), (ESCAPED if escaped else STRING), at + 1, stop
    if c in (_OPEN, _OPEN_LIST):
        stop = _nested(data, at, end)
        return stop, NESTED, at, stop
    if c == _SMALL_N:
        stop = _word(data, at, end, _NULL)
        return stop, NULL, at, stop
    if c == _SMALL_T:
        stop = _word(data, at, end, _TRUE)
        return stop, TRUE, at, stop
    if c == _SMALL_F:
        stop = _word(data, at, end, _FALSE)
        return stop, FALSE, at, stop
    stop = _number(data, at, end)
    return stop, NUMBER, at, stop


@numba.njit(cache=True, nogil=True)
def find_fields(
    data: np.ndarray, bounds: np.ndarray, rows: np.ndarray, keys: np.ndarray, values: np.ndarray, kinds: np.ndarray
) -> tuple[int, int]:
    """The fields of records that each hold one object.

    Parameters
    ----------
    data, bounds
        The records, each from one bound to the next.
    rows, keys, values, kinds
        Taken in turn by the fields: their record, begin and end of the name (without quotes) and of the value (of a
        string without quotes), and what the value is.

    Returns
    -------
    tuple
        How many fields there are, and the first record that is no object, -1 where all are.
    """
    count = 0
    for row in range(len(bounds) - 1):
        end = bounds[row + 1]
        at = _blank(data, bounds[row], end)
        if at >= end or data[at] != _OPEN:
            return count, row
        at = _blank(data, at + 1, end)
        more = at < end and data[at] != _CLOSE
        if not more:
            at += 1
        while more:
            if at >= end or data[at] != _QUOTE:
                return count, row
            stop, _ = _string(data, at + 1, end)
            colon = _blank(data, stop + 1, end)
            if stop < 0 or colon >= end or data[colon] != _COLON:
                return count, row
            after, kind, value, value_end = _value(data, _blank(data, colon + 1, end), end)
            if after < 0:
                return count, row
            rows[count] = row
            keys[count, 0], keys[count, 1] = at + 1, stop
            values[count, 0], values[count, 1] = value, value_end
            kinds[count] = kind
            count += 1
            after = _blank(data, after, end)
            if after >= end or data[after] not in (_COMMA, _CLOSE):
                return count, row
            more = data[after] == _COMMA
            at = _blank(data, after + 1, end) if more else after + 1
        if at > end or _blank(data, at, end) < end:
            return count, row
    return count, -1
