"""Loops over links as keys: ``source << 32 | target`` in an int64; order by key is order by source, then target."""

from __future__ import annotations

import numba
import numpy as np

__all__ = [
    "anchors_by_link",
    "compare_links",
    "merge_links",
    "pack_links",
    "redirect_links",
    "sort_links",
    "unpack_links",
]

_DIGITS = ((0, 11), (11, 11), (22, 10), (32, 11), (43, 11), (54, 9))
"""Shift and bits of each pass of the radix sort; no digit spans both ends of a link."""


@numba.njit(cache=True, nogil=True)
def pack_links(
    source: np.ndarray, target: np.ndarray, links_out: np.ndarray, keys: np.ndarray, rows: np.ndarray
) -> tuple[int, int]:
    """Keys of the links whose ends are two different pages.

    Parameters
    ----------
    source, target
        int32 page ids, negative where an end was left out.
    links_out
        bool per page, set where a page is the source of a link kept.
    keys
        int64, room for all links; filled from the front.
    rows
        int32, room for all links, or empty: which rows were kept.

    Returns
    -------
    tuple
        Links kept, and links from a page to itself.
    """
    kept = 0
    to_themselves = 0
    want_rows = len(rows) > 0
    for i in range(len(source)):
        if source[i] < 0 or target[i] < 0:
            continue
        if source[i] == target[i]:
            to_themselves += 1
            continue
        keys[kept] = (np.int64(source[i]) << 32) | np.int64(target[i])
        links_out[source[i]] = True
        if want_rows:
            rows[kept] = i
        kept += 1
    return kept, to_themselves


@numba.njit(cache=True, nogil=True)
def redirect_links(keys: np.ndarray, ends: np.ndarray, out: np.ndarray, rows: np.ndarray) -> tuple[int, int]:
    """Keys with their targets where redirects end; links that come back to their page are left out.

    Parameters
    ----------
    keys
        int64.
    ends
        int32 per page: where links to it lead.
    out, rows
        int64 and int32, room for all links, filled from the front: the keys, and which links they were.

    Returns
    -------
    tuple
        Links kept, and how many of `keys` lead elsewhere now.
    """
    kept = 0
    moved = 0
    for i in range(len(keys)):
        source = keys[i] >> 32
        target = keys[i] & 0xFFFFFFFF
        end = np.int64(ends[target])
        moved += end != target
        if end != source:
            out[kept] = (source << 32) | end
            rows[kept] = i
            kept += 1
    return kept, moved


@numba.njit(cache=True, nogil=True)
def unpack_links(keys: np.ndarray, source: np.ndarray, target: np.ndarray) -> None:
    """The ends of links, as int64."""
    for i in range(len(keys)):
        source[i] = keys[i] >> 32
        target[i] = keys[i] & 0xFFFFFFFF


@numba.njit(cache=True, nogil=True)
def sort_links(keys: np.ndarray, payload: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sort keys and what belongs to them; equal keys stay in their order. The arrays given are used up.

    A radix sort over the bits that differ: it moves 16 bytes a link and pass where an argsort and two gathers
    would jump through memory.
    """
    count = len(keys)
    differ = np.int64(0)
    ordered = True
    for i in range(1, count):
        differ |= keys[i] ^ keys[0]
        ordered = ordered and keys[i - 1] <= keys[i]
    if ordered:
        return keys, payload
    other_keys = np.empty_like(keys)
    other_payload = np.empty_like(payload)
    starts = np.empty(2049, np.int64)
    for shift, bits in _DIGITS:
        mask = (np.int64(1) << bits) - 1
        if (differ >> shift) & mask == 0:
            continue
        starts[:] = 0
        for i in range(count):
            starts[((keys[i] >> shift) & mask) + 1] += 1
        for digit in range(1, len(starts)):
            starts[digit] += starts[digit - 1]
        for i in range(count):
            digit = (keys[i] >> shift) & mask
            place = starts[digit]
            other_keys[place] = keys[i]
            other_payload[place] = payload[i]
            starts[digit] = place + 1
        keys, other_keys = other_keys, keys
        payload, other_payload = other_payload, payload
    return keys, payload


@numba.njit(cache=True, nogil=True)
def merge_links(keys: np.ndarray, weights: np.ndarray, sums: np.ndarray) -> int:
    """Add up the weights of equal keys, which lie together; returns how many differ.

    `keys` is packed in place, `sums` (float64, as long) filled; empty `weights` are all 1.
    """
    count = -1
    ones = len(weights) == 0
    previous = np.int64(-1)
    for i in range(len(keys)):
        weight = 1.0 if ones else weights[i]
        if keys[i] == previous:
            sums[count] += weight
        else:
            count += 1
            previous = keys[i]
            keys[count] = previous
            sums[count] = weight
    return count + 1


@numba.njit(cache=True, nogil=True)
def compare_links(keys: np.ndarray, stored: np.ndarray) -> np.ndarray:
    """int64 per key: where it stands among the `stored` keys, -1 where it does not; both ascending."""
    places = np.full(len(keys), -1, np.int64)
    place = 0
    for i in range(len(keys)):
        while place < len(stored) and stored[place] < keys[i]:
            place += 1
        if place < len(stored) and stored[place] == keys[i]:
            places[i] = place
    return places


@numba.njit(cache=True, nogil=True)
def anchors_by_link(keys: np.ndarray, texts: np.ndarray, limit: int) -> tuple[np.ndarray, np.ndarray]:
    """Distinct texts of each run of equal keys, in their order, at most `limit`.

    Parameters
    ----------
    keys
        int64, equal keys together.
    texts
        int32 number of a text per row, negative for none.
    limit
        Texts kept per key.

    Returns
    -------
    tuple
        int32 ends (distinct keys + 1) and int32 texts: key k has ``texts[ends[k]:ends[k + 1]]``.
    """
    kept = np.empty(len(keys), np.int32)
    ends = np.zeros(len(keys) + 1, np.int32)
    links = 0
    count = 0
    for i in range(len(keys)):
        if i == 0 or keys[i] != keys[i - 1]:
            links += 1
            ends[links] = count
        first = ends[links - 1]
        if texts[i] < 0 or count - first >= limit:
            continue
        known = False
        for k in range(first, count):
            if kept[k] == texts[i]:
                known = True
                break
        if not known:
            kept[count] = texts[i]
            count += 1
            ends[links] = count
    return ends[: links + 1].copy(), kept[:count].copy()
