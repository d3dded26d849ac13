"""Small problems of seed selection: random ones, and one of the paper's kind."""

from __future__ import annotations

from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

import numpy as np
from hypothesis import strategies as st

from seedrank.core.model import Status
from seedrank.engines.native.engine import NativeEngine
from seedrank.graph import WebGraph
from seedrank.graphdb.arrays import ArrayStore
from seedrank.methods.seeds.coverage import CoverageProblem
from seedrank.session import Session
from tests.seed_reference import Plain

SCC = Plain(
    8,
    [(0, 1), (1, 0), (1, 2), (2, 3), (3, 4), (4, 2), (4, 5), (6, 7)],
    [1.0, 1.0, 10.0, 1.0, 1.0, 1.0, 1.0, 1.0],
)
"""The components example of docs/algorithms.md §2.7, numbered from 0."""


def problem_of(plain: Plain, hops: int, k: int, *, always: bool = False, **more) -> CoverageProblem:
    graph = web_of(plain)
    crawled = graph.status == Status.CRAWLED
    return CoverageProblem(
        NativeEngine(graph),
        np.array(plain.value, float),
        hops,
        np.array([k]),
        candidates=crawled,
        crawled=crawled,
        frontier=graph.status == Status.FRONTIER,
        always=always,
        **more,
    )


def web_of(plain: Plain, hosts: list[int] | None = None) -> WebGraph:
    """The same as a graph, with a column ``worth``; `hosts` numbers the host of each page."""
    source, target = np.array(plain.links, np.int64).reshape(-1, 2).T
    names = [] if hosts is None else [f"h{number}.example" for number in range(max(hosts) + 1)]
    return WebGraph.from_links(
        plain.pages, source, target, status=plain.status, columns={"worth": np.array(plain.value, float)},
        host=hosts, host_names=names, urls=[f"http://w.example/{page}" for page in range(plain.pages)],
    )  # fmt: skip


class _Asked(Session):
    """A session whose answers are not kept."""

    def answered(self, question: Any, started: float, ranking: Any, facts: Any, **more: Any) -> Any:
        return SimpleNamespace(ranking=ranking, facts=facts)


def session_of(plain: Plain, hosts: list[int] | None = None) -> Session:
    """What questions about seeds are asked of; answers are not kept."""
    return _Asked(ArrayStore(web_of(plain, hosts), "memory"), engine="native")


def named(pages: Iterable[int]) -> str | None:
    """A list of pages as questions take it."""
    return " ".join(f"http://w.example/{page}" for page in pages) or None


@st.composite
def cases(draw, *, mixed: bool = False):
    """Small graphs; with `mixed`, of pages of every status, of which those not crawled may have links too."""
    pages = draw(st.integers(1, 9))
    page = st.integers(0, pages - 1)
    links = draw(st.lists(st.tuples(page, page), max_size=24))
    # Few distinct values, so that ties are common; signs mixed half of the time.
    values = draw(st.sampled_from([[0, 1], [1, 2, 0.1], [-10, -1, 0, 1, 10], [-1, 1]]))
    value = draw(st.lists(st.sampled_from(values), min_size=pages, max_size=pages))
    status = draw(st.lists(st.sampled_from(Status), min_size=pages, max_size=pages)) if mixed else None
    return Plain(pages, links, [float(v) for v in value], status)
