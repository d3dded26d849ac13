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
"""Sessions that write links at the same time: four were no faster on two cores (`python -m benchmarks.load neo4j`)."""
NAMES = tuple(f"turn {number}" for number in range(LANES))
"""Whose turn a lane's transactions take."""
_BLOCK = 1_024
"""Pages of neighbouring ids that are of one class: a page links to its neighbours most, and its links stay together."""
_PARTS = 16
"""Parts into which the links within a class are cut, to go into the rounds."""


def rounds(links: pa.Table, lanes: int = LANES) -> Iterator[list[pa.Table]]:
    """`links` (``source target`` and more) in rounds, a table for each lane; rows keep their order."""
    classes = 2 * lanes
    source, target = (links[name].to_numpy() // _BLOCK % classes for name in ("source", "target"))
    meetings = _meetings(classes)
    place = meetings[source, target]
    within = [np.flatnonzero((source == one) & (target == one)) for one in range(classes)]
    parts = _evened([len(rows) for rows in within], meetings, np.bincount(place[place >= 0], minlength=place.max() + 1))
    for rows, places in zip(within, parts, strict=True):
        place[rows] = np.repeat(places, [len(part) for part in np.array_split(rows, _PARTS)])
    for number in range(classes - 1):
        yield [links.take(np.flatnonzero(place == number * lanes + lane)) for lane in range(lanes)]


def _meetings(classes: int) -> np.ndarray:
    """For two classes the place of their links: round times lanes, plus lane. By the circle method of tournaments.

    Links within a class, -1, may go into any round: each class is in all of them.
    """
    lanes = classes // 2
    place = np.full((classes, classes), -1, np.int64)
    for number in range(classes - 1):
        circle = [0, *(1 + (number + step) % (classes - 1) for step in range(classes - 1))]
        for lane in range(lanes):
            one, other = circle[lane], circle[classes - 1 - lane]
            place[one, other] = place[other, one] = number * lanes + lane
    return place


def _evened(within: Sequence[int], meetings: np.ndarray, loads: np.ndarray) -> np.ndarray:
    """Places for `_PARTS` parts of the links within each class, so that the lanes of a round end at the same time.

    Each part goes where its lane is behind the other lanes of the round by the most; a second look mends what the
    first could not know.
    """
    classes = len(within)
    lanes = classes // 2
    load = np.zeros((classes - 1) * lanes)
    load[: len(loads)] = loads
    places = np.full((classes, _PARTS), -1, np.int64)
    for part, one in [*np.ndindex(_PARTS, classes)] * 2:
        size = within[one] / _PARTS
        if places[one, part] >= 0:
            load[places[one, part]] -= size
        open_to = np.delete(meetings[one], one)
        behind = load[open_to] - load.reshape(-1, lanes).mean(axis=1)[open_to // lanes]
        places[one, part] = best = open_to[np.argmin(behind)]
        load[best] += size
    return places


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
