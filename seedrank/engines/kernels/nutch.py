"""Loops over Nutch's records: CrawlDatum, ParseData, Inlinks, as Nutch 1.x writes them."""

from __future__ import annotations

import numba
import numpy as np

from seedrank.engines.kernels.hadoop import Number, int_at
from seedrank.engines.kernels.writables import STATUS_VERSION, map_at, strings_at, text_at

__all__ = [
    "BROKEN", "FINE", "OTHER_VERSION", "copy_inlinks", "copy_outlinks", "read_datums", "read_inlinks", "read_parses",
]  # fmt: skip

FINE, BROKEN, OTHER_VERSION = range(3)
"""How a record was found."""

_DATUM_VERSION, _PARSE_VERSION = 7, 5
_DATUM_FIXED = 28
_SUCCESS, _SUCCESS_REDIRECT = 1, 100


@numba.njit(cache=True, nogil=True)
def read_datums(
    data: np.ndarray, starts: np.ndarray, ends: np.ndarray, state: np.ndarray, status: np.ndarray, times: np.ndarray,
    intervals: np.ndarray, scores: np.ndarray, signatures: np.ndarray, found: np.ndarray,
) -> None:  # fmt: skip
    """Read CrawlDatums, each ``data[starts[i]:ends[i]]``.

    Parameters
    ----------
    state
        int8: how the record was found.
    status
        int8: Nutch's number of the status.
    times
        int64: milliseconds since 1970.
    intervals
        int64: seconds between fetches.
    scores
        uint32: the bits of a float32.
    signatures
        (n, 2) int64: begin and end of the signature, -1 where there is none.
    found
        (n, 4) int64: begin and end of the address that the page has moved to, and of its content type; -1 for none.
    """
    for i in range(len(starts)):
        at, end = starts[i], ends[i]
        signatures[i] = -1
        found[i] = -1
        state[i] = BROKEN
        if end - at < 1:
            continue
        if data[at] != _DATUM_VERSION:
            state[i] = OTHER_VERSION
            continue
        if end - at < _DATUM_FIXED:
            continue
        status[i] = np.int8(data[at + 1])
        times[i] = (int_at(data, at + 2) << 32) | (int_at(data, at + 6) & 0xFFFFFFFF)
        intervals[i] = int_at(data, at + 11)
        scores[i] = np.uint32(int_at(data, at + 15) & 0xFFFFFFFF)
        length = np.int64(np.int8(data[at + 27]))
        at += _DATUM_FIXED
        if length > 0:
            if length > end - at:
                continue
            signatures[i, 0], signatures[i, 1] = at, at + length
            at += length
        if at >= end:
            continue
        state[i] = FINE
        if data[at]:
            # What a map of unknown classes hides is unknown; the datum before it is not.
            map_at(data, at + 1, end, found[i])


@numba.njit(cache=True, nogil=True)
def _link(data: np.ndarray, at: Number, end: Number, flagged: bool, bounds: np.ndarray, ignored: np.ndarray) -> Number:
    """Read an address and its anchor text into `bounds`; the byte after the link, -1 where it does not fit.

    With `flagged` a byte follows that says whether there is a map of metadata.
    """
    bounds[0], bounds[1] = text_at(data, at, end)
    if bounds[0] < 0:
        return -1
    bounds[2], bounds[3] = text_at(data, bounds[1], end)
    at = bounds[3]
    if at < 0 or not flagged:
        return at
    if at >= end:
        return -1
    return map_at(data, at + 1, end, ignored) if data[at] else at + 1


@numba.njit(cache=True, nogil=True)
def _outlinks_at(data: np.ndarray, at: Number, end: Number) -> tuple[Number, Number, Number]:
    """Where the outlinks of a ParseData begin (-1 where it is none), begin and end of the address it redirects to."""
    if at + 5 > end or data[at + 1] != STATUS_VERSION:
        return -1, -1, -1
    major = data[at + 2]
    minor = (np.int64(data[at + 3]) << 8) | np.int64(data[at + 4])
    at, start, stop = strings_at(data, at + 5, end)
    if at < 0:
        return -1, -1, -1
    _, at = text_at(data, at, end)
    if major != _SUCCESS or minor != _SUCCESS_REDIRECT:
        return at, -1, -1
    return at, start, stop


