"""Strong components, and hops and balls of given pages."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from functools import partial

import numpy as np

from seedrank.engines.base import Components
from seedrank.engines.native.engine import NativeEngine
from seedrank.engines.spark.block_tasks import BITS, LOWEST, NOTHING, TOTAL, lowest, reach, totals
from seedrank.engines.spark.blocks import Blocks
from seedrank.engines.spark.links import SparkLinks, per_page
from seedrank.graph import WebGraph
from seedrank.graphdb.spark import quiet

__all__ = ["AT_ONCE", "MOST_NATIVE", "ball_weights", "condensed", "harmonic", "hops", "lower", "strong"]

log = logging.getLogger(__name__)

MOST_NATIVE = 50_000_000
"""Links that are left after trimming up to which the driver finds the strong components itself, in about a gigabyte."""
TRIMS = 3
_SEED = 0x5EED


def lower(blocks: Blocks, labels: np.ndarray, alive: np.ndarray, step: int, most: int = NOTHING - 1) -> np.ndarray:
    """Labels once every page that is alive has the lowest that reaches it, plus `step` for each link on the way.

    A page that only labels above `most` would reach keeps its own.
    """
    labels = np.where(alive, labels, NOTHING)
    while True:
        found = blocks.run(partial(lowest, step=step, most=most), LOWEST, labels, labels, alive)
        after = np.where(alive, np.minimum(found.own, found.received), NOTHING)
        if np.array_equal(after, found.own):
            return after
        labels = after


def hops(blocks: Blocks, sources: np.ndarray, alive: np.ndarray, most: int) -> np.ndarray:
    """Hops from the nearest source, int32 per page, -1 where not reached within `most`."""
    labels = np.full(len(alive), NOTHING, np.int64)
    labels[sources] = 0
    found = lower(blocks, labels, alive, 1, most)
    # A source that takes no part is at hand all the same.
    found[sources] = 0
    return np.where(found <= most, found, -1).astype(np.int32)


def strong(links: SparkLinks, alive: np.ndarray, most_native: int = MOST_NATIVE) -> np.ndarray:
    """A number for the strong component of each page: that of one of its pages.

    Pages that nothing links to, or that link to nothing, are components of their own and are trimmed. What is left
    goes to the driver where it fits; else it is coloured: a page that the same page is the lowest to reach and to be
    reached from is in its component, and all of that component are found at once. Labels are drawn by lot, so that
    no order of pages makes many rounds.
    """
    label = np.arange(len(alive))
    left = alive.copy()
    for _ in range(TRIMS):
        inside = _degree(links.forward, left) > 0
        inside &= _degree(links.backward, left) > 0
        inside &= left
        if np.array_equal(inside, left):
            break
        left = inside
    rank = np.random.default_rng(_SEED).permutation(len(alive))
    page_of = np.argsort(rank)
    while left.any():
        remaining = int(_degree(links.backward, left)[left].sum())
        if remaining <= most_native:
            return _natively(links, left, label)
        log.info("colouring %d pages with %d links between them", int(left.sum()), remaining)
        reached = lower(links.forward, rank, left, 0)
        reaches = lower(links.backward, rank, left, 0)
        done = left & (reached == reaches)
        label[done] = page_of[reached[done]]
        left &= ~done
    return label


def condensed(links: SparkLinks, alive: np.ndarray, label: np.ndarray) -> Components:
    """Components numbered by their smallest page, and the arcs between them."""
    _, first, inverse = np.unique(label, return_index=True, return_inverse=True)
    number = np.empty(len(first), np.int32)
    number[np.argsort(first)] = np.arange(len(first), dtype=np.int32)
    component = number[inverse]
    arcs = np.empty((0, 2), np.int32)
    if alive.any() and len(first) > 1 and links.links:
        arcs = _arcs(links, np.where(alive, component, -1).astype(np.int64))
    return Components(component, np.bincount(component), arcs)


def _degree(blocks: Blocks, left: np.ndarray) -> np.ndarray:
    found = blocks.run(partial(totals, weighted=False), TOTAL, np.zeros(len(left)), left.astype(np.float64))
    return np.asarray(found.own + found.received)


def _natively(links: SparkLinks, left: np.ndarray, label: np.ndarray) -> np.ndarray:
    """The components of the pages that are left, found in the driver's memory."""
    inside = per_page(links.table, "stays", left).filter("stays").select("page")
    with quiet():
        table = links.table.join(inside.withColumnRenamed("page", "source"), "source")
        table = table.join(inside.withColumnRenamed("page", "target"), "target").select("source", "target")
        found = table.toArrow()
    pages = np.flatnonzero(left)
    ends = [np.searchsorted(pages, found[name].to_numpy()) for name in ("source", "target")]
    component = NativeEngine(WebGraph.from_links(len(pages), *ends)).components().component
    _, first = np.unique(component, return_index=True)
    label[pages] = pages[first[component]]
    return label


def _arcs(links: SparkLinks, component: np.ndarray) -> np.ndarray:
    """Distinct arcs of the condensation, sorted; -1 marks pages that take no part."""
    of = per_page(links.table, "component", component).filter("component >= 0")
    source, target = (of.withColumnsRenamed({"page": end, "component": f"of_{end}"}) for end in ("source", "target"))
    with quiet():
        table = links.table.select("source", "target").join(source, "source").join(target, "target")
        arcs = table.filter("of_source <> of_target").select("of_source", "of_target").distinct().toArrow()
    arcs = arcs.sort_by([("of_source", "ascending"), ("of_target", "ascending")])
    return np.column_stack([arcs[name].to_numpy() for name in arcs.column_names]).astype(np.int32)


AT_ONCE = 64


def ball_weights(blocks: Blocks, alive: np.ndarray, weight: np.ndarray, hops: int, ids: np.ndarray) -> np.ndarray:
    """Sum of `weight` over the distinct pages within `hops` of each of `ids`."""
    sums = np.empty(len(ids))
    for start in range(0, len(ids), AT_ONCE):
        some = ids[start : start + AT_ONCE]
        *_, bits = _growing(blocks, alive, some, hops)
        for k in range(len(some)):
            sums[start + k] = weight[(bits >> np.uint64(k) & np.uint64(1)).astype(bool)].sum()
    return sums


def harmonic(blocks: Blocks, alive: np.ndarray) -> np.ndarray:
    """Σ 1/distance over the pages that reach each page."""
    pages = len(alive)
    sums = np.zeros(pages)
    for start in range(0, pages, AT_ONCE):
        some = np.arange(start, min(start + AT_ONCE, pages))
        before = None
        for hop, bits in enumerate(_growing(blocks, alive, some, pages)):
            if before is not None:
                sums += np.bitwise_count(bits & ~before) / hop
            before = bits
    return sums


def _growing(blocks: Blocks, alive: np.ndarray, ids: np.ndarray, hops: int) -> Iterator[np.ndarray]:
    """Bits of the balls that each page is in, of 0, 1, … `hops` hops, until none grows."""
    bits = np.zeros(len(alive), np.uint64)
    np.bitwise_or.at(bits, ids, np.uint64(1) << np.arange(len(ids), dtype=np.uint64))
    yield bits
    for _ in range(hops):
        sent = np.where(alive, bits, np.uint64(0))
        if not sent.any():
            return
        found = blocks.run(reach, BITS, np.zeros(len(alive), np.uint64), sent)
        after = bits | np.where(alive, found.own | found.received, np.uint64(0))
        if np.array_equal(after, bits):
            return
        bits = after
        yield bits
