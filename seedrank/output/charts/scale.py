"""From values to places on an axis, and the ticks along it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

__all__ = ["SMALLEST", "Scale", "scale"]

SMALLEST = 1e-300
"""What a logarithmic axis takes for nothing."""
_MOST_COUNTED = 15


@dataclass(frozen=True)
class Scale:
    """An axis: values `low` to `high` lie along 0 to 1."""

    low: float
    high: float
    """Ends of the axis; both positive on a logarithmic one."""
    log: bool
    """Whether it is logarithmic."""
    ticks: tuple[float, ...]
    """Values with a tick, ascending."""
    labels: tuple[str, ...]
    """Their texts."""

    def place(self, values: np.ndarray) -> np.ndarray:
        """Where values lie, 0 to 1; NaN for those the axis cannot hold."""
        values = np.asarray(values, np.float64)
        shown = np.where(np.isfinite(values) & ((values > SMALLEST) | (not self.log)), values, np.nan)
        low, high = self._ends
        return ((np.log10(shown) if self.log else shown) - low) / (high - low)

    def value(self, places: np.ndarray) -> np.ndarray:
        """The values at places, 0 to 1: the other way round."""
        low, high = self._ends
        along = low + np.asarray(places, np.float64) * (high - low)
        return 10.0**along if self.log else along

    @property
    def _ends(self) -> tuple[float, float]:
        return (math.log10(self.low), math.log10(self.high)) if self.log else (self.low, self.high)


def scale(values: np.ndarray, *, log: bool = False, zero: bool = False, count: bool = False, wanted: int = 6) -> Scale:
    """An axis that holds all values.

    Parameters
    ----------
    values
        Any; NaN, infinities and, on a logarithmic axis, values that are not positive do not count.
    log
        Logarithmic.
    zero
        Begin (or end) at 0: for bars.
    count
        A few whole numbers, such as k = 1 to 10, get a tick each: for what is stepped through.
    wanted
        About so many ticks. Default 6.
    """
    values = np.asarray(values, np.float64)
    values = values[np.isfinite(values)]
    if log:
        return _log_scale(values[values > SMALLEST], wanted)
    if not len(values):
        values = np.array([0.0, 1.0])
    low, high = float(values.min()), float(values.max())
    whole = bool((values == np.round(values)).all())
    if count and whole and 0 < high - low <= _MOST_COUNTED:
        ticks = tuple(float(tick) for tick in range(int(low), int(high) + 1))
        return Scale(low, high, False, ticks, _labels(ticks, 1.0))
    if zero or (0 < low < 0.4 * high):
        low, high = min(low, 0.0), max(high, 0.0)
    if not high - low > 1e-12 * max(abs(low), abs(high)):
        pad = abs(low) * 0.1 or 1.0
        low, high = low - pad, high + pad
    step = _step((high - low) / wanted)
    if whole:
        step = max(step, 1.0)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    # The axis ends at a tick where that costs little room.
    if (high / step - last) > 0.35:
        last += 1
    if (first - low / step) > 0.35:
        first -= 1
    ticks = tuple(float(f"{place * step:.15g}") for place in range(first, last + 1))
    return Scale(min(low, ticks[0]), max(high, ticks[-1]), False, ticks, _labels(ticks, step))


def _log_scale(values: np.ndarray, wanted: int) -> Scale:
    if not len(values):
        values = np.array([1.0, 10.0])
    low, high = math.log10(float(values.min())), math.log10(float(values.max()))
    first, last = math.floor(low + 1e-9), math.ceil(high - 1e-9)
    marks = [float(f"{m}e{power}") for power in range(first, last + 1) for m in (1, 2, 5)]
    # The axis ends at 1, 2 or 5 times a power of ten.
    begin = max((m for m in marks if math.log10(m) <= low + 1e-9), default=marks[0])
    end = next(m for m in marks if math.log10(m) >= high - 1e-9 and m > begin) if low < high else 10 * begin
    if math.log10(end / begin) <= 2:
        marks = [*marks, *(10 * m for m in marks[-3:])]
        ticks = tuple(float(f"{m:.6g}") for m in marks if begin <= m <= end * (1 + 1e-9))
    else:
        every = -(-(last - first) // wanted)
        ticks = tuple(m for m in marks[:: 3 * every] if begin <= m <= end)
    return Scale(begin, end, True, ticks, tuple(_power(tick) for tick in ticks))


def _step(rough: float) -> float:
    power = 10.0 ** math.floor(math.log10(rough))
    return next(nice * power for nice in (1, 2, 2.5, 5, 10) if nice * power >= rough * (1 - 1e-9))


def _labels(ticks: Sequence[float], step: float) -> tuple[str, ...]:
    largest = max(abs(tick) for tick in ticks)
    if largest >= 1e7 or step < 1e-5:
        # As many digits as tell neighbours apart.
        written = (tuple(f"{tick + 0.0:.{digits}g}" for tick in ticks) for digits in range(3, 17))
        return next(labels for labels in written if len(set(labels)) == len(labels))
    decimals = next((d for d in range(7) if abs(step * 10**d - round(step * 10**d)) < 1e-6 * 10**d * step), 6)
    return tuple(f"{tick + 0.0:,.{decimals}f}" for tick in ticks)


def _power(tick: float) -> str:
    exponent = round(math.log10(tick), 9)
    if -3 <= exponent <= 5:
        return f"{tick:,.10g}"
    # Not with raised digits: the font of the files lacks most of them.
    digits, _, power = f"{tick:.0e}".partition("e")
    return f"{digits}e{int(power)}"
