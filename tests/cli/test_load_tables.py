"""``seedrank load table`` on tables as people have them: other names, statuses, separators, dates; ``--dry-run``."""

from __future__ import annotations

import gzip
import json

import pytest

from tests.few import one_of_each


def loaded(seedrank, *arguments):
    outcome = seedrank("load", *arguments)
    assert outcome.code == 0, outcome.err
    return json.loads(outcome.out), outcome.err


def pages(seedrank, *columns: str) -> list[tuple]:
    names = ", ".join(f"p.{name} AS {name}" for name in columns)
    out = seedrank("query", f"MATCH (p:Page) RETURN {names} ORDER BY p.id").out
    return [tuple(json.loads(line).values()) for line in out.splitlines()]


def links(seedrank) -> list[tuple]:
    out = seedrank(
        "query", "MATCH (a:Page)-[r:LINKS_TO]->(b:Page) RETURN a.url AS a, b.url AS b, r.weight AS w ORDER BY a, b"
    ).out
    return [tuple(json.loads(line).values()) for line in out.splitlines()]


def test_a_table_with_names_statuses_and_marks_of_its_own(seedrank, tmp_path):
    (tmp_path / "pages.csv").write_text(
        "address;popularity;state;quality\n"
        "http://a.example/;12;page;0.5\n"
        "http://b.example/;n/a;external;n/a\n"
        "http://c.example/;3;page;0.25\n"
    )
    (tmp_path / "links.txt").write_text("http://a.example/|http://b.example/|4\n")
    counts, err = loaded(
        seedrank, "table", "--pages", "pages.csv", "--links", "links.txt", "--link-columns", "source,target,weight",
        "--map", "url=address", "--map", "pages.views=popularity", "--map", "status=state",
        "--status-map", "page=crawled,external=frontier", "--missing", "n/a",
    )  # fmt: skip
    assert counts["pages new"] == 3
    assert err.splitlines() == [
        "pages.csv: fields divided by semicolons, perhaps quoted",
        "links.txt: fields divided by vertical bars, perhaps quoted, no header, "
        "so its columns are source, target, weight",
    ]
    assert pages(seedrank, "url", "views", "status", "quality") == [
        ("http://a.example/", 12.0, "crawled", 0.5),
        ("http://b.example/", None, "frontier", None),
        ("http://c.example/", 3.0, "crawled", 0.25),
    ]
    assert links(seedrank) == [("http://a.example/", "http://b.example/", 4.0)]


def test_bad_rows_are_tolerated_counted_shown_and_kept(seedrank, tmp_path):
    (tmp_path / "pages.csv").write_text("url,views\nhttp://a.example/,1\nhttp://b.example/,x\nhttp://c.example/\n")
    counts, err = loaded(seedrank, "table", "--pages", "pages.csv", "--tolerant", "2", "--rejects", "r.csv")
    assert (counts["pages new"], counts["rows left out: views is not a number"]) == (1, 1)
    assert "left out, broken: pages.csv: line 3: views is not a number: http://b.example/,x" in err
    assert (tmp_path / "r.csv").read_text().splitlines() == [
        "file,line,reason,text",
        'pages.csv,4,"1 fields instead of 2 (url, views)",http://c.example/',
        'pages.csv,3,views is not a number,"http://b.example/,x"',
    ]
    for given, code, message in (
        (["--tolerant", "1"], 1, "2 rows are bad, and --tolerant 1 allows fewer"),
        (["--tolerant", "10%"], 1, "2 of 3 rows are bad, and --tolerant 10% allows fewer"),
        (["--tolerant", "2", "--strict"], 2, "--strict tolerates nothing"),
        (["--rejects", "x.csv"], 2, "--rejects needs --tolerant"),
    ):
        outcome = seedrank("load", "table", "--pages", "pages.csv", *given)
        assert (outcome.code, message in outcome.err) == (code, True), outcome.err
    assert not (tmp_path / "x.csv").exists()


