"""One pass over virtual links: what frontier pages receive from crawled ones."""

from __future__ import annotations

import numba
import numpy as np

__all__ = ["receive", "receive_shares"]


@numba.njit(cache=True, nogil=True)
def receive(source: np.ndarray, target: np.ndarray, weight: np.ndarray, sent: np.ndarray, received: np.ndarray) -> None:
    """Add to `received` what each target gets: the link's weight times what its source sends per unit of weight."""
    for i in range(len(source)):
        received[target[i]] += weight[i] * sent[source[i]]


@numba.njit(cache=True, nogil=True, parallel=True)
def receive_shares(
    source: np.ndarray, target: np.ndarray, weight: np.ndarray, sent: np.ndarray, received: np.ndarray
) -> None:
    """The same for several walks: `sent` (groups, 5, pages), `received` (groups, pages, 5).

    Links are by source, so that what is sent is read in order, and the five numbers of a target lie together.
    """
    for group in numba.prange(len(sent)):
        mine = sent[group]
        to = received[group]
        for i in range(len(source)):
            s = source[i]
            w = weight[i]
            row = to[target[i]]
            row[0] += w * mine[0, s]
            row[1] += w * mine[1, s]
            row[2] += w * mine[2, s]
            row[3] += w * mine[3, s]
            row[4] += w * mine[4, s]
