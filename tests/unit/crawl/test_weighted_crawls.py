"""Orders that push by the weights of links, against their plain references; links of weight 0 still lead to pages."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from seedrank.core.order import rounded
from seedrank.engines.kernels import push as kernel
from seedrank.engines.native.engine import NativeEngine
from seedrank.engines.native.push_walk import push_walk
from seedrank.graph import WebGraph
from seedrank.methods.crawl import push_orders
from seedrank.methods.crawl.orders import policy_of
from seedrank.methods.crawl.policy import Policy
from seedrank.methods.crawl.simulate import Budget, simulate
from seedrank.questions.crawl import CrawlQuestion
from tests.unit.crawl import crawl_reference as plain
from tests.unit.crawl.polite_reference import Pace, polite, push_again
from tests.unit.crawl.small_webs import around, found, graph_of, weighted_crawls

webs = weighted_crawls(hosts_from=0)
START = 0.15000000000000002


def known_links(web: plain.Plain) -> WebGraph:
    """The links that a crawler can see."""
    links = [link for link in sorted(web.links) if web.status[link[0]] == plain.CRAWLED]
    ends = np.array(links or np.empty((0, 2)), np.int64).reshape(-1, 2)
    return WebGraph.from_links(web.pages, *ends.T, weights=np.array([web.weight(a, b) for a, b in links]))


def test_a_heavy_link_goes_first() -> None:
    graph = WebGraph.from_links(4, [0, 0, 0], [1, 2, 3], weights=np.array([1.0, 0.0, 3.0]))
    crawl = simulate(graph, push_orders.fpr(np.array([0])), np.array([0]))
    assert crawl.pages.tolist() == [0, 3, 1, 2]
    assert crawl.scores == pytest.approx([0.15, 0.85 * 0.15 * 3 / 4, 0.85 * 0.15 / 4, 0])


@settings(max_examples=150, deadline=None)
@given(webs, st.sampled_from([1.0, 2.0, 20.0]))
def test_fpr(case, weight: float) -> None:
    web, seeds = case
    start = [START / len(seeds)] * len(seeds)
    expected = plain.crawl(web, seeds, start, plain.follow_fpr(web, weight, 0.85))
    policy = push_orders.fpr(np.array(seeds), inter_host_weight=weight)
    assert found(simulate(graph_of(web), policy, np.array(seeds), site=np.array(web.site, np.int32))) == expected


@settings(max_examples=150, deadline=None)
@given(webs, st.booleans())
def test_orders_that_push_again(case, cash: bool) -> None:
    web, seeds = case
    start, damping = (1 / len(seeds), 1.0) if cash else (START / len(seeds), 0.85)
    allowance = push_orders.OPIC_REVISITS if cash else None
    expected = plain.push_again(web, seeds, start, damping, allowance=allowance)
    policy = push_orders.opic(np.array(seeds)) if cash else push_orders.rankmass(np.array(seeds))
    crawl = simulate(graph_of(web), policy, np.array(seeds))
    assert found(crawl) == expected.order
    if not cash:
        trust = np.zeros(web.pages)
        trust[seeds] = 1
        exact = NativeEngine(known_links(web)).walk(teleport=trust).scores
        assert push_walk(graph_of(web), trust=np.array(seeds)) == pytest.approx(exact, abs=1e-11)
        assert crawl.mass[-1] <= crawl.bound + 1e-12 <= exact[crawl.pages].sum() + 1e-9


@settings(max_examples=100, deadline=None)
@given(webs)
def test_pagerank_by_pushing(case) -> None:
    web, _ = case
    graph = graph_of(web)
    assert push_walk(graph) == pytest.approx(NativeEngine(graph).walk().scores, abs=1e-11)


@settings(max_examples=100, deadline=None)
@given(webs, st.sampled_from([0.05, 0.3, 1.0]))
def test_windowed_rankmass(case, window: float) -> None:
    web, seeds = case
    policy = push_orders.windowed_rankmass(np.array(seeds), web.pages, window=window)
    crawl = simulate(graph_of(web), policy, np.array(seeds))
    assert crawl.pages.tolist() == plain.windowed(web, seeds, window, 0.85)[0]


@settings(max_examples=60, deadline=None)
@given(webs, st.integers(1, 5), st.booleans())
def test_pagerank_in_batches(case, every: int, partial: bool) -> None:
    web, seeds = case
    question = CrawlQuestion(order="pagerank", every=str(every), partial=partial)
    crawl = simulate(graph_of(web), policy_of(around(question, graph_of(web), seeds)), np.array(seeds))
    assert crawl.pages.tolist() == plain.batch_pagerank(web, seeds, every, 0.85, partial, rounded)


@settings(max_examples=60, deadline=None)
@given(webs, st.integers(1, 5), st.integers(0, 2**32 - 1), st.sampled_from([1.0, 0.6]))
def test_impact_walks(case, every: int, seed: int, omega: float) -> None:
    web, seeds = case
    assume(any(web.status[p] == plain.CRAWLED for p in range(web.pages)))
    impact = np.random.default_rng(seed).integers(0, 4, web.pages).astype(float)
    graph = graph_of(web, {"clicks": impact})
    question = CrawlQuestion(order="rw-eg", every=str(every), omega=omega)
    crawl = simulate(graph, policy_of(around(question, graph, seeds)), np.array(seeds))
    crawled = np.array(web.status) == plain.CRAWLED
    expected = plain.impact_walk(web, seeds, every, np.where(crawled, impact, 0).tolist(), omega, rounded)
    assert crawl.pages.tolist() == expected


@settings(max_examples=100, deadline=None)
@given(webs, st.sampled_from([0.0, 2.0]), st.integers(1, 4), st.sampled_from(["fpr", "rankmass", "opic"]))
def test_polite_crawls(case, delay: float, parallel: int, order: str) -> None:
    web, seeds = case
    graph, pace = graph_of(web), Pace(delay, parallel, 1.0)
    budget = Budget(host_delay=delay, parallel=parallel, fetch_seconds=1.0, hours=1e9)
    ends = np.array(seeds)
    if order == "fpr":
        follow = plain.follow_fpr(web, 20.0, 0.85)
        expected = polite(web, seeds, [(1 - 0.85) / len(seeds)] * len(seeds), follow, pace)
        policy = push_orders.fpr(ends, inter_host_weight=20.0)
    elif order == "rankmass":
        pushed = push_again(web, seeds, START / len(seeds), 0.85, pace)
        expected, policy = [(page, time) for page, _, time in pushed.order], push_orders.rankmass(ends)
    else:
        pushed = push_again(web, seeds, 1 / len(seeds), 1.0, pace, allowance=push_orders.OPIC_REVISITS)
        expected, policy = [(page, time) for page, _, time in pushed.order], push_orders.opic(ends)
    crawl = simulate(graph, policy, ends, site=graph.host, budget=budget)
    assert list(zip(crawl.pages.tolist(), crawl.times.tolist(), strict=True)) == expected


@settings(max_examples=50, deadline=None)
@given(webs)
def test_orders_that_count_links_take_no_notice(case) -> None:
    web, seeds = case
    counted = Policy("backlink", kernel.COUNT)
    plainly = graph_of(web).unweighted()
    assert found(simulate(graph_of(web), counted, np.array(seeds))) == found(
        simulate(plainly, counted, np.array(seeds))
    )
