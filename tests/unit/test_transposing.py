"""Links transposed on disk: the same as in memory, within the memory that was said, and resumed where they were."""

from __future__ import annotations

import json
import logging
import os
import tracemalloc
from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seedrank.core.errors import StoreError, TooLarge
from seedrank.core.numbers import show_size
from seedrank.engines.kernels.csr import count_targets_from, place_sources, place_weights
from seedrank.engines.native.engine import NativeEngine
from seedrank.graph import GraphWriter, WebGraph, transpose

MANY = 2_000_000


def written(folder, graph: WebGraph) -> WebGraph:
    """A graph in a folder."""
    with GraphWriter(folder, version="v") as writer:
        for name in ("out_offsets", "out_targets", "status", "host", "weights"):
            if getattr(graph, name) is not None:
                writer.put(name, getattr(graph, name))
        batch = pa.record_batch([pa.array([], pa.large_string())], names=["name"])
        writer.text("hosts", [batch], batch.schema)
        return writer.close(graph.pages, graph.links)


def random_graph(pages: int, links: int, *, weighted: bool = False) -> WebGraph:
    """Targets are skewed: some pages have very many in-links, most have none."""
    rng = np.random.default_rng(3)
    target = (pages * rng.random(links) ** 4).astype(np.int64)
    weights = rng.random(links) if weighted else None
    return WebGraph.from_links(pages, rng.integers(0, pages, links), target, weights=weights)


def limit_memory(monkeypatch, limit: int) -> None:
    monkeypatch.setattr(transpose, "_SMALL", 0)
    monkeypatch.setattr(transpose, "free_memory", lambda: limit * transpose._SHARE)


def check_transposed(graph: WebGraph, plain: WebGraph) -> None:
    np.testing.assert_array_equal(graph.in_offsets, plain.in_offsets)
    np.testing.assert_array_equal(graph.in_sources, plain.in_sources)
    if plain.weights is not None:
        np.testing.assert_array_equal(graph.in_weights, plain.in_weights)


LINKS = st.integers(1, 9).flatmap(
    lambda pages: st.tuples(
        st.just(pages), st.lists(st.tuples(st.integers(0, pages - 1), st.integers(0, pages - 1)), max_size=30)
    )
)


@pytest.mark.slow
@given(LINKS, st.integers(1, 200))
def test_blocks_hold_every_link_once_within_the_limit(case, limit):
    pages, links = case
    offsets = np.zeros(pages + 1, np.int64)
    np.cumsum(np.bincount([b for _, b in links], minlength=pages), out=offsets[1:])
    end = 0
    for low, high, first, last in transpose._cut(offsets, 0, limit):
        assert low == end < high
        assert offsets[first] <= low < offsets[first + 1]
        assert offsets[last - 1] <= high <= offsets[last]
        assert high == low + 1 or 4 * (high - low) + 8 * (last - first - 1) <= limit
        end = high
    assert end == len(links)


@pytest.mark.slow
@given(LINKS, st.integers(1, 7), st.data())
def test_the_loops_place_a_piece_of_the_links_into_a_block(case, size, data):
    """Against plain lists: every link by target, then source; of it a block, from pieces of any size."""
    pages, links = case
    links = sorted(set(links))
    weights = np.arange(len(links), dtype=np.float32)
    transposed = sorted(range(len(links)), key=lambda i: (links[i][1], links[i][0]))
    low = data.draw(st.integers(0, len(links)))
    high = data.draw(st.integers(low, len(links)))
    first = data.draw(st.integers(0, links[transposed[low]][1] if low < len(links) else pages - 1))
    into = Counter(target for _, target in links)
    starts = np.array([sum(into[page] for page in range(end)) for end in range(pages + 1)])
    offsets = np.array([sum(source < page for source, _ in links) for page in range(pages + 1)])
    targets = np.array([target for _, target in links], np.int32)

    counts = np.zeros(pages - first, np.int64)
    sources, weighing = np.full(high - low, -1, np.int32), np.full(high - low, -1, np.float32)
    fill, fill_weights, row = starts[first:-1].copy(), starts[first:-1].copy(), 0
    for start in range(0, len(links), size):
        piece = targets[start : start + size]
        count_targets_from(piece, first, counts)
        row = place_sources(offsets, row, start, piece, first, fill, low, sources)
        place_weights(piece, weights[start : start + size], first, fill_weights, low, weighing)

    assert counts.tolist() == [into[page] for page in range(first, pages)]
    assert sources.tolist() == [links[i][0] for i in transposed[low:high]]
    assert weighing.tolist() == [float(i) for i in transposed[low:high]]


