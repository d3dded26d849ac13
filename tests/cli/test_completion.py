"""Completion, asked as bash asks: what it offers, and that it is silent whatever is wrong."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import seedrank as library
from seedrank.cli.completion import unbroken
from seedrank.methods.crawl.methods import CRAWL
from seedrank.methods.seeds.methods import SEEDS
from tests.cli.conftest import made_once

BIN = Path(sys.executable).parent
PAGES = "url,views,worth,kind\nhttp://a.example/,3,1.5,shop\nhttp://b.example/,1,2,blog\n"
LINKS = "source,target\nhttp://a.example/,http://b.example/\nhttp://b.example/,http://a.example/\n"


@pytest.fixture
def offers(seedrank, monkeypatch):
    """``offers("seedrank runs show run : l")``: bash's words between blanks; ends in a blank where none is begun."""

    def ask(line: str) -> list[str]:
        words = line.split(" ")
        with monkeypatch.context() as patch:
            patch.setenv("_SEEDRANK_COMPLETE", "complete_bash")
            patch.setenv("COMP_WORDS", "\n".join(words))
            patch.setenv("COMP_CWORD", str(len(words) - 1))
            done = seedrank()
        assert (done.code, done.err) == (0, "")
        return done.out.split()

    return ask


@pytest.fixture
@made_once
def web(seedrank, tmp_path) -> Path:
    """A store with columns of numbers (views, worth) and of text (kind)."""
    (tmp_path / "pages.csv").write_text(PAGES)
    (tmp_path / "links.csv").write_text(LINKS)
    done = seedrank("load", "table", "--pages", "pages.csv", "--links", "links.csv")
    assert done.code == 0, done.err
    return tmp_path / "web.duckdb"


def files(folder: Path) -> dict[Path, int]:
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*")}


@pytest.mark.slow
def test_columns_are_offered_before_and_after_the_first_question(offers, seedrank, web):
    before = files(web.parent)
    assert offers("seedrank seeds greedy --value ") == ["uniform", "paper", "views", "worth"]
    assert files(web.parent) == before
    assert seedrank("seeds", "greedy").code == 0
    assert (web.parent / "web.duckdb.seedrank" / "graph" / "graph.json").is_file()
    assert offers("seedrank seeds greedy --value ") == ["uniform", "paper", "views", "worth"]
    assert offers("seedrank frontier rw --impact v") == ["views"]
    assert offers("seedrank crawl rw --impact = v") == ["views"]
    assert offers("seedrank rank pagerank --write w") == ["worth"]


@pytest.mark.slow
def test_a_column_that_is_loaded_later_is_offered(offers, seedrank, web):
    assert seedrank("seeds", "greedy").code == 0
    (web.parent / "more.csv").write_text("url,clicks\nhttp://a.example/,3\n")
    assert seedrank("load", "table", "--pages", "more.csv").code == 0
    assert offers("seedrank frontier rw --impact c") == ["clicks"]


@pytest.mark.slow
def test_conditions_begin_with_a_column(offers, web):
    assert offers("seedrank seeds greedy --only ") == [
        "host=", "url=", "status=frontier", "status=missing", "status=crawled", "views", "worth", "kind"
    ]  # fmt: skip
    assert offers("seedrank seeds greedy --exclude status = cr") == ["crawled"]
    assert offers("seedrank seeds greedy --exclude 'status=cr") == ["status=crawled"]
    assert offers("seedrank export urls --only ki") == ["kind"]


@pytest.mark.slow
def test_runs_are_offered_newest_first(offers, seedrank, web):
    with library.open(web) as bench:
        older, newer = (bench.seeds("outdegree", k=1).run.id for _ in range(2))
    older, newer = sorted((older, newer))  # by name, where both are of one second
    (web.parent / "web.duckdb.seedrank" / "runs" / "damaged").mkdir()
    named = ["run:latest", f"run:{newer}", f"run:{older}"]
    for words in ("runs show", "runs repeat", "runs delete", "runs delete x", "runs compare", "report", "export csv"):
        option = " --run" if words == "export csv" else ""
        assert offers(f"seedrank {words}{option} ") == [*named, newer, older], words
    assert offers("seedrank runs compare run : latest run : l") == ["latest"]
    assert offers("seedrank runs show run :") == ["latest", newer, older]
    assert offers(f"seedrank export cc-ranks --harmonic {newer[:-3]}") == [newer]
    assert offers("seedrank crawl bfs --seeds run : 2")[0] == newer


