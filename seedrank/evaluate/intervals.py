"""Intervals by the bootstrap: over sites, splits or seeds, paired where two methods saw the same ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

__all__ = [
    "Interval",
    "bootstrap",
    "interval_of",
    "mean_interval",
    "paired_difference",
    "ratio_over",
    "resampled_means",
    "t_interval",
]

RESAMPLES = 1000
FEWEST = 5
"""Numbers that an interval by Student's t takes at least."""


@dataclass(frozen=True)
class Interval:
    """An estimate with its 95 % interval.

    Parameters
    ----------
    value
        On the sample itself.
    low, high
        Percentiles 2.5 and 97.5 of the resamples.
    """

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.4g} [{self.low:.4g}, {self.high:.4g}]"

    @property
    def above_zero(self) -> bool:
        """Whether the whole interval is positive."""
        return self.low > 0

    @property
    def below_zero(self) -> bool:
        """Whether the whole interval is negative."""
        return self.high < 0


def bootstrap(
    statistic: Callable[..., np.ndarray], *samples: np.ndarray, rng: int = 1, resamples: int = RESAMPLES
) -> Interval:
    """Interval of a statistic of samples that belong together row by row.

    Parameters
    ----------
    statistic
        Takes each sample as (resamples, n) and gives one number per row.
    samples
        float64, n each; rows are drawn together.
    rng
        Random sequence.
    resamples
        How many; default 1,000.
    """
    rows = len(samples[0])
    arrays = [np.asarray(sample, np.float64) for sample in samples]
    value = float(statistic(*(array[None, :] for array in arrays))[0])
    drawn = np.random.default_rng(rng).integers(0, rows, (resamples, rows))
    found = statistic(*(array[drawn] for array in arrays))
    low, high = np.nanpercentile(found, [2.5, 97.5])
    return Interval(value, float(low), float(high))


def mean_interval(sample: np.ndarray, *, rng: int = 1) -> Interval:
    """Interval of the mean of the rows that have a value; NaN where none has."""
    sample = np.asarray(sample, np.float64)
    known = sample[~np.isnan(sample)]
    if not len(known):
        return Interval(float("nan"), float("nan"), float("nan"))
    return bootstrap(lambda rows: rows.mean(axis=1), known, rng=rng)


def t_interval(sample: np.ndarray) -> Interval:
    """Interval of the mean by Student's t; of fewer than five numbers it is refused."""
    from scipy.special import stdtrit

    sample = np.asarray(sample, np.float64)
    if len(sample) < FEWEST:
        raise ValueError(f"an interval takes at least {FEWEST} numbers, not {len(sample)}")
    mean = float(sample.mean())
    half = float(stdtrit(len(sample) - 1, 0.975) * sample.std(ddof=1) / len(sample) ** 0.5)
    return Interval(mean, mean - half, mean + half)


def paired_difference(sample: np.ndarray, other: np.ndarray, *, rng: int = 1) -> Interval:
    """Interval of the mean of `sample` - `other`, over the rows where both have a value."""
    return mean_interval(np.asarray(sample, np.float64) - np.asarray(other, np.float64), rng=rng)


def ratio_over(sample: np.ndarray, base: np.ndarray, *, rng: int = 1) -> Interval:
    """Interval of 100 · (mean(sample) - mean(base)) / mean(base), a ratio of means (docs/algorithms.md §2.5)."""

    def lift(rows: np.ndarray, bases: np.ndarray) -> np.ndarray:
        with np.errstate(divide="ignore", invalid="ignore"):
            return 100 * (rows.mean(axis=1) / bases.mean(axis=1) - 1)

    return bootstrap(lift, sample, base, rng=rng)


def resampled_means(samples: np.ndarray, *, rng: int = 1, resamples: int = RESAMPLES) -> np.ndarray:
    """Means of samples that belong together row by row, on the sample itself and on its resamples.

    One set of resamples serves all columns, so that whatever is computed of them stays paired. Memory: 8 bytes ·
    `resamples` · rows.

    Parameters
    ----------
    samples
        float64, (n, …): n sites, any number of columns.
    rng, resamples
        As for `bootstrap`.

    Returns
    -------
    np.ndarray
        (1 + `resamples`, …): the sample's own means come first.
    """
    samples = np.asarray(samples, np.float64)
    rows = len(samples)
    drawn = np.random.default_rng(rng).integers(0, rows, (resamples, rows))
    times = np.bincount((drawn + np.arange(resamples)[:, None] * rows).ravel(), minlength=resamples * rows)
    flat = samples.reshape(rows, -1)
    means = np.vstack([flat.mean(axis=0), times.reshape(resamples, rows) @ flat / rows])
    return means.reshape(1 + resamples, *samples.shape[1:])


def interval_of(found: np.ndarray) -> Interval:
    """The interval of a statistic computed on every row of `resampled_means`."""
    if not np.isfinite(found).any():
        return Interval(float("nan"), float("nan"), float("nan"))
    low, high = np.nanpercentile(found[1:], [2.5, 97.5])
    return Interval(float(found[0]), float(low), float(high))
