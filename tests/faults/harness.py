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

from seedrank import graphdb
from seedrank.graphdb.store import GraphStore
from seedrank.ingest.synthetic import WebSpec, write_tables
from tests.faults.power import Cut, Step, Tree, read_trace, replay, tree

HERE = Path(__file__).parent
STORE = "web.duckdb"
ORDERING = frozenset({"create", "mkdir", "sync", "rename", "swap", "unlink", "rmdir"})
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
    """Runs commands of seedrank on the store ``web.duckdb`` in the folder ``work`` of a folder."""

    top: Path
    server: subprocess.Popen[str] = field(repr=False)

    def __post_init__(self) -> None:
        self.folder.mkdir(exist_ok=True)

    @property
    def folder(self) -> Path:
        return self.top / "work"

    @property
    def store(self) -> Path:
        return self.folder / STORE

    def run(
        self,
        *argv: str,
        script: Path | None = None,
        fault: Fault | None = None,
        log: Path | None = None,
        trace: Path | None = None,
    ) -> Outcome:
        """Run a command, or a `script` of Python with these arguments."""
        told: dict[str, Any] = {}
        if fault or log:
            told = {"prefix": str(self.store), "log": str(log or "")}
        if fault:
            told |= {"at": fault.at, "mode": fault.mode}
        request = {
            "argv": list(argv) if script else ["--store", STORE, *argv],
            "script": str(script or ""),
            "fault": told,
            "trace": str(trace or ""),
            "folder": str(self.folder),
            "output": str(self.top),
        }
        assert self.server.stdin is not None and self.server.stdout is not None
        self.server.stdin.write(json.dumps(request) + "\n")
        self.server.stdin.flush()
        status = int(self.server.stdout.readline())
        stdout, stderr = ((self.top / name).read_text(errors="replace") for name in ("stdout", "stderr"))
        return Outcome(os.waitstatus_to_exitcode(status), stdout, stderr)

    def succeed(self, *argv: str) -> Outcome:
        outcome = self.run(*argv)
        assert outcome.code == 0, f"{argv}: {outcome}"
        return outcome

    def calls(self, *argv: str) -> list[Call]:
        """The calls a command makes that change files of the store."""
        log = self.top / "calls"
        log.unlink(missing_ok=True)
        outcome = self.run(*argv, log=log)
        assert outcome.code == 0, outcome
        parts = [line.split(" ", 2) for line in log.read_text().splitlines()]
        return [Call(int(number), name, path.removeprefix(str(self.store))) for number, name, path in parts]

    def reset(self, saved: Path | None = None) -> None:
        """Remove the store and everything beside it; put a copy of `saved` there."""
        self.fill({})
        if saved is not None:
            shutil.copyfile(saved, self.store)

    def fill(self, files: Tree) -> None:
        """Let the folder hold these files and no others."""
        for path in self.folder.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        for name, data in files.items():
            if data is None:
                (self.folder / name).mkdir()
            else:
                (self.folder / name).write_bytes(data)

    def traced(self, *argv: str, script: Path | None = None) -> Traced:
        """What a command did to the folder, call by call."""
        before, trace = tree(self.folder), self.top / "trace"
        trace.unlink(missing_ok=True)
        outcome = self.run(*argv, script=script, trace=trace)
        assert outcome.code == 0, outcome
        made = Traced(str(self.folder), before, read_trace(trace), tree(self.folder))
        missed = {name for name, data in replay(made.folder, before, made.steps, None).items() ^ made.after.items()}
        assert not missed, f"changed by calls that are not traced: {missed}"
        return made


@dataclass(frozen=True)
class Traced:
    """What a folder held before a command and after it, and the calls between."""

    folder: str
    before: Tree = field(repr=False)
    steps: list[Step] = field(repr=False)
    after: Tree = field(repr=False)

    def after_cut(self, cut: Cut) -> Tree:
        return replay(self.folder, self.before, self.steps, cut)

    def cuts(self, count: int, *, ended: int = 5) -> list[Cut]:
        """About `count` cuts: `ended` of them after the last call, two thirds of the rest beside calls that order."""
        last, left = len(self.steps), count - ended
        beside = [at + after for at, step in enumerate(self.steps) if step.call in ORDERING for after in (0, 1)]
        chosen = [*spread(sorted(set(beside)), 2 * left // 3), *spread(range(last), left - 2 * left // 3)]
        return [Cut(at, seed) for seed, at in enumerate([*chosen, *[last] * ended])]


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
def commands(libraries: str, folder: Path) -> Iterator[Commands]:
    """Start the process that runs commands."""
    environment = {**os.environ, "LD_PRELOAD": libraries}
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


def build(folder: Path) -> str:
    """Compile the libraries that are loaded into a command, for ``LD_PRELOAD``; skips where that cannot be done."""
    compiler = shutil.which("cc")
    if compiler is None or sys.platform != "linux":
        pytest.skip("the fault libraries need Linux and a C compiler (cc)")
    libraries = []
    for name in ("faults", "trace"):
        library, source = str(folder / f"{name}.so"), str(HERE / f"{name}.c")
        flags = ["-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror"]
        made = subprocess.run(
            [compiler, *flags, "-o", library, source, "-ldl", "-lpthread"], capture_output=True, text=True
        )
        assert made.returncode == 0, made.stderr
        libraries.append(library)
    return ":".join(libraries)


def make_web(folder: Path, pages: int = 3_000) -> Path:
    """Tables of a web, and in ``later`` those of the same web some months on, which change many of its rows."""
    return write_tables(WebSpec(pages=pages, rng=7), folder / "web")


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
