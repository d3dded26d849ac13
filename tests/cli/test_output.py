"""What goes to standard output, and how."""

from __future__ import annotations

import json
import math

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seedrank.cli.output import printable
from seedrank.cli.text_formats import json_lines, tsv_lines
from seedrank.core.errors import InputError
from seedrank.core.files import whole_file


@pytest.mark.slow
@given(
    st.lists(
        st.tuples(
            st.one_of(st.none(), st.text(st.characters(codec="utf-8"))),
            st.one_of(st.none(), st.integers(-(2**63), 2**63 - 1)),
            st.one_of(st.none(), st.floats()),
            st.one_of(st.none(), st.booleans()),
        ),
        max_size=20,
    )
)
def test_json_lines_equal_the_standard_library(rows):
    names = ["text", "whole", "real", 'a "quoted" name']
    types = [pa.string(), pa.int64(), pa.float64(), pa.bool_()]
    columns = [pa.array([row[i] for row in rows], kind) for i, kind in enumerate(types)]
    text = "".join(json_lines(pa.table(columns, names=names), rows=3))

    read = [json.loads(line) for line in text.splitlines()]
    plain = [[None if isinstance(v, float) and not math.isfinite(v) else v for v in row] for row in rows]
    assert read == [dict(zip(names, row, strict=True)) for row in plain]


def test_lists_become_json_lists():
    text = "".join(json_lines(pa.table({"members": [[1, 2], None]})))
    assert [json.loads(line) for line in text.splitlines()] == [{"members": [1, 2]}, {"members": None}]


@pytest.mark.slow
@given(
    st.lists(
        st.tuples(
            st.none() | st.text(st.characters(codec="utf-8", exclude_characters="\t\r\n"), min_size=1),
            st.none() | st.integers(-(2**63), 2**63 - 1),
            st.none() | st.booleans(),
        ),
        max_size=20,
    )
)
def test_fields_between_tabs_are_as_they_are(rows):
    columns = [pa.array([row[i] for row in rows], kind) for i, kind in enumerate((pa.string(), pa.int64(), pa.bool_()))]
    text = "".join(tsv_lines(pa.table(columns, names=["text", "whole", "yes"]), rows=3))
    plain = [["" if value is None else value for value in row] for row in rows]
    expected = [["text", "whole", "yes"], *([row[0], str(row[1]), str(row[2]).lower()] for row in plain)]
    assert [line.split("\t") for line in text.split("\n")[:-1]] == expected


def test_tabs_and_line_ends_in_a_field_become_spaces():
    table = pa.table({"a": ["x\ty\r\nz", None], "b": [0.5, None], "c": pa.array(["u", "v"]).dictionary_encode()})
    assert "".join(tsv_lines(table)) == "a\tb\tc\nx y  z\t0.5\tu\n\t\tv\n"


def test_hostile_text_cannot_steer_a_terminal():
    assert printable("http://a/\x1b[2J\r\n") == "http://a/\\x1b[2J\\r\\n"
    assert printable("straße") == "straße"


def test_a_file_appears_whole_or_not_at_all(tmp_path):
    target = tmp_path / "out.csv"
    target.write_text("old")
    with pytest.raises(RuntimeError), whole_file(target) as half:
        half.write_text("half")
        raise RuntimeError
    assert target.read_text() == "old"
    with whole_file(target) as half:
        half.write_text("new")
    assert target.read_text() == "new"
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(InputError, match=r"nowhere.*cannot be written"), whole_file(tmp_path / "nowhere" / "x.csv"):
        pass


def test_json_is_a_line_per_row_whatever_the_file_is_called(seedrank, tmp_path):
    (tmp_path / "links.txt").write_text("0\t1\n1\t0\n")
    assert seedrank("load", "snap", "links.txt").code == 0
    assert seedrank("rank", "indegree", "-o", "a.json").code == 0
    assert seedrank("rank", "indegree", "-o", "a.jsonl").code == 0
    text = (tmp_path / "a.json").read_text()
    assert [json.loads(line)["rank"] for line in text.splitlines()] == [1, 2]
    assert (tmp_path / "a.jsonl").read_text() == text
    assert seedrank("rank", "indegree", "--format", "json").out == text


def test_numbers_that_json_lacks_are_null_in_lists_too():
    table = pa.table({"a": [[math.nan, 1.5], None], "s": [{"x": math.inf, "y": [{"z": -math.inf}]}, None]})
    found = [json.loads(line, parse_constant=pytest.fail) for line in "".join(json_lines(table)).splitlines()]
    assert found == [{"a": [None, 1.5], "s": {"x": None, "y": [{"z": None}]}}, {"a": None, "s": None}]
