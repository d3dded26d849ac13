"""``seedrank load … --graph DIR``: every format, and what people get wrong."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import seedrank as library
from seedrank.graph import WebGraph
from tests.cli.test_examples import AFTER, COMMANDS, example_of, parts_of, world  # noqa: F401 (a fixture)
from tests.few import one_of_each
from tests.same_graph import check_same

pytestmark = pytest.mark.slow

LOADS = [name for name in COMMANDS if name.startswith("load ")]
FEW = ("load table", "load snap", "load warc")
"""Formats with columns of their own, with numbers for pages, and with whole pages."""
LINKS = "source,target,anchor\nhttp://a.example/,http://b.example/,b\n"


@pytest.mark.parametrize("name", one_of_each(LOADS, lambda name: name if name in FEW else name in AFTER))
def test_every_format_gives_the_graph_of_the_embedded_store(name, seedrank, world, tmp_path):  # noqa: F811
    shutil.copytree(world, tmp_path, dirs_exist_ok=True)
    words = parts_of(example_of(COMMANDS[name]))[0]
    straight = seedrank(*words[1:], "--graph", "arrays")
    if name in AFTER:
        assert straight.code == 1
        assert "none makes a page" in straight.err
        assert not Path("arrays").exists()
        return
    assert straight.code == 0, straight.err
    stored = seedrank(*words[1:], "--store", "new.duckdb")
    assert stored.code == 0, stored.err
    said, expected = json.loads(straight.out), json.loads(stored.out)
    for facts in (said, expected):
        for measured in ("seconds", "rows per second", "link texts left out"):
            facts.pop(measured, None)
    assert said == expected
    with library.open("new.duckdb") as bench:
        check_same(WebGraph.open("arrays"), bench.session.stored_graph)
        level = bench.session.level
    with library.open("arrays") as bench:
        assert bench.session.level == level
    assert json.loads(seedrank("stats", "--store", "arrays").out)["pages"] == expected["pages new"]


@pytest.fixture
def links(tmp_path) -> Path:
    (tmp_path / "links.csv").write_text(LINKS)
    return tmp_path / "links.csv"


def test_the_default_store_is_not_made(seedrank, links, tmp_path):
    done = seedrank("load", "table", "--links", links, "--graph", "arrays")
    assert done.code == 0
    assert done.err == "left out, because a folder of arrays keeps none: texts of links\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["arrays", "links.csv"]


def test_a_second_load_says_what_to_do(seedrank, links):
    assert seedrank("load", "table", "--links", links, "--graph", "arrays").code == 0
    again = seedrank("load", "table", "--links", links, "--graph", "arrays")
    assert again.code == 1
    assert again.err == (
        "seedrank: arrays: holds a graph already, and a folder of arrays takes no second load; "
        "name a new folder, or remove it first\n"
    )


@pytest.mark.parametrize("option", [["--bulk"], ["--batch-size", "10"]])
def test_options_of_databases_are_refused(seedrank, links, option):
    refused = seedrank("load", "table", "--links", links, "--graph", "arrays", *option)
    assert refused.code == 2
    assert f"--graph writes no database, and {option[0]} says how; leave out one of them" in refused.err


def test_a_store_of_its_own_is_refused(seedrank, links):
    refused = seedrank("--store", "other.duckdb", "load", "table", "--links", links, "--graph", "arrays")
    assert (refused.code, refused.out) == (2, "")
    assert "--graph writes no database, and --store says where; leave out one of them" in refused.err


def test_a_trial_writes_nothing(seedrank, links):
    tried = seedrank("load", "table", "--links", links, "--graph", "arrays", "--dry-run")
    assert tried.code == 0
    assert json.loads(tried.out)["counts"]["links new"] == 1
    assert not Path("arrays").exists()


def test_bad_input_leaves_no_folder(seedrank, tmp_path):
    (tmp_path / "bad.csv").write_text("source,target\nhttp://a.example/\n")
    refused = seedrank("load", "table", "--links", "bad.csv", "--graph", "arrays")
    assert (refused.code, refused.err.count("\n")) == (1, 1)
    assert [path.name for path in tmp_path.iterdir()] == ["bad.csv"]


def test_what_was_said_is_where_to_go_next(seedrank, links, monkeypatch):
    done = seedrank("load", "table", "--links", links, "--graph", "arrays", "--format", "table")
    assert "Next: seedrank --store arrays stats" in done.out
