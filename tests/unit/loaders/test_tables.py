"""Tables as text and Parquet: what is read, and every error with its place."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import sys
import threading
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import seedrank.loaders.compressed
from seedrank.core.errors import InputError, SeedrankError, UsageError
from seedrank.loaders.table import TableSource


def read(source: TableSource, kind: str) -> pa.Table:
    return pa.Table.from_batches([batch.rows for batch in source.batches() if batch.kind == kind])


def lines(source: TableSource, kind: str) -> list[int]:
    return [
        batch.where.line(row) for batch in source.batches() if batch.kind == kind for row in range(batch.rows.num_rows)
    ]


def zstd(data: bytes) -> bytes:
    return pa.compress(data, "zstd", asbytes=True)


@pytest.fixture
def small_blocks(monkeypatch):
    monkeypatch.setattr(seedrank.loaders.compressed, "BLOCK", 16)


LINKS = "source\ttarget\tweight\n1\t2\t3\n2\t1\t\n"


# -- what is read


@pytest.mark.parametrize("pack", [("", bytes), (".gz", gzip.compress), (".zst", zstd)])
def test_text_is_read_plain_and_packed(write, pack):
    suffix, squeeze = pack
    source = TableSource(links=[write(f"links.tsv{suffix}", squeeze(LINKS.encode()))])
    table = read(source, "links")
    assert table.to_pydict() == {"source": [1, 2], "target": [2, 1], "weight": [3.0, None]}
    assert table.schema.types == [pa.int64(), pa.int64(), pa.float64()]


def test_packing_is_known_by_its_first_bytes_too(write):
    assert read(TableSource(links=[write("links.tsv", gzip.compress(LINKS.encode()))]), "links").num_rows == 2
    two_members = gzip.compress(LINKS.encode()) + gzip.compress(b"5\t6\t7\n")
    assert read(TableSource(links=[write("links.tsv.gz", two_members)]), "links").num_rows == 3


def test_csv_has_quotes_and_line_ends_inside_them(write):
    quoted = '"http://a/","http://b/","said ""no"", \r\n# not a comment\n\nend"'
    text = f'source,target,anchor\r\n{quoted}\r\n# one\r\nc,d,5" disk\r\n'
    source = TableSource(links=[write("links.csv", text)])
    assert read(source, "links").to_pydict() == {
        "source": ["http://a/", "c"],
        "target": ["http://b/", "d"],
        "anchor": ['said "no", \r\n# not a comment\n\nend', '5" disk'],
    }
    assert lines(source, "links") == [2, 7]


def test_tsv_has_no_quotes(write):
    source = TableSource(links=[write("links.tsv", 'source\ttarget\tanchor\na\tb\t"open\nc\td\t""\n')])
    assert read(source, "links")["anchor"].to_pylist() == ['"open', '""']


def test_comments_and_blank_lines_are_skipped_anywhere_and_counted(write):
    text = "# one\n\nsource\ttarget\n\n1\t2\n#1\t9\n\r\n3\t4\r\n5\t6\n# end"
    source = TableSource(links=[write("links.tsv", text)])
    assert read(source, "links").to_pydict() == {"source": [1, 3, 5], "target": [2, 4, 6]}
    assert lines(source, "links") == [5, 8, 9]


def test_byte_order_mark_and_missing_last_line_end(write):
    source = TableSource(links=[write("links.csv", b"\xef\xbb\xbfsource,target\n1,2\n3,4")])
    assert read(source, "links").to_pydict() == {"source": [1, 3], "target": [2, 4]}


def test_column_names_may_be_given_or_be_aliases(write):
    bare = write("bare.tsv", "1\t2\t3\n")
    assert read(TableSource(links=[bare], columns={"links": ["source", "target", "weight"]}), "links").to_pydict() == {
        "source": [1],
        "target": [2],
        "weight": [3.0],
    }
    aliased = write("aliased.csv", "count,Src,dst,else\n7,1,2,x\n")
    assert read(TableSource(links=[aliased]), "links").to_pydict() == {"weight": [7.0], "source": [1], "target": [2]}


def test_own_columns_of_pages_are_kept_as_text(write):
    source = TableSource(
        pages=[write("pages.tsv", "url\tkind\tbytes\tstatus\nhttp://a/\t7\t10\tcrawled\nhttp://b/\t\t\t\n")]
    )
    table = read(source, "pages")
    assert table.to_pydict() == {
        "url": ["http://a/", "http://b/"],
        "kind": ["7", None],
        "bytes": [10.0, None],
        "status": ["crawled", None],
    }


def test_header_without_rows_is_an_empty_table(write):
    source = TableSource(pages=[write("p.tsv", "url\n")], links=[write("l.tsv", LINKS.replace("1", "a"))])
    assert [batch.kind for batch in source.batches()] == ["links"]


def test_kinds_come_in_order_and_may_have_several_files(write):
    source = TableSource(
        links=[write("l.tsv", LINKS)],
        pages=[write("p.tsv", "id\n1\n"), write("q.csv", "id,url\n2,http://b/\n")],
        hosts=[write("h.tsv", "name\timportance\na.b\t1\n")],
        queries=[write("s.tsv", "query\tfreq\nx y\t2\n")],
        results=[write("r.tsv", "query\tid\trank\nx y\t1\t1\n")],
        events=[write("e.tsv", "time\tid\tclicks\n0\t1\t1\n")],
    )
    assert [batch.kind for batch in source.batches()] == [
        "pages", "pages", "hosts", "links", "queries", "results", "events"
    ]  # fmt: skip
    assert source.files[0].endswith("p.tsv")
    assert "links=" in source.description


def test_times(write):
    text = """time\tid
