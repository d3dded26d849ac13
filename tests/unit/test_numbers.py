"""Numbers as people read them."""

from __future__ import annotations

import math

import pytest

from seedrank.core.numbers import show_duration, show_interval, show_number, show_rounded


@pytest.mark.parametrize(
    ("value", "text"),
    [
        *((0, "0"), (-0.0, "0"), (12, "12"), (1234567, "1,234,567"), (-1234.0, "-1,234"), (0.123456, "0.1235")),
        *((999.96, "1000"), (1234.567, "1,234.57"), (1e-7, "1e-07"), (999_999_999_999_999, "999,999,999,999,999")),
        *((1e15, "1e+15"), (math.inf, "inf"), (-math.inf, "-inf"), (math.nan, "none")),
    ],
)
def test_numbers_of_tables(value, text):
    assert show_number(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.12345, "0.123"), (-0.0, "0"), (999, "999"), (1234.5, "1,234"), (-1e6, "-1,000,000"), (math.inf, "∞")],
)
def test_numbers_where_room_is_short(value, text):
    assert show_rounded(value) == text


def test_estimates_with_their_intervals():
    assert show_interval(0.51234, 0.4, 0.6) == "0.5123 [0.4, 0.6]"
    assert show_interval(0.51234, 0.4, 0.6, digits=3) == "0.512 [0.4, 0.6]"
    assert show_interval(0.5, None, None) == show_interval(0.5, math.nan, math.nan) == "0.5"


@pytest.mark.parametrize(("seconds", "text"), [(89, "89 s"), (90, "2 min"), (5_399, "90 min"), (9_000, "2.5 h")])
def test_durations(seconds, text):
    assert show_duration(seconds) == text
