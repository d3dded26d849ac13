"""Answers kept before a change and compared after it: of every question of the command line, and of the kernels.

    python -m benchmarks.answers keep FILE.jsonl.gz                    the lines of questions.txt, on the embedded store
    python -m benchmarks.answers keep FILE.jsonl.gz --store neo4j      on Neo4j: NEO4J_URI, or that of `seedrank db up`
    python -m benchmarks.answers keep FILE.npz                         the kernels, on recorded graphs
    python -m benchmarks.answers compare FILE                          the same now: a line for each, same or not

Nothing but the command line is used, as installed, so modules may move in between. An answer is what a command prints,
the record of the run that it keeps, and the files that it writes. Texts, whole numbers, orders and choices must be
equal, other numbers within 1e-9 of their size; times, ids of runs, versions and the words of remarks are left out. The
command ends with 1 where an answer is another. A Neo4j server has to be empty, and is afterwards.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import importlib
import json
import math
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import numba

from benchmarks import SHARED

QUESTIONS = Path(__file__).with_name("questions.txt")
STORES = ("embedded", "neo4j")
ERROR = 1e-9
"""Relative; sums are of another order on another day."""
SMALLEST = 1e-15
"""Scores of a million pages sum up to 1: what is smaller is rounding."""
VARIES = re.compile(r"seconds|per second|us_per_page|^(created|started|version|graph|run|id of run)$")
"""Names of what differs from run to run."""
RECORD = ("method", "parameters", "facts", "engines", "asked_engine")
"""What of the record of a run is its answer."""
TIMED = "runs on this machine"
"""The unit of claims that are judged by times."""
MASKS = (
    (re.compile(r"\b\d{8}-\d{6}-[0-9a-z]{6}\b"), "RUN"),
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?([+-]\d\d:\d\d|Z)?"), "TIME"),
    (re.compile(r"neo4j://\S+|\b\w+\.duckdb\b"), "STORE"),
    (re.compile(r"\b[0-9a-f]{16}\b"), "VERSION"),
)
PICTURES = (".html", ".svg", ".zip", ".pdf", ".png")
"""Of such files it counts that they were written."""

Asked = tuple[str, str, Any]
"""Graph, command line, answer."""


def questions(store: str) -> list[tuple[str, str]]:
    """Graphs and command lines, in the order to ask them, graph by graph."""
    lines: dict[str, list[str]] = {}
    names: list[str] = []
    for line in QUESTIONS.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            names = line.strip("[]").split()
        elif line and not line.startswith("#") and (store in names or not set(STORES) & set(names)):
            for graph in set(names) - set(STORES):
                lines.setdefault(graph, []).append(line)
    return [(graph, line) for graph in sorted(lines) for line in lines[graph]]


def run(main: Callable[[], object], words: list[str]) -> tuple[int, str, str]:
    """Run the command in a fork of this process, which has what takes long to import; exit code, output and remarks."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as remarks:
        sys.stdout.flush()
        sys.stderr.flush()
        child = os.fork()
        if child == 0:
            try:
                os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
                os.dup2(output.fileno(), 1)
                os.dup2(remarks.fileno(), 2)
                sys.argv = ["seedrank", *words]
                main()
            finally:
                os._exit(70)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        output.seek(0)
        remarks.seek(0)
        return code, output.read().decode(), remarks.read().decode()


def command() -> Callable[[], object]:
    """What the installed `seedrank` calls, after what every fork would import for itself."""
    for name in ("duckdb", "neo4j", "pandas", "pyarrow.parquet", "scipy.linalg"):
        importlib.import_module(name)
    numba.njit(lambda: 0)()  # the first loop of a process makes numba ready, which takes longer than most questions
    return next(iter(entry_points(group="console_scripts", name="seedrank"))).load()


