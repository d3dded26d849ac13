"""Wrong arguments: one line that names the argument, the value and the page, on every engine."""

from __future__ import annotations

import numpy as np
import pytest

from seedrank.core.errors import GraphError, UsageError
from seedrank.engines.base import LinkSet

ONES = np.ones(3)


WRONG = [
    (lambda e: e.walk(damping=0), "damping must be above 0 and below 1, not 0"),
    (lambda e: e.walk(damping=1.0), "damping"),
    (lambda e: e.walk(damping=float("nan")), "damping"),
    (lambda e: e.walk(tolerance=0), "tolerance must be above 0"),
    (lambda e: e.walk(max_iterations=0), "max_iterations must be at least 1, not 0"),
    (lambda e: e.walk(dangling="lost"), "dangling must be uniform, teleport or drop, not 'lost'"),
    (lambda e: e.walk(teleport=np.array([1, np.nan, 1])), "teleport weight of page 1 is nan"),
    (lambda e: e.walk(teleport=np.array([1, 1, -2.5])), "teleport weight of page 2 is -2.5"),
    (lambda e: e.walk(teleport=np.zeros(3)), "every teleport weight is 0"),
    (lambda e: e.walk(teleport=np.ones(4)), "teleport weight: 4 values for 3 pages"),
    (lambda e: e.walk([]), "at least one link set"),
    (lambda e: e.walk([LinkSet(0.7), LinkSet(0.7)]), "sum to 1.4"),
    (lambda e: e.walk([LinkSet(-0.1)]), "share"),
    (lambda e: e.walk([LinkSet(1.0, 2 * ONES)]), "does not converge"),
    (lambda e: e.walk([LinkSet(1.0, np.array([0, np.inf, 0]))]), "factor of page 1 is inf"),
    (lambda e: e.walk([LinkSet(1.0, None, ([0], [3], [1.0]))]), "target of a link: there is no page 3"),
    (lambda e: e.walk([LinkSet(1.0, None, ([0], [1], [0.0]))]), "weight of link 0 is 0.0"),
    (lambda e: e.walk([LinkSet(1.0, None, ([0], [1, 2], [1.0]))]), "1 sources, 2 targets and 1 weights"),
    (lambda e: e.hits(0), "iterations must be at least 1, not 0"),
    (lambda e: e.bfs_hops(np.array([0, 3])), "there is no page 3; page ids go from 0 to 2"),
    (lambda e: e.bfs_hops(np.array([-1])), "there is no page -1"),
    (lambda e: e.bfs_hops(np.array([0.5])), "whole numbers"),
    (lambda e: e.bfs_hops(np.array([0]), -1), "hops must be 0 or more, not -1"),
    (lambda e: e.ball_weight(ONES, -1), "hops must be 0 or more, not -1"),
    (lambda e: e.ball_weight(np.array([1, np.inf, 0]), 1), "weight of page 1 is inf"),
    (lambda e: e.ball_weight(np.ones(2), 1), "weight: 2 values for 3 pages"),
    (lambda e: e.ball_weight(ONES, 1, np.array([7])), "there is no page 7"),
    (lambda e: e.walk_bound(np.array([1, np.nan, 0]), 1), "weight of page 1 is nan"),
    (lambda e: e.cocitation(ONES, ONES > 0), "left must be booleans"),
    (lambda e: e.cocitation(ONES > 0, np.ones(2, bool)), "right: 2 values for 3 pages"),
    (lambda e: e.cocitation(ONES > 0, ONES > 0, fan_out_cap=0), "fan_out_cap must be at least 1"),
    (lambda e: e.without(pages=np.ones(2, bool)), "pages: 2 values for 3 pages"),
    (lambda e: e.without(same_site=np.ones(2, int)), "same_site: 2"),
]


def test_wrong_arguments(case):
    engine = case.make(3, {(0, 1), (1, 2)})
    for call, message in WRONG:
        with pytest.raises(UsageError) as raised:
            call(engine)
        assert message in str(raised.value)
        assert "\n" not in str(raised.value)


def test_an_empty_graph(case):
    with pytest.raises(GraphError, match="no page"):
        case.make(0, set())
