"""Change rates: closed forms, a slow reference, priors of hosts, and what lastmod is worth."""

from __future__ import annotations

import math

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seedrank.engines.kernels.recrawl import CHANGED, DATED, UNCHANGED, UNKNOWN
from seedrank.engines.kernels.recrawl import change_rates as kernel
from seedrank.graph import frozen
from seedrank.loaders.visits import NO_TIME
from seedrank.methods.recrawl.rates import FEWEST, IMAGINARY, change_rates
from seedrank.methods.recrawl.visits import DAY, evidence, lastmod_of_sites, visits_of
from tests.unit.recrawl.recrawl_reference import likeliest

KINDS = {"unknown": UNKNOWN, "unchanged": UNCHANGED, "changed": CHANGED, "dated": DATED}
VISIT = st.tuples(st.sampled_from(list(KINDS)), st.floats(0.01, 300), st.floats(0.01, 300))


def rates(pages, events=0.0, exposure=0.0, imaginary=0.0):
    """Rates and information of pages, each a list of visits as the reference takes them."""
    every = [visit for page in pages for visit in page]
    offsets = np.append(0, np.cumsum([len(page) for page in pages])).astype(np.int64)
    found, held = np.empty(len(pages)), np.empty(len(pages))
    kernel(
        frozen(offsets),
        frozen(np.array([KINDS[kind] for kind, _, _ in every], np.int8)),
        frozen(np.array([days for _, days, _ in every], np.float64)),
        frozen(np.array([age for _, _, age in every], np.float64)),
        frozen(np.full(len(pages), events)),
        frozen(np.full(len(pages), exposure)),
        imaginary,
        found,
        held,
    )
    return found, held


@settings(max_examples=200)
@given(
    st.lists(st.lists(VISIT, max_size=8), min_size=1, max_size=4),
    st.sampled_from([(0.0, 0.0, IMAGINARY), (2.0, 30.0, 0.0), (0.05, 0.001, 0.0), (3.0, 5.0, 0.5)]),
)
def test_the_likeliest_rate_is_that_of_the_reference(pages, more):
    found, _ = rates(pages, *more)
    assert found == pytest.approx([likeliest(page, *more) for page in pages], rel=1e-9)


@pytest.mark.parametrize(("n", "changed"), [(1, 0), (1, 1), (10, 3), (10, 10), (200, 1)])
def test_equal_intervals_as_long_as_the_imaginary_ones_have_a_closed_form(n, changed):
    page = [("changed", IMAGINARY, 0.0)] * changed + [("unchanged", IMAGINARY, 0.0)] * (n - changed)
    closed = math.log1p((changed + 1) / (n - changed + 1)) / IMAGINARY
    assert rates([page], imaginary=IMAGINARY)[0] == pytest.approx([closed])


def test_equal_intervals_come_near_the_estimator_of_cho_and_garcia_molina():
    n, changed, days = 400, 90, 3.0
    page = [("changed", days, 0.0)] * changed + [("unchanged", days, 0.0)] * (n - changed)
    theirs = -math.log((n - changed + 0.5) / (n + 0.5)) / days
    assert rates([page], imaginary=IMAGINARY)[0] == pytest.approx([theirs], rel=0.02)


def test_dated_changes_and_quiet_time_alone_are_counted():
    page = [("dated", 9.0, 2.0), ("dated", 4.0, 1.0), ("unchanged", 7.0, 0.0), ("unknown", 99.0, 0.0)]
    found, held = rates([page], events=1.5, exposure=5.0)
    assert found == pytest.approx([(2 + 1.5) / (2 + 1 + 7 + 5)])
    assert held == pytest.approx([(2 + 1.5) / found[0] ** 2])


def made(rng, hosts=60, per_host=60, visits=12, shape=2.0):
    """Visits of pages whose rates have gamma distributions around those of their hosts."""
    site = np.repeat(np.arange(hosts), per_host)
    mean = np.exp(rng.normal(-3, 1, hosts))
    true = mean[site] * rng.gamma(shape, 1 / shape, len(site))
    page = np.repeat(np.arange(len(site)), visits)
    gap = rng.exponential(5, len(page))
    time = np.cumsum(gap.reshape(-1, visits), axis=1).ravel() * DAY + 1.6e9
    changed = (rng.random(len(page)) < -np.expm1(-true[page] * gap)).astype(np.int8)
    return site, mean, true, page, time.astype(np.int64), changed


def test_shrinking_towards_the_host_brings_rates_nearer_to_the_truth():
    rng = np.random.default_rng(1)
    site, mean, true, page, time, changed = made(rng)
    mixed = rng.permutation(len(page))
    found = change_rates(visits_of(site, page[mixed], time[mixed], changed[mixed]), len(mean))
    own, shrunk = (np.sqrt(np.mean((one - true) ** 2)) for one in (found.own, found.rate))
    assert shrunk < 0.6 * own
    assert np.median(found.prior.mean[:-1] / mean) == pytest.approx(1, abs=0.1)
    assert np.median(found.prior.shape[:-1]) == pytest.approx(2, abs=0.7)
    assert ((found.low <= true) & (true <= found.high)).mean() > 0.85
    assert found.visits.sum() == len(page)


