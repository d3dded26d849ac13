"""Every seed method on every engine, against the plain loops."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import strategies as st

from seedrank.methods.seeds import baselines, graph_methods
from seedrank.methods.seeds.coverage import CoverageProblem
from tests import seed_reference as reference
from tests.engines.webs import webs
from tests.seed_reference import Plain

METHODS = {
    "maxout": (lambda problem: graph_methods.maxout(problem), reference.maxout),
    "maxweight": (lambda problem: graph_methods.maxweight(problem, 2), reference.maxweight(2)),
    "maxscc": (lambda problem: graph_methods.maxscc(problem, 2), reference.maxscc(2)),
    "rootscc": (lambda problem: graph_methods.rootscc(problem, 2), reference.rootscc(2)),
    "greedy": (graph_methods.greedy, reference.maxweight(2)),
}
SIGNED = st.sampled_from([-10.0, -1.0, 0.0, 1.0, 10.0])


def problem_of(engine, value, k) -> CoverageProblem:
    every = np.ones(engine.pages, bool)
    return CoverageProblem(engine, value, 2, np.array([k]), candidates=every, crawled=every, frontier=~every)


@pytest.mark.parametrize("method", METHODS)
def test_equal_to_the_plain_loop(case, method):
    ours, theirs = METHODS[method]

    @case.each(web=webs(), values=st.lists(SIGNED, min_size=30, max_size=30), k=st.integers(1, 4))
    def check(web, values, k):
        pages, links = web.pages, web.links
        plain = Plain(pages, sorted(links), values[:pages])
        selection = ours(problem_of(case.make(pages, links), np.array(values[:pages]), k))
        assert selection.pages.tolist() == reference.run(plain, 2, k, theirs, by_pages=method == "maxout")


def test_most_links_and_highest_pagerank(case):
    @case.each(web=webs(), k=st.integers(1, 4))
    def check(web, k):
        pages, links = web.pages, web.links
        engine = case.make(pages, links)
        out = Plain(pages, sorted(links), [1.0] * pages).out
        by_links = sorted(range(pages), key=lambda page: (-len(out[page]), page))[:k]
        problem = problem_of(engine, np.ones(pages), k)
        assert baselines.by_outdegree(problem).pages.tolist() == by_links
        score = np.array([float(f"{x:.9e}") for x in engine.walk().scores])
        by_score = sorted(range(pages), key=lambda page: (-score[page], page))[:k]
        assert baselines.by_pagerank(problem, engine.walk().scores).pages.tolist() == by_score
