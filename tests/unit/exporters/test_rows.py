"""Which pages of a run are handed over."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from seedrank.core.errors import GraphError, UsageError
from seedrank.exporters import text
from seedrank.graph import WebGraph
from tests.unit.exporters.made import CRAWLED, FRONTIER, MISSING, graph, rows

URLS = [f"http://{host}.example/{n}" for n, host in enumerate("aabbc")]
HOSTS = [f"{host}.example" for host in "aabbc"]


def table(found):
    return found.table.to_pylist()


def test_pages_come_in_the_order_of_the_run_with_their_names():
    status = [CRAWLED, FRONTIER, CRAWLED, MISSING, FRONTIER]
    found = rows(URLS, [9, 8, 7, 6, 5], order=[4, 3, 2, 1, 0], status=status, hosts=HOSTS, with_missing=True)
    assert table(found) == [
        {"id": 4, "rank": 1, "url": URLS[4], "host": "c.example", "status": "frontier", "score": 9},
        {"id": 3, "rank": 2, "url": URLS[3], "host": "b.example", "status": "missing", "score": 8},
        {"id": 2, "rank": 3, "url": URLS[2], "host": "b.example", "status": "crawled", "score": 7},
        {"id": 1, "rank": 4, "url": URLS[1], "host": "a.example", "status": "frontier", "score": 6},
        {"id": 0, "rank": 5, "url": URLS[0], "host": "a.example", "status": "crawled", "score": 5},
    ]
    assert found.left_out == {}


def test_missing_pages_are_left_out_and_frontier_pages_are_not():
    found = rows(URLS, status=[MISSING, FRONTIER, CRAWLED, MISSING, FRONTIER])
    assert found.column("rank").to_pylist() == [2, 3, 5]
    assert found.left_out == {"missing": 2}


def test_top_counts_what_is_handed_over():
    found = rows(URLS, status=[MISSING, FRONTIER, CRAWLED, MISSING, FRONTIER], top=2)
    assert found.column("rank").to_pylist() == [2, 3]
    assert found.left_out == {"missing": 1}, "the one behind the last page is nobody's concern"
    assert len(rows(URLS, top=99)) == 5


@pytest.mark.parametrize("top", [None, 1, 2, 3, 9])
def test_pages_are_looked_at_a_few_at_a_time(monkeypatch, top):
    order = [7, 4, 3, 2, 1, 0, 9]
    more = {"order": order, "status": [CRAWLED, MISSING, CRAWLED, MISSING, FRONTIER], "top": top}
    whole = rows(URLS, **more)
    monkeypatch.setattr("seedrank.exporters.rows._AT_ONCE", 2)
    parts = rows(URLS, **more)
    assert table(parts) == table(whole)
    assert parts.left_out == whole.left_out


def test_conditions_choose_pages():
    of_b = rows(URLS, hosts=HOSTS, only=["host=b.*"], exclude=["url=*3"])
    assert of_b.column("url").to_pylist() == [URLS[2]]
    assert of_b.left_out == {}, "what was not asked for is not left out"
    crawled = rows(URLS, status=[CRAWLED, FRONTIER, FRONTIER, CRAWLED, CRAWLED], only=["status=crawled"], top=2)
    assert crawled.column("rank").to_pylist() == [1, 4]


def test_hosts_come_from_urls_where_the_graph_has_none():
    assert rows(["http://a.example:80/x", "https://b.example/"]).column("host").to_pylist() == [
        "a.example",
        "b.example",
    ]


BROKEN = [
    "http://a.example/\tnutch.score=9", "http://a.example/\n+http://b.example/", "http://a.example/ b", "http://a/\x00",
    "http://a/\x1b[2J", "http://a/\x7f", "http://a/\x85", "http://a/\u2028", "http://a/\u00a0", "http://a/\u3000",
    "http://a/\ufffe", "ftp://a.example/", "a.example", "javascript:alert(1)", "", "http://", "# http://a.example/",
]  # fmt: skip


@pytest.mark.parametrize("url", BROKEN)
def test_urls_that_could_break_a_line_are_left_out(url):
    found = rows([url, "http://fine.example/"])
    assert found.column("url").to_pylist() == ["http://fine.example/"]
    assert found.left_out == {"with a URL that has spaces or control characters, or is not http": 1}


@pytest.mark.parametrize(
    "url", ["HTTP://A.EXAMPLE", 'http://a/"', "http://a/\\", "http://ü.example/é", "http://a/&<>'"]
)
def test_other_letters_are_escaped_not_left_out(url):
    assert rows([url]).column("url").to_pylist() == [url]


def test_pages_without_a_url_or_that_are_gone_are_counted():
    found = rows([None, "http://a.example/"], order=[7, 0, 1, 9])
    assert found.column("rank").to_pylist() == [3]
    assert found.left_out == {"no longer in the graph": 2, "without a URL": 1}


def test_nothing_to_hand_over_is_an_error():
    with pytest.raises(UsageError, match=r"no page to hand over: 1 missing, 1 without a URL; check only and exclude"):
        rows([None, "http://a.example/"], status=[CRAWLED, MISSING])
    with pytest.raises(UsageError, match="no page to hand over; check"):
        rows(URLS, only=["url=*none*"])
    with pytest.raises(UsageError, match="1 without a URL"):
        rows([None], web=WebGraph.from_links(1, [], []))
    with pytest.raises(UsageError, match="top must be at least 1"):
        rows(URLS, top=0)
    with pytest.raises(GraphError, match="no pages"):
        rows([], web=graph([]))
    with pytest.raises(UsageError, match="no page to hand over"):
        rows(URLS, [], order=np.array([], int))


@pytest.mark.parametrize(
    ("scores", "falling", "shares"),
    [
        ([8, 4, 4, 2, 0], True, [1, 0.5, 0.5, 0.25, 0]),
        ([4, 2 - 1e-13, 2, 1, 1], True, [1, 0.5, 0.5, 0.25, 0.25]),
        ([1, 2, 3, 4, 5], False, [1, 0.8, 0.6, 0.4, 0.2]),
        ([1, 0, -1, -2, -3], False, [1, 0.8, 0.6, 0.4, 0.2]),
        ([0, 0, 0, 0, 0], False, [1, 0.8, 0.6, 0.4, 0.2]),
        ([np.inf, 4, 3, 2, 1], False, [1, 0.8, 0.6, 0.4, 0.2]),
        ([np.nan, 4, 3, 2, 1], False, [1, 0.8, 0.6, 0.4, 0.2]),
    ],
)
def test_shares_never_rise_along_the_order(scores, falling, shares):
    found = rows(URLS, scores)
    assert found.falling == falling
    assert found.shares() == pytest.approx(shares)
    assert (np.diff(found.shares()) <= 0).all()


def test_a_missing_part_of_a_line_is_an_error_not_a_lost_block():
    with pytest.raises(ValueError, match="1 of 2 lines"):
        text.lines(pa.array(["a", None], pa.large_string()), "!")
