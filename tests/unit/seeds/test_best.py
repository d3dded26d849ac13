"""The best seeds we have: how far the search looks, what it is compared with, and what a shorter look leaves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seedrank.graph import WebGraph
from seedrank.methods.seeds import baselines, graph_methods
from seedrank.methods.seeds.best import (
    best,
    deepest,
    enough,
    estimated_work,
    front_page_scores,
)
from seedrank.methods.seeds.choose import choose
from seedrank.methods.seeds.graph_methods import left_on_the_table
from seedrank.questions.seeds import SeedQuestion
from tests.seed_reference import Plain
from tests.unit.seeds.problems import cases, problem_of, session_of

CHAIN = [(page, page + 1) for page in range(29)]
FAR = Plain(40, [*CHAIN, *((30, page) for page in range(31, 40))], [1.0] * 40)
"""A page with nine links, and a chain that reaches farther than it."""


def asked(plain: Plain, hops: int, k: int, work: float = 1e9, fronts: tuple[int, ...] = ()):
    problem = problem_of(plain, hops, k)
    scores = np.zeros(plain.pages)
    scores[list(fronts)] = 1.0
    return problem, best(problem, np.arange(plain.pages, dtype=float), scores, rng=1, work=work)


def test_exact_greedy_where_its_work_fits():
    problem, found = asked(FAR, 20, 1)
    assert found.winner == "greedy"
    assert found.pages.tolist() == graph_methods.greedy(problem).pages.tolist()
    assert set(found.compared) == {"greedy", "pagerank", "random"}


def test_maxweight_as_deep_as_fits():
    problem = problem_of(FAR, 20, 1)
    works = [estimated_work(problem, depth) for depth in range(2, 21)]
    assert works == sorted(works)
    assert deepest(problem, works[5]) == 7
    assert deepest(problem, 0.0) == 2
    assert "maxweight 2" in asked(FAR, 20, 1, work=0.0)[1].compared


def test_what_people_do_by_hand_wins_where_it_covers_more():
    """Two links ahead the page with nine links weighs the most; the front page of the chain reaches 21 pages."""
    _, found = asked(FAR, 20, 1, work=0.0, fronts=(0,))
    assert found.winner == "front pages"
    assert found.pages.tolist() == [0]
    assert found.compared["maxweight 2"].pages.tolist() == [30]


@settings(max_examples=100)
@given(cases(), st.integers(0, 3), st.integers(1, 4), st.data())
def test_no_method_compared_covers_more(plain, hops, k, data):
    fronts = data.draw(st.lists(st.integers(0, plain.pages - 1), max_size=3, unique=True))
    problem, found = asked(plain, hops, k, fronts=tuple(fronts))
    assert found.total == max(one.total for one in found.compared.values())
    assert found.total >= graph_methods.greedy(problem).total
    assert found.total >= baselines.by_pagerank(problem, np.arange(plain.pages, dtype=float)).total


def test_how_few_are_enough():
    found = graph_methods.greedy(problem_of(Plain(12, [(0, page) for page in range(1, 9)], [1.0] * 12), 1, 4))
    assert found.gain.tolist() == [9.0, 1.0, 1.0, 1.0]
    assert [enough(found, share) for share in (0.5, 0.75, 0.8, 1.0)] == [1, 1, 2, 4]


def test_what_a_shorter_look_leaves():
    problem = problem_of(FAR, 20, 1)
    short, whole = graph_methods.maxweight(problem, 2), graph_methods.greedy(problem)
    assert left_on_the_table(problem, short, 2) == whole.total - short.total == 11
    assert left_on_the_table(problem, whole, 20) == 0


def test_facts_of_a_shorter_look():
    facts = choose(session_of(FAR), SeedQuestion(method="maxweight", hops=20, k=1)).facts
    assert facts["left"] == 11


@settings(max_examples=100)
@given(cases(mixed=True), st.integers(1, 3), st.integers(1, 4))
def test_no_more_is_left_than_greedy_among_all_finds_or_the_bound_allows(plain, hops, k):
    problem = problem_of(plain, hops, k)
    short = graph_methods.maxweight(problem, 1)
    left = left_on_the_table(problem, short, 1)
    assert left >= 0
    if left:
        assert short.total + left <= np.maximum(problem.value, 0).sum() + 1e-9


def test_a_front_page_counts_once_a_host():
    urls = ["http://a.example/", "https://a.example/", "http://a.example/x", "http://b.example/index.html"]
    graph = WebGraph.from_links(
        4, np.array([1, 2]), np.array([2, 0]), urls=urls, host=[0, 0, 0, 1], host_names=["a.example", "b.example"]
    )
    assert front_page_scores(graph, graph.out_degree).tolist() == [0, 3, 0, 1]


def test_work_below_nothing_is_refused():
    with pytest.raises(Exception, match="work"):
        SeedQuestion(work=-1)


def test_sites_one_by_one_are_compared_together():
    group = np.repeat([0, 1], 20).astype(np.int32)
    both = Plain(40, [(0, 1), (0, 2), (20, 21)], [1.0] * 40)
    problem = replace(problem_of(both, 1, 1, group=group), quota=np.array([1, 1]))
    found = best(problem, np.zeros(40), np.zeros(40), rng=1, work=1e9)
    assert found.pages.tolist() == [0, 20]
    assert found.total == 5
