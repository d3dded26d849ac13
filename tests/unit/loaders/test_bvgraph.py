"""WebGraph's compressed graphs, against an encoder that writes bit by bit, and against the same graph as text."""

from __future__ import annotations

import gzip
import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import seedrank.loaders.bvgraph
from seedrank.core.errors import InputError
from seedrank.loaders.adjacency import AdjacencySource
from seedrank.loaders.bvgraph import BvGraphSource
from tests.unit.loaders.bvgraph_reference import Settings, encode, write

ROOT = Path(__file__).resolve().parents[3]
QUIET = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
LISTS = [[1, 2, 3, 4, 5, 8], [0, 1, 2, 3, 4, 5, 7], [], [1, 2, 3, 4, 8], [3], [0, 2, 4, 6, 8], [], [], [0]]


def read(name: str, **options) -> tuple[int, list[tuple[int, int]]]:
    """How many pages, and all links."""
    pages, links = 0, []
    for batch in BvGraphSource(name, **options).batches():
        if batch.kind == "pages":
            pages += batch.rows.num_rows
        else:
            links += zip(*(batch.rows.column(end).to_pylist() for end in ("source", "target")), strict=True)
    return pages, links


def links_of(lists) -> list[tuple[int, int]]:
    return [(page, target) for page, targets in enumerate(lists) for target in targets]


# -- what it reads


@st.composite
def graphs(draw):
    pages = draw(st.integers(1, 14))
    ends = st.lists(st.integers(0, pages - 1), unique=True).map(sorted)
    runs = st.tuples(st.integers(0, pages - 1), st.integers(0, pages)).map(
        lambda run: list(range(run[0], min(pages, run[0] + run[1])))
    )
    return draw(st.lists(ends | runs, min_size=pages, max_size=pages))


@st.composite
def settings_of_graphs(draw):
    numbers = ["GAMMA", "DELTA", "UNARY"]
    kinds = {
        "OUTDEGREES": numbers[:2],
        "REFERENCES": numbers,
        "BLOCK_COUNT": numbers,
        "BLOCKS": numbers,
        "RESIDUALS": [*numbers[:2], "ZETA", "GOLOMB", "NIBBLE"],
        "OFFSETS": numbers[:2],
    }
    chosen = {kind: draw(st.sampled_from(codings)) for kind, codings in kinds.items() if draw(st.booleans())}
    little = draw(st.booleans())
    if little:
        # Only webgraph-rs writes these, which has one coding for blocks and their counts, and one for intervals.
        chosen = {kind: coding for kind, coding in chosen.items() if coding not in ("GOLOMB", "NIBBLE")}
        chosen["BLOCK_COUNT"] = chosen["BLOCKS"] = draw(st.sampled_from(numbers))
        chosen["INTERVALS"] = draw(st.sampled_from([*numbers, "ZETA"]))
    return Settings(
        window=draw(st.sampled_from([0, 1, 2, 7, 100])),
        shortest=draw(st.sampled_from([0, 1, 2, 3, 4])),
        k=draw(st.integers(1, 7)),
        little=little,
        codings=chosen,
    )


@pytest.mark.slow
@settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=QUIET)
@given(
    lists=graphs(),
    coded=settings_of_graphs(),
    seed=st.integers(0, 2**16),
    block=st.integers(1, 40),
    room=st.sampled_from([1, 2, 5, 1000]),
)
def test_reads_what_the_reference_writes(tmp_path, monkeypatch, lists, coded, seed, block, room):
    chance = random.Random(seed)
    name = write(tmp_path, lists, coded, lambda n: chance.randint(0, n))
    monkeypatch.setattr(seedrank.loaders.bvgraph, "BLOCK", block)
    monkeypatch.setattr(seedrank.loaders.bvgraph, "MAX_ROWS", room)
    assert read(name) == (len(lists), links_of(lists))


def test_reads_by_name_or_file_with_or_without_offsets(tmp_path):
    name = write(tmp_path, LISTS)
    assert read(name) == read(f"{name}.graph") == (9, links_of(LISTS))
    with_offsets = BvGraphSource(name).sha256()
    Path(f"{name}.offsets").unlink()
    assert read(name) == (9, links_of(LISTS))
    assert BvGraphSource(name).sha256() != with_offsets


def test_webgraph_rs_codes_counts_of_blocks_as_blocks(tmp_path):
    coded = Settings(codings={"BLOCKS": "DELTA", "BLOCK_COUNT": "DELTA"})
    name = write(tmp_path, LISTS, coded, endianness="big", compressionflags="BLOCKS_DELTA")
    assert read(name) == (9, links_of(LISTS))


