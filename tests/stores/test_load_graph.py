"""Files straight to arrays: the graph that the embedded store would give, whatever the load brings."""

from __future__ import annotations

import errno
import hashlib
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import seedrank
from seedrank.core.errors import InputError, StoreError
from seedrank.graph import WebGraph
from seedrank.graph.npy import ArrayStream
from seedrank.ingest import arrays
from seedrank.ingest.merge import links
from seedrank.loaders.base import Batch, LoadOptions
from seedrank.loaders.rejects import Rejects
from tests.same_graph import check_same
from tests.unit.loaders.test_spool_semantics import loads, redirecting

pytestmark = pytest.mark.slow

PAGES = pd.DataFrame({"url": [f"http://{host}.example/" for host in "bca"], "clicks": [1.5, None, 3.0]})
LINKS = pd.DataFrame([("http://b.example/", "http://a.example/"), ("http://a.example/", "http://d.example/x")])
LINKS.columns = ["source", "target"]


class Batches:
    """A source that gives batches as they are."""

    files: tuple[str, ...] = ()
    description, shape, level, size, position = "batches", "", "page", None, 0

    def __init__(self, batches: list[Batch]) -> None:
        self._batches = batches
        self.broken, self.notes, self.reads = Rejects(), [], []

    def sha256(self) -> str:
        return hashlib.sha256(repr(self._batches).encode()).hexdigest()

    def batches(self) -> Iterator[Batch]:
        yield from self._batches


def embedded(folder: Path, source, options: LoadOptions | None = None) -> WebGraph:
    """The graph of a new embedded store."""
    with seedrank.open(folder / "web.duckdb", create=True) as bench:
        bench.load(source, options)
        return bench.session.stored_graph


@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(
    st.one_of(loads(), loads(), redirecting()),
    st.sampled_from([LoadOptions(), LoadOptions(urls="verbatim"), LoadOptions(merge_variants=True)]),
    st.booleans(),
)
def test_it_is_the_graph_of_the_embedded_store(tmp_path_factory, batches, options, cut):
    folder = tmp_path_factory.mktemp("both")
    try:
        expected = embedded(folder, Batches(batches), options)
    except InputError as refusal:
        with pytest.raises(InputError) as refused:
            seedrank.load_graph(Batches(batches), folder / "graph", options)
        assert str(refused.value) == str(refusal)
        assert not (folder / "graph").exists()
        return
    sizes = links.BLOCK, links.NAMES, links.ROWS
    try:
        if cut:
            links.BLOCK, links.NAMES, links.ROWS = 2, 16, 2
        seedrank.load_graph(Batches(batches), folder / "graph", options, spool=folder / "spool")
    finally:
        links.BLOCK, links.NAMES, links.ROWS = sizes
    check_same(WebGraph.open(folder / "graph"), expected)
    assert not list((folder / "spool").iterdir())


def test_frames_go_straight_to_arrays(tmp_path):
    summary, seconds = seedrank.load_graph(None, tmp_path / "graph", pages=PAGES, links=LINKS)
    assert summary.counts["pages new"] == 4
    assert seconds > 0
    with seedrank.open(tmp_path / "graph") as bench:
        assert bench.graph.urls.to_pylist()[3] == "http://d.example/x"
        assert bench.graph.host_names.to_pylist() == [f"{name}.example" for name in "abcd"]
        assert bench.graph.out_targets.tolist() == [2, 3]
        assert bench.session.level == "page"
        [load] = bench.store.loads()
        assert (load.state, load.counts["links new"]) == ("done", 2)


def test_a_graph_of_hosts_knows_that_it_is_one(tmp_path):
    links = pd.DataFrame({"src_host": ["a.example", "b.example"], "dst_host": ["b.example", "c.example"]})
    seedrank.load_graph(None, tmp_path / "graph", links=links)
    with seedrank.open(tmp_path / "graph") as bench:
        assert bench.session.level == "host"
        assert bench.rank("pagerank").table["host"].to_pylist()[0] == "c.example"


