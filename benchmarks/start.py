"""What the command line takes beside the work: ``--help``, small questions, and first use with an empty kernel cache.

    python -m benchmarks.start

``--help``, then ``stats`` on a million pages; three questions of 2,000 pages, whose work takes milliseconds; then a
load, ``stats`` and ``seeds greedy`` of 64,000 pages the first time, when kernels are compiled, and the second. Seconds
are of whole processes; processor seconds beside those of first use, for machines that do other work.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SEEDRANK = str(Path(sys.executable).parent / "seedrank")
SMALL = ("seeds outdegree", "rank pagerank", "stats")
REPEATS = 7


def run(*words: str, cache: str | None = None) -> tuple[float, float]:
    """Wall and processor seconds of a command; `cache` is where its kernels are kept."""
    environment = os.environ if cache is None else {**os.environ, "NUMBA_CACHE_DIR": cache}
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([SEEDRANK, *words], check=True, capture_output=True, env=environment)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def best(name: str, *words: str, goal: float) -> None:
    """Show the fastest run of a command, after one that does not count, and the one in the middle."""
    times = sorted(run(*words)[0] for _ in range(REPEATS + 1))[:REPEATS]
    print(f"{name:40} best {times[0]:.2f} s, median {times[REPEATS // 2]:.2f} s (goal {goal})", flush=True)


def first_use(folder: str) -> None:
    """A load and two questions with an empty kernel cache, and once more."""
    run("generate", f"{folder}/web", "--pages", "64000")
    tables = [word for kind in ("pages", "links", "hosts") for word in (f"--{kind}", f"{folder}/web/{kind}.parquet")]
    times: dict[str, list[tuple[float, float]]] = {}
    for turn in ("first", "second"):
        store = ("--store", f"{folder}/{turn}.duckdb")
        for name, words in (
            ("load", ("load", "table", *tables)),
            ("stats", ("stats",)),
            ("greedy", ("seeds", "greedy")),
        ):
            times.setdefault(name, []).append(run(*store, *words, cache=f"{folder}/kernels"))
    for name, (first, second) in times.items():
        print(
            f"{name:40} first {first[0]:.1f} s ({first[1]:.1f} of the processor), second {second[0]:.1f} s "
            f"({second[1]:.1f}): {first[0] - second[0]:.1f} s more (goal 1.5)",
            flush=True,
        )


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        best("seedrank --help", "--help", goal=0.4)
        run("generate", "--graph", f"{folder}/million", "--pages", "1000000")
        best("stats, a million pages from arrays", "--store", f"{folder}/million", "stats", goal=3.0)
        run("generate", "--graph", f"{folder}/small", "--pages", "2000")
        for question in SMALL:
            best(f"{question}, 2,000 pages", "--store", f"{folder}/small", *question.split(), goal=1.0)
        first_use(folder)


if __name__ == "__main__":
    main()
