"""``--save`` and ``--write``: how much of an answer goes into the database, and as what."""

from __future__ import annotations

import json

import pytest

from seedrank.cli.options import saved
from tests.cli.conftest import made_once

LINKS = "source,target\n" + "".join(
    f"http://{a}.org/,http://{b}.org/\n" for a, b in ("ab", "bc", "ca", "da", "ad", "be")
)


@pytest.fixture
@made_once
def web(seedrank, tmp_path):
    (tmp_path / "links.csv").write_text(LINKS)
    (tmp_path / "pages.csv").write_text(
        "url,status,clicks\n" + "".join(f"http://{a}.org/,crawled,{n}\n" for n, a in enumerate("abcd"))
    )
    done = seedrank("load", "table", "--pages", "pages.csv", "--links", "links.csv")
    assert done.code == 0, done.err


def column(seedrank, name):
    """The values of a page column by letter."""
    done = seedrank("query", f"MATCH (p:Page) RETURN p.url AS url, p.{name} AS value ORDER BY url")
    assert done.code == 0, done.err
    rows = [json.loads(line) for line in done.out.splitlines()]
    return {row["url"][7]: row["value"] for row in rows if row["value"] is not None}


def test_save_says_how_many_went(seedrank, web):
    def rows():
        found = seedrank("query", "MATCH (r:Run)-[x:RANKED]->(:Page) RETURN count(x) AS n")
        return json.loads(found.out)["n"]

    done = seedrank("crawl", "bfs", "--seeds", "http://a.org/", "--save", "2")
    assert done.code == 0 and "the database has the first 2 of 5 rows of this answer: save all for the rest" in done.err
    assert rows() == 2
    done = seedrank("crawl", "bfs", "--save", "all", "--seeds", "http://a.org/")
    assert done.code == 0 and "of this answer" not in done.err
    assert rows() == 7
    done = seedrank("crawl", "bfs", "--save", "--seeds", "http://a.org/")
    assert done.code == 0 and "of this answer" not in done.err
    assert rows() == 12
    assert seedrank("crawl", "bfs", "--seeds", "http://a.org/", "--save=none").code == 2
    assert seedrank("crawl", "bfs", "--seeds", "http://a.org/", "--save", "0").code == 2


def test_what_save_takes():
    assert [saved(text) for text in (None, "all", "7")] == [False, "all", 7]


def test_places_scores_cores_and_components_as_properties(seedrank, web):
    done = seedrank("crawl", "bfs", "--seeds", "http://a.org/", "--write", "place")
    assert done.code == 0, done.err
    order = [json.loads(line)["url"][7] for line in done.out.splitlines()]
    assert column(seedrank, "place") == {letter: place for place, letter in enumerate(order, 1)}

    done = seedrank("seeds", "maxweight", "-k", "2", "--hops", "1", "--write", "seed")
    seeds = [json.loads(line)["url"][7] for line in done.out.splitlines()]
    assert column(seedrank, "seed") == {letter: place for place, letter in enumerate(seeds, 1)}
    done = seedrank("seeds", "maxweight", "-k", "1", "--hops", "1", "--write", "seed")
    assert column(seedrank, "seed") == {seeds[0]: 1}  # those of the answer before are gone

    done = seedrank("frontier", "indegree", "--write", "wanted")
    assert column(seedrank, "wanted") == {"e": 1.0}

    done = seedrank("stats", "--write", "component")
    assert done.code == 0, done.err
    parts = column(seedrank, "component")
    assert len({parts[letter] for letter in "abcd"}) == 1 and parts["e"] != parts["a"]
    assert all(isinstance(part, int) for part in parts.values())

    done = seedrank("seeds", "cores", "-k", "2", "--write", "core")
    assert done.code == 0, done.err
    assert set(column(seedrank, "core").values()) <= {1, 2} and 1 in column(seedrank, "core").values()


@pytest.mark.parametrize(
    "words",
    [("crawl", "bfs", "--seeds", "http://a.org/"), ("seeds", "outdegree"), ("frontier", "indegree"), ("stats",)],
)
def test_a_column_that_is_taken_is_refused_before_the_work(seedrank, web, words):
    done = seedrank(*words, "--write", "url")
    assert done.code == 2 and done.err.count("\n") == 1 and "cannot be written to 'url'" in done.err
