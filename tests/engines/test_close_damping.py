"""Walks whose damping is close to 1: they end by their tolerance, against a dense solution, and keep their sum."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import strategies as st

from seedrank.engines.base import LinkSet
from tests.engines import reference
from tests.engines.webs import rngs, webs

rules = st.sampled_from(["uniform", "teleport", "drop"])


def close_dampings(case):
    """GDS takes as many steps as the damping needs, 36,000 at 0.999: minutes on a busy machine."""
    if case.name.startswith("gds"):
        return st.sampled_from([0.951, 0.99]) | st.floats(0.95, 0.99)
    return st.sampled_from([0.951, 0.99, 0.999, 0.9999]) | st.floats(0.95, 0.9999)


def agree(walk, expected, damping):
    """Within the error that a residual of 1e-12 allows."""
    assert walk.converged
    assert walk.residual <= 1e-12
    assert np.abs(walk.scores - expected).sum() <= 2e-12 * damping / (1 - damping) + 1e-12


def trapped(case, damping):
    """0 and 1 link to each other, so each step at damping 0.999 takes off a thousandth of what is missing."""
    links = {(0, 1), (1, 0), (2, 0), (3, 2)}
    walk = case.make(4, links).walk(damping=damping)
    assert walk.converged
    assert walk.scores.sum() == pytest.approx(1, abs=1e-12)
    expected = reference.walk(4, links, [(1, None, None)], damping, None, "uniform")
    np.testing.assert_allclose(walk.scores, expected, atol=1e-9)
    if damping == 0.999:
        np.testing.assert_allclose(walk.scores[:2], [0.49975, 0.49950], atol=1e-5)


def test_a_trapped_walk_keeps_its_sum(case):
    trapped(case, 0.99 if case.name.startswith("gds") else 0.999)


@pytest.mark.deep
def test_a_trapped_walk_of_many_steps_keeps_its_sum(case):
    trapped(case, 0.999)


def test_pagerank_close_to_1(case):
    @case.each(web=webs(), damping=close_dampings(case), dangling=rules, rng=rngs, uniform=st.booleans())
    def check(web, damping, dangling, rng, uniform):
        teleport = None if uniform else rng.integers(0, 3, web.pages).astype(float)
        if teleport is not None and not teleport.any():
            teleport[-1] = 1
        walk = case.make(web.pages, web.links).walk(damping=damping, teleport=teleport, dangling=dangling)
        agree(walk, reference.walk(web.pages, web.links, [(1, None, None)], damping, teleport, dangling), damping)
        if dangling != "drop":
            assert walk.scores.sum() == pytest.approx(1, abs=1e-12)


def test_walks_with_factors_and_given_links_close_to_1(case):
    @case.each(web=webs(), damping=close_dampings(case), dangling=rules, rng=rngs)
    def check(web, damping, dangling, rng):
        given = rng.integers(0, web.pages, (2, 2 * web.pages))
        weight = rng.choice([0.5, 1.0, 3.0], 2 * web.pages)
        dense = np.zeros((web.pages, web.pages))
        np.add.at(dense, (given[0], given[1]), weight)
        factor = rng.choice([0, 0.3, 1.0], web.pages)
        engine = case.make(web.pages, web.links)
        walk = engine.walk([LinkSet(1.0, factor)], damping=damping, dangling=dangling)
        agree(walk, reference.walk(web.pages, web.links, [(1, factor, None)], damping, None, dangling), damping)
        sets = [LinkSet(0.4), LinkSet(0.6, None, (given[0], given[1], weight))]
        walk = engine.walk(sets, damping=damping, dangling=dangling)
        expected = reference.walk(
            web.pages, web.links, [(0.4, None, None), (0.6, None, dense)], damping, None, dangling
        )
        agree(walk, expected, damping)


def test_walks_by_share_close_to_1(case):
    @case.each(web=webs(), damping=close_dampings(case), rng=rngs)
    def check(web, damping, rng):
        shares, factor = np.array([1.0, 0.5, 0.0]), rng.random(web.pages)
        found = case.make(web.pages, web.links).walk_shares(shares, factor, damping=damping)
        for share, scores in zip(shares, found, strict=True):
            expected = reference.walk(web.pages, web.links, [(share, factor, None)], damping, None, "drop")
            assert np.abs(scores - expected).sum() <= 2e-12 / (1 - damping)


def test_a_walk_that_may_not_go_on_says_so(case):
    walk = case.make(4, {(0, 1), (1, 0), (2, 0), (3, 2)}).walk(damping=0.9999, tolerance=1e-15, max_iterations=1)
    assert not walk.converged
