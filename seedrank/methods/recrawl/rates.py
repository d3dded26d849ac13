"""How often pages change: the likeliest rate of each page, shrunk towards the rate of its host."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from seedrank.engines.kernels.recrawl import CHANGED, DATED, UNKNOWN, mixed_means, scores
from seedrank.engines.kernels.recrawl import change_rates as likeliest
from seedrank.graph import frozen
from seedrank.methods.recrawl.visits import DAY, Lastmod, Visits, evidence, lastmod_of_sites

__all__ = ["IMAGINARY", "Changes", "Prior", "change_rates"]

IMAGINARY = 0.5
"""Days of the two intervals, one of each kind, that every estimate without a prior has in addition."""
FEWEST = 5
"""Visited pages of a host from which on its rates have a prior of their own; the others take that of all pages."""
NARROWEST, WIDEST = 100.0, 0.05
"""Shapes of priors, which are the changes that a prior counts for: no more, no fewer."""
_SIGMA = 1.959963984540054
"""Standard deviations of a 95 % interval."""


@dataclass(frozen=True)
class Prior:
    """Gamma priors of change rates: `shape` changes in `days` days."""

    shape: np.ndarray
    days: np.ndarray

    @property
    def mean(self) -> np.ndarray:
        """Changes a day."""
        return self.shape / self.days


@dataclass(frozen=True)
class Changes:
    """How often pages change, per page of the graph, and per site."""

    rate: np.ndarray
    """Changes a day, shrunk towards the host's; of a page without visits the host's."""
    own: np.ndarray
    """The likeliest by the page's visits alone; NaN where they say nothing."""
    low: np.ndarray
    high: np.ndarray
    """95 % interval of `rate`."""
    visits: np.ndarray
    changes: np.ndarray
    """How often it was fetched, and found changed."""
    days: np.ndarray
    """Days between visits of which it is known whether the page changed."""
    last: np.ndarray
    """Last visit, seconds since 1970; -1 where there is none."""
    prior: Prior
    """Per site, and last of pages without one."""
    lastmod: Lastmod
    """Per site."""


def change_rates(visits: Visits, sites: int) -> Changes:
    """How often pages change, by visits at any intervals.

    Parameters
    ----------
    sites
        How many sites there are.
    """
    lastmod = lastmod_of_sites(visits, sites)
    kind, days, age = evidence(visits, lastmod)
    prior = _priors(visits, sites, kind, days, age)
    groups = len(visits.pages)
    of = np.where(visits.site >= 0, visits.site, sites)
    known = _sums(visits.offsets, kind != UNKNOWN) > 0
    rate, held = _likeliest(visits.offsets, kind, days, age, prior.shape[of], prior.days[of], 0.0)
    own, _ = _likeliest(visits.offsets, kind, days, age, np.zeros(groups), np.zeros(groups), IMAGINARY)
    low, high = _interval(rate, held)
    found = (kind == CHANGED) | ((kind == DATED) & np.isfinite(days))
    counts = np.diff(visits.offsets)
    ends = np.append(visits.time, -1)[np.where(counts > 0, visits.offsets[1:] - 1, -1)]
    columns = {
        "rate": rate,
        "own": np.where(known, own, np.nan),
        "low": low,
        "high": high,
        "visits": counts.astype(np.int64),
        "changes": _sums(visits.offsets, found),
        "days": _sums(visits.offsets, np.where((kind != UNKNOWN) & np.isfinite(days), visits.since / DAY, 0.0)),
        "last": ends,
    }
    by_page = {name: _by_page(visits.pages, column) for name, column in columns.items()}
    return Changes(**by_page, prior=prior, lastmod=lastmod)


def _likeliest(
    offsets: np.ndarray,
    kind: np.ndarray,
    days: np.ndarray,
    age: np.ndarray,
    events: np.ndarray,
    exposure: np.ndarray,
    imaginary: float,
) -> tuple[np.ndarray, np.ndarray]:
    """Rate per group, and the information on it."""
    rates, information = np.empty(len(events)), np.empty(len(events))
    likeliest(offsets, kind, days, age, frozen(events), frozen(exposure), imaginary, rates, information)
    return rates, information


def _interval(rate: np.ndarray, held: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Ends of the 95 % interval, as if the rate had a gamma distribution (quantiles by Wilson and Hilferty 1931)."""
    changes = rate * rate * held
    middle, part = 1 - 1 / (9 * changes), _SIGMA / (3 * np.sqrt(changes))
    return rate * np.maximum(middle - part, 0.0) ** 3, rate * (middle + part) ** 3


def _priors(visits: Visits, sites: int, kind: np.ndarray, days: np.ndarray, age: np.ndarray) -> Prior:
    """A gamma prior per site, and last that of all pages, by moments."""
    offsets = frozen(visits.offsets[np.searchsorted(visits.site, np.arange(sites + 1))])
    whole = frozen(visits.offsets[[0, -1]])
    means = [
        _likeliest(some, kind, days, age, np.zeros(len(some) - 1), np.zeros(len(some) - 1), IMAGINARY)[0]
        for some in (offsets, whole)
    ]
    of = np.where(visits.site >= 0, visits.site, sites)
    seen = np.bincount(of, _sums(visits.offsets, kind != UNKNOWN) > 0, sites + 1)[:sites]
    few = np.append(seen < FEWEST, True)
    pooled = np.where(few, means[1], np.concatenate(means))
    spread = _spread(of, *scores(visits.offsets, kind, days, age, frozen(pooled[of])), few)
    mixed_means(offsets, kind, days, spread[:-1], means[0])
    mixed_means(whole, kind, days, spread[-1:], means[1])
    mean = np.where(few, means[1], np.concatenate(means))
    return Prior(1 / spread, 1 / (spread * mean))


def _spread(of: np.ndarray, slopes: np.ndarray, expected: np.ndarray, few: np.ndarray) -> np.ndarray:
    """Variance of the rates of each site over their squared mean, drawn towards that of all sites.

    Of two visits of a page the slopes s of the log-likelihood, in the logarithm of the rate, at that of the site, have
    the mean product s² k k', where s² is what is sought and k the changes expected. A site's own estimate counts by its
    precision, that of all sites as one with a standard deviation of its own size.

    Parameters
    ----------
    of, slopes, expected
        Per page: its site, and the sums over pairs of its visits.
    few
        Boolean per site: those with too few pages take the estimate of all.
    """
    products, expected = (np.bincount(of, column, len(few)) for column in (slopes, expected))
    # The precision of products/expected is expected/2; 1 ± 1 where nothing is known, then common ± common.
    common = float(np.clip((products.sum() / 2 + 1) / (expected.sum() / 2 + 1), 1 / NARROWEST, 1 / WIDEST))
    own = np.where(few, 0.0, expected) / 2
    spread = (np.where(few, 0.0, products) / 2 + 1 / common) / (own + 1 / common**2)
    return np.clip(spread, 1 / NARROWEST, 1 / WIDEST)


def _sums(offsets: np.ndarray, values: np.ndarray) -> np.ndarray:
    """The sum of the values of each page's visits."""
    whole = np.append(0, np.cumsum(values))
    return np.asarray(whole[offsets[1:]] - whole[offsets[:-1]])


def _by_page(pages: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Values in the order of the graph's ids."""
    found = np.empty(len(values), values.dtype)
    found[pages] = values
    return found
