"""Damped walks: each block solves its own part, given what comes from the others, until nothing moves.

Let ``z = v + d·P z``, and split P into the links within blocks and those between them. A pass hands every block what
reached it from outside, the block solves its part by Gauss-Seidel and says what it sends outside. Where a block is the
whole graph one pass does it; where pages of a site are neighbours, most links stay within blocks, and far fewer passes
are needed than power iteration takes. The vector comes back to the driver after each pass, so no lineage grows: what
is lost with a worker is one block of links, which Spark reads again, and one pass.

The residual of z is what the blocks left unsolved and by how much what they sent outside changed: r = r_in + Δout. As
``‖z* - z‖ ≤ ‖r‖ / (1 - d)`` in L1, ``‖r‖ / d`` is reported, which bounds the error as the last change of power
iteration does. Links that are given as arrays are the driver's own: it adds what they carry.
"""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from functools import partial

import numpy as np

from seedrank.engines import checks
from seedrank.engines.base import LinkSet
from seedrank.engines.checks import WalkProblem
from seedrank.engines.extrapolate import CLOSE, Extrapolation
from seedrank.engines.spark.block_tasks import TOTAL, solve
from seedrank.engines.spark.blocks import Blocks

__all__ = ["Solver"]

log = logging.getLogger(__name__)

INNER = 0.1
"""A block is solved until it is this share of the last residual from rest: what comes from outside is no better."""


@dataclass(frozen=True)
class Solver:
    """Solves ``z = v + damping·P z`` for the links of some sets."""

    blocks: Blocks
    """The graph's own links."""
    stays: np.ndarray
    """Boolean per page: the others take no part."""
    strength: np.ndarray
    """Per page: what its own links weigh together."""
    walk: WalkProblem
    """Its sets, its damping, and how many passes over the links it may take."""

    @property
    def sends(self) -> np.ndarray:
        """Boolean per page: whether it sends over any link, of any set."""
        found = np.zeros(len(self.strength), bool)
        for one in self.walk.sets:
            found |= self.strength > 0 if one.links is None else _strength(one, len(found)) > 0
        return found

    def __call__(self, v: np.ndarray, tolerance: float, of_sum: bool) -> tuple[np.ndarray, int, float]:
        """The solution, the passes it took, and its residual over damping.

        With `of_sum` the tolerance is a share of the sum of the solution.
        """
        coefficient = self._coefficients()
        damping, most = self.walk.damping, self.walk.most_steps
        faster = Extrapolation() if damping > CLOSE else None
        of_sum = of_sum and checks.most_sent(self.walk.sets) <= checks.MOST_KEPT
        given = [_Given(one, len(v)) for one in self.walk.sets if one.links is not None]
        z, outside, residual = v.copy(), np.zeros(len(v)), 1.0
        steps, far = 0, np.inf
        blocks = self.blocks if coefficient.any() else None
        allowed = tolerance
        while steps < most and far > allowed:
            started = time.perf_counter()
            steps += 1
            base = v + outside
            if blocks is None:
                z, after, unsolved = base, np.zeros(len(v)), 0.0
            else:
                inner = damping * allowed / 2 if blocks.count == 1 else INNER * residual
                step = partial(solve, damping=damping, tolerance=inner / blocks.count)
                found = blocks.run(step, TOTAL, base, z, base, coefficient)
                # A page that is left out takes part in nothing: what its block thinks it received is dropped.
                z = np.where(self.stays, found.own, base)
                after, unsolved = np.where(self.stays, found.received, 0.0), found.moved
            for one in given:
                after = after + damping * one.carry(z)
            residual = unsolved + float(np.abs(after - outside).sum())
            outside, far = after, residual / damping
            allowed = tolerance * (float(z.sum()) if of_sum else 1.0)
            better = None
            if faster and far > allowed and steps < most:
                better = faster.after(np.concatenate([z, outside]), residual)
            if better is not None:
                z, outside = np.maximum(better[: len(v)], v), np.maximum(better[len(v) :], 0.0)
            log.info("pass %d: residual %.2g, %.1f s", steps, far, time.perf_counter() - started)
        return z, steps, far

    def _coefficients(self) -> np.ndarray:
        """What share of its score a page sends per unit of weight of its own links."""
        total = np.zeros(len(self.strength))
        for one in self.walk.sets:
            if one.links is None:
                total += one.share if one.factor is None else one.share * one.factor
        sends = self.strength > 0
        return np.divide(total, self.strength, out=np.zeros_like(total), where=sends)


class _Given:
    """Links given as arrays, in the driver."""

    def __init__(self, one: LinkSet, pages: int) -> None:
        assert one.links is not None
        self.source, self.target, weight = one.links
        factor = one.share if one.factor is None else one.share * one.factor
        strength = _strength(one, pages)
        per_weight = np.divide(factor, strength, out=np.zeros(pages), where=strength > 0)
        self.weight = weight * per_weight[self.source]
        self.pages = pages

    def carry(self, x: np.ndarray) -> np.ndarray:
        """What each page receives."""
        return np.bincount(self.target, self.weight * x[self.source], minlength=self.pages)


def _strength(one: LinkSet, pages: int) -> np.ndarray:
    assert one.links is not None
    return np.bincount(one.links[0], one.links[2], minlength=pages)
