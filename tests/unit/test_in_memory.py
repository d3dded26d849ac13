"""Graphs in memory: frames, networkx and SciPy in and out, and no file is left behind."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

import seedrank
from seedrank.core.errors import SeedrankError
from seedrank.core.model import Status

PAGES = pd.DataFrame(
    {"page": ["http://a.example/", "http://b.example/"], "state": ["done", "seen"], "views": [3.0, None], "topic": "x"}
)
LINKS = pd.DataFrame({"source": ["http://a.example/"], "target": ["http://b.example/"]})
SHAPE = {"map": {"url": "page", "status": "state"}, "status_map": {"done": "crawled", "seen": "frontier"}}


@pytest.mark.parametrize("library", [lambda frame: frame, pl.DataFrame, pa.Table.from_pandas])
def test_frames_are_opened_in_memory_and_leave_no_file(library, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with seedrank.from_frames(pages=library(PAGES), links=library(LINKS), **SHAPE) as bench:
        frame = bench.pages()
        assert frame["url"].tolist() == PAGES.page.tolist()
        assert frame["status"].tolist() == ["crawled", "frontier"]
        assert frame["host"].tolist() == ["a.example", "b.example"]
        assert frame["topic"].tolist() == ["x", "x"]
        assert bench.graph.links == 1
        answer = bench.rank("indegree")
        assert bench.answer("run:latest").table == answer.table
        assert len(bench.runs()) == 1
        with pytest.raises(SeedrankError, match="in memory"):
            bench.query("MATCH (p:Page) RETURN p")
    assert not list(tmp_path.rglob("*"))


def test_frames_are_the_graph_that_a_store_makes_of_them(tmp_path):
    options = seedrank.LoadOptions(**SHAPE)
    with seedrank.open(tmp_path / "x.duckdb", create=True) as stored:
        stored.load(pages=PAGES, links=LINKS, options=options)
        with seedrank.from_frames(PAGES, LINKS, options=options) as bench:
            assert bench.pages().equals(stored.pages())
            assert bench.graph.out_targets.tolist() == stored.graph.out_targets.tolist()


def test_a_matrix_is_a_graph_and_comes_back():
    matrix = sparse.csr_array(np.array([[9, 2, 0], [0, 0, 1], [0.5, 0, 0]]))
    with seedrank.from_scipy(matrix) as bench:
        expected = matrix.toarray()
        np.fill_diagonal(expected, 0)  # a page does not link to itself
        assert bench.graph.to_scipy().toarray().tolist() == expected.tolist()
        assert bench.crawl("bfs", seeds=[1]).table["id"].to_pylist() == [1, 2, 0]
    with seedrank.from_scipy(matrix != 0) as bench:
        assert bench.graph.weights is None


def test_the_version_of_a_matrix_is_what_it_holds():
    one, other = sparse.eye_array(4, k=1), sparse.eye_array(4, k=-1)
    versions = [seedrank.from_scipy(matrix).store.version() for matrix in (one, one.tocsr(), other)]
    assert versions[0] == versions[1] != versions[2]


def test_networkx_goes_in_and_comes_back():
    graph = nx.DiGraph()
    graph.add_node("http://a.example/x", clicks=3, topic="news", status="crawled", odd=[1])
    graph.add_node("http://b.example/", clicks=2.5, status="frontier")
    graph.add_edge("http://a.example/x", "http://b.example/", weight=2)
    with seedrank.from_networkx(graph) as bench:
        back = bench.graph.to_networkx()
        assert back.nodes[0] == {
            "status": "crawled", "url": "http://a.example/x", "host": "a.example", "clicks": 3.0, "topic": "news",
        }  # fmt: skip
        assert back.nodes[1]["status"] == "frontier"
        assert list(back.edges(data=True)) == [(0, 1, {"weight": 2.0})]
        with seedrank.from_networkx(back) as again:
            assert again.pages()["clicks"].tolist() == [3.0, 2.5]


def test_numbers_of_networkx_are_ids_and_other_nodes_go_by_order():
    graph = nx.path_graph([30, 10, 20])
    with seedrank.from_networkx(graph) as bench:
        assert bench.crawl("bfs", seeds=[30]).table["source_id"].to_pylist() == [30, 10, 20]
        assert (bench.graph.status == Status.CRAWLED).all()
    with seedrank.from_networkx(nx.path_graph([("a", 1), ("b", 2)], nx.DiGraph)) as bench:
        assert bench.crawl("bfs", seeds=[0]).table["id"].to_pylist() == [0, 1]


def test_parallel_edges_add_up():
    graph = nx.MultiDiGraph([(0, 1), (0, 1), (1, 0)])
    assert seedrank.from_networkx(graph).graph.to_scipy().toarray().tolist() == [[0, 2], [1, 0]]


def test_answers_are_rows_of_pandas_and_polars():
    with seedrank.from_scipy(sparse.eye_array(12, k=1)) as bench:
        answer = bench.rank("pagerank")
        assert len(answer) == 12
        assert answer.to_pandas()["rank"].tolist() == list(range(1, 13))
        assert answer.to_polars().height == 12
        run, table = answer
        assert (run, table) == (answer.run, answer.table)
