"""Conditions on pages: `seedrank.graph.filters`."""

from __future__ import annotations

import pytest

from seedrank.core.errors import UsageError
from seedrank.core.model import Status
from seedrank.graph import WebGraph
from seedrank.graph.filters import allowed, matching

GRAPH = WebGraph.from_links(
    4, [0], [1], status=[Status.CRAWLED, Status.FRONTIER, Status.MISSING, Status.CRAWLED], host=[0, 0, 0, -1],
    host_names=["a.example"],
)  # fmt: skip


@pytest.mark.parametrize(
    ("condition", "pages"),
    [
        ("status=crawled", [True, False, False, True]),
        ("status=frontier", [False, True, False, False]),
        ("status!=missing", [True, True, False, True]),
        ("status=*ed", [True, False, False, True]),
        ("status=red", [False] * 4),
        ("host=a.*", [True, True, True, False]),
    ],
)
def test_conditions_on_text(condition, pages):
    assert matching(GRAPH, condition).tolist() == pages
    assert allowed(GRAPH, exclude=[condition]).tolist() == [not page for page in pages]


def test_a_status_is_no_number():
    with pytest.raises(UsageError, match="text is compared with = or !="):
        matching(GRAPH, "status>0")
