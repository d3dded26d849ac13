"""``seedrank explore`` on an embedded store: the list, running, printing, favourites, and what is refused."""

from __future__ import annotations

import csv
import io
import json
import zipfile

import pyarrow as pa
import pytest

import seedrank as library
from seedrank import cypher
from seedrank.api.cypher_queries import queries, statement_of, values_of, writes
from seedrank.cli.text_formats import in_words
from seedrank.core.errors import StoreError, UsageError
from seedrank.exporters.browser import pasted
from seedrank.graphdb.statements import NEO4J, check
from seedrank.graphdb.statements.tokens import Refused
from tests.cli.conftest import made_once

PAGES = "url,status,clicks\nhttp://a.example/,crawled,1\nhttp://a.example/x,crawled,0\nhttp://b.example/,frontier,0\n"
LINKS = (
    "source,target,weight\nhttp://a.example/,http://b.example/,3\nhttp://a.example/x,http://b.example/,1\n"
    "http://a.example/,http://a.example/x,1\n"
)


@pytest.fixture
@made_once
def web(seedrank, tmp_path):
    (tmp_path / "pages.csv").write_text(PAGES)
    (tmp_path / "links.csv").write_text(LINKS)
    done = seedrank("load", "table", "--pages", "pages.csv", "--links", "links.csv")
    assert done.code == 0, done.err
    return tmp_path / "web.duckdb"


def test_the_list_has_every_query_with_what_its_file_says(seedrank):
    done = seedrank("explore")
    assert (done.code, done.err) == (0, "")
    rows = {row["name"]: row for row in map(json.loads, done.out.splitlines())}
    assert list(rows) == [name.removeprefix("explore/") for name in cypher.names() if name.startswith("explore/")]
    assert rows["what_links_here"]["answers"] == "What links here"
    assert rows["what_links_here"]["parameters"] == "--url URL [--limit 100]"
    assert rows["colour_by_status"]["databases"] == "Neo4j"
    assert seedrank("explore", "list").out == done.out
    drawn = seedrank("explore", "--format", "table").out
    assert "what_links_here" in drawn
    assert "about" not in drawn.splitlines()[1]


def test_the_list_is_read_whole_in_80_columns(seedrank, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    drawn = seedrank("explore", "--format", "table").out
    assert "…" not in drawn
    assert max(map(len, drawn.splitlines())) <= 80


def test_a_query_runs_for_people_and_for_programs(seedrank, web):
    asked = ("explore", "what_links_here", "--url", "HTTP://B.example")
    drawn = seedrank(*asked, "--format", "table").out.split("\n")
    assert drawn[0] == "What links here"
    assert drawn[2].split() == ["http://a.example/", "LINKS_TO", "3", "http://b.example/"]
    found = list(csv.reader(io.StringIO(seedrank(*asked, "--format", "csv").out)))
    assert found == [
        ["source", "link", "page"],
        ["http://a.example/", "LINKS_TO 3", "http://b.example/"],
        ["http://a.example/x", "LINKS_TO 1", "http://b.example/"],
    ]
    first = json.loads(seedrank(*asked, "--limit", 1).out)
    assert (first["source"]["url"], first["link"]["weight"]) == ("http://a.example/", 3)
    path = seedrank("explore", "two_hops", "--url", "http://a.example/x", "--format", "tsv").out
    assert path.splitlines()[1:] == ["http://a.example/x -> http://b.example/"]


def test_nothing_found_is_said(seedrank, web):
    done = seedrank("explore", "one_host", "--host", "c.example", "--format", "csv")
    assert (done.code, done.err) == (0, "nothing found\n")
    assert seedrank("explore", "one_host", "--host", "c.example", "--quiet").err == ""


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["what_links_here"], "--url is missing"),
        (["what_links_here", "--url", "http://a.example/", "--limit", "0"], "--limit must be at least 1, not 0"),
        (["what_links_here", "--url", "http://a.example/", "--limit", "x"], "--limit must be a whole number, not 'x'"),
        (["who_links_here"], "unknown command 'who_links_here'"),
        (["--favourites", "queries.txt"], "does not take favourites from a file called 'queries.txt'"),
        (["--style", "style.css"], "does not take a style from a file called 'style.css'"),
    ],
)
def test_what_is_wrong_is_one_line(seedrank, words, told):
    done = seedrank("explore", *words)
    assert done.code == 2
    assert told in done.err
    assert done.err.count("\n") == 1


