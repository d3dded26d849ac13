"""Parts of the report: the bow-tie, pictures, links that are safe, cells."""

from __future__ import annotations

from itertools import pairwise
from xml.etree import ElementTree

import networkx as nx
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seedrank.core.sanitize import safe_link
from seedrank.core.tables import sheet_of, show_cell, sort_key
from seedrank.engines.native.engine import NativeEngine
from seedrank.graph import WebGraph
from seedrank.output.report.overview import bow_tie, degree_chart
from seedrank.output.report.picture import core_picture, host_links, host_map


def plain_bow_tie(graph: nx.DiGraph) -> tuple[int, ...]:
    parts = sorted(nx.strongly_connected_components(graph), key=lambda part: (-len(part), min(part)))
    core = parts[0]
    page = next(iter(core))
    out, into = nx.descendants(graph, page) - core, nx.ancestors(graph, page) - core
    near = nx.node_connected_component(graph.to_undirected(), page)
    return len(core), len(into), len(out), len(near - core - out - into), len(graph) - len(near)


@pytest.mark.slow
@given(st.integers(1, 12).flatmap(lambda n: st.tuples(st.just(n), st.lists(st.tuples(*[st.integers(0, n - 1)] * 2)))))
def test_the_bow_tie_equals_networkx(case):
    pages, links = case
    source, target = np.array(links, np.int64).reshape(-1, 2).T
    whole = nx.DiGraph([link for link in links if link[0] != link[1]])
    whole.add_nodes_from(range(pages))
    found = bow_tie(NativeEngine(WebGraph.from_links(pages, source, target)).components())
    assert (found.core, found.into, found.out, found.tendrils, found.apart) == plain_bow_tie(whole)


def test_degrees_are_shares_of_pages_with_at_least_so_many():
    graph = WebGraph.from_links(4, np.array([0, 0, 1]), np.array([1, 2, 2]))
    into, out = degree_chart(graph).series
    assert dict(zip(into.x, into.y, strict=True)) == {1: 50.0, 2: 25.0}
    assert dict(zip(out.x, out.y, strict=True)) == {1: 50.0, 2: 25.0}


def hosts_graph(hosts: int = 15) -> WebGraph:
    """Hosts of 2, 3, … pages; the first page of each links to its second, and to the first of the next larger host."""
    host = np.repeat(np.arange(hosts), np.arange(hosts) + 2)
    first = np.flatnonzero(np.diff(host, prepend=-1)).tolist()
    source = np.array(first[:-1] + first)
    target = np.array(first[1:] + [page + 1 for page in first])
    names = [f"h{n}.<b>.example" for n in range(hosts)]
    return WebGraph.from_links(len(host), source, target, host=host, host_names=names)


def test_the_map_has_the_largest_hosts_and_the_links_between_them():
    graph = hosts_graph()
    hosts, pages, links = host_links(graph)
    assert [graph.host_names[int(host)].as_py() for host in hosts[:2]] == ["h14.<b>.example", "h13.<b>.example"]
    assert pages.tolist() == list(range(16, 4, -1))
    assert links.tolist() == (np.eye(12, dtype=int) + np.eye(12, k=-1, dtype=int)).tolist()
    text = host_map(graph).svg
    assert text == host_map(graph).svg
    assert "<b>" not in text
    root = ElementTree.fromstring(text)
    assert len(list(root.iter("{http://www.w3.org/2000/svg}circle"))) == 12
    assert len(list(root.iter("{http://www.w3.org/2000/svg}path"))) == 11
    assert "12 largest of 15 hosts" in root.get("aria-label")
    assert "(11; 12 more stay inside a host)" in root.get("aria-label")


def test_a_phone_shows_the_hosts_below_one_another():
    root = ElementTree.fromstring(host_map(hosts_graph(), narrow=True).svg)
    assert float(root.get("width")) <= 360
    places = [float(circle.get("cy")) for circle in root.iter("{http://www.w3.org/2000/svg}circle")]
    assert min(after - before for before, after in pairwise(places)) >= 20


def test_one_host_has_no_map():
    assert host_map(hosts_graph(1)) is None


def test_hosts_without_links_between_them_have_a_map():
    none = np.empty(0, int)
    graph = WebGraph.from_links(2, none, none, host=np.arange(2), host_names=["a.example", "b.example"])
    assert "All 2 hosts" in host_map(graph).caption


def test_a_core_has_hubs_left_and_authorities_right():
    graph = WebGraph.from_links(5, np.array([0, 0, 1, 1]), np.array([2, 3, 2, 3]))
    members = pa.table(
        {"n": [1, 1, 1, 1, 2], "role": ["hub", "hub", "authority", "authority", "hub"], "id": [0, 1, 2, 3, 4]}
    )
    root = ElementTree.fromstring(core_picture(graph, members, 1).svg)
    circles = list(root.iter("{http://www.w3.org/2000/svg}circle"))
    assert [float(circle.get("cx")) for circle in circles] == [250, 250, 470, 470]
    [links] = [g for g in root.iter("{http://www.w3.org/2000/svg}g") if g.get("class") == "links"]
    assert len(links) == 4


@pytest.mark.parametrize("url", ["http://a.example/", "HTTPS://a.example/x?y=1&z=%20", "https://[::1]:80/"])
def test_links_that_are_safe(url):
    assert safe_link(url) == url


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)", " javascript:alert(1)", "java\nscript:alert(1)", "data:text/html,x", "//a.example/",
        "file:///etc/passwd", "ftp://a.example/", "http:/a", "https://a.example/\u202e", "https://a.example/ b",
        'https://a.example/"x', "https://a.example/<b>", "", "mailto:a@b",
    ],
)  # fmt: skip
def test_links_that_are_not(url):
    assert safe_link(url) is None


def test_cells_sort_by_their_value():
    table = pa.table({"n": [1234567, None], "id": [17745, 1], "x": [0.5, float("nan")], "b": [True, False]})
    view = sheet_of(table, "c", empty=True)
    shown = [[show_cell(name, value) for name, value in zip(view.names, row, strict=True)] for row in view.rows]
    assert shown == [["1,234,567", "17745", "0.5", "yes"], ["", "1", "", "no"]]
    assert [sort_key(value) for value in view.rows[0]] == ["1234567", "17745", "0.5", None]
    assert sort_key(None) == sort_key(float("nan")) == ""
    assert view.numeric == [True, True, True, False]
