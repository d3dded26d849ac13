"""``seedrank load`` of what crawlers keep themselves, from the command line into a store."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.unit.loaders.nutch_samples import (
    DATUM,
    INLINKS,
    PARSE,
    ProtocolStatus,
    datum,
    inlinks,
    outlink,
    parse_data,
    sequence_file,
    text,
)

A, B, C, D = (f"http://{name}.example/" for name in "abcd")


def write(path: Path, data: bytes | str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data if isinstance(data, bytes) else data.encode())


def loaded(seedrank, *arguments) -> tuple[dict, str]:
    outcome = seedrank("load", *arguments)
    assert outcome.code == 0, outcome.err
    return json.loads(outcome.out), outcome.err


def status(seedrank) -> dict[str, str]:
    rows = seedrank("query", "MATCH (p:Page) RETURN p.url AS url, p.status AS status").out.splitlines()
    return {row["url"]: row["status"] for row in map(json.loads, rows)}


def links(seedrank) -> set[tuple[str, str]]:
    rows = seedrank("query", "MATCH (a:Page)-[:LINKS_TO]->(b:Page) RETURN a.url AS a, b.url AS b").out.splitlines()
    return {(row["a"], row["b"]) for row in map(json.loads, rows)}


@pytest.mark.slow
def test_a_nutch_crawl_is_one_graph(seedrank, tmp_path):
    moved = {"_pst_": ProtocolStatus((12, [C]))}
    known = [(text(A), datum(2)), (text(B), datum(5, meta=moved)), (text(C), datum(2)), (text(D), datum(3))]
    write(tmp_path / "crawl/crawldb/current/part-r-00000/data", sequence_file(known, DATUM))
    parsed = [(text(A), parse_data([outlink(B, "to b"), outlink(D, "")]))]
    write(tmp_path / "crawl/segments/1/parse_data/part-r-00000/data", sequence_file(parsed, PARSE, compression="block"))
    linked = [(text(D), inlinks([(C, "from c")]))]
    write(tmp_path / "crawl/linkdb/current/part-r-00000/data", sequence_file(linked, INLINKS))
    counts, said = loaded(seedrank, "nutch-crawldb", "crawl/crawldb")
    assert counts["pages new"] == 4
    assert "a CrawlDb has pages and no links" in said
    assert loaded(seedrank, "nutch-segment", "crawl")[0]["links redirected"] == 1
    loaded(seedrank, "nutch-linkdb", "crawl/linkdb")
    assert status(seedrank) == {A: "crawled", B: "missing", C: "crawled", D: "missing"}
    assert links(seedrank) == {(A, C), (A, D), (C, D)}


def test_what_is_broken_is_told_and_strict_stops(seedrank, tmp_path):
    pairs = [(text(A), datum(2)), (text(B), datum(2, version=9))]
    write(tmp_path / "data", sequence_file(pairs, DATUM))
    counts, said = loaded(seedrank, "nutch-crawldb", "data")
    assert counts["records left out: broken"] == 1
    assert "left out, broken: data: byte" in said
    refused = seedrank("load", "nutch-crawldb", "data", "--strict")
    assert refused.code == 1
    assert "version that is not known" in refused.err
    assert "without --strict" in refused.err


@pytest.mark.slow
def test_a_crawl_log_says_what_it_is(seedrank, tmp_path):
    line = "2011-06-23T17:12:08.802Z {} 99 {} {} {} text/html #014 20110623171208574+225 sha1:Y - -\n"
    log = [line.format(200, A, "-", "-"), line.format(302, B, "L", A), line.format(200, C, "LR", B)]
    write(tmp_path / "crawl.log", "".join([*log, line.format(-9998, D, "LRL", C)]))
    counts, said = loaded(seedrank, "heritrix-log", "crawl.log")
    assert counts["links redirected"] == 1
    assert "tree of discovery, not the link graph" in said
    assert "1 × -9998 (forbidden by robots.txt)" in said
    assert status(seedrank) == {A: "crawled", B: "missing", C: "crawled", D: "frontier"}
    assert links(seedrank) == {(A, C), (C, D)}


@pytest.mark.slow
def test_saved_pages(seedrank, tmp_path):
    write(tmp_path / "build/html/index.html", '<a href="guide.html">guide</a> <a href="old.html">old</a>')
    write(tmp_path / "build/html/guide.html", f'<a href="index.html">up</a> <a href="{D}">out</a>')
    _, said = loaded(seedrank, "html", "build/html", "--base-url", "https://docs.example/")
    docs = "https://docs.example/"
    assert f"loaded as {docs}" in said
    assert status(seedrank) == {
        docs: "crawled",
        f"{docs}guide.html": "crawled",
        f"{docs}old.html": "missing",
        D: "frontier",
    }
    again = seedrank("load", "html", "build/html", "--base-url", "https://docs.example/")
    assert "nothing was written" in again.err


def test_a_folder_whose_name_is_no_host_needs_a_base_url(seedrank, tmp_path):
    write(tmp_path / "my pages/index.html", "<html>")
    refused = seedrank("load", "html", "my pages")
    assert refused.code == 2
    assert "'my pages' is not a host name; say where the pages come from: --base-url" in refused.err
