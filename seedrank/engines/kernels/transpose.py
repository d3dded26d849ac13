"""Loops that transpose links a part at a time: what they are given is a piece of all links, in order."""

from __future__ import annotations

import numba
import numpy as np

__all__ = ["count_targets_from", "place_sources", "place_weights"]


@numba.njit(cache=True, nogil=True)
def count_targets_from(targets: np.ndarray, first: int, counts: np.ndarray) -> None:
    """Count the links to the pages from `first` on in `counts` (int64, one per page); others do not count."""
    for i in range(len(targets)):
        page = targets[i] - first
        if 0 <= page < len(counts):
            counts[page] += 1


@numba.njit(cache=True, nogil=True)
def place_sources(
    offsets: np.ndarray,
    row: int,
    start: int,
    targets: np.ndarray,
    first: int,
    fill: np.ndarray,
    low: int,
    block: np.ndarray,
) -> int:
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
