"""Run commands in this process, as the command line would."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

from seedrank.cli import main as command_line
from seedrank.graphdb import open_store

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"]


@dataclass(frozen=True)
class Outcome:
    """What a command printed and how it ended."""

    code: int
    out: str
    err: str


@pytest.fixture
def seedrank(monkeypatch, capsys, tmp_path) -> Callable[..., Outcome]:
    """``seedrank("load", "snap", file)``; the working folder is empty and belongs to the test."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SEEDRANK_STORE", raising=False)

    def run(*arguments: object) -> Outcome:
        monkeypatch.setattr(sys, "argv", ["seedrank", *map(str, arguments)])
        capsys.readouterr()
        code = command_line.run()
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    return run


@pytest.fixture
def empty_store(tmp_path) -> str:
    """A store without pages, which no load leaves."""
    store = open_store(str(tmp_path / "empty.duckdb"), create=True)
    store.write_scores("score", np.empty(0))
    store.close()
    return store.url


@pytest.fixture(scope="module")
def browser():
    """Chromium; skipped, with the reason, where it is absent."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="the package playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed")
    with sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()
