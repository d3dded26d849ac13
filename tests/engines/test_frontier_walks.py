"""The worked example of docs/algorithms.md §5.10 on every engine, and walks of several shares at once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import strategies as st

from seedrank.core.errors import UsageError
from seedrank.graph import WebGraph
from seedrank.methods.frontier.problem import pose
from seedrank.methods.frontier.scores import Scores
from seedrank.questions.frontier import ScoreOptions
from tests.engines import reference
from tests.engines.reference import Links
from tests.engines.webs import rngs, webs

LINKS: Links = {(0, 1), (1, 4), (1, 5), (2, 4), (2, 5), (2, 6), (3, 4), (3, 5)}
"""Fig. 2 of Tran et al. 2015: page i is v(i+1)."""


def check_problem(case):
    pairs = np.array(sorted(LINKS))
    frontier = np.arange(7) >= 5
    impact = np.array([0, 1, 2, 0, 10, 0, 0], float)
    return pose(WebGraph.from_links(7, *pairs.T), case.make(7, LINKS), ~frontier, frontier, impact)


@pytest.mark.parametrize("virtual", ["df", "dd"])
def test_worked_check_of_rw_eg(case, virtual):
    problem = check_problem(case)
    expected = {1.0: (0.023556, 0.022643), 0.5: (0.029662, 0.024426), 0.1: (0.034058, 0.025689)}
    for omega, scores in expected.items():
        found = Scores(problem, ScoreOptions(omega=omega, virtual=virtual))
        # No two crawled pages share an in-link here, so `dd` walks the same links the long way.
        assert found.of("rw-eg")[5:] == pytest.approx(scores, abs=5e-7)
        links = found.virtual_links
        assert list(zip(links.source, links.target, links.weight, strict=True)) == [(4, 5, 3), (4, 6, 1)]
    assert Scores(problem).of("rw")[5:] == pytest.approx(expected[1.0], abs=5e-7)
    assert Scores(problem).of("pagerank")[5:] == pytest.approx((0.053455, 0.0275), abs=5e-7)
    grid = Scores(problem).rw_eg_grid(list(expected))
    np.testing.assert_allclose(grid, list(expected.values()), atol=5e-7)


def test_walks_of_several_shares(case):
    @case.each(web=webs(), damping=st.floats(0.05, 0.95), rng=rngs)
    def check(web, damping, rng):
        factor = rng.choice([0, 1e-4, 0.3, 1.0], web.pages)
        teleport = rng.integers(0, 3, web.pages).astype(float)
        teleport[-1] = 1
        shares = rng.choice([0, 0.1, 0.5, 0.9, 1.0], int(rng.integers(0, 13 if case.name == "native" else 3)))
        found = case.make(web.pages, web.links).walk_shares(shares, factor, damping=damping, teleport=teleport)
        assert found.shape == (len(shares), web.pages)
        for share, row in zip(shares, found, strict=True):
            expected = reference.walk(web.pages, web.links, [(share, factor, None)], damping, teleport, "drop")
            case.close("walk", row, expected)


def test_shares_that_cannot_be(case):
    engine = case.make(7, LINKS)
    with pytest.raises(UsageError, match="share of a link set"):
        engine.walk_shares(np.array([0.5, 1.5]))
