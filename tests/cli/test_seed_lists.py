"""Lists of seeds from the command line: pages that are not crawled, seeds in use, worth below 0."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import seedrank as package
from seedrank.core.errors import InputError
from tests.cli.outcomes import rows

pytestmark = pytest.mark.slow

PAGES = """url,status,worth
http://w.example/a,crawled,1
http://w.example/b,crawled,1
http://w.example/f,frontier,5
http://w.example/m,missing,7
"""


@pytest.fixture
def web(seedrank, tmp_path):
    (tmp_path / "pages.csv").write_text(PAGES)
    (tmp_path / "links.csv").write_text("source,target\nhttp://w.example/a,http://w.example/b\n")
    assert seedrank("load", "table", "--pages", "pages.csv", "--links", "links.csv").code == 0

    def seeds(*names: str) -> str:
        (tmp_path / "mine.txt").write_text("".join(f"http://w.example/{name}\n" for name in names))
        return "mine.txt"

    return seeds


WORTH = ("--value", "worth", "--hops", "2")


@pytest.mark.parametrize("dead", ["f", "m"])
def test_evaluate_credits_no_page_that_is_not_crawled(seedrank, web, dead):
    outcome = seedrank("seeds", "evaluate", web(dead, "a"), *WORTH)
    found = rows(outcome)
    assert [row["url"][-1] for row in found] == [dead, "a"]
    assert [row["status"] for row in found] == ["frontier" if dead == "f" else "missing", "crawled"]
    assert [row["gain"] for row in found] == [0, 2]
    assert [row["covered_value"] for row in found] == [0, 2]
    assert [row["frontier_reached"] for row in found] == [0, 0]
    assert "1 not crawled" in outcome.err
    assert f"1 of 2 pages are not crawled and reach nothing, such as http://w.example/{dead}" in outcome.err
    assert "worth 2; no choice is worth more than 2" in outcome.err
    assert "100.0 % of it" in outcome.err


@pytest.mark.parametrize("dead", ["f", "m"])
def test_reduce_says_which_pages_are_not_crawled(seedrank, web, dead):
    outcome = seedrank("seeds", "reduce", web(dead, "a"), *WORTH)
    assert [(row["url"][-1], row["gain"]) for row in rows(outcome)] == [("a", 2)]
    assert "1 of 2 seeds reach 100.00 % of what all reach" in outcome.err
    assert f"mine.txt: 1 of 2 pages are not crawled and reach nothing, such as http://w.example/{dead}" in outcome.err


def test_a_list_of_which_no_page_is_crawled(seedrank, web):
    listed = web("f", "m")
    outcome = seedrank("seeds", "evaluate", listed, *WORTH)
    assert [row["gain"] for row in rows(outcome)] == [0, 0]
    assert "2 not crawled" in outcome.err
    outcome = seedrank("seeds", "reduce", listed, *WORTH)
    assert rows(outcome) == []
    assert "2 of 2 pages are not crawled and reach nothing" in outcome.err


def test_seeds_in_use_that_are_not_crawled_reach_nothing(seedrank, web):
    outcome = seedrank("seeds", "greedy", "-k", "1", "--keep", web("f", "m"), *WORTH)
    found = rows(outcome)
    assert [(row["url"][-1], row["covered_value"]) for row in found] == [("a", 2)]
    assert "worth 2; no choice beside the seeds in use is worth more than 2" in outcome.err
    assert "2 of 2 pages are not crawled and reach nothing" in outcome.err


def test_pages_without_urls_are_named_by_id(seedrank, tmp_path):
    (tmp_path / "pages.csv").write_text("id,status\n10,crawled\n20,frontier\n")
    (tmp_path / "links.csv").write_text("source,target\n10,20\n")
    (tmp_path / "mine.csv").write_text("id\n20\n10\n")
    assert seedrank("load", "table", "--pages", "pages.csv", "--links", "links.csv").code == 0
    outcome = seedrank("seeds", "evaluate", "mine.csv")
    assert [(row["source_id"], row["gain"]) for row in rows(outcome)] == [(20, 0), (10, 1)]
    assert "1 of 2 pages are not crawled and reach nothing, such as 20" in outcome.err


SPAM = """url,status,worth
http://w.example/a,crawled,1
http://w.example/b,crawled,-9
http://w.example/c,crawled,-2
"""


@pytest.mark.parametrize(
    ("pages", "said"),
    [
        (
            SPAM,
            "worth -8; no choice is worth more than 1 (upper bound: every reachable page); no share of it: the",
        ),
        (
            SPAM.replace(",1\n", ",9\n"),
            "worth 0; no choice is worth more than 9 (upper bound: every reachable page); no share of it",
        ),
        (
            SPAM.replace(",1\n", ",-1\n"),
            "more than 0 (upper bound: every reachable page); no share of it: nothing of worth can be reached",
        ),
    ],
)
def test_worth_below_0_is_no_share_of_a_bound(seedrank, tmp_path, pages, said):
    (tmp_path / "pages.csv").write_text(pages)
    (tmp_path / "links.csv").write_text("source,target\nhttp://w.example/a,http://w.example/b\n")
    (tmp_path / "mine.txt").write_text("http://w.example/a\n")
    assert seedrank("load", "table", "--pages", "pages.csv", "--links", "links.csv").code == 0
    outcome = seedrank("seeds", "evaluate", "mine.txt", "--value", "worth")
    assert said in outcome.err
    assert "%" not in outcome.err
    outcome = seedrank("seeds", "reduce", "mine.txt", "--value", "worth")
    assert rows(outcome) == []
    assert "0 of 1 seeds are worth 0, all of them " in outcome.err
    assert "%" not in outcome.err


def test_thousands_of_urls_given_as_they_are(seedrank, web, tmp_path, caplog):
    """Messages do not show them all, the record names a file with them, and the run can be repeated."""
    urls = ["http://w.example/a", "http://w.example/f", *(f"http://gone.example/{n}" for n in range(2_000))]
    with package.open(str(tmp_path / "web.duckdb")) as bench:
        answer = bench.evaluate(urls, value="worth", hops=2)
    assert "URLs: 2000 of 2002 pages are not in the graph" in caplog.text
    assert "URLs: 1 of 2 pages are not crawled" in caplog.text
    assert len(caplog.text) < 2_000
    run = answer.run
    assert len(json.dumps(dict(run.parameters))) < 1_000
    assert Path(run.parameters["file"]).read_text().split() == urls
    outcome = seedrank("runs", "repeat", run.name)
    assert [row["gain"] for row in rows(outcome)] == [2, 0]
    assert len(outcome.err) < 2_000
    assert len(rows(seedrank("runs"))) == 2
    with package.open(str(tmp_path / "web.duckdb")) as bench, pytest.raises(InputError, match="none of its") as error:
        bench.evaluate(urls[2:])
    assert len(str(error.value)) < 200
