"""JSON lines: what is read equals what Python's parser reads, and every error has its line."""

from __future__ import annotations

import gzip
import json

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import seedrank.loaders.compressed
from seedrank.cli.text_formats import json_lines
from seedrank.core.errors import InputError, SeedrankError
from seedrank.loaders.base import LoadOptions
from seedrank.loaders.table import TableSource


def read(source: TableSource, kind: str = "pages") -> pa.Table:
    found = [pa.Table.from_batches([batch.rows]) for batch in source.batches() if batch.kind == kind]
    return pa.concat_tables(found, promote_options="permissive")


def test_every_kind_of_value(write):
    text = """{"url": "http://a/","views":5, "spam":true, "n":1,"x":0.5, "yes": false, "t":"é\\u00e9\\n\\"", "z":null}
# a comment

 { "n" : -2, "url":"http://b/" , "x":1e3, "yes":true,"t":"" }
{"url": "http://c/", "views": "7", "spam": 0}
"""
    source = TableSource(pages=[write("pages.jsonl", text)])
    table = read(source)
    assert table.to_pylist() == [
        {"url": "http://a/", "views": 5.0, "spam": 1.0, "n": 1, "x": 0.5, "yes": False, "t": 'éé\n"', "z": None},
        {"url": "http://b/", "views": None, "spam": None, "n": -2, "x": 1000.0, "yes": True, "t": "", "z": None},
        {"url": "http://c/", "views": 7.0, "spam": 0.0, "n": None, "x": None, "yes": None, "t": None, "z": None},
    ]
    assert dict(zip(table.schema.names, table.schema.types, strict=True))["n"] == pa.int64()
    assert [batch.typed for batch in source.batches()] == [True]
    assert [batch.where.line(row) for batch in source.batches() for row in range(3)] == [1, 4, 5]


@pytest.mark.parametrize(
    ("name", "pack"), [("p.json", bytes), ("p.jsonl.gz", gzip.compress), ("p.ndjson", bytes), ("p", bytes)]
)
def test_json_is_known_by_its_name_or_its_first_byte(write, name, pack):
    source = TableSource(pages=[write(name, pack(b'{"url": "http://a/"}\n'))])
    assert read(source).to_pylist() == [{"url": "http://a/"}]
    assert "JSON lines; columns: url" in source.reads[0]


def test_columns_may_come_late(write, monkeypatch):
    monkeypatch.setattr(seedrank.loaders.compressed, "BLOCK", 16)
    text = '{"url": "http://a/"}\n{"url": "http://b/", "n": 3}\n{"m": true, "id": 4}\n'
    source = TableSource(pages=[write("p.json", text)])
    assert read(source).to_pylist() == [
        {"url": "http://a/", "n": None, "m": None, "id": None},
        {"url": "http://b/", "n": 3, "m": None, "id": None},
        {"url": None, "n": None, "m": True, "id": 4},
    ]
    assert source.reads[0].endswith("columns: url, n (your own), m (your own), id")


def test_links_by_id_as_programs_write_them(write):
    links = write("l.json", '{"src": 1, "dst": 2.0, "count": 3}\n{"src": "2", "dst": 1}\n')
    assert read(TableSource(links=[links]), "links").to_pylist() == [
        {"source": 1, "target": 2, "weight": 3.0},
        {"source": 2, "target": 1, "weight": None},
    ]


def test_columns_not_used_may_hold_anything(write):
    text = '{"source": "http://a/", "target": "http://b/", "x": [1, {"y": "}\\""}], "y": {"z": [[]]}}\n'
    source = TableSource(links=[write("l.json", text)])
    assert read(source, "links").to_pylist() == [{"source": "http://a/", "target": "http://b/"}]
    assert source.notes == [f"{source.files[0]}: columns not used: x, y"]


def test_strings_are_not_made_numbers(write):
    assert read(TableSource(pages=[write("p.json", '{"url": "a", "zip": "01234"}\n')])).to_pylist() == [
        {"url": "a", "zip": "01234"}
    ]


def test_mixed_columns_with_marks_or_as_text(write):
    file = write("p.json", '{"url": "a", "n": "n/a"}\n{"url": "b", "n": 1.50}\n{"url": "c", "n": true}\n')
    text = LoadOptions(text="n")
    assert read(TableSource(pages=[file], options=text))["n"].to_pylist() == ["n/a", "1.50", "true"]
    marked = LoadOptions(missing=["n/a", "true"])
    assert read(TableSource(pages=[file], options=marked))["n"].to_pylist() == [None, 1.5, None]
    with pytest.raises(InputError, match=r"line 3, column n: is true or false, and other rows have numbers: 'true'"):
        list(TableSource(pages=[file], options=LoadOptions(missing="n/a")).batches())


