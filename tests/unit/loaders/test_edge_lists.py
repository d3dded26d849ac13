"""SNAP edge lists and adjacency lists, against plain Python."""

from __future__ import annotations

import gzip
import io
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import seedrank.loaders.compressed
from seedrank.core.errors import InputError, UsageError
from seedrank.loaders.adjacency import AdjacencySource
from seedrank.loaders.snap import SnapSource


def links(source) -> list[tuple[int, int, int]]:
    """Source, target and line of every link."""
    return [
        (batch.rows.column("source")[row].as_py(), batch.rows.column("target")[row].as_py(), batch.where.line(row))
        for batch in source.batches()
        if batch.kind == "links"
        for row in range(batch.rows.num_rows)
    ]


def test_snap_reads_tabs_spaces_comments_and_blank_lines(write):
    text = "# Directed graph\n# FromNodeId\tToNodeId\n0\t1\n2 3\n\n  4 \t 5  \r\n#6\t7\n8\t9223372036854775807"
    source = SnapSource([write("a.txt", text)])
    assert links(source) == [(0, 1, 3), (2, 3, 4), (4, 5, 6), (8, 2**63 - 1, 8)]
    assert len(source.sha256()) == 64


def test_snap_reads_several_files_packed_and_standard_input(write, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"5\t6\n")))
    source = SnapSource([write("a.txt.gz", gzip.compress(b"1\t2\n")), "-"])
    assert links(source) == [(1, 2, 1), (5, 6, 1)]


ROW = st.tuples(st.integers(0, 2**63 - 1), st.sampled_from(["\t", " ", "  "]), st.integers(0, 50)) | st.sampled_from(
    ["", "# 1\t2", "#", " "]
)


@pytest.mark.slow
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(ROW, max_size=20), block=st.integers(4, 100), last=st.sampled_from(["", "\n"]))
def test_snap_in_blocks_of_any_size(tmp_path, monkeypatch, rows, block, last):
    path = tmp_path / "a.txt"
    text = [row if isinstance(row, str) else f"{row[0]}{row[1]}{row[2]}" for row in [*rows, (7, "\t", 8)]]
    path.write_text("\n".join(text) + last)
    monkeypatch.setattr(seedrank.loaders.compressed, "BLOCK", block)
    expected = [(row[0], row[2], line) for line, row in enumerate(rows, 1) if not isinstance(row, str)]
    assert links(SnapSource([str(path)])) == [*expected, (7, 8, len(rows) + 1)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1\t2\n3\t4\t5\n", r"line 2: a third column: '3\\t4\\t5'.*load it as a table"),
        ("# c\n\n3\n", r"line 3: one id instead of two: '3'"),
        ("1\t2\n3\t-4\n", r"line 2: is negative: '-4'"),
        ("1\tx\n", r"line 1: is not an id: 'x'"),
        ("1\t-\n", r"line 1: is not an id: '-'"),
        ("1 2\n99999999999999999999 2\n", r"line 2: does not fit in 64 bits: '99999999999999999999'"),
        ("1 9223372036854775808\n", r"line 1: does not fit in 64 bits: '9223372036854775808'"),
        (b"1\t2\n1\t\xff\n", r"line 2: is not an id"),
        ("1\t2\0\n", r"line 1: is not an id"),
        ("", r"is empty"),
        ("# c\n\n", r"holds only comments"),
    ],
)
def test_snap_errors_name_the_place(write, text, message):
    file = write("a.txt", text)
    with pytest.raises(InputError, match=message) as caught:
        links(SnapSource([file]))
    assert str(caught.value).startswith(file)


def test_truncated_edge_list(write):
    packed = gzip.compress("".join(f"{i}\t{i * i}\n" for i in range(10_000)).encode())
    for source in (SnapSource, AdjacencySource):
        with pytest.raises(InputError, match="ends too early"):
            links(source([write("a.txt.gz", packed[:-20])]))
    for source in (SnapSource, AdjacencySource):
        with pytest.raises(InputError, match="file not found"):
            links(source(["nowhere.txt"]))
    with pytest.raises(UsageError):
        SnapSource([])


