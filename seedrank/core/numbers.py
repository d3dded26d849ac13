"""Numbers: the ranges of those in a question (what is outside is refused before any work is done), and in words."""

from __future__ import annotations

import math

from seedrank.core.errors import UsageError, shorten

__all__ = ["MOST_POWER", "MOST_TIMES", "MOST_WORTH", "RNG_MOST", "counted", "finite", "whole"]

MOST_TIMES = 10_000
"""Times that the same is done again (draws, iterations, resamples): more change no digit and take days."""

MOST_WORTH = 1e15
"""Size of a worth or impact: sums of larger ones lose whole units."""

MOST_POWER = 16.0
"""Largest power of a degree: beyond it only the largest degree counts, and its power overflows."""

RNG_MOST = 2**63 - 1
"""Largest number of a random sequence: what 64 bits with a sign hold."""


def whole(name: str, value: int, least: int, most: int | None = None) -> None:
    """Refuse a count below `least` or above `most`."""
    if value < least:
        raise UsageError(f"{name} must be at least {least}, not {shorten(value)}")
    if most is not None and value > most:
        raise UsageError(f"{name} must be at most {most:,}, not {shorten(value)}")


def finite(name: str, value: float, least: float, most: float) -> None:
    """Refuse a number that is below `least`, above `most`, or none."""
    if not (math.isfinite(value) and least <= value <= most):
        raise UsageError(f"{name} must be from {least:g} to {most:g}, not {shorten(value)}")


def counted(number: int, one: str, many: str | None = None) -> str:
    """A number with its noun: ``1 seed``, ``2,000 seeds``."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
