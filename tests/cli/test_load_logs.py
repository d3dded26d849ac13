"""``seedrank load`` of compressed graphs, arcs, logs and lists, into an embedded store."""

from __future__ import annotations

import gzip
import json

import pytest

from tests.unit.loaders.bvgraph_reference import write as write_graph

LOG = """\
192.0.2.7 - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 10 "https://www.google.com/" "Firefox/128.0"
192.0.2.7 - - [17/May/2015:10:05:09 +0000] "GET /a HTTP/1.1" 200 10 "http://www.example.org/" "Firefox/128.0"
192.0.2.8 - - [18/May/2015:10:05:09 +0000] "GET /a HTTP/1.1" 200 10 "http://www.example.org/" "Firefox/128.0"
192.0.2.8 - - [18/May/2015:10:05:09 +0000] "GET /a HTTP/1.1" 200 10 "-" "Googlebot"
not a line of a log
"""


def loaded(seedrank, *arguments):
    outcome = seedrank("load", *arguments)
    assert outcome.code == 0, outcome.err
    return json.loads(outcome.out), outcome.err


def rows(seedrank, statement: str) -> list[list]:
    return [list(json.loads(line).values()) for line in seedrank("query", statement).out.splitlines()]


VIEWS = "MATCH (p:Page) RETURN p.url, p.views, p.clicks ORDER BY p.url"
LINKS = "MATCH (a:Page)-[l:LINKS_TO]->(b:Page) RETURN a.url, b.url, l.weight ORDER BY a.url, b.url"
SPAM = "MATCH (p:Page) RETURN p.url, p.spam ORDER BY p.url"


@pytest.mark.slow
def test_bvgraph_with_names(seedrank, tmp_path):
    name = write_graph(tmp_path, [[1, 2], [2], []])
    (tmp_path / "g.urls.gz").write_bytes(gzip.compress(b"a/\nb/\nc/\n"))
    counts, _ = loaded(seedrank, "bvgraph", name, "--names", f"{name}.urls.gz", "--url-prefix", "http://")
    assert (counts["pages new"], counts["links new"]) == (3, 3)
    assert rows(seedrank, LINKS) == [
        ["http://a/", "http://b/", 1], ["http://a/", "http://c/", 1], ["http://b/", "http://c/", 1]
    ]  # fmt: skip
    (tmp_path / "g.graph").write_bytes(b"")
    outcome = seedrank("load", "bvgraph", name)
    assert outcome.code == 1
    assert "holds 0 bits, and the properties say 3 pages" in outcome.err


def test_arcs_with_a_separator(seedrank, tmp_path):
    (tmp_path / "web.arcs").write_text("0;1\n1;0\n")
    (tmp_path / "web.nodes").write_text("http://a/\nhttp://b/\n")
    counts, _ = loaded(seedrank, "arcs", "web.arcs", "--names", "web.nodes", "--separator", ";")
    assert (counts["pages new"], counts["links new"]) == (2, 2)
    outcome = seedrank("load", "arcs", "web.arcs", "--separator", "::")
    assert outcome.code == 2
    assert "--separator is not a separator: '::'" in outcome.err


@pytest.mark.slow
def test_access_log(seedrank, tmp_path):
    (tmp_path / "access.log").write_text(LOG)
    site = ("--site", "http://www.example.org")
    counts, told = loaded(seedrank, "access-log", "access.log", *site)
    assert counts["records left out: broken"] == 1
    assert "access.log: line 5: has no [time]" in told
    assert "3 of 4 requests are views of pages; left out are 1 of robots." in told
    assert rows(seedrank, VIEWS) == [["http://www.example.org/", 1, 1], ["http://www.example.org/a", 2, None]]
    assert rows(seedrank, LINKS) == [["http://www.example.org/", "http://www.example.org/a", 2]]
    statuses = "MATCH (p:Page) RETURN p.status ORDER BY p.url"
    assert rows(seedrank, statuses) == [["crawled"], ["frontier"]]
    loaded(seedrank, "access-log", "access.log", *site, "--assume", "crawled")
    assert rows(seedrank, statuses) == [["crawled"], ["crawled"]]
    loaded(seedrank, "access-log", "access.log", *site, "--from", "2015-05-18", "--robots", "--store", "may18.duckdb")
    outcome = seedrank("--store", "may18.duckdb", "query", "MATCH (p:Page) RETURN sum(p.views) AS views")
    assert json.loads(outcome.out) == {"views": 2}
    outcome = seedrank("load", "access-log", "access.log")
    assert outcome.code == 1
    assert (
        "line 1: does not say which host was asked; say whose log it is: --site https://www.example.org" in outcome.err
    )
    outcome = seedrank("load", "access-log", "access.log", *site, "--strict")
    assert outcome.code == 1
    assert "line 5: has no [time]" in outcome.err


@pytest.mark.slow
def test_loads_of_one_log_with_other_options_are_loads_of_their_own(seedrank, tmp_path):
    (tmp_path / "access.log").write_text(LOG)
    loads = [["--site", "http://x.example"], ["--site", "http://x.example", "--robots"], ["--site", "http://y.example"]]
    for options in (*loads, loads[-1]):
        loaded(seedrank, "access-log", "access.log", *options)
    kept = [load["source"] for load in json.loads(seedrank("stats").out)["loads"]]
    assert sorted(kept) == [
        "access-log access.log site=http://x.example",
        "access-log access.log site=http://x.example robots=True",
        "access-log access.log site=http://y.example",
    ]


@pytest.mark.slow
def test_clickstream(seedrank, tmp_path):
    (tmp_path / "clickstream-enwiki-2024-01.tsv").write_text("other-search\tA\texternal\t20\nB\tA\tlink\t10\n")
    loaded(seedrank, "clickstream", "clickstream-enwiki-2024-01.tsv")
    wiki = "https://en.wikipedia.org/wiki/"
    assert rows(seedrank, VIEWS) == [[f"{wiki}A", 30, 20], [f"{wiki}B", None, None]]
    assert rows(seedrank, LINKS) == [[f"{wiki}B", f"{wiki}A", 10]]


@pytest.mark.slow
def test_clicks_and_labels_of_pages_that_are_there(seedrank, tmp_path):
    (tmp_path / "pages.csv").write_text("url\nhttp://a.example/\nhttp://b.a.example/\nhttp://c.example/\n")
    (tmp_path / "clicks.tsv").write_text("some words\ta.example\t7\nsome words\tnowhere.example\t3\n")
    (tmp_path / "spam.txt").write_text("a.example\nhttp://c.example/ nonspam\nnowhere.example\n")
    loaded(seedrank, "table", "--pages", "pages.csv")
    counts, _ = loaded(seedrank, "query-clicks", "clicks.tsv", "--url-prefix", "http://")
    assert counts["results dropped: unknown page"] == 1
    found = rows(seedrank, "MATCH (q:Query)-[r:RESULT]->(p:Page) RETURN q.text, q.freq, r.clicks, p.url, p.clicks")
    assert found == [["some words", 10, 7, "http://a.example/", 7]]
    counts, _ = loaded(seedrank, "spam-list", "spam.txt", "--subdomains")
    assert counts["labels dropped: unknown host"] == 1
    assert rows(seedrank, SPAM) == [["http://a.example/", 1], ["http://b.a.example/", 1], ["http://c.example/", 0]]
    again = seedrank("load", "spam-list", "spam.txt", "--subdomains")
    assert "nothing was written" in again.err