def rows(text: str) -> list[Any]:
    """The JSON values in a text, or its lines where it is none."""
    values, place, decoder = [], 0, json.JSONDecoder()
    try:
        while place < len(text.rstrip()):
            value, place = decoder.raw_decode(text, place + len(text[place:]) - len(text[place:].lstrip()))
            values.append(value)
    except json.JSONDecodeError:
        return text.splitlines()
    return values


def content(file: Path) -> Any:
    """Rows of a table, values of JSON, lines of another text."""
    if file.suffix in PICTURES or file.stem.endswith("-times"):
        return "written"
    if file.suffix == ".parquet":
        import pyarrow.parquet

        return json.loads(json.dumps(pyarrow.parquet.read_table(file).to_pylist(), default=str))
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".csv":
        return [{name: number(value) for name, value in row.items()} for row in csv.DictReader(text.splitlines())]
    return rows(text)


def number(text: str) -> Any:
    try:
        return json.loads(text)
    except (json.JSONDecodeError, TypeError):
        return text


def masked(value: Any) -> Any:
    """Without what differs from run to run."""
    if isinstance(value, dict):
        if value.get("unit") == TIMED:
            value = {"claim": value.get("claim")}
        return {masked(name): masked(part) for name, part in value.items() if not VARIES.search(name)}
    if isinstance(value, list):
        return [masked(part) for part in value]
    if isinstance(value, str):
        for pattern, word in MASKS:
            value = pattern.sub(word, value)
    return value


def ask(main: Callable[[], object], line: str) -> Any:
    """The answer of a command line, asked in this folder."""
    out = Path("out")
    out.mkdir()
    before = set(Path().rglob("run.json"))
    code, output, remarks = run(main, shlex.split(line))
    answer: dict[str, Any] = {"rows": rows(output)}
    if code:
        answer |= {"exit": code, "said": remarks.strip().splitlines()[-1:]}
    for file in sorted(set(Path().rglob("run.json")) - before):
        record = json.loads(file.read_text(encoding="utf-8"))
        answer.setdefault("runs", []).append({name: record.get(name) for name in RECORD})
    answer["files"] = {str(file): content(file) for file in sorted(out.rglob("*")) if file.is_file()}
    shutil.rmtree(out)
    return masked(answer)


def answers(store: str, asked: Iterable[tuple[str, str]]) -> Iterator[Asked]:
    """Ask everything, each graph in a store of its own."""
    main, at = command(), ""
    if store == "neo4j":
        find_server()
        nodes = ["query", "MATCH (n) RETURN count(n) AS nodes", "--store", os.environ["NEO4J_URI"]]
        if rows(run(main, nodes)[1]) != [{"nodes": 0}]:
            sys.exit(f"{os.environ['NEO4J_URI']} is not empty, or does not answer; name an empty server by NEO4J_URI")
    # No TemporaryDirectory: every fork would delete it at its end.
    folder = tempfile.mkdtemp()
    try:
        for graph, line in asked:
            if graph != at:
                if store == "neo4j" and at:
                    empty(main)
                begin(store, Path(folder, graph))
                at = graph
            start = time.perf_counter()
            answer = ask(main, line)
            print(f"{time.perf_counter() - start:5.1f} s  {graph}: {line}", file=sys.stderr, flush=True)
            yield graph, line, answer
    finally:
        os.chdir("/")
        if store == "neo4j" and at:
            empty(main)
        shutil.rmtree(folder)


def begin(store: str, folder: Path) -> None:
    """Work in a new folder, with a store of its own."""
    folder.mkdir()
    os.chdir(folder)
    Path("recorded").symlink_to(SHARED)
    if store == "embedded":
        os.environ["SEEDRANK_STORE"] = f"{folder.name}.duckdb"
        return
    os.environ["SEEDRANK_STORE"] = os.environ["NEO4J_URI"]
    os.environ["XDG_DATA_HOME"] = str(folder)  # where the runs of such a store are kept


