"""RankMass and OPIC from many seeds, with many pages that hand nothing on: seeds rise together, and no order changes.

Seeds are added to at once only where they are few (up to 16 in these tests); beyond that, sums are made in another
order than in the plain references: keys agree in all digits but the last, and orders wherever no two pages hold the
same.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from seedrank.engines.kernels import push as kernel
from seedrank.methods.crawl import policy as policies
from seedrank.methods.crawl import push_orders
from seedrank.methods.crawl.policy import gifts_summed
from seedrank.methods.crawl.simulate import Budget, simulate
from tests.unit.crawl import crawl_reference as plain
from tests.unit.crawl.polite_reference import Pace, push_again
from tests.unit.crawl.small_webs import graph_of

START = 0.15000000000000002
NO_TIE = 1e-11


@pytest.fixture(scope="module", autouse=True)
def few_at_once():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(policies, "SEEDS_AT_ONCE", 16)
        yield


def some_web(number: int) -> tuple[plain.Plain, list[int]]:
    """A web where a third of the pages link nowhere, with weights that make ties unlikely; up to every page a seed."""
    random = np.random.default_rng(number)
    pages = int(random.integers(30, 90))
    ends = random.integers(0, pages, (int(random.integers(2, 5)) * pages, 2))
    leads_on = random.random(pages) < 0.67
    links = {(a, b) for a, b in ends.tolist() if a != b and leads_on[a]}
    weights = dict(zip(sorted(links), random.random(len(links), np.float32).tolist(), strict=True))
    weights |= {link: 0.0 for link in sorted(links) if random.random() < 0.05}
    site = random.integers(0, random.integers(1, 8), pages).tolist()
    status = random.choice([2, 0], pages, p=[0.9, 0.1]).tolist()
    seeds = random.permutation(pages)[: random.integers(17, pages)].tolist()
    return plain.Plain(pages, links, site, status, weights), seeds


webs = st.integers(0, 2**32 - 1).map(some_web)


def falling() -> tuple[plain.Plain, list[int]]:
    """One seed of 192 leads nowhere, and gives twelve times before seeds are brought up to date for their number.

    Keys fall by 10^25 meanwhile: what it gave first would leave no digit of what seeds hold later.
    """
    pages, seeds = 270, list(range(192))
    chain = [0, *range(192, pages)]
    links = set(pairwise(chain)) | {(page, 2 + page % 190) for page in chain[1:]}
    links |= {(seed, 2 + (seed + step) % 190) for seed in seeds[2:] for step in (0, 5)}
    weights = (0.1 + np.random.default_rng(1).random(len(links), np.float32)).tolist()
    return plain.Plain(pages, links, [0] * pages, [2] * pages, dict(zip(sorted(links), weights, strict=True))), seeds


def same(pages: np.ndarray, keys: np.ndarray, expected: list[tuple[int, float]]) -> None:
    assert pages.tolist() == [page for page, _ in expected]
    assert keys == pytest.approx([key for _, key in expected], rel=1e-12, abs=0)


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(webs, st.booleans())
@example(falling(), False)
def test_orders_that_push_again(case, cash: bool) -> None:
    web, seeds = case
    start, damping = (1 / len(seeds), 1.0) if cash else (START / len(seeds), 0.85)
    expected = plain.push_again(web, seeds, start, damping, allowance=push_orders.OPIC_REVISITS if cash else None)
    assume(expected.closest > NO_TIE)
    policy = push_orders.opic(np.array(seeds)) if cash else push_orders.rankmass(np.array(seeds))
    crawl = simulate(graph_of(web), policy, np.array(seeds))
    same(crawl.pages, crawl.scores, expected.order)
    assert crawl.pushes == expected.pushes
    if not cash:
        assert crawl.mass[-1] == pytest.approx(expected.mass, rel=1e-12)
        tighter = expected.mass + sum(expected.residual[page] for page in expected.fetched)
        assert crawl.bound == pytest.approx(tighter, rel=1e-12)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(webs, st.sampled_from([0.5, 0.05, 1e-6]))
def test_rankmass_until_epsilon(case, epsilon: float) -> None:
    web, seeds = case
    expected = plain.push_again(web, seeds, START / len(seeds), 0.85, epsilon=epsilon)
    assume(expected.closest > NO_TIE)
    crawl = simulate(graph_of(web), push_orders.rankmass(np.array(seeds), epsilon=epsilon), np.array(seeds))
    same(crawl.pages, crawl.scores, expected.order)
    assert crawl.pushes == expected.pushes


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(webs, st.sampled_from([0.0, 0.5, 7.0]), st.integers(1, 5), st.booleans())
@example(falling(), 0.0, 3, False)
def test_polite_crawls(case, delay: float, parallel: int, cash: bool) -> None:
    web, seeds = case
    graph, pace = graph_of(web), Pace(delay, parallel, 1.0)
    start, damping = (1 / len(seeds), 1.0) if cash else (START / len(seeds), 0.85)
    allowance = push_orders.OPIC_REVISITS if cash else None
    expected = push_again(web, seeds, start, damping, pace, allowance=allowance)
    assume(expected.closest > NO_TIE)
    policy = push_orders.opic(np.array(seeds)) if cash else push_orders.rankmass(np.array(seeds))
    budget = Budget(host_delay=delay, parallel=parallel, fetch_seconds=1.0, hours=1e9)
    crawl = simulate(graph, policy, np.array(seeds), site=graph.host, budget=budget)
    same(crawl.pages, crawl.scores, [(page, key) for page, key, _ in expected.order])
    assert crawl.times.tolist() == [time for _, _, time in expected.order]
    assert crawl.pushes == expected.pushes
    if not cash:
        assert crawl.mass[-1] == pytest.approx(expected.mass, rel=1e-12)


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(webs, st.sampled_from([0.05, 0.3, 1.0]))
def test_windowed_rankmass(case, window: float) -> None:
    web, seeds = case
    expected, closest = plain.windowed(web, seeds, window, 0.85)
    assume(closest > NO_TIE)
    policy = push_orders.windowed_rankmass(np.array(seeds), web.pages, window=window)
    assert simulate(graph_of(web), policy, np.array(seeds)).pages.tolist() == expected


@settings(max_examples=100, deadline=None)
@given(webs, st.integers(1, 3), st.data())
def test_a_sweep_gives_to_all_seeds(case, slices: int, data) -> None:
    """Any pages in any order, in slices; some seeds are among them, others are not."""
    web, seeds = case
    random = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    held = random.random(web.pages)
    pages = random.permutation(web.pages)[: random.integers(1, web.pages + 1)].astype(np.uint32)
    rows = np.flatnonzero(np.isin(pages, seeds))
    graph = graph_of(web)
    links = kernel.Links(
        graph.out_offsets.astype(np.int64), np.asarray(graph.out_targets).view(np.uint32), graph.weights,
        graph.status.astype(np.int8), np.empty(0, np.int32), np.empty(0, np.int32), np.empty(0, np.float32),
    )  # fmt: skip
    residual, pushed = held.copy(), 0.0
    bounds = np.linspace(0, len(pages), slices + 1).astype(int)
    for first, last in pairwise(bounds):
        pushed += kernel.sweep(
            links, pages, first, last, residual, np.empty(0), 0.85, 0.0, np.array(seeds, np.uint32), rows,
            gifts_summed(len(seeds)),
        )  # fmt: skip
    expected, expected_pushed = held.tolist(), 0.0
    for page in pages.tolist():
        amount, expected[page] = expected[page], 0.0
        expected_pushed += amount
        total = web.strength(page)
        for q in web.out[page] if total else []:
            expected[q] += 0.85 * amount * web.weight(page, q) / total
        for seed in seeds if not total else []:
            expected[seed] += 0.85 * amount / len(seeds)
    assert residual == pytest.approx(expected, rel=1e-11, abs=1e-15)
    assert math.isclose(pushed, expected_pushed, rel_tol=1e-12)
