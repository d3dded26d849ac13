"""Tables with other names than ours: columns, statuses, marks of missing values; in files and in frames."""

from __future__ import annotations

import json
from datetime import datetime

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from seedrank.core.errors import InputError, UsageError
from seedrank.ingest.dry_run import preview
from seedrank.loaders.base import LoadOptions
from seedrank.loaders.frames import FrameSource
from seedrank.loaders.table import TableSource


@pytest.fixture
def write(tmp_path):
    """Write rows as a file of any of the formats."""

    def write(name: str, rows: list[dict] | str) -> str:
        path = tmp_path / name
        if isinstance(rows, str):
            path.write_text(rows)
        elif name.endswith(".parquet"):
            pq.write_table(pa.Table.from_pylist(rows), path)
        elif name.endswith(".json"):
            path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        else:
            text = [list(rows[0]), *(["" if value is None else value for value in row.values()] for row in rows)]
            path.write_text("".join("\t".join(map(str, line)) + "\n" for line in text))
        return str(path)

    return write


def rows(source, kind: str) -> list[dict]:
    return [row for batch in source.batches() if batch.kind == kind for row in batch.rows.to_pylist()]


FORMATS = ("x.tsv", "x.json", "x.parquet")
PAGES = [
    {"address": "http://a/", "popularity": 5, "state": "page"},
    {"address": "http://b/", "popularity": 6, "state": "x"},
]
OPTIONS = LoadOptions(
    map={"url": "address", "pages.views": "popularity", "status": "state"},
    status_map={"page": "crawled", "x": "missing", "crawled": "frontier"},
)
MAPPED = [
    {"url": "http://a/", "views": 5.0, "status": "crawled"},
    {"url": "http://b/", "views": 6.0, "status": "missing"},
]


@pytest.mark.parametrize("name", FORMATS)
def test_names_and_statuses_in_every_format(write, name):
    source = TableSource(pages=[write(name, PAGES)], options=OPTIONS)
    assert rows(source, "pages") == MAPPED
    assert source.notes == []
    assert "columns: address → url, popularity → views, state → status" in source.reads[0]


def test_frames_are_mapped_too():
    source = FrameSource({"pages": pa.Table.from_pylist(PAGES)}, OPTIONS)
    assert rows(source, "pages") == MAPPED
    assert source.reads == ["pages: pages; columns: address → url, popularity → views, state → status"]


def test_a_name_of_one_kind_of_table_has_precedence(write):
    pages = write("p.tsv", "url\tn\nhttp://a/\t1\n")
    links = write("l.tsv", "src\tdst\tn\nhttp://a/\thttp://b/\t3\n")
    source = TableSource(pages=[pages], links=[links], options=LoadOptions(map={"views": "n", "links.weight": "n"}))
    assert rows(source, "pages") == [{"url": "http://a/", "views": 1.0}]
    assert rows(source, "links") == [{"source": "http://a/", "target": "http://b/", "weight": 3.0}]


def test_files_of_one_kind_may_call_a_column_differently(write):
    one, other = write("1.tsv", "page\nhttp://a/\n"), write("2.tsv", "address\nhttp://b/\n")
    source = TableSource(pages=[one, other], options=LoadOptions(map={"url": ["page", "address"]}))
    assert [row["url"] for row in rows(source, "pages")] == ["http://a/", "http://b/"]


def test_a_mapped_column_takes_the_place_of_one_with_the_name(write):
    file = write("l.tsv", "source\ttarget\tweight\tn\nhttp://a/\thttp://b/\t1\t9\n")
    source = TableSource(links=[file], options=LoadOptions(map={"links.weight": "n"}))
    assert [row["weight"] for row in rows(source, "links")] == [9.0]
    assert source.notes == [f"{file}: columns not used: weight"]


