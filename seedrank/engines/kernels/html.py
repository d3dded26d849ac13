"""Loops over the bytes of an HTML page: what of it says where it links.

A parser of HTML builds the tree a browser would build, and a hostile page makes that tree expensive: 28 KB of nested
``<b>`` become 1.6 GB, a million ``<div>`` take minutes. What remains here is small and flat, in one pass.
"""

from __future__ import annotations

import numba
import numpy as np

__all__ = ["MOST_TAGS", "skeleton"]

MOST_TAGS = 1 << 17
"""Tags kept of a page; a parser takes some 500 bytes for each."""
_LONGEST_TAG = 1 << 14
"""Bytes of a tag; a longer one links to nothing."""
_LONGEST_TEXT = 2048
"""Bytes kept of the text of a link."""

_LESS, _GREATER, _SLASH, _EQUALS, _BANG, _MARK, _DASH = 0x3C, 0x3E, 0x2F, 0x3D, 0x21, 0x3F, 0x2D
_QUOTE, _APOSTROPHE, _SPACE = 0x22, 0x27, 0x20
_ESCAPED, _CLOSED, _IMAGE = (np.frombuffer(text, np.uint8) for text in (b"&lt;", b"</a>", b"<img"))


def _code(name: str) -> int:
    """A name of up to 12 letters as a number."""
    code = 0
    for letter in name:
        code = code * 32 + (ord(letter) - 96)
    return code


_A, _FRAME, _IFRAME, _SCRIPT, _TEMPLATE, _PLAINTEXT = (
    _code(name) for name in ("a", "frame", "iframe", "script", "template", "plaintext")
)
_KEPT = np.array([_code(name) for name in ("area", "base", "meta")])
_RAW = np.array(
    [_code(name) for name in ("script", "style", "title", "textarea", "iframe", "noframes", "noembed", "xmp")]
)
"""Elements whose content is text up to their end tag."""
_INLINE = np.array(
    [
        _code(name)
        for name in (
            "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "del", "dfn", "em", "font", "i", "ins", "kbd",
            "mark", "nobr", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "tt", "u", "var",
            "wbr",
        )
    ]
)  # fmt: skip
"""Elements that do not divide words."""


@numba.njit(cache=True, nogil=True)
def _is_space(byte: int) -> bool:
    return byte in (0x20, 0x09, 0x0A, 0x0C, 0x0D)


@numba.njit(cache=True, nogil=True)
def _is_letter(byte: int) -> bool:
    return 0x61 <= byte | 0x20 <= 0x7A


@numba.njit(cache=True, nogil=True)
def _has(codes: np.ndarray, code: int) -> bool:
    found = False
    for known in codes:
        found |= known == code
    return found


@numba.njit(cache=True, nogil=True)
def _name(data: np.ndarray, at: int) -> tuple[int, int]:
    """Code of the name of a tag, 0 for one that nothing here knows, and the position after it."""
    code = 0
    start = at
    while at < len(data) and not (_is_space(data[at]) or data[at] == _SLASH or data[at] == _GREATER):
        known = at - start < 12 and code >= 0 and _is_letter(data[at])
        code = code * 32 + ((data[at] | 0x20) - 96) if known else -1
        at += 1
    return max(code, 0), at


@numba.njit(cache=True, nogil=True)
def _after_tag(data: np.ndarray, at: int) -> int:
    """Position after the tag whose name ends at `at`, by its attributes and their quotes; -1 where it does not end."""
    count = len(data)
    while at < count:
        while at < count and (_is_space(data[at]) or data[at] == _SLASH):
            at += 1
        if at < count and data[at] == _GREATER:
            return at + 1
        # The first byte of an attribute's name may be "=".
        at += 1
        while at < count and not _is_space(data[at]) and data[at] not in (_SLASH, _GREATER, _EQUALS):
            at += 1
        while at < count and _is_space(data[at]):
            at += 1
        if at >= count or data[at] != _EQUALS:
            continue
        at += 1
        while at < count and _is_space(data[at]):
            at += 1
        if at < count and data[at] in (_QUOTE, _APOSTROPHE):
            quote = data[at]
            at += 1
            while at < count and data[at] != quote:
                at += 1
            at += 1
        else:
            while at < count and not _is_space(data[at]) and data[at] != _GREATER:
                at += 1
    return -1


@numba.njit(cache=True, nogil=True)
def _after_greater(data: np.ndarray, at: int) -> int:
    while at < len(data) and data[at] != _GREATER:
        at += 1
    return at + 1


