"""How hard to look: sketches, tolerance, time limit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from seedrank.engines.native.engine import NativeEngine
from seedrank.graph import WebGraph
from seedrank.methods.seeds import coverage, graph_methods, heaviest
from seedrank.methods.seeds.coverage import CoverageProblem, Search
from tests import seed_reference as reference
from tests.seed_reference import Plain

PAGES = 400


def web(rng: np.random.Generator) -> Plain:
    """Pages in regions of their own, some of them dense: balls differ, and many are large."""
    region = np.sort(rng.integers(0, 8, PAGES))
    links = [
        (int(page), int(target))
        for page in range(PAGES)
        for target in rng.choice(np.flatnonzero(region == region[page]), rng.integers(0, 4))
    ]
    return Plain(PAGES, links, rng.choice([1.0, 1.0, 10.0, -10.0], PAGES).tolist())


def problem_of(plain: Plain, k: int = 5, **search) -> CoverageProblem:
    source, target = np.array(plain.links, np.int64).T
    every = np.ones(plain.pages, bool)
    engine = NativeEngine(WebGraph.from_links(plain.pages, source, target))
    value = np.array(plain.value)
    return CoverageProblem(engine, value, 5, np.array([k]), every, every, ~every, search=Search(**search))


@pytest.mark.slow
@pytest.mark.parametrize("rng", range(5))
def test_sketches_change_nothing(monkeypatch, rng):
    monkeypatch.setattr(NativeEngine, "sketch_from", (3, 2))
    plain = web(np.random.default_rng(rng))
    expected = reference.run(plain, 5, 5, reference.maxweight(5))
    sketched, exact = graph_methods.greedy(problem_of(plain)), graph_methods.greedy(problem_of(plain, sketch=False))
    assert sketched.pages.tolist() == exact.pages.tolist() == expected
    assert sketched.sketched
    assert not exact.sketched


def test_sketches_save_evaluations(monkeypatch):
    monkeypatch.setattr(NativeEngine, "sketch_from", (3, 2))
    monkeypatch.setattr(heaviest, "_FIRST_LARGE_BLOCK", 16)
    plain = web(np.random.default_rng(1))
    with_sketches = graph_methods.greedy(problem_of(plain)).evaluations
    assert with_sketches < graph_methods.greedy(problem_of(plain, sketch=False)).evaluations


@pytest.mark.slow
@pytest.mark.parametrize("rng", range(5))
def test_within_the_tolerance_of_the_best(rng):
    """Each seed's gain is within the tolerance of the best gain at that point, and fewer balls are summed."""
    plain = web(np.random.default_rng(rng))
    selection = graph_methods.greedy(problem_of(plain, tolerance=0.2, sketch=False))
    weight = np.array(plain.value)
    covered: set[int] = set()
    for page, gain in zip(selection.pages.tolist(), selection.gain, strict=True):
        gains = [sum(weight[p] for p in plain.ball(other, 5) - covered) for other in range(PAGES)]
        assert gain >= max(gains) / 1.2 - 1e-9
        covered |= plain.ball(page, 5)
    assert selection.evaluations <= graph_methods.greedy(problem_of(plain, sketch=False)).evaluations


@pytest.mark.slow
def test_after_the_time_limit_the_best_so_far_stands(monkeypatch):
    monkeypatch.setattr(heaviest, "_FIRST_LARGE_BLOCK", 16)
    plain = web(np.random.default_rng(1))
    selection = graph_methods.greedy(problem_of(plain, time_limit=1e-9, sketch=False))
    assert selection.hurried_from == 1
    assert len(selection.pages) == 5
    assert selection.evaluations < graph_methods.greedy(problem_of(plain, sketch=False)).evaluations
    assert graph_methods.greedy(problem_of(plain, time_limit=1000.0)).hurried_from == 0


class SlowEngine:
    """A second to bound every ball, forty to sketch them, and `ball` seconds for each that is summed."""

    def __init__(self, plain: Plain, ball: float) -> None:
        self.now, self.ball = 0.0, ball
        self._engine = problem_of(plain).engine

    def __getattr__(self, name):
        return getattr(self._engine, name)

    def walk_bound(self, weight, hops):
        self.now += 1
        return self._engine.walk_bound(weight, hops)

    def ball_bound(self, weight, hops):
        self.now += 40
        return self._engine.ball_bound(weight, hops)

    def ball_weight(self, weight, hops, pages):
        self.now += self.ball * len(pages)
        return self._engine.ball_weight(weight, hops, pages)


@pytest.mark.slow
@pytest.mark.parametrize("rng", range(5))
@pytest.mark.parametrize("limit", [40, 60])
def test_the_search_ends_within_a_fifth_of_the_limit_and_says_what_is_proven(monkeypatch, rng, limit):
    monkeypatch.setattr(NativeEngine, "sketch_from", (3, 2))
    for name, size in (("_FIRST_LARGE_BLOCK", 16), ("_SWEEP", 8)):
        monkeypatch.setattr(heaviest, name, size)
    plain = web(np.random.default_rng(rng))
    plain.value = [abs(value) for value in plain.value]
    engine = SlowEngine(plain, ball=0.5)
    monkeypatch.setattr(coverage.time, "monotonic", lambda: engine.now)
    exact = graph_methods.greedy(replace(problem_of(plain, k=8), engine=engine))
    assert engine.now > 1.2 * limit
    engine.now = 0.0
    selection = graph_methods.greedy(replace(problem_of(plain, k=8, time_limit=limit), engine=engine))
    assert engine.now <= 1.2 * limit
    assert len(selection.pages) == 8
    assert selection.hurried_from
    proven = selection.hurried_from - 1
    assert selection.pages[:proven].tolist() == exact.pages[:proven].tolist()
    assert selection.covered_value[-1] > 0.7 * exact.covered_value[-1]
