"""Every command line of version 0.1.0's README and docs runs unchanged.

What needs a server, or makes a large web, runs up to where its work would begin: its words are understood, its question
is asked. The experiment of Tran et al. 2015 runs in its quick size.
"""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow.parquet as pq
import pytest
import typer

import graphdb.server
import seedrank as package
import seedrank.evaluate.impact
import seedrank.synthetic
from tests.old.old_files import FRONTIER_PAGE, TABLES, make_files

COMMANDS = Path(__file__).with_name("commands-0.1.txt")
LARGE = 5_000
"""Webs of more pages are not made here."""
PLACEHOLDERS = {"ORDER": "fpr", "URL": FRONTIER_PAGE}
RUN = "20260131-142305-k3v9qa"
"""Stands for an older answer."""
RECORDER = """#!/bin/sh
printf '%s\\037' "$@" >> "$RECORDED/words"
printf '\\036' >> "$RECORDED/words"
cat >> "$RECORDED/input"
"""


class Session(NamedTuple):
    """Commands that are typed one after the other."""

    document: str
    lines: list[str]

    def __str__(self) -> str:
        return f"{self.document}: {self.lines[0].partition('seedrank ')[2][:40]}"


def sessions() -> list[Session]:
    found: list[Session] = []
    document = ""
    for block in COMMANDS.read_text(encoding="utf-8").split("\n\n")[1:]:
        lines = block.strip().splitlines()
        if lines[0].startswith("# "):
            document = lines.pop(0).removeprefix("# ")
        found.append(Session(document, lines))
    return found


class Prepared(NamedTuple):
    """All files that the commands name, and a loaded store with answers; each session gets a copy."""

    folder: Path
    run: str


@pytest.fixture(scope="module")
def prepared(tmp_path_factory) -> Prepared:
    folder = tmp_path_factory.mktemp("prepared")
    make_files(folder)
    with package.open(folder / "web.lbug", create=True) as bench:
        bench.load(**{kind: pq.read_table(folder / "web" / f"{kind}.parquet") for kind in TABLES})
        bench.load(links=pq.read_table(folder / "new.parquet"))
        older = bench.rank("pagerank").run
        bench.seeds("maxweight", k=5)
    return Prepared(folder, older.id)


@pytest.fixture
def stopped(monkeypatch) -> list[str]:
    """Stops what needs a server, or makes a large web, where the work would begin: the names of what was stopped."""
    names: list[str] = []

    def stop(module: Any, name: str, when: Callable[..., bool] = lambda *given: True) -> None:
        real = getattr(module, name)

        def stopping(*given: Any, **options: Any) -> Any:
            if not when(*given):
                return real(*given, **options)
            names.append(name)
            raise typer.Exit

        monkeypatch.setattr(module, name, stopping)

    stop(package, "open", lambda store: "://" in str(store))
    for name in ("up", "down", "status"):
        stop(graphdb.server, name)
    for name in ("write_tables", "write_graph"):
        stop(seedrank.synthetic, name, lambda spec, folder: spec.pages > LARGE)
    return names


@pytest.fixture(autouse=True)
def quick(monkeypatch) -> None:
    """Ten splits take the time of all other commands together."""
    sized = seedrank.evaluate.impact.sized
    monkeypatch.setattr(seedrank.evaluate.impact, "sized", lambda question: sized(replace(question, quick=True)))


@pytest.fixture
def typed(tmp_path, monkeypatch) -> Callable[[str], list[list[str]]]:
    """The words of each `seedrank` in a line, as a shell reads it; what is piped into it becomes standard input."""
    recorded = tmp_path / "recorded"
    program = recorded / "bin" / "seedrank"
    program.parent.mkdir(parents=True)
    program.write_text(RECORDER)
    program.chmod(0o755)
    environment = {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}", "RECORDED": str(recorded)}

    def read(line: str) -> list[list[str]]:
        # The last part of a line may be another program's, which is not here.
        subprocess.run(["sh", "-c", line], env=environment, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        calls = (recorded / "words").read_text(encoding="utf-8").split("\036")[:-1]
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO((recorded / "input").read_bytes())))
        for name in ("words", "input"):
            (recorded / name).unlink()
        return [call.split("\037")[:-1] for call in calls]

    return read


@pytest.mark.parametrize("session", sessions(), ids=str)
def test_commands_of_0_1_0(session, prepared, seedrank, typed, stopped, tmp_path):
    shutil.copytree(prepared.folder, tmp_path, dirs_exist_ok=True)
    filled = {**PLACEHOLDERS, RUN: prepared.run}
    failed = []
    for line in session.lines:
        calls = typed(line)
        assert calls, line
        for words in calls:
            stopped.clear()
            outcome = seedrank(*(filled.get(word, word) for word in words))
            if outcome.code or "Traceback" in outcome.err:
                failed.append(f"{line}\n  {outcome.err.strip()}")
            elif words[0] == "db" or any(word.startswith("neo4j://") for word in words):
                assert stopped, line
    assert not failed, "\n".join(failed)
