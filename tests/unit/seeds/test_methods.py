"""The seed methods against the plain loops, and the worked examples of the paper."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seedrank.methods.seeds import baselines, graph_methods
from tests import seed_reference as reference
from tests.seed_reference import Plain
from tests.unit.seeds.problems import SCC, cases, problem_of

METHODS = {
    "maxout": (lambda problem, depth: graph_methods.maxout(problem), lambda depth: reference.maxout),
    "maxweight": (graph_methods.maxweight, reference.maxweight),
    "maxscc": (graph_methods.maxscc, reference.maxscc),
    "rootscc": (graph_methods.rootscc, reference.rootscc),
}


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=500)
@given(cases(), st.integers(0, 3), st.integers(0, 3), st.integers(1, 4), st.booleans())
def test_equal_to_the_plain_loop(method, plain, hops, depth, k, always):
    ours, theirs = METHODS[method]
    selection = ours(problem_of(plain, hops, k, always=always), depth)
    expected = reference.run(plain, hops, k, theirs(depth), by_pages=method == "maxout", always=always)
    assert selection.pages.tolist() == expected
    for place in range(len(expected)):
        covered = plain.covered(expected[: place + 1], hops)
        assert selection.covered_pages[place] == len(covered)
        assert selection.covered_value[place] == pytest.approx(sum(plain.value[p] for p in covered))


@pytest.mark.slow
@settings(max_examples=200)
@given(st.lists(cases(), min_size=1, max_size=4), st.integers(0, 2), st.integers(1, 3))
@pytest.mark.parametrize("method", METHODS)
def test_many_sites_at_once_equal_one_by_one(method, sites, hops, k):
    ours, _ = METHODS[method]
    starts = np.cumsum([0, *(site.pages for site in sites)])
    whole = Plain(
        int(starts[-1]),
        [(s + int(at), t + int(at)) for site, at in zip(sites, starts, strict=False) for s, t in site.links],
        [v for site in sites for v in site.value],
    )
    group = np.repeat(np.arange(len(sites)), [site.pages for site in sites]).astype(np.int32)
    together = problem_of(whole, hops, k, group=group)
    object.__setattr__(together, "quota", np.full(len(sites), k))
    selection = ours(together, 2)
    for number, (site, at) in enumerate(zip(sites, starts, strict=False)):
        alone = ours(problem_of(site, hops, k), 2)
        mine = selection.groups == number
        assert (selection.pages[mine] - at).tolist() == alone.pages.tolist()
        assert selection.covered_value[mine].tolist() == pytest.approx(alone.covered_value.tolist())


def test_figure_1():
    links = [(1, t) for t in (3, 4, 5, 6, 11)] + [(2, t) for t in (4, 5, 6, 7)]
    links += [(7, 8), (9, 8), (9, 10), (9, 12), (10, 12)]
    # The paper numbers from 1; page 0 here is alone and worth nothing.
    plain = Plain(13, links, [0.0] + [1.0] * 12)
    outdegree = baselines.by_outdegree(problem_of(plain, 1, 2))
    assert outdegree.pages.tolist() == [1, 2]
    assert outdegree.covered_pages[-1] == 8
    maxout = graph_methods.maxout(problem_of(plain, 1, 2))
    assert maxout.pages.tolist() == [1, 9]
    assert maxout.gain_pages[0] == 6
    assert maxout.covered_pages[-1] == 10


@pytest.mark.parametrize(("method", "expected"), [("maxweight", [2, 4]), ("maxscc", [4, 1]), ("rootscc", [2, 4])])
def test_strong_components(method, expected):
    selection = METHODS[method][0](problem_of(SCC, 2, 2), 2)
    assert (selection.pages + 1).tolist() == expected


def test_rootscc_stops_where_nothing_is_left():
    selection = graph_methods.rootscc(problem_of(SCC, 5, 3), 2)
    assert (selection.pages + 1).tolist() == [2, 7]
    assert selection.stopped


def test_greedy_may_be_far_from_the_best_with_negative_worth():
    """Two hubs share a spam page: each alone is worth -1, both are worth 8, greedy gets 2."""
    links = [(0, page) for page in range(2, 10)] + [(1, page) for page in range(10, 18)] + [(0, 18), (1, 18)]
    plain = Plain(19, links, [1.0] * 18 + [-10.0])
    best = max(plain.worth(list(pair), 1) for pair in itertools.combinations(range(19), 2))
    assert best == 8
    selection = graph_methods.greedy(problem_of(plain, 1, 2))
    assert selection.covered_value[-1] == 2


def test_a_gain_may_rise_once_spam_is_covered():
    links = [(0, page) for page in range(2, 10)] + [(1, page) for page in range(10, 18)] + [(0, 18), (1, 18)]
    plain = Plain(19, links, [1.0] * 18 + [-10.0])
    selection = graph_methods.greedy(problem_of(plain, 1, 1, keep=np.array([0])))
    assert selection.pages.tolist() == [1]
    assert selection.gain.tolist() == [9.0]


def test_what_seeds_in_use_reach_counts_on():
    """Pages, worth and frontier: 0 is in use and reaches 1 and the frontier page 2; 3 adds the frontier page 4."""
    frontier = np.array([False, False, True, False, True])
    plain = Plain(5, [(0, 1), (0, 2), (3, 4)], [1.0, 1.0, 0.0, 1.0, 0.0])
    problem = problem_of(plain, 1, 1, keep=np.array([0]))
    selection = graph_methods.greedy(replace(problem, crawled=~frontier, frontier=frontier, candidates=~frontier))
    assert selection.pages.tolist() == [3]
    assert selection.covered_pages.tolist() == [3]
    assert selection.covered_value.tolist() == [3.0]
    assert selection.frontier_reached.tolist() == [2]


def test_random_draws_candidates_without_replacement():
    plain = Plain(6, [(0, 1)], [1.0] * 6)
    problem = problem_of(plain, 1, 4)
    first, second = baselines.at_random(problem, 1), baselines.at_random(problem, 1)
    assert first.pages.tolist() == second.pages.tolist()
    assert len(set(first.pages.tolist())) == 4
    seen = {tuple(baselines.at_random(problem, rng).pages.tolist()) for rng in range(20)}
    assert len(seen) > 5
