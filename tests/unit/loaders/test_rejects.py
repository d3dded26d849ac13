"""Rows that cannot be read: counted by reason, shown and kept, and a load that fails beyond its limit."""

from __future__ import annotations

import csv
import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import seedrank.loaders.compressed
from seedrank.core.errors import InputError, UsageError
from seedrank.loaders.base import LoadOptions, Summary, Where
from seedrank.loaders.frames import FrameSource
from seedrank.loaders.rejects import Rejects
from seedrank.loaders.table import TableSource, use_options


def read(source: TableSource | FrameSource, tolerant: int | str | None, rejects: str | None = None) -> list[dict]:
    use_options(source, LoadOptions(tolerant=tolerant, rejects=rejects))
    return [row for batch in source.batches() for row in batch.rows.to_pylist()]


CSV = b"""url,views,status
http://a/,1,crawled
http://b/,many,crawled
http://c/
http://d/,2,gone
http://e/,-3,
,4,
"http://f/
x",5,
http://g\xff/,6,
http://h/,7,frontier
http://i/,8,9,10
"""
REASONS = {
    "views is not a number": 1,
    "1 fields instead of 3 (url, views, status)": 1,
    "status is not a status": 1,
    "views is negative": 1,
    "url is empty": 1,
    "url holds a line break": 1,
    "url is not UTF-8": 1,
    "4 fields instead of 3 (url, views, status)": 1,
}


@pytest.mark.parametrize("block", [4, 1 << 20])
def test_bad_rows_of_delimited_text_are_left_out_and_counted(write, monkeypatch, block):
    monkeypatch.setattr(seedrank.loaders.compressed, "BLOCK", block)
    source = TableSource(pages=[write("p.csv", CSV)])
    assert [row["url"] for row in read(source, 8)] == ["http://a/", "http://h/"]
    assert source.broken.counts == REASONS
    assert f"{source.files[0]}: line 3: views is not a number: http://b/,many,crawled" in source.broken.first
    assert f"{source.files[0]}: line 12: 4 fields instead of 3 (url, views, status): http://i/,8,9,10" in (
        source.broken.first
    )
    with pytest.raises(
        InputError, match=r"8 rows are bad, and tolerant=7 allows fewer \(1 × .*, such as .*p.csv: line"
    ):
        read(TableSource(pages=[write("p.csv", CSV)]), 7)
    with pytest.raises(InputError, match=r"line \d+"):
        read(TableSource(pages=[write("p.csv", CSV)]), None)


def test_a_row_with_a_stray_quote_is_one_bad_row(write):
    lines = ["url,title", 'http://q/,"a, b"', *(f"http://a/{row},x" for row in range(50))]
    lines[5], lines[40] = 'http://a/3,"x', 'http://a/38,y"'
    source = TableSource(pages=[write("p.csv", "\n".join(lines) + "\n")])
    found = [row["url"] for row in read(source, 1)]
    assert found == ["http://q/", *(f"http://a/{row}" for row in range(50) if row != 3)]
    assert source.broken.first[0].endswith('line 6: a quoted field is not closed in its row (field 2): http://a/3,"x')


JSON = b"""{"url": "http://a/", "views": 1, "x": 1}
{"url": "http://b/", "views": "many", "x": 1}
{"url": "http://c/"
[1]
{"url": "http://d/", "x": "one"}
{"url": "http://e/", "x": [1]}
{"url": "http://f/", "url": "http://g/"}
{"url": "http://h\\ud800/"}
{"url": "http://\xff/"}
{"url": "http://i/", "views": 2, "x": 2}
"""


def test_bad_lines_of_json_are_left_out_and_counted(write):
    source = TableSource(pages=[write("p.jsonl", JSON)])
    assert [row["url"] for row in read(source, 8)] == ["http://a/", "http://i/"]
    assert source.broken.counts == {
        "cannot be read as JSON": 1,
        "the line is a list": 1,
        "views is not a number": 1,
        "x is a string, and other rows have numbers": 1,
        "x is a list or an object": 1,
        "url is given twice in one object": 1,
        "url is not Unicode text": 1,
        "url is not UTF-8": 1,
    }
    for name in ("line 3: cannot be read as JSON", "line 4: the line is a list: [1]"):
        assert any(name in line for line in source.broken.first)