def test_webgraph_rs_gives_zeta_codes_their_parameter(tmp_path):
    coded = Settings(k=5, codings={"RESIDUALS": "ZETA"})
    name = write(tmp_path, LISTS, coded, version=1, endianness="big", compressionflags="RESIDUALS_ZETA5", zetak=2)
    assert read(name) == (9, links_of(LISTS))


def test_a_list_longer_than_a_batch(tmp_path, monkeypatch):
    lists = [list(range(0, 3000, 2)), list(range(3000)), [], *[[]] * 2997]
    name = write(tmp_path, lists)
    monkeypatch.setattr(seedrank.loaders.bvgraph, "MAX_ROWS", 100)
    batches = [batch for batch in BvGraphSource(name).batches() if batch.kind == "links"]
    assert max(batch.rows.num_rows for batch in batches) == 100
    assert read(name) == (3000, links_of(lists))


def test_lists_to_copy_from_are_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr(seedrank.loaders.bvgraph, "_MOST_KEPT", 10)
    monkeypatch.setattr(seedrank.loaders.bvgraph, "MAX_ROWS", 4)
    with pytest.raises(InputError, match=r"a list may copy from the \d before it, and these have \d+ links"):
        read(write(tmp_path, LISTS))


def test_names(tmp_path):
    name = write(tmp_path, LISTS)
    names = tmp_path / "g.urls.gz"
    names.write_bytes(gzip.compress("".join(f"http://a.example/{i}\r\n" for i in range(8)).encode() + b"http://b/"))
    pages = [batch for batch in BvGraphSource(name, names=str(names)).batches() if batch.kind == "pages"]
    found = [(row["id"], row["url"]) for batch in pages for row in batch.rows.to_pylist()]
    assert found == [*((i, f"http://a.example/{i}") for i in range(8)), (8, "http://b/")]
    assert pages[0].where.line(3) == 4


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (b"a\n" * 8, r"8 names, and the graph has 9 pages"),
        (b"a\n" * 10, r"line 10: more names than the 9 pages"),
        (b"", r"0 names"),
        (b"a\nb\n\xff\n", r"line 3: is not UTF-8"),
        (b"a\nb\0\n", r"line 2: a NUL byte"),
        (b"a\n" + b"b" * (1 << 21) + b"\n", r"line 2: is longer than 1 MiB"),
    ],
)
def test_names_that_do_not_fit(tmp_path, names, message):
    (tmp_path / "names").write_bytes(names)
    with pytest.raises(InputError, match=message):
        read(write(tmp_path, LISTS), names=str(tmp_path / "names"))


@pytest.mark.slow
def test_the_same_graph_as_text(shared_data):
    folder = shared_data("cnr-2000")
    found = [_arrays(BvGraphSource(str(folder / "cnr-2000"))), _arrays(AdjacencySource([_text(folder)]))]
    assert found[0][0] == found[1][0] == 325_557
    assert len(found[0][1]) == 3_216_152
    assert np.array_equal(found[0][1], found[1][1])
    assert np.array_equal(found[0][2], found[1][2])


def _text(folder: Path) -> str:
    return str(folder / "cnr-2000.graph-txt.gz")


def _arrays(source) -> tuple[int, np.ndarray, np.ndarray]:
    batches = list(source.batches())
    links = [batch.rows for batch in batches if batch.kind == "links"]
    pages = sum(batch.rows.num_rows for batch in batches if batch.kind == "pages")
    sources, targets = (np.concatenate([rows.column(end).to_numpy() for rows in links]) for end in ("source", "target"))
    return pages, sources, targets


# -- what it refuses


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ({"nodes": ""}, r"g.properties: nodes is not a whole number from 0 to \d+: ''; check the file"),
        ({"nodes": -1}, r"nodes is not a whole number from 0 to \d+: '-1'"),
        ({"nodes": 10**18}, r"nodes is not a whole number from 0 to \d+: '1000000000000000000'"),
        ({"nodes": 10**9}, r"g.graph: holds \d+ bits, and the properties say 1,000,000,000 pages"),
        ({"nodes": 40}, r"g.graph: ends too early, in the list of page 9 of 40|cannot be read"),
        ({"nodes": 2}, r"the list of page 0, at bit 0, cannot be read \(more links than there are pages\)"),
        ({"nodes": 8}, r"the list of page 0, at bit 0, cannot be read \(a link to a page that does not exist\)"),
        ({"arcs": 3}, r"25 links in the lists of 9 pages, and the properties say 3 in all"),
        ({"arcs": 99}, r"25 links in the lists of 9 pages, and the properties say 99 in all"),
        ({"windowsize": "x"}, r"windowsize is not a whole number from 0 to 2147483647: 'x'"),
        ({"zetak": 0}, r"zetak is not a whole number from 1 to 56: '0'"),
        ({"zetak": 57}, r"zetak is not a whole number from 1 to 56: '57'"),
        ({"version": 2}, r"version is not a whole number from 0 to 1: '2'"),
        ({"endianness": "middle"}, r"endianness is neither big nor little: 'middle'"),
        ({"compressionflags": "RESIDUALS_PI2"}, r"compressionflags has an unknown coding: 'RESIDUALS_PI2'"),
        ({"compressionflags": "nonsense"}, r"compressionflags has an unknown coding: 'NONSENSE'"),
        ({"graphclass": "it.unimi.dsi.webgraph.EFGraph"}, r"graphclass is not BVGraph: 'it.unimi"),
        ({"graphclass": "labelling.Labelled", "underlyinggraph": "web"}, r"load the graph under it, 'web'"),
    ],
)  # fmt: skip
def test_wrong_properties(tmp_path, other, message):
    name = write(tmp_path, LISTS, **other)
    Path(f"{name}.offsets").unlink()
    with pytest.raises(InputError, match=message):
        read(name)