@numba.njit(cache=True, nogil=True)
def _after_comment(data: np.ndarray, at: int) -> int:
    """Position after a comment whose ``<!--`` ends at `at`."""
    count = len(data)
    if at < count and data[at] == _GREATER:
        return at + 1
    if at + 1 < count and data[at] == _DASH and data[at + 1] == _GREATER:
        return at + 2
    while at + 2 < count:
        if data[at] == _DASH and data[at + 1] == _DASH:
            if data[at + 2] == _GREATER:
                return at + 3
            if data[at + 2] == _BANG and at + 3 < count and data[at + 3] == _GREATER:
                return at + 4
        at += 1
    return count


@numba.njit(cache=True, nogil=True)
def _raw_end(data: np.ndarray, at: int, name: int) -> int:
    """Position of the end tag that closes a raw element whose start tag ends at `at`, or the end of the page.

    In a script, ``<!--`` and ``<script`` after each other hide the next end tag.
    """
    count = len(data)
    commented = nested = False
    while at < count:
        if data[at] == _LESS and at + 1 < count:
            if data[at + 1] == _SLASH:
                code, end = _name(data, at + 2)
                if code == name and end < count:
                    if not nested:
                        return at
                    nested = False
            elif name == _SCRIPT and not commented and at + 3 < count and data[at + 1] == _BANG:
                commented = data[at + 2] == _DASH and data[at + 3] == _DASH
            elif name == _SCRIPT and commented and not nested:
                code, end = _name(data, at + 1)
                nested = code == name and end < count
        elif commented and data[at] == _GREATER and at >= 2 and data[at - 1] == _DASH and data[at - 2] == _DASH:
            commented = nested = False
        at += 1
    return count


@numba.njit(cache=True, nogil=True)
def _copy(data: np.ndarray, at: int, after: int, out: np.ndarray, size: int) -> int:
    out[size : size + after - at] = data[at:after]
    return size + after - at


@numba.njit(cache=True, nogil=True)
def _write_text(byte: int, out: np.ndarray, size: int) -> int:
    """Add a byte of text: white space once, ``<`` so that it begins no tag."""
    if byte == _LESS:
        return _copy(_ESCAPED, 0, 4, out, size)
    if _is_space(byte):
        if size and out[size - 1] == _SPACE:
            return size
        byte = _SPACE
    out[size] = byte
    return size + 1


@numba.njit(cache=True, nogil=True)
def skeleton(data: np.ndarray, out: np.ndarray) -> tuple[int, bool]:
    """The links of a page as a page of their own.

    Kept are the tags ``a``, ``area``, ``base`` and ``meta`` with their attributes, ``frame`` and ``iframe`` as
    ``img``, and the text of ``a``. Scripts, styles, comments and templates are left out.

    Parameters
    ----------
    data
        uint8, the page in UTF-8.
    out
        uint8, four times as long; filled from the front.

    Returns
    -------
    tuple
        Bytes of `out` that are used, and whether the page has more tags than are kept.
    """
    count = len(data)
    at = size = text = tags = templates = 0
    linked = False
    while at < count:
        byte = data[at]
        follows = data[at + 1] if at + 1 < count else 0
        closing = follows == _SLASH and at + 2 < count
        if byte != _LESS or not (_is_letter(follows) or follows in (_BANG, _MARK) or closing):
            if linked and not templates and text < _LONGEST_TEXT:
                before = size
                size = _write_text(byte, out, size)
                text += size - before
            at += 1
            continue
        if not _is_letter(data[at + 1 + closing]):
            comment = follows == _BANG and at + 3 < count and data[at + 2] == _DASH and data[at + 3] == _DASH
            at = _after_comment(data, at + 4) if comment else _after_greater(data, at + 2)
            continue
        name, end = _name(data, at + 1 + closing)
        after = _after_tag(data, end)
        if after < 0:
            break
        fits = after - at <= _LONGEST_TAG
        if name == _TEMPLATE:
            templates = max(0, templates - 1) if closing else templates + 1
        elif templates:
            pass
        elif name == _A:
            if linked:
                size = _copy(_CLOSED, 0, 4, out, size)
            linked = not closing and fits
            text = 0
            if linked:
                size = _copy(data, at, after, out, size)
                tags += 1
        elif not closing and fits and name in (_FRAME, _IFRAME):
            size = _copy(_IMAGE, 0, 4, out, size)
            size = _copy(data, end, after, out, size)
            tags += 1
        elif not closing and fits and _has(_KEPT, name):
            size = _copy(data, at, after, out, size)
            tags += 1
        elif linked and not _has(_INLINE, name):
            size = _write_text(_SPACE, out, size)
        if tags == MOST_TAGS:
            return size, True
        at = after
        if not closing and name == _PLAINTEXT:
            break
        if not closing and _has(_RAW, name):
            at = _raw_end(data, at, name)
    return size, False
