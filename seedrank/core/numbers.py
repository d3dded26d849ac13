"""Numbers: the ranges of those in a question (what is outside is refused before any work is done), and their text."""

from __future__ import annotations

import math

from seedrank.core.errors import UsageError, shorten

__all__ = [
    "MOST_POWER",
    "MOST_TIMES",
    "MOST_WORTH",
    "RNG_MOST",
    "counted",
    "finite",
    "show_duration",
    "show_interval",
    "show_number",
    "show_rounded",
    "whole",
]

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


def show_number(value: float) -> str:
    """A value of a table: whole numbers with separators, others to four digits; ``none`` for NaN."""
    if math.isnan(value):
        return "none"
    if math.isfinite(value) and value == round(value) and abs(value) < 1e15:
        return f"{int(value):,}"
    return f"{value:,.2f}" if 1000 <= abs(value) < 1e15 else f"{value:.4g}"


def show_rounded(value: float) -> str:
    """A value where room is short: three digits, whole thousands in full."""
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value + 0.0:.3g}"


def show_interval(value: float, low: float | None, high: float | None, digits: int = 4) -> str:
    """An estimate, and its interval where there is one: ``0.5 [0.4, 0.6]``."""
    if low is None or high is None or math.isnan(low) or math.isnan(high):
        return f"{value:.{digits}g}"
    return f"{value:.{digits}g} [{low:.{digits}g}, {high:.{digits}g}]"


def show_duration(seconds: float) -> str:
    """About how long: ``80 s``, ``5 min``, ``2.5 h``."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5_400 else f"{seconds / 3600:.1f} h"
