"""Loops over the bytes of URLs (Arrow string arrays): is it normal already, where is its host, its folded form."""

from __future__ import annotations

import numba
import numpy as np

__all__ = ["copy_folded", "copy_hosts", "find_normal", "find_suffixes", "turn_labels"]


def _allowed(excluded: bytes) -> np.ndarray:
    table = np.zeros(256, np.bool_)
    table[0x21:0x7F] = True
    table[np.frombuffer(excluded, np.uint8)] = False
    return table


# What a parser leaves as it is: the WHATWG path and special-query percent-encode sets, and what ends the part.
_SEGMENT = _allowed(b'"#<>?\\`{}^/')
_QUERY = _allowed(b"\"#<>'")
_LABEL = np.zeros(256, np.bool_)
_LABEL[np.frombuffer(b"abcdefghijklmnopqrstuvwxyz0123456789-_", np.uint8)] = True

_SLASH, _DOT, _COLON, _HYPHEN, _AT = 0x2F, 0x2E, 0x3A, 0x2D, 0x40
_HASH, _QUESTION, _BACKSLASH, _PERCENT, _OPEN, _CLOSE = 0x23, 0x3F, 0x5C, 0x25, 0x5B, 0x5D


@numba.njit(cache=True, nogil=True)
def _after_scheme(data: np.ndarray, start: int, end: int) -> int:
    """Position after ``http://`` or ``https://``, -1 where it begins in another way."""
    if end - start < 8:
        return -1
    if data[start] != 0x68 or data[start + 1] != 0x74 or data[start + 2] != 0x74 or data[start + 3] != 0x70:
        return -1
    at = start + 4
    if data[at] == 0x73:
        at += 1
    if at + 3 > end or data[at] != _COLON or data[at + 1] != _SLASH or data[at + 2] != _SLASH:
        return -1
    return at + 3


@numba.njit(cache=True, nogil=True)
def _after_host(data: np.ndarray, at: int, end: int) -> int:
    """Position after a host name that is certainly normal, -1 for every other host.

    Left to the parser: names whose last label begins with a digit (they may be IPv4 numbers), ``xn--``
    labels (their Punycode may be invalid), empty labels, brackets, capitals, credentials.
    """
    label = at
    while at < end:
        c = data[at]
        if _LABEL[c]:
            at += 1
            continue
        if at == label or c not in (_DOT, _SLASH, _COLON):
            return -1
        punycode = at - label >= 4 and data[label] == 0x78 and data[label + 1] == 0x6E
        if punycode and data[label + 2] == _HYPHEN and data[label + 3] == _HYPHEN:
            return -1
        if c == _DOT:
            at += 1
            label = at
            continue
        return at if 0x61 <= data[label] <= 0x7A else -1
    return -1


@numba.njit(cache=True, nogil=True)
def _after_port(data: np.ndarray, at: int, end: int, default: int) -> int:
    """Position after the digits of a port that is not `default` and has no leading zero, else -1."""
    first = at
    port = 0
    while at < end and 0x30 <= data[at] <= 0x39:
        port = port * 10 + (data[at] - 0x30)
        at += 1
        if port > 65535:
            return -1
    if at == first or data[first] == 0x30 or port == default:
        return -1
    return at


@numba.njit(cache=True, nogil=True)
def _dot_segment(data: np.ndarray, at: int, end: int) -> bool:
    """Whether the segment that begins here is ``.`` or ``..``, each dot perhaps written ``%2e``."""
    for dots in range(3):
        if at == end or data[at] == _SLASH or data[at] == _QUESTION:
            return dots > 0
        if data[at] == _DOT:
            at += 1
        elif (
            at + 2 < end
            and data[at] == _PERCENT
            and data[at + 1] == 0x32
            and (data[at + 2] == 0x65 or data[at + 2] == 0x45)
        ):
            at += 3
        else:
            return False
    return False


@numba.njit(cache=True, nogil=True)
def _normal(data: np.ndarray, start: int, end: int) -> bool:
    at = _after_scheme(data, start, end)
    if at < 0:
        return False
    default = 443 if data[start + 4] == 0x73 else 80
    at = _after_host(data, at, end)
    if at < 0:
        return False
    if data[at] == _COLON:
        at = _after_port(data, at + 1, end, default)
        if at < 0:
            return False
    if at == end or data[at] != _SLASH:
        return False
    while at < end and data[at] == _SLASH:
        at += 1
        if _dot_segment(data, at, end):
            return False
        while at < end and _SEGMENT[data[at]]:
            at += 1
    if at < end:
        if data[at] != _QUESTION:
            return False
        at += 1
    while at < end and _QUERY[data[at]]:
        at += 1
    return at == end


