"""The tie rule: scores that agree in ten significant digits are equal, and the smaller page id goes first."""

from __future__ import annotations

import numpy as np

__all__ = ["DIGITS", "order", "rounded"]

DIGITS = 10
"""Significant decimal digits that count; summation order decides the rest."""
_PIECE = 1 << 18
"""Scores that are rounded at a time: ten arrays of them on the way, which stay in the cache."""


def rounded(scores: np.ndarray) -> np.ndarray:
    """Scores to `DIGITS` significant digits: float64, equal exactly where they tie. Takes 8 bytes a score."""
    result = np.array(scores, np.float64, order="C")
    flat = result.reshape(-1)
    for first in range(0, len(flat), _PIECE):
        _round(flat[first : first + _PIECE])
    return result


def order(scores: np.ndarray) -> np.ndarray:
    """Page ids, int64, best (largest score) first; ties by smaller id, NaN last."""
    keys = rounded(scores)
    return np.argsort(np.negative(keys, out=keys), kind="stable")


def _round(values: np.ndarray) -> None:
    """Round in place."""
    proper = np.isfinite(values) & (values != 0)
    some = values[proper]
    shift = DIGITS - 1 - np.floor(np.log10(np.abs(some))).astype(np.int64)
    digits = np.rint(_times_ten_to(shift, some))
    # 999.99999999999 rounds up to the digits of 1000: written like 1000 itself, or the two would not be equal.
    up = np.abs(digits) == 10.0**DIGITS
    digits[up] /= 10
    shift[up] -= 1
    values[proper] = _times_ten_to(-shift, digits)


def _times_ten_to(power: np.ndarray, values: np.ndarray) -> np.ndarray:
    """In two steps: ten to the whole power overflows for the smallest numbers."""
    half = power // 2
    with np.errstate(over="ignore", under="ignore"):
        return np.asarray(values * 10.0**half * 10.0 ** (power - half))
