"""Every primitive of every engine against the slow reference, and against networkx where it has one."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import strategies as st

from seedrank.engines.base import LinkSet
from tests.engines import reference
from tests.engines.webs import rngs, webs

dangling_rules = st.sampled_from(["uniform", "teleport", "drop"])
dampings = st.floats(0.05, 0.95)


def as_networkx(web):
    graph = nx.DiGraph()
    graph.add_nodes_from(range(web.pages))
    graph.add_edges_from(web.links)
    return graph


def weights(rng, pages):
    """Negative ones, zeros and ties among them."""
    return rng.integers(-4, 5, pages) * rng.choice([0.25, 1.0, 1 / 3], pages)


def test_degrees(case):
    @case.each(web=webs())
    def check(web):
        engine = case.make(web.pages, web.links)
        assert (engine.name, engine.pages, engine.links) == (case.name, web.pages, len(web.links))
        for ours, expected in zip(engine.degrees(), reference.degrees(web.pages, web.links), strict=True):
            assert ours.dtype == np.int32
            np.testing.assert_array_equal(ours, expected)


def test_pagerank(case):
    @case.each(web=webs(), damping=dampings, dangling=dangling_rules, rng=rngs, uniform=st.booleans())
    def check(web, damping, dangling, rng, uniform):
        teleport = None if uniform else rng.integers(0, 3, web.pages).astype(float)
        if teleport is not None and not teleport.any():
            teleport[-1] = 1
        walk = case.make(web.pages, web.links).walk(damping=damping, teleport=teleport, dangling=dangling)
        expected = reference.walk(web.pages, web.links, [(1, None, None)], damping, teleport, dangling)
        case.close("walk", walk.scores, expected)
        assert walk.converged
        assert walk.residual <= 1e-12
        if dangling != "drop":
            assert walk.scores.sum() == pytest.approx(1, abs=1e-10)


def test_pagerank_is_that_of_networkx(case):
    @case.each(web=webs())
    def check(web):
        scores = case.make(web.pages, web.links).walk().scores
        expected = nx.pagerank(as_networkx(web), tol=1e-14, max_iter=1000)
        np.testing.assert_allclose(scores, [expected[page] for page in range(web.pages)], atol=1e-10)


def test_walk_with_sender_factors(case):
    @case.each(web=webs(), damping=dampings, dangling=dangling_rules, rng=rngs)
    def check(web, damping, dangling, rng):
        factor = rng.choice([0, 1e-4, 0.3, 1.0], web.pages)
        walk = case.make(web.pages, web.links).walk([LinkSet(0.9, factor)], damping=damping, dangling=dangling)
        expected = reference.walk(web.pages, web.links, [(0.9, factor, None)], damping, None, dangling)
        case.close("walk", walk.scores, expected)


def test_walk_over_several_link_sets(case):
    @case.each(web=webs(), damping=dampings, dangling=dangling_rules, rng=rngs, own=st.booleans())
    def check(web, damping, dangling, rng, own):
        given = rng.integers(0, web.pages, (2, 2 * web.pages))
        weight = rng.choice([0.5, 1.0, 3.0], 2 * web.pages)
        dense = np.zeros((web.pages, web.pages))
        np.add.at(dense, (given[0], given[1]), weight)
        factor, other = rng.random(web.pages), rng.random(web.pages)
        sets = [LinkSet(0.2, other, (given[0], given[1], weight))]
        expected = [(0.2, other, dense)]
        if own:
            sets.append(LinkSet(0.8, factor))
            expected.append((0.8, factor, None))
        walk = case.make(web.pages, web.links).walk(sets, damping=damping, dangling=dangling)
        case.close("walk", walk.scores, reference.walk(web.pages, web.links, expected, damping, None, dangling))
        assert walk.converged


def test_residual_is_honest(case):
    """The L1 error is at most residual · damping / (1 - damping), whenever the walk stops."""

    @case.each(web=webs(), most=st.integers(1, 12), dangling=dangling_rules, rng=rngs)
    def check(web, most, dangling, rng):
        teleport = rng.random(web.pages)
        walk = case.make(web.pages, web.links).walk(
            teleport=teleport, dangling=dangling, tolerance=1e-9, max_iterations=most
        )
        expected = reference.walk(web.pages, web.links, [(1, None, None)], 0.85, teleport, dangling)
        assert walk.iterations <= most
        assert walk.converged == (walk.residual <= 1e-9)
        assert np.abs(walk.scores - expected).sum() <= walk.residual * 0.85 / 0.15 + 1e-14


def test_hits(case):
    @case.each(web=webs(), iterations=st.integers(1, 60))
    def check(web, iterations):
        hits = case.make(web.pages, web.links).hits(iterations)
        hubs, authorities = reference.hits(web.pages, web.links, iterations)
        case.close("hits", hits.hubs, hubs)
        case.close("hits", hits.authorities, authorities)


def test_hits_finds_the_leading_eigenvectors(case):
    """Where they are unique: all links of one page tell it."""
    links = {(0, 1), (0, 2), (0, 3), (4, 3), (5, 3), (5, 2), (6, 0)}
    hits = case.make(7, links).hits(200)
    a = reference.matrix(7, links)
    for ours, product in ((hits.authorities, a.T @ a), (hits.hubs, a @ a.T)):
        np.testing.assert_allclose(ours, np.abs(np.linalg.eigh(product)[1][:, -1]), atol=1e-9)


def test_components(case):
    @case.each(web=webs())
    def check(web):
        found = case.make(web.pages, web.links).components()
        component, arcs = reference.components(web.pages, web.links)
        assert found.component.tolist() == component
        assert found.component.dtype == np.int32
        assert found.sizes.tolist() == np.bincount(component).tolist()
        assert list(map(tuple, found.arcs.tolist())) == arcs
        parts = list(nx.strongly_connected_components(as_networkx(web)))
        assert sorted(map(sorted, parts)) == sorted(
            np.flatnonzero(found.component == c).tolist() for c in range(len(found.sizes))
        )


def test_levels(case):
    @case.each(web=webs(), hops=st.none() | st.integers(0, 6), rng=rngs)
    def check(web, hops, rng):
        sources = rng.integers(0, web.pages, rng.integers(1, 4))
        found = case.make(web.pages, web.links).bfs_hops(sources, hops)
        assert found.dtype == np.int32
        assert found.tolist() == reference.levels(web.pages, web.links, sources.tolist(), hops)
        if hops is None and len(sources) == 1:
            lengths = nx.single_source_shortest_path_length(as_networkx(web), int(sources[0]))
            assert {page: int(found[page]) for page in np.flatnonzero(found >= 0)} == lengths


def test_no_sources_reach_nothing(case):
    assert case.make(3, {(0, 1)}).bfs_hops(np.array([], int)).tolist() == [-1, -1, -1]


def test_ball_weight(case):
    @case.each(web=webs(), hops=st.integers(0, 6), rng=rngs)
    def check(web, hops, rng):
        engine = case.make(web.pages, web.links)
        weight = weights(rng, web.pages)
        of = rng.integers(0, web.pages, rng.integers(0, 8))
        for pages, expected in ((of, of), (None, range(web.pages))):
            balls = engine.ball_weight(weight, hops, pages)
            case.close("ball_weight", balls, reference.ball_weight(web.pages, web.links, weight, hops, expected))


def test_walk_bound(case):
    """The bound is the reference's up to rounding, and never below a ball, not by one bit."""

    @case.each(web=webs(), hops=st.integers(0, 5), rng=rngs)
    def check(web, hops, rng):
        engine = case.make(web.pages, web.links)
        weight = rng.normal(size=web.pages) * 10.0 ** rng.integers(-8, 9, web.pages)
        bound = engine.walk_bound(weight, hops)
        case.close("walk_bound", bound, reference.walk_bound(web.pages, web.links, weight, hops))
        assert (bound >= engine.ball_weight(weight, hops)).all()
        assert (bound >= reference.ball_weight(web.pages, web.links, weight, hops, range(web.pages))).all()


