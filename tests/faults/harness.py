"""A store under faults: commands run in a process that the fault library is loaded into."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import graphdb
from graphdb.store import GraphStore
from seedrank.synthetic import WebSpec, write_tables

HERE = Path(__file__).parent
TABLES = ("pages", "links", "hosts", "queries", "results")


@dataclass(frozen=True)
class Fault:
    """What happens to the `at`-th call that changes a file of the store, and from then on."""

    at: int
    mode: str = "kill"


@dataclass(frozen=True)
class Outcome:
    """How a command ended."""

    code: int
    stdout: str
    stderr: str

    @property
    def killed(self) -> bool:
        return self.code == -signal.SIGKILL


@dataclass(frozen=True)
class Call:
    """A call that changed a file of the store; `file` is its suffix after the store's name, such as ``.wal``."""

    number: int
    name: str
    file: str


@dataclass
class Commands:
    """Runs commands of seedrank on the store ``web.lbug`` in a folder."""

    folder: Path
    server: subprocess.Popen[str] = field(repr=False)

    @property
    def store(self) -> Path:
        return self.folder / "web.lbug"

    def run(self, *argv: str, fault: Fault | None = None, log: Path | None = None) -> Outcome:
        told: dict[str, Any] = {}
        if fault or log:
            told = {"prefix": str(self.store), "log": str(log or "")}
        if fault:
            told |= {"at": fault.at, "mode": fault.mode}
        request = {"argv": ["--store", "web.lbug", *argv], "fault": told, "folder": str(self.folder)}
        assert self.server.stdin is not None and self.server.stdout is not None
        self.server.stdin.write(json.dumps(request) + "\n")
        self.server.stdin.flush()
        status = int(self.server.stdout.readline())
        stdout, stderr = ((self.folder / name).read_text(errors="replace") for name in ("stdout", "stderr"))
        return Outcome(os.waitstatus_to_exitcode(status), stdout, stderr)

    def succeed(self, *argv: str) -> Outcome:
        outcome = self.run(*argv)
        assert outcome.code == 0, f"{argv}: {outcome}"
        return outcome

    def calls(self, *argv: str) -> list[Call]:
        """The calls a command makes that change files of the store."""
        log = self.folder / "calls"
        log.unlink(missing_ok=True)
        outcome = self.run(*argv, log=log)
        assert outcome.code == 0, outcome
        parts = [line.split(" ", 2) for line in log.read_text().splitlines()]
        return [Call(int(number), name, path.removeprefix(str(self.store))) for number, name, path in parts]

    def reset(self, saved: Path | None = None) -> None:
        """Remove the store and everything beside it; put a copy of `saved` there."""
        for path in self.folder.glob("web.lbug*"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        if saved is not None:
            shutil.copyfile(saved, self.store)


@dataclass(frozen=True)
class Case:
    """A store before a command and after it, and the calls the command makes."""

    commands: Commands
    command: list[str]
    saved: Path | None
    before: dict[str, object] | None
    after: dict[str, object]
    calls: list[Call]


@contextmanager
def commands(library: Path, folder: Path) -> Iterator[Commands]:
    """Start the process that runs commands."""
    environment = {**os.environ, "LD_PRELOAD": str(library)}
    for name in ("SEEDRANK_STORE", "SEEDRANK_STORE_MEMORY"):
        environment.pop(name, None)
    with subprocess.Popen(
        [sys.executable, str(HERE / "started.py")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
        cwd=HERE.parents[1],
    ) as server:
        yield Commands(folder, server)


def build(folder: Path) -> Path:
    """Compile the fault library; skips where that cannot be done."""
    compiler = shutil.which("cc")
    if compiler is None or sys.platform != "linux":
        pytest.skip("the fault library needs Linux and a C compiler (cc)")
    library = folder / "faults.so"
    source = str(HERE / "faults.c")
    made = subprocess.run(
        [compiler, "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-o", str(library), source, "-ldl"],
        capture_output=True,
        text=True,
    )
    assert made.returncode == 0, made.stderr
    return library


def make_web(folder: Path, pages: int = 3_000) -> Path:
    """Tables of a web, and in ``later`` those of the same web some months on, which change many of its rows."""
    return write_tables(WebSpec(pages=pages, seed=7), folder / "web")


def load(web: Path) -> list[str]:
    """The command that loads a web's tables."""
    files = [part for kind in TABLES for part in (f"--{kind}", f"{web / kind}.parquet")]
    return ["load", "table", *files]


def contents(path: Path) -> dict[str, object]:
    """Everything a load writes."""
    store: GraphStore = graphdb.open_store(str(path), read_only=True)
    try:
        pages = [row for batch in store.read_pages() for row in batch.to_pylist()]
        links = [row for batch in store.read_links(("weight", "anchors")) for row in batch.to_pylist()]
        return {
            "pages": pages,
            "links": sorted(links, key=lambda row: (row["source"], row["target"])),
            "hosts": store.read_hosts().to_pylist(),
            "queries": store.read_queries().to_pylist(),
            "results": store.read_results().to_pylist(),
            "loads": [(load.sha256, load.state) for load in store.loads()],
        }
    finally:
        store.close()


def spread(numbers: Sequence[int], count: int) -> list[int]:
    """About `count` of the numbers, evenly spread, with the first and the last."""
    if len(numbers) <= count:
        return list(numbers)
    return sorted({numbers[round(place * (len(numbers) - 1) / (count - 1))] for place in range(count)})