def test_a_page_without_visits_has_the_rate_of_its_host_and_small_hosts_that_of_all():
    rng = np.random.default_rng(2)
    site, *_, page, time, changed = made(rng, hosts=3)
    site = np.append(site, [0, 3, -1])
    few = np.full(FEWEST - 1, 3)
    site = np.append(site, few)
    found = change_rates(visits_of(site, page, time, changed), 4)
    alone = len(site) - len(few) - 3
    assert found.rate[alone] == pytest.approx(found.prior.mean[0])
    assert found.rate[alone + 1 :] == pytest.approx(found.prior.mean[-1])
    assert np.isnan(found.own[alone:]).all()
    assert found.last[alone] == -1


def test_the_order_of_visits_in_a_file_makes_no_difference():
    rng = np.random.default_rng(3)
    site, *_, page, time, _ = made(rng, hosts=4, per_host=10)
    digest = pa.chunked_array([[f"{one}" for one in rng.integers(0, 3, len(page))]])
    silent = np.full(len(page), -1, np.int8)
    first = change_rates(visits_of(site, page, time, silent, digest), 4)
    for seed in range(3):
        mixed = np.random.default_rng(seed).permutation(len(page))
        again = change_rates(visits_of(site, page[mixed], time[mixed], silent, digest.take(pa.array(mixed))), 4)
        assert np.array_equal(first.rate, again.rate)


def test_a_page_changed_where_its_digest_did_or_the_table_says_so():
    site, days = np.zeros(2, np.int64), np.array([0, 1, 2, 3, 0, 2])
    page = np.array([0, 0, 0, 0, 1, 1])
    digest = pa.chunked_array([["a", "a", None, "b", "x", "y"]])
    changed = np.array([-1, -1, -1, -1, -1, 0], np.int8)
    visits = visits_of(site, page, days * 86_400 + 10**9, changed, digest)
    kind, spans, _ = evidence(visits, lastmod_of_sites(visits, 1))
    assert kind.tolist() == [UNKNOWN, UNCHANGED, UNKNOWN, UNKNOWN, UNKNOWN, UNCHANGED]
    assert spans.tolist() == [np.inf, 1, 1, 1, np.inf, 2]


def lastmod_visits(lastmod, changed, days=1.0):
    """Daily visits of one page."""
    time = (np.arange(len(changed)) * days * DAY).astype(np.int64) + 10**9
    page = np.zeros(len(changed), np.int64)
    return visits_of(np.zeros(1, np.int64), page, time, np.array(changed, np.int8), None, time + np.array(lastmod))


def test_lastmod_is_judged_by_the_changes_it_tells():
    changed = [-1, *([1, 0] * 12)]
    told = lastmod_visits([-7200] * 25, changed)  # always two hours ago
    assert lastmod_of_sites(told, 1).verdicts == ["claims too much"]
    silent = lastmod_visits(-np.arange(25) * 86_400 - 100, changed)  # never since the first visit
    assert lastmod_of_sites(silent, 1).verdicts == ["misses changes"]
    right = lastmod_visits(np.where(np.array(changed) == 1, -7200, -86_400 - 7200), changed)
    found = lastmod_of_sites(right, 1)
    assert found.verdicts == ["reliable"]
    assert (found.precision, found.recall, found.judged) == (1, 1, 24)
    assert lastmod_of_sites(lastmod_visits([-7200] * 5, changed[:5]), 1).verdicts == ["unknown"]


def test_a_change_is_dated_by_a_lastmod_that_is_reliable_and_by_no_other():
    changed = [-1, *([1, 0] * 12)]
    right = lastmod_visits(np.where(np.array(changed) == 1, -7200, -86_400 - 7200), changed)
    kind, _, age = evidence(right, lastmod_of_sites(right, 1))
    assert kind[1:].tolist() == [DATED, UNCHANGED] * 12
    assert age[1] == pytest.approx(7200 / DAY)
    told = lastmod_visits([-7200] * 25, changed)
    assert evidence(told, lastmod_of_sites(told, 1))[0].tolist() == [UNKNOWN, *[CHANGED, UNCHANGED] * 12]


def test_lastmod_alone_says_when_a_page_changed():
    never = lastmod_visits([-86_400, -2 * 86_400, -30], [-1, -1, -1])
    kind, days, age = evidence(never, lastmod_of_sites(never, 1))
    # The last one was made when it was asked for: it changed, and nobody knows when.
    assert kind.tolist() == [DATED, UNCHANGED, CHANGED]
    assert (days[0], age[0]) == (np.inf, 1)
    future = lastmod_visits([3600, 3600], [-1, -1])
    assert set(evidence(future, lastmod_of_sites(future, 1))[0].tolist()) == {UNKNOWN}


def test_visits_without_lastmod_are_not_judged():
    visits = visits_of(np.zeros(1, np.int64), np.zeros(3, np.int64), np.arange(3), np.array([0, 1, 0], np.int8))
    assert (visits.lastmod == NO_TIME).all()
    assert lastmod_of_sites(visits, 1).verdicts == ["none"]
