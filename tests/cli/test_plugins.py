"""Plug-ins that are installed: on the command line their methods and formats stand beside the built-in ones."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

MODULE = '''
import seedrank

@seedrank.crawl_order("known-last", about="The newest page first.")
def score(known):
    return known

@seedrank.seed_method("first-pages")
def choose(candidates, k):
    """The first pages there are."""
    return candidates[:k]

@seedrank.loader("arrows", about="lines such as a -> b")
def read(files):
    import pandas as pd
    rows = [line.split("->") for file in files for line in open(file)]
    return {"links": pd.DataFrame(rows, columns=["source", "target"]).map(lambda name: f"http://{name.strip()}/")}

@seedrank.exporter("numbered", about="Place and URL.")
def write(rank, url):
    return (f"{place} {one}\\n" for place, one in zip(rank, url))
'''


@pytest.fixture
def seedrank(tmp_path, monkeypatch):
    """A command in a process of its own, where a package with plug-ins is installed."""
    site = tmp_path / "site"
    about = site / "mine-1.0.dist-info"
    about.mkdir(parents=True)
    (site / "mine.py").write_text(MODULE)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: mine\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[seedrank.methods]\nmine = mine\nbroken = no_such_module\n")
    path = os.pathsep.join([str(site), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, "PYTHONPATH": path, "SEEDRANK_STORE": "web.duckdb", "COLUMNS": "200"}

    def run(*arguments: str, cwd: Path = tmp_path) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "seedrank.cli.main", *arguments]
        return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)

    (tmp_path / "web.txt").write_text("a -> b\nb -> a\nb -> c\nc -> a\n")
    return run


@pytest.mark.long
def test_an_installed_package_adds_methods_and_formats(seedrank, tmp_path):
    loaded = seedrank("load", "arrows", "web.txt")
    assert loaded.returncode == 0, loaded.stderr
    assert "warning: the plug-in broken is left out: no_such_module (ModuleNotFoundError: " in loaded.stderr
    for command, name, about in (
        (["crawl"], "known-last", "The newest page first."),
        (["seeds"], "first-pages", "The first pages there are."),
        (["load"], "arrows", "lines such as a -> b"),
        (["export"], "numbered", "Place and URL."),
    ):
        listed = seedrank(*command, "--help").stdout
        assert name in listed and about in listed
        shown = seedrank(*command, name, "--help")
        assert shown.returncode == 0 and about in shown.stdout
    compared = seedrank("crawl", "compare", "bfs", "known-last", "--seeds", "first-pages:1", "--format", "csv")
    assert [line.split(",")[0].strip('"') for line in compared.stdout.splitlines()] == ["order", "bfs", "known-last"]
    crawled = seedrank("crawl", "known-last", "--seeds", "http://a/", "--format", "csv")
    assert crawled.returncode == 0, crawled.stderr
    repeated = seedrank("runs", "repeat", "run:latest", "--format", "csv")
    assert [line.split(",")[1] for line in repeated.stdout.splitlines()] == ['"id"', "0", "1", "2"]
    assert seedrank("export", "numbered", "-o", "out.txt").returncode == 0
    assert (tmp_path / "out.txt").read_text() == "1 http://a/\n2 http://b/\n3 http://c/\n"
