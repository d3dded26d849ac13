"""Text of the user's, or of the web, that would steer a terminal: it is shown, never sent."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.cli.conftest import made_once

EVIL = "\x1b[2J\x9b\x7f\u202e[red]"
"""Erase the screen, the same begun by one C1 letter, DEL, text from right to left, and a style of rich."""
SHOWN = "\\x1b[2J\\x9b\\x7f\\u202e[red]"


def steers(text: str) -> bool:
    return any(letter in text for letter in ("\x1b", "\x9b", "\x7f", "\u202e"))


@pytest.fixture
@made_once
def web(seedrank, tmp_path) -> Path:
    (tmp_path / "pages.csv").write_text("url,clicks\nhttp://a.example/,3\nhttp://b.example/,\n")
    (tmp_path / "links.csv").write_text("source,target\nhttp://a.example/,http://b.example/\n")
    assert seedrank("load", "table", "--pages", "pages.csv", "--links", "links.csv").code == 0
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        (f"nonsense{EVIL}",),
        ("seeds", "greedy", "--hops", EVIL),
        ("seeds", "greedy", f"--opt{EVIL}"),
        ("stats", "--store", f"{EVIL}.duckdb"),
        ("stats", "--format", EVIL),
        ("seeds", "evaluate", f"{EVIL}.txt"),
        ("seeds", "greedy", "--value", EVIL),
        ("seeds", "greedy", "--only", EVIL),
        ("frontier", "rw", "--impact", EVIL),
        ("crawl", "compare", EVIL),
        ("rank", "pagerank", "--write", EVIL),
        ("rank", "pagerank", "-o", f"{EVIL}/x.csv"),
        ("runs", "show", EVIL),
        ("query", f"RETURN {EVIL}"),
        ("explain", EVIL),
        ("load", "snap", f"{EVIL}.txt"),
        ("load", "table", "--pages", "hostile.csv"),
        ("load", "table", "--pages", "hostile.parquet"),
        ("load", "table", "--pages", "broken.parquet"),
        ("report", "-o", f"{EVIL}/report.html"),
        ("--debug", "stats", "--store", f"{EVIL}.duckdb"),
    ],
)
def test_errors(seedrank, web, command):
    (web / "hostile.csv").write_text(f"name{EVIL},x\n1,2\n")
    pq.write_table(pa.table({"url": ["http://a/"], f"x{EVIL}": [[1]]}), web / "hostile.parquet")
    (web / "broken.parquet").write_bytes(b"PAR1" + EVIL.encode() + b"PAR1")
    outcome = seedrank(*command)
    assert outcome.code in (1, 2)
    assert not steers(outcome.out + outcome.err), repr(outcome.err)
    if "--debug" not in command:
        assert outcome.err.count("\n") == 1, outcome.err


@pytest.mark.slow
def test_warnings_and_titles(seedrank, web):
    name = f"lost{EVIL}.txt"
    (web / name).write_text("http://b.example/\nhttp://gone/\x1b[2J\n")
    outcome = seedrank("seeds", "evaluate", name, "--format", "table")
    assert outcome.code == 0
    assert f"warning: lost{SHOWN}.txt: 1 of 2 pages are not in the graph, such as http://gone/\\x1b[2J" in outcome.err
    assert not steers(outcome.out + outcome.err)
    assert "[red]" in outcome.out


@pytest.mark.slow
def test_a_line_has_an_end(seedrank, web):
    (web / "lost.txt").write_text("http://b.example/\nhttp://gone/" + "x" * 100_000 + "\n")
    outcome = seedrank("seeds", "evaluate", "lost.txt")
    assert outcome.code == 0
    assert max(map(len, outcome.err.splitlines())) < 5_000


def test_headers(seedrank, web):
    outcome = seedrank("query", f"RETURN 1 AS `{EVIL}`", "--format", "table")
    assert outcome.code == 0, outcome.err
    assert outcome.out.splitlines()[0].strip() == SHOWN
    assert not steers(outcome.out)


def test_a_load_names_what_it_left_out(seedrank, web):
    (web / "odd.csv").write_text("url\nhttp://[\x1b[2J\nhttp://c.example/\n")
    outcome = seedrank("load", "table", "--pages", "odd.csv", "--store", f"s{EVIL}.duckdb", "--format", "table")
    assert outcome.code == 0, outcome.err
    assert not steers(outcome.out + outcome.err)
