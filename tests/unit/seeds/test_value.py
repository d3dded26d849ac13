"""What a page is worth, rule by rule."""

from __future__ import annotations

import numpy as np
import pytest

from seedrank.core.errors import GraphError
from seedrank.core.model import Status
from seedrank.engines.native.engine import NativeEngine
from seedrank.graph import WebGraph
from seedrank.methods.seeds.value import PaperRules, column_value, paper_value, uniform_value, unique_rates

C, F, M = Status.CRAWLED, Status.FRONTIER, Status.MISSING


def web(**columns) -> WebGraph:
    """Pages 0 to 3 are crawled; 0 links to two frontier pages and a missing one, 1 (spam) to twelve."""
    status = [C, C, C, C, M] + [F] * 14
    links = [(0, 5), (0, 6), (0, 4), (0, 2)] + [(1, 7 + i) for i in range(12)]
    source, target = np.array(links).T
    return WebGraph.from_links(
        19, source, target, status=np.array(status), host=np.zeros(19, int), host_names=["a.example"], columns=columns
    )


def worth(graph: WebGraph, rules: PaperRules | None = None) -> list[float]:
    uncrawled = NativeEngine(graph).links_into(graph.status == F)
    return paper_value(graph, uncrawled, unique_rates(graph, graph.host), rules)[:5].tolist()


def column(**values) -> np.ndarray:
    array = np.full(19, np.nan)
    for page, value in values.items():
        array[int(page[1:])] = value
    return array


def test_uniform_counts_crawled_pages():
    assert uniform_value(web()).sum() == 4


def test_the_rules_in_their_order():
    graph = web(spam=column(p1=1, p3=1), clicks=column(p2=5, p3=1))
    assert worth(graph) == [1 + 2, -10, 10, 10, 0]


def test_flags_may_be_booleans_and_unlabelled_pages_are_worth_what_clean_ones_are():
    assert worth(web(spam=np.arange(19) == 1)) == [1 + 2, -10, 1, 1, 0]
    assert worth(web(spam=column(p1=1, p2=0))) == [1 + 2, -10, 1, 1, 0]


def test_the_literal_reading_lifts_spam():
    graph = web(spam=column(p1=1))
    assert worth(graph, PaperRules(spam_bonus=True))[1] == -10 + 12
    assert worth(graph)[1] == -10


def test_constants_are_options():
    graph = web(spam=column(p1=1), clicks=column(p2=1))
    assert worth(graph, PaperRules(base=2, spam=-1, clicked=7)) == [4, -1, 7, 2, 0]


def test_unique_rate_of_pages_and_of_history():
    graph = web(unique_rate=column(p0=0.5))
    assert worth(graph)[0] == 2
    rates = unique_rates(web(), web().host, {"a.example": (10, 2), "b.example": (10, 8)})
    assert rates[0] == pytest.approx(0.2)
    pooled = unique_rates(web(), np.full(19, -1), {"b.example": (10, 8)})
    assert pooled[0] == pytest.approx(0.8)
    assert unique_rates(web(), web().host)[0] == 1


def test_a_rate_outside_0_to_1_is_refused():
    with pytest.raises(GraphError, match="unique_rate of page 2"):
        unique_rates(web(unique_rate=column(p2=1.5)), web().host)


def test_a_column_as_it_is():
    graph = web(worth=column(p0=-2.5, p5=4))
    value = column_value(graph, "worth")
    assert (value[0], value[5], value[1]) == (-2.5, 4, 0)
    with pytest.raises(GraphError, match="infinite"):
        column_value(web(worth=column(p0=np.inf)), "worth")
    with pytest.raises(GraphError, match="no page has a value"):
        column_value(web(worth=column()), "worth")