def test_a_stray_value_names_the_ways_out(seedrank, tmp_path):
    (tmp_path / "pages.csv").write_text("url,quality\nhttp://a/,0.5\nhttp://b/,n/a\nhttp://c/,1\n")
    outcome = seedrank("load", "table", "--pages", "pages.csv")
    assert outcome.code == 1
    assert outcome.err == (
        "seedrank: pages.csv, line 3, column quality: is not a number, as the others are: 'n/a'; "
        "name what stands for no value with --missing, or keep the column as text with --text\n"
    )
    assert not (tmp_path / "web.duckdb").exists()
    loaded(seedrank, "table", "--pages", "pages.csv", "--text", "quality")
    assert pages(seedrank, "quality") == [("0.5",), ("n/a",), ("1",)]


@pytest.mark.slow
def test_links_between_two_dates(seedrank, tmp_path):
    (tmp_path / "links.csv").write_text(
        "crawl_date,src,dest,anchor\n"
        "20080213,http://a/,http://b/,x\n"
        "20090101,http://a/,http://c/,x\n"
        "20100101120000,http://a/,http://d/,x\n"
    )
    counts, err = loaded(seedrank, "table", "--links", "links.csv", "--from", "2008-06-01", "--to", "2010-01-01")
    assert (counts["links new"], counts["links dropped: out of time"]) == (1, 2)
    assert err == ""
    assert links(seedrank) == [("http://a/", "http://c/", 1.0)]
    _, err = loaded(seedrank, "table", "--links", "links.csv")
    assert err == "links.csv: columns not used: crawl_date\n"


def test_pages_without_links_that_were_fetched_all_the_same(seedrank, tmp_path):
    (tmp_path / "pages.csv").write_text("url\nhttp://a/\nhttp://b/\n")
    (tmp_path / "links.csv").write_text("source,target\nhttp://a/,http://x/\n")
    loaded(seedrank, "table", "--pages", "pages.csv", "--links", "links.csv", "--assume", "crawled")
    assert pages(seedrank, "url", "status") == [
        ("http://a/", "crawled"),
        ("http://b/", "crawled"),
        ("http://x/", "frontier"),
    ]


@pytest.mark.slow
def test_another_mapping_is_another_load(seedrank, tmp_path):
    (tmp_path / "pages.csv").write_text("url,n\nhttp://a/,5\n")
    for name in ("views", "clicks"):
        loaded(seedrank, "table", "--pages", "pages.csv", "--map", f"{name}=n")
    assert len(json.loads(seedrank("stats").out)["loads"]) == 2
    assert pages(seedrank, "views", "clicks") == [(5.0, 5.0)]


SUFFIXES = ["json", "jsonl.gz", "csv", "csv.gz", "tsv.zst", "tsv", "tsv.gz", "parquet"]


@pytest.mark.slow
@pytest.mark.parametrize("suffix", one_of_each(SUFFIXES, lambda suffix: suffix.split(".")[0]))
def test_what_we_write_is_loaded_again(seedrank, tmp_path, suffix):
    (tmp_path / "pages.tsv").write_text('id\turl\n7\thttp://a/?"x"\n9\thttp://b/\n')
    (tmp_path / "links.tsv").write_text("source\ttarget\n7\t9\n9\t7\n")
    loaded(seedrank, "table", "--pages", "pages.tsv", "--links", "links.tsv")
    assert seedrank("rank", "pagerank", "-o", f"answer.{suffix}").code == 0
    counts, err = loaded(seedrank, "table", "--store", "b.duckdb", "--pages", f"answer.{suffix}", "--map", "mine=score")
    assert counts["pages new"] == 2
    assert f"answer.{suffix}: columns not used: id" in err
    out = seedrank(
        "--store", "b.duckdb", "query", "MATCH (p:Page) RETURN p.url, p.source_id, p.mine ORDER BY p.source_id"
    ).out
    assert [list(json.loads(line).values()) for line in out.splitlines()] == [
        ["http://a/?%22x%22", 7, pytest.approx(0.5)],
        ["http://b/", 9, pytest.approx(0.5)],
    ]


