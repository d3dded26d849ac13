"""GEXF and GraphML: pages, the links among them and colours, as networkx reads them."""

from __future__ import annotations

import io
import xml.etree.ElementTree as ET

import networkx as nx
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seedrank.exporters.network import colours, links_among
from tests.unit.exporters.made import FRONTIER, graph, rows, written

URLS = ["http://a.example/?x=1&y=<2>", 'http://b.example/"q"', "http://c.example/é", "http://a.example/4"]
HOSTS = ["a.example", "b.example", "c.example", "a.example"]
LINKS = [(0, 1), (0, 3), (1, 0), (2, 0), (3, 2)]


def read(target, text):
    file = io.BytesIO(text.encode())
    return nx.read_gexf(file) if target == "gexf" else nx.read_graphml(file)


@pytest.mark.parametrize("target", ["gexf", "graphml"])
def test_networkx_reads_the_pages_and_the_links_among_them(target):
    found = rows(URLS, [4, 3, 2.5, 1], order=[0, 2, 3, 1], links=LINKS, hosts=HOSTS, status=[2, 2, FRONTIER, 2], top=3)
    made = read(target, written(target, found))
    assert made.is_directed()
    assert list(made) == ["0", "2", "3"]
    assert set(made.edges()) == {("0", "3"), ("2", "0"), ("3", "2")}
    node = made.nodes["2"]
    assert node["label"] == node["url"] == URLS[2]
    assert (node["host"], node["status"], node["rank"], node["score"]) == ("c.example", "frontier", 2, 3.0)
    assert made.nodes["0"]["label"] == URLS[0]


@pytest.mark.parametrize("target", ["gexf", "graphml"])
def test_links_have_their_weights(target):
    web = graph(URLS, LINKS, hosts=HOSTS, weights=[1, 2.5, 3, 4, 5])
    made = read(target, written(target, rows(URLS, web=web)))
    assert {ends: float(data["weight"]) for *ends, data in made.edges(data=True) for ends in [tuple(ends)]} == {
        ("0", "1"): 1, ("0", "3"): 2.5, ("1", "0"): 3, ("2", "0"): 4, ("3", "2"): 5,
    }  # fmt: skip


@pytest.mark.parametrize("target", ["gexf", "graphml"])
def test_a_score_that_is_no_number_is_left_out(target):
    made = read(target, written(target, rows(URLS, [np.inf, np.nan, 2, 1])))
    assert [made.nodes[str(n)].get("score") for n in range(4)] == [None, None, 2, 1]


def test_hosts_have_colours_in_gexf():
    made = read("gexf", written("gexf", rows(URLS, hosts=HOSTS)))
    shown = [tuple(made.nodes[str(n)]["viz"]["color"][part] for part in "rgb") for n in range(4)]
    assert shown[0] == shown[3]
    assert len(set(shown)) == 3


def test_hosts_have_colours_in_graphml():
    made = read("graphml", written("graphml", rows(URLS, hosts=HOSTS)))
    shown = [tuple(made.nodes[str(n)][part] for part in "rgb") for n in range(4)]
    assert shown[0] == shown[3]
    assert len(set(shown)) == 3
    assert all(0 <= part <= 255 for colour in shown for part in colour)


def test_many_hosts_have_colours_of_their_own():
    found = colours(pa.array([f"h{n}.example" for n in range(40)] + [None, None], pa.large_string()))
    assert found.min() >= 0 and found.max() <= 255
    assert len({tuple(colour) for colour in found.tolist()}) == 41
    assert found[-1].tolist() == found[-2].tolist()


def test_gexf_declares_what_it_uses():
    text = written("gexf", rows(URLS, links=LINKS, hosts=HOSTS))
    space = "{http://www.gexf.net/1.2draft}"
    root = ET.fromstring(text)
    assert (root.tag, root.get("version")) == (f"{space}gexf", "1.2")
    assert [one.tag.removeprefix(space) for one in root] == ["meta", "graph"]
    declared = {one.get("id"): one.get("type") for one in root.iter(f"{space}attribute")}
    assert {one.get("for") for one in root.iter(f"{space}attvalue")} == set(declared)
    assert set(declared.values()) <= {"integer", "long", "double", "float", "boolean", "string", "anyURI"}
    edges = [one.get("id") for one in root.iter(f"{space}edge")]
    assert edges == [str(n) for n in range(len(LINKS))]
    assert "higher is better" in str(next(root.iter(f"{space}description")).text)


def test_graphml_declares_what_it_uses():
    web = graph(URLS, LINKS, hosts=HOSTS, weights=[1.0] * 5)
    root = ET.fromstring(written("graphml", rows(URLS, web=web)))
    space = "{http://graphml.graphdrawing.org/xmlns}"
    assert root.tag == f"{space}graphml"
    assert [one.tag.removeprefix(space) for one in root] == ["desc", *["key"] * 10, "graph"]
    for kind in ("node", "edge"):
        declared = {one.get("id") for one in root.iter(f"{space}key") if one.get("for") == kind}
        used = {data.get("key") for one in root.iter(f"{space}{kind}") for data in one}
        assert used == declared
    assert {one.get("attr.type") for one in root.iter(f"{space}key")} <= {"int", "long", "double", "string"}


@pytest.mark.slow
@given(st.data())
@settings(max_examples=100, derandomize=True)
def test_links_among_pages_are_those_of_a_plain_search(data):
    pages = data.draw(st.integers(1, 9))
    numbers = st.integers(0, pages - 1)
    links = sorted({(a, b) for a, b in data.draw(st.lists(st.tuples(numbers, numbers))) if a != b})
    order = data.draw(st.lists(numbers, unique=True, min_size=1))
    weights = [float(n) for n in range(len(links))] if data.draw(st.booleans()) else None
    web = graph([f"http://a.example/{n}" for n in range(pages)], links, weights=weights)
    found = list(links_among(rows([""] * pages, web=web, order=order), at_once=data.draw(st.integers(1, 5))))
    weight = dict(zip(links, weights or [None] * len(links), strict=True))
    expected = [(a, b, weight[a, b]) for a in order for b in range(pages) if (a, b) in weight and b in order]
    assert [
        (int(a), int(b), None if part.weight is None else float(part.weight[n]))
        for part in found
        for n, (a, b) in enumerate(zip(part.source, part.target, strict=True))
    ] == expected
    assert [part.first for part in found] == np.cumsum([0, *(len(part.source) for part in found)]).tolist()[:-1]
