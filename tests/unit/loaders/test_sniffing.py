"""Separators, quotes and headers of text files that say nothing about themselves."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import seedrank.loaders.compressed
from seedrank.core.errors import InputError, SeedrankError, UsageError
from seedrank.loaders.base import LoadOptions, Where
from seedrank.loaders.records import CSV, TSV, Records, squeeze
from seedrank.loaders.sniffing import has_header, sniff
from seedrank.loaders.table import TableSource


def rows(source: TableSource, kind: str) -> list[dict]:
    return [row for batch in source.batches() if batch.kind == kind for row in batch.rows.to_pylist()]


# -- separators


@pytest.mark.parametrize("suffix", [".csv", ".txt", "", ".tsv"])
@pytest.mark.parametrize(
    ("mark", "name"),
    [("\t", "tabs"), (",", "commas"), (";", "semicolons"), ("|", "vertical bars"), ("   ", "white space")],
)
def test_fields_are_divided_as_the_first_lines_show(write, suffix, mark, name):
    text = "source,target,weight\nhttp://a/;x,http://b/|y,3\nhttp://b/|y,http://a/;x,4\n".replace(",", "\0")
    if mark in (";", "|"):
        text = text.replace(";x", "").replace("|y", "")
    source = TableSource(links=[write(f"links{suffix}", text.replace("\0", mark))])
    found = rows(source, "links")
    assert [row["weight"] for row in found] == [3.0, 4.0]
    assert found[0]["source"] == ("http://a/" if mark in (";", "|") else "http://a/;x")
    expected = {".csv": "commas", ".tsv": "tabs"}.get(suffix) != name
    assert any(f"divided by {name}" in note for note in source.notes) == expected
    assert [f"divided by {name}" in line for line in source.reads] == [True]


SNIFFED = {
    "one column": (b"url\nhttp://a/,b;c|d\n", {}, "tabs"),
    "one column by name": (b"url\nhttp://a/\n", {"likely": CSV}, "commas"),
    "the name decides between two": (b"a,b\tc\n", {"likely": CSV}, "commas"),
    "tabs before commas": (b"a,b\tc\n1,2\t3\n", {}, "tabs"),
    "what divides all lines alike": (b"a,b|c\n1|2\n3,4|5\n", {}, "vertical bars"),
    "comments and blank lines apart": (b"# a;b;c\n\n\r\na;b\n1;2\n", {}, "semicolons"),
    "a byte order mark": (b"\xef\xbb\xbfa;b\n1;2\n", {}, "semicolons"),
    "the width asked for": (b"x;y,1\nz,2\n", {"width": 2}, "commas"),
    "a width of one": (b"http://a/,b\nhttp://c/,d\n", {"width": 1, "likely": CSV}, "tabs"),
    "a header": (b"title, of it;url\nx;y\n", {"is_header": lambda fields: "url" in fields}, "semicolons"),
    "white space by its header": (b"url  views\n1 2\n", {"is_header": lambda fields: "url" in fields}, "white space"),
    "white space by its width": (b" 1 2\n3   4 \n", {"width": 2}, "white space"),
    "words are no columns": (b"New York\nLos Angeles\n", {}, "tabs"),
    "nothing": (b"", {}, "tabs"),
}  # fmt: skip


@pytest.mark.parametrize("case", SNIFFED)
def test_sniffing(case):
    head, more, name = SNIFFED[case]
    assert sniff(head, **more).name == name


def test_a_line_that_is_cut_does_not_count():
    head = b"a;b,c\n" + b"1;2,3\n" * 10 + b"x" * (1 << 18)
    assert sniff(head).name == "commas"
    assert sniff(b"a;b\n1;2\n" + b"4," * (1 << 17)).name == "semicolons"


def test_quotes_between_tabs_are_text_unless_the_first_line_is_quoted(write):
    quoted = '"url"\t"views"\t"title"\n"http://a/"\t5\t"said ""no""\tand left"\n'
    source = TableSource(pages=[write("r.tsv", quoted)])
    assert rows(source, "pages") == [{"url": "http://a/", "views": 5.0, "title": 'said "no"\tand left'}]
    assert source.notes == [f"{source.files[0]}: fields divided by tabs, perhaps quoted"]
    plain = TableSource(pages=[write("p.tsv", 'url\ttitle\nhttp://a/\t"x"\n')])
    assert rows(plain, "pages") == [{"url": "http://a/", "title": '"x"'}]
    assert plain.notes == []


FIELD = st.text(alphabet='ab"#,;|\n\té1', max_size=5)


@pytest.mark.slow
@settings(
    max_examples=100, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    found=st.lists(st.tuples(FIELD, FIELD), min_size=1, max_size=12),
    block=st.integers(4, 64),
    mark=st.sampled_from(";|"),
    quoting=st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]),
)
def test_other_separators_in_blocks_of_any_size_equal_the_csv_module(
    tmp_path, monkeypatch, found, block, mark, quoting
):
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n", quoting=quoting, delimiter=mark)
    writer.writerow(["query", "freq", "x"])
    for a, b in found:
        writer.writerow([f"q{a}", "1", f"#{b}"])
    path = tmp_path / "q.csv"
    path.write_bytes(text.getvalue().encode())
    monkeypatch.setattr(seedrank.loaders.compressed, "BLOCK", block)
    assert [row["query"] for row in rows(TableSource(queries=[str(path)]), "queries")] == [f"q{a}" for a, _ in found]


@settings(max_examples=100, deadline=None, derandomize=True)
@given(lines=st.lists(st.text(alphabet="ab \t", max_size=9), min_size=1, max_size=9), ended=st.booleans())
def test_runs_of_white_space_become_tabs(lines, ended):
    raw = [line.encode() + b"\n" for line in lines]
    raw[-1] = raw[-1] if ended else raw[-1][:-1]
    bounds = np.cumsum([0, *map(len, raw)])
    found = squeeze(Records(np.frombuffer(b"".join(raw), np.uint8), bounds, Where("x", 5)))
    expected = [(5 + place, "\t".join(line.split())) for place, line in enumerate(lines) if line.strip()]
    assert [(found.where.line(row), found.line(row).decode()) for row in range(len(found))] == expected


# -- headers

HEADERS = {
    "no names are given": (["267", "1394"], ["1", "2"], None, True),
    "ids": (["267", "1394"], ["267", "483"], ["source", "target"], False),
    "URLs": (["http://a/", "http://b/"], ["http://a/", "http://c/"], ["source", "target"], False),
    "names": (["Asia", "Europe"], ["Asia", "Africa"], ["source", "target"], False),
    "names that are known columns elsewhere": (["Weight", "Force"], ["Count", "To"], ["source", "target"], False),
    "a given name in its place": (["article", "Views"], ["Asia", "5"], ["url", "views"], True),
    "an alias in its place": (["a", "b", "Count"], ["x", "y", "5"], ["source", "target", "weight"], True),
    "words above values": (["from_page", "to_page"], ["1", "2"], ["source", "target"], True),
    "words above some values": (["Asia", "Europe"], ["Asia", "1999"], ["source", "target"], False),
    "one line": (["Asia", "Europe"], None, ["source", "target"], False),
}


@pytest.mark.parametrize("case", HEADERS)
def test_headers(case):
    first, second, columns, expected = HEADERS[case]
    assert has_header("pages" if "url" in (columns or []) else "links", first, second, columns) == expected


def test_headers_are_recognised_file_by_file(write):
    with_header = write("a.tsv", "weight\ttarget\tsource\n5\t2\t1\n")
    without = write("b.tsv", "3\t4\t6\n")
    source = TableSource(links=[with_header, without], columns={"links": ["source", "target", "weight"]})
    assert [tuple(row[name] for name in ("source", "target", "weight")) for row in rows(source, "links")] == [
        (1, 2, 5.0),
        (3, 4, 6.0),
    ]
    assert source.notes == [
        f"{with_header}: header in line 1",
        f"{without}: no header, so its columns are source, target, weight",
    ]


def test_a_mapped_name_makes_a_header(write):
    views = write("views.tsv", "article\tviews\nAsia\t5\n")
    more = write("more.tsv", "Europe\t6\n")
    source = TableSource(
        pages=[views, more],
        columns={"pages": ["url", "views"]},
        options=LoadOptions(map={"url": "article"}, url_prefix="http://w/"),
    )
    assert rows(source, "pages") == [{"url": "Asia", "views": 5.0}, {"url": "Europe", "views": 6.0}]


def test_a_header_without_the_needed_names_is_not_taken_for_a_row(write):
    for text in ("article\tviews\nAsia\t5\n", "page\tn\nhttp://a/\t5\n"):
        source = TableSource(pages=[write("p.tsv", text)], columns={"pages": ["url", "views"]}, options=LoadOptions())
        with pytest.raises(
            InputError, match=r"line 1: pages need url or id.*say which is which with map.*put a header"
        ):
            list(source.batches())


def test_names_that_no_file_takes_are_refused(write):
    file = write("nodes.tsv", "id\thost_or_url\n1\ta.example\n")
    source = TableSource(pages=[file], columns={"pages": ["id", "url"]}, options=LoadOptions())
    with pytest.raises(UsageError, match=r'columns\["pages"\]: all files of pages name their columns.*with map'):
        list(source.batches())
    same = TableSource(links=[write("l.tsv", "src\tdst\n1\t2\n")], columns={"links": ["source", "target"]})
    assert len(rows(same, "links")) == 1


def test_a_headerless_file_needs_names(write):
    with pytest.raises(InputError, match=r'line 1: links need source and target.*columns\["links"\].*no header'):
        list(TableSource(links=[write("l.tsv", "267\t1394\n")]).batches())


# -- any bytes


@pytest.mark.slow
@settings(
    max_examples=150, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    data=st.one_of(
        st.binary(max_size=80),
        st.text(alphabet='usrl "{}[]:,;|\t\n\r#01e-é\\', max_size=80).map(str.encode),
        st.tuples(
            st.sampled_from([b"url;views\n", b"source target\n", b'"url"\t"x"\n', b'{"url":', b"id,time\n"]),
            st.binary(max_size=60),
        ).map(b"".join),
    ),
    kind=st.sampled_from(["pages", "links", "events"]),
    named=st.booleans(),
    suffix=st.sampled_from(["", ".csv", ".tsv", ".json"]),
)
def test_any_bytes_are_read_or_refused(tmp_path, data, kind, named, suffix):
    path = tmp_path / f"x{suffix}"
    path.write_bytes(data)
    columns = {"pages": ["url", "views"], "links": ["source", "target"], "events": ["time", "url"]}
    options = LoadOptions(map={"views": "n"}, missing="-")
    source = TableSource(**{kind: [str(path)]}, columns={kind: columns[kind]} if named else None, options=options)
    try:
        for batch in source.batches():
            batch.rows.validate(full=True)
    except SeedrankError as error:
        assert "\n" not in str(error)


def test_the_suffix_of_tabs_is_likely_too(write):
    assert sniff(b"a\tb,c\n1\t2,3\n", likely=TSV) == TSV
    source = TableSource(links=[write("l.tsv", "source,target\n1,2\n")])
    assert rows(source, "links") == [{"source": 1, "target": 2}]
    assert source.notes == [f"{source.files[0]}: fields divided by commas, perhaps quoted"]
