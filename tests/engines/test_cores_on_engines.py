"""Cores on every engine: HITS and the shrinking graph are the engine's, so all find the same ones."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from seedrank.engines.native.engine import NativeEngine
from seedrank.methods.seeds import cores
from seedrank.questions.seeds import CoreQuestion
from tests.engines import reference
from tests.engines.webs import rngs, web_graph, webs

CHECK = {
    *((hub, authority) for hub in (1, 2, 3, 4) for authority in (11, 12, 13)),
    *((5, 13), (5, 14)),
    *((hub, authority) for hub in (21, 22, 23) for authority in (31, 32)),
}


def found(engine, graph, sites, question):
    return [
        (core.hubs.tolist(), core.authorities.tolist(), core.seed)
        for core in cores.find(question, *cores.prune(engine, graph, sites))
    ]


def test_the_check(case):
    engine, graph = case.make(33, CHECK), web_graph(33, CHECK)
    some = found(engine, graph, None, CoreQuestion())
    assert [(set(hubs), set(authorities)) for hubs, authorities, _ in some] == [
        ({1, 2, 3, 4}, {11, 12, 13}),
        ({21, 22, 23}, {31, 32}),
        ({5}, {14}),
    ]


def test_cores_of_random_webs(case):
    rules = st.sampled_from([{}, {"density": 60}, {"literal": True}, {"core": "size", "size": 6}])

    @case.each(web=webs(), rng=rngs, rule=rules, within=st.booleans())
    def check(web, rng, rule, within):
        graph = web_graph(web.pages, web.links)
        sites = None if within else rng.integers(0, 4, web.pages).astype(np.int32)
        # Few iterations: after sixty, sums in another order may have moved a score over the tie rule's last digit.
        question = CoreQuestion(k=5, iterations=8, **rule)
        expected = found(NativeEngine(graph), graph, sites, question)
        assert found(case.make(web.pages, web.links), graph, sites, question) == expected


def test_pages_taken_out_after_hits(case):
    """The native engine then copies nothing until something else than HITS is asked for."""

    @case.each(web=webs(), rng=rngs)
    def check(web, rng):
        engine = case.make(web.pages, web.links)
        engine.hits(1)
        first, second = rng.random((2, web.pages)) < 0.3
        sites = rng.integers(-1, 3, web.pages)
        view = engine.without(pages=first).without(pages=second)
        links = reference.without(web.links, first | second, None)
        assert view.links == len(links)
        hits, (hubs, authorities) = view.hits(7), reference.hits(web.pages, links, 7)
        case.close("hits", hits.hubs, hubs)
        case.close("hits", hits.authorities, authorities)
        np.testing.assert_array_equal(np.stack(view.degrees()), np.stack(reference.degrees(web.pages, links)))
        source = int(rng.integers(web.pages))
        assert view.bfs_hops(np.array([source])).tolist() == reference.levels(web.pages, links, [source], None)
        assert view.without(same_site=sites).links == len(reference.without(links, None, sites))
