"""What a task does with one block of links: the functions that Spark's Python workers call.

A block is the links that leave the pages ``first … first + count - 1``: those that stay within the block, by receiver,
and those that leave it, by receiver too, so that what is sent to a page of another block is summed before it is sent.
Each step takes vectors with a value for each page of the block and gives what its pages have afterwards, what goes to
each page outside, and how far the block is from rest.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from seedrank.engines.kernels import link_block

__all__ = ["BITS", "LOWEST", "NOTHING", "TOTAL", "Block", "Step", "Way", "lowest", "reach", "solve", "totals"]

NOTHING = 1 << 62
"""A label that no page has."""
MOST_SWEEPS = 1_000


@dataclass(frozen=True)
class Way:
    """How values that reach a page from several blocks become one."""

    kind: str
    """NumPy's name of the type; 8 bytes a value."""
    rest: float
    """What a page that nothing reaches gets."""
    join: Callable[[np.ndarray, np.ndarray], np.ndarray]

    def empty(self, count: int) -> np.ndarray:
        """The values of pages that nothing has reached."""
        return np.full(count, self.rest, self.kind)


TOTAL = Way("float64", 0.0, np.add)
BITS = Way("uint64", 0, np.bitwise_or)
LOWEST = Way("int64", NOTHING, np.minimum)


@dataclass(frozen=True)
class Block:
    """Links that leave a range of pages, as the kernels take them; page numbers within count from `first`."""

    first: int
    offsets: np.ndarray
    senders: np.ndarray
    weights: np.ndarray | None
    out_ids: np.ndarray
    """int64, ascending: pages outside that links lead to."""
    out_offsets: np.ndarray
    out_senders: np.ndarray
    out_weights: np.ndarray | None

    @property
    def count(self) -> int:
        """Pages of the block."""
        return len(self.offsets) - 1


Step = Callable[..., tuple[np.ndarray, np.ndarray, float]]
"""``step(block, *vectors, **numbers)``: own values, values for `Block.out_ids`, distance from rest."""


def totals(block: Block, x: np.ndarray, *, weighted: bool) -> tuple[np.ndarray, np.ndarray, float]:
    """Per receiver the sum over its senders, by weight where links have one."""
    weights, out_weights = (block.weights, block.out_weights) if weighted else (None, None)
    own, out = np.empty(block.count), np.empty(len(block.out_ids))
    link_block.gather_sums(block.offsets, block.senders, weights, x, own)
    link_block.gather_sums(block.out_offsets, block.out_senders, out_weights, x, out)
    return own, out, 0.0


def reach(block: Block, bits: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """Per receiver the bits of any of its senders."""
    own, out = np.empty(block.count, np.uint64), np.empty(len(block.out_ids), np.uint64)
    link_block.gather_bits(block.offsets, block.senders, bits, own)
    link_block.gather_bits(block.out_offsets, block.out_senders, bits, out)
    return own, out, 0.0


def lowest(
    block: Block, labels: np.ndarray, alive: np.ndarray, *, step: int, most: int = NOTHING - 1
) -> tuple[np.ndarray, np.ndarray, float]:
    """Labels as they are once they have gone round the block, and the lowest that reaches each page outside.

    None above `most` is handed on.
    """
    own, out = labels.copy(), np.empty(len(block.out_ids), np.int64)
    link_block.lower(block.offsets, block.senders, alive, step, most, own)
    link_block.gather_least(block.out_offsets, block.out_senders, own, step, most, NOTHING, out)
    return own, out, 0.0


def solve(
    block: Block, x: np.ndarray, base: np.ndarray, coefficient: np.ndarray, *, damping: float, tolerance: float
) -> tuple[np.ndarray, np.ndarray, float]:
    """The walk within the block, given what comes from outside, and what it sends outside."""
    own, sent, out = x.copy(), np.empty(block.count), np.empty(len(block.out_ids))
    residual = link_block.relax(
        block.offsets, block.senders, block.weights, coefficient, base, damping, tolerance, MOST_SWEEPS, own, sent
    )
    link_block.gather_sums(block.out_offsets, block.out_senders, block.out_weights, sent, out)
    out *= damping
    return own, out, float(residual)