BAD = {
    "no JSON": ('{"url": "a"}\n{"url": \n', r"line 2: cannot be read as JSON"),
    "a list": ('[{"url": "a"}]\n', r"line 1: the line is a list"),
    "a number": ("5\n", r"line 1: the line is no object"),
    "two objects": ('{"url": "a"}{"url": "b"}\n', r"line 1: cannot be read as JSON"),
    "text after it": ('{"url": "a"} x\n', r"line 1: cannot be read as JSON"),
    "NaN": ('{"url": "a", "n": NaN}\n', r"line 1: is not strict JSON.*write numbers, not NaN"),
    "a bad number": ('{"url": "a", "n": 01}\n', r"line 1: cannot be read as JSON"),
    "a raw control character": ('{"url": "a\tb"}\n', r"line 1: cannot be read as JSON"),
    "a list in a column": (
        '{"url": "a"}\n{"url": "b", "n": [1, "x"]}\n',
        r"line 2, column n: is a list or an object.*'\[1",
    ),
    "an object for a URL": ('{"url": {"a": 1}}\n', r"line 1, column url: is a list or an object"),
    "depth without end": ('{"url": ' + "[" * 100_000, r"line 1: cannot be read as JSON"),
    "depth with end": ('{"url": ' + "[" * 100_000 + "]" * 100_000 + "}", r"line 1, column url: is a list or an object"),
    "a name twice": ('{"url": "a", "url": "b"}\n', r"line 1, column url: is given twice in one object: 'b'"),
    "bytes": (b'{"url": "a"}\n{"url": "\xff"}\n', r"line 2, column url: is not UTF-8"),
    "bytes in a name": (b'{"url": "a", "\xff": 1}\n', r"line 1: the name of a field is not text: b'\\xff'"),
    "half a letter": ('{"url": "a"}\n{"url": "\\ud800"}\n', r"line 2, column url: is not Unicode text"),
    "a bad escape": ('{"url": "\\x"}\n', r"line 1, column url: is not Unicode text"),
    "strings and numbers": (
        '{"url": "a", "n": 1}\n{"url": "b", "n": "x"}\n{"url": "c", "n": 2}\n',
        r"line 2, column n: is a string, and other rows have numbers: 'x'",
    ),
    "a mark first": (
        '{"url": "a", "n": "n/a"}\n{"url": "b", "n": 3}\n{"url": "c", "n": 2}\n',
        r"line 1, column n: is a string, and other rows have numbers: 'n/a'",
    ),
    "no needed column": ('{"link": "a"}\n', r"line 1: pages need url or id; the columns are link"),
    "no id": ('{"id": 1.5}\n', r"line 1, column id: is not a whole number: '1.5'"),
    "a large id": ('{"id": 18446744073709551615}\n', r"line 1, column id: does not fit in 64 bits"),
    "nothing": ("", "holds no object"),
    "only comments": ("# x\n\n", "holds no object"),
    "NUL": ('{"url": "a\0"}\n', "line 1: a NUL byte"),
}


@pytest.mark.parametrize("case", BAD)
def test_errors_name_the_place(write, case):
    data, message = BAD[case]
    file = write("pages.json", data)
    with pytest.raises(InputError, match=message) as caught:
        list(TableSource(pages=[file]).batches())
    assert str(caught.value).startswith(file)
    assert "\n" not in str(caught.value)


KEYS = st.sampled_from(["a", "b", "é", 'q"\\', "n\n"])
VALUES = {
    "a": st.integers(-(2**63), 2**63 - 1),
    "b": st.text(max_size=6),
    "é": st.booleans(),
    'q"\\': st.floats(allow_nan=False, allow_infinity=False).map(lambda x: x + 0.5),
    "n\n": st.text(alphabet='\\"/\b\t{}[]:,é', max_size=4),
}
OBJECT = st.lists(KEYS, unique=True).flatmap(
    lambda keys: st.fixed_dictionaries({key: st.none() | VALUES[key] for key in keys})
)


@pytest.mark.slow
@settings(
    max_examples=100, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    found=st.lists(OBJECT, min_size=1, max_size=8),
    block=st.integers(8, 64),
    ascii=st.booleans(),
    marks=st.sampled_from([(", ", ": "), (",", ":"), (" ,\t", " : ")]),
)
def test_objects_equal_those_of_the_json_module(tmp_path, monkeypatch, found, block, ascii, marks):
    path = tmp_path / "p.json"
    rows = [{"url": f"u{place}", **row} for place, row in enumerate(found)]
    text = "\n".join(json.dumps(row, ensure_ascii=ascii, separators=marks) for row in rows)
    path.write_bytes(text.encode())
    monkeypatch.setattr(seedrank.loaders.compressed, "BLOCK", block)
    got = read(TableSource(pages=[str(path)])).to_pylist()
    assert [{key: value for key, value in row.items() if value is not None} for row in got] == [
        {key: value for key, value in row.items() if value is not None} for row in rows
    ]


@pytest.mark.slow
@settings(
    max_examples=150, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    data=st.one_of(
        st.binary(max_size=60),
        st.text(alphabet='{}[]":,\\ unltrefasE0123.-+\n\té', max_size=60).map(str.encode),
        st.lists(
            st.sampled_from(
                [b'{"url":', b'"a"', b",", b'"x":', b"1", b"}", b"[", b"]", b"\n", b"null", b'"\\', b"\xff", b"-"]
            ),
            max_size=20,
        ).map(b"".join),
    )
)
def test_any_bytes_are_read_as_the_json_module_does_or_refused(tmp_path, data):
    path = tmp_path / "p.json"
    path.write_bytes(data)
    try:
        got = read(TableSource(pages=[str(path)]))
    except SeedrankError as error:
        assert "\n" not in str(error)
        return
    rows = [json.loads(line) for line in data.split(b"\n") if line.rstrip(b"\r") and not line.startswith(b"#")]
    assert got["url"].to_pylist() == [None if row.get("url") is None else _text(row["url"]) for row in rows]


def _text(value):
    return value if isinstance(value, str) else json.dumps(value)


def test_what_we_write_is_read(write):
    table = pa.table(
        {
            "url": ["http://a/", 'http://b/?"é\\'],
            "score": [0.1, None],
            "rank": [1, 2],
            "title": pa.array([None, "新闻\t\n"]),
            "spam": [True, False],
        }
    )
    file = write("answer.json.gz", gzip.compress("".join(json_lines(table)).encode()))
    expected = [{**row, "spam": float(row["spam"])} for row in table.to_pylist()]
    assert read(TableSource(pages=[file])).to_pylist() == expected