@pytest.mark.parametrize("name", FORMATS)
def test_links_between_hosts_are_known_in_every_format(write, name):
    file = write(name, [{"src_host": "a.example", "dst_host": "b.example", "links": 7}])
    for options in (LoadOptions(), LoadOptions(map={"weight": "links"})):
        source = TableSource(links=[file], options=options)
        assert rows(source, "links") == [{"source": "a.example", "target": "b.example", "weight": 7.0}]
        assert source.level == "host"
    mapped = TableSource(links=[file], options=LoadOptions(map={"source": "dst_host", "target": "src_host"}))
    assert rows(mapped, "links") == [{"source": "b.example", "target": "a.example", "weight": 7.0}]
    assert preview(TableSource(links=[file])).pages[0]["url"] == "http://a.example/"


def test_a_header_of_hosts_is_one_beside_a_file_without(write):
    one, other = write("1.tsv", "src_host\tdst_host\na\tb\n"), write("2.tsv", "c\td\n")
    source = TableSource(links=[one, other], columns={"links": ["src_host", "dst_host"]})
    assert [row["source"] for row in rows(source, "links")] == ["a", "c"]
    assert source.level == "host"


def test_own_columns_of_pages_may_be_called_like_ends_of_links(write):
    file = write("p.tsv", "url\tsource\nhttp://a/\tx\n")
    links = write("l.tsv", "source\ttarget\n1\t2\n")
    assert rows(TableSource(pages=[file], links=[links], url_prefix="x"), "pages") == [
        {"url": "http://a/", "source": "x"}
    ]
    frame = pa.table({"url": ["http://a/"], "source": ["x"]})
    assert rows(FrameSource({"pages": frame}), "pages") == [{"url": "http://a/", "source": "x"}]


def test_own_columns_may_be_renamed(write):
    source = TableSource(pages=[write("p.tsv", "url\tlabel\na\t1\n")], options=LoadOptions(map={"spamminess": "label"}))
    assert rows(source, "pages") == [{"url": "a", "spamminess": "1"}]


@pytest.mark.parametrize("name", FORMATS)
def test_columns_that_are_not_used_are_named(write, name):
    many = [{"source": "http://a/", "target": "http://b/", "seen": 1, "date": "2024-01-02"}]
    source = TableSource(links=[write(name, many), write(f"2{name}", many)])
    assert len(rows(source, "links")) == 2
    assert source.notes == [f"{source.files[0]} and 1 more: columns not used: seen, date"]


def test_weights_by_every_name(write):
    for name in ("weight", "count", "links", "Links"):
        source = TableSource(links=[write(f"{name}.tsv", f"src\tdst\t{name}\n1\t2\t7\n")])
        assert rows(source, "links")[0]["weight"] == 7.0
    with pytest.raises(InputError, match=r"two columns are weight \(count, links\); rename one"):
        list(TableSource(links=[write("t.tsv", "src\tdst\tcount\tlinks\n1\t2\t7\t8\n")]).batches())


@pytest.mark.parametrize("name", FORMATS)
def test_links_have_a_time_where_a_span_is_asked(write, name):
    file = write(name, [{"source": "http://a/", "target": "http://b/", "crawl_date": "20080213"}])
    asked = TableSource(links=[file], options=LoadOptions(since=datetime(2008, 1, 1)))
    assert rows(asked, "links")[0]["time"] == datetime(2008, 2, 13)
    assert asked.notes == []
    mapped = LoadOptions(since=datetime(2008, 1, 1), map={"links.time": "crawl_date"})
    assert rows(TableSource(links=[file], options=mapped), "links")[0]["time"] == datetime(2008, 2, 13)
    assert "time" not in rows(TableSource(links=[file], options=LoadOptions(map={"time": "crawl_date"})), "links")[0]


def test_links_without_date_are_remarked_where_a_span_is_asked(write):
    source = TableSource(
        links=[write("l.tsv", "source\ttarget\n1\t2\n")], options=LoadOptions(until=datetime(2008, 1, 1))
    )
    assert len(rows(source, "links")) == 1
    assert source.notes == [f"{source.files[0]}: has no date, so all its links count"]


