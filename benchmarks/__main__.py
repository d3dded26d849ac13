"""Run the benchmarks of docs/benchmarks.md one after the other; about an hour, 15 GB of disk."""

from __future__ import annotations

import os
import subprocess
import sys

from benchmarks.common import SHARED

CNR = SHARED / "cnr-2000" / "cnr-2000.graph-txt.gz"


def run(*words: str) -> None:
    print(f"\n$ python -m {' '.join(words)}", flush=True)
    subprocess.run([sys.executable, "-m", *words], check=True)


def main() -> None:
    run("benchmarks.generate", "1000000", "10000000")
    run("benchmarks.crawl")
    run("benchmarks.start")
    run("benchmarks.embedded", "--large")
    run("benchmarks.load", "graph")
    run("benchmarks.seeds")
    run("benchmarks.frontier")
    run("benchmarks.levels")
    run("benchmarks.recrawl")
    run("benchmarks.functional")
    if not CNR.exists():
        print(f"left out, because {CNR} is not here: the overview, engines, bulk import, Bolt")
        return
    run("benchmarks.overview")
    run("benchmarks.engines")
    run("benchmarks.bulk", str(CNR))
    if os.environ.get("NEO4J_URI"):
        run("benchmarks.load", "neo4j", str(CNR))
    else:
        print("left out, because NEO4J_URI names no (empty) server: Bolt")


if __name__ == "__main__":
    main()
