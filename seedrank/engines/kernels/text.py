"""Loops over the bytes of text files: records, fields, pairs of integers, lists of integers."""

from __future__ import annotations

import numba
import numpy as np

__all__ = [
    "BARE_RETURN", "FINE", "NEGATIVE", "NOT_A_NUMBER", "NUL", "OPEN_QUOTE", "TOO_FEW", "TOO_LARGE", "TOO_MANY",
    "compact", "copy_spans", "find_records", "read_lists", "read_pairs", "split_fields", "squeeze_spaces",
]  # fmt: skip

FINE, NUL, BARE_RETURN, OPEN_QUOTE, NOT_A_NUMBER, NEGATIVE, TOO_LARGE, TOO_FEW, TOO_MANY = range(9)
"""What a loop found wrong."""

_TAB, _LF, _CR, _SPACE, _QUOTE, _HASH, _COMMA, _MINUS, _ZERO = 9, 10, 13, 32, 34, 35, 44, 45, 48
_LARGEST = np.iinfo(np.int64).max


@numba.njit(cache=True, nogil=True)
def find_records(
    data: np.ndarray, delimiter: int, quotes: bool, final: bool, starts: np.ndarray, ends: np.ndarray,
    lines: np.ndarray, seen: np.ndarray,
) -> tuple[int, int, int, int, int, int]:  # fmt: skip
    """Where the records of delimited text begin and end; blank lines and lines that begin with # are no records.

    With `quotes`, a field that begins with ``"`` runs to the closing one, over delimiters and line ends.
    An unfinished record at the end is left for the next call, unless the data are `final`.
    `seen` counts the fields of records that begin with ``"``: those that end with one too, on the same line and on
    another, and those that do not.

    Returns
    -------
    tuple
        How many records were found, how many bytes and lines were used, and what is wrong (`FINE` or not),
        at which byte and line. Lines count from 0 at the start of `data`; a record has the line it begins on.
    """
    count = 0
    size = len(data)
    at = 0
    line = 0
    while at < size:
        start = at
        first_line = line
        comment = data[at] == _HASH
        quoted = False
        opened = line
        closed, spread, odd = 0, 0, 0
        field_start = True
        ended = False
        while at < size:
            c = data[at]
            at += 1
            if c > _COMMA and c != delimiter:
                field_start = False
                continue
            if c == _LF:
                line += 1
                if not quoted:
                    ended = True
                    break
            elif comment:
                continue
            elif c == _QUOTE and quotes:
                if quoted:
                    if at < size and data[at] == _QUOTE:
                        at += 1
                    else:
                        quoted = False
                        if at < size and data[at] != delimiter and data[at] != _LF and data[at] != _CR:
                            odd += 1
                        elif line == opened:
                            closed += 1
                        else:
                            spread += 1
                elif field_start:
                    quoted = True
                    opened = line
            elif c == _CR and not quoted:
                if at < size and data[at] != _LF:
                    return count, start, first_line, BARE_RETURN, at - 1, line
            elif c == 0:
                return count, start, first_line, NUL, at - 1, line
            field_start = c == delimiter and not quoted
        if not ended:
            if not final:
                return count, start, first_line, FINE, 0, 0
            if quoted:
                return count, start, first_line, OPEN_QUOTE, start, first_line
        length = at - start
        blank = ended and (length == 1 or (length == 2 and data[start] == _CR))
        if not ended and length == 1 and data[start] == _CR:
            blank = True
        if not comment and not blank:
            starts[count] = start
            ends[count] = at
            lines[count] = first_line
            count += 1
            seen[0] += closed
            seen[1] += spread
            seen[2] += odd
    return count, at, line, FINE, 0, 0