def test_missing_files_and_properties(tmp_path):
    name = write(tmp_path, LISTS)
    Path(f"{name}.properties").write_text("graphclass=it.unimi.dsi.webgraph.BVGraph\nnodes=3\n")
    with pytest.raises(InputError, match=r"g.properties: arcs is missing"):
        read(name)
    Path(f"{name}.properties").unlink()
    with pytest.raises(InputError, match=r"g.properties: file not found"):
        read(name)


def test_truncated_graph_and_wrong_offsets(tmp_path):
    name = write(tmp_path, LISTS)
    offsets = Path(f"{name}.offsets").read_bytes()
    for wrong in (b"", offsets[:2], bytes([offsets[0], offsets[1] ^ 8, *offsets[2:]])):
        Path(f"{name}.offsets").write_bytes(wrong)
        with pytest.raises(InputError, match=r"g.offsets: does not fit the graph, whose list of page \d begins at bit"):
            read(name)
    Path(f"{name}.offsets").unlink()
    graph = Path(f"{name}.graph").read_bytes()
    Path(f"{name}.graph").write_bytes(graph[:-2])
    with pytest.raises(InputError, match=r"g.graph: ends too early, in the list of page \d of 9; fetch or make"):
        read(name)


@pytest.mark.slow
def test_zeros_end_at_once(tmp_path):
    """A number that never ends is seen after a few bytes, whatever the size of the file."""
    name = write(tmp_path, [[]], nodes=8 << 20)
    Path(f"{name}.graph").write_bytes(bytes(64 << 20))
    Path(f"{name}.offsets").unlink()
    source = BvGraphSource(name)
    with pytest.raises(InputError, match=r"the list of page 0, at bit 0, cannot be read \(more links than"):
        list(source.batches())
    assert source.position < 20 << 20


@pytest.mark.slow
@settings(max_examples=100, deadline=None, derandomize=True, suppress_health_check=QUIET)
@given(
    data=st.data(),
    graph=st.binary(max_size=60),
    coded=settings_of_graphs(),
    pages=st.integers(0, 400),
    block=st.integers(1, 40),
)
def test_any_bytes_load_or_are_refused(tmp_path, monkeypatch, data, graph, coded, pages, block):
    if data.draw(st.booleans()):
        lists = data.draw(graphs())
        pages = len(lists)
        found = bytearray(encode(lists, coded)[0])
        for at in data.draw(st.lists(st.integers(0, max(0, len(found) * 8 - 1)), max_size=3)) if found else []:
            found[at >> 3] ^= 1 << (at & 7)
        graph = bytes(found)
    name = write(tmp_path, [[]] * pages, coded, arcs=1000)
    Path(f"{name}.graph").write_bytes(graph)
    Path(f"{name}.offsets").unlink()
    monkeypatch.setattr(seedrank.loaders.bvgraph, "BLOCK", block)
    try:
        found_pages, links = read(name)
    except InputError as error:
        assert str(error).startswith(name)
    else:
        assert found_pages == pages
        assert all(0 <= end < pages for link in links for end in link)
        assert links == sorted(set(links))


@pytest.mark.slow
@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=QUIET)
@given(text=st.binary(max_size=80), known=st.booleans())
def test_any_properties_load_or_are_refused(tmp_path, text, known):
    name = write(tmp_path, LISTS)
    path = Path(f"{name}.properties")
    path.write_bytes((path.read_bytes() if known else b"") + text)
    try:
        read(name)
    except InputError as error:
        assert str(error).startswith(str(tmp_path))


@pytest.mark.deep
def test_nothing_is_read_out_of_bounds(tmp_path):
    """The same searches with every index checked (numba compiles the kernels anew for it)."""
    checked = {**os.environ, "NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(tmp_path)}
    this = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", __file__, "-k", "any_bytes or reference"]
    done = subprocess.run(this, cwd=ROOT, env=checked, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