USAGE = {
    "no pair": (("--map", "views"), "--map 'views' is not a pair; give --map views=popularity"),
    "half a pair": (("--map", "=x"), "--map '=x' is not a pair"),
    "a status that is none": (
        ("--status-map", "page=done"),
        "--status-map: 'page' cannot be 'done', which is not a status",
    ),
    "no status": (("--status-map", "page"), "--status-map 'page' is not a pair; give --status-map page=crawled"),
    "a column that no file has": (("--map", "views=n"), "--map: no table has a column 'n' to take for 'views'"),
    "names that no file takes": (("--page-columns", "url,n"), "--page-columns: all files of pages name their columns"),
}


@pytest.mark.parametrize("case", USAGE)
def test_what_cannot_be_said_about_tables(seedrank, tmp_path, case):
    words, message = USAGE[case]
    (tmp_path / "pages.csv").write_text("url\nhttp://a/\n")
    outcome = seedrank("load", "table", "--pages", "pages.csv", *words)
    assert outcome.code == 2
    assert message in outcome.err
    assert len(outcome.err.splitlines()) == 1
    assert not (tmp_path / "web.duckdb").exists()


# -- trying


def test_a_dry_run_tells_and_writes_nothing(seedrank, tmp_path):
    (tmp_path / "views.tsv").write_text("article\tviews\tzip\nAsia\t5\t01234\nEurope\t6\t00001\n")
    (tmp_path / "links.tsv").write_text("Asia\tEurope\nAsia\tAsia\n")
    words = (
        "table", "--pages", "views.tsv", "--map", "url=article", "--links", "links.tsv", "--link-columns",
        "source,target", "--url-prefix", "https://w.example/", "--dry-run",
    )  # fmt: skip
    before = {path.name for path in tmp_path.iterdir()}
    told, err = loaded(seedrank, *words)
    assert told == {
        "first rows": 10_000,
        "files": [
            "views.tsv: pages, fields divided by tabs, header in line 1; "
            "columns: article → url, views, zip (your own)",
            "links.tsv: links, fields divided by tabs, no header; columns: source, target",
        ],
        "counts": {
            "page rows": 2, "link rows": 2, "links dropped: to themselves": 1, "links new": 1, "pages new": 2,
        },
        "columns": {"views": "numbers", "zip": "text"},
        "pages": [
            {"url": "https://w.example/Asia", "source_id": None, "status": "crawled", "views": 5.0, "zip": "01234"},
            {"url": "https://w.example/Europe", "source_id": None, "status": "frontier", "views": 6.0, "zip": "00001"},
        ],
    }  # fmt: skip
    assert err == "links.tsv: no header, so its columns are source, target\n"
    drawn = seedrank("load", *words, "--format", "table").out
    assert "From the first 10,000 rows of each table; nothing was written." in drawn
    assert "article → url" in drawn
    assert "https://w.example/Asia" in drawn
    assert {path.name for path in tmp_path.iterdir()} == before


def test_a_dry_run_finds_what_is_wrong(seedrank, tmp_path):
    (tmp_path / "links.csv").write_text("source,target,weight\nhttp://a/,http://b/,heavy\n")
    outcome = seedrank("load", "table", "--links", "links.csv", "--dry-run")
    assert outcome.code == 1
    assert "links.csv, line 2, column weight: is not a number" in outcome.err


def test_a_dry_run_of_another_format(seedrank, tmp_path):
    (tmp_path / "web.txt.gz").write_bytes(gzip.compress(b"".join(b"%d %d\n" % (i, i + 1) for i in range(20_000))))
    told, _ = loaded(seedrank, "snap", "web.txt.gz", "--dry-run")
    assert told["counts"]["link rows"] == 10_000
    assert [path.name for path in tmp_path.iterdir()] == ["web.txt.gz"]
