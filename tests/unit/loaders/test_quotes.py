"""Quotes in delimited text: no row is lost to one that is stray, against readers that are plainly right."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import seedrank.loaders.compressed
import seedrank.loaders.records
from seedrank.core.errors import InputError
from seedrank.loaders.table import TableSource

QUIET = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
TEXT = st.text('ab ,"\n5', min_size=1, max_size=8).filter(lambda text: text.strip(" \n") not in ("", "5"))


@pytest.fixture
def write(tmp_path):
    def write(name: str, text: str) -> str:
        file = tmp_path / name
        file.write_text(text, newline="")
        return str(file)

    return write


def rows_of(file: str) -> list[tuple]:
    """URL, title and views of every row."""
    found = []
    for batch in TableSource(pages=[file]).batches():
        found += [(row["url"], row["title"], row["views"]) for row in batch.rows.to_pylist()]
    return found


def as_csv(rows: list[tuple], quoting: int = csv.QUOTE_MINIMAL) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n", quoting=quoting).writerows([("url", "title", "views"), *rows])
    return text.getvalue()


def many(count: int) -> list[str]:
    return [f"http://a.example/{row},title {row},{row}" for row in range(count)]


@pytest.mark.parametrize("block", [200, 1 << 20])
@pytest.mark.parametrize("closing", ['"ends', 'ends"', 'in "the" middle', '"quoted"'])
def test_a_stray_quote_swallows_no_rows(write, monkeypatch, block, closing):
    monkeypatch.setattr(seedrank.loaders.compressed, "BLOCK", block)
    lines = ["url,title,views", *many(300)]
    lines[5], lines[250] = 'http://a.example/4,"title,4', f"http://a.example/249,{closing},249"
    file = write("p.csv", "\n".join(lines) + "\n")
    if closing == '"quoted"' and block > 200:
        with pytest.raises(InputError, match=r"p.csv, line 6: a quoted field is not closed in its row \(field 2\): .*"):
            rows_of(file)
    else:
        found = rows_of(file)
        assert len(found) == 300
        assert found[4] == ("http://a.example/4", '"title', 4)


def test_a_stray_quote_in_a_file_with_quoted_fields_is_an_error_with_its_place(write):
    lines = ["url,title,views", 'http://a.example/q,"a, b",1', *many(300)]
    lines[5], lines[250] = 'http://a.example/4,"title,4', 'http://a.example/249,ends",249'
    with pytest.raises(
        InputError, match=r"p.csv, line 6: a quoted field is not closed in its row \(field 2\): b'\"tit"
    ):
        rows_of(write("p.csv", "\n".join(lines) + "\n"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('url,title\n"a","b"\n"http://a/\n",c\n', r"line 3, column url: holds a line break: b'\"http://a/"),
        ('title,url\n"one\ntwo","a\nb"\n', r"line 3, column url: holds a line break: b'\"a"),
        ('url,views\n"a",1\nb,"2\n"\n', r"line 3, column views: holds a line break"),
        ('url,host\n"a",h\nb,"h\nx"\n', r"line 3, column host: holds a line break"),
        ('url\nx\n"y"\n"http://a/\nhttp://b/\n', r"line 4: a quoted field is not closed in its row \(field 1\)"),
    ],
)
def test_a_line_break_in_an_address_or_number_is_an_error(write, text, message):
    with pytest.raises(InputError, match=message):
        list(TableSource(pages=[write("p.csv", text)]).batches())


def test_a_line_break_in_a_date_is_an_error(write):
    with pytest.raises(InputError, match=r"line 3, column time: holds a line break"):
        list(TableSource(events=[write("e.csv", 'url,time\n"a",2024-10-31\nb,"2024-10-31\n"\n')]).batches())


def test_text_may_have_line_breaks(write):
    rows = [("http://a/", "one\ntwo, three\n\nfour", 1), ("http://b/", 'said "no"\nand left', 2)]
    assert rows_of(write("p.csv", as_csv(rows))) == rows


@pytest.mark.slow
@QUIET
@given(titles=st.lists(TEXT, min_size=1, max_size=30), block=st.integers(8, 200), quoting=st.sampled_from([0, 1]))
@example(titles=["a\n5,5"], block=8, quoting=0)
def test_what_a_csv_writer_writes_is_read(tmp_path, monkeypatch, titles, block, quoting):
    rows = [(f"http://a.example/{row}", title, float(row)) for row, title in enumerate(titles)]
    file = tmp_path / "p.csv"
    file.write_text(as_csv(rows, quoting), newline="")
    monkeypatch.setattr(seedrank.loaders.compressed, "BLOCK", block)
    assert rows_of(str(file)) == rows


@pytest.mark.slow
@QUIET
@given(
    fields=st.lists(
        st.text('ab"', max_size=5).filter(lambda text: not text.startswith('"') or text[-1] != '"'), min_size=1
    ),
    block=st.integers(8, 200),
)
def test_quotes_are_text_in_a_file_without_quoted_fields(tmp_path, monkeypatch, fields, block):
    lines = [f"http://a.example/{row},{field},{row}" for row, field in enumerate(fields)]
    file = tmp_path / "p.csv"
    file.write_text("\n".join(["url,title,views", *lines, ""]), newline="")
    monkeypatch.setattr(seedrank.loaders.compressed, "BLOCK", block)
    expected = [(url, title or None, float(views)) for url, title, views in (line.split(",") for line in lines)]
    assert rows_of(str(file)) == expected


@pytest.mark.slow
@QUIET
@given(data=st.data(), titles=st.lists(TEXT, min_size=2, max_size=30), quoting=st.sampled_from([0, 1]))
def test_one_more_quote_anywhere_loses_no_other_row(tmp_path, data, titles, quoting):
    """Either the file is refused, or every address that was written is read."""
    rows = [(f"http://a.example/{row:02}", title, float(row)) for row, title in enumerate(titles)]
    text = as_csv(rows, quoting)
    at = data.draw(st.integers(text.index("\n") + 1, len(text)))
    file = tmp_path / "p.csv"
    file.write_text(text[:at] + '"' + text[at:], newline="")
    try:
        found = rows_of(str(file))
    except InputError:
        return
    read = [url.replace('"', "")[: len(rows[0][0])] for url, *_ in found]
    assert {url for url, *_ in rows} <= set(read)
