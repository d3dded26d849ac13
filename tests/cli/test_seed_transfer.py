"""``seedrank seeds transfer`` from the command line: an older list becomes seeds that any command takes."""

from __future__ import annotations

import csv

import pytest

from tests.cli.conftest import made_once
from tests.cli.outcomes import rows

pytestmark = pytest.mark.slow

OLD = [("old", "t1"), ("old", "t2"), ("old", "t3"), ("front", "old")]
NEW = [("new", "t1"), ("new", "t2"), ("front", "new"), ("front", "other"), ("front", "t1"), ("other", "t3")]
LIST = "http://a.example/front\nhttps://www.a.example/Front/\nhttp://a.example/old\nhttp://gone.example/\n"


@pytest.fixture
@made_once
def web(seedrank, tmp_path):
    """The older web in old.duckdb, the newer one in the store of the test, and a list of the older one."""
    for store, links in (("old.duckdb", OLD), ("web.duckdb", NEW)):
        rows = "".join(f"http://a.example/{source},http://a.example/{target}\n" for source, target in links)
        (tmp_path / "links.csv").write_text("source,target\n" + rows)
        assert seedrank("--store", store, "load", "table", "--links", "links.csv").code == 0
    (tmp_path / "mine.txt").write_text(LIST)
    return tmp_path


def test_rows_name_old_new_rule_and_similarity(seedrank, web):
    outcome = seedrank("seeds", "transfer", "mine.txt", "--old-store", "old.duckdb")
    found = [(row["old"], row["url"], row["rule"], row["similarity"]) for row in rows(outcome)]
    assert found == [
        ("http://a.example/front", "http://a.example/front", "same", 1),
        ("http://a.example/old", "http://a.example/new", "links", pytest.approx(2 / 3)),
    ]
    assert (
        "4 listed: 1 stay, 1 have another address, 1 are replaced by their links, 1 are dropped; 2 seeds" in outcome.err
    )
    assert "dropped: http://gone.example/" in outcome.err


def test_without_the_older_graph_the_host_decides(seedrank, web):
    found = rows(seedrank("seeds", "transfer", "mine.txt"))
    # The page of the host with the most links to crawled pages is the one that stays.
    assert [(row["url"], row["rule"]) for row in found] == [("http://a.example/front", "same")]


def test_the_answer_is_a_list_for_other_commands(seedrank, web):
    assert seedrank("seeds", "transfer", "mine.txt", "--old-store", "old.duckdb", "-o", "seeds.csv").code == 0
    with (web / "seeds.csv").open() as file:
        assert [row["url"] for row in csv.DictReader(file)] == ["http://a.example/front", "http://a.example/new"]
    by_file = rows(seedrank("crawl", "bfs", "--seeds", "seeds.csv"))
    rows(seedrank("seeds", "transfer", "mine.txt", "--old-store", "old.duckdb"))
    by_run = rows(seedrank("crawl", "bfs", "--seeds", "run:latest"))
    assert [row["url"] for row in by_run] == [row["url"] for row in by_file]
    assert [row["url"] for row in by_run][:2] == ["http://a.example/front", "http://a.example/new"]


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("http://gone.example/\n", (), "none of its 1 pages is left in this graph"),
        ("7\n", (), "names pages by number"),
        (LIST, ("--old-store", "nowhere.duckdb"), "nowhere.duckdb"),
    ],
)
def test_lists_that_cannot_be_transferred(seedrank, web, text, options, message):
    (web / "mine.txt").write_text(text)
    outcome = seedrank("seeds", "transfer", "mine.txt", *options)
    assert outcome.code == 1
    assert message in outcome.err
    assert "Traceback" not in outcome.err
