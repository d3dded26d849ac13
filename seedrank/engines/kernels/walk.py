"""Damped walks by Gauss-Seidel over in-links.

Only what a page *sends over each link* is kept between sweeps: ``y = x · coefficient``, so a link costs one read.
Pages that send nothing (dangling, factor 0) take no part until the last step, which gives every page its score.

Where links have weights (`in_weights` is not `None`), y is what a page sends per unit of weight, and `strength` the sum
of its weights in place of its number of links. numba compiles a kernel for each of the two, so that plain walks pay
nothing.
"""

from __future__ import annotations

import numba
import numpy as np

__all__ = ["COLUMNS", "add_weighted", "by_component", "scores", "scores_of_shares", "sweep", "sweep_shares"]

COLUMNS = 5
"""Shares a group of walks side by side has: 40 bytes a page, less than a cache line."""


@numba.njit(cache=True, nogil=True, parallel=True)
def sweep(
    in_offsets: np.ndarray, in_sources: np.ndarray, in_weights: np.ndarray | None, strength: np.ndarray,
    coefficient: np.ndarray, base: np.ndarray, damping: float, senders: np.ndarray, ends: np.ndarray, y: np.ndarray,
    sent: np.ndarray, moved: np.ndarray,
) -> None:  # fmt: skip
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
                if in_weights is None:
                    for i in range(in_offsets[page], in_offsets[np.int64(page) + 1]):
                        total += mine[in_sources[i]]
                else:
                    for i in range(in_offsets[page], in_offsets[np.int64(page) + 1]):
                        total += in_weights[i] * mine[in_sources[i]]
                value = (base[page] + damping * total) * coefficient[page]
                sum_moved += strength[page] * abs(value - mine[page])
                sum_sent += strength[page] * value
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


@numba.njit(cache=True, nogil=True)
def by_component(
    in_offsets: np.ndarray, in_sources: np.ndarray, in_weights: np.ndarray | None, strength: np.ndarray,
    coefficient: np.ndarray, base: np.ndarray, damping: float, starts: np.ndarray, members: np.ndarray,
    from_component: int, to_component: int, per_page: float, most: int, y: np.ndarray,
) -> int:  # fmt: skip
    """Solve for what pages send, `y`, one strong component after the other; returns the sweeps of the slowest.

    Components are given as pages `members` from ``starts[c]`` to ``starts[c + 1]``. They are taken downwards, before
    `from_component` and from `to_component` on: none gets anything from one that comes after it. So a page that is a
    component by itself is right at once, and the others take Gauss-Seidel sweeps, `most` at most, until each moves (L1,
    times damping) by no more than `per_page` for each of its pages.
    """
    slowest = 1
    for c in range(from_component - 1, to_component - 1, -1):
        first, last = starts[c], starts[c + 1]
        enough = per_page * (last - first) if last - first > 1 else np.inf
        sweeps = 0
        moved = np.inf
        while first < last and sweeps < most and (sweeps == 0 or damping * moved > enough):
            sweeps += 1
            moved = 0.0
            for k in range(first, last):
                page = members[k]
                if coefficient[page] == 0.0:
                    continue
                total = 0.0
                if in_weights is None:
                    for i in range(in_offsets[page], in_offsets[np.int64(page) + 1]):
                        total += y[in_sources[i]]
                else:
                    for i in range(in_offsets[page], in_offsets[np.int64(page) + 1]):
                        total += in_weights[i] * y[in_sources[i]]
                value = (base[page] + damping * total) * coefficient[page]
                moved += strength[page] * abs(value - y[page])
                y[page] = value
        slowest = max(slowest, sweeps)
    return slowest


@numba.njit(cache=True, nogil=True, parallel=True)
def scores(
    in_offsets: np.ndarray, in_sources: np.ndarray, in_weights: np.ndarray | None, strength: np.ndarray,
    coefficient: np.ndarray, base: np.ndarray, damping: float, y: np.ndarray, x: np.ndarray, bounds: np.ndarray,
    moved: np.ndarray,
) -> None:  # fmt: skip
    """One plain step from what pages send, `y`, to the scores `x` of all pages.

    Per chunk, `moved` gets how much changed (L1) of what its pages send over all their links.
    """
    for chunk in numba.prange(len(bounds) - 1):
        sum_moved = 0.0
        for page in range(bounds[chunk], bounds[chunk + 1]):
            total = 0.0
            if in_weights is None:
                for i in range(in_offsets[page], in_offsets[page + 1]):
                    total += y[in_sources[i]]
            else:
                for i in range(in_offsets[page], in_offsets[page + 1]):
                    total += in_weights[i] * y[in_sources[i]]
            value = base[page] + damping * total
            x[page] = value
            sum_moved += strength[page] * abs(value * coefficient[page] - y[page])
        moved[chunk] = sum_moved


