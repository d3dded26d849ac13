"""Questions natively, inside Neo4j, and by the bare calls of the Graph Data Science library; ratios in one run.

    NEO4J_URI=… NEO4J_USERNAME=… NEO4J_PASSWORD=… python -m benchmarks.gds [--only walk,seeds] [--repeats 3]

The server holds a graph, such as asf-web 2021. ``walk``: PageRank on a projection that is kept, against
``gds.pageRank.stream`` on one with the same tolerance. ``balls``: those of 256 pages by each way there is. ``passes``:
a sum over all links. ``seeds``: ``maxweight`` of five seeds. Runs take turns and the fastest counts; the load of the
machine is printed with it. ``--questions`` instead asks ten questions of each engine, each with nothing kept beside the
store, and prints seconds and, with ``--server PID``, those of the processor, here and in the server.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import seedrank
from benchmarks.common import race
from seedrank.api.workbench import Workbench
from seedrank.engines.gds import GdsEngine, expansion, projection_admin, sums
from seedrank.engines.gds.view import View
from seedrank.engines.native.engine import NativeEngine
from seedrank.graphdb.store import GraphStore

BALLS, HOPS = 256, 2
RANKS = """
CALL gds.pageRank.stream($name, {maxIterations: 500, tolerance: $tolerance, concurrency: 2}) YIELD nodeId, score
RETURN collect(nodeId) AS node, collect(score) AS score
"""
BFS = """
UNWIND $nodes AS i
CALL gds.bfs.stream($name, {sourceNode: i, maxDepth: $hops, concurrency: 1}) YIELD nodeIds
RETURN i AS node, nodeIds AS ball
"""
DELTA = """
UNWIND $nodes AS i
CALL gds.allShortestPaths.delta.stream($name, {sourceNode: i, concurrency: 1}) YIELD targetNode, totalCost
WITH i, targetNode, totalCost WHERE totalCost <= $hops
RETURN i AS node, collect(targetNode) AS ball
"""


def rows(store: Any, statement: str, **parameters: Any) -> list[list[Any]]:
    """The rows of a statement."""
    found: list[list[Any]] = store.connection.rows(statement, parameters, write=True)[1]
    return found


def walks(bench: Workbench, native: NativeEngine, gds: GdsEngine) -> dict[str, Callable[[], object]]:
    """PageRank to an L1 change of 1e-12; the bare call stops where ours does."""
    name, damping = gds._made.name, 0.85
    tolerance = 1e-12 * damping * (1 - damping) / 10
    return {
        "native": lambda: native.walk(),
        "bare GDS": lambda: rows(bench.store, RANKS, name=name, tolerance=tolerance),
        "gds, projection kept": lambda: _engine(bench.store).walk(),
        "gds, projected anew": lambda: _engine(bench.store, keep=False).walk(),
    }


def balls(bench: Workbench, native: NativeEngine, gds: GdsEngine) -> dict[str, Callable[[], object]]:
    """Balls of the pages that a bound puts first: large ones that overlap."""
    weight = np.ones(native.pages)
    pages = np.argsort(-native.walk_bound(weight, HOPS), kind="stable")[:BALLS]
    projection = gds._made
    nodes = projection.nodes_of(pages)
    given = {"name": projection.name, "nodes": nodes, "hops": HOPS}
    catalog = gds._catalog
    ways: dict[str, Callable[[], object]] = {
        "native": lambda: native.ball_weight(weight, HOPS, pages),
        "Cypher, ids sent": lambda: expansion.ball_weights(catalog, View(), None, weight, HOPS, pages),
        "gds.bfs per page": lambda: rows(bench.store, BFS, **given),
    }
    # Delta stepping has no depth: it finds the distances to all pages, so a sixteenth of the balls shows its price.
    ways["gds.allShortestPaths.delta, 1/16 of them"] = lambda: rows(
        bench.store, DELTA, **{**given, "nodes": nodes[: BALLS // 16]}
    )
    return ways


def passes(bench: Workbench, native: NativeEngine, gds: GdsEngine) -> dict[str, Callable[[], object]]:
    """One sum over all links."""
    weight = np.ones(native.pages)
    return {
        "native": lambda: native.walk_bound(weight, 1),
        "Cypher": lambda: sums.link_sums(gds._catalog, View(), weight),
    }


def seeds(bench: Workbench, native: NativeEngine, gds: GdsEngine) -> dict[str, Callable[[], object]]:
    """Five seeds by MaxWeight at three hops, with all that the command does but starting up."""

    def ask(engine: str) -> None:
        with seedrank.open(os.environ["NEO4J_URI"], engine=engine) as other:
            other.seeds("maxweight", k=5, hops=3)

    return {"native": lambda: ask("native"), "gds": lambda: ask("gds")}


QUESTIONS: dict[str, Callable[[Workbench], object]] = {
    "`rank pagerank`": lambda bench: bench.rank("pagerank"),
    "`rank hits --iterations 30`": lambda bench: bench.rank("hits", iterations=30),
    "`rank indegree`": lambda bench: bench.rank("indegree"),
    "`seeds pagerank -k 10`": lambda bench: bench.seeds("pagerank", k=10),
    "`seeds outdegree -k 10`": lambda bench: bench.seeds("outdegree", k=10),
    "`seeds maxout -k 5 --hops 3`": lambda bench: bench.seeds("maxout", k=5, hops=3),
    "`seeds maxweight -k 5 --hops 3`": lambda bench: bench.seeds("maxweight", k=5, hops=3),
    "`seeds maxscc -k 5 --hops 3`": lambda bench: bench.seeds("maxscc", k=5, hops=3),
    "`seeds cores -k 2`": lambda bench: bench.cores(k=2),
    "`crawl bfs --seeds pagerank:10`": lambda bench: bench.crawl("bfs", seeds="pagerank:10"),
}


def processor_seconds(server: int | None) -> float:
    """Seconds of the processor that this process and a server on this machine have had."""
    seconds = time.process_time()
    if server is not None:
        fields = Path(f"/proc/{server}/stat").read_text().rpartition(")")[2].split()
        seconds += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return seconds


def ask_each(server: int | None) -> None:
    """Print a row per question: seconds of each engine, wall and processor; every engine works once beforehand."""
    print("| | " + " | ".join(ENGINES) + " |\n| --- |" + " --- |" * len(ENGINES))
    for question, ask in {"": QUESTIONS["`seeds maxweight -k 5 --hops 3`"], **QUESTIONS}.items():
        cells = []
        for engine in ENGINES:
            with TemporaryDirectory() as folder:
                os.environ["XDG_CACHE_HOME"] = os.environ["XDG_DATA_HOME"] = folder
                started, processor = time.perf_counter(), processor_seconds(server)
                with seedrank.open(os.environ["NEO4J_URI"], engine=engine) as bench:
                    ask(bench)
                wall, processor = time.perf_counter() - started, processor_seconds(server) - processor
            cells.append(f"{processor:.1f} ({wall:.1f})")
        if question:
            print(f"| {question} | " + " | ".join(cells) + " |", flush=True)
    print(f"load of the machine {os.getloadavg()[0]:.1f}")


ENGINES: tuple[Any, ...] = ("gds", "native", "auto")
PARTS = {"walk": walks, "passes": passes, "balls": balls, "seeds": seeds}


def _engine(store: GraphStore, *, keep: bool = True) -> GdsEngine:
    return GdsEngine(store, keep=keep)


@contextmanager
def _engines(bench: Workbench) -> Iterator[tuple[NativeEngine, GdsEngine]]:
    with GdsEngine(bench.store, keep=True) as gds:
        gds.links_into(np.zeros(gds.pages, bool))
        gds._projection()
        yield NativeEngine(bench.graph.unweighted()), gds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default=",".join(PARTS))
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--questions", action="store_true")
    parser.add_argument("--server", type=int)
    given = parser.parse_args()
    if given.questions:
        ask_each(given.server)
        return
    with seedrank.open(os.environ["NEO4J_URI"], engine="gds") as bench, _engines(bench) as (native, gds):
        print(f"{native.pages:,} pages, {native.links:,} links")
        for part in given.only.split(","):
            found = race(given.repeats, PARTS[part](bench, native, gds))
            print(f"\n{part} (load of the machine {os.getloadavg()[0]:.1f})")
            for name, seconds in found.items():
                print(f"  {name:44} {seconds:8.2f} s {seconds / found['native']:8.1f} x native", flush=True)
        projection_admin.drop(gds._catalog.store)


if __name__ == "__main__":
    main()
