"""Intervals over pairs of cores cover what they say: measured on simulated pairs whose difference is known."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from seedrank.experiments.cores import distances
from seedrank.experiments.cores.distances import difference_of_pairs

pytestmark = pytest.mark.slow

REPEATS = 400
DIFFERENCE = 0.7


def close(cores: int, most: int = 3) -> np.ndarray:
    gap = np.abs(np.subtract.outer(np.arange(cores), np.arange(cores)))
    return (gap > 0) & (gap <= most)


def simulated(random, cores, of_core, of_pair, known=1.0):
    """Distances that depend on both cores, on the pair, on chance, and on whether the cores are close."""
    there, back = random.normal(0, of_core, (2, cores))
    pair = random.normal(0, of_pair, (cores, cores))
    values = 5 + there[:, None] + back + (pair + pair.T) / math.sqrt(2) + random.normal(0, 0.3, (cores, cores))
    values += DIFFERENCE * close(cores)
    values[random.random((cores, cores)) > known] = np.nan
    return values


@pytest.mark.slow
@pytest.mark.parametrize(
    ("cores", "of_core", "of_pair", "known"), [(8, 1, 1, 1.0), (12, 1, 0, 1.0), (12, 0, 1, 0.5), (20, 1, 1, 0.5)]
)
def test_intervals_cover_95_per_cent(monkeypatch, cores, of_core, of_pair, known):
    monkeypatch.setattr(distances, "RESAMPLES", 299)
    random = np.random.default_rng(20260131)
    found = [
        difference_of_pairs(simulated(random, cores, of_core, of_pair, known), close(cores)) for _ in range(REPEATS)
    ]
    # Three standard errors of a share of 400 are 3.3 points.
    assert 0.92 <= np.mean([one.low <= DIFFERENCE <= one.high for one in found]) <= 0.98


@pytest.mark.slow
def test_intervals_over_gaps_cover_95_per_cent(monkeypatch):
    """The other way round: which pairs are near is chance, and far iterations make it more likely."""
    monkeypatch.setattr(distances, "RESAMPLES", 299)
    random, cores = np.random.default_rng(20260131), 14
    gap = np.abs(np.subtract.outer(np.arange(cores), np.arange(cores))).astype(float)
    chance = 1 / (1 + np.exp(2 - 0.12 * gap))
    # What is estimated: the mean over many such webs.
    drawn = (random.random((4000, cores, cores)) < chance) & (gap > 0)
    means = [gap[near].mean() - gap[~near & (gap > 0)].mean() for near in drawn]
    found = [difference_of_pairs(gap, near) for near in drawn[:REPEATS]]
    assert 0.92 <= np.mean([one.low <= np.mean(means) <= one.high for one in found]) <= 0.98


def test_the_interval_is_what_trying_every_difference_gives():
    """Against every order of six cores and a fine grid of differences."""
    values = simulated(np.random.default_rng(5), 6, 1, 1)
    kind, off = close(6, 2), ~np.eye(6, dtype=bool)

    def difference(numbers, which):
        return numbers[which & off].mean() - numbers[~which & off].mean()

    orders = [kind[np.ix_(order, order)] for order in itertools.permutations(range(6))]

    def stays(wanted):
        rest = values - wanted * kind
        size = abs(difference(rest, kind)) - 1e-12
        return np.mean([abs(difference(rest, order)) >= size for order in orders]) >= 0.05

    kept = [wanted for wanted in np.arange(-6, 7, 0.1) if stays(wanted)]
    found = difference_of_pairs(values, kind)
    assert found.value == pytest.approx(difference(values, kind))
    # The orders are drawn, not all tried: the ends differ by chance.
    assert (found.low, found.high) == (pytest.approx(min(kept), abs=0.4), pytest.approx(max(kept), abs=0.4))


def test_too_few_cores_have_no_interval():
    found = difference_of_pairs(
        simulated(np.random.default_rng(1), 6, 1, 1), np.eye(6, k=1, dtype=bool) & (np.arange(6) == 1)
    )
    assert found.n == 2
    assert not found.known
    assert not math.isnan(found.value)
    assert math.isnan(difference_of_pairs(np.ones((6, 6)), np.zeros((6, 6), bool)).value)