@numba.njit(cache=True, nogil=True, parallel=True)
def add_weighted(
    in_offsets: np.ndarray, in_sources: np.ndarray, in_weights: np.ndarray, x: np.ndarray, coefficient: np.ndarray,
    total: np.ndarray,
) -> None:  # fmt: skip
    """Add to `total` what each page receives over weighted links."""
    for page in numba.prange(len(in_offsets) - 1):
        received = 0.0
        for i in range(in_offsets[page], in_offsets[page + 1]):
            source = in_sources[i]
            received += in_weights[i] * coefficient[source] * x[source]
        total[page] += received


@numba.njit(cache=True, nogil=True, parallel=True)
def sweep_shares(
    in_offsets: np.ndarray, in_sources: np.ndarray, in_weights: np.ndarray | None, strength: np.ndarray,
    coefficient: np.ndarray, base: np.ndarray, rates: np.ndarray, senders: np.ndarray, y: np.ndarray,
    moved: np.ndarray,
) -> None:  # fmt: skip
    """One Gauss-Seidel sweep of walks that differ only in how much of what is received counts.

    `rates` (groups, COLUMNS) is damping times share, `y` (groups, pages, COLUMNS) what pages send over each link; the
    groups go side by side and share nothing. A link is read once for all columns of a group. `moved` (groups,
    COLUMNS) gets by how much what is sent over all links changed (L1).
    """
    for group in numba.prange(len(rates)):
        mine = y[group]
        r0, r1, r2, r3, r4 = rates[group, 0], rates[group, 1], rates[group, 2], rates[group, 3], rates[group, 4]
        m0, m1, m2, m3, m4 = 0.0, 0.0, 0.0, 0.0, 0.0
        for k in range(len(senders)):
            page = senders[k]
            t0, t1, t2, t3, t4 = 0.0, 0.0, 0.0, 0.0, 0.0
            if in_weights is None:
                for i in range(in_offsets[page], in_offsets[np.int64(page) + 1]):
                    row = mine[in_sources[i]]
                    t0 += row[0]
                    t1 += row[1]
                    t2 += row[2]
                    t3 += row[3]
                    t4 += row[4]
            else:
                for i in range(in_offsets[page], in_offsets[np.int64(page) + 1]):
                    row, w = mine[in_sources[i]], in_weights[i]
                    t0 += w * row[0]
                    t1 += w * row[1]
                    t2 += w * row[2]
                    t3 += w * row[3]
                    t4 += w * row[4]
            c = coefficient[page]
            b = base[page]
            weight = strength[page]
            own = mine[page]
            v0, v1, v2, v3, v4 = (
                (b + r0 * t0) * c,
                (b + r1 * t1) * c,
                (b + r2 * t2) * c,
                (b + r3 * t3) * c,
                (b + r4 * t4) * c,
            )
            m0 += weight * abs(v0 - own[0])
            m1 += weight * abs(v1 - own[1])
            m2 += weight * abs(v2 - own[2])
            m3 += weight * abs(v3 - own[3])
            m4 += weight * abs(v4 - own[4])
            own[0] = v0
            own[1] = v1
            own[2] = v2
            own[3] = v3
            own[4] = v4
        moved[group, 0], moved[group, 1], moved[group, 2], moved[group, 3], moved[group, 4] = m0, m1, m2, m3, m4


@numba.njit(cache=True, nogil=True, parallel=True)
def scores_of_shares(
    in_offsets: np.ndarray, in_sources: np.ndarray, in_weights: np.ndarray | None, coefficient: np.ndarray,
    base: np.ndarray, rates: np.ndarray, rows: np.ndarray, y: np.ndarray, x: np.ndarray,
) -> None:  # fmt: skip
    """From what pages send, `y` (groups, pages, COLUMNS), to scores `x` (shares, pages).

    What a sender has is what it sends over its coefficient; only the others look at their in-links. `rows` (groups,
    COLUMNS) tells the row of `x` of each column, -1 for one that is idle.
    """
    for page in numba.prange(len(in_offsets) - 1):
        b = base[page]
        sends = coefficient[page]
        for group in range(len(rates)):
            if sends != 0.0:
                for column in range(COLUMNS):
                    if rows[group, column] >= 0:
                        x[rows[group, column], page] = y[group, page, column] / sends
                continue
            t0, t1, t2, t3, t4 = 0.0, 0.0, 0.0, 0.0, 0.0
            for i in range(in_offsets[page], in_offsets[page + 1]):
                row = y[group, in_sources[i]]
                w = 1.0 if in_weights is None else in_weights[i]
                t0 += w * row[0]
                t1 += w * row[1]
                t2 += w * row[2]
                t3 += w * row[3]
                t4 += w * row[4]
            if rows[group, 0] >= 0:
                x[rows[group, 0], page] = b + rates[group, 0] * t0
            if rows[group, 1] >= 0:
                x[rows[group, 1], page] = b + rates[group, 1] * t1
            if rows[group, 2] >= 0:
                x[rows[group, 2], page] = b + rates[group, 2] * t2
            if rows[group, 3] >= 0:
                x[rows[group, 3], page] = b + rates[group, 3] * t3
            if rows[group, 4] >= 0:
                x[rows[group, 4], page] = b + rates[group, 4] * t4
