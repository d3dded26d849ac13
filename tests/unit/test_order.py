"""The tie rule, against decimal arithmetic."""

from __future__ import annotations

import math
from decimal import ROUND_HALF_EVEN, Context, Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seedrank.core import order as tie_rule
from seedrank.core.order import order, rounded

TEN_DIGITS = Context(prec=10, rounding=ROUND_HALF_EVEN)
scores = st.floats(-1e308, 1e308) | st.sampled_from([0.0, -0.0, 1e-300, 999.99999999999, 1e3])


@pytest.mark.slow
@given(st.lists(scores, max_size=20))
def test_rounds_to_ten_significant_digits(values):
    for ours, value in zip(rounded(np.array(values)), values, strict=True):
        expected = float(TEN_DIGITS.create_decimal(Decimal(value)))
        # Within a digit at the very border of rounding, and for the smallest numbers, which have fewer bits.
        assert math.isclose(ours, expected, rel_tol=1.1e-9, abs_tol=5e-323)


@pytest.mark.slow
@given(st.lists(st.integers(10**9, 10**10 - 1), min_size=1, max_size=20), st.integers(-200, 200), st.randoms())
def test_noise_beyond_ten_digits_is_a_tie(digits, exponent, random):
    """Digits far from a border of rounding: noise in the twelfth digit changes nothing."""
    clean = np.array([float(Decimal(d).scaleb(exponent)) for d in digits])
    noisy = clean * (1 + np.array([random.uniform(-2e-12, 2e-12) for _ in digits]))
    np.testing.assert_array_equal(rounded(noisy), rounded(clean))
    expected = sorted(range(len(digits)), key=lambda page: (-digits[page], page))
    assert order(noisy).tolist() == expected


def test_both_sides_of_a_power_of_ten_tie():
    assert order(np.array([999.99999999999, 1000.0, 1000.00000000001])).tolist() == [0, 1, 2]
    assert order(np.array([1e-5 - 1e-18, 1e-5])).tolist() == [0, 1]


@given(st.lists(scores | st.sampled_from([math.nan, math.inf]), max_size=20), st.integers(1, 7))
def test_scores_are_rounded_alike_piece_by_piece(values, size):
    alone = [float(rounded(np.array([value]))[0]) for value in values]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tie_rule, "_PIECE", size)
        together = rounded(np.array(values))
    np.testing.assert_array_equal(together, alone)
    np.testing.assert_array_equal(np.signbit(together), np.signbit(alone))


def test_scores_that_are_given_stay_as_they_are():
    given_scores = np.array([[1 / 3, 2.0], [-1 / 7, np.inf]])
    before = given_scores.copy()
    assert rounded(given_scores).shape == (2, 2)
    assert order(given_scores[0]).tolist() == [1, 0]
    np.testing.assert_array_equal(given_scores, before)


def test_best_first_and_ties_by_smaller_id():
    assert order(np.array([1.0, 3.0, 2.0, 3.0, -1.0, 0.0])).tolist() == [1, 3, 2, 0, 5, 4]


def test_infinite_first_nothing_last():
    assert order(np.array([np.nan, 1.0, np.inf, -np.inf])).tolist() == [2, 1, 3, 0]


def test_no_scores():
    assert len(order(np.array([]))) == 0
