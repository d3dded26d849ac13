"""Peak memory of every primitive, each in a process of its own, over a folder of WebGraph arrays.

    python -m benchmarks.memory DIR [PRIMITIVE…]      DIR from `seedrank generate --graph DIR`

`held` is what a process takes for itself, beyond what it had before the primitive; `mapped` are pages of the graph's
own files that it has touched (the system drops them when memory is short); `peak` is all, with the interpreter.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from seedrank.engines.native.engine import NativeEngine
from seedrank.graph import WebGraph


def flags(engine: NativeEngine, every: int) -> np.ndarray:
    return np.arange(engine.pages) % every == 0


PRIMITIVES: dict[str, Callable[[NativeEngine], object]] = {
    "degrees": lambda engine: engine.degrees(),
    "walk": lambda engine: engine.walk(tolerance=1e-9),
    "hits": lambda engine: engine.hits(5),
    "components": lambda engine: engine.components(),
    "levels": lambda engine: engine.bfs_hops(np.arange(min(100, engine.pages))),
    "ball_weight": lambda engine: engine.ball_weight(np.ones(engine.pages), 2, np.arange(0, engine.pages, 100)),
    "walk_bound": lambda engine: engine.walk_bound(np.ones(engine.pages), 2),
    "ball_bound": lambda engine: engine.ball_bound(np.ones(engine.pages), 2),
    "cocitation": lambda engine: engine.cocitation(flags(engine, 50), flags(engine, 51), fan_out_cap=1000),
    "harmonic": lambda engine: engine.harmonic(exact=False),
    "without": lambda engine: engine.without(pages=flags(engine, 2)),
}


def resident() -> dict[str, int]:
    """Bytes of this process: ``RssAnon`` its own, ``RssFile`` mapped."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return {line.split(":")[0]: int(line.split()[1]) * 1024 for line in lines if line.startswith("Rss")}


def measure(folder: Path, primitive: str) -> dict[str, float]:
    small = WebGraph.from_links(3, np.array([0, 1]), np.array([1, 2]))
    PRIMITIVES[primitive](NativeEngine(small))  # compiles
    graph = WebGraph.open(folder)
    engine = NativeEngine(graph)
    if primitive in ("walk", "hits", "cocitation", "harmonic"):
        graph.in_offsets  # noqa: B018  made once per graph, beside its other files
    before = resident()["RssAnon"]
    most = {"RssAnon": 0, "RssFile": 0}
    done = threading.Event()

    def watch() -> None:
        while not done.is_set():
            now = resident()
            for name in most:
                most[name] = max(most[name], now[name])
            time.sleep(0.01)

    watcher = threading.Thread(target=watch)
    watcher.start()
    started = time.perf_counter()
    PRIMITIVES[primitive](engine)
    seconds = time.perf_counter() - started
    done.set()
    watcher.join()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return {"seconds": seconds, "held": most["RssAnon"] - before, "mapped": most["RssFile"], "peak": peak}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("primitives", nargs="*", default=list(PRIMITIVES))
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.here:
        print(json.dumps(measure(given.folder, given.primitives[0])))
        return
    graph = WebGraph.open(given.folder)
    print(graph)
    print(f"{'':>12} {'seconds':>8} {'held MiB':>9} {'a page':>7} {'mapped MiB':>11} {'peak MiB':>9}")
    for name in given.primitives:
        command = [sys.executable, "-m", "benchmarks.memory", str(given.folder), name, "--here"]
        found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        print(
            f"{name:>12} {found['seconds']:8.1f} {found['held'] / 2**20:9.0f} {found['held'] / graph.pages:7.1f} "
            f"{found['mapped'] / 2**20:11.0f} {found['peak'] / 2**20:9.0f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
