"""Balls in memory: one by one, many at once, bounds of them from sketches, and estimates of their sizes by radius."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

import numba
import numpy as np

from seedrank.core.resources import require_memory
from seedrank.engines.kernels import balls, bits, hyperball, sketch
from seedrank.engines.native.loops import HASH_SEED, SMALLER, chunks, indices, ready, side_by_side
from seedrank.graph import frozen

__all__ = ["BallScratch", "at_once", "balls_by_radius", "one_by_one", "sketched", "walk_sums"]

SWEEPS = 2
"""Sweeps of many balls that go side by side where each adds to sums of its own."""
SKETCH = 128
"""Numbers (bytes) in the sketch of a ball; their standard deviation is 8.9 %."""
FIVE_SIGMA_OF_SKETCH = 192.76745395996227
"""What a gamma variable of the shape SKETCH exceeds with the probability 2.87e-7, as a normal one five sigma. Written
down, because the import of SciPy's special functions takes a fifth of a second."""

_Links = tuple[np.ndarray, np.ndarray]


def one_by_one(
    links: _Links,
    weight: np.ndarray,
    hops: int,
    ids: np.ndarray,
    scratch: tuple[int, np.ndarray, np.ndarray],
    sums: np.ndarray,
) -> int:
    """Sum each ball by a search of its own; returns the pages they hold together."""
    ready(balls.ball_weights)
    first, stamps, queues = scratch
    sizes = np.zeros(len(stamps), np.int64)
    arrays = *links, frozen(weight), indices(ids), hops, first, stamps, queues, sums, sizes
    side_by_side(len(stamps), lambda worker: balls.ball_weights(*arrays, worker))
    return int(sizes.sum())


def at_once(
    links: _Links, in_links: Callable[[], _Links], weight: np.ndarray, hops: int, ids: np.ndarray
) -> np.ndarray:
    """Sum large balls that overlap: a bit per ball, carried along links by whole words.

    Where fewer pages have worth than balls are asked for, from those pages against the links.
    """
    pages = len(weight)
    worth = np.flatnonzero(weight).astype(np.int32)
    # Of the sums the other way round each worker has its own: a fixed number of workers, whatever the threads.
    workers = SWEEPS if len(worth) < len(ids) else numba.get_num_threads()
    require_memory(workers * pages * (24 * bits.WORDS + 13), "many balls at once", SMALLER)
    rooms = [bits.scratch(pages) for _ in range(workers)]
    if len(worth) < len(ids):
        ready(bits.sums_into_sources)
        parts = np.zeros((workers, pages))
        back, ends = (*in_links(), frozen(weight)), indices(worth)

        def sum_back(worker: int) -> None:
            bits.sums_into_sources(*back, ends, hops, worker, workers, rooms[worker], parts[worker])

        side_by_side(workers, sum_back)
        return np.asarray(parts.sum(axis=0)[ids])
    ready(bits.ball_sums)
    sums = np.zeros(len(ids))
    ahead, starts = (*links, frozen(weight)), indices(ids)
    side_by_side(workers, lambda worker: bits.ball_sums(*ahead, starts, hops, worker, workers, rooms[worker], sums))
    return sums


def walk_sums(links: _Links, weight: np.ndarray, hops: int) -> np.ndarray:
    """Sums of the weight over all walks of at most `hops` links from each page."""
    ready(balls.walk_sums)
    own, cuts = frozen(weight), list(pairwise(chunks(links[0]).tolist()))
    before, after = weight.copy(), np.empty_like(weight)

    def hop(k: int) -> None:
        balls.walk_sums(*links, own, before, after, *cuts[k])

    for _ in range(hops):
        side_by_side(len(cuts), hop)
        before, after = after, before
    return before


def sketched(links: _Links, weight: np.ndarray, hops: int) -> np.ndarray:
    """At least the weight of each ball at five standard deviations; weights of 0 or more, not all 0."""
    pages, whole = len(weight), float(weight.sum())
    require_memory((2 * SKETCH + 32) * pages, "sketches of balls", SMALLER)
    ready(sketch.draw, sketch.join)
    # Numbers far above those of the heaviest balls are of no interest: the bytes go to the small ones.
    top = 2.0**30 / whole
    now, after = np.zeros((pages, SKETCH), np.uint8), np.empty((pages, SKETCH), np.uint8)
    cuts = list(pairwise(chunks(links[0]).tolist()))
    own = frozen(weight)
    side_by_side(len(cuts), lambda k: sketch.draw(own, HASH_SEED, top, now, *cuts[k]))
    filled, fills = weight > 0, np.empty(pages, np.bool_)

    def hop(k: int) -> None:
        sketch.join(*links, now, after, filled, fills, *cuts[k])

    for _ in range(hops):
        side_by_side(len(cuts), hop)
        now, after, filled, fills = after, now, fills, filled
    numbers = top * 2.0 ** (-np.arange(256) / sketch.STEPS)
    numbers[255] = 0.0  # anything smaller
    sums = np.empty(pages)
    side_by_side(len(cuts), lambda k: sketch.total(now, numbers, sums, *cuts[k]))
    with np.errstate(divide="ignore"):
        return np.minimum(FIVE_SIGMA_OF_SKETCH / sums, whole)


class BallScratch:
    """Stamps and queues of the balls, kept between calls: clearing them would cost more than a small ball."""

    def __init__(self, workers: int, pages: int) -> None:
        self.stamps = np.zeros((workers, pages), np.int32)
        self.queues = np.empty((workers, pages), np.uint32)
        self.next = 1

    def serves(self, workers: int, count: int) -> bool:
        """Whether there are rows for all workers and stamps for `count` more balls."""
        return len(self.stamps) >= workers and self.next + count < 2**31

    def take(self, workers: int, count: int) -> tuple[int, np.ndarray, np.ndarray]:
        """The first of `count` stamps never used before, and the arrays."""
        first, self.next = self.next, self.next + count
        return first, self.stamps[:workers], self.queues[:workers]


def balls_by_radius(
    links_in: tuple[np.ndarray, np.ndarray], bounds: np.ndarray, counted: np.ndarray, registers: int, seed: int
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """How many `counted` pages reach each page within 0, 1, 2 … links, estimated, until nothing changes.

    Memory: 2 · `registers` + 18 bytes a page. The arrays are reused from round to round.

    `registers` are those of a counter, a power of two: the relative standard error is 1.04 / √registers. `seed` is that
    of the hash function.

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
