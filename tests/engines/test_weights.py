"""Walks and HITS by the weights of links, on every engine; what asks for links alone takes no notice of them."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import strategies as st

from seedrank.engines.base import LinkSet
from seedrank.engines.native.engine import NativeEngine
from seedrank.methods.rank.trust import distrust, trust
from seedrank.methods.seeds import cores
from seedrank.questions.seeds import CoreQuestion
from tests.engines import reference
from tests.engines.webs import farmed_webs, magnitudes, rngs, web_graph, weighted_webs

dangling_rules = st.sampled_from(["uniform", "teleport", "drop"])


def test_pagerank_is_that_of_networkx(case):
    """L1, with weights from 1e-6 to 1e6 as float32."""

    @case.each(web=weighted_webs(weights=magnitudes))
    def check(web):
        graph = nx.DiGraph()
        graph.add_nodes_from(range(web.pages))
        graph.add_weighted_edges_from((a, b, weight) for (a, b), weight in web.links.items())
        expected = nx.pagerank(graph, tol=1e-15, max_iter=1000)
        scores = case.make(web.pages, web.links).walk().scores
        assert np.abs(scores - [expected[page] for page in range(web.pages)]).sum() <= 1e-9


def test_trust_and_distrust_are_those_of_networkx(case):
    """L1, with weights from 1e-6 to 1e6 as float32, farms among the pages."""

    def expected(web, start, turned):
        graph = nx.DiGraph()
        graph.add_nodes_from(range(web.pages))
        links = ((b, a, weight) if turned else (a, b, weight) for (a, b), weight in web.links.items())
        graph.add_weighted_edges_from(links)
        found = nx.pagerank(graph, 0.85, dict(enumerate(start)), tol=1e-15, max_iter=1000)
        return [found[page] for page in range(web.pages)]

    @case.each(web=farmed_webs(), rng=rngs)
    def check(web, rng):
        start = rng.integers(0, 3, web.pages).astype(float)
        start[rng.integers(0, web.pages)] = 1.0
        engine = case.make(web.pages, web.links)
        for method, turned in ((trust, False), (distrust, True)):
            assert np.abs(method(engine, start).scores - expected(web, start, turned)).sum() <= 1e-9


def test_weights_as_they_are_stored(case):
    """Engines agree to 1e-6 also where a weight is no float32."""

    @case.each(web=weighted_webs(weights=st.floats(1e-6, 1e6)))
    def check(web):
        expected = reference.walk(web.pages, web.links, [(1, None, None)], 0.85, None, "teleport")
        case.close("walk by stored weights", case.make(web.pages, web.links).walk().scores, expected)


def test_walk(case):
    @case.each(web=weighted_webs(), damping=st.floats(0.05, 0.95), dangling=dangling_rules, rng=rngs)
    def check(web, damping, dangling, rng):
        teleport = rng.integers(0, 3, web.pages).astype(float)
        teleport[-1] = 1
        factor = rng.choice([0, 1e-4, 0.3, 1.0], web.pages)
        engine = case.make(web.pages, web.links)
        for sets, expected, v in (
            ([LinkSet()], [(1, None, None)], None),
            ([LinkSet()], [(1, None, None)], teleport),
            ([LinkSet(0.9, factor)], [(0.9, factor, None)], teleport),
        ):
            walk = engine.walk(sets, damping=damping, teleport=v, dangling=dangling)
            case.close("walk", walk.scores, reference.walk(web.pages, web.links, expected, damping, v, dangling))
            assert walk.converged


def test_walk_over_own_and_given_links(case):
    @case.each(web=weighted_webs(), dangling=dangling_rules, rng=rngs)
    def check(web, dangling, rng):
        ends, weight = rng.integers(0, web.pages, (2, web.pages)), rng.random(web.pages) + 0.1
        dense = np.zeros((web.pages, web.pages))
        np.add.at(dense, (ends[0], ends[1]), weight)
        factor = rng.random(web.pages)
        sets = [LinkSet(0.7, factor), LinkSet(0.3, None, (ends[0], ends[1], weight))]
        walk = case.make(web.pages, web.links).walk(sets, dangling=dangling)
        expected = [(0.7, factor, None), (0.3, None, dense)]
        case.close("walk", walk.scores, reference.walk(web.pages, web.links, expected, 0.85, None, dangling))


def test_walks_of_several_shares(case):
    @case.each(web=weighted_webs(), rng=rngs)
    def check(web, rng):
        factor = rng.choice([0, 1e-4, 0.3, 1.0], web.pages)
        shares = rng.choice([0, 0.1, 0.5, 1.0], int(rng.integers(0, 8 if case.name == "native" else 3)))
        found = case.make(web.pages, web.links).walk_shares(shares, factor)
        for share, row in zip(shares, found, strict=True):
            expected = reference.walk(web.pages, web.links, [(share, factor, None)], 0.85, None, "drop")
            case.close("walk", row, expected)


def test_residual_is_honest(case):
    @case.each(web=weighted_webs(), most=st.integers(1, 12), dangling=dangling_rules)
    def check(web, most, dangling):
        walk = case.make(web.pages, web.links).walk(dangling=dangling, tolerance=1e-9, max_iterations=most)
        expected = reference.walk(web.pages, web.links, [(1, None, None)], 0.85, None, dangling)
        assert np.abs(walk.scores - expected).sum() <= walk.residual * 0.85 / 0.15 + 1e-13


def test_hits(case):
    @case.each(web=weighted_webs(), iterations=st.integers(1, 30))
    def check(web, iterations):
        hits = case.make(web.pages, web.links).hits(iterations)
        hubs, authorities = reference.hits(web.pages, web.links, iterations)
        case.close("hits", hits.hubs, hubs)
        case.close("hits", hits.authorities, authorities)


def test_views_keep_the_weights(case):
    @case.each(web=weighted_webs(), rng=rngs, ranked=st.booleans())
    def check(web, rng, ranked):
        engine = case.make(web.pages, web.links)
        if ranked:
            engine.hits(1)  # the native engine then copies nothing where pages go
        gone, site = rng.random(web.pages) < 0.3, rng.integers(-1, 3, web.pages)
        for view, links in (
            (engine.without(pages=gone), reference.without(web.links, gone, None)),
            (engine.without(same_site=site), reference.without(web.links, None, site)),
            (engine.without(same_site=site).without(pages=gone), reference.without(web.links, gone, site)),
        ):
            case.close("hits", view.hits(5).hubs, reference.hits(web.pages, links, 5)[0])
            expected = reference.walk(web.pages, links, [(1, None, None)], 0.85, None, "teleport")
            case.close("walk", view.walk().scores, expected)


def test_structure_takes_no_notice_of_weights(case):
    @case.each(web=weighted_webs(), rng=rngs)
    def check(web, rng):
        engine, links = case.make(web.pages, web.links), set(web.links)
        np.testing.assert_array_equal(np.stack(engine.degrees()), np.stack(reference.degrees(web.pages, links)))
        assert engine.components().component.tolist() == reference.components(web.pages, links)[0]
        assert engine.bfs_hops(np.array([0])).tolist() == reference.levels(web.pages, links, [0], None)
        weight = rng.random(web.pages)
        balls = engine.ball_weight(weight, 2)
        case.close("ball_weight", balls, reference.ball_weight(web.pages, links, weight, 2, range(web.pages)))
        flags = rng.random(web.pages) < 0.5
        np.testing.assert_array_equal(engine.links_into(flags), reference.matrix(web.pages, links) @ flags)
        case.close("harmonic", engine.harmonic()[0], reference.harmonic(web.pages, links))
        pairs = engine.cocitation(flags, ~flags)
        triples = np.column_stack((pairs.source, pairs.target, pairs.count)).tolist()
        assert list(map(tuple, triples)) == reference.cocitation(web.pages, links, flags, ~flags, None)[0]


def test_cores(case):
    """The same ones on every engine; none is left when only links of weight 0 are."""

    @case.each(web=weighted_webs(), rng=rngs)
    def check(web, rng):
        graph = web_graph(web.pages, web.links)
        sites = rng.integers(0, 4, web.pages).astype(np.int32)
        question = CoreQuestion(k=5, iterations=8)
        found = [
            [(core.hubs.tolist(), core.authorities.tolist(), core.seed) for core in cores.find(question, *pruned)]
            for pruned in (
                cores.prune(NativeEngine(graph), graph, sites),
                cores.prune(case.make(web.pages, web.links), graph, sites),
            )
        ]
        assert found[0] == found[1]


@pytest.mark.parametrize("weight", [0.0, 1.0, 7.0])
def test_links_of_one_weight(case, weight):
    """All alike they are plain links, of 0 none."""
    links = {(0, 1), (1, 2), (2, 0), (3, 1), (0, 3)}
    engine = case.make(5, dict.fromkeys(links, weight))
    plain = links if weight else set()
    case.close("walk", engine.walk().scores, reference.walk(5, plain, [(1, None, None)], 0.85, None, "teleport"))
    case.close("hits", engine.hits(9).hubs, reference.hits(5, plain, 9)[0])
    assert engine.links == 5
