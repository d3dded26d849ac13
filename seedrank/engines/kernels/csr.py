"""Loops over links as CSR arrays: count, transpose, put in order, leave out."""

from __future__ import annotations

import numba
import numpy as np

__all__ = [
    "count_into", "count_kept", "count_links_of", "count_targets", "cut_rows", "fill_kept", "group", "invert",
    "rows_in_tiles", "starts_of", "transpose",
]  # fmt: skip

_TILE = 1024
"""Neighbouring pages that are put in order of their links."""
_LENGTHS = 64
"""Numbers of links that order tells apart; a page with more links waits little for one wrong prediction."""


@numba.njit(cache=True, nogil=True)
def count_targets(targets: np.ndarray, pages: int) -> np.ndarray:
    """int32 per page: how often it is a target."""
    counts = np.zeros(pages, np.int32)
    for i in range(len(targets)):
        counts[targets[i]] += 1
    return counts


@numba.njit(cache=True, nogil=True)
def starts_of(numbers: np.ndarray, count: int) -> np.ndarray:
    """int64 (count + 1): where the entries of each number start when they are put in its order; -1 has none."""
    starts = np.zeros(count + 1, np.int64)
    for i in range(len(numbers)):
        if numbers[i] >= 0:
            starts[numbers[i] + 1] += 1
    for number in range(count):
        starts[number + 1] += starts[number]
    return starts