@numba.njit(cache=True, nogil=True)
def read_parses(
    data: np.ndarray, starts: np.ndarray, ends: np.ndarray, state: np.ndarray, links: np.ndarray, found: np.ndarray
) -> None:
    """Read ParseData records up to their outlinks, and check these.

    Parameters
    ----------
    state
        int8: how the record was found.
    links
        int64: how many outlinks it has, 0 where it is not fine.
    found
        (n, 2) int64: begin and end of the address that the page redirects to, -1 where there is none.
    """
    bounds = np.empty(4, np.int64)
    ignored = np.empty(4, np.int64)
    for i in range(len(starts)):
        at, end = starts[i], ends[i]
        found[i] = -1
        links[i] = 0
        state[i] = BROKEN
        if end - at < 1:
            continue
        if data[at] != _PARSE_VERSION:
            state[i] = OTHER_VERSION
            continue
        at, start, stop = _outlinks_at(data, at, end)
        if at < 0 or at + 4 > end:
            continue
        count = int_at(data, at)
        at += 4
        for _ in range(count):
            at = _link(data, at, end, True, bounds, ignored)
            if at < 0:
                break
        if at < 0:
            continue
        state[i] = FINE
        links[i] = max(count, 0)
        found[i, 0], found[i, 1] = start, stop


@numba.njit(cache=True, nogil=True)
def copy_outlinks(
    data: np.ndarray, starts: np.ndarray, ends: np.ndarray, links: np.ndarray, rows: np.ndarray, bounds: np.ndarray
) -> None:
    """Write the outlinks that `read_parses` counted: row of the record, (n, 4) begin and end of address and anchor."""
    ignored = np.empty(4, np.int64)
    to = 0
    for i in range(len(starts)):
        if links[i]:
            at, _, _ = _outlinks_at(data, starts[i], ends[i])
            at += 4
            for _ in range(links[i]):
                rows[to] = i
                at = _link(data, at, ends[i], True, bounds[to], ignored)
                to += 1


@numba.njit(cache=True, nogil=True)
def read_inlinks(
    data: np.ndarray, starts: np.ndarray, ends: np.ndarray, state: np.ndarray, links: np.ndarray, flagged: np.ndarray
) -> None:
    """Count the links of Inlinks records and check them; `flagged` says whether each link has a flag of metadata.

    Newer releases of Nutch write that flag, and nothing in the record says so: it is the form that fits exactly.
    """
    bounds = np.empty(4, np.int64)
    ignored = np.empty(4, np.int64)
    for i in range(len(starts)):
        end = ends[i]
        links[i] = 0
        flagged[i] = True
        state[i] = BROKEN
        if starts[i] + 4 > end:
            continue
        count = int_at(data, starts[i])
        if count < 0:
            continue
        for flag in (True, False):
            at = starts[i] + 4
            for _ in range(count):
                at = _link(data, at, end, flag, bounds, ignored)
                if at < 0:
                    break
            if at == end:
                state[i] = FINE
                links[i] = count
                flagged[i] = flag
                break


@numba.njit(cache=True, nogil=True)
def copy_inlinks(
    data: np.ndarray, starts: np.ndarray, ends: np.ndarray, links: np.ndarray, flagged: np.ndarray, rows: np.ndarray,
    bounds: np.ndarray,
) -> None:  # fmt: skip
    """Write the links that `read_inlinks` counted: row of the record, (n, 4) begin and end of address and anchor."""
    ignored = np.empty(4, np.int64)
    to = 0
    for i in range(len(starts)):
        at = starts[i] + 4
        for _ in range(links[i]):
            rows[to] = i
            at = _link(data, at, ends[i], flagged[i], bounds[to], ignored)
            to += 1
