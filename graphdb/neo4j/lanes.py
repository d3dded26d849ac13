"""Links in lanes that several sessions write at the same time and that never lock the same page.

A link that is written locks both of its pages until the transaction ends. Pages are dealt into twice as many classes
as there are lanes; in a round each lane has two classes to itself, and writes the links between them. After as many
rounds as it takes for every two classes to meet (one less than there are classes), all links are written; no two
transactions ever wait for each other, so none can be deadlocked.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pyarrow as pa

__all__ = ["LANES", "NAMES", "rounds", "run"]

LANES = 2
"""Sessions that write links at the same time: one for each core of the machine it was tried on; more were not tried."""
NAMES = tuple(f"turn {number}" for number in range(LANES))
"""Whose turn a lane's transactions take."""
_BLOCK = 1_024
"""Pages of neighbouring ids that are of one class: a page links to its neighbours most, and its links stay together."""


def rounds(links: pa.Table, lanes: int = LANES) -> Iterator[list[pa.Table]]:
    """`links` (``source target`` and more) in rounds, a table for each lane; rows keep their order."""
    classes = 2 * lanes
    source, target = (links[name].to_numpy() // _BLOCK % classes for name in ("source", "target"))
    place = _place(classes)[source, target]
    for number in range(classes - 1):
        yield [links.take(np.flatnonzero(place == number * lanes + lane)) for lane in range(lanes)]


def _place(classes: int) -> np.ndarray:
    """For two classes the place of their links: round times lanes, plus lane. By the circle method of tournaments."""
    lanes = classes // 2
    place = np.empty((classes, classes), np.int64)
    for number in range(classes - 1):
        circle = [0, *(1 + (number + step) % (classes - 1) for step in range(classes - 1))]
        for lane in range(lanes):
            one, other = circle[lane], circle[classes - 1 - lane]
            place[one, other] = place[other, one] = number * lanes + lane
            if number == 0:  # links within a class go with the first it meets
                place[one, one] = place[other, other] = lane
    return place


def run(work: Sequence[Callable[[Callable[[], bool]], None]]) -> None:
    """Do all of `work` at the same time, each given a function that says whether to stop; raise the first failure.

    What has begun is ended before this returns, also after Ctrl-C: a piece of work looks at that function between two
    transactions.
    """
    stop = threading.Event()

    def one(piece: Callable[[Callable[[], bool]], None]) -> None:
        try:
            piece(stop.is_set)
        except BaseException:
            stop.set()
            raise

    with ThreadPoolExecutor(len(work)) as pool:
        try:
            for done in [pool.submit(one, piece) for piece in work]:
                done.result()
        finally:
            stop.set()
