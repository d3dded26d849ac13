"""Which values are summed exactly, against fractions; and what is said of the others (docs/algorithms.md §2.1)."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seedrank.methods.seeds import graph_methods, judge
from seedrank.methods.seeds.choose import choose
from seedrank.questions.seeds import EvaluateQuestion, ReduceQuestion, SeedQuestion
from tests import seed_reference as reference
from tests.seed_reference import Plain
from tests.unit.seeds.problems import cases, named, problem_of, session_of

LIMIT = 2.0**53
WIDE = [1e-30, 4e-9, 0.1, 0.3, 1.0, 7.0, 1e6]
"""No sum of nine lies half-way between two numbers of ten digits, where a last bit would decide."""
WHOLE = [2.0**49, -(2.0**49), 2.0**48 + 1, 3.0, 1.0, -1.0, -10.0]
EIGHTHS = [value / 8 for value in WHOLE]
"""At most nine of them: their sizes sum to less than 2^53 of the unit, 1 or 1/8."""

LOST = Plain(3, [(0, 1), (0, 2)], [1e-9, 1e-30, -1e-9])
"""What page 0 reaches is worth 1e-30 in all; as floats its sum is 0, so that page 1 is preferred."""


def chosen(caplog, plain, **question):
    caplog.clear()
    found = choose(session_of(plain), SeedQuestion(method="greedy", value="worth", **question))
    return found.ranking.pages.tolist(), "lost in a sum" in caplog.text


@pytest.mark.slow
@pytest.mark.parametrize("values", [WIDE, [-value for value in WIDE], WHOLE, EIGHTHS])
@settings(max_examples=200)
@given(case=cases(), data=st.data(), hops=st.integers(0, 3), k=st.integers(1, 4), always=st.booleans())
def test_within_the_range_picks_are_those_of_fractions(values, case, data, hops, k, always):
    value = data.draw(st.lists(st.sampled_from(values), min_size=case.pages, max_size=case.pages))
    exact = Plain(case.pages, case.links, [Fraction(one) for one in value])
    selection = graph_methods.greedy(problem_of(exact, hops, k, always=always))
    assert selection.pages.tolist() == reference.run(exact, hops, k, reference.maxweight(hops), always=always)


@pytest.mark.parametrize("values", [WIDE, WHOLE, EIGHTHS, [0.1, -0.3, 10.0]])
def test_within_the_range_nothing_is_said(caplog, values):
    assert not chosen(caplog, Plain(len(values), [], values), k=1, hops=1)[1]


def test_outside_of_it_a_warning_names_the_smallest_value_and_the_total(caplog):
    _, said = chosen(caplog, LOST, k=1, hops=1)
    assert said
    assert "1e-30" in caplog.text
    assert "2e-09" in caplog.text
    for ask, question in ((judge.evaluate, EvaluateQuestion), (judge.reduce, ReduceQuestion)):
        caplog.clear()
        ask(session_of(LOST), question(file=named([0]), value="worth"))
        assert "lost in a sum" in caplog.text


@pytest.mark.parametrize(("most", "said"), [(LIMIT - 2, False), (LIMIT - 1, True), (1e300, True)])
def test_where_the_range_ends(caplog, most, said):
    """With 1 beside it the total is `most` + 1."""
    assert chosen(caplog, Plain(2, [], [-most, 1.0]), k=1, hops=0) == ([1], said)
    assert not chosen(caplog, Plain(2, [], [most, 1.0]), k=1, hops=0)[1]
