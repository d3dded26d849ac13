"""Small random webs for crawls, and the same web for the simulator."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from hypothesis import strategies as st

from seedrank.engines.native.engine import NativeEngine
from seedrank.engines.native.push_walk import push_walk
from seedrank.graph import WebGraph
from seedrank.methods.crawl.orders import CrawlProblem
from seedrank.questions.crawl import CrawlQuestion
from tests.unit.crawl import crawl_reference as plain


def graph_of(web: plain.Plain, columns: Mapping[str, np.ndarray] | None = None) -> WebGraph:
    pairs = np.array(sorted(web.links) or np.empty((0, 2)), np.int64).reshape(-1, 2)
    weights = np.array([web.weight(a, b) for a, b in sorted(web.links)]) if web.weights else None
    return WebGraph.from_links(
        web.pages, pairs[:, 0], pairs[:, 1], weights=weights, status=np.array(web.status), host=np.array(web.site),
        host_names="abcd", columns=columns,
    )  # fmt: skip


@st.composite
def crawls(draw: st.DrawFn, hosts_from: int = -1) -> tuple[plain.Plain, list[int]]:
    """A web with hosts (-1 for none), frontier and missing pages, and seeds."""
    pages = draw(st.integers(1, 24))
    page = st.integers(0, pages - 1)
    links = {(a, b) for a, b in draw(st.sets(st.tuples(page, page), max_size=4 * pages)) if a != b}
    site = draw(st.lists(st.integers(hosts_from, 3), min_size=pages, max_size=pages))
    status = draw(st.lists(st.sampled_from([2, 2, 2, 2, 0, 1]), min_size=pages, max_size=pages))
    seeds = draw(st.lists(page, min_size=1, max_size=4, unique=True))
    return plain.Plain(pages, links, site, status), seeds


@st.composite
def weighted_crawls(draw: st.DrawFn, hosts_from: int = -1) -> tuple[plain.Plain, list[int]]:
    """The same with weights, 0 and ties among them; powers of two, so that sums have the same digits in any order."""
    web, seeds = draw(crawls(hosts_from))
    weights = {link: draw(st.sampled_from([0.0, 0.25, 1.0, 2.0, 64.0])) for link in sorted(web.links)}
    return plain.Plain(web.pages, web.links, web.site, web.status, weights), seeds


@st.composite
def busy_crawls(draw: st.DrawFn) -> tuple[plain.Plain, list[int]]:
    """A web of few hosts and many cycles, where several fetches run at a time: `crawls` seldom draws one."""
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    pages = int(random.integers(3, 16))
    ends = random.integers(0, pages, (int(random.integers(1, 4)) * pages, 2)).tolist()
    site = random.integers(0, random.integers(1, 5), pages).tolist()
    status = random.choice([2, 0], pages, p=[0.9, 0.1]).tolist()
    seeds = random.permutation(pages)[: random.integers(1, 4)].tolist()
    return plain.Plain(pages, {(a, b) for a, b in ends if a != b}, site, status), seeds


def found(crawl) -> list[tuple[int, float]]:
    return list(zip(crawl.pages.tolist(), crawl.scores.tolist(), strict=True))


def around(question: CrawlQuestion, graph: WebGraph, seeds: list[int]) -> CrawlProblem:
    return CrawlProblem(
        question,
        graph,
        np.array(seeds, np.uint32),
        lambda: graph.host,
        lambda: push_walk(graph),
        lambda: NativeEngine(graph),
    )
