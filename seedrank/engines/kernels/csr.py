"""Loops over links as CSR arrays: count, transpose, put in order, leave out."""

from __future__ import annotations

import numba
import numpy as np

from seedrank.engines.kernels.hashing import GOLDEN, mix

__all__ = [
    "cap_rows", "count_into", "count_kept", "count_links_of", "count_targets", "count_targets_from", "cut_rows",
    "fill_kept", "group", "invert", "place_sources", "place_weights", "row_sums", "rows_in_tiles", "starts_of",
    "transpose", "transpose_weights",
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
    offsets: np.ndarray, targets: np.ndarray, in_offsets: np.ndarray, in_sources: np.ndarray, leaving: np.ndarray,
    before: np.ndarray, after: np.ndarray,
) -> int:  # fmt: skip
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
    offsets: np.ndarray, targets: np.ndarray, left_out: np.ndarray, site: np.ndarray, between: np.ndarray,
    kept: np.ndarray,
) -> None:  # fmt: skip
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
    offsets: np.ndarray, targets: np.ndarray, left_out: np.ndarray, site: np.ndarray, between: np.ndarray,
    new_offsets: np.ndarray, new_targets: np.ndarray, weights: np.ndarray | None, new_weights: np.ndarray | None,
) -> None:  # fmt: skip
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


@numba.njit(cache=True, nogil=True)
def count_targets_from(targets: np.ndarray, first: int, counts: np.ndarray) -> None:
    """Count the links to the pages from `first` on in `counts` (int64, one per page); others do not count."""
    for i in range(len(targets)):
        page = targets[i] - first
        if 0 <= page < len(counts):
            counts[page] += 1


@numba.njit(cache=True, nogil=True)
def place_sources(
    offsets: np.ndarray, row: int, start: int, targets: np.ndarray, first: int, fill: np.ndarray, low: int,
    block: np.ndarray,
) -> int:  # fmt: skip
    """Put the sources of a piece of the links where they belong in a block of the links by target.

    Parameters
    ----------
    offsets
        int64, pages + 1: where each page's links start, among all links.
    row
        A page whose links do not start after `start`.
    start
        Links before this piece.
    targets
        int32: the piece.
    first, fill
        The first page whose links are in the block, and per page from there on the place of the next link to it among
        all links by target (int64, moved on); a page's links may begin before the block or end after it.
    low, block
        Place of ``block[0]``, and the block (int32), filled.

    Returns
    -------
    int
        The page of the last link, for the next piece.
    """
    pages = np.uint64(len(fill))
    room = np.uint64(len(block))
    i = 0
    while i < len(targets):
        while row + 2 < len(offsets) and offsets[row + 1] <= start + i:
            row += 1
        end = len(targets)
        if row + 2 < len(offsets):
            end = min(end, offsets[row + 1] - start)
        for k in range(i, end):
            # What lies before the first is a large number without its sign: one comparison for both ends.
            page = np.uint64(targets[k] - first)
            if page < pages:
                at = np.uint64(fill[page] - low)
                fill[page] += 1
                if at < room:
                    block[at] = row
        i = end
    return row


@numba.njit(cache=True, nogil=True)
def place_weights(
    targets: np.ndarray, weights: np.ndarray, first: int, fill: np.ndarray, low: int, block: np.ndarray
) -> None:
    """The same for the weights of links (float32), in the order of `place_sources`."""
    for i in range(len(targets)):
        page = targets[i] - first
        if 0 <= page < len(fill):
            at = fill[page] - low
            fill[page] += 1
            if 0 <= at < len(block):
                block[at] = weights[i]


@numba.njit(cache=True, nogil=True, parallel=True)
def row_sums(offsets: np.ndarray, weights: np.ndarray, sums: np.ndarray) -> None:
    """Write the sum of each page's weights, in float64."""
    for page in numba.prange(len(offsets) - 1):
        total = 0.0
        for i in range(offsets[page], offsets[page + 1]):
            total += weights[i]
        sums[page] = total


@numba.njit(cache=True, nogil=True)
def transpose_weights(
    offsets: np.ndarray, targets: np.ndarray, in_offsets: np.ndarray, weights: np.ndarray, transposed: np.ndarray
) -> None:
    """Fill `transposed` with the weights in the order in which `transpose` lays the sources."""
    fill = in_offsets[:-1].copy()
    for source in range(len(offsets) - 1):
        for i in range(offsets[source], offsets[source + 1]):
            target = targets[i]
            transposed[fill[target]] = weights[i]
            fill[target] += 1


@numba.njit(cache=True, nogil=True)
def _hash(source: int, target: int) -> np.uint64:
    """A number that looks random, another one for every pair of pages."""
    return mix(((np.uint64(source) << np.uint64(32)) | np.uint64(target)) + GOLDEN)


@numba.njit(cache=True, nogil=True, parallel=True)
def cap_rows(offsets: np.ndarray, targets: np.ndarray, most: int, weights: np.ndarray) -> None:
    """Set to 0, in place, all but the `most` heaviest weights of each page; ties stay by the smaller hash."""
    for source in numba.prange(len(offsets) - 1):
        start, stop = offsets[source], offsets[source + 1]
        if stop - start <= most:
            continue
        row = weights[start:stop]
        least = np.sort(row)[stop - start - most]
        heavier = 0
        ties = 0
        for i in range(stop - start):
            heavier += row[i] > least
            ties += row[i] == least
        hashes = np.empty(ties, np.uint64)
        at = 0
        for i in range(stop - start):
            if row[i] == least:
                hashes[at] = _hash(source, targets[start + i])
                at += 1
        last = np.sort(hashes)[most - heavier - 1]
        for i in range(stop - start):
            if row[i] < least or (row[i] == least and _hash(source, targets[start + i]) > last):
                row[i] = 0.0