def test_a_query_for_neo4j_says_so(seedrank, web):
    done = seedrank("explore", "colour_by_status", "--allow-writes")
    assert done.code == 1
    assert "runs on Neo4j only, and web.duckdb is an embedded store" in done.err
    assert done.err.count("\n") == 1


def test_printing_asks_no_store(seedrank):
    done = seedrank("explore", "what_links_here", "--url", "http://a.example/'\"", "--print", "--store", "none.duckdb")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[:3] == [':param url => "http://a.example/\'%22";', ":param limit => 100;", ""]
    assert done.out.split("\n\n")[1] == cypher.statement("explore/what_links_here") + "\n"
    assert seedrank("explore", "remove_colours", "--print").out == cypher.statement("explore/remove_colours") + "\n"
    assert pasted("RETURN $a", {"a": "x\ny"}) == ':param a => "x\\ny";\n\nRETURN $a\n'


def test_favourites_and_style_are_whole_files_and_the_same_each_time(seedrank, tmp_path):
    first = seedrank("explore", "--favourites", "one.zip", "--style", "style.grass")
    assert (first.code, first.out) == (0, "")
    assert seedrank("explore", "--favourites", "two.zip").code == 0
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "one.zip") as packed:
        texts = {name: packed.read(name).decode() for name in packed.namelist()}
    assert sorted(texts) == [f"seedrank/{name}.cypher" for name in queries()]
    for name, header in queries().items():
        text = texts[f"seedrank/{name}.cypher"]
        assert text.startswith(f"// {header.title}\n")
        assert text.endswith(f"\n{statement_of(name)}\n")
        assert all(f":param {one} => " in text for one in header.params)
    assert "node.Host {" in (tmp_path / "style.grass").read_text()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.zip", "style.grass", "two.zip"]
    assert seedrank("explore", "--favourites", "no/such.zip").code == 1


def test_only_colours_write():
    assert [name for name in queries() if writes(name)] == ["colour_by_score", "colour_by_status", "remove_colours"]
    for name in queries():
        if writes(name):
            with pytest.raises(Refused):
                check(statement_of(name), NEO4J, write=False)
        else:
            check(statement_of(name), NEO4J, write=False)


def test_python_has_the_same(web):
    with library.open(web, read_only=True) as bench:
        found = bench.explore("what_links_here", url="b.example", limit=1)
        assert found.num_rows == 0, "an address without a scheme is none"
        assert in_words(bench.explore("what_links_here", url="http://b.example", limit=1)).to_pylist() == [
            {"source": "http://a.example/", "link": "LINKS_TO 3", "page": "http://b.example/"}
        ]
        with pytest.raises(UsageError, match="what_links_here needs a value for its parameter url"):
            bench.explore("what_links_here")
        with pytest.raises(UsageError, match="unknown query 'x'; queries are biggest_hosts, "):
            bench.explore("x")
        with pytest.raises(StoreError, match="has no Graph Data Science library"):
            bench.to_gds()


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"url": 3}, "url must be text, not 3"),
        ({"url": "x", "limit": True}, "limit must be a whole number, not True"),
        ({"url": "x", "limit": 2**31}, "limit must be at most"),
        ({"url": "x", "depth": 3}, "has no parameter 'depth'; it has url, limit"),
    ],
)
def test_values_are_checked(given, told):
    with pytest.raises(UsageError, match=told):
        values_of("what_links_here", given)


def test_hosts_and_queries_are_completed(seedrank, web, monkeypatch):
    def offers(*words: str) -> list[str]:
        monkeypatch.setenv("_SEEDRANK_COMPLETE", "complete_bash")
        monkeypatch.setenv("COMP_WORDS", "\n".join(words))
        monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
        return seedrank().out.split()

    assert offers("seedrank", "explore", "one_host", "--host", "") == ["a.example", "b.example"]
    assert offers("seedrank", "explore", "path") == ["path_between", "path_from_seed"]


def test_a_page_with_a_column_called_nodes_is_no_path():
    page = {"url": "http://a.example/", "nodes": 3, "labels": ["Page"]}
    assert in_words(pa.table({"page": [page]})).to_pylist() == [{"page": "http://a.example/"}]
