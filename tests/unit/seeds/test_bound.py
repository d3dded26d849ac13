"""The bound against brute force."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seedrank.methods.seeds import graph_methods
from seedrank.methods.seeds.coverage import Bound, _largest, upper_bound
from tests.unit.seeds.problems import SCC, cases, problem_of

pytestmark = pytest.mark.slow


@pytest.mark.slow
@settings(max_examples=400)
@given(cases(), st.integers(0, 3), st.integers(1, 3), st.booleans())
def test_no_choice_is_worth_more(plain, hops, k, tight):
    problem = problem_of(plain, hops, k)
    selection = graph_methods.maxweight(problem, 1)
    bound = upper_bound(problem, selection, tight=tight)
    best = max(
        plain.worth(list(seeds), hops)
        for size in range(k + 1)
        for seeds in itertools.combinations(range(plain.pages), size)
    )
    assert best <= bound.value + 1e-9
    if selection.covered_value.size:
        assert selection.covered_value[-1] <= bound.value + 1e-9


@settings(max_examples=100)
@given(cases(), st.integers(0, 3), st.integers(1, 3))
def test_the_tight_form_is_at_least_as_good(plain, hops, k):
    problem = problem_of(plain, hops, k)
    selection = graph_methods.greedy(problem)
    assert upper_bound(problem, selection, tight=True).value <= upper_bound(problem, selection).value + 1e-9


@given(
    st.lists(st.tuples(st.sampled_from([0.0, 1 / 3, 1.0, 1e17]), st.integers(0, 2)), max_size=20),
    st.lists(st.integers(0, 5), min_size=1, max_size=3),
)
def test_the_largest_gains_are_those_of_a_sorted_list(gains, quota):
    gains = [(gain, group % len(quota)) for gain, group in gains]
    expected = [
        sum(sorted((gain for gain, of in gains if of == group), reverse=True)[:most])
        for group, most in enumerate(quota)
    ]
    gain, group = np.array([gain for gain, _ in gains]), np.array([group for _, group in gains], np.int32)
    assert _largest(gain, group, np.array(quota)).tolist() == expected


def test_the_form_is_named():
    problem = problem_of(SCC, 1, 1)
    selection = graph_methods.greedy(problem)
    bound = upper_bound(problem, selection, tight=True)
    assert bound.form == "tight"
    assert bound.value == pytest.approx(12)
    assert bound.ratio(float(selection.covered_value[-1])) == pytest.approx(1)


@pytest.mark.parametrize(
    ("value", "bound", "ratio"), [(1, 2, 0.5), (0, 2, None), (-8, 1, None), (-8, -1, None), (0, 0, None)]
)
def test_a_ratio_is_of_worth_above_0(value, bound, ratio):
    assert Bound(bound, "all").ratio(value) == ratio
