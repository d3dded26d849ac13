"""``seedrank load auto`` heeds the options it offers as the command of the format does, or refuses them as it would."""

from __future__ import annotations

import json

import pytest
import typer

import seedrank as package
from seedrank.cli.main import app, command
from seedrank.core.errors import InputError, UsageError
from seedrank.loaders.base import LoadOptions
from seedrank.loaders.formats import AUTO, FORMATS

LOG = """\
www.example.org 192.0.2.7 - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 10 "-" "Firefox/128.0"
www.example.org 192.0.2.8 - - [18/May/2015:10:05:09 +0000] "GET /a HTTP/1.1" 200 10 "-" "Firefox/128.0"
"""
CLICKS = "other-search\tA\texternal\t20\nB\tA\tlink\t10\n"
REFUSED = {
    "snap": ("0 1\n1 2\n", "an edge list of numbers (snap)", [("--strict",), ("--url-prefix", "http://")]),
    "adjacency": ("2\n1\n0\n", "adjacency lists (adjacency)", [("--merge-variants",), ("--urls", "verbatim")]),
    "access-log": (LOG, "", []),
    "clickstream": (CLICKS, "Wikipedia's clickstream (clickstream)", [("--from", "2024-01-01")]),
    "cc-webgraph": (
        "0\torg.a\n1\torg.b\n",
        "a web graph of Common Crawl (cc-webgraph)",
        [("--url-prefix", "http://"), ("--to", "2024-01-01")],
    ),
    "query-clicks": ("words\thttp://a/\t3\n", "clicks by query (query-clicks)", [("--to", "2024-01-01")]),
}
"""Formats: a file, what it is called, options that its own command does not have."""


@pytest.mark.parametrize(
    ("format", "option"), [(format, option) for format, (_, _, options) in REFUSED.items() for option in options]
)
def test_options_that_the_format_does_not_have_are_refused(seedrank, tmp_path, format, option):
    text, called, _ = REFUSED[format]
    (tmp_path / "file").write_text(text)
    own = seedrank("load", format, "file", *option)
    assert (own.code, own.err.count("\n")) == (2, 1)
    outcome = seedrank("load", "auto", "file", *option)
    assert outcome.code == 2
    assert outcome.err == f"seedrank: {option[0]} does not go with {called}; leave it out\n"


@pytest.mark.slow
def test_strict_stops_at_the_first_record_that_cannot_be_read(seedrank, tmp_path):
    (tmp_path / "access.log").write_text(LOG + "not a line of a log\n")
    assert seedrank("load", "auto", "access.log").code == 0
    own, auto = (seedrank("load", name, "access.log", "--strict") for name in ("access-log", "auto"))
    assert (auto.code, auto.err) == (1, own.err)
    assert "access.log, line 3: has no [time]" in auto.err


@pytest.mark.slow
def test_requests_of_another_time_are_left_out(seedrank, tmp_path):
    (tmp_path / "access.log").write_text(LOG)
    for name in ("access-log", "auto"):
        span = ("--from", "2015-05-18", "--to", "2015-05-19")
        outcome = seedrank("load", name, "access.log", *span, "--store", f"{name}.duckdb")
        assert outcome.code == 0, outcome.err
        views = seedrank("--store", f"{name}.duckdb", "query", "MATCH (p:Page) RETURN p.url AS url, p.views AS views")
        assert [json.loads(line) for line in views.out.splitlines()] == [
            {"url": "http://www.example.org/a", "views": 1}
        ]


@pytest.mark.slow
def test_a_prefix_goes_before_titles(seedrank, tmp_path):
    (tmp_path / "clicks.tsv").write_text(CLICKS)
    outcome = seedrank("load", "auto", "clicks.tsv", "--url-prefix", "https://simple.wikipedia.org/wiki/")
    assert outcome.code == 0, outcome.err
    pages = seedrank("query", "MATCH (p:Page) RETURN p.url AS url ORDER BY url").out.splitlines()
    wiki = "https://simple.wikipedia.org/wiki/"
    assert [json.loads(line)["url"] for line in pages] == [f"{wiki}A", f"{wiki}B"]


@pytest.mark.slow
def test_tables_take_all_options(seedrank, tmp_path):
    (tmp_path / "links.csv").write_text("source,target,date\na/,b/,20080101\na/,c/,20090101\n")
    options = ("--strict", "--from", "2008-06-01", "--url-prefix", "http://", "--merge-variants")
    outcome = seedrank("load", "auto", "links.csv", *options)
    assert outcome.code == 0, outcome.err
    links = seedrank("query", "MATCH (a:Page)-[:LINKS_TO]->(b:Page) RETURN a.url AS source, b.url AS target")
    assert json.loads(links.out) == {"source": "http://a/", "target": "http://c/"}


@pytest.mark.parametrize("format", [None, "access-log"])
@pytest.mark.slow
def test_python_hands_them_over_too(tmp_path, format):
    from datetime import datetime

    (tmp_path / "access.log").write_text(LOG + "not a line of a log\n")
    with package.open(tmp_path / "x.duckdb", create=True) as bench:
        with pytest.raises(InputError, match="line 3: has no"):
            bench.load(tmp_path / "access.log", LoadOptions(strict=True), format=format)
        summary, _ = bench.load(tmp_path / "access.log", LoadOptions(since=datetime(2015, 5, 18)), format=format)
        assert summary.counts["page rows"] == 1
        (tmp_path / "edges").write_text("0 1\n")
        with pytest.raises(
            UsageError, match=r"^since does not go with an edge list of numbers \(snap\); leave it out$"
        ):
            bench.load(tmp_path / "edges", LoadOptions(since=datetime(2015, 5, 18)), format=format and "snap")


def test_a_parameter_of_the_format_comes_before_the_option_of_the_load(tmp_path):
    from seedrank.loaders.formats import source_of

    (tmp_path / "web.arcs").write_text("0\t1\n")
    source = source_of("arcs", [tmp_path / "web.arcs"], LoadOptions(url_prefix="http://x/"), url_prefix="http://y/")
    assert source.shape == "url_prefix=http://y/"


@pytest.mark.parametrize("format", FORMATS)
def test_a_format_heeds_what_its_command_offers(format):
    load = typer.main.get_command(app).get_command(typer.Context(command()), "load")
    offered = {one.name for one in load.commands[format].params} & set(AUTO)
    assert offered == set(FORMATS[format].heeds)


def test_auto_offers_what_some_format_heeds():
    load = typer.main.get_command(app).get_command(typer.Context(command()), "load")
    names = {one.name for one in load.commands["auto"].params} & set(vars(LoadOptions()))
    assert names == {*AUTO, "tolerant", "rejects"}  # every format heeds these
