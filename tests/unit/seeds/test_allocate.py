"""Splitting seeds over sites."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seedrank.core.errors import UsageError
from seedrank.methods.seeds.allocate import allocate


def split(k, importance, capacity):
    return allocate(k, np.array(importance, float), np.array(capacity)).tolist()


def test_in_proportion():
    assert split(10, [5, 3, 2], [99, 99, 99]) == [5, 3, 2]


def test_largest_remainder_and_ties_by_site():
    assert split(4, [1, 1, 1], [9, 9, 9]) == [2, 1, 1]
    assert split(10, [6.6, 3.3, 0.1], [99, 99, 99]) == [7, 3, 0]


def test_what_a_site_cannot_take_goes_to_the_others():
    assert split(10, [8, 1, 1], [2, 99, 99]) == [2, 4, 4]


def test_sites_without_importance_get_nothing():
    assert split(5, [1, 0], [3, 9]) == [3, 0]


@pytest.mark.slow
@given(st.integers(1, 50), st.lists(st.tuples(st.floats(0, 100), st.integers(0, 9)), min_size=1, max_size=8))
def test_never_over_capacity_and_never_short(k, sites):
    importance, capacity = np.array([s[0] for s in sites]), np.array([s[1] for s in sites])
    quota = allocate(k, importance, capacity)
    assert (quota <= capacity).all()
    assert quota.sum() == min(k, capacity[importance > 0].sum())


def test_importance_must_be_a_number():
    with pytest.raises(UsageError, match="site 1"):
        split(1, [1, float("nan")], [1, 1])