@pytest.mark.slow
def test_the_store_is_the_one_that_is_named(offers, seedrank, web, monkeypatch):
    web.rename(web.with_name("other.duckdb"))
    assert offers("seedrank frontier rw --impact ") == []
    assert offers("seedrank --store other.duckdb frontier rw --impact ") == ["views", "worth"]
    assert offers("seedrank frontier rw --store other.duckdb --impact ") == ["views", "worth"]
    monkeypatch.setenv("SEEDRANK_STORE", "other.duckdb")
    assert offers("seedrank frontier rw --impact ") == ["views", "worth"]
    assert seedrank("generate", "--graph", "arrays", "--pages", "200").code == 0
    assert "clicks" in offers("seedrank --store arrays frontier rw --impact ")


def test_orders_and_methods_need_no_store(offers, tmp_path):
    orders = offers("seedrank crawl compare fpr ")
    assert set(CRAWL.names) < set(orders)
    assert offers("seedrank crawl compare fpr @") == ["20"]
    assert offers("seedrank experiment ordering w") == ["windowed-rankmass", "windowed-rankmass:10%"]
    assert set(offers("seedrank crawl fpr --seeds ")) == {
        *(f"{name}:160" for name in (*SEEDS.names, "cores")), "run:latest"
    }  # fmt: skip
    assert offers("seedrank seeds pagerank --pagerank-of ") == ["graph", "site"]
    assert "maxweight" in offers("seedrank seeds ")
    assert files(tmp_path) == {}


@pytest.mark.slow
def test_offered_orders_and_methods_are_taken(offers, seedrank, web):
    orders = [one for one in offers("seedrank crawl compare ") if not one.startswith("rw")]
    done = seedrank("crawl", "compare", *orders, "--seeds", "cores:160")
    assert done.code == 0, done.err
    for method in offers("seedrank crawl fpr --seeds m"):
        assert seedrank("crawl", "fpr", "--seeds", method).code == 0, method


@pytest.mark.parametrize(
    "store", ["none.duckdb", "folder", "text.duckdb", "neo4j://nowhere.example:1", "bolt://", "x://y"]
)
def test_without_a_store_it_is_silent(offers, store, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "folder").mkdir()
    (tmp_path / "text.duckdb").write_text("not a store, but some text that is long enough to be taken for one\n" * 99)
    before = files(tmp_path)
    assert offers(f"seedrank --store {store} frontier rw --impact ") == []
    assert offers(f"seedrank --store {store} runs show ") == ["run:latest"]
    assert files(tmp_path) == before


@pytest.mark.slow
def test_a_store_in_use_is_read_and_one_that_another_program_left_is_left_alone(offers, web):
    with library.open(web, create=True):
        assert offers("seedrank frontier rw --impact ") == ["views", "worth"]
    (web.parent / "web.duckdb.wal").write_bytes(b"half a change")
    before = files(web.parent)
    offers("seedrank frontier rw --impact ")
    assert files(web.parent) == before


def test_what_a_command_does_at_once_is_not_done(offers, tmp_path):
    assert offers("seedrank crawl compare --into figures --seeds maxw") == ["maxweight:160"]
    assert "stats" in offers("seedrank --version ")
    assert files(tmp_path) == {}


@pytest.mark.slow
def test_bash_itself(web):
    """The script that bash gets, with a word that bash breaks, and one that it does not."""
    lines = """\
eval "$(_SEEDRANK_COMPLETE=source_bash seedrank)"
COMP_WORDS=(seedrank runs show run : lat) COMP_CWORD=5; _seedrank_completion seedrank; echo "${COMPREPLY[@]}"
COMP_WORDS=(seedrank frontier rw --impact "") COMP_CWORD=4; _seedrank_completion seedrank; echo "${COMPREPLY[@]}"
"""
    environment = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-c", lines], cwd=web.parent, env=environment, capture_output=True, text=True, check=True
    )
    assert (done.stdout.splitlines(), done.stderr) == (["latest", "views worth"], "")


@pytest.mark.parametrize(
    ("words", "joined", "begun"),
    [
        ("s runs show", ["s", "runs", "show"], ""),
        ("s runs ", ["s", "runs", ""], ""),
        ("s run :", ["s", "run:"], "run:"),
        ("s run : la", ["s", "run:la"], "run:"),
        ("s run : ID : 5", ["s", "run:ID:5"], "run:ID:"),
        ("s --seeds = run : l", ["s", "--seeds=run:l"], "--seeds=run:"),
        ("s run : ID bfs", ["s", "run:ID", "bfs"], ""),
        ("s run : ID ", ["s", "run:ID", ""], ""),
        ("s :", ["s", ":"], ":"),
    ],
)
def test_words_are_put_together(words, joined, begun):
    assert unbroken(words.split(" "), words.count(" ")) == (joined, begun)