@numba.njit(cache=True, nogil=True)
def find_normal(data: np.ndarray, offsets: np.ndarray, normal: np.ndarray) -> None:
    """Set ``normal[i]`` where URL i is certainly what a WHATWG parser would write, without fragment or credentials."""
    for i in range(len(normal)):
        normal[i] = _normal(data, int(offsets[i]), int(offsets[i + 1]))


@numba.njit(cache=True, nogil=True)
def copy_hosts(data: np.ndarray, offsets: np.ndarray, out: np.ndarray, ends: np.ndarray, found: np.ndarray) -> None:
    """Copy the host of each URL in lower case to `out`, where each ends to ``ends[i + 1]``; no host, not `found`."""
    filled = 0
    for i in range(len(found)):
        at, end = offsets[i], offsets[i + 1]
        while at < end and data[at] != _COLON and data[at] != _SLASH:
            at += 1
        if at + 2 < end and data[at] == _COLON and data[at + 1] == _SLASH and data[at + 2] == _SLASH:
            at += 3
            first = at
            stop = end
            while at < end:
                c = data[at]
                if c in (_SLASH, _QUESTION, _HASH, _BACKSLASH):
                    stop = at
                    break
                if c == _AT:
                    first = at + 1
                at += 1
            last = stop
            in_brackets = first < stop and data[first] == _OPEN
            for at in range(first, stop):
                if data[at] == _CLOSE:
                    in_brackets = False
                elif data[at] == _COLON and not in_brackets:
                    last = at
                    break
            for at in range(first, last):
                c = data[at]
                out[filled] = c + 32 if 0x41 <= c <= 0x5A else c
                filled += 1
        found[i] = filled > ends[i]
        ends[i + 1] = filled


@numba.njit(cache=True, nogil=True)
def copy_folded(data: np.ndarray, offsets: np.ndarray, out: np.ndarray, ends: np.ndarray) -> None:
    """Copy each URL with ``http:`` made ``https:`` and a leading ``www.`` of the host left out.

    ``www.`` stays where no other dot follows in the host (``www.com`` is a name of its own).
    `out` has room for one byte more per URL than `data`.
    """
    filled = 0
    for i in range(len(ends) - 1):
        start, end = offsets[i], offsets[i + 1]
        at = _after_scheme(data, start, end)
        if at >= 0:
            for k in range(4):
                out[filled + k] = data[start + k]
            out[filled + 4] = 0x73
            out[filled + 5] = _COLON
            out[filled + 6] = _SLASH
            out[filled + 7] = _SLASH
            filled += 8
            www = at + 4 < end and data[at] == 0x77 and data[at + 1] == 0x77 and data[at + 2] == 0x77
            if www and data[at + 3] == _DOT and data[at + 4] != _DOT:
                for k in range(at + 4, end):
                    c = data[k]
                    if c == _DOT:
                        at += 4
                    if c in (_DOT, _SLASH, _COLON, _QUESTION, _HASH):
                        break
            start = at
        for k in range(start, end):
            out[filled] = data[k]
            filled += 1
        ends[i + 1] = filled


@numba.njit(cache=True, nogil=True)
def find_suffixes(data: np.ndarray, offsets: np.ndarray, codes: np.ndarray) -> None:
    """The suffix of the last name in the path of each URL: up to 8 letters and digits, lower case, a byte each.

    0 where there is none, and where the name has a colon: ``/wiki/File:Photo.jpg`` is a page about a photo.
    """
    for i in range(len(codes)):
        start = offsets[i]
        end = start
        while end < offsets[i + 1] and data[end] != _QUESTION and data[end] != _HASH:
            end += 1
        codes[i] = 0
        code = np.uint64(0)
        dot = -1
        for at in range(end - 1, start + 1, -1):
            c = data[at]
            if c == _COLON:
                break
            if c == _SLASH:
                in_path = data[at - 1] != _SLASH or data[at - 2] != _COLON
                codes[i] = code if dot >= 0 and in_path else np.uint64(0)
                break
            if dot >= 0:
                continue
            if c == _DOT:
                dot = at
                if end - at > 9:
                    break
                for place in range(at + 1, end):
                    letter = data[place] | 0x20 if 0x41 <= data[place] <= 0x5A else data[place]
                    code = (code << np.uint64(8)) | np.uint64(letter)


@numba.njit(cache=True, nogil=True)
def turn_labels(data: np.ndarray, offsets: np.ndarray, out: np.ndarray) -> None:
    """Copy each name with its labels, between dots, in the opposite order; each stays where it begins in `data`."""
    for i in range(len(offsets) - 1):
        start, end = offsets[i], offsets[i + 1]
        at = start
        stop = end
        for first in range(end - 1, start - 2, -1):
            if first < start or data[first] == _DOT:
                for place in range(first + 1, stop):
                    out[at] = data[place]
                    at += 1
                if first >= start:
                    out[at] = _DOT
                    at += 1
                stop = first
