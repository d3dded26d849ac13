"""Run commands in this process, as the command line would."""

from __future__ import annotations

import functools
import inspect
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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


_MADE: dict[tuple[str, str, str], tuple[Path, Callable[..., Any]]] = {}


def made_once(make: Callable[..., Any]) -> Callable[..., Any]:
    """Let a fixture fill the test's folder for its first test only; each later one gets a copy, with the files' times.

    For fixtures that name files without a folder, and give back a file of the folder, another fixture or nothing.
    """

    @functools.wraps(make)
    def given(*arguments: Any, **named: Any) -> Any:
        folder = Path.cwd()
        assert not any(folder.iterdir()), "another fixture has written to the folder of the test"
        others = inspect.signature(make).bind(*arguments, **named).arguments
        key = make.__module__, make.__qualname__, str(getattr(others.get("request"), "param", ""))
        if key not in _MADE:
            made = make(*arguments, **named)
            kept = folder.parent / f"made-once-{len(_MADE)}"
            shutil.copytree(folder, kept)
            _MADE[key] = kept, _again(made, folder, others)
            return made
        kept, again = _MADE[key]
        shutil.copytree(kept, folder, dirs_exist_ok=True)
        return again(folder, others)

    return given


def _again(made: Any, folder: Path, others: Mapping[str, Any]) -> Callable[..., Any]:
    """What gives a later test the same in its own folder."""
    if isinstance(made, Path) and made.is_relative_to(folder):
        below = made.relative_to(folder)
        return lambda folder, others: folder / below
    if made is None:
        return lambda folder, others: None
    [name] = [name for name, other in others.items() if other is made]
    return lambda folder, others: others[name]


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
