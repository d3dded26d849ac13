"""Run commands of seedrank one by one, within time limits, and keep what each has found."""

from __future__ import annotations

import hashlib
import json
import math
import resource
import shlex
import shutil
import subprocess
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import seedrank
from docs.reproduction.figures import figures_of
from docs.reproduction.graphs import EXPERIMENTS, GRAPHS, Command, Graph
from docs.reproduction.prepare import GENERATE, PREPARE

__all__ = ["run_all"]

ROOT = Path(__file__).resolve().parents[2]


class Stopped(Exception):
    """A command that failed or took too long; the message says which."""


def run_all(work: Path, data: Path, only: list[str]) -> tuple[list[dict[str, Any]], list[str]]:
    """What every experiment found, and what was left out with the reason.

    Parameters
    ----------
    work
        Stores, prepared tables and findings; a repeated run takes what is there.
    data
        Folder of recorded graphs.
    only
        Names of graphs; all where there are none.
    """
    found: list[dict[str, Any]] = []
    left_out = []
    for folder in (work / "found", work / "steps"):
        folder.mkdir(parents=True, exist_ok=True)
    for graph in GRAPHS:
        if only and graph.name not in only:
            continue
        if graph.folder and not (data / graph.folder).is_dir():
            left_out.append(f"{graph.name}: {graph.folder} is not in the folder of recorded graphs")
            continue
        print(f"\n{graph.name}", flush=True)
        try:
            said = _loaded(graph, work, data)
        except Stopped as why:
            left_out.append(f"{graph.name}: {why}")
            continue
        for what, command in graph.judge.items():
            try:
                record = _step(graph, what, command, work, data)
            except Stopped as why:
                left_out.append(f"{graph.name}, {what}: {why}")
                continue
            if record is not None:
                found.append({**record, "prepared": said})
    return found, [text.replace(str(work), "WORK").replace(str(data), "DATA") for text in left_out]


def _loaded(graph: Graph, work: Path, data: Path) -> str:
    """Prepare and load a graph; says what was prepared."""
    said = ""
    if graph.folder is None:
        _once(graph, "generate", GENERATE, 600, work, data, bare=True)
    elif graph.folder in PREPARE and "{work}" in graph.load.text:
        kept = work / "steps" / f"prepare-{graph.folder}.json"
        if not kept.is_file():
            started = time.perf_counter()
            said = PREPARE[graph.folder](data / graph.folder, work)
            print(f"  prepare: {said}: {time.perf_counter() - started:.0f} s", flush=True)
            _write(kept, {"said": said})
        said = json.loads(kept.read_text(encoding="utf-8"))["said"]
    if graph.load.text:
        _once(graph, "load", graph.load.text, graph.load.limit, work, data)
    return said


def _step(graph: Graph, what: str, command: Command, work: Path, data: Path) -> dict[str, Any] | None:
    """The record of an experiment, kept or made now; `None` for another command."""
    experiment, _, label = (part.strip() for part in what.partition(":"))
    if experiment not in EXPERIMENTS:
        _once(graph, what, command.text, command.limit, work, data)
        return None
    kept = work / "found" / f"{_key(graph, what, command.text)}.json"
    if not kept.is_file():
        into = kept.with_suffix("")
        shutil.rmtree(into, ignore_errors=True)
        words = [*_words(graph, command.text, work, data), "--into", str(into)]
        took = _first(work / "steps" / f"took-{kept.name}", _run(what, words, command.limit))
        name = f"{graph.name} ({label})" if label else graph.name
        shown = _shown(graph, command.text)
        record = {"graph": name, "of": graph.name, "experiment": experiment, "command": shown, **took}
        # Where the files are on this machine is nobody's business.
        text = json.dumps(_answer(words)).replace(str(work), "WORK").replace(str(data), "DATA")
        _write(kept, {**record, **json.loads(text)})
    return dict(json.loads(kept.read_text(encoding="utf-8")))


def _first(kept: Path, took: dict[str, float]) -> dict[str, float]:
    """How long it took when it was measured: judging kept measurements again takes less."""
    if not kept.is_file():
        _write(kept, dict(took))
    return dict(json.loads(kept.read_text(encoding="utf-8")))


def _answer(words: list[str]) -> dict[str, Any]:
    """The experiment just kept beside the store: its claims, and the few numbers of its tables that are quoted."""
    store = words[words.index("--store") + 1]
    with seedrank.open(store, read_only=True) as bench:
        experiment = bench.answer("run:latest", "experiment").experiment
    assert experiment is not None
    claims = [
        {name: value for name, value in asdict(claim).items() if not isinstance(value, float) or math.isfinite(value)}
        for claim in experiment.claims
    ]
    quick = "--quick" in words
    said = {"about": [*experiment.about], "left_out": [*experiment.left_out]}
    return {"quick": quick, **said, "figures": figures_of(experiment), "claims": claims}


def _once(graph: Graph, what: str, text: str, limit: int, work: Path, data: Path, *, bare: bool = False) -> None:
    """Run a command unless it is done."""
    kept = work / "steps" / f"{_key(graph, what, text)}.json"
    if not kept.is_file():
        words = _words(graph, text, work, data, bare=bare)
        _write(kept, {"command": _shown(graph, text, bare=bare), **_run(what, words, limit)})


def _run(what: str, words: list[str], limit: int) -> dict[str, float]:
    """Run a command; how many seconds it took, and how many of the processor."""
    print(f"  {what}: ", end="", flush=True)
    started, used = time.perf_counter(), _processor()
    command = [sys.executable, "-m", "seedrank.cli.main", "--quiet", *words]
    try:
        done = subprocess.run(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=ROOT, timeout=limit
        )
    except subprocess.TimeoutExpired:
        print(f"stopped after {limit} s", flush=True)
        raise Stopped(f"took longer than {limit} s; a repeated run goes on") from None
    took = {"seconds": round(time.perf_counter() - started, 1), "processor": round(_processor() - used, 1)}
    print(f"{took['seconds']:.0f} s, {took['processor']:.0f} s of the processor", flush=True)
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or ["no message"]
        print(f"    {last[0]}", flush=True)
        raise Stopped(f"failed: {last[0]}")
    return took


def _words(graph: Graph, text: str, work: Path, data: Path, *, bare: bool = False) -> list[str]:
    places = {"data": str(data / (graph.folder or "")), "work": str(work)}
    return [word.format(**places) for word in shlex.split(_with_store(graph, text, bare))]


def _shown(graph: Graph, text: str, *, bare: bool = False) -> str:
    """The command as the page shows it."""
    return f"seedrank {_with_store(graph, text, bare)}".format(data=f"DATA/{graph.folder}", work="WORK")


def _with_store(graph: Graph, text: str, bare: bool) -> str:
    return text if bare or text.startswith("--store") else f"--store {{work}}/{graph.store} {text}"


def _key(graph: Graph, what: str, text: str) -> str:
    """File name of a step: readable, and other for another command."""
    name = "-".join("".join(c if c.isalnum() else " " for c in f"{graph.name} {what}").split())
    return f"{name}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def _processor() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _write(path: Path, record: dict[str, Any]) -> None:
    half = path.with_suffix(".half")
    half.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    half.replace(path)
