"""HITS cores: the whole against leaving out links and the HITS runs alone, in the same run.

    python -m benchmarks.cores                         5 M pages, about 70 M links; ten cores
    python -m benchmarks.cores --pages 500000          the same ratio on a smaller web
    python -m benchmarks.cores --real                  100 seeds from cnr-2000 and from asf-web-2snapshots

The part that is measured alone repeats the very same views and HITS runs: it is told which pages each core takes out,
and grows no core.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks.common import asf_web, cnr_2000
from seedrank.engines.native.engine import NativeEngine
from seedrank.graph import WebGraph
from seedrank.ingest.synthetic import WebSpec, write_graph
from seedrank.methods.seeds import cores
from seedrank.methods.seeds.cores import Core
from seedrank.questions.seeds import CoreQuestion

GOAL = 1.3
LINKS_PER_PAGE = 14


def whole(graph: WebGraph, sites: np.ndarray | None, question: CoreQuestion) -> tuple[float, list[Core]]:
    """Seconds of everything."""
    started = time.perf_counter()
    found = list(cores.find(question, *cores.prune(NativeEngine(graph), graph, sites)))
    return time.perf_counter() - started, found


def ranking_alone(
    graph: WebGraph, sites: np.ndarray | None, question: CoreQuestion, found: list[Core]
) -> tuple[float, float]:
    """Seconds of leaving out links and of the same HITS runs; making the views between them counts nowhere."""
    started = time.perf_counter()
    engine = NativeEngine(graph) if sites is None else NativeEngine(graph).without(same_site=sites)
    pruned = time.perf_counter() - started
    ranked = 0.0
    for core in found:
        started = time.perf_counter()
        engine.hits(question.iterations)
        ranked += time.perf_counter() - started
        leaving = np.zeros(engine.pages, bool)
        leaving[core.members] = True
        engine = engine.without(pages=leaving)
    return pruned, ranked


def measure(name: str, graph: WebGraph, sites: np.ndarray | None, k: int, repeats: int) -> None:
    """Print a line: the best of `repeats`, which take turns."""
    question = CoreQuestion(k=k)
    _, found = whole(graph, sites, CoreQuestion(k=1))  # compiles
    best, alone, parts = np.inf, np.inf, (0.0, 0.0)
    for _ in range(repeats):
        seconds, found = whole(graph, sites, question)
        best = min(best, seconds)
        some = ranking_alone(graph, sites, question, found)
        if sum(some) < alone:
            alone, parts = sum(some), some
    left = graph.links if sites is None else NativeEngine(graph).without(same_site=sites).links
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(
        f"{name}: {graph.pages:,} pages, {graph.links:,} links, {left:,} ranked; {len(found)} cores in {best:.2f} s; "
        f"leaving out links {parts[0]:.2f} s + HITS {parts[1]:.2f} s = {alone:.2f} s; ratio {best / alone:.2f} "
        f"(goal <= {GOAL}); peak {memory:.1f} GiB",
        flush=True,
    )


def generated(pages: int, repeats: int) -> None:
    """A synthetic web of so many pages with 14 links each, all crawled, 6 % of the links between hosts."""
    with tempfile.TemporaryDirectory(prefix="seedrank-cores-") as folder:
        spec = WebSpec(pages=pages, rng=1, links_per_page=LINKS_PER_PAGE, crawled=1.0)
        graph = write_graph(spec, Path(folder) / "web")
        measure("generated", graph, graph.host, 10, repeats)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=5_000_000)
    parser.add_argument("--repeats", type=int, default=3, help="the fastest counts")
    parser.add_argument("--real", action="store_true")
    options = parser.parse_args()
    if not options.real:
        generated(options.pages, options.repeats)
        return
    measure("cnr-2000", cnr_2000(), None, 100, options.repeats)
    for date in ("2021-12-31", "2024-10-31"):
        graph = asf_web(date)
        measure(f"asf-web {date}", graph, graph.host, 100, options.repeats)


if __name__ == "__main__":
    main()
