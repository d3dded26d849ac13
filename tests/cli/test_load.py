"""``seedrank load``: what people type, and what they get wrong."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import duckdb
import pytest

pytestmark = pytest.mark.slow

PAGES = "id\turl\tstatus\n7\thttp://a.example/\tcrawled\n9\thttp://b.example/x\tfrontier\n"
LINKS = "source\ttarget\n7\t9\n"


@pytest.fixture
def files(tmp_path) -> dict[str, Path]:
    written = {}
    for name, text in (("pages.tsv", PAGES), ("links.tsv", LINKS)):
        written[name] = tmp_path / name
        written[name].write_text(text)
    return written


def loaded(seedrank, *arguments):
    outcome = seedrank("load", *arguments)
    assert outcome.code == 0, outcome.err
    return json.loads(outcome.out)


def test_a_load_ends_with_a_summary_to_check(seedrank, files):
    counts = loaded(seedrank, "table", "--pages", files["pages.tsv"], "--links", files["links.tsv"])
    assert counts["page rows"] == 2
    assert counts["pages new"] == 2
    assert counts["link rows"] == 1
    assert counts["links new"] == 1
    assert counts["rows per second"] > 0


def test_the_same_load_again_changes_nothing(seedrank, files):
    arguments = ("table", "--pages", files["pages.tsv"], "--links", files["links.tsv"])
    loaded(seedrank, *arguments)
    before = json.loads(seedrank("stats").out)
    again = seedrank("load", *arguments)
    assert "nothing was written" in again.err
    assert json.loads(seedrank("stats").out) == before


def test_ids_of_the_input_are_kept_as_source_id(seedrank, files):
    loaded(seedrank, "table", "--pages", files["pages.tsv"], "--links", files["links.tsv"])
    rows = seedrank("query", "MATCH (p:Page) RETURN p.id AS id, p.source_id AS source_id ORDER BY id").out
    assert [json.loads(line) for line in rows.splitlines()] == [
        {"id": 0, "source_id": 7},
        {"id": 1, "source_id": 9},
    ]


def test_snap_needs_no_options(seedrank, tmp_path):
    (tmp_path / "web.txt").write_text("# a comment\n# FromNodeId\tToNodeId\n5\t6\n6\t5\n5\t5\n")
    counts = loaded(seedrank, "snap", tmp_path / "web.txt")
    assert counts["pages new"] == 2
    assert counts["links new"] == 2
    assert counts["links dropped: to themselves"] == 1


def test_adjacency_lists(seedrank, tmp_path):
    (tmp_path / "g.txt").write_text("3\n1 2\n\n0\n")
    assert loaded(seedrank, "adjacency", tmp_path / "g.txt")["links new"] == 3
    assert json.loads(seedrank("stats").out)["pages"] == 3


@pytest.mark.parametrize(
    ("format", "text"), [("snap", "0\t1\n0\t2\n"), ("adjacency", "3\n1 2\n\n\n"), ("arcs", "0\t1\n0\t2\n")]
)
def test_pages_of_numbers_without_links_can_be_crawled(seedrank, tmp_path, format, text):
    (tmp_path / "web").write_text(text)
    loaded(seedrank, format, tmp_path / "web")
    counted = [json.loads(seedrank("stats").out)]
    loaded(seedrank, format, tmp_path / "web", "--assume", "crawled", "--store", "all.duckdb")
    counted.append(json.loads(seedrank("stats", "--store", "all.duckdb").out))
    assert [(found["crawled"], found["frontier"]) for found in counted] == [(1, 2), (3, 0)]


def test_names_become_urls_with_a_prefix(seedrank, tmp_path):
    (tmp_path / "links.tsv").write_text("# from\tto\nAsia\tEurope\n1999\tAsia\n")
    counts = loaded(
        seedrank, "table", "--links", tmp_path / "links.tsv", "--link-columns", "source,target",
        "--url-prefix", "https://w.example/wiki/",
    )  # fmt: skip
    assert counts["pages new"] == 3
    urls = seedrank("query", "MATCH (p:Page) RETURN p.url AS url ORDER BY p.id").out
    assert "https://w.example/wiki/1999" in urls


def test_a_second_load_adds(seedrank, files, tmp_path):
    loaded(seedrank, "table", "--pages", files["pages.tsv"], "--links", files["links.tsv"])
    more = tmp_path / "more.csv"
    more.write_text("source,target\nhttp://b.example/x,http://c.example/\n")
    loaded(seedrank, "table", "--links", more)
    stats = json.loads(seedrank("stats").out)
    assert (stats["pages"], stats["links"], stats["crawled"], stats["frontier"]) == (3, 2, 2, 1)


def test_unparsable_urls_are_left_out_counted_and_listed(seedrank, tmp_path):
    (tmp_path / "links.csv").write_text("source,target\nhttp://a.example/,http://b b/\nhttp://a.example/,http://c/\n")
    outcome = seedrank("load", "table", "--links", tmp_path / "links.csv")
    assert json.loads(outcome.out)["links dropped: unparsable URL"] == 1
    assert "line 2" in outcome.err
    assert "http://b b/" in outcome.err


def test_strict_stops_at_the_first(seedrank, tmp_path):
    (tmp_path / "links.csv").write_text("source,target\nhttp://a.example/,http://b b/\n")
    outcome = seedrank("load", "table", "--links", tmp_path / "links.csv", "--strict")
    assert outcome.code == 1
    assert "links.csv, line 2" in outcome.err


BAD = {
    "a missing file": (None, "file not found"),
    "a header without the needed columns": ("from_page,to_page\n1,2\n", "source"),
    "a row with too few fields": ("source,target\n7,9\n7\n", "line 3"),
    "a row with too many fields": ("source,target\n7,9,1,2\n", "line 2"),
    "text where a number belongs": ("source,target,weight\n7,9,heavy\n", "'heavy'"),
    "an id that no page has": ("source,target\n7,9\n7,8\n", "line 3"),
    "a negative id": ("source,target\n7,-9\n", "-9"),
    "an overflowing id": ("source,target\n7,99999999999999999999\n", "99999999999999999999"),
    "broken UTF-8": (b"source,target,anchor\n7,9,caf\xe9\n", "UTF-8"),
    "an empty file": ("", "empty"),
    "a negative weight": ("source,target,weight\n7,9,-1\n", "line 2"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_line_and_changes_nothing(seedrank, files, tmp_path, case):
    text, expected = BAD[case]
    loaded(seedrank, "table", "--pages", files["pages.tsv"])
    before = json.loads(seedrank("stats").out)
    bad = tmp_path / "bad.csv"
    if text is not None:
        bad.write_bytes(text if isinstance(text, bytes) else text.encode())

    outcome = seedrank("load", "table", "--pages", files["pages.tsv"], "--links", bad)

    assert outcome.code == 1
    assert outcome.out == ""
    lines = outcome.err.strip().splitlines()
    assert len(lines) == 1, outcome.err
    assert "bad.csv" in lines[0]
    assert expected.lower() in lines[0].lower()
    assert json.loads(seedrank("stats").out) == before


def test_bad_input_leaves_no_store_behind(seedrank, tmp_path):
    assert seedrank("load", "snap", tmp_path / "gone.txt").code == 1
    assert not (tmp_path / "web.duckdb").exists()


def test_a_truncated_gz_is_named(seedrank, tmp_path):
    whole = gzip.compress(b"".join(b"%d\t%d\n" % (i, i + 1) for i in range(20_000)))
    (tmp_path / "cut.txt.gz").write_bytes(whole[: len(whole) // 2])
    outcome = seedrank("load", "snap", tmp_path / "cut.txt.gz")
    assert outcome.code == 1
    assert len(outcome.err.strip().splitlines()) == 1
    assert "cut.txt.gz" in outcome.err


def test_an_unfinished_load_is_shown_and_completed(seedrank, files):
    arguments = ("table", "--pages", files["pages.tsv"], "--links", files["links.tsv"])
    loaded(seedrank, *arguments)
    with duckdb.connect("web.duckdb") as store:
        store.execute("UPDATE load SET state = 'running'")
    shown = seedrank("stats")
    assert "did not finish" in shown.err
    assert json.loads(shown.out)["loads"][0]["state"] == "running"

    loaded(seedrank, *arguments)
    assert json.loads(seedrank("stats").out)["loads"][0]["state"] == "done"
