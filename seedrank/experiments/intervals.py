"""Intervals that cover what they say: over sites, splits, draws or runs, paired where two methods saw the same ones.

Student's t below `STUDENTISED` units; from there on a studentised bootstrap, which also covers skewed samples. Fewer
than `FEWEST` units give no interval. tests/unit/experiments/test_intervals.py measures the coverage on simulated data.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from seedrank.core.numbers import show_interval

__all__ = [
    "FEWEST", "Interval", "difference_of_shares", "lift_interval", "mean_interval", "paired_difference",
    "ratio_interval", "resampled_interval", "share_interval", "sum_of_ratios", "units_needed",
]  # fmt: skip

FEWEST = 5
"""Units below which there is no interval."""
STUDENTISED = 20
"""Units from which the bootstrap is used: below, its quantiles are wider than Student's and cover no better."""
RESAMPLES = 1999
LEVEL = 0.95
_TOO_MANY = 1_000_000
_NAN = float("nan")


@dataclass(frozen=True)
class Interval:
    """An estimate with its 95 % interval."""

    value: float
    low: float
    high: float
    """Ends of the interval; NaN where there are too few units for one."""
    n: int = 0
    """Units it was computed from."""
    unit: str = ""
    """What they are: ``sites``, ``splits of this graph``."""
    error: float = _NAN
    """Standard error of the estimate; NaN where unknown."""

    def __str__(self) -> str:
        return show_interval(self.value, self.low, self.high)

    @property
    def known(self) -> bool:
        """Whether there is an interval around the estimate."""
        return not (math.isnan(self.low) or math.isnan(self.high))

    def scaled(self, factor: float) -> Interval:
        """The same in another unit; `factor` is positive."""
        parts = (self.value * factor, self.low * factor, self.high * factor)
        return Interval(*parts, self.n, self.unit, self.error * factor)


def mean_interval(sample: np.ndarray, unit: str = "", *, rng: int = 1) -> Interval:
    """Interval of the mean of independent units.

    There is one number a unit; NaN are left out.
    """
    sample, found = _measured(sample, unit)
    n, value = found.n, found.value
    if n < FEWEST:
        return found
    error = float(sample.std(ddof=1) / math.sqrt(n))
    below, above = _quantiles(sample, error, rng)
    return Interval(value, value - above * error, value - below * error, n, unit, error)


def _measured(sample: np.ndarray, unit: str) -> tuple[np.ndarray, Interval]:
    """The units that were measured, and their mean without an interval."""
    sample = np.asarray(sample, np.float64)
    sample = sample[~np.isnan(sample)]
    return sample, Interval(float(sample.mean()) if len(sample) else _NAN, _NAN, _NAN, len(sample), unit)


def resampled_interval(sample: np.ndarray, share: float, unit: str = "") -> Interval:
    """Interval of the mean of units that overlap, as each is a part of the same pool: Nadeau and Bengio 2003.

    The variance of the mean of n units is taken as (1/n + share / (1 - share)) times that of one unit.

    Parameters
    ----------
    sample
        float64, one number a unit; NaN are left out.
    share
        Part of the pool that a unit takes, in [0, 1); none of it where units are independent.
    """
    from scipy.stats import t

    sample, found = _measured(sample, unit)
    n, value = found.n, found.value
    if n < FEWEST:
        return found
    error = float(sample.std(ddof=1)) * math.sqrt(1 / n + share / (1 - share))
    half = float(t.ppf((1 + LEVEL) / 2, n - 1)) * error
    return Interval(value, value - half, value + half, n, unit, error)


def paired_difference(sample: np.ndarray, other: np.ndarray, unit: str = "", *, rng: int = 1) -> Interval:
    """Interval of the mean of `sample` - `other`, unit by unit."""
    return mean_interval(np.asarray(sample, np.float64) - np.asarray(other, np.float64), unit, rng=rng)


def ratio_interval(sample: np.ndarray, base: np.ndarray, unit: str = "", *, rng: int = 1) -> Interval:
    """Interval of mean(sample) / mean(base), a ratio of means over the same units."""
    return sum_of_ratios([(1.0, sample, base)], unit, rng=rng)


