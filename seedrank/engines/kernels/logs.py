"""A loop over lines of a web server's access log, in the common or combined format."""

from __future__ import annotations

import numba
import numpy as np

__all__ = [
    "AGENT", "FAILED", "FIELDS", "HOST", "NO_REQUEST", "NO_STATUS", "NO_TIME", "OTHER_METHOD", "REFERER", "SUCCESS",
    "TARGET", "read_requests",
]  # fmt: skip

SUCCESS, OTHER_METHOD, FAILED, NO_TIME, NO_REQUEST, NO_STATUS = range(6)
"""What a line is: a successful GET, a request of another method or without success, or no line of a log."""

HOST, TARGET, REFERER, AGENT = range(4)
"""Fields of a line: the virtual host before the client, what was asked for, and two that only combined logs have."""
FIELDS = 4

_SPACE, _QUOTE, _PLUS, _MINUS, _ZERO, _NINE, _COLON, _SLASH, _OPEN, _CLOSE, _BACKSLASH = (
    32, 34, 43, 45, 48, 57, 58, 47, 91, 93, 92,
)  # fmt: skip
_MONTHS = np.frombuffer(b"janfebmaraprmayjunjulaugsepoctnovdec", np.uint8)
_LENGTHS = np.array([31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31], np.int64)
_TIME_SIZE = 28  # [17/May/2015:10:05:03 +0000]


@numba.njit(cache=True, nogil=True)
def _digits(data: np.ndarray, at: int, count: int) -> int:
    """The number of `count` digits that begins here, -1 where one is none."""
    value = 0
    for i in range(count):
        c = data[at + i]
        if c < _ZERO or c > _NINE:
            return -1
        value = value * 10 + (c - _ZERO)
    return value


@numba.njit(cache=True, nogil=True)
def _time(data: np.ndarray, at: int) -> int:
    """Seconds since 1970 of the time in brackets that begins here, -1 where it is none; `_TIME_SIZE` bytes exist."""
    marks = data[at] == _OPEN and data[at + 3] == _SLASH and data[at + 7] == _SLASH and data[at + 12] == _COLON
    marks = marks and data[at + 15] == _COLON and data[at + 18] == _COLON and data[at + 21] == _SPACE
    sign = data[at + 22]
    if not marks or data[at + 27] != _CLOSE or (sign != _PLUS and sign != _MINUS):
        return -1
    day, year, hour = _digits(data, at + 1, 2), _digits(data, at + 8, 4), _digits(data, at + 13, 2)
    minute, second = _digits(data, at + 16, 2), _digits(data, at + 19, 2)
    zone_hours, zone_minutes = _digits(data, at + 23, 2), _digits(data, at + 25, 2)
    month = -1
    for i in range(12):
        if (
            data[at + 4] | 32 == _MONTHS[3 * i]
            and data[at + 5] | 32 == _MONTHS[3 * i + 1]
            and data[at + 6] | 32 == _MONTHS[3 * i + 2]
        ):
            month = i
    if month < 0 or day < 1 or day > _LENGTHS[month] or year < 1970 or zone_hours < 0 or zone_minutes < 0:
        return -1
    if hour < 0 or hour > 23 or minute < 0 or minute > 59 or second < 0 or second > 60:
        return -1
    # Days since 1970, in years that begin in March, so that a leap day is their last.
    years = year if month >= 2 else year - 1
    days = (
        365 * years + years // 4 - years // 100 + years // 400 + (153 * ((month + 10) % 12) + 2) // 5 + day - 1 - 719468
    )
    zone = 60 * zone_hours + zone_minutes
    minutes = 1440 * days + 60 * hour + minute - (zone if sign == _PLUS else -zone)
    return max(0, 60 * minutes + second)


@numba.njit(cache=True, nogil=True)
def _quoted(data: np.ndarray, at: int, end: int) -> int:
    """Where the quoted text ends whose opening quote stands here, -1 where it is none or does not end."""
    if at >= end or data[at] != _QUOTE:
        return -1
    at += 1
    while at < end:
        if data[at] == _QUOTE:
            return at
        at += 2 if data[at] == _BACKSLASH else 1
    return -1