@pytest.mark.parametrize("name", FORMATS)
def test_marks_of_missing_values_are_empty(write, name):
    pages = [{"url": "http://a/", "views": "n/a", "own": "-"}, {"url": "http://b/", "views": "7", "own": "x"}]
    source = TableSource(pages=[write(name, pages)], options=LoadOptions(missing=("n/a", "-")))
    assert [(row["views"], row["own"]) for row in rows(source, "pages")] == [(None, None), (7.0, "x")]
    for options, hint in (
        (LoadOptions(), r"; .*name what stands for no value with missing"),
        (None, "where there is none$"),
    ):
        line = 1 if name != "x.tsv" else 2
        with pytest.raises(InputError, match=rf"line {line}, column views: is not a number: 'n/a'.*{hint}"):
            list(TableSource(pages=[write(name, pages)], options=options).batches())


@pytest.mark.parametrize("name", FORMATS)
def test_numbers_may_be_marks_too(write, name):
    pages = [
        {"url": "http://a/", "views": -1, "own": -1, "x": -1.0},
        {"url": "http://b/", "views": 7, "own": 8, "x": 0.5},
    ]
    source = TableSource(pages=[write(name, pages)], options=LoadOptions(missing=("-1", "-1.0", "none")))
    first, second = rows(source, "pages")
    assert (first["views"], first["own"], first["x"]) == (None, None, None)
    assert second["views"] == 7.0


def test_what_a_method_wrote_names_pages_by_their_source_id(write):
    answer = [{"rank": 1, "id": 0, "source_id": 7, "url": "http://a/", "host": "a", "score": 0.5}]
    for name in FORMATS:
        source = TableSource(pages=[write(name, answer)])
        assert [(row["id"], row["url"]) for row in rows(source, "pages")] == [(7, "http://a/")]
        assert source.notes == [f"{source.files[0]}: columns not used: id"]
    mapped = TableSource(pages=[write("x.tsv", answer)], options=LoadOptions(map={"id": "rank"}))
    assert [row["id"] for row in rows(mapped, "pages")] == [1]


WRONG = {
    "a kind": ({"map": {"link.weight": "n"}}, r"map: unknown table 'link'; say KIND\.COLUMN"),
    "a column of ours": ({"map": {"links.views": "n"}}, "map: links have no column 'views'; one of source, target"),
    "a column of theirs": ({"map": {"views": "nn"}}, "map: no table has a column 'nn' to take for 'views'; .* url, n"),
    "one column for two": (
        {"map": {"views": "n", "clicks": "n"}},
        "map: 'n' is taken for two columns, views and clicks",
    ),
    "a status": (
        {"status_map": {"page": "fetched"}},
        "status_map: 'page' cannot be 'fetched', which is not a status; one",
    ),
    "no column for text": ({"text": "zip"}, "text: no table of pages or hosts has a column 'zip' of your own"),
    "a column of ours for text": ({"text": ["url"]}, "text: 'url' is a column of ours"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_cannot_be_mapped_is_refused(write, case):
    options, message = WRONG[case]
    file = write("p.tsv", "url\tn\na\t1\n")
    with pytest.raises(UsageError, match=message):
        list(TableSource(pages=[file], options=LoadOptions(**options)).batches())
    with pytest.raises(UsageError, match=message):
        list(FrameSource({"pages": pa.table({"url": ["a"], "n": [1]})}, LoadOptions(**options)).batches())


def test_hints_name_only_what_can_be_given(write):
    file = write("p.tsv", "url\tstatus\na\tgone\n")
    with pytest.raises(InputError, match=r"crawled, or say which it is with status_map$"):
        list(TableSource(pages=[file], options=LoadOptions()).batches())
    with pytest.raises(InputError, match=r"one of frontier, missing, crawled$"):
        list(TableSource(pages=[file]).batches())


def test_the_record_of_a_load_tells_the_same_options_the_same_way():
    one = LoadOptions(map={"a": "x", "b": ["y", "z"]}, missing="n/a", status_map={"p": "crawled"})
    other = LoadOptions(map={"b": ["y", "z"], "a": ["x"]}, missing=["n/a"], status_map={"p": "crawled"})
    assert one.parts() == other.parts() == ["map=a=x,b=y,z", "status_map=p=crawled", "missing=n/a"]
    assert LoadOptions(map={}, missing=()).parts() == []
