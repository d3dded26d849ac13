"""RW and RW-EG: the worked example of docs/algorithms.md §5.10, and the shortcut against the whole system solved."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seedrank.engines.native.engine import NativeEngine
from seedrank.graph import WebGraph
from seedrank.methods.frontier.problem import pose
from seedrank.methods.frontier.scores import Scores
from seedrank.questions.frontier import ScoreOptions


def check_web():
    """Fig. 2 of the paper: v1..v5 crawled, v6 and v7 frontier; page i is v(i+1)."""
    links = [(0, 1), (1, 4), (1, 5), (2, 4), (2, 5), (2, 6), (3, 4), (3, 5)]
    impact = np.array([0, 1, 2, 0, 10, 0, 0], float)
    frontier = np.array([0, 0, 0, 0, 0, 1, 1], bool)
    return links, impact, frontier


def problem_of(pages, links, impact, frontier, excluded=()):
    pairs = np.array(sorted(links), np.int64).reshape(-1, 2)
    graph = WebGraph.from_links(pages, pairs[:, 0], pairs[:, 1])
    crawled = ~np.asarray(frontier, bool)
    crawled[list(excluded)] = False
    return pose(graph, NativeEngine(graph), crawled, np.asarray(frontier, bool), np.asarray(impact, float))


@pytest.mark.parametrize(
    ("omega", "six", "seven"), [(1, 0.023556, 0.022643), (0.5, 0.029662, 0.024426), (0.1, 0.034058, 0.025689)]
)
def test_worked_check(omega, six, seven):
    links, impact, frontier = check_web()
    scores = Scores(problem_of(7, links, impact, frontier), ScoreOptions(omega=omega))
    found = scores.of("rw-eg")
    assert found[5] == pytest.approx(six, abs=5e-7)
    assert found[6] == pytest.approx(seven, abs=5e-7)
    virtual = scores.virtual_links
    assert list(zip(virtual.source, virtual.target, virtual.weight, strict=True)) == [(4, 5, 3), (4, 6, 1)]
    np.testing.assert_allclose(scores.factor()[:5], [0.0001, 0.10009, 0.20008, 0.0001, 1], atol=5e-6)


def test_pagerank_of_the_worked_check_and_rw_is_omega_one():
    links, impact, frontier = check_web()
    problem = problem_of(7, links, impact, frontier)
    scores = Scores(problem)
    assert scores.of("pagerank")[5:] == pytest.approx([0.053455, 0.0275], abs=5e-7)
    np.testing.assert_allclose(scores.of("rw"), Scores(problem, ScoreOptions(omega=1)).of("rw-eg"), rtol=1e-12)
    assert list(Scores(problem).of("indegree")) == [0, 1, 0, 0, 3, 3, 1]


@st.composite
def situations(draw):
    pages = draw(st.integers(3, 24))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    kind = rng.choice([0, 0, 0, 1, 1, 2], pages)  # crawled, frontier, missing
    kind[0], kind[1] = 0, 1
    pairs = rng.integers(0, pages, (draw(st.integers(0, 5 * pages)), 2))
    links = {(int(a), int(b)) for a, b in pairs if a != b and kind[a] == 0}
    impact = rng.choice([0, 1, 3, 50, 0.5], pages)
    return pages, links, impact, kind


def whole_system(pages, links, impact, kind, *, omega, beta, damping, among_crawled, epsilon=0.001):
    """Eq (10) as it stands: dense matrices over all pages, solved."""
    inside = kind != 2
    crawled, frontier = kind == 0, kind == 1
    a = np.zeros((pages, pages))
    for source, target in links:
        a[source, target] = 1
    shared = a.T @ a
    w = np.where(crawled[:, None] & (frontier | (crawled & among_crawled))[None, :], shared, 0)
    np.fill_diagonal(w, 0)

    def rows(m):
        total = m.sum(1, keepdims=True)
        return np.divide(m, total, out=np.zeros_like(m), where=total > 0)

    raised = np.where(crawled, impact + epsilon, 0)

    def factor(m):
        degree = (m > 0).sum(1) * crawled
        return raised / raised.max() * (degree / max(degree.max(), 1)) ** beta

    v = inside / inside.sum()
    transfer = omega * (rows(a) * factor(a)[:, None]).T + (1 - omega) * (rows(w) * factor(w)[:, None]).T
    return np.linalg.solve(np.eye(pages) - damping * transfer, (1 - damping) * v), w


@pytest.mark.slow
@given(
    situation=situations(),
    omega=st.sampled_from([0.0, 0.1, 0.5, 0.8, 1.0]),
    beta=st.sampled_from([0.0, 0.5, 1.0]),
    damping=st.floats(0.1, 0.95),
    virtual=st.sampled_from(["df", "dd"]),
)
def test_shortcut_is_the_whole_iteration(situation, omega, beta, damping, virtual):
    pages, links, impact, kind = situation
    problem = problem_of(pages, links, impact, kind == 1, np.flatnonzero(kind == 2))
    scores = Scores(problem, ScoreOptions(omega=omega, beta=beta, damping=damping, virtual=virtual))
    expected, w = whole_system(
        pages, links, impact, kind, omega=omega, beta=beta, damping=damping, among_crawled=virtual == "dd"
    )
    np.testing.assert_allclose(scores.of("rw-eg"), expected, atol=2e-11)
    links_found = scores.virtual_links
    dense = np.zeros((pages, pages))
    dense[links_found.source, links_found.target] = links_found.weight
    np.testing.assert_array_equal(dense, w)
    np.testing.assert_allclose(scores.rw_eg_grid([omega])[0], expected[problem.pages], atol=2e-11)


@pytest.mark.slow
@settings(max_examples=40)
@given(situation=situations(), beta=st.sampled_from([0.0, 1.0]))
def test_grid_is_one_by_one(situation, beta):
    pages, links, impact, kind = situation
    problem = problem_of(pages, links, impact, kind == 1, np.flatnonzero(kind == 2))
    omegas = np.round(np.arange(11) * 0.1, 1)
    grid = Scores(problem, ScoreOptions(beta=beta)).rw_eg_grid(omegas)
    for omega, row in zip(omegas, grid, strict=True):
        alone = Scores(problem, ScoreOptions(beta=beta, omega=omega)).of("rw-eg")
        np.testing.assert_allclose(row, alone[problem.pages], atol=2e-12)


@pytest.mark.slow
@given(situation=situations())
def test_pagerank_and_indegree_against_plain_references(situation):
    pages, links, impact, kind = situation
    problem = problem_of(pages, links, impact, kind == 1, np.flatnonzero(kind == 2))
    inside = kind != 2
    x = inside / inside.sum()
    out = {page: [b for a, b in links if a == page] for page in range(pages)}
    for _ in range(400):
        after = [0.15 * float(inside[page]) / inside.sum() for page in range(pages)]
        for source, targets in out.items():
            for target in targets:
                after[target] += 0.85 * x[source] / len(targets)
        x = after
    np.testing.assert_allclose(Scores(problem).of("pagerank"), x, atol=1e-11)
    assert list(Scores(problem).of("indegree")) == [sum(b == page for _, b in links) for page in range(pages)]


def test_random_is_a_permutation_that_the_number_decides():
    links, impact, frontier = check_web()
    problem = problem_of(7, links, impact, frontier)
    first = Scores(problem, ScoreOptions(rng=3)).of("random")
    assert len(np.unique(first)) == 7
    np.testing.assert_array_equal(first, Scores(problem, ScoreOptions(rng=3)).of("random"))
    assert {tuple(Scores(problem, ScoreOptions(rng=n)).ranked("random")) for n in range(20)} == {(5, 6), (6, 5)}