def test_ball_bound(case):
    """Five standard deviations: of some hundred thousand balls none may weigh more."""

    @case.each(web=webs(), hops=st.integers(0, 5), rng=rngs)
    def check(web, hops, rng):
        weight = rng.normal(size=web.pages) * 10.0 ** rng.integers(-3, 4, web.pages)
        positive = reference.ball_weight(web.pages, web.links, np.maximum(weight, 0), hops, range(web.pages))
        bound = case.make(web.pages, web.links).ball_bound(weight, hops)
        assert (bound >= positive * (1 - 1e-12)).all()


def test_cocitation(case):
    @case.each(web=webs(), cap=st.none() | st.integers(1, 6), rng=rngs, same=st.booleans())
    def check(web, cap, rng, same):
        left = rng.random(web.pages) < 0.7
        right = left if same else rng.random(web.pages) < 0.7
        found = case.make(web.pages, web.links).cocitation(left, right, fan_out_cap=cap)
        triples = np.column_stack((found.source, found.target, found.count)).tolist()
        expected, pages, pairs = reference.cocitation(web.pages, web.links, left, right, cap)
        assert list(map(tuple, triples)) == expected
        assert (found.capped_pages, found.capped_pairs) == (pages, pairs)


def test_harmonic(case):
    @case.each(web=webs())
    def check(web):
        scores, error = case.make(web.pages, web.links).harmonic()
        assert error == 0
        case.close("harmonic", scores, reference.harmonic(web.pages, web.links))
        expected = nx.harmonic_centrality(as_networkx(web))
        case.close("harmonic", scores, np.array([expected[page] for page in range(web.pages)]))


