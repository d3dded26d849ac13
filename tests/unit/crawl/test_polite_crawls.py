"""Polite crawls: every order against its plain reference, and links that nobody can know yet are never used."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from seedrank.core.order import rounded
from seedrank.engines.kernels import push as kernel
from seedrank.engines.native.engine import NativeEngine
from seedrank.engines.native.push_walk import push_walk
from seedrank.graph import WebGraph
from seedrank.methods.crawl import push_orders
from seedrank.methods.crawl.methods import CRAWL
from seedrank.methods.crawl.orders import CrawlProblem, policy_of
from seedrank.methods.crawl.policy import Policy
from seedrank.methods.crawl.simulate import Budget, Crawl, simulate
from seedrank.questions.crawl import CrawlQuestion
from tests.unit.crawl import crawl_reference as plain
from tests.unit.crawl.polite_reference import Batch, Pace, polite, push_again
from tests.unit.crawl.small_webs import around, busy_crawls, crawls, found, graph_of

FOREVER = 1e9
RING = plain.Plain(4, {(0, 1), (0, 2), (1, 0), (1, 3), (2, 3), (3, 1), (3, 2)}, [1, 1, 2, 0], [2] * 4)
"""From seeds 0 and 1, mass comes back to page 1 while it is being fetched."""
webs = st.one_of(crawls(hosts_from=0), busy_crawls())
paces = st.builds(Pace, st.sampled_from([0.0, 0.5, 2.0, 30.0]), st.integers(1, 4), st.sampled_from([0.25, 1.0, 3.0]))


def budget_of(pace: Pace, **more) -> Budget:
    return Budget(
        host_delay=pace.delay, parallel=pace.parallel, fetch_seconds=pace.seconds, **{"hours": FOREVER} | more
    )


def timed(crawl: Crawl) -> list[tuple[int, float]]:
    assert crawl.times is not None
    return list(zip(crawl.pages.tolist(), crawl.times.tolist(), strict=True))


def fetches(crawl: Crawl) -> list[tuple[int, float, float]]:
    assert crawl.times is not None
    return list(zip(crawl.pages.tolist(), crawl.scores.tolist(), crawl.times.tolist(), strict=True))


# -- against the references


@pytest.mark.slow
@settings(max_examples=300)
@given(
    webs,
    paces,
    st.sampled_from(["fpr", "backlink", "bfs"]),
    st.sampled_from([None, 1, 2]),
    st.sampled_from([math.inf, 0.003]),
)
def test_orders_that_queue(case, pace: Pace, order: str, cap: int | None, hours: float) -> None:
    web, seeds = case
    graph = graph_of(web)
    zeros = [0.0] * len(seeds)
    follow, start, policy = {
        "fpr": (plain.follow_fpr(web, 20.0, 0.85), [(1 - 0.85) / len(seeds)] * len(seeds),
                push_orders.fpr(np.array(seeds), inter_host_weight=20.0)),
        "backlink": (plain.follow_gain(web, lambda p, q: 1.0), zeros, Policy("backlink", kernel.COUNT)),
        "bfs": (plain.follow_gain(web, lambda p, q: 0.0), zeros, Policy("bfs")),
    }[order]  # fmt: skip
    expected = polite(web, seeds, start, follow, pace, hours=hours, cap=cap or math.inf)
    budget = budget_of(pace, hours=min(hours, FOREVER), per_site=cap)
    assert timed(simulate(graph, policy, np.array(seeds), site=graph.host, budget=budget)) == expected


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(webs, paces, st.booleans())
def test_orders_that_push_again(case, pace: Pace, cash: bool) -> None:
    web, seeds = case
    graph = graph_of(web)
    start, damping = (1 / len(seeds), 1.0) if cash else (0.15000000000000002 / len(seeds), 0.85)
    allowance = push_orders.OPIC_REVISITS if cash else None
    expected = push_again(web, seeds, start, damping, pace, allowance=allowance)
    policy = push_orders.opic(np.array(seeds)) if cash else push_orders.rankmass(np.array(seeds))
    crawl = simulate(graph, policy, np.array(seeds), site=graph.host, budget=budget_of(pace))
    assert fetches(crawl) == expected.order
    if not cash:
        assert crawl.mass[-1] == pytest.approx(expected.mass)
        assert crawl.mass[-1] <= crawl.bound + 1e-12
        assert crawl.bound <= push_walk(graph, trust=np.array(seeds))[crawl.pages].sum() + 1e-9


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(webs, paces, st.sampled_from([0.05, 0.3, 1.0]))
def test_windowed_rankmass(case, pace: Pace, window: float) -> None:
    web, seeds = case
    held = dict.fromkeys(range(web.pages), 0.0) | dict.fromkeys(seeds, (1 - 0.85) / len(seeds))

    def score(ended: list[int], waiting: list[int], running: list[int]) -> list[float]:
        for page in ended:
            amount, held[page] = held[page], 0.0
            for q in web.out[page] or seeds:
                held[q] += 0.85 * amount / len(web.out[page] or seeds)
        return [held[page] for page in waiting]

    batch = Batch(score, lambda waiting: math.ceil(window * len(waiting) - 1e-9))
    follow = plain.follow_gain(web, lambda p, q: 0.0)
    expected = polite(web, seeds, [0.0] * len(seeds), follow, pace, batch=batch)
    graph = graph_of(web)
    policy = push_orders.windowed_rankmass(np.array(seeds), web.pages, window=window)
    crawl = simulate(graph, policy, np.array(seeds), site=graph.host, budget=budget_of(pace))
    assert timed(crawl) == expected
    assert crawl.bound <= push_walk(graph, trust=np.array(seeds))[crawl.pages].sum() + 1e-9


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(webs, paces, st.integers(1, 8), st.sampled_from(["pagerank", "pagerank:partial", "rw", "rw-eg"]),
       st.randoms(use_true_random=False))  # fmt: skip
def test_orders_in_batches(case, pace: Pace, every: int, order: str, random) -> None:
    web, seeds = case
    impact = [random.choice([0.0, 0.0, 1.0, 3.0, 40.0]) for _ in range(web.pages)]

    def score(ended: list[int], waiting: list[int], running: list[int]) -> list[float]:
        if order in ("rw", "rw-eg"):
            scores = plain.impact_scores(web, ended, waiting, impact, 1.0 if order == "rw" else 0.8)
        else:
            scores = plain.pagerank_scores(web, ended, waiting + running, 0.85)[: len(waiting)]
        return rounded(scores).tolist()

    batch = Batch(score, lambda waiting: every)

    def follow(frontier: plain.Frontier, fetched: set[int], page: int, key: float) -> None:
        for q in web.out[page]:
            if q not in frontier.found:
                frontier.add(q, 0.0)
            if order == "pagerank:partial" and q in frontier.key and frontier.found[q] >= batch.mark:
                frontier.key[q] += key / len(web.out[page])

    expected = polite(web, seeds, [0.0] * len(seeds), follow, pace, batch=batch)
    graph = graph_of(web, {"clicks": np.array(impact)})
    name, _, partial = order.partition(":")
    question = CrawlQuestion(order=name, every=str(every), partial=bool(partial))
    policy = policy_of(around(question, graph, seeds))
    assert timed(simulate(graph, policy, np.array(seeds), site=graph.host, budget=budget_of(pace))) == expected


@pytest.mark.slow
@settings(max_examples=100)
@given(
    webs,
    st.sampled_from(["rankmass", "opic", "windowed-rankmass", "pagerank", "l-neighbor", "random"]),
)
def test_one_fetcher_without_delay_is_no_politeness(case, name: str) -> None:
    web, seeds = case
    graph = graph_of(web)

    def order(budget: Budget):
        policy = policy_of(around(CrawlQuestion(order=name, every="2"), graph, seeds))
        return found(simulate(graph, policy, np.array(seeds), site=graph.host, budget=budget))

    assert order(Budget(hours=FOREVER)) == order(Budget())


# -- what cannot be known yet


def run(order: str, web: plain.Plain, seeds: list[int], pace: Pace, ranks: np.ndarray) -> Crawl:
    """A polite crawl; what orders may know beside the links (`omniscient`: all ranks) is given."""
    graph = graph_of(web, {"clicks": np.arange(web.pages) % 5 * 1.0})
    some = CrawlProblem(
        CrawlQuestion(order=order, every="2"),
        graph,
        np.array(seeds, np.uint32),
        lambda: graph.host // 2,
        lambda: ranks,
        lambda: NativeEngine(graph),
    )
    policy = policy_of(some)
    return simulate(graph, policy, np.array(seeds), site=graph.host, budget=budget_of(pace))


@pytest.mark.slow
@pytest.mark.parametrize("order", CRAWL.names)
@settings(max_examples=40, deadline=None)
@given(case=webs, pace=paces)
@example(case=(RING, [0, 1]), pace=Pace(0.5, 3, 1.0))
def test_no_page_is_fetched_before_a_page_that_links_to_it_has_been(order: str, case, pace: Pace) -> None:
    web, seeds = case
    crawl = run(order, web, seeds, pace, push_walk(graph_of(web)))
    ends = {page: second + pace.seconds for page, second in timed(crawl)}
    for page, second in timed(crawl):
        linked_from = [ends[p] for p in ends if page in web.out[p]]
        assert page in seeds or min(linked_from) <= second


@pytest.mark.slow
@pytest.mark.parametrize("order", CRAWL.names)
@settings(max_examples=40, deadline=None)
@given(case=webs, pace=paces, data=st.data())
def test_links_count_for_nothing_before_the_fetch_has_ended(order: str, case, pace: Pace, data) -> None:
    """The same web with other links of one page: until its fetch has ended, the crawls are one."""
    web, seeds = case
    ranks = push_walk(graph_of(web))
    crawl = run(order, web, seeds, pace, ranks)
    page, second = data.draw(st.sampled_from(timed(crawl)))
    assume(web.status[page] == plain.CRAWLED)
    targets = data.draw(st.sets(st.integers(0, web.pages - 1)))
    links = {(a, b) for a, b in web.links if a != page} | {(page, b) for b in targets if b != page}
    other = run(order, plain.Plain(web.pages, links, web.site, web.status), seeds, pace, ranks)
    before = [one for one in fetches(crawl) if one[2] < second + pace.seconds]
    assert [one for one in fetches(other) if one[2] < second + pace.seconds] == before


def test_a_page_is_not_pushed_again_while_it_is_being_fetched() -> None:
    """Page 3 is linked from 1 and 2, whose fetches end at 1.5 and 2: nobody knows it at second 1."""
    graph = graph_of(RING)
    for policy in (push_orders.rankmass(np.array([0, 1])), push_orders.opic(np.array([0, 1]))):
        budget = Budget(host_delay=0.5, parallel=3, fetch_seconds=1)
        crawl = simulate(graph, policy, np.array([0, 1]), site=graph.host, budget=budget)
        assert timed(crawl) == [(0, 0.0), (1, 0.5), (2, 1.0), (3, 1.5)]


def test_a_crawl_goes_on_while_fetches_run() -> None:
    """A chain: nothing waits while the only page known is being fetched, but its links are still to come."""
    graph = WebGraph.from_links(9, np.arange(8), np.arange(1, 9), host=np.arange(9))
    for order in CRAWL.names:
        if order in ("rw", "rw-eg"):
            continue
        epsilon = 0.05 if "epsilon" in CRAWL.method(order).uses else None
        policy = policy_of(around(CrawlQuestion(order=order, every="1", epsilon=epsilon), graph, [0]))
        budget = Budget(parallel=3)
        crawl = simulate(graph, policy, np.array([0]), site=graph.host, budget=budget)
        assert timed(crawl) == [(page, float(page)) for page in range(9)], order


def test_what_is_proved_counts_the_last_fetches() -> None:
    """Two seeds fetched side by side: both are pages of the crawl, and the mass they hold is proved."""
    graph = WebGraph.from_links(2, [0, 1], [1, 0], host=np.arange(2))
    seeds = np.array([0, 1])
    for policy in (push_orders.rankmass(seeds, epsilon=0.01), push_orders.windowed_rankmass(seeds, 2, epsilon=0.01)):
        crawl = simulate(graph, policy, seeds, site=graph.host, budget=Budget(parallel=3))
        assert crawl.bound == pytest.approx(1.0, abs=0.01), policy.name