@pytest.mark.slow
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("limit", [40, 999, 30_000, 10**9])
def test_it_is_the_same_as_in_memory(tmp_path, monkeypatch, limit, weighted):
    plain = random_graph(300, 2_000, weighted=weighted)
    graph = written(tmp_path / "g", plain)
    limit_memory(monkeypatch, limit)
    monkeypatch.setattr(transpose, "fits_memory", lambda needed: False)
    check_transposed(graph, plain)
    assert isinstance(graph.in_sources, np.memmap)
    monkeypatch.undo()
    again = WebGraph.open(tmp_path / "g", cache=True)
    assert again.transposed
    check_transposed(again, plain)
    assert not [path for path in (tmp_path / "g").iterdir() if path.name.startswith(".")]


@pytest.mark.slow
def test_a_graph_without_links(tmp_path, monkeypatch):
    graph = written(tmp_path / "g", WebGraph.from_links(3, [], []))
    monkeypatch.setattr(transpose, "fits_memory", lambda needed: False)
    assert graph.in_sources.tolist() == []
    assert graph.in_offsets.tolist() == [0, 0, 0, 0]


@pytest.mark.slow
def test_memory_stays_within_the_limit(tmp_path, monkeypatch):
    plain = random_graph(MANY // 10, MANY, weighted=True)
    graph = written(tmp_path / "g", plain)
    needed = 4 * graph.links + 24 * graph.pages
    limit = 1 << 20
    assert needed > 8 * limit
    limit_memory(monkeypatch, limit)
    for module in ("npy", "folder"):  # what is read at a time, which comes on top
        monkeypatch.setattr(f"seedrank.graph.{module}._BLOCK", 1 << 14)
    small = written(tmp_path / "small", random_graph(10, 50, weighted=True))
    monkeypatch.setattr(transpose, "fits_memory", lambda needed: False)
    assert small.in_weights is not None  # compiles
    tracemalloc.start()
    try:
        assert graph.in_weights is not None
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < limit + (1 << 19)
    check_transposed(graph, plain)


def cut_off(monkeypatch, graph: WebGraph) -> None:
    """Turn links round until three blocks are written, then interrupt it."""
    keep, calls = transpose._Build._keep, 0

    def kept(self, name, **facts) -> None:
        nonlocal calls
        keep(self, name, **facts)
        calls += name == "in_sources"
        if calls == 3:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(transpose._Build, "_keep", kept)
        graph.in_sources  # noqa: B018 (made on first use)


@pytest.mark.slow
@pytest.mark.parametrize("limit", [900, 2_000])
def test_a_build_that_was_cut_off_goes_on(tmp_path, monkeypatch, caplog, limit):
    plain = random_graph(100, 1_500)
    graph = written(tmp_path / "g", plain)
    limit_memory(monkeypatch, 900)
    cut_off(monkeypatch, graph)
    placed = json.loads((tmp_path / "g" / ".transposing" / "in_sources.json").read_text())["links"]
    assert 0 < placed < graph.links

    limit_memory(monkeypatch, limit)
    blocks = []
    cut = transpose._cut
    monkeypatch.setattr(transpose, "_cut", lambda offsets, low, *more: blocks.append(low) or cut(offsets, low, *more))
    with caplog.at_level(logging.INFO):
        check_transposed(WebGraph.open(tmp_path / "g"), plain)
    assert blocks == [placed]
    assert f"going on after {placed:,} of {graph.links:,} links" in caplog.text
    assert not (tmp_path / "g" / ".transposing").exists()
    times = (tmp_path / "g" / "in_sources.npy").stat()
    os.utime(tmp_path / "g" / "in_sources.npy", ns=(times.st_atime_ns, 1))  # so that contents are verified
    check_transposed(WebGraph.open(tmp_path / "g", cache=True), plain)


@pytest.mark.slow
def test_a_build_of_other_links_is_begun_again(tmp_path, monkeypatch):
    graph = written(tmp_path / "g", random_graph(100, 1_500))
    limit_memory(monkeypatch, 900)
    cut_off(monkeypatch, graph)
    half = {path.name: path.read_bytes() for path in (tmp_path / "g" / ".transposing").iterdir()}
    other = random_graph(100, 1_400)
    graph = written(tmp_path / "g", other)
    (tmp_path / "g" / ".transposing").mkdir()
    for name, content in half.items():
        (tmp_path / "g" / ".transposing" / name).write_bytes(content)
    check_transposed(graph, other)


@pytest.mark.slow
@pytest.mark.parametrize("file", ["in_sources.json", "in_sources.npy", "in_offsets.json", "in_offsets.npy"])
@pytest.mark.parametrize("damage", [Path.unlink, lambda path: os.truncate(path, path.stat().st_size // 2)])
def test_a_half_that_lacks_something_is_begun_again(tmp_path, monkeypatch, file, damage):
    plain = random_graph(100, 1_500)
    graph = written(tmp_path / "g", plain)
    limit_memory(monkeypatch, 900)
    cut_off(monkeypatch, graph)
    damage(tmp_path / "g" / ".transposing" / file)
    check_transposed(WebGraph.open(tmp_path / "g"), plain)


@pytest.mark.slow
def test_a_record_does_not_vouch_for_a_file_begun_again(tmp_path, monkeypatch):
    """Cut off twice: the second time before the first block of a file that replaced a damaged one."""
    plain = random_graph(100, 1_500)
    graph = written(tmp_path / "g", plain)
    limit_memory(monkeypatch, 900)
    cut_off(monkeypatch, graph)
    os.truncate(tmp_path / "g" / ".transposing" / "in_sources.npy", 200)
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(transpose, "place_sources", stop)
        graph.in_sources  # noqa: B018
    check_transposed(WebGraph.open(tmp_path / "g"), plain)


def stop(*given: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.slow
def test_a_disk_without_room_is_refused_before_anything_is_written(tmp_path, monkeypatch, caplog):
    graph = written(tmp_path / "g", random_graph(100, 1_500))
    before = sorted(path.name for path in (tmp_path / "g").iterdir())
    limit_memory(monkeypatch, 900)
    monkeypatch.setattr("seedrank.core.resources.free_disk", lambda folder: 1_000)
    size = show_size(4 * graph.links + 8 * (graph.pages + 1))
    with pytest.raises(
        StoreError, match=rf"transposing the links needs {size} of disk at .*g, and 1000 bytes are free; make"
    ):
        graph.in_sources  # noqa: B018
    assert sorted(path.name for path in (tmp_path / "g").iterdir()) == before
    monkeypatch.undo()
    limit_memory(monkeypatch, 900)
    with caplog.at_level(logging.INFO):
        assert len(graph.in_sources) == graph.links
    assert "of disk (" in caplog.messages[0]
    assert "up to 900 bytes of memory; they are read" in caplog.messages[0]


@pytest.mark.slow
def test_a_folder_that_cannot_be_written(tmp_path, monkeypatch):
    plain = random_graph(100, 1_500)
    graph = written(tmp_path / "g", plain)

    def denied(folder, *, wait=False):
        raise PermissionError(13, "Permission denied")

    limit_memory(monkeypatch, 900)
    monkeypatch.setattr(transpose, "writing", denied)
    with pytest.raises(TooLarge, match=r"cannot be written \(Permission denied\).*; make it writable"):
        graph.in_sources  # noqa: B018
    limit_memory(monkeypatch, 4_000)
    assert not transpose.fits_memory(4 * graph.links + 24 * graph.pages)
    check_transposed(graph, plain)  # the memory is enough after all


@pytest.mark.slow
def test_small_graphs_are_transposed_in_memory(tmp_path, monkeypatch):
    graph = written(tmp_path / "g", random_graph(100, 1_500))
    monkeypatch.setattr(transpose, "transpose_links", lambda *given: pytest.fail("in blocks"))
    assert len(graph.in_sources) == graph.links


@pytest.mark.slow
def test_engines_ask_for_the_memory_of_a_block(tmp_path, monkeypatch):
    graph = written(tmp_path / "g", random_graph(100, 1_500))
    limit_memory(monkeypatch, 2_000)
    assert NativeEngine(graph)._in_links_size() == 2_000
    assert NativeEngine(WebGraph.from_links(2, [0], [1]))._in_links_size() == 4 + 48
    assert len(NativeEngine(graph).walk().scores) == 100
    assert NativeEngine(WebGraph.open(tmp_path / "g"))._in_links_size() == 0
