"""What an answer means for each host, against plain counting."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from seedrank.core.model import Status
from seedrank.graph import WebGraph
from seedrank.methods.host_table import crawl_hosts, frontier_hosts, seed_hosts, starving

NAMES = ["a.example", "b.example", "c.example"]


@st.composite
def webs(draw):
    pages = draw(st.integers(1, 12))
    page = st.integers(0, pages - 1)
    host = draw(st.lists(st.integers(-1, 2), min_size=pages, max_size=pages))
    status = draw(st.lists(st.sampled_from(Status), min_size=pages, max_size=pages))
    empty = np.empty(0, np.int64)
    graph = WebGraph.from_links(pages, empty, empty, status=status, host=host, host_names=NAMES)
    order = draw(st.lists(page, unique=True))
    return graph, host, order, draw(st.lists(page, unique=True)), set(draw(st.lists(page, unique=True)))


@given(webs())
def test_a_crawl_by_host_is_what_counting_says(web):
    graph, host, order, seeds, reachable = web
    flags = np.zeros(graph.pages, bool)
    flags[sorted(reachable)] = True
    seconds = np.arange(len(order)) * 2.5
    table = crawl_hosts(graph, np.array(seeds, np.int64), flags, np.array(order, np.int64), seconds)
    rows = table.to_pylist()
    reached = reachable | set(order)
    of = {number: {page for page in range(graph.pages) if host[page] == number} for number in range(3)}
    for row in rows:
        own = of[NAMES.index(row["host"])]
        places = [place for place, page in enumerate(order, 1) if page in own]
        assert row["seeds"] == len(own & set(seeds))
        assert row["known"] == len(own)
        assert row["reachable"] == len(own & reached)
        assert row["fetched"] == len(places)
        assert row["waiting"] == len(own & (reachable - set(order)))
        assert row["first"] == (places[0] if places else None)
        assert row["last"] == (places[-1] if places else None)
        assert row["first_second"] == ((places[0] - 1) * 2.5 if places else None)
        placed = [page for page in range(graph.pages) if host[page] >= 0]
        all_reached = sum(page in reached for page in placed)
        fair = len(own & reached) * sum(page in order for page in placed) / max(all_reached, 1)
        assert row["starves"] == (fair >= 1 and len(places) < 0.1 * fair)
    sizes = [(row["reachable"], row["known"]) for row in rows]
    assert sizes == sorted(sizes, reverse=True)
    assert {row["host"] for row in rows} == {NAMES[number] for number in range(3) if of[number]}


def web_of_two() -> WebGraph:
    """Twenty crawled pages of a, twenty of b, then twenty of b on the frontier."""
    empty = np.empty(0, np.int64)
    status = [Status.CRAWLED] * 40 + [Status.FRONTIER] * 20
    return WebGraph.from_links(60, empty, empty, status=status, host=[0] * 20 + [1] * 40, host_names=NAMES[:2])


def test_hosts_that_starve_and_have_no_seed():
    graph = web_of_two()
    covered = np.zeros(60, bool)
    covered[:20] = True
    table = seed_hosts(graph, np.array([3]), covered)
    rows = {row["host"]: row for row in table.to_pylist()}
    assert rows["a.example"]["reached"] == 20
    assert rows["a.example"]["first"] == 1
    assert not rows["a.example"]["starves"]
    assert rows["b.example"]["starves"]
    assert starving(table) == {
        "hosts_starving": 1, "hosts_starving_such_as": ["b.example"], "hosts_without_seed": 1
    }  # fmt: skip


def test_the_frontier_by_host():
    rows = frontier_hosts(web_of_two(), np.array([41, 45])).to_pylist()
    assert [(row["host"], row["frontier"], row["chosen"], row["waiting"]) for row in rows] == [
        ("b.example", 20, 2, 18),
        ("a.example", 0, 0, 0),
    ]


def test_pages_without_hosts_have_no_table():
    empty = np.empty(0, np.int64)
    graph = WebGraph.from_links(3, empty, empty, status=[Status.CRAWLED] * 3)
    assert crawl_hosts(graph, empty, np.zeros(3, bool), empty, None) is None
    assert starving(None) == {}
