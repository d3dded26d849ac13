"""What an order is to the simulator: a rule by which links change keys, or a function that scores what is known."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from seedrank.engines.kernels import push as kernel
from seedrank.graph import WebGraph, frozen

__all__ = ["UNSCORED", "BatchScoring", "Known", "Policy", "frozen_as", "gifts_summed", "links_of", "tiny"]

UNSCORED = float(np.finfo(np.float64).min)
"""Key of a page that waits until an order of the user's is asked about it: below every score."""
SEEDS_AT_ONCE = 256
"""Seeds that are added to, on average, for a page that hands nothing on; up to this many are added to at once."""


def gifts_summed(seeds: int) -> int:
    """Gifts to seeds that are summed before they are written into the keys of all (`push_again`)."""
    return -(-seeds // SEEDS_AT_ONCE)


@dataclass(frozen=True)
class Known:
    """What a crawler knows between two batches."""

    graph: WebGraph
    """The recorded graph; links of pages that are not fetched yet are not known."""
    seeds: np.ndarray
    """Where the crawl began, uint32."""
    fetched: np.ndarray
    """Pages whose links are known, in the order of the fetches, uint32."""
    discovered: np.ndarray
    """Pages seen and not fetched, by discovery, uint32."""
    fetching: np.ndarray
    """Pages whose fetch has not ended, uint32; none but in polite crawls."""


@dataclass(frozen=True)
class BatchScoring:
    """An order that ranks the discovered pages, fetches the best of them, and ranks again."""

    score: Callable[[Known], np.ndarray | None]
    """float64 for each page of `Known.discovered`, or `None` when enough is fetched. Pages discovered between two
    batches wait with key 0 (by discovery), or with what the rule of the policy gives them."""
    every: Callable[[Known], int]
    """Pages to fetch until the next batch."""
    mass: Callable[[], float] | None = None
    """RankMass that is proved so far, where the method proves one."""


@dataclass(frozen=True)
class Policy:
    """An order of a crawl."""

    name: str
    """As on the command line, with its parameters, such as ``fpr@20``."""
    kind: int = kernel.NOTHING
    """What a link does to the key of its target (`seedrank.engines.kernels.push`); by default nothing."""
    start: np.ndarray | None = None
    """Key of each seed at the start, float64; 0 when `None`."""
    damping: float = 1.0
    inter_weight: float = 1.0
    """d and M of a push."""
    again: bool = False
    """Fetched pages receive, and are pushed again without a fetch."""
    revisits: int = 0
    """Revisits that a fetch pays for on average; any number when 0."""
    fixed: np.ndarray = field(default_factory=lambda: np.empty(0))
    """float64 per page: fixed keys, or steps from a page to those it discovers."""
    lowest: float = -math.inf
    """Pages with a lower key are not discovered."""
    epsilon: float | None = None
    """Stop when the mass pushed reaches 1 - epsilon; never when `None`."""
    by_size: bool = False
    """Sites with the most waiting pages first."""
    sites: np.ndarray | None = None
    """Site per page that the rule compares (-1 differs from everything); those of ``--site`` when `None`."""
    batch: BatchScoring | None = None
    """Score in batches."""
    proves: bool = False
    """The mass pushed is a lower bound of RankMass."""


def tiny() -> WebGraph:
    """A graph of one page, to compile kernels with before anything is timed."""
    return WebGraph.from_links(1, np.empty(0), np.empty(0))


def links_of(
    graph: WebGraph,
    *,
    site: np.ndarray | None = None,
    capped: np.ndarray | None = None,
    sizes: np.ndarray | None = None,
) -> kernel.Links:
    """The recorded graph as the kernels take it, with its weights; nothing is copied."""
    return kernel.Links(
        offsets=frozen_as(graph.out_offsets, np.int64),
        targets=frozen_as(np.asarray(graph.out_targets).view(np.uint32), np.uint32),
        weights=frozen_as(np.empty(0, np.float32) if graph.weights is None else graph.weights, np.float32),
        status=frozen_as(graph.status, np.int8),
        site=frozen_as(np.empty(0, np.int32) if site is None else site, np.int32),
        capped=frozen_as(np.empty(0, np.int32) if capped is None else capped, np.int32),
        sizes=frozen_as(np.empty(0, np.float32) if sizes is None else sizes, np.float32),
    )


def frozen_as(array: np.ndarray, dtype: type) -> np.ndarray:
    """The array as kernels take it: of one type, and read-only."""
    return frozen(np.ascontiguousarray(np.asarray(array), dtype))
