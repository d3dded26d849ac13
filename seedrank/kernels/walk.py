"""Damped walks by Gauss-Seidel over in-links.

Only what a page *sends over each link* is kept between sweeps: ``y = x · coefficient``, so a link costs one read.
Pages that send nothing (dangling, factor 0) take no part until the last step, which gives every page its score.
"""

from __future__ import annotations

import numba
import numpy as np

__all__ = ["add_weighted", "scores", "sweep"]


@numba.njit(cache=True, nogil=True, parallel=True)
def sweep(
    in_offsets: np.ndarray,
    in_sources: np.ndarray,
    out_degree: np.ndarray,
    coefficient: np.ndarray,
    base: np.ndarray,
    damping: float,
    senders: np.ndarray,
    ends: np.ndarray,
    y: np.ndarray,
    sent: np.ndarray,
    moved: np.ndarray,
) -> None:
    """One Gauss-Seidel sweep over what pages send, `y` (lanes, pages), in place.

    Pages without in-links send the same from the start and are no `senders`. The senders are cut into lanes, a lane
    into blocks (`ends`). The lanes go side by side, block by block, each on its own row of `y`, and tell one another
    after each block. So links between lanes wait for one block, not for a whole sweep, and the sweeps needed stay
    those of a single lane. The cut comes from the graph, so the result is the same for any number of threads. All
    rows are equal before and after.

    Per lane, `sent` gets what its pages send over all their links and `moved` by how much that changed (L1).
    """
    lanes = len(ends)
    sent[:] = 0.0
    moved[:] = 0.0
    for block in range(ends.shape[1] - 1):
        for lane in numba.prange(lanes):
            mine = y[lane]
            sum_sent = 0.0
            sum_moved = 0.0
            for k in range(ends[lane, block], ends[lane, block + 1]):
                page = senders[k]
                total = 0.0
                for i in range(in_offsets[page], in_offsets[np.int64(page) + 1]):
                    total += mine[in_sources[i]]
                value = (base[page] + damping * total) * coefficient[page]
                sum_moved += out_degree[page] * abs(value - mine[page])
                sum_sent += out_degree[page] * value
                mine[page] = value
            sent[lane] += sum_sent
            moved[lane] += sum_moved
        for lane in numba.prange(lanes):
            mine = y[lane]
            for other in range(lanes):
                if other != lane:
                    news = y[other]
                    for k in range(ends[other, block], ends[other, block + 1]):
                        mine[senders[k]] = news[senders[k]]


@numba.njit(cache=True, nogil=True, parallel=True)
def scores(
    in_offsets: np.ndarray,
    in_sources: np.ndarray,
    out_degree: np.ndarray,
    coefficient: np.ndarray,
    base: np.ndarray,
    damping: float,
    y: np.ndarray,
    x: np.ndarray,
    bounds: np.ndarray,
    moved: np.ndarray,
) -> None:
    """One plain step from what pages send, `y`, to the scores `x` of all pages.

    Per chunk, `moved` gets how much changed (L1) of what its pages send over all their links.
    """
    for chunk in numba.prange(len(bounds) - 1):
        sum_moved = 0.0
        for page in range(bounds[chunk], bounds[chunk + 1]):
            total = 0.0
            for i in range(in_offsets[page], in_offsets[page + 1]):
                total += y[in_sources[i]]
            value = base[page] + damping * total
            x[page] = value
            sum_moved += out_degree[page] * abs(value * coefficient[page] - y[page])
        moved[chunk] = sum_moved


@numba.njit(cache=True, nogil=True, parallel=True)
def add_weighted(
    in_offsets: np.ndarray,
    in_sources: np.ndarray,
    in_weights: np.ndarray,
    x: np.ndarray,
    coefficient: np.ndarray,
    total: np.ndarray,
) -> None:
    """Add to `total` what each page receives over weighted links."""
    for page in numba.prange(len(in_offsets) - 1):
        received = 0.0
        for i in range(in_offsets[page], in_offsets[page + 1]):
            source = in_sources[i]
            received += in_weights[i] * coefficient[source] * x[source]
        total[page] += received