def test_what_arrays_cannot_keep_is_said_in_one_line(tmp_path):
    links = LINKS.assign(anchor=["a", None])
    queries = pd.DataFrame({"query": ["words"], "freq": [3.0]})
    summary, _ = seedrank.load_graph(None, tmp_path / "graph", links=links, queries=queries)
    assert summary.notes == [
        "left out, because a folder of arrays keeps none: texts of links and queries and their results"
    ]
    assert summary.counts["link texts left out"] == 1


def test_a_graph_that_is_there_is_kept(tmp_path):
    seedrank.load_graph(None, tmp_path / "graph", links=LINKS)
    before = {path.name: path.read_bytes() for path in (tmp_path / "graph").iterdir()}
    with pytest.raises(InputError, match=r"holds a graph already.*name a new folder, or remove it first"):
        seedrank.load_graph(None, tmp_path / "graph", links=LINKS)
    assert {path.name: path.read_bytes() for path in (tmp_path / "graph").iterdir()} == before


def test_a_folder_of_something_else_is_kept(tmp_path):
    (tmp_path / "graph").mkdir()
    (tmp_path / "graph" / "thesis.tex").touch()
    with pytest.raises(InputError, match="is there and not empty"):
        seedrank.load_graph(None, tmp_path / "graph", links=LINKS)
    assert [path.name for path in (tmp_path / "graph").iterdir()] == ["thesis.tex"]


def test_an_input_without_pages_is_refused(tmp_path):
    with pytest.raises(InputError, match="1 row read, and none makes a page"):
        seedrank.load_graph(None, tmp_path / "graph", queries=pd.DataFrame({"query": ["words"]}))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("error", [KeyboardInterrupt(), OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))])
@pytest.mark.parametrize("write", [1, 3, 5])
def test_whatever_stops_it_nothing_is_left(tmp_path, monkeypatch, error, write):
    calls = 0
    put = ArrayStream._put

    def fails(self, data) -> None:
        nonlocal calls
        calls += 1
        if calls == write:
            raise error
        put(self, data)

    monkeypatch.setattr(ArrayStream, "_put", fails)
    expected = StoreError if isinstance(error, OSError) else KeyboardInterrupt
    with pytest.raises(expected) as stopped:
        seedrank.load_graph(None, tmp_path / "graph", links=LINKS, spool=tmp_path / "spool")
    if expected is StoreError:
        assert "graph cannot be written (No space left on device); make room" in str(stopped.value)
    assert [path.name for path in tmp_path.iterdir()] == ["spool"]
    assert not list((tmp_path / "spool").iterdir())


def test_a_disk_without_room_is_refused_before_the_second_half(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(arrays, "_LONG", 0)
    monkeypatch.setattr("seedrank.core.resources.free_disk", lambda folder: 10)
    with caplog.at_level("INFO"), pytest.raises(StoreError, match=r"needs 47 bytes of disk .* and 10 bytes are free"):
        seedrank.load_graph(None, tmp_path / "graph", links=LINKS, spool=tmp_path / "spool")
    assert "temporary files take up to about" in caplog.text
    assert not (tmp_path / "graph").exists()


def test_too_many_pages_are_named(tmp_path, monkeypatch):
    monkeypatch.setattr("seedrank.ingest.merge.numbers.MOST", 2)
    with pytest.raises(InputError, match=r"more than 2 pages; a graph has at most 2\^31 - 1"):
        seedrank.load_graph(None, tmp_path / "graph", links=LINKS)
    assert not list(tmp_path.iterdir())


def test_a_load_without_a_row_that_counts_fails_with_the_reason(tmp_path):
    links = LINKS.assign(time=["2020-01-01", "2020-01-02"])
    options = LoadOptions(since=datetime(2024, 1, 1, tzinfo=UTC))
    outside = "all 2 rows lie outside the span asked for"
    with seedrank.open(tmp_path / "web.duckdb", create=True) as bench:
        with pytest.raises(InputError, match=outside):
            bench.load(None, options, links=links)
        with pytest.raises(InputError, match="1 row read, and none makes a page"):
            bench.load(None, queries=pd.DataFrame({"query": ["words"]}))
        bench.load(None, links=LINKS)
        bench.load(None, queries=pd.DataFrame({"query": ["words"]}))
    with pytest.raises(InputError, match=outside):
        seedrank.load_graph(None, tmp_path / "graph", options, links=links)