2024-10-31
2024-10-31T12:00
2024-10-31 12:00:00
2024-10-31T12:00:00Z
2024-10-31T12:00:00.1234567+02:00
2024-10-31T12:00:00-0130
1730376000
1730376000.5
-1
20080213
20080213123456
99999999
""".replace("\n", "\t1\n").replace("id\t1", "id")
    got = read(TableSource(events=[write("e.tsv", text)]), "events")["time"].to_pylist()
    assert got == [
        datetime(2024, 10, 31),
        datetime(2024, 10, 31, 12),
        datetime(2024, 10, 31, 12),
        datetime(2024, 10, 31, 12),
        datetime(2024, 10, 31, 10, 0, 0, 123456),
        datetime(2024, 10, 31, 13, 30),
        datetime(2024, 10, 31, 12),
        datetime(2024, 10, 31, 12, 0, 0, 500000),
        datetime(1969, 12, 31, 23, 59, 59),
        datetime(2008, 2, 13),
        datetime(2008, 2, 13, 12, 34, 56),
        datetime(1973, 3, 3, 9, 46, 39),
    ]


MONTH, DAY = datetime(2024, 10, 1), datetime(2024, 10, 31)


@pytest.mark.parametrize(
    ("values", "times"),
    [
        ([202410, 202410], [MONTH, MONTH]),
        ([202410, 20241031], [MONTH, DAY]),
        # Among seconds six digits are seconds; a thirteenth month makes a column one of seconds.
        ([202410, 1730332800], [datetime(1970, 1, 3, 8, 13, 30), DAY]),
        ([202410, 202413], [datetime(1970, 1, 3, 8, 13, 30), datetime(1970, 1, 3, 8, 13, 33)]),
        ([209912, 190001], [datetime(2099, 12, 1), datetime(1900, 1, 1)]),
        ([189912], [datetime(1970, 1, 3, 4, 45, 12)]),
        ([0], [datetime(1970, 1, 1)]),
    ],
)
def test_months_and_days_in_digits(tmp_path, write, values, times):
    rows = [{"time": value, "id": 1} for value in values]
    files = [
        write("e.csv", "time,id\n" + "".join(f"{value},1\n" for value in values)),
        write("e.jsonl", "".join(json.dumps(row) + "\n" for row in rows)),
        write("s.jsonl", "".join(json.dumps({**row, "time": str(row["time"])}) + "\n" for row in rows)),
        parquet(tmp_path, "i.parquet", {"time": pa.array(values, pa.int64()), "id": [1] * len(values)}),
        parquet(tmp_path, "f.parquet", {"time": pa.array(values, pa.float64()), "id": [1] * len(values)}),
    ]
    for file in files:
        assert read(TableSource(events=[file]), "events")["time"].to_pylist() == times, file


def test_the_first_rows_say_whether_six_digits_are_months(tmp_path, monkeypatch):
    monkeypatch.setattr("seedrank.loaders.parquet._ROWS_WITH_TEXT", 2)
    monkeypatch.setattr("seedrank.loaders.parquet.MAX_ROWS", 2)
    for times, error in (([202410, 20241031, 202411], None), ([202410, 202411, 202413], r"line 3.*is not a time")):
        source = TableSource(events=[parquet(tmp_path, "e.parquet", {"time": times, "id": [1, 1, 1]})])
        if error is None:
            assert read(source, "events")["time"].to_pylist() == [MONTH, DAY, datetime(2024, 11, 1)]
        else:
            with pytest.raises(InputError, match=error):
                list(source.batches())


def test_format_is_sniffed_or_given_where_the_suffix_does_not_tell(write):
    for name, text in (("a.txt", LINKS), ("b", LINKS.replace("\t", ",")), ("c.gz", gzip.compress(LINKS.encode()))):
        assert read(TableSource(links=[write(name, text)]), "links").num_rows == 2
    odd = write("d", "url\nhttp://a/?b,c\n")
    assert read(TableSource(pages=[odd], format="tsv"), "pages")["url"].to_pylist() == ["http://a/?b,c"]
    assert read(TableSource(links=[write("e.csv", LINKS.replace("\t", ","))], format="tsv"), "links").num_rows == 2


@pytest.mark.parametrize(
    "data",
    [LINKS.encode(), LINKS.replace("\t", ",").encode(), gzip.compress(LINKS.encode()), zstd(LINKS.encode())],
    ids=["tsv", "csv", "gzip", "zstd"],
)
def test_standard_input(monkeypatch, write, data):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    source = TableSource(links=["-"])
    with pytest.raises(SeedrankError, match="after it was read"):
        source.sha256()
    assert read(source, "links").num_rows == 2
    assert source.sha256() == TableSource(links=[write("links", data)]).sha256()


def test_pipes_are_read_once(tmp_path, write):
    pipe = str(tmp_path / "pipe")
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: Path(pipe).write_text(LINKS))
    writer.start()
    source = TableSource(links=[pipe])
    assert read(source, "links").num_rows == 2
    writer.join()
    assert source.sha256() == TableSource(links=[write("links", LINKS)]).sha256()


def test_digest_is_of_contents_and_kinds(write):
    one, other = write("1.tsv", LINKS), write("2.tsv", LINKS)
    before = TableSource(links=[one]).sha256()
    source = TableSource(links=[other])
    assert read(source, "links").num_rows == 2
    assert source.sha256() == before
    assert TableSource(links=[write("3.tsv", LINKS + "8\t9\t\n")]).sha256() != before
    assert TableSource(pages=[one]).sha256() != before


FIELD = st.text(alphabet='ab"#,\n\r\té1', max_size=5)


@pytest.mark.slow
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.lists(st.tuples(FIELD, FIELD), min_size=1, max_size=12),
    block=st.integers(4, 64),
    style=st.sampled_from([("\n", csv.QUOTE_ALL), ("\r\n", csv.QUOTE_ALL), ("\r\n", csv.QUOTE_MINIMAL)]),
)
def test_csv_in_blocks_of_any_size_equals_the_csv_module(tmp_path, monkeypatch, rows, block, style):
    text = io.StringIO()
    writer = csv.writer(text, lineterminator=style[0], quoting=style[1])
    writer.writerow(["query", "freq", "x"])
    for a, b in rows:
        writer.writerow([f"q{a}", "1", f"#{b}"])
    path = tmp_path / "q.csv"
    path.write_bytes(text.getvalue().encode())
    monkeypatch.setattr(seedrank.loaders.compressed, "BLOCK", block)
    source = TableSource(queries=[str(path)])
    assert read(source, "queries")["query"].to_pylist() == [f"q{a}" for a, _ in rows]
    raw = text.getvalue().encode()
    starts = [raw[: raw.index(b"\n") + 1].count(b"\n")]
    for a, b in rows[:-1]:
        starts.append(starts[-1] + a.count("\n") + b.count("\n") + 1)
    assert lines(source, "queries") == [start + 1 for start in starts]


@pytest.mark.slow
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    text=st.lists(
        st.sampled_from(["", "#", "# 1\t2", "\r"]) | st.tuples(st.integers(0, 2**63 - 1), st.integers(0, 9)),
        max_size=20,
    ),
    block=st.integers(4, 64),
)
def test_tsv_in_blocks_of_any_size_keeps_lines(tmp_path, monkeypatch, text, block):
    path = tmp_path / "l.tsv"
    rows = [row if isinstance(row, str) else f"{row[0]}\t{row[1]}" for row in text]
    path.write_text("\n".join(["source\ttarget", *rows]) + "\n", newline="")
    monkeypatch.setattr(seedrank.loaders.compressed, "BLOCK", block)
    source = TableSource(links=[str(path)])
    expected = [(row[0], line) for line, row in enumerate(text, 2) if not isinstance(row, str)]
    got = [
        (batch.rows.column("source")[row].as_py(), batch.where.line(row))
        for batch in source.batches()
        for row in range(batch.rows.num_rows)
    ]
    assert got == expected


# -- ids or names


def test_ends_are_ids_or_names_by_the_first_rows(write):
    integers, names = write("i.tsv", LINKS), write("n.tsv", "source\ttarget\n1\tx\n2\t3\n")
    ids, pages = write("ids.tsv", "id\n1\n2\n"), write("pages.tsv", "url\n1\n2\n")
    string, number = pa.string(), pa.int64()
    assert read(TableSource(links=[integers]), "links")["source"].type == number
    assert read(TableSource(links=[names]), "links")["source"].to_pylist() == ["1", "2"]
    assert read(TableSource(links=[integers], url_prefix="http://x/"), "links")["source"].type == string
    assert read(TableSource(links=[integers], pages=[pages], url_prefix="http://x/"), "links")["source"].type == string
    assert read(TableSource(links=[integers], pages=[ids], url_prefix="http://x/"), "links")["source"].type == number


def test_links_by_id_need_pages_with_ids(write):
    source = TableSource(links=[write("l.tsv", LINKS)], pages=[write("p.tsv", "url\nhttp://a/\n")])
    with pytest.raises(InputError, match=r"p\.tsv: the links name pages by id.*no column id"):
        list(source.batches())


def test_a_later_name_among_ids_is_an_error(write, small_blocks):
    source = TableSource(links=[write("l.tsv", "source\ttarget\n1\t2\n3\t4\n5\t6\n# c\n7\thttp://a/\n")])
    with pytest.raises(InputError, match=r"l\.tsv, line 6, column target: is not an id.*'http://a/'"):
        list(source.batches())
    source = TableSource(links=[write("a.tsv", LINKS), write("b.tsv", "source\ttarget\nx\ty\n")])
    with pytest.raises(InputError, match=r"b\.tsv, line 2, column source: is not an id"):
        list(source.batches())


# -- errors, each with its place

BAD = {
    "too few fields": (
        "links.tsv",
        "source\ttarget\n1\t2\n#\n3\n",
        r"line 4: 1 fields instead of 2 \(source, target\): b'3'",
    ),
    "too many fields": ("links.csv", "source,target\n1,2\n3,4,5\n", r"line 3: 3 fields instead of 2.*commas"),
    "no needed columns": (
        "links.tsv",
        "# c\na\tb\n1\t2\n",
        r'line 2: links need source and target; the columns are a, b.*or name them with columns\["links"\]',
    ),
    "text for a number": (
        "links.tsv",
        "source\ttarget\tweight\n1\t2\t3\n1\t2\tmany\n",
        r"line 3, column weight: is not a number: 'many'",
    ),
    "text for a number by alias": (
        "links.tsv",
        "src\tdst\tcount\n1\t2\tmany\n",
        r"line 2, column weight: is not a number",
    ),
    "text for a flag": (
        "pages.tsv",
        "url\tspam\na\ttrue\nb\tmaybe\n",
        r"line 3, column spam: is neither true or false nor a number: 'maybe'",
    ),
    "true for a number": ("pages.tsv", "url\tclicks\na\ttrue\n", r"line 2, column clicks: is not a number: 'true'"),
    "infinite": ("links.tsv", "source\ttarget\tweight\n1\t2\tinf\n", r"line 2, column weight: is not a finite number"),
    "negative weight": ("links.tsv", "source\ttarget\tweight\n1\t2\t-1\n", r"line 2, column weight: is negative: -1"),
    "negative id": ("links.tsv", "source\ttarget\n1\t2\n1\t-2\n", r"line 3, column target: is negative: -2"),
    "overflowing id": (
        "links.tsv",
        "source\ttarget\n1\t9223372036854775808\n",
        r"line 2, column target: does not fit in 64 bits: '9223372036854775808'",
    ),
    "empty end": ("links.tsv", "source\ttarget\n1\t2\n3\t\n", r"line 3, column target: is empty"),
    "name for an id": (
        "pages.tsv",
        "id\nBrain\n",
        r"line 2, column id: is not a whole number: 'Brain'.*see url_prefix",
    ),
    "negative page id": ("pages.tsv", "id\n\n-7\n", r"line 3, column id: is negative: -7"),
    "overflowing page id": ("pages.tsv", "id\n99999999999999999999\n", r"line 2, column id: does not fit in 64 bits"),
    "neither url nor id": ("pages.tsv", "url\tid\thost\na\t1\t\n\t\tx\n", r"line 3, column id and url: is empty"),
    "unknown status": (
        "pages.tsv",
        "url\tstatus\na\tcrawled\nb\tgone\n",
        r"line 3, column status: is not a status: 'gone'; one of frontier, missing, crawled",
    ),
    "broken UTF-8": (
        "pages.tsv",
        b"url\thost\nhttp://a/\ta\nhttp://\xff/\tb\n",
        r"line 3, column url: is not UTF-8: b'http://\\xff/'",
    ),
    "broken UTF-8 in a quoted field": ("pages.csv", b'url,x\n"a,b",\nc,"\xe4,"\n', r"line 3, column x: is not UTF-8"),
    "broken UTF-8 in the header": ("pages.tsv", b"url\t\xff\n", r"line 1: the header is not UTF-8"),
    "NUL": ("pages.tsv", "url\nhttp://a/\nhttp://\0/\n", r"line 3: a NUL byte"),
    "carriage return": ("pages.tsv", "url\nhttp://a/\rhttp://b/\n", r"line 2: a carriage return inside a line"),
    "open quote": ("pages.csv", 'url\n"x"\n"http://a/\nhttp://b/\n', r"line 3: a quoted field is not closed"),
    "duplicate columns": ("pages.tsv", "url\tx\tx\na\tb\tc\n", r"line 1: two columns are x \(x, x\)"),
    "duplicate by alias": (
        "links.tsv",
        "src\tsource\ttarget\n1\t2\t3\n",
        r"line 1: two columns are source \(src, source\)",
    ),
    "nameless column": ("pages.csv", ",url\n0,a\n", r"line 1: a column has no name"),
    "reserved column": ("pages.tsv", "url\tlabel\na\t1\n", r"line 1: a column may not be called label"),
    "empty": ("pages.tsv", "", r"is empty"),
    "only comments": ("pages.tsv", "# a\n\n# b\n", r"holds only comments and blank lines"),
    "packed nothing": ("pages.tsv.gz", gzip.compress(b""), r"is empty"),
    "truncated gzip": (
        "pages.tsv.gz",
        gzip.compress(b"url\n" + os.urandom(5000).hex().encode() + b"\n")[:-9],
        r"the gzip file ends too early",
    ),
    "corrupt gzip": ("pages.tsv.gz", gzip.compress(b"url\nabc\n")[:-8] + b"abcdefgh", r"the gzip file is corrupt"),
    "truncated zstd": (
        "pages.tsv.zst",
        zstd(b"url\n" + os.urandom(5000).hex().encode() + b"\n")[:-9],
        r"the zstd file ends too early",
    ),
    "no gzip": ("pages.tsv.gz", "url\na\n", r"is not a gzip file"),
    "Parquet by another name": ("pages.tsv", b"PAR1abc", r"is Parquet, not text"),
}


@pytest.mark.parametrize("case", BAD)
def test_errors_name_the_place(write, case):
    name, data, message = BAD[case]
    file = write(name, data)
    with pytest.raises(InputError, match=message) as caught:
        list(TableSource(**{name.split(".")[0]: [file]}).batches())
    assert str(caught.value).startswith(file)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "value",
    [
        "yesterday",
        "2024-13-01",
        "1730376000000",
        "31/Oct/2024:12:00:00 +0000",
        "2024-10-31T25:00Z",
        "20240230",
        "20241399",
    ],
)
def test_what_is_no_time(write, value):
    with pytest.raises(InputError, match=r"line 3, column time: is not a time.*seconds since 1970"):
        list(TableSource(events=[write("e.tsv", f"time\turl\n2024-10-31\ta\n{value}\tb\n")]).batches())


def test_missing_unreadable_and_directories_are_found_before_anything_is_read(write, tmp_path):
    good = write("p.tsv", "url\na\n")
    for bad, message in ((tmp_path / "none.tsv", "file not found"), (tmp_path, "is a directory")):
        with pytest.raises(InputError, match=message):
            next(TableSource(pages=[good], links=[str(bad)]).batches())
    if Path("/proc/self/mem").exists():  # a file that even root cannot read from its start
        with pytest.raises(InputError, match="cannot be read"):
            next(TableSource(pages=["/proc/self/mem"]).batches())


def test_a_line_without_end_is_refused(write, monkeypatch):
    monkeypatch.setattr(seedrank.loaders.compressed, "BLOCK", 1000)
    monkeypatch.setattr("seedrank.loaders.records._MAX_LINE", 4000)
    with pytest.raises(InputError, match=r"line 2: a line is longer"):
        list(TableSource(pages=[write("p.tsv", "url\n" + "a" * 9000)]).batches())


def test_the_bad_row_is_found_among_many(write):
    rows = [f"{i}\t{i + 1}\t1" for i in range(200_000)]
    rows[123_456] = "1\t2\tx"
    rows.insert(1000, "# comment")
    with pytest.raises(InputError, match="line 123459, column weight: is not a number: 'x'"):
        list(TableSource(links=[write("l.tsv", "source\ttarget\tweight\n" + "\n".join(rows))]).batches())


def test_wrong_usage(write):
    with pytest.raises(UsageError, match="no file is given"):
        TableSource()
    with pytest.raises(UsageError, match="given twice"):
        TableSource(links=["-"], pages=["-"])
    with pytest.raises(UsageError, match=r'columns\["links"\]: links need source and target'):
        TableSource(links=["x"], columns={"links": ["a", "b"]})
    with pytest.raises(UsageError, match="unknown format"):
        TableSource(links=["x"], format="xml")


# -- Parquet


def parquet(tmp_path, name: str, columns: dict[str, pa.Array], **options) -> str:
    path = tmp_path / name
    pq.write_table(pa.table(columns), path, **options)
    return str(path)


def test_parquet_is_read_by_the_same_rules(tmp_path):
    pages = parquet(
        tmp_path,
        "pages.parquet",
        {
            "id": pa.array([3, 4, 5], pa.int32()),
            "url": pa.array(["http://a/", None, "http://c/"], pa.large_string()),
            "status": pa.array(["crawled", "frontier", None]).dictionary_encode(),
            "clicks": pa.array([1, 2, None], pa.int16()),
            "own": pa.array([True, False, None]),
            "tag": pa.array(["x", "y", "x"]).dictionary_encode(),
        },
        row_group_size=2,
    )
    links = parquet(tmp_path, "links.parquet", {"from": pa.array([3, 4], pa.uint64()), "to": [4, 3], "x": [[1], [2]]})
    source = TableSource(pages=[pages], links=[links])
    table = read(source, "pages")
    assert dict(zip(table.schema.names, table.schema.types, strict=True)) == {
        "id": pa.int64(),
        "url": pa.string(),
        "status": pa.string(),
        "clicks": pa.float64(),
        "own": pa.bool_(),
        "tag": pa.string(),
    }
    assert table["clicks"].to_pylist() == [1.0, 2.0, None]
    assert lines(source, "pages") == [1, 2, 3]
    assert read(source, "links").to_pydict() == {"source": [3, 4], "target": [4, 3]}
    assert source.sha256() == TableSource(pages=[pages], links=[links]).sha256()


FLAGS = [1.0, 0.0, None, 1.0, 0.0, 0.5]


@pytest.mark.parametrize("names", [None, ["url", "spam"]])
@pytest.mark.parametrize("name", ["pages.tsv", "pages.csv"])
def test_flags_as_text(write, small_blocks, name, names):
    rows = zip("abcdef", ["true", " False", "", "1", "0 ", "0.5"], strict=True)
    text = "".join(f"{url}\t{flag}\n" for url, flag in rows)
    text = (text if names else "url\tspam\n" + text).replace("\t", "," if name.endswith("csv") else "\t")
    table = read(TableSource(pages=[write(name, text)], columns={"pages": names} if names else None), "pages")
    assert table.schema.field("spam").type == pa.float64()
    assert table["spam"].to_pylist() == FLAGS


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        (pa.array([True, False, None]), [1.0, 0.0, None]),
        (pa.array([1, 0, None], pa.int8()), [1.0, 0.0, None]),
        (pa.array(["TRUE", "false", None, "1", " 0", "0.5"]), [1.0, 0.0, None, 1.0, 0.0, 0.5]),
        (pa.array(["true", None, "false"]).dictionary_encode(), [1.0, None, 0.0]),
    ],
)
def test_flags_in_parquet(tmp_path, flags, expected):
    file = parquet(tmp_path, "pages.parquet", {"url": [f"p{row}" for row in range(len(flags))], "spam": flags})
    assert read(TableSource(pages=[file]), "pages")["spam"].to_pylist() == expected


def test_parquet_times(tmp_path):
    moment = datetime(2024, 10, 31, 12)
    for times in (
        pa.array([moment.replace(tzinfo=UTC)], pa.timestamp("ms", "Europe/Berlin")),
        pa.array([moment], pa.timestamp("ns")),
        pa.array([1730376000]),
        pa.array(["2024-10-31T12:00Z"]),
        pa.array([20241031120000]),
        pa.array(["20241031120000"]),
    ):
        file = parquet(tmp_path, "e.parquet", {"time": times, "id": [1]})
        assert read(TableSource(events=[file]), "events")["time"].to_pylist() == [moment]
    for times in (pa.array([20241031, 1730376000]), pa.array([20241031, 20241031], pa.int32())):
        file = parquet(tmp_path, "d.parquet", {"time": times, "id": [1, 1]})
        assert read(TableSource(events=[file]), "events")["time"].to_pylist()[0] == datetime(2024, 10, 31)


def test_parquet_errors(tmp_path, write):
    cases = [
        ({"id": ["1", "2", "x"]}, r"line 3, column id: is not a whole number: 'x'"),
        ({"id": pa.array([1, 2**63], pa.uint64())}, r"line 2, column id: does not fit in 64 bits: 9223372036854775808"),
        ({"id": [1, -1]}, r"line 2, column id: is negative"),
        ({"url": pa.array([b"a", b"\xff"])}, r"line 2, column url: is not UTF-8"),
        ({"url": ["a"], "status": ["b"]}, r"line 1, column status: is not a status"),
        ({"url": ["a"], "own": [[1]]}, r"column own: holds list"),
        ({"a": ["a"]}, r"pages need url or id; the columns are a"),
    ]
    for columns, message in cases:
        with pytest.raises(InputError, match=message):
            list(TableSource(pages=[parquet(tmp_path, "p.parquet", columns)]).batches())
    for data in (b"", b"PAR1", Path(parquet(tmp_path, "whole.parquet", {"id": np.arange(1000)})).read_bytes()[:-50]):
        with pytest.raises(InputError, match="cannot be read as Parquet"):
            list(TableSource(pages=[write("q.parquet", data)]).batches())
    with pytest.raises(InputError, match="from standard input"):
        list(TableSource(pages=["-"], format="parquet").batches())


# -- real data


@pytest.mark.slow
def test_rows_of_real_tables(shared_data):
    asf = shared_data("asf-web-2snapshots")
    source = TableSource(pages=[str(asf / "2024-10-31.pages.tsv.gz")], links=[str(asf / "2024-10-31.links.tsv.gz")])
    counts: dict[str, int] = {}
    for batch in source.batches():
        counts[batch.kind] = counts.get(batch.kind, 0) + batch.rows.num_rows
    assert counts == {"pages": 202_266, "links": 3_018_980}


@pytest.mark.slow
def test_rows_of_real_tables_without_header(shared_data):
    webkb = shared_data("webkb-crawl-1997")
    source = TableSource(
        pages=[str(webkb / "nodes.tsv.gz")],
        links=[str(webkb / "edges.tsv.gz")],
        columns={"links": ["source", "target", "weight"]},
    )
    assert read(source, "pages").num_rows == 83_000
    assert read(source, "links").num_rows == 107_595
    wikispeedia = shared_data("wikispeedia")
    named = TableSource(
        links=[str(wikispeedia / "links.tsv")],
        columns={"links": ["source", "target"]},
        url_prefix="https://en.wikipedia.org/wiki/",
    )
    assert read(named, "links").num_rows == 119_882


def test_what_was_read_of_a_parquet_file_is_not_held(tmp_path, monkeypatch):
    rng = np.random.default_rng(1)
    rows, groups = 20_000, 8
    monkeypatch.setattr("seedrank.loaders.parquet._ROWS_WITH_TEXT", rows)
    texts = pa.array([rng.bytes(30).hex() for _ in range(rows * groups)])
    pq.write_table(pa.table({"url": texts}), tmp_path / "pages.parquet", row_group_size=rows)
    del texts
    before = pa.total_allocated_bytes()
    held = []
    for batch in TableSource(pages=[str(tmp_path / "pages.parquet")]).batches():
        del batch
        held.append(pa.total_allocated_bytes() - before)
    assert max(held) < (tmp_path / "pages.parquet").stat().st_size