def test_without(case):
    """A view answers as an engine over the links that stay; views of views too."""

    @case.each(web=webs(), rng=rngs)
    def check(web, rng):
        engine = case.make(web.pages, web.links)
        left_out = rng.random(web.pages) < 0.3
        site = rng.integers(-1, 3, web.pages)
        for pages, sites in ((left_out, None), (None, site), (left_out, site), (None, None)):
            view = engine.without(pages=pages, same_site=sites)
            stay = reference.without(web.links, pages, sites)
            assert (view.pages, view.links) == (web.pages, len(stay))
            np.testing.assert_array_equal(np.stack(view.degrees()), np.stack(reference.degrees(web.pages, stay)))
            case.close("hits", view.hits(5).hubs, reference.hits(web.pages, stay, 5)[0])
        twice = engine.without(pages=left_out).without(same_site=site)
        both = reference.without(web.links, left_out, site)
        assert twice.components().component.tolist() == reference.components(web.pages, both)[0]
        assert engine.links == len(web.links)


@pytest.mark.parametrize("pages", [1, 5])
def test_a_graph_without_links(case, pages):
    engine = case.make(pages, set())
    everywhere = np.ones(pages, bool)
    np.testing.assert_allclose(engine.walk().scores, 1 / pages)
    assert not engine.hits().authorities.any()
    assert engine.components().component.tolist() == list(range(pages))
    assert engine.components().arcs.shape == (0, 2)
    assert engine.bfs_hops(np.array([0])).tolist() == [0] + [-1] * (pages - 1)
    np.testing.assert_array_equal(engine.ball_weight(np.ones(pages), 3), 1)
    assert (engine.walk_bound(np.ones(pages), 3) >= 1).all()
    assert len(engine.cocitation(everywhere, everywhere).source) == 0
    assert not engine.harmonic()[0].any()
    assert engine.without(pages=everywhere).links == 0