@numba.njit(cache=True, nogil=True)
def group(label: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Pages by their label: offsets (int64, count + 1), and pages (uint32), ascending; those with -1 are left out."""
    starts = starts_of(label, count)
    fill = starts[:-1].copy()
    members = np.empty(starts[count], np.uint32)
    for page in range(len(label)):
        own = label[page]
        if own >= 0:
            members[fill[own]] = page
            fill[own] += 1
    return starts, members


@numba.njit(cache=True, nogil=True)
def transpose(offsets: np.ndarray, targets: np.ndarray, pages: int, sources: np.ndarray) -> np.ndarray:
    """Fill `sources` with the sources of all links, by target, ascending; returns the new offsets (int64)."""
    starts = starts_of(targets, pages)
    fill = starts[:-1].copy()
    for source in range(pages):
        for i in range(offsets[source], offsets[source + 1]):
            target = targets[i]
            sources[fill[target]] = source
            fill[target] += 1
    return starts


@numba.njit(cache=True, nogil=True)
def _length(offsets: np.ndarray, page: np.uint32) -> int:
    return min(offsets[np.int64(page) + 1] - offsets[page], _LENGTHS - 1)


@numba.njit(cache=True, nogil=True)
def rows_in_tiles(offsets: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """uint32: pages that are `wanted` (all when empty) and have links, ascending but for tiles ordered by links.

    Loops of equal length in a row are predicted by the processor, which is worth a fifth of a pass over all links; a
    tile is small enough for its pages' links to stay in the cache.
    """
    pages = len(offsets) - 1
    rows = np.empty(pages, np.uint32)
    count = 0
    for page in range(pages):
        if offsets[page + 1] > offsets[page] and (len(wanted) == 0 or wanted[page]):
            rows[count] = page
            count += 1
    tile = np.empty(_TILE, np.uint32)
    starts = np.empty(_LENGTHS + 1, np.int64)
    for low in range(0, count, _TILE):
        size = min(_TILE, count - low)
        starts[:] = 0
        for k in range(size):
            tile[k] = rows[low + k]
            starts[_length(offsets, tile[k]) + 1] += 1
        for length in range(_LENGTHS):
            starts[length + 1] += starts[length]
        for k in range(size):
            length = _length(offsets, tile[k])
            rows[low + starts[length]] = tile[k]
            starts[length] += 1
    return rows[:count]


@numba.njit(cache=True, nogil=True)
def cut_rows(offsets: np.ndarray, rows: np.ndarray, parts: int) -> np.ndarray:
    """int64 (parts + 1): bounds within `rows` that share out their links evenly."""
    page_work = 4  # a page costs about as much as so many links
    total = 0
    for k in range(len(rows)):
        total += offsets[np.int64(rows[k]) + 1] - offsets[rows[k]] + page_work
    bounds = np.zeros(parts + 1, np.int64)
    done = 0
    k = 0
    for part in range(parts):
        while k < len(rows) and done < total * (part + 1) // parts:
            done += offsets[np.int64(rows[k]) + 1] - offsets[rows[k]] + page_work
            k += 1
        bounds[part + 1] = k
    return bounds


@numba.njit(cache=True, nogil=True)
def invert(
    source: np.ndarray, target: np.ndarray, weight: np.ndarray, pages: int, sources: np.ndarray, weights: np.ndarray
) -> np.ndarray:
    """Links given as three arrays, by target: fills `sources` and `weights`, returns the offsets (int64)."""
    starts = starts_of(target, pages)
    fill = starts[:-1].copy()
    for i in range(len(target)):
        at = fill[target[i]]
        sources[at] = source[i]
        weights[at] = weight[i]
        fill[target[i]] = at + 1
    return starts


@numba.njit(cache=True, nogil=True)
def _kept(source: int, target: int, left_out: np.ndarray, site: np.ndarray, between: np.ndarray) -> bool:
    if len(left_out) and left_out[target]:
        return False
    if len(site) and site[source] >= 0 and site[source] == site[target]:
        return False
    return not (len(between) and (between[source] < 0 or between[source] != between[target]))


@numba.njit(cache=True, nogil=True)
def count_links_of(
    offsets: np.ndarray,
    targets: np.ndarray,
    in_offsets: np.ndarray,
    in_sources: np.ndarray,
    leaving: np.ndarray,
    before: np.ndarray,
    after: np.ndarray,
) -> int:
    """Links that go when the pages `leaving` do: `before` and `after` say per page whether it is gone."""
    count = 0
    for k in range(len(leaving)):
        page = leaving[k]
        for i in range(offsets[page], offsets[page + 1]):
            if not before[targets[i]]:
                count += 1
        for i in range(in_offsets[page], in_offsets[page + 1]):
            # A link between two pages that leave was counted with its source.
            if not after[in_sources[i]]:
                count += 1
    return count


@numba.njit(cache=True, nogil=True, parallel=True)
def count_into(offsets: np.ndarray, targets: np.ndarray, flags: np.ndarray, counts: np.ndarray) -> None:
    """Write into `counts` how many flagged pages each page links to."""
    for source in numba.prange(len(offsets) - 1):
        count = 0
        for i in range(offsets[source], offsets[source + 1]):
            if flags[targets[i]]:
                count += 1
        counts[source] = count


@numba.njit(cache=True, nogil=True, parallel=True)
def count_kept(
    offsets: np.ndarray,
    targets: np.ndarray,
    left_out: np.ndarray,
    site: np.ndarray,
    between: np.ndarray,
    kept: np.ndarray,
) -> None:
    """Write into `kept` how many links of each page stay.

    Links of pages in `left_out`, within a `site`, and between sites of `between` go; an empty array leaves out nothing.
    """
    for source in numba.prange(len(offsets) - 1):
        count = 0
        if not (len(left_out) and left_out[source]):
            for i in range(offsets[source], offsets[source + 1]):
                if _kept(source, targets[i], left_out, site, between):
                    count += 1
        kept[source] = count


@numba.njit(cache=True, nogil=True, parallel=True)
def fill_kept(
    offsets: np.ndarray,
    targets: np.ndarray,
    left_out: np.ndarray,
    site: np.ndarray,
    between: np.ndarray,
    new_offsets: np.ndarray,
    new_targets: np.ndarray,
    weights: np.ndarray | None,
    new_weights: np.ndarray | None,
) -> None:
    """Write the targets of the links that stay, and their weights unless these are `None`."""
    for source in numba.prange(len(offsets) - 1):
        at = new_offsets[source]
        if new_offsets[source + 1] > at:
            for i in range(offsets[source], offsets[source + 1]):
                if _kept(source, targets[i], left_out, site, between):
                    new_targets[at] = targets[i]
                    if weights is not None and new_weights is not None:
                        new_weights[at] = weights[i]
                    at += 1
