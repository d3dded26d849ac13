"""Fetches under a budget: what is optimal, bounds, the order of policies, and simulations that agree with them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seedrank.core.errors import UsageError
from seedrank.engines.kernels.recrawl import UNCHANGED, UNKNOWN, recorded_freshness
from seedrank.graph import frozen
from seedrank.methods.recrawl.freshness import at_fixed_intervals, at_random_intervals, value_of_fetch
from seedrank.methods.recrawl.methods import POLICIES, policy_named
from seedrank.methods.recrawl.policies import Sharing
from seedrank.methods.recrawl.simulation import drawn, greedy
from seedrank.questions.question import fields_of
from seedrank.questions.recrawl import PlanQuestion, SimulateQuestion
from tests.unit.recrawl.recrawl_reference import fixed, gain

OPTIMAL = ("harmonic", "optimum", "azar")
PAGES = st.lists(st.tuples(st.floats(0.01, 10), st.floats(1e-4, 50)), min_size=1, max_size=8)


def sharing(weight, change, budget, *, least=0.0, most=np.inf, host=None, cap=()):
    weight, change = np.array(weight, np.float64), np.array(change, np.float64)
    of = np.full(len(weight), -1) if host is None else np.array(host)
    low, high = (np.broadcast_to(np.asarray(one, np.float64), weight.shape) for one in (least, most))
    return Sharing(weight, change, budget, low, high, of, np.array(cap, np.float64))


def fetches(name, made):
    return policy_named(name).run(made)


def test_the_question_names_the_policies():
    assert fields_of(PlanQuestion)["policy"].choices == tuple(one.name for one in POLICIES)


@settings(max_examples=150)
@given(PAGES, st.floats(0.01, 100), st.sampled_from(OPTIMAL))
def test_a_fetch_more_brings_the_same_everywhere_and_less_where_there_is_none(pages, budget, name):
    weight, change = zip(*pages, strict=True)
    found = fetches(name, sharing(weight, change, budget))
    assert found.sum() == pytest.approx(budget, rel=1e-6)
    gains = [gain(name, *one) for one in zip(weight, change, found, strict=True)]
    some = [one for one, rate in zip(gains, found, strict=True) if rate > 1e-9 * budget]
    assert some == pytest.approx([some[0]] * len(some), rel=1e-4)
    assert max(gains) <= some[0] * (1 + 1e-4)


@given(PAGES, st.floats(0.01, 100))
def test_harmonic_leaves_no_page_out_and_the_others_are_in_proportion(pages, budget):
    weight, change = (np.array(one) for one in zip(*pages, strict=True))
    made = sharing(weight, change, budget)
    assert (fetches("harmonic", made) > 0).all()
    assert fetches("uniform", made) == pytest.approx(budget / len(weight))
    assert fetches("importance", made) == pytest.approx(budget * weight / weight.sum())
    assert fetches("proportional", made) == pytest.approx(budget * change / change.sum())


def test_two_pages_that_are_alike_but_in_worth_have_a_closed_form_under_azar():
    # (ρ + Δ)² is in proportion to w Δ.
    found = fetches("azar", sharing([4, 1], [1, 1], 4.0))
    assert found == pytest.approx([3, 1])
    found = fetches("azar", sharing([100, 1], [1, 1], 4.0))
    assert found == pytest.approx([4, 0])


@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.floats(0.01, 10), st.floats(1e-3, 20), st.integers(-1, 2)), min_size=4, max_size=12),
    st.floats(1, 50),
    st.sampled_from([one.name for one in POLICIES]),
)
def test_pages_and_hosts_stay_within_their_bounds_and_the_budget_is_spent_where_it_can_be(pages, budget, name):
    weight, change, host = zip(*pages, strict=True)
    made = sharing(weight, change, budget, least=0.05, most=2.0, host=host, cap=[1.5, 3.0, np.inf])
    found = fetches(name, made)
    assert (found >= 0.05 - 1e-12).all()
    assert (found <= 2.0 + 1e-12).all()
    of_hosts = made.of_hosts(found)
    assert (of_hosts <= made.cap * (1 + 1e-6)).all()
    free = np.flatnonzero((np.array(host) < 0) | ~(np.append(of_hosts >= made.cap * (1 - 1e-6), False)[list(host)]))
    spent = found.sum() == pytest.approx(budget, rel=1e-6)
    assert spent or found[free] == pytest.approx(np.full(len(free), 2.0))


def test_bounds_that_cannot_be_kept_are_refused():
    with pytest.raises(UsageError, match="max_interval asks for 2 fetches a day of 4 pages, and budget has 1"):
        sharing([1] * 4, [1] * 4, 1.0, least=0.5).check()
    with pytest.raises(UsageError, match="max_interval and host_delay exclude each other on 1 host"):
        sharing([1] * 4, [1] * 4, 9.0, least=0.5, host=[0, 0, 0, 1], cap=[1.0, 1.0]).check()


@pytest.mark.parametrize(("rate", "change"), [(1.0, 0.3), (0.01, 5.0), (20.0, 1e-6), (0.0, 1.0)])
def test_freshness_is_that_of_the_reference(rate, change):
    rates, changes = np.array([rate]), np.array([change])
    assert at_fixed_intervals(rates, changes) == pytest.approx([fixed(rate, change)], rel=1e-6)
    assert at_random_intervals(rates, changes) == pytest.approx([rate / (rate + change)])


def test_the_value_of_a_fetch_grows_from_nothing_to_what_a_page_is_worth_over_its_changes():
    days = np.array([0.0, 1e-6, 1.0, 1e6])
    value = value_of_fetch(np.full(4, 3.0), np.full(4, 0.5), days)
    assert value[0] == 0
    assert value[1] == pytest.approx(3 * 0.5 * 1e-12 / 2)
    assert value[2] == pytest.approx(3 / 0.5 * (1 - np.exp(-0.5) * 1.5))
    assert value[3] == pytest.approx(6)


def made_history(pages=20_000, rng=1):
    """Views by Zipf, log-normal rates of change."""
    draw = np.random.default_rng(rng)
    weight = 1 / np.arange(1, pages + 1) ** 1.15
    return weight / weight.sum(), np.exp(draw.normal(np.log(0.09), 1.75, pages))


def test_policies_come_in_the_order_of_the_papers_and_starve_as_many_pages():
    weight, change = made_history()
    made = sharing(weight, change, 0.1 * len(weight))
    found = {one.name: one.run(made) for one in POLICIES}
    fresh = {name: float((weight * at_fixed_intervals(rate, change)).sum()) for name, rate in found.items()}
    order = ["optimum", "azar", "harmonic", "importance", "uniform", "proportional"]
    assert sorted(fresh, key=fresh.get, reverse=True) == order
    never = {name: float((rate <= 0).mean()) for name, rate in found.items()}
    assert never == pytest.approx(dict.fromkeys(order, 0.0) | {"optimum": 0.30, "azar": 0.33}, abs=0.03)
    assert fresh["harmonic"] == pytest.approx(0.913, abs=0.01)


@pytest.mark.slow
def test_simulations_agree_with_what_is_expected_and_the_optimum_is_below_none():
    weight, change = made_history(4_000)
    made = sharing(weight, change, 0.1 * len(weight))
    question = SimulateQuestion(days=40, repeats=30, rng=4)
    simulated = {}
    for policy in POLICIES:
        rate = policy.run(made)
        fresh, error = simulated[policy.name] = drawn(rate, change, weight, question)
        assert abs(fresh - (weight * at_fixed_intervals(rate, change)).sum()) < 2 * error
    best, own = simulated["optimum"]
    simulated["next"] = greedy(change, weight, made.budget, question)
    assert all(fresh - best < 2 * np.hypot(error, own) for fresh, error in simulated.values())
    assert simulated["next"][0] == pytest.approx(simulated["harmonic"][0], abs=0.01)


def test_a_page_that_never_changed_on_record_stays_fresh_once_it_is_fetched():
    pages = 500
    offsets = frozen(np.arange(pages + 1) * 2)
    kind, days = frozen(np.full(2 * pages, UNCHANGED, np.int8)), frozen(np.full(2 * pages, 5.0))
    fresh = np.empty(pages)
    slow = np.full(pages, 1e-9)
    recorded_freshness(frozen(np.full(pages, 1.0)), frozen(slow), offsets, kind, days, 1, fresh)
    assert fresh == pytest.approx(np.full(pages, 10.0))
    recorded_freshness(frozen(np.zeros(pages)), frozen(slow), offsets, kind, days, 1, fresh)
    assert not fresh.any()


def test_replaying_changes_at_their_own_rate_gives_the_expected_freshness():
    rng = np.random.default_rng(4)
    pages, visits, rate, change, span = 3_000, 12, 0.7, 0.4, 2.0
    changed = rng.random(pages * visits) < -np.expm1(-change * span)
    kind = frozen(np.where(changed, 2, UNCHANGED).astype(np.int8))
    fresh = np.empty(pages)
    offsets = frozen(np.arange(pages + 1) * visits)
    days = frozen(np.full(pages * visits, span))
    recorded_freshness(frozen(np.full(pages, rate)), frozen(np.full(pages, change)), offsets, kind, days, 7, fresh)
    shares = fresh / (visits * span)
    expected = at_fixed_intervals(np.array([rate]), np.array([change]))[0]
    assert abs(shares.mean() - expected) < 3 * shares.std() / np.sqrt(pages)
    assert UNKNOWN == 0
