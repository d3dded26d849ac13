"""Trust, distrust and spam mass against networkx and a dense solve, on random webs and on a farm."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seedrank.engines.native.engine import NativeEngine
from seedrank.methods.rank.trust import distrust, spam_mass, trust
from tests.engines.reference import matrix
from tests.engines.webs import Web, rngs, web_graph, webs

FARM = 40


@st.composite
def farmed(draw: st.DrawFn) -> Web:
    """A web, sometimes with a farm: pages that all link to one target, which links back, and one way in."""
    web = draw(webs(20))
    size = draw(st.integers(0, 12))
    if not size:
        return web
    target = web.pages
    boosters = range(target + 1, target + 1 + size)
    links = web.links | {(page, target) for page in boosters} | {(target, page) for page in boosters}
    if draw(st.booleans()):
        links = links | {(0, target)}
    return Web(web.pages + 1 + size, links)


def engine_of(web: Web) -> NativeEngine:
    return NativeEngine(web_graph(web.pages, web.links))


def chosen(rng: np.random.Generator, pages: int) -> np.ndarray:
    """Weights of a set: many pages outside, different weights inside."""
    weights = rng.integers(0, 3, pages) * rng.choice([1.0, 0.25], pages)
    weights[rng.integers(0, pages)] = 1.0
    return np.asarray(weights)


def personalised(web: Web, links: set[tuple[int, int]], start: np.ndarray, damping: float) -> np.ndarray:
    graph = nx.DiGraph()
    graph.add_nodes_from(range(web.pages))
    graph.add_edges_from(links)
    found = nx.pagerank(graph, damping, dict(enumerate(start)), max_iter=10_000, tol=1e-15)
    return np.array([found[page] for page in range(web.pages)])


@settings(max_examples=100, deadline=None)
@given(web=farmed(), rng=rngs, damping=st.floats(0.1, 0.95))
def test_trust_is_personalised_pagerank_of_networkx(web, rng, damping):
    start = chosen(rng, web.pages)
    found = trust(engine_of(web), start, damping).scores
    assert np.abs(found - personalised(web, web.links, start, damping)).sum() < 1e-9


@settings(max_examples=100, deadline=None)
@given(web=farmed(), rng=rngs, damping=st.floats(0.1, 0.95))
def test_distrust_is_that_of_networkx_on_the_reversed_links(web, rng, damping):
    start = chosen(rng, web.pages)
    found = distrust(engine_of(web), start, damping).scores
    turned = {(b, a) for a, b in web.links}
    assert np.abs(found - personalised(web, turned, start, damping)).sum() < 1e-9


@settings(max_examples=100, deadline=None)
@given(web=farmed(), rng=rngs, damping=st.floats(0.1, 0.95), share=st.floats(0.05, 1.0))
def test_spam_mass_is_that_of_a_dense_solve(web, rng, damping, share):
    start = chosen(rng, web.pages)
    found = spam_mass(engine_of(web), start, damping, share)
    sends = matrix(web.pages, web.links)
    degree = sends.sum(1, keepdims=True)
    sends = np.divide(sends, degree, out=np.zeros_like(sends), where=degree > 0)
    system = np.eye(web.pages) - damping * sends.T
    p = np.linalg.solve(system, (1 - damping) * np.full(web.pages, 1 / web.pages))
    good = np.linalg.solve(system, (1 - damping) * share * start / start.sum())
    np.testing.assert_allclose(found.scores, 1 - good / p, atol=1e-8)
    unit = web.pages / (1 - damping)
    np.testing.assert_allclose(found.columns["mass"], (p - good) * unit, atol=1e-7)
    np.testing.assert_allclose(found.columns["pagerank"], p * unit, atol=1e-7)
    assert sorted(found.ranking().pages.tolist()) == list(range(web.pages))
    assert (found.ranking().scores[:-1] >= found.ranking().scores[1:] - 1e-9).all()


def farm() -> tuple[NativeEngine, np.ndarray, int]:
    """Ten good pages that all link to each other, a target that one of them links to, and its farm."""
    good, target = range(10), 10
    links = {(a, b) for a in good for b in good if a != b} | {(3, target)}
    links |= {(page, target) for page in range(11, 11 + FARM)} | {(target, page) for page in range(11, 11 + FARM)}
    return NativeEngine(web_graph(11 + FARM, links)), (np.arange(11 + FARM) < 10) * 1.0, target


def test_a_farm_has_the_mass_and_little_trust():
    engine, good, target = farm()
    mass = spam_mass(engine, good, good_share=10 / (11 + FARM))
    assert mass.scores[target] > 0.9
    assert mass.scores[:10].max() < 0.01
    trusted = trust(engine, good).scores
    assert trusted[:10].min() > trusted[10:].max()


def test_distrust_finds_who_links_to_the_farm():
    engine, _, target = farm()
    start = np.zeros(engine.pages)
    start[target] = 1
    ranked = distrust(engine, start).scores
    good = ranked[:10]
    assert good[3] == good.max()
    assert good[3] > 2 * np.delete(good, 3).max()


def test_pages_of_little_pagerank_are_left_out_and_ties_go_by_mass():
    engine, good, _ = farm()
    everything = spam_mass(engine, good)
    found = spam_mass(engine, good, min_pagerank=5.0).ranking()
    assert 0 < len(found.pages) < engine.pages
    assert set(found.pages.tolist()) == set(np.flatnonzero(everything.columns["pagerank"] >= 5).tolist())
    # From a page that leads nowhere no trust goes out: all other pages tie at 1.
    lone = NativeEngine(web_graph(5, {(1, 2), (3, 2), (2, 4)}))
    start = np.array([1.0, 0, 0, 0, 0])
    ranked = spam_mass(lone, start).ranking()
    assert ranked.pages.tolist() == [4, 2, 1, 3, 0]
    assert ranked.scores[:4] == pytest.approx(1)
