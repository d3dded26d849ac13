"""One pass over virtual links: what frontier pages receive from crawled ones."""

from __future__ import annotations

import numba
import numpy as np

__all__ = ["receive", "receive_shares", "sum_rows"]


@numba.njit(cache=True, nogil=True)
def sum_rows(source: np.ndarray, weight: np.ndarray, degree: np.ndarray, strength: np.ndarray) -> None:
    """Add to `degree` and `strength` how many links each page sends over, and the sum of their weights."""
    for i in range(len(source)):
        degree[source[i]] += 1
        strength[source[i]] += weight[i]


@numba.njit(cache=True, nogil=True)
def receive(source: np.ndarray, target: np.ndarray, weight: np.ndarray, sent: np.ndarray, received: np.ndarray) -> None:
    """Add to `received` what each target gets: the link's weight times what its source sends per unit of weight."""
    for i in range(len(source)):
        received[target[i]] += weight[i] * sent[source[i]]


@numba.njit(cache=True, nogil=True, parallel=True)
def receive_shares(
    source: np.ndarray, target: np.ndarray, weight: np.ndarray, per_weight: np.ndarray, shares: np.ndarray,
    rows: np.ndarray, scores: np.ndarray, received: np.ndarray,
) -> None:  # fmt: skip
    """The same for several walks at once, five to a group; `received` is (groups, pages, 5).

    Column c of group g sends ``shares[g, c] · per_weight · scores[rows[g, c]]``. Links are by source, so what a page
    sends is worked out once for all of its links, and the five numbers of a target lie together.
    """
    for group in numba.prange(len(rows)):
        to = received[group]
        r0, r1, r2, r3, r4 = rows[group, 0], rows[group, 1], rows[group, 2], rows[group, 3], rows[group, 4]
        c0, c1, c2, c3, c4 = shares[group, 0], shares[group, 1], shares[group, 2], shares[group, 3], shares[group, 4]
        s0, s1, s2, s3, s4 = 0.0, 0.0, 0.0, 0.0, 0.0
        last = -1
        for i in range(len(source)):
            page = source[i]
            if page != last:
                last = page
                share = per_weight[page]
                s0 = share * c0 * scores[r0, page]
                s1 = share * c1 * scores[r1, page]
                s2 = share * c2 * scores[r2, page]
                s3 = share * c3 * scores[r3, page]
                s4 = share * c4 * scores[r4, page]
            w = weight[i]
            row = to[target[i]]
            row[0] += w * s0
            row[1] += w * s1
            row[2] += w * s2
            row[3] += w * s3
            row[4] += w * s4