def test_bad_rows_of_parquet_and_frames_are_left_out_and_counted(tmp_path):
    table = pa.table({"url": ["http://a/", None, "http://c/"], "views": ["1", "2", "x"]})
    pq.write_table(table, tmp_path / "p.parquet")
    for source in (TableSource(pages=[str(tmp_path / "p.parquet")]), FrameSource({"pages": table})):
        assert read(source, "70%") == [{"url": "http://a/", "views": 1}]
        assert source.broken.counts == {"views is not a number": 1, "url is empty": 1}
        assert source.broken.first[0].endswith('line 3: views is not a number: {"url": "http://c/", "views": "x"}')


@pytest.mark.slow
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(st.sampled_from(["1", "x", "-1", "", "1,2", "2024"]), min_size=1, max_size=60), data=st.data())
def test_good_rows_are_those_that_can_be_read_alone(tmp_path, monkeypatch, rows, data):
    monkeypatch.setattr(seedrank.loaders.compressed, "BLOCK", data.draw(st.integers(8, 400)))
    file = tmp_path / "p.csv"
    file.write_text("url,views\n" + "".join(f"http://a/{row},{views}\n" for row, views in enumerate(rows)))
    source = TableSource(pages=[str(file)])
    good = [f"http://a/{row}" for row, views in enumerate(rows) if views in ("1", "", "2024")]
    assert [row["url"] for row in read(source, len(rows))] == good
    assert source.broken.count == len(rows) - len(good)


@pytest.mark.parametrize("name", ["r.csv", "r.tsv", "r.jsonl", "r.parquet", "r"])
def test_rejects_are_kept_in_a_file(write, tmp_path, name):
    file = tmp_path / name
    source = TableSource(pages=[write("p.csv", "url,views\nhttp://a/,1\nhttp://b/,x\n")])
    read(source, "50%", str(file))
    assert not file.exists()
    source.broken.finish(1)
    if name.endswith("parquet"):
        rows = pq.read_table(file).to_pylist()
    elif name.endswith("jsonl"):
        rows = [json.loads(line) for line in file.read_text().splitlines()]
    else:
        rows = list(csv.DictReader(file.read_text().splitlines(), delimiter="\t" if name.endswith("tsv") else ","))
    assert [{**row, "line": int(row["line"])} for row in rows] == [
        {"file": source.files[0], "line": 3, "reason": "views is not a number", "text": "http://b/,x"}
    ]


def test_a_share_is_judged_at_the_end_and_then_there_is_no_file(write, tmp_path):
    source = TableSource(pages=[write("p.csv", "url,views\nhttp://a/,1\nhttp://b/,x\n")])
    read(source, "49%", str(tmp_path / "r.csv"))
    with pytest.raises(InputError, match=r"1 of 2 rows are bad, and tolerant=\"49%\" allows fewer"):
        source.broken.finish(1)
    assert not (tmp_path / "r.csv").exists()


def test_the_first_ten_of_each_reason_are_shown():
    rejects, summary = Rejects(), Summary()
    rejects.use("100%", None)
    for reason in ("one", "two"):
        rejects.add(reason, Where("f", 5), np.arange(30), lambda row: f"row {row}")
    rejects.tell(summary)
    assert summary.counts == {"rows left out: one": 30, "rows left out: two": 30}
    assert summary.broken == [
        f"f: line {5 + row}: {reason}: row {row}" for reason in ("one", "two") for row in range(10)
    ]


@pytest.mark.parametrize("given", ["x", "-1", "101%", "1.5", ""])
def test_what_is_no_number_and_no_share(given):
    with pytest.raises(UsageError, match="tolerant is neither a number nor a share"):
        Rejects().use(given, None)


def test_strict_and_a_file_alone_are_refused():
    with pytest.raises(UsageError, match="strict tolerates nothing"):
        Rejects(strict=True).use(1, None)
    with pytest.raises(UsageError, match="rejects needs tolerant"):
        Rejects().use(None, "r.csv")
