"""Balls of given pages, 64 at a time: a bit per ball, carried along links."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from seedrank.engines.spark.block_tasks import BITS, reach
from seedrank.engines.spark.blocks import Blocks

__all__ = ["AT_ONCE", "ball_weights", "harmonic"]

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
