"""Loops that make the graph of hosts or domains: pages are grouped by node, and what they have is taken together."""

from __future__ import annotations

import numba
import numpy as np

__all__ = ["MAX", "MEAN", "SUM", "add_links", "combine", "combine_status", "count_links"]

SUM, MEAN, MAX = 0, 1, 2
"""How `combine` takes values together."""

_LARGEST = np.float64(np.finfo(np.float32).max)


@numba.njit(cache=True, nogil=True)
def count_links(
    offsets: np.ndarray, targets: np.ndarray, node: np.ndarray, starts: np.ndarray, pages: np.ndarray
) -> np.ndarray:
    """int64 per node: other nodes that pages of it link to; `starts` and `pages` those of `csr.group`."""
    nodes = len(starts) - 1
    counts = np.zeros(nodes, np.int64)
    found_by = np.full(nodes, -1, np.int32)
    for own in range(nodes):
        for k in range(starts[own], starts[own + 1]):
            page = pages[k]
            for i in range(offsets[page], offsets[page + 1]):
                other = node[targets[i]]
                if other >= 0 and other != own and found_by[other] != own:
                    found_by[other] = own
                    counts[own] += 1
    return counts


@numba.njit(cache=True, nogil=True)
def add_links(
    offsets: np.ndarray, targets: np.ndarray, weights: np.ndarray, node: np.ndarray, starts: np.ndarray,
    pages: np.ndarray, each_page: bool, level_offsets: np.ndarray, level_targets: np.ndarray,
    level_weights: np.ndarray,
) -> None:  # fmt: skip
    """One link per pair of different nodes, with the sum of the weights of the page links between them.

    Parameters
    ----------
    offsets, targets, weights
        Links of pages; no weights (empty) when every one is 1.
    node
        int32 per page, -1 for a page that is left out.
    starts, pages
        Of `csr.group`.
    each_page
        A page counts once per pair of nodes, instead of the weights of its links.
    level_offsets
        int64, nodes + 1: where each node's links start, from `count_links`.
    level_targets, level_weights
        int32 and float32, filled; targets ascend within a node. A sum above the largest float32 counts as that.
    """
    nodes = len(starts) - 1
    weighted = len(weights) > 0
    sums = np.zeros(nodes, np.float64)
    found_by = np.full(nodes, -1, np.int32)
    last_page = np.full(nodes, -1, np.int32)
    for own in range(nodes):
        fill = level_offsets[own]
        for k in range(starts[own], starts[own + 1]):
            page = pages[k]
            for i in range(offsets[page], offsets[page + 1]):
                other = node[targets[i]]
                if other < 0 or other == own:
                    continue
                if found_by[other] != own:
                    found_by[other] = own
                    sums[other] = 0.0
                    level_targets[fill] = other
                    fill += 1
                if not each_page:
                    sums[other] += weights[i] if weighted else 1.0
                elif last_page[other] != page:
                    last_page[other] = page
                    sums[other] += 1.0
        level_targets[level_offsets[own] : fill].sort()
        for i in range(level_offsets[own], fill):
            level_weights[i] = min(sums[level_targets[i]], _LARGEST)


@numba.njit(cache=True, nogil=True)
def combine_status(
    status: np.ndarray, node: np.ndarray, crawled: int, frontier: int, missing: int, combined: np.ndarray
) -> None:
    """Fill the status of each node into `combined`: crawled where any page is, else frontier, else missing."""
    combined[:] = missing
    for page in range(len(node)):
        own = node[page]
        if own < 0 or combined[own] == crawled:
            continue
        if status[page] == crawled or status[page] == frontier:
            combined[own] = status[page]


@numba.njit(cache=True, nogil=True)
def combine(values: np.ndarray, node: np.ndarray, how: int, combined: np.ndarray) -> None:
    """Sum, mean or maximum (`how`) of the values of each node's pages, filled into `combined` (float64 per node).

    A page without a value (NaN) does not count; a node without any value has none.
    """
    counts = np.zeros(len(combined), np.int64)
    combined[:] = -np.inf if how == MAX else 0.0
    for page in range(len(node)):
        own = node[page]
        value = np.float64(values[page])
        if own < 0 or np.isnan(value):
            continue
        counts[own] += 1
        if how == MAX:
            combined[own] = max(combined[own], value)
        else:
            combined[own] += value
    for own in range(len(counts)):
        if counts[own] == 0:
            combined[own] = np.nan
        elif how == MEAN:
            combined[own] /= counts[own]