@numba.njit(cache=True, nogil=True)
def compact(data: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """The records alone, one after the other."""
    size = 0
    for i in range(len(starts)):
        size += ends[i] - starts[i]
    out = np.empty(size, np.uint8)
    filled = 0
    for i in range(len(starts)):
        for at in range(starts[i], ends[i]):
            out[filled] = data[at]
            filled += 1
    return out


@numba.njit(cache=True, nogil=True)
def squeeze_spaces(
    data: np.ndarray, bounds: np.ndarray, out: np.ndarray, out_bounds: np.ndarray, rows: np.ndarray
) -> int:
    """Copy records with one tab for every run of white space inside, none at the ends; blank ones are left out.

    Returns
    -------
    int
        How many were copied; `rows` says which.
    """
    filled = 0
    count = 0
    for i in range(len(bounds) - 1):
        begun = filled
        gap = False
        for at in range(bounds[i], bounds[i + 1]):
            c = data[at]
            if c in (_SPACE, _TAB, _CR, _LF):
                gap = True
                continue
            if gap and filled > begun:
                out[filled] = _TAB
                filled += 1
            gap = False
            out[filled] = c
            filled += 1
        if filled > begun:
            out[filled] = _LF
            filled += 1
            rows[count] = i
            count += 1
            out_bounds[count] = filled
    return count


@numba.njit(cache=True, nogil=True)
def _number(data: np.ndarray, at: int) -> tuple[int, int, int]:
    """The integer that begins here: its value, the position after it and what is wrong with it."""
    size = len(data)
    start = at
    wrong = FINE
    if data[at] == _MINUS:
        wrong = NEGATIVE
        at += 1
    value = 0
    digits = 0
    while at < size and data[at] != _SPACE and data[at] != _TAB and data[at] != _LF and data[at] != _CR:
        digit = data[at] - _ZERO
        if digit < 0 or digit > 9:
            return 0, start, NOT_A_NUMBER
        if wrong == FINE and value > (_LARGEST - digit) // 10:
            wrong = TOO_LARGE
        if wrong == FINE:
            value = value * 10 + digit
        digits += 1
        at += 1
    if digits == 0:
        return 0, start, NOT_A_NUMBER
    return value, at, wrong


@numba.njit(cache=True, nogil=True)
def read_pairs(
    data: np.ndarray, sources: np.ndarray, targets: np.ndarray, lines: np.ndarray
) -> tuple[int, int, int, int]:
    """Read ``from to`` lines of whole lines of text, numbers divided by spaces or tabs; # lines and blank ones skipped.

    Returns
    -------
    tuple
        How many pairs, how many lines, and what is wrong (`FINE` or not) at which byte; `lines` counts from 0.
    """
    size = len(data)
    at = 0
    line = 0
    count = 0
    while at < size:
        fields = 0
        comment = data[at] == _HASH
        while at < size and data[at] != _LF:
            c = data[at]
            if comment or c in (_SPACE, _TAB, _CR):
                at += 1
                continue
            if fields == 2:
                return count, line, TOO_MANY, at
            value, after, wrong = _number(data, at)
            if wrong != FINE:
                return count, line, wrong, at
            if fields == 0:
                sources[count] = value
            else:
                targets[count] = value
            fields += 1
            at = after
        if fields == 1:
            return count, line, TOO_FEW, at
        if fields == 2:
            lines[count] = line
            count += 1
        at += 1
        line += 1
    return count, line, FINE, 0


@numba.njit(cache=True, nogil=True)
def read_lists(
    data: np.ndarray, page: int, pages: int, sources: np.ndarray, targets: np.ndarray
) -> tuple[int, int, int, int]:
    """Read lists of targets, a line per page, numbers divided by spaces or tabs; `data` may stop inside a line.

    `page` is the page of the first line; lines from `pages` on may hold nothing.

    Returns
    -------
    tuple
        How many links, the page the next byte belongs to, and what is wrong (`FINE` or not) at which byte;
        `TOO_MANY` is a line too many, `TOO_LARGE` a target that is no page.
    """
    size = len(data)
    at = 0
    count = 0
    while at < size:
        if page >= pages:
            return count, page, TOO_MANY, at
        c = data[at]
        if c == _LF:
            page += 1
            at += 1
        elif c in (_SPACE, _TAB, _CR):
            at += 1
        else:
            value, after, wrong = _number(data, at)
            if wrong == FINE and value >= pages:
                wrong = TOO_LARGE
            if wrong != FINE:
                return count, page, wrong, at
            sources[count] = page
            targets[count] = value
            count += 1
            at = after
    return count, page, FINE, 0


@numba.njit(cache=True, nogil=True)
def split_fields(data: np.ndarray, fields: int, bounds: np.ndarray, lines: np.ndarray) -> tuple[int, int, int]:
    """Find the first fields of lines, divided by spaces or tabs; blank lines are passed over.

    Parameters
    ----------
    data
        Whole lines of text.
    fields
        How many fields are wanted.
    bounds
        (n, 2 * fields) int64: begin and end of each, -1 where the line has fewer; where it is full the loop stops.
    lines
        int64: line of each row, from 0.

    Returns
    -------
    tuple
        How many rows were found, and how many bytes and line ends were passed.
    """
    size = len(data)
    at = 0
    line = 0
    count = 0
    while at < size and count < len(lines):
        found = 0
        while at < size and data[at] != _LF:
            if data[at] in (_SPACE, _TAB, _CR):
                at += 1
                continue
            start = at
            while at < size and data[at] not in (_SPACE, _TAB, _CR, _LF):
                at += 1
            if found < fields:
                bounds[count, 2 * found] = start
                bounds[count, 2 * found + 1] = at
            found += 1
        if found:
            bounds[count, 2 * min(found, fields) :] = -1
            lines[count] = line
            count += 1
        if at < size:
            line += 1
            at += 1
    return count, at, line


@numba.njit(cache=True, nogil=True)
def copy_spans(data: np.ndarray, starts: np.ndarray, ends: np.ndarray, out: np.ndarray, offsets: np.ndarray) -> None:
    """Write pieces of `data` one behind the other; a piece that begins at -1 is empty. `offsets` says where each is."""
    to = 0
    offsets[0] = 0
    for i in range(len(starts)):
        if starts[i] >= 0:
            for at in range(starts[i], ends[i]):
                out[to] = data[at]
                to += 1
        offsets[i + 1] = to
