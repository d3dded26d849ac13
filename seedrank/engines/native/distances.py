"""Distances between pages in memory: HyperBall, round by round."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from seedrank.engines.kernels import hyperball

__all__ = ["balls_by_radius"]


def balls_by_radius(
    links_in: tuple[np.ndarray, np.ndarray], bounds: np.ndarray, counted: np.ndarray, registers: int, seed: int
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """How many `counted` pages reach each page within 0, 1, 2 … links, estimated, until nothing changes.

    Memory: 2 · `registers` + 18 bytes a page. The arrays are reused from round to round.

    Parameters
    ----------
    links_in
        Offsets and sources of the in-links.
    bounds
        Of the chunks that threads take.
    counted
        Boolean per page.
    registers
        Of a counter, a power of two; the relative standard error is 1.04 / √registers.
    seed
        Of the hash function.

    Yields
    ------
    sizes, harmonic
        float64 per page: the estimate, and Σ 1/distance so far.
    """
    pages = len(counted)
    now, after = np.zeros((pages, registers), np.uint8), np.empty((pages, registers), np.uint8)
    changed, changes = np.ones(pages, np.bool_), np.empty(pages, np.bool_)
    hyperball.start(now, counted, seed)
    sizes, sums, powers = counted.astype(np.float64), np.zeros(pages), 0.5 ** np.arange(65)
    moved = np.empty(len(bounds) - 1, np.int64)
    yield sizes, sums
    for hop in range(1, pages):
        hyperball.grow(*links_in, now, after, changed, changes, powers, sizes, sums, hop, bounds, moved)
        now, after, changed, changes = after, now, changes, changed
        if not moved.any():
            return
        yield sizes, sums
