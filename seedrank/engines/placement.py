"""Where each primitive runs under ``auto`` on a Neo4j with GDS, and why.

Work on given pages, and passes over all links, stay in the database: the links need not be read. Work over all pairs or
all balls is many times as fast in memory. The graph is read into memory when the first of these is asked for, so a run
that needs none of them never reads the links.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Unpack

import numpy as np

from seedrank.engines.base import LinkSet, WalkOptions
from seedrank.engines.extrapolate import CLOSE

__all__ = ["FEW_BALLS", "PLACES", "Limit", "Place"]

FEW_BALLS = 100
"""Balls of given pages up to which ``auto`` leaves them to the database."""


@dataclass(frozen=True)
class Limit:
    """Calls of a primitive that run in memory although the others run in the database."""

    text: str
    """Which calls, for people."""
    over: Callable[..., bool]
    """Whether a call is one of them; takes the arguments of the primitive."""


@dataclass(frozen=True)
class Place:
    """Where a primitive runs."""

    title: str
    """Of the primitive, in the log."""
    where: Literal["gds", "native"]
    """``gds`` or ``native``."""
    why: str
    limit: Limit | None = None
    """Calls that run ``native`` all the same; none when `None`."""
    weighted: str = ""
    """Why it runs ``native`` where links have weights; where the others run when empty."""

    def of(self, *arguments: object, **options: object) -> Literal["gds", "native"]:
        """Where a call with these arguments runs."""
        return "native" if self.limit is not None and self.limit.over(*arguments, **options) else self.where


def _many_balls(weight: np.ndarray, hops: int, pages: np.ndarray | None = None) -> bool:
    return pages is None or len(pages) > FEW_BALLS


def _close_to_1(link_sets: Sequence[LinkSet] = (), **options: Unpack[WalkOptions]) -> bool:
    return options.get("damping", 0.0) > CLOSE


PLACES: Mapping[str, Place] = {
    "degrees": Place("degrees", "gds", "one pass over the projected links"),
    "links_into": Place("links into pages", "native", "asked once per round of a selection"),
    "walk": Place(
        "walk",
        "gds",
        "each iteration is one pass over the projected links",
        Limit(f"damping above {CLOSE}: the database would take thousands of iterations", _close_to_1),
    ),
    "walk_shares": Place("walks", "native", "all walks are computed in one go, for the cost of a few"),
    "hits": Place(
        "hits",
        "gds",
        "each iteration is one pass over the projected links",
        weighted="GDS's HITS knows no weights, and two passes of Cypher over all links an iteration take far longer",
    ),
    "components": Place("components", "gds", "one pass over the projected links"),
    "bfs_hops": Place("hops", "gds", "expands from given pages"),
    "ball_weight": Place(
        "ball weights",
        "gds",
        "expands from given pages",
        Limit(f"balls of all pages, or of more than {FEW_BALLS}: the database would take hours", _many_balls),
    ),
    "walk_bound": Place("walk bound", "native", "bounds the balls of all pages"),
    "ball_bound": Place("ball bound", "native", "sketches the balls of all pages"),
    "cocitation": Place("co-citation", "native", "counts over all pairs of pages"),
    "harmonic": Place("harmonic", "native", "measures the balls of all pages"),
}
"""By the name of the primitive in `seedrank.engines.base.Engine`."""
