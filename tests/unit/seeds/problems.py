"""Small problems of seed selection: random ones, and one of the paper's kind."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from seedrank.engines.native import NativeEngine
from seedrank.graph import WebGraph
from seedrank.seeds.coverage import CoverageProblem
from tests.seed_reference import Plain

SCC = Plain(
    8,
    [(0, 1), (1, 0), (1, 2), (2, 3), (3, 4), (4, 2), (4, 5), (6, 7)],
    [1.0, 1.0, 10.0, 1.0, 1.0, 1.0, 1.0, 1.0],
)
"""The components example of docs/algorithms.md §2.7, numbered from 0."""


def problem_of(plain: Plain, hops: int, k: int, *, always: bool = False, **more) -> CoverageProblem:
    source, target = np.array(plain.links, np.int64).reshape(-1, 2).T
    every = np.ones(plain.pages, bool)
    return CoverageProblem(
        NativeEngine(WebGraph.from_links(plain.pages, source, target)),
        np.array(plain.value, float),
        hops,
        np.array([k]),
        candidates=every,
        crawled=every,
        frontier=~every,
        always=always,
        **more,
    )


@st.composite
def cases(draw):
    pages = draw(st.integers(1, 9))
    page = st.integers(0, pages - 1)
    links = draw(st.lists(st.tuples(page, page), max_size=24))
    # Few distinct values, so that ties are common; signs mixed half of the time.
    values = draw(st.sampled_from([[0, 1], [1, 2, 0.1], [-10, -1, 0, 1, 10], [-1, 1]]))
    value = draw(st.lists(st.sampled_from(values), min_size=pages, max_size=pages))
    return Plain(pages, links, [float(v) for v in value])