@numba.njit(cache=True, nogil=True)
def _find_time(data: np.ndarray, start: int, end: int) -> tuple[int, int]:
    """Where the time in brackets begins, -1 for nowhere, and the time."""
    for at in range(start, end - _TIME_SIZE + 1):
        if data[at] == _OPEN and at > start and data[at - 1] == _SPACE:
            time = _time(data, at)
            if time >= 0:
                return at, time
    return -1, 0


@numba.njit(cache=True, nogil=True)
def _host_end(data: np.ndarray, start: int, end: int) -> int:
    """Where the virtual host before the client ends, `start` where there is none.

    Fields are host, client, identity (``-``) and user. A user's name may contain spaces, and without a host the first
    word is the client: only four words with ``-`` as the third alone are taken to begin with a host.
    """
    words = 0
    first = start
    second = False
    third = False
    begin = start
    for at in range(start, end + 1):
        if at == end or data[at] == _SPACE:
            dash = at == begin + 1 and data[begin] == _MINUS
            if words == 0:
                first = at
            elif words == 1:
                second = dash
            elif words == 2:
                third = dash
            words += 1
            begin = at + 1
    return first if words == 4 and third and not second else start


@numba.njit(cache=True, nogil=True)
def _request(data: np.ndarray, begin: int, end: int) -> tuple[bool, int, int]:
    """Whether a request line is a GET, and where its target begins and ends."""
    target = begin + 4
    get = end > target and data[begin] == 71 and data[begin + 1] == 69 and data[begin + 2] == 84
    if not get or data[begin + 3] != _SPACE:
        return False, begin, begin
    stop = end
    for at in range(end - 1, target, -1):
        if data[at] == _SPACE:
            # HTTP/1.0 and later end with their version.
            if end - at > 5 and data[at + 1] == 72 and data[at + 5] == _SLASH:
                stop = at
            break
    return True, target, stop


@numba.njit(cache=True, nogil=True)
def read_requests(
    data: np.ndarray, starts: np.ndarray, ends: np.ndarray, begins: np.ndarray, stops: np.ndarray, times: np.ndarray,
) -> np.ndarray:  # fmt: skip
    """Read lines of a log.

    Parameters
    ----------
    data, starts, ends
        The bytes, and where each line begins and ends.
    begins, stops
        int64 (`FIELDS`, lines), filled: where each field begins and ends, -1 where the line has none.
    times
        int64 per line, filled: seconds since 1970.

    Returns
    -------
    np.ndarray
        uint8 per line: what it is.
    """
    kinds = np.empty(len(starts), np.uint8)
    begins[:] = -1
    stops[:] = -1
    for i in range(len(starts)):
        end = ends[i]
        bracket, times[i] = _find_time(data, starts[i], end)
        if bracket < 0:
            kinds[i] = NO_TIME
            continue
        host = _host_end(data, starts[i], bracket - 1)
        if host > starts[i]:
            begins[HOST, i], stops[HOST, i] = starts[i], host
        quote = bracket + _TIME_SIZE + 1
        closing = _quoted(data, quote, end)
        if closing < 0:
            kinds[i] = NO_REQUEST
            continue
        at = closing + 1
        status = _digits(data, at + 1, 3) if at + 4 <= end and data[at] == _SPACE else -1
        if status < 100 or (at + 4 < end and data[at + 4] != _SPACE):
            kinds[i] = NO_STATUS
            continue
        at += 5
        while at < end and data[at] != _SPACE:
            at += 1
        for field in (REFERER, AGENT):
            closing_field = _quoted(data, at + 1, end)
            if closing_field < 0:
                break
            begins[field, i], stops[field, i] = at + 2, closing_field
            at = closing_field + 1
        get, begins[TARGET, i], stops[TARGET, i] = _request(data, quote + 1, closing)
        if not get:
            kinds[i] = OTHER_METHOD
        else:
            kinds[i] = SUCCESS if 200 <= status < 300 or status == 304 else FAILED
    return kinds
