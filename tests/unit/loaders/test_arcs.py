"""Lists of arcs, by number and by name."""

from __future__ import annotations

import gzip
import io
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from seedrank.core.errors import InputError, UsageError
from seedrank.ingest.merge import Merge
from seedrank.loaders.arcs import ArcsSource
from seedrank.loaders.base import LoadOptions


def rows(source) -> list[tuple]:
    """The values of every row, after the kind of its table."""
    return [
        (batch.kind, *row.values(), batch.where.line(at))
        for batch in source.batches()
        for at, row in enumerate(batch.rows.to_pylist())
    ]


def test_numbers(write, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"5\t6\n")))
    source = ArcsSource([write("a.arcs.gz", gzip.compress(b"# arcs\n0\t1\n\n2\t9223372036854775807")), "-"])
    assert rows(source) == [("links", 0, 1, 2), ("links", 2, 2**63 - 1, 4), ("links", 5, 6, 1)]


def test_numbers_with_names(write, tmp_path):
    source = ArcsSource(
        [write("a.arcs", "0,1\n1,2\n")], names=write("a.nodes", "http://a/\nhttp://b/\n"), separator=","
    )
    assert rows(source) == [
        ("pages", 0, "http://a/", 1),
        ("pages", 1, "http://b/", 2),
        ("links", 0, 1, 1),
        ("links", 1, 2, 2),
    ]
    with Merge(tmp_path, LoadOptions()) as spool, pytest.raises(InputError, match="line 2, column target: no page has"):
        for batch in source.batches():
            spool.add(batch)
        spool.finish()


def test_labels(write):
    assert rows(ArcsSource([write("a", "http://a/ http://b/\n")], separator=" ")) == [
        ("links", "http://a/", "http://b/", 1)
    ]
    assert rows(ArcsSource([write("a", "1\t2\n")], url_prefix="http://a/")) == [("links", "1", "2", 1)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0\t1\n1\t2\t3\n", r"line 2: 3 fields instead of 2 \(source, target\): .*; fields are divided by tabs"),
        ("0 1\n", r"line 1: 1 fields instead of 2"),
        ("0\t1\nx\t1\n", r"line 2, column source: is not an id, and the rows before it are: 'x'"),
        ("0\t-1\n", r"line 1, column target: is negative"),
        ("0\t\n", r"line 1, column target: is empty"),
        ("0\t1\0\n", r"line 1: a NUL byte"),
        (b"a\t\xff\n", r"line 1, column target: is not UTF-8"),
        ("# c\n", r"holds only comments"),
        ("", r"is empty"),
    ],
)
def test_errors_name_the_place(write, text, message):
    file = write("a.arcs", text)
    with pytest.raises(InputError, match=message) as caught:
        rows(ArcsSource([file]))
    assert str(caught.value).startswith(file)


@pytest.mark.parametrize("separator", ["", "ab", "7", "\n", "é", "#", '"'])
def test_separators_that_are_none(separator):
    with pytest.raises(UsageError, match="separator is not a separator"):
        ArcsSource(["a"], separator=separator)


@pytest.mark.slow
@settings(
    max_examples=100, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    arcs=st.binary(max_size=40) | st.text("019a \t\n,#", max_size=40).map(str.encode),
    names=st.none() | st.binary(max_size=30) | st.just(b"http://a/\nhttp://b/\n"),
    separator=st.sampled_from("\t, "),
)
def test_any_bytes_load_or_are_refused(tmp_path, arcs, names, separator):
    (tmp_path / "arcs").write_bytes(arcs)
    (tmp_path / "names").write_bytes(names or b"")
    source = ArcsSource(
        [str(tmp_path / "arcs")], names=None if names is None else str(tmp_path / "names"), separator=separator
    )
    try:
        with Merge(tmp_path / "spool", LoadOptions()) as spool:
            for batch in source.batches():
                spool.add(batch)
            spool.finish()
    except InputError:
        pass