def empty(main: Callable[[], object]) -> None:
    """Delete what was loaded."""
    code, _, remarks = run(main, ["query", "MATCH (n) DETACH DELETE n", "--allow-writes"])
    if code:
        sys.exit(f"the server could not be emptied: {remarks}")


def find_server() -> None:
    """Let the environment name the server of `seedrank db up` where it names none."""
    if not os.environ.get("NEO4J_URI"):
        script = 'eval "$(seedrank db env)" && echo "$NEO4J_URI" "$NEO4J_USERNAME" "$NEO4J_PASSWORD"'
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run(
            ["sh", "-c", script], capture_output=True, text=True, check=True, env={**os.environ, "PATH": path}
        )
        names = ("NEO4J_URI", "NEO4J_USERNAME", "NEO4J_PASSWORD")
        os.environ.update(zip(names, done.stdout.split(), strict=True))


def difference(now: Any, kept: Any, name: str = "") -> tuple[str, bool]:
    """Where two answers differ first, empty where they do not; and whether they are equal to the last bit."""
    if isinstance(kept, dict) and isinstance(now, dict):
        pairs = [(f"{name}.{one}", now.get(one, "nothing"), kept.get(one, "nothing")) for one in {**kept, **now}]
    elif isinstance(kept, list) and isinstance(now, list):
        if len(now) != len(kept):
            return f"{name}: {len(now)} rows for {len(kept)}", False
        pairs = [(f"{name}[{place}]", *pair) for place, pair in enumerate(zip(now, kept, strict=True))]
    elif now == kept and isinstance(now, bool) == isinstance(kept, bool):
        return "", True
    elif isinstance(now, int | float) and isinstance(kept, int | float) and float in (type(now), type(kept)):
        if math.isclose(now, kept, rel_tol=ERROR, abs_tol=SMALLEST):
            return "", False
        return f"{name}: {now!r} for {kept!r}", False
    else:
        return f"{name}: {now!r:.150} for {kept!r:.150}", False
    equal = True
    for path, one, other in pairs:
        where, same = difference(one, other, path)
        if where:
            return where, False
        equal &= same
    return "", equal


def keep(file: Path, store: str) -> bool:
    """Write every answer; whether each question was answered."""
    refused = 0
    with gzip.open(file, "wt", encoding="utf-8") as lines:
        print(json.dumps({"store": store}), file=lines)
        for graph, line, answer in answers(store, questions(store)):
            print(json.dumps([graph, line, answer]), file=lines)
            if "exit" in answer:
                refused += 1
                print(f"REFUSED  {graph}: seedrank {line}: {answer['said']}", flush=True)
    return not refused


def compare(file: Path) -> bool:
    """Ask what was kept, and print a line for each answer; whether all are the same."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        store = json.loads(next(lines))["store"]
        before: list[Asked] = [tuple(json.loads(line)) for line in lines]
    others = 0
    asked = answers(store, [(graph, line) for graph, line, _ in before])
    for (graph, line, kept), (_, _, now) in zip(before, asked, strict=True):
        where, equal = difference(now, masked(kept))
        others += bool(where)
        verdict = "ANOTHER" if where else "same" if equal else "within"
        print(f"{verdict:8} {graph}: seedrank {line}" + (f"\n         {where}" if where else ""), flush=True)
    print(f"{len(before) - others} of {len(before)} answers are the same on {store}")
    return not others


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["keep", "compare"])
    parser.add_argument("file", type=Path)
    parser.add_argument("--store", choices=STORES, default="embedded", help="with keep; compare takes that of the file")
    options = parser.parse_args()
    file = options.file.absolute()
    if file.suffix == ".npz":
        from benchmarks import kernel_answers

        well = kernel_answers.keep(file) if options.what == "keep" else kernel_answers.compare(file)
    else:
        well = keep(file, options.store) if options.what == "keep" else compare(file)
    sys.exit(0 if well else 1)


if __name__ == "__main__":
    main()
