"""Numbers: the ranges of those in a question, how people write them, and how they are shown to people."""

from __future__ import annotations

import math
import numbers
import re

from seedrank.core.errors import UsageError, shorten

__all__ = [
    "MOST_POWER",
    "MOST_TIMES",
    "MOST_WORTH",
    "RNG_MOST",
    "counted",
    "finite",
    "parse_size",
    "share_of",
    "show_duration",
    "show_interval",
    "show_number",
    "show_rounded",
    "show_size",
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


_SIZE = re.compile(r"(\d{1,19})(?:\.(\d{1,6}))?\s*(?:([KMGT])(?:i?B)?|B)?", re.IGNORECASE | re.ASCII)
_FACTOR = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def whole(name: str, value: int, least: int, most: int | None = None) -> None:
    """Refuse a count below `least` or above `most`, and what is no whole number."""
    if not isinstance(value, numbers.Integral):
        raise UsageError(f"{name} must be a whole number, not {shorten(value)}")
    if value < least:
        raise UsageError(f"{name} must be at least {least}, not {shorten(value)}")
    if most is not None and value > most:
        raise UsageError(f"{name} must be at most {most:,}, not {shorten(value)}")


def finite(name: str, value: float, least: float, most: float) -> None:
    """Refuse a number that is below `least`, above `most`, or none."""
    if not (isinstance(value, numbers.Real) and math.isfinite(value) and least <= value <= most):
        raise UsageError(f"{name} must be from {least:g} to {most:g}, not {shorten(value)}")


def counted(number: int, one: str, many: str | None = None) -> str:
    """A number with its noun: ``1 seed``, ``2,000 seeds``."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def show_number(value: float, digits: int = 4) -> str:
    """A value of a table: whole numbers with separators, others to so many digits; ``none`` for NaN."""
    if math.isnan(value):
        return "none"
    if math.isfinite(value) and value == round(value) and abs(value) < 1e15:
        return f"{int(value):,}"
    return f"{value:,.2f}" if 1000 <= abs(value) < 1e15 else f"{value:.{digits}g}"


def show_rounded(value: float) -> str:
    """A value where room is short: three digits, whole thousands in full."""
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value + 0.0:.3g}"


def show_interval(
    value: float, low: float | None, high: float | None, digits: int = 4, *, short: bool = False, unit: str = ""
) -> str:
    """An estimate, its unit, and its interval where there is one: ``0.5 [0.4, 0.6]``; as `show_rounded` if `short`."""

    def show(number: float) -> str:
        return show_rounded(number) if short else f"{number:.{digits}g}"

    found = f"{show(value)} {unit}".rstrip()
    if low is None or high is None or math.isnan(low) or math.isnan(high):
        return found
    return f"{found} [{show(low)}, {show(high)}]"


def show_duration(seconds: float) -> str:
    """About how long: ``80 s``, ``5 min``, ``2.5 h``."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5_400 else f"{seconds / 3600:.1f} h"


def parse_size(text: int | str, name: str) -> int:
    """Bytes of a size such as ``512M``, ``1G``, ``1.5GiB`` or a plain number of bytes.

    Parameters
    ----------
    text
        The size; all units are powers of 1,024.
    name
        What it is the size of, for the error.
    """
    if isinstance(text, int):
        return text
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise UsageError(
            f"{name}: {shorten(text)} is not a size", hint="write bytes or a unit, such as 512M, 1G or 1GiB"
        )
    whole, part, unit = match.groups()
    factor = _FACTOR[(unit or "").upper()]
    return int(whole) * factor + int(float(f"0.{part or 0}") * factor)


def show_size(size: int) -> str:
    """A size for people: ``256 MiB``."""
    for unit, factor in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if size >= factor:
            number = size / factor
            return f"{number:.3g} {unit}" if number < 999.5 else f"{number:.0f} {unit}"
    return f"{size} bytes"


def share_of(text: str) -> float:
    """A share written like ``35%`` or ``0.35``."""
    try:
        return float(text.removesuffix("%")) / 100 if text.endswith("%") else float(text)
    except ValueError:
        raise UsageError(f"{text!r} is not a share", hint="write it like 5%") from None
