"""Every order against its plain reference, and the worked checks of the papers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seedrank.core.order import rounded
from seedrank.engines.kernels import push as kernel
from seedrank.engines.kernels import push_again
from seedrank.engines.native.engine import NativeEngine
from seedrank.engines.native.push_walk import push_walk
from seedrank.graph import WebGraph
from seedrank.methods.crawl import push_orders
from seedrank.methods.crawl.orders import CrawlProblem, policy_of
from seedrank.methods.crawl.policy import Policy
from seedrank.methods.crawl.simulate import Budget, simulate
from seedrank.questions.crawl import CrawlQuestion
from tests.unit.crawl import crawl_reference as plain
from tests.unit.crawl.small_webs import around, crawls, found, graph_of

pytestmark = pytest.mark.slow

A, B, C, D, E, L, M_ = range(7)
FIGURE_2 = [(A, B), (A, C), (B, D), (B, E), (C, B), (C, E)]


# -- worked checks


def test_fpr_of_the_papers_figure() -> None:
    graph = WebGraph.from_links(5, *zip(*FIGURE_2, strict=True))
    crawl = simulate(graph, push_orders.fpr(np.array([A])), np.array([A]))
    assert crawl.pages.tolist() == [A, B, C, E, D]
    assert crawl.scores == pytest.approx([0.15, 0.06375, 0.06375, 0.0541875, 0.02709375])


@pytest.mark.parametrize(
    ("weight", "order", "score"),
    [
        (1, [A, L, B, D, C, M_, E], None),
        (2, [A, L, D, B, C, E, M_], 0.0425),
        (20, [A, L, D, B, C, E, M_], 0.060714),
        (100, [A, L, D, B, C, E, M_], 0.063119),
    ],
)
def test_fpr_with_a_weight_between_hosts(weight: float, order: list[int], score: float | None) -> None:
    sources, targets = zip(*FIGURE_2, (L, D), (L, M_), strict=True)
    graph = WebGraph.from_links(7, sources, targets, host=np.array([0, 0, 0, 0, 0, 1, 1]))
    seeds = np.array([A, L])
    crawl = simulate(graph, push_orders.fpr(seeds, inter_host_weight=weight), seeds, site=graph.host)
    assert crawl.pages.tolist() == order
    if score is not None:
        assert crawl.scores[order.index(D)] == pytest.approx(score, abs=1e-6)


def test_rankmass_of_the_papers_figure() -> None:
    graph = WebGraph.from_links(5, *zip(*FIGURE_2, strict=True))
    crawl = simulate(graph, push_orders.rankmass(np.array([A]), epsilon=0.05), np.array([A]))
    assert crawl.pages.tolist() == [A, B, C, E, D]
    assert crawl.pushes == 39
    web = plain.Plain(5, set(FIGURE_2), [-1] * 5, [2] * 5)
    assert plain.push_again(web, [A], 0.15, 0.85, epsilon=0.05).mass == pytest.approx(0.9511, abs=1e-4)
    exact = NativeEngine(graph).walk(teleport=np.array([1.0, 0, 0, 0, 0])).scores
    assert exact == pytest.approx([0.36683, 0.22216, 0.1559, 0.09442, 0.16068], abs=1e-5)


def test_hops_of_l_neighbor() -> None:
    assert push_orders.hops(0.85, 0.01) == 28
    for damping, epsilon in [(0.85, 0.5), (0.5, 0.25), (0.9, 0.999), (0.99, 0.001)]:
        hops = push_orders.hops(damping, epsilon)
        assert damping ** (hops + 1) <= epsilon
        assert hops == 0 or damping**hops > epsilon


# -- random graphs


@pytest.mark.slow
@settings(max_examples=300)
@given(crawls(), st.sampled_from([1.0, 2.0, 20.0, 0.5]), st.sampled_from([0.85, 0.5]))
def test_fpr(case, weight: float, damping: float) -> None:
    web, seeds = case
    graph = graph_of(web)
    start = [(1 - damping) / len(seeds)] * len(seeds)
    expected = plain.crawl(web, seeds, start, plain.follow_fpr(web, weight, damping))
    policy = push_orders.fpr(np.array(seeds), inter_host_weight=weight, damping=damping)
    site = np.zeros(web.pages, np.int32) if max(web.site) < 0 else graph.host
    if max(web.site) < 0:
        weight = 1.0
        policy = push_orders.fpr(np.array(seeds), damping=damping)
        expected = plain.crawl(web, seeds, start, plain.follow_fpr(web, 1.0, damping))
    assert found(simulate(graph, policy, np.array(seeds), site=site)) == expected


@pytest.mark.slow
@settings(max_examples=300)
@given(crawls())
def test_rankmass_and_its_bounds(case) -> None:
    web, seeds = case
    graph = graph_of(web)
    start = 0.15000000000000002 / len(seeds)
    expected = plain.push_again(web, seeds, start, 0.85)
    crawl = simulate(graph, push_orders.rankmass(np.array(seeds)), np.array(seeds))
    assert found(crawl) == expected.order
    assert crawl.mass[-1] == pytest.approx(expected.mass)
    # The mass pushed is a lower bound of the personalised PageRank of what is fetched, and so is the tighter one.
    trust = np.zeros(web.pages)
    trust[seeds] = 1
    links = [(a, b) for a, b in web.links if web.status[a] == 2]
    known = WebGraph.from_links(web.pages, *np.array(links or np.empty((0, 2), int), int).reshape(-1, 2).T)
    exact = NativeEngine(known).walk(teleport=trust).scores
    assert push_walk(graph, trust=np.array(seeds)) == pytest.approx(exact, abs=1e-11)
    reached = exact[crawl.pages].sum()
    assert crawl.mass[-1] <= crawl.bound + 1e-12 <= reached + 1e-9
    tighter = expected.mass + sum(expected.residual[p] for p in expected.fetched)
    assert crawl.bound == pytest.approx(tighter)


@settings(max_examples=100)
@given(crawls(), st.sampled_from([0.5, 0.05, 0.3]))
def test_rankmass_until_epsilon(case, epsilon: float) -> None:
    web, seeds = case
    expected = plain.push_again(web, seeds, 0.15000000000000002 / len(seeds), 0.85, epsilon=epsilon)
    crawl = simulate(graph_of(web), push_orders.rankmass(np.array(seeds), epsilon=epsilon), np.array(seeds))
    assert found(crawl) == expected.order
    assert crawl.pushes == expected.pushes


@pytest.mark.slow
@settings(max_examples=300)
@given(crawls())
def test_opic_keeps_all_cash(case) -> None:
    web, seeds = case
    expected = plain.push_again(web, seeds, 1 / len(seeds), 1.0, allowance=push_orders.OPIC_REVISITS)
    simulation = simulate_with_queue(graph_of(web), push_orders.opic(np.array(seeds)), seeds)
    assert found(simulation[0]) == expected.order
    queue = simulation[1]
    push_again.settle(queue)
    ends = queue.tallies[[kernel.END, kernel.AGAIN_END, kernel.SEEDS_END, kernel.SEEDS_AGAIN_END]]
    heaps = queue.heap, queue.again, queue.seeds, queue.seeds_again
    cash = sum(heap.keys[::2][3:end].sum() for heap, end in zip(heaps, ends, strict=True))
    # Each push rounds its shares: at most half an ulp of 1 for every link it follows.
    assert cash == pytest.approx(1.0, abs=2e-16 * (simulation[0].pushes + 1) * web.pages)


def simulate_with_queue(graph: WebGraph, policy: Policy, seeds: list[int]):
    from seedrank.core.progress import silent
    from seedrank.methods.crawl.simulate import _Simulation

    simulation = _Simulation(graph, policy, np.array(seeds, np.uint32), None, Budget())
    return simulation.run(silent), simulation.queue


@pytest.mark.slow
@settings(max_examples=300)
@given(crawls(), st.sampled_from([0.05, 0.2, 0.5, 1.0]))
def test_windowed_rankmass(case, window: float) -> None:
    web, seeds = case
    policy = push_orders.windowed_rankmass(np.array(seeds), web.pages, window=window)
    crawl = simulate(graph_of(web), policy, np.array(seeds))
    assert crawl.pages.tolist() == plain.windowed(web, seeds, window, 0.85)[0]
    assert (np.diff(crawl.mass) >= -1e-15).all()


@pytest.mark.slow
@settings(max_examples=300)
@given(crawls(), st.integers(0, 5))
def test_orders_that_count(case, rng: int) -> None:
    web, seeds = case
    graph, zeros = graph_of(web), [0.0] * len(seeds)

    def order(name: str, **more):
        policy = policy_of(around(CrawlQuestion(order=name, rng=rng, **more), graph, seeds))
        site = graph.host if (graph.host >= 0).any() else np.zeros(web.pages, np.int32)
        return found(simulate(graph, policy, np.array(seeds), site=site))

    assert order("bfs") == plain.crawl(web, seeds, zeros, plain.follow_gain(web, lambda p, q: 0.0))
    assert order("backlink") == plain.crawl(web, seeds, zeros, plain.follow_gain(web, lambda p, q: 1.0))
    if (graph.host >= 0).any():
        expected = plain.crawl(web, seeds, zeros, plain.follow_gain(web, lambda p, q: float(web.differ(p, q))))
        assert order("transdomain") == expected
    final = rounded(push_walk(graph))
    expected = plain.crawl(web, seeds, [final[s] for s in seeds], plain.follow_first(web, lambda q, key: final[q]))
    assert order("omniscient") == expected
    steps = np.random.default_rng(rng).exponential(size=web.pages)
    expected = plain.crawl(
        web, seeds, [-steps[s] for s in seeds], plain.follow_first(web, lambda q, key: key - steps[q])
    )
    assert order("random") == expected
    least = -float(push_orders.hops(0.85, 0.7))
    expected = plain.crawl(
        web, seeds, zeros, plain.follow_first(web, lambda q, key: key - 1 if key - 1 >= least else None)
    )
    assert order("l-neighbor", epsilon=0.7) == expected


@pytest.mark.slow
@settings(max_examples=300)
@given(crawls())
def test_larger_sites_first(case) -> None:
    web, seeds = case
    if max(web.site) < 0:
        web = plain.Plain(web.pages, web.links, [0] * web.pages, web.status)
    graph = graph_of(web)
    crawl = simulate(graph, Policy("larger-sites", by_size=True), np.array(seeds), site=graph.host)
    assert crawl.pages.tolist() == plain.larger_sites(web, seeds)


@pytest.mark.slow
@settings(max_examples=300)
@given(crawls(), st.integers(1, 8), st.booleans())
def test_pagerank_in_batches(case, every: int, partial: bool) -> None:
    web, seeds = case
    graph = graph_of(web)
    policy = policy_of(around(CrawlQuestion(order="pagerank", every=str(every), partial=partial), graph, seeds))
    expected = plain.batch_pagerank(web, seeds, every, 0.85, partial, rounded)
    assert simulate(graph, policy, np.array(seeds)).pages.tolist() == expected


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(crawls(), st.integers(1, 8), st.sampled_from([0.0, 0.3, 1.0]), st.randoms(use_true_random=False))
def test_impact_walks_in_batches(case, every: int, omega: float, random) -> None:
    web, seeds = case
    impact = [random.choice([0.0, 0.0, 1.0, 3.0, 40.0]) for _ in range(web.pages)]
    graph = graph_of(web, {"clicks": np.array(impact)})
    for order, share in (("rw", 1.0), ("rw-eg", omega)):
        policy = policy_of(around(CrawlQuestion(order=order, every=str(every), omega=omega), graph, seeds))
        expected = plain.impact_walk(web, seeds, every, impact, share, rounded)
        assert simulate(graph, policy, np.array(seeds)).pages.tolist() == expected


@settings(max_examples=150)
@given(crawls(), st.integers(1, 3), st.integers(1, 20), st.booleans())
def test_caps_and_limits(case, cap: int, limit: int, by_host: bool) -> None:
    web, seeds = case
    graph = graph_of(web)
    if max(web.site) < 0:
        return
    start = [(1 - 0.85) / len(seeds)] * len(seeds)
    expected = plain.crawl(web, seeds, start, plain.follow_fpr(web, 1.0, 0.85), limit=limit, cap=cap)
    budget = Budget(pages=limit, per_site=cap, hours=1e9 if by_host else None)
    assert (
        found(simulate(graph, push_orders.fpr(np.array(seeds)), np.array(seeds), site=graph.host, budget=budget))
        == expected
    )


@settings(max_examples=150)
@given(crawls(), st.integers(1, 3), st.booleans())
def test_transdomain_is_capped_by_host_like_every_order(case, cap: int, by_host: bool) -> None:
    """Hosts 0 and 1 are one registered domain, 2 and 3 another."""
    web, seeds = case
    if max(web.site) < 0:
        return
    graph = graph_of(web)
    domain = [site // 2 for site in web.site]

    def from_another_domain(p: int, q: int) -> float:
        return float(domain[p] < 0 or domain[p] != domain[q])

    expected = plain.crawl(web, seeds, [0.0] * len(seeds), plain.follow_gain(web, from_another_domain), cap=cap)
    question, own = CrawlQuestion(order="transdomain"), np.array(domain, np.int32)
    some = CrawlProblem(
        question, graph, np.array(seeds, np.uint32), lambda: own, lambda: push_walk(graph), lambda: NativeEngine(graph)
    )
    budget = Budget(per_site=cap, hours=1e9 if by_host else None)
    policy = policy_of(some)
    assert found(simulate(graph, policy, np.array(seeds), site=graph.host, budget=budget)) == expected


@settings(max_examples=100)
@given(crawls())
def test_pagerank_without_transpose(case) -> None:
    web, _ = case
    graph = graph_of(web)
    assert push_walk(graph) == pytest.approx(NativeEngine(graph).walk().scores, abs=1e-11)


def test_bytes() -> None:
    graph = WebGraph.from_links(4, [0, 1, 2], [1, 2, 3], columns={"bytes": np.array([10.0, 20.0, np.nan, 30.0])})
    crawl = simulate(graph, push_orders.fpr(np.array([0])), np.array([0]), budget=Budget(bytes=50))
    assert (crawl.pages.tolist(), crawl.bytes, crawl.stopped) == ([0, 1, 2], 50.0, "the budget is spent")


def test_ctrl_c_leaves_a_partial_order() -> None:
    pages = 2_000
    graph = WebGraph.from_links(pages, np.arange(pages - 1), np.arange(1, pages))

    def interrupt(title, total=None):
        from contextlib import contextmanager

        @contextmanager
        def stage():
            def advance(units: int) -> None:
                seen.append(units)
                if len(seen) == 3:
                    raise KeyboardInterrupt

            yield advance

        return stage()

    seen: list[int] = []
    crawl = simulate(graph, push_orders.fpr(np.array([0])), np.array([0]), progress=interrupt)
    assert crawl.partial
    assert crawl.pages.tolist() == list(range(sum(seen)))
    assert 0 < len(crawl.pages) < pages


def test_keys_below_the_smallest_number_are_still_fetched() -> None:
    """0.85^5000 is 0 in double precision: the chain is followed to its end all the same."""
    pages = 6_000
    graph = WebGraph.from_links(pages, np.arange(pages - 1), np.arange(1, pages))
    for policy in (push_orders.fpr(np.array([0])), push_orders.rankmass(np.array([0]))):
        assert simulate(graph, policy, np.array([0])).pages.tolist() == list(range(pages))
