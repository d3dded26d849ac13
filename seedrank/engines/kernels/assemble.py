"""Loops that turn links in any order into CSR arrays, and count those between sites."""

from __future__ import annotations

import numba
import numpy as np

__all__ = ["add_degrees", "count_external_in_links", "count_inter", "place_links", "sort_rows"]

_FEW = 32
"""Targets up to which inserting them one by one is the fastest sort."""


@numba.njit(cache=True, nogil=True)
def add_degrees(sources: np.ndarray, degree: np.ndarray) -> None:
    """Count each source once more in `degree` (int64 per page)."""
    for i in range(len(sources)):
        degree[sources[i]] += 1


@numba.njit(cache=True, nogil=True)
def place_links(
    ends: np.ndarray, weights: np.ndarray, offsets: np.ndarray, targets: np.ndarray, placed: np.ndarray
) -> None:
    """Put links in the place of their source.

    Parameters
    ----------
    ends
        int32, (links, 2): source and target, in any order.
    weights, placed
        float32 per link, before and after; both empty when every weight is 1.
    offsets
        int64, pages + 1: where each source's links start.
    targets
        int32, filled.
    """
    fill = offsets[:-1].copy()
    weighted = len(weights) > 0
    for i in range(len(ends)):
        source = ends[i, 0]
        at = fill[source]
        targets[at] = ends[i, 1]
        if weighted:
            placed[at] = weights[i]
        fill[source] = at + 1


@numba.njit(cache=True, nogil=True)
def _insert(targets: np.ndarray, weights: np.ndarray, start: int, stop: int) -> None:
    """Sort a few targets by inserting one after the other; of weights there may be none."""
    for i in range(start + 1, stop):
        target = targets[i]
        weight = weights[i] if len(weights) else np.float32(1.0)
        at = i
        while at > start and targets[at - 1] > target:
            targets[at] = targets[at - 1]
            if len(weights):
                weights[at] = weights[at - 1]
            at -= 1
        targets[at] = target
        if len(weights):
            weights[at] = weight


@numba.njit(cache=True, nogil=True)
def _heapsort(targets: np.ndarray, weights: np.ndarray, start: int, stop: int) -> None:
    """Sort many targets in place: the largest to the root, from there to the end."""
    size = stop - start
    top = size // 2
    while size > 1:
        if top > 0:
            top -= 1
        else:
            size -= 1
            targets[start], targets[start + size] = targets[start + size], targets[start]
            if len(weights):
                weights[start], weights[start + size] = weights[start + size], weights[start]
        at = top
        target = targets[start + at]
        weight = weights[start + at] if len(weights) else np.float32(1.0)
        while 2 * at + 1 < size:
            child = 2 * at + 1
            if child + 1 < size and targets[start + child + 1] > targets[start + child]:
                child += 1
            if targets[start + child] <= target:
                break
            targets[start + at] = targets[start + child]
            if len(weights):
                weights[start + at] = weights[start + child]
            at = child
        targets[start + at] = target
        if len(weights):
            weights[start + at] = weight


@numba.njit(cache=True, nogil=True)
def sort_rows(offsets: np.ndarray, targets: np.ndarray, weights: np.ndarray) -> None:
    """Sort each page's targets, ascending, with their weights (empty when every weight is 1).

    By loops of its own: numba takes twenty times as long to compile its sort and argsort.
    """
    for page in range(len(offsets) - 1):
        start, stop = offsets[page], offsets[page + 1]
        ordered = True
        for i in range(start + 1, stop):
            if targets[i] < targets[i - 1]:
                ordered = False
                break
        if ordered:
            continue
        if stop - start <= _FEW:
            _insert(targets, weights, start, stop)
        else:
            _heapsort(targets, weights, start, stop)


@numba.njit(cache=True, nogil=True)
def count_inter(offsets: np.ndarray, targets: np.ndarray, site: np.ndarray) -> int:
    """Links between pages of different sites; -1 is no site and differs from everything."""
    count = 0
    for page in range(len(offsets) - 1):
        own = site[page]
        for i in range(offsets[page], offsets[page + 1]):
            other = site[targets[i]]
            if own < 0 or other != own:
                count += 1
    return count


@numba.njit(cache=True, nogil=True)
def count_external_in_links(offsets: np.ndarray, targets: np.ndarray, site: np.ndarray, sites: int) -> np.ndarray:
    """int64 per site: links from pages of other sites to its pages."""
    counts = np.zeros(sites, np.int64)
    for page in range(len(offsets) - 1):
        own = site[page]
        for i in range(offsets[page], offsets[page + 1]):
            other = site[targets[i]]
            if other >= 0 and other != own:
                counts[other] += 1
    return counts
