"""Time for a search of several rounds: how much is left for this one, where each round after it has its own."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["Clock"]

_SKETCHES = 40
"""A sketch of every ball takes as long as so many bounds by walks (25 to 40, measured)."""


class Clock:
    """Seconds that are left, and what the parts of a search took when they last ran.

    Parameters
    ----------
    limit
        Seconds for all rounds; no limit when `None`.
    """

    def __init__(self, limit: float | None) -> None:
        self.limited = limit is not None
        self._end = math.inf if limit is None else time.monotonic() + limit
        self.rounds = 1
        """Rounds that are left, this one included."""
        self._bound = self._ball = self._least = 0.0
        self._swept = False

    @property
    def left(self) -> float:
        """Seconds left for this round, when each round after it bounds every ball twice and sums a few."""
        return self._end - time.monotonic() - (self.rounds - 1) * (2 * self._bound + self._least)

    @property
    def over(self) -> bool:
        """Whether all the time is gone."""
        return time.monotonic() >= self._end

    def allows_a_sketch(self) -> bool:
        """Whether a sketch of every ball fits into the time left."""
        return not self.limited or _SKETCHES * self._bound < self.left

    def balls(self, wanted: int, least: int) -> int:
        """How many of `wanted` balls fit into the time left, `least` at least."""
        if not self.limited or not self._ball:
            return wanted
        return max(least, min(wanted, int(self.left / self._ball)))

    @contextmanager
    def bounding(self) -> Iterator[None]:
        """Take the time of a bound of every ball."""
        started = time.monotonic()
        yield
        self._bound = time.monotonic() - started

    @contextmanager
    def summing(self, balls: int, least: int) -> Iterator[None]:
        """Take the time of so many balls; those of a round that has no time for more are `least`."""
        started = time.monotonic()
        yield
        seconds = time.monotonic() - started
        if balls and (balls >= least or not self._swept):  # few balls take longer, each, than many at once
            self._swept = balls >= least
            self._ball = seconds / balls
            self._least = self._ball * least