def test_real_snap(shared_data):
    source = SnapSource([str(shared_data("web-NotreDame") / "web-NotreDame.txt.gz")])
    assert sum(batch.rows.num_rows for batch in source.batches()) == 1_497_134


# -- adjacency lists


@pytest.mark.slow
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), block=st.integers(4, 100), end=st.sampled_from(["\n", " \n"]))
def test_adjacency_in_blocks_of_any_size(tmp_path, monkeypatch, data, block, end):
    pages = data.draw(st.integers(1, 30))
    lists = data.draw(st.lists(st.lists(st.integers(0, pages - 1), max_size=40), min_size=pages, max_size=pages))
    path = tmp_path / "a.graph-txt"
    path.write_text(f"{pages}\n" + "".join(" ".join(map(str, targets)) + end for targets in lists))
    monkeypatch.setattr(seedrank.loaders.compressed, "BLOCK", block)
    source = AdjacencySource([str(path)])
    assert links(source) == [(page, target, page + 2) for page, targets in enumerate(lists) for target in targets]
    batches = [batch for batch in source.batches() if batch.kind == "pages"]
    assert [(row.as_py(), b.where.line(i)) for b in batches for i, row in enumerate(b.rows.column("id"))] == [
        (page, page + 2) for page in range(pages)
    ]


def test_adjacency_without_last_line_end(write):
    assert links(AdjacencySource([write("a", "2\n1\n0")])) == [(0, 1, 2), (1, 0, 3)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"is empty"),
        ("# c\n", r"line 1: is not a number of pages: b'# c'"),
        ("0 1\n", r"line 1: is not a number of pages"),
        ("-3\n", r"line 1: is not a number of pages"),
        ("99999999999\n", r"line 1: too many pages"),
        ("3\n1\n\n", r"line 3: 2 lists, and the first line says 3 pages"),
        ("3\n", r"line 1: 0 lists, and the first line says 3 pages"),
        ("2\n1\n0\n1\n", r"line 4: a line too many: the first line says 2 pages"),
        ("2\n1\n0\n\n", r"line 4: a line too many"),
        ("2\n1\n1 2\n", r"line 3: is not a page: '2'; pages are 0 to 1"),
        ("2\n1\n1 -2\n", r"line 3: is negative: '-2'"),
        ("2\n#\n\n", r"line 2: is not a page: '#'"),
        ("2\n1 99999999999999999999\n\n", r"line 2: is not a page: '99999999999999999999'"),
    ],
)
def test_adjacency_errors_name_the_place(write, text, message):
    file = write("a.graph-txt", text)
    with pytest.raises(InputError, match=message) as caught:
        links(AdjacencySource([file]))
    assert str(caught.value).startswith(file)


@pytest.mark.parametrize("name", ["a.graph-txt", "a.graph-txt.gz"])
@pytest.mark.parametrize("block", [4, 1 << 20])
def test_adjacency_with_fewer_lists_than_pages_is_refused_before_the_first_page(tmp_path, monkeypatch, name, block):
    monkeypatch.setattr(seedrank.loaders.compressed, "BLOCK", block)
    file, text = tmp_path / name, b"2147483647\n0 1\n2\n"
    file.write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    with pytest.raises(InputError, match=r"line 3: 2 lists, and the first line says 2,147,483,647 pages"):
        next(AdjacencySource([str(file)]).batches())


def test_adjacency_is_one_file():
    with pytest.raises(UsageError, match="one file"):
        AdjacencySource(["a", "b"])


def test_real_adjacency(shared_data):
    source = AdjacencySource([str(shared_data("cnr-2000") / "cnr-2000.graph-txt.gz")])
    counts: dict[str, int] = {}
    for batch in source.batches():
        counts[batch.kind] = counts.get(batch.kind, 0) + batch.rows.num_rows
    assert counts == {"pages": 325_557, "links": 3_216_152}
