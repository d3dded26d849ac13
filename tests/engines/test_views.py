"""Views: every primitive on the links that stay, whichever way the view was made."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import strategies as st

from seedrank.engines.base import LinkSet
from tests.engines import reference
from tests.engines.webs import rngs, webs


def stay(links, left_out=None, same_site=None, between_sites=None):
    kept = reference.without(links, left_out, same_site)
    if between_sites is None:
        return kept
    return {(a, b) for a, b in kept if between_sites[a] == between_sites[b] >= 0}


def turned(links):
    return {(b, a) for a, b in links}


def test_links_into(case):
    @case.each(web=webs(), share=st.sampled_from([0.0, 0.02, 0.5, 0.98, 1.0]), rng=rngs)
    def check(web, share, rng):
        engine = case.make(web.pages, web.links)
        flags = rng.random(web.pages) < share
        site = rng.integers(-1, 3, web.pages)
        for view, links in (
            (engine, web.links),
            (engine.without(same_site=site), stay(web.links, same_site=site)),
            (engine.reversed(), turned(web.links)),
            (engine.without(same_site=site).reversed(), turned(stay(web.links, same_site=site))),
        ):
            found = view.links_into(flags)
            assert found.dtype == np.int32
            np.testing.assert_array_equal(found, reference.matrix(web.pages, links) @ flags)


def test_every_primitive_on_views(case):
    """Filtered from a projection (pages), projected by Cypher (sites), one after the other, and reversed."""

    @case.each(web=webs(), rng=rngs, kind=st.integers(0, 9), hops=st.integers(0, 4))
    def check(web, rng, kind, hops):
        engine = case.make(web.pages, web.links)
        gone = rng.random(web.pages) < rng.choice([0.1, 0.5, 0.9])
        more = rng.random(web.pages) < 0.2
        site, group = rng.integers(-1, 3, web.pages), rng.integers(-1, 2, web.pages)
        view, links = [
            lambda: (engine.without(pages=gone), stay(web.links, gone)),
            lambda: (engine.without(same_site=site), stay(web.links, None, site)),
            lambda: (engine.without(between_sites=group), stay(web.links, None, None, group)),
            lambda: (engine.without(same_site=site).without(pages=gone), stay(web.links, gone, site)),
            lambda: (engine.without(pages=gone).without(pages=more), stay(web.links, gone | more)),
            lambda: (
                engine.without(pages=gone).without(same_site=site, between_sites=group).without(pages=more),
                stay(web.links, gone | more, site, group),
            ),
            lambda: (engine.reversed(), turned(web.links)),
            lambda: (engine.without(pages=gone).reversed(), turned(stay(web.links, gone))),
            lambda: (engine.reversed().without(pages=gone, same_site=site), turned(stay(web.links, gone, site))),
            lambda: (engine.reversed().without(pages=gone).reversed(), stay(web.links, gone)),
        ][kind]()
        pages = web.pages
        assert view.links == len(links)
        np.testing.assert_array_equal(np.stack(view.degrees()), np.stack(reference.degrees(pages, links)))
        teleport = rng.integers(0, 2, pages) + 0.0
        teleport[0] = 1
        for sets, expected, v in (
            ([LinkSet()], [(1, None, None)], None),
            ([LinkSet()], [(1, None, None)], teleport),
            ([LinkSet(0.5)], [(0.5, None, None)], teleport),
        ):
            found = view.walk(sets, teleport=v, dangling="uniform")
            case.close("walk", found.scores, reference.walk(pages, links, expected, 0.85, v, "uniform"))
            assert found.converged
        case.close("hits", view.hits(7).authorities, reference.hits(pages, links, 7)[1])
        component, arcs = reference.components(pages, links)
        parts = view.components()
        assert parts.component.tolist() == component
        assert list(map(tuple, parts.arcs.tolist())) == arcs
        sources = rng.integers(0, pages, 2)
        assert view.bfs_hops(sources, hops).tolist() == reference.levels(pages, links, sources.tolist(), hops)
        weight = rng.normal(size=pages)
        some = rng.integers(0, pages, 5)
        case.close(
            "ball_weight",
            view.ball_weight(weight, hops, some),
            reference.ball_weight(pages, links, weight, hops, some),
        )
        case.close("walk_bound", view.walk_bound(weight, hops), reference.walk_bound(pages, links, weight, hops))
        case.close("harmonic", view.harmonic()[0], reference.harmonic(pages, links))
        left, right = rng.random(pages) < 0.6, rng.random(pages) < 0.6
        pairs = view.cocitation(left, right, fan_out_cap=3)
        triples = np.column_stack((pairs.source, pairs.target, pairs.count)).tolist()
        expected = reference.cocitation(pages, links, left, right, 3)
        assert (list(map(tuple, triples)), pairs.capped_pages, pairs.capped_pairs) == expected


def test_wrong_sites(case):
    from seedrank.core.errors import UsageError

    with pytest.raises(UsageError, match="between_sites: 2 sites for 3 pages"):
        case.make(3, {(0, 1)}).without(between_sites=np.ones(2, int))


def test_any_walk(case):
    """Teleport vectors, factors above 1, several sets and every rule for dangling mass, together."""

    @case.each(
        web=webs(),
        rng=rngs,
        dangling=st.sampled_from(["uniform", "teleport", "drop"]),
        largest=st.sampled_from([0.5, 1.0, 1.1]),
        given=st.booleans(),
    )
    def check(web, rng, dangling, largest, given):
        pages = web.pages
        teleport = rng.random(pages) * rng.integers(0, 2, pages)
        teleport[-1] = 0.5
        factor = rng.choice([0, 1e-6, 0.3, 1.0], pages) * largest
        sets, expected = [LinkSet(0.7, factor)], [(0.7, factor, None)]
        if given:
            ends, weight = rng.integers(0, pages, (2, pages)), rng.random(pages) + 0.1
            dense = np.zeros((pages, pages))
            np.add.at(dense, (ends[0], ends[1]), weight)
            sets.append(LinkSet(0.3, None, (ends[0], ends[1], weight)))
            expected.append((0.3, None, dense))
        else:
            sets.append(LinkSet(0.3, factor))
            expected.append((0.3, factor, None))
        walk = case.make(pages, web.links).walk(sets, teleport=teleport, dangling=dangling)
        case.close("walk", walk.scores, reference.walk(pages, web.links, expected, 0.85, teleport, dangling))
        assert walk.converged
