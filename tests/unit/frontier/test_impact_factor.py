"""Impact: transforms, the factor of eq (4), and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from seedrank.core.errors import GraphError, UsageError
from seedrank.engines.native.engine import NativeEngine
from seedrank.graph import WebGraph
from seedrank.methods.frontier.impact import checked_impact, column_impact, impact_factor, transformed
from seedrank.methods.frontier.problem import pose, reveal
from seedrank.methods.frontier.scores import Scores
from seedrank.methods.frontier.trial import hide
from seedrank.questions.frontier import ScoreOptions

CRAWLED = np.array([1, 1, 1, 0], bool)


def test_factor_by_hand():
    factor = impact_factor(np.array([0, 4, 9, 100.0]), CRAWLED, np.array([2, 1, 0, 8]), beta=0.5, epsilon=1)
    np.testing.assert_allclose(factor, [1 / 10 * 1, 5 / 10 * 0.5**0.5, 0, 0])


def test_beta_zero_switches_the_degree_off_also_where_it_is_zero():
    factor = impact_factor(np.array([0, 4, 9, 0.0]), CRAWLED, np.array([2, 1, 0, 0]), epsilon=1)
    np.testing.assert_allclose(factor, [0.1, 0.5, 1, 0])


@pytest.mark.parametrize("transform", ["linear", "log1p", "rank"])
def test_transforms_keep_the_order_and_zero(transform):
    impact = np.array([0, 1, 1, 7, 3000.0])
    found = transformed(impact, np.ones(5, bool), transform)
    assert found[0] == 0
    assert found[1] == found[2] < found[3] < found[4]


def test_rank_is_the_share_of_clicked_pages_with_at_most_as_much():
    found = transformed(np.array([0, 1, 1, 7, 0.0]), np.array([1, 1, 1, 1, 0], bool), "rank")
    np.testing.assert_allclose(found, [0, 2 / 3, 2 / 3, 1, 0])


def test_a_column_with_gaps_and_with_negative_values():
    graph = WebGraph.from_links(3, [0], [1], columns={"clicks": np.array([1.0, np.nan, -2])})
    np.testing.assert_array_equal(column_impact(graph, "clicks", np.array([1, 1, 0], bool)), [1, np.nan, -2])
    np.testing.assert_array_equal(column_impact(graph, "clicks", np.array([1, 0, 0], bool)), [1, 0, -2])
    with pytest.raises(GraphError, match="'clicks' of page 2 is -2"):
        column_impact(graph, "clicks", np.array([1, 1, 1], bool))
    with pytest.raises(GraphError, match="no column 'views'"):
        column_impact(graph, "views", np.ones(3, bool))
    with pytest.raises(GraphError, match="is inf"):
        checked_impact(np.array([np.inf]), "clicks", np.ones(1, bool))


@pytest.mark.parametrize(
    "wrong",
    [{"omega": 1.1}, {"omega": -0.1}, {"damping": 0.0}, {"damping": 1.0}, {"mix": 2}, {"beta": -1}, {"epsilon": -1}],
)
def test_wrong_options(wrong):
    with pytest.raises(UsageError):
        ScoreOptions(**wrong)


def test_all_zero_impact_leaves_pagerank():
    graph = WebGraph.from_links(5, [0, 0, 1, 2], [1, 3, 4, 3])
    frontier = np.array([0, 0, 0, 1, 1], bool)
    scores = Scores(pose(graph, NativeEngine(graph), ~frontier, frontier, np.zeros(5)))
    np.testing.assert_allclose(scores.of("rw"), scores.of("pagerank"), rtol=1e-12)


def test_nothing_crawled_and_no_frontier():
    graph = WebGraph.from_links(2, [0], [1])
    every, none = np.ones(2, bool), np.zeros(2, bool)
    with pytest.raises(GraphError, match="no page is crawled"):
        pose(graph, NativeEngine(graph), none, every, np.zeros(2))
    with pytest.raises(GraphError, match="no page is frontier"):
        pose(graph, NativeEngine(graph), every, none, np.zeros(2))


def test_reveal_keeps_links_of_crawled_pages_only():
    graph = WebGraph.from_links(4, [0, 0, 1, 2, 3], [1, 2, 2, 0, 1])
    known = reveal(graph, np.array([1, 0, 1, 0], bool))
    pairs = np.repeat(np.arange(4), np.diff(known.out_offsets)), known.out_targets
    assert list(zip(*pairs, strict=True)) == [(0, 1), (0, 2), (2, 0)]
    assert reveal(graph, np.ones(4, bool)) is graph


def test_a_page_of_unknown_impact_neither_sends_nor_is_hidden():
    """Blank is not 0: 0 and 2 link to 3; of 2 nobody knows the views."""
    graph = WebGraph.from_links(4, np.array([0, 2, 1, 1]), np.array([3, 3, 0, 2]))
    frontier = np.arange(4) == 3
    problem = pose(graph, NativeEngine(graph), ~frontier, frontier, np.array([5.0, 1.0, np.nan, 9.0]))
    assert problem.unknown.tolist() == [False, False, True, False]
    factor = Scores(problem).factor()
    assert factor[2] == 0 and factor[0] == 1 and 0 < factor[1] < 1
    ring = WebGraph.from_links(20, np.arange(20), (np.arange(20) + 1) % 20)
    every, impact = np.ones(20, bool), np.where(np.arange(20) % 2, 3.0, np.nan)
    assert all((hide(ring, every, ~every, impact, 0.5, rng).pages % 2 == 1).all() for rng in range(5))
