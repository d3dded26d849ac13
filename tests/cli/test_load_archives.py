"""``seedrank load`` of web archives, down to seeds and kept types."""

from __future__ import annotations

import io
import json
import sys

import pytest

from tests.unit.loaders.archive_files import html, http, warc_record, write

A, B = "http://a.example/a", "http://a.example/b"
RECORDS = [
    warc_record(A, html("<a href=b>b</a><a href=old>old</a><a href=p.pdf>p</a>")),
    warc_record("http://a.example/old", http(301, Location="b")),
    warc_record(B, html("<a href=a>a</a>")),
    warc_record("http://a.example/p.pdf", http(200, Content_Type="application/pdf")),
]


@pytest.mark.slow
def test_an_archive_becomes_a_graph(seedrank, tmp_path):
    outcome = seedrank("load", "warc", write(tmp_path / "made.warc.gz", RECORDS))
    assert outcome.code == 0, outcome.err
    assert json.loads(outcome.out)["links redirected"] == 1
    rows = seedrank("query", "MATCH (p:Page) RETURN p.url AS url, p.status AS status, p.type AS type ORDER BY url").out
    assert [tuple(json.loads(line).values()) for line in rows.splitlines()] == [
        (A, "crawled", "page"),
        (B, "crawled", "page"),
        ("http://a.example/old", "missing", None),
        ("http://a.example/p.pdf", "crawled", "document"),
    ]
    links = seedrank(
        "query", "MATCH (a:Page)-[l:LINKS_TO]->(b:Page) RETURN a.url, b.url, l.weight ORDER BY a.url, b.url"
    )
    assert links.code == 0, links.err
    assert [tuple(json.loads(line).values()) for line in links.out.splitlines()] == [
        (A, B, 2.0), (A, "http://a.example/p.pdf", 1.0), (B, A, 1.0)
    ]  # fmt: skip
    seeds = seedrank("seeds", "random", "-k", "5")
    assert seeds.code == 0, seeds.err
    assert {json.loads(line)["url"] for line in seeds.out.splitlines()} == {A, B}
    every = seedrank("seeds", "random", "-k", "5", "--non-pages")
    assert len(every.out.splitlines()) == 3


@pytest.mark.slow
def test_from_standard_input_and_again(seedrank, tmp_path, monkeypatch):
    data = b"".join(RECORDS) + b"\r\n\r\n"
    for _ in range(2):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        outcome = seedrank("load", "warc", "-")
        assert outcome.code == 0, outcome.err
    assert "nothing was written" in outcome.err


def test_what_is_broken_is_told(seedrank, tmp_path):
    file = write(tmp_path / "made.warc", [RECORDS[0], b"junk\r\n\r\n", RECORDS[2]], packed=False)
    outcome = seedrank("load", "warc", file)
    assert outcome.code == 0
    assert f"left out, broken: {file}: byte 0: what follows this record cannot be read" in outcome.err.replace(
        "\n", " "
    )
    assert json.loads(outcome.out)["records left out: broken"] == 1
    strict = seedrank("load", "warc", "--strict", file)
    assert strict.code == 1
    assert "without --strict" in strict.err


@pytest.mark.slow
def test_an_index_says_that_it_has_no_links(seedrank, tmp_path):
    (tmp_path / "made.cdx").write_text(f"k 1 {A} text/html 200 SHA 5\n")
    outcome = seedrank("load", "cdx", tmp_path / "made.cdx")
    assert outcome.code == 0, outcome.err
    assert "not their links" in outcome.err
    (tmp_path / "made.cdxj").write_text(f'k 1 {{"url": "{B}", "status": "404"}}\n')
    assert seedrank("load", "cdxj", tmp_path / "made.cdxj").code == 0
    (tmp_path / "no.wat").write_text("hello")
    wrong = seedrank("load", "wat", tmp_path / "no.wat")
    assert wrong.code == 1
    assert "is not a WAT file" in wrong.err