def sum_of_ratios(terms: Sequence[tuple[float, np.ndarray, np.ndarray]], unit: str = "", *, rng: int = 1) -> Interval:
    """Interval of the sum of factor · mean(sample) / mean(base) over `terms`, all over the same units.

    Near its value the sum is linear in the units, so its interval is that of the mean of what each unit adds. There is
    none where the mean of a base is not positive.
    """
    columns = [np.asarray(one, np.float64) for _, sample, base in terms for one in (sample, base)]
    known = ~np.isnan(np.stack(columns)).any(axis=0)
    n = int(known.sum())
    value, added = 0.0, np.zeros(n)
    for (factor, *_), sample, base in zip(terms, columns[::2], columns[1::2], strict=True):
        sample, base = sample[known], base[known]
        whole = float(base.mean()) if n else 0.0
        if not whole > 0:  # nothing to compare with
            return Interval(_NAN, _NAN, _NAN, n, unit)
        ratio = float(sample.mean()) / whole
        value += factor * ratio
        added += factor * (sample - ratio * base) / whole
    return replace(mean_interval(value + added, unit, rng=rng), value=value)


def lift_interval(sample: np.ndarray, other: np.ndarray, base: np.ndarray, unit: str = "", *, rng: int = 1) -> Interval:
    """Interval of 100 · (mean(sample) - mean(other)) / mean(base): a difference in per cent of a third method."""
    difference = np.asarray(sample, np.float64) - np.asarray(other, np.float64)
    return ratio_interval(difference, base, unit, rng=rng).scaled(100)


def share_interval(successes: int, n: int, unit: str = "") -> Interval:
    """Wilson's interval of a share: all or none of few is no certainty."""
    if n < FEWEST:
        return Interval(successes / n if n else _NAN, _NAN, _NAN, n, unit)
    z = _normal()
    share = successes / n
    middle = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * math.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    # None and all of them are ends of the interval, which rounding may miss.
    low, high = (middle - half if successes else 0.0), (middle + half if successes < n else 1.0)
    return Interval(share, low, high, n, unit, half / z)


def difference_of_shares(some: int, of: int, others: int, of_others: int, unit: str = "") -> Interval:
    """Newcombe's interval of the difference of two independent shares, from Wilson's of each."""
    one, other = share_interval(some, of), share_interval(others, of_others)
    value, n = one.value - other.value, min(of, of_others)
    if not (one.known and other.known):
        return Interval(value, _NAN, _NAN, n, unit)
    low = value - math.hypot(one.value - one.low, other.high - other.value)
    high = value + math.hypot(one.high - one.value, other.value - other.low)
    return Interval(value, low, high, n, unit, (high - low) / (2 * _normal()))


def units_needed(n: int, half: float, gap: float) -> int | None:
    """How many units make half an interval shorter than `gap`, at the same spread; `None` for more than a million.

    Parameters
    ----------
    n, half
        Units there are, and half the interval they give. More make both the error and Student's quantile smaller.
    gap
        What it must be shorter than.
    """
    from scipy.stats import t

    def quantile(units: int) -> float:
        return float(t.ppf((1 + LEVEL) / 2, units - 1))

    spread = half * math.sqrt(n) / quantile(max(n, 2))
    few, many = 2, _TOO_MANY
    if quantile(many) * spread / math.sqrt(many) >= gap:
        return None
    while few < many:
        middle = (few + many) // 2
        enough = quantile(middle) * spread / math.sqrt(middle) < gap
        few, many = (few, middle) if enough else (middle + 1, many)
    return few


def _quantiles(sample: np.ndarray, error: float, rng: int) -> tuple[float, float]:
    """Quantiles of (mean of a sample - true mean) / its standard error."""
    from scipy.stats import t

    n = len(sample)
    student = float(t.ppf((1 + LEVEL) / 2, n - 1))
    if n < STUDENTISED or error == 0:
        return -student, student
    counts = _resamples(n, rng)
    apart = sample - sample.mean()
    means = counts @ apart / n
    errors = np.sqrt(np.maximum(counts @ apart**2 / n - means**2, 0) / (n - 1))
    proper = errors > 1e-5 * error
    if proper.mean() < 0.99:  # few distinct values: resamples without spread say nothing
        return -student, student
    found = means[proper] / errors[proper]
    below, above = np.quantile(found, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(below), float(above)


@lru_cache(maxsize=2)
def _resamples(n: int, rng: int) -> np.ndarray:
    """How often each of `n` units is drawn, (resamples, units): many samples of the same units share it."""
    drawn = np.random.default_rng(rng).integers(0, n, (RESAMPLES, n))
    places = drawn + n * np.arange(RESAMPLES)[:, None]
    return np.bincount(places.ravel(), minlength=RESAMPLES * n).reshape(RESAMPLES, n).astype(np.float64)


def _normal() -> float:
    from statistics import NormalDist

    return NormalDist().inv_cdf((1 + LEVEL) / 2)
