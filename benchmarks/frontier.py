"""RW-EG against one PageRank, the ω grid against a single ω, and what virtual links take.

    python -m benchmarks.frontier                  5 M pages, 70 M links, a fifth of the pages frontier
    python -m benchmarks.frontier --pages 500000   smaller

Walks run to the same L1 tolerance as PageRank; virtual links are given to them. Repeats are interleaved and the fastest
counts. Impact is taken as it is (the paper's: one page has most of it, and walks are short) and by rank (the other
extreme: every clicked page counts).
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks.common import race
from seedrank.core.model import Status
from seedrank.engines.native.engine import NativeEngine
from seedrank.graph import WebGraph
from seedrank.ingest.synthetic import WebSpec, write_graph
from seedrank.methods.frontier.enrich import VirtualLinks
from seedrank.methods.frontier.impact import TRANSFORMS, impact_factor, transformed
from seedrank.methods.frontier.problem import FrontierProblem, pose, reveal
from seedrank.methods.frontier.scores import Scores
from seedrank.methods.frontier.walks import OMEGAS, rw, rw_eg, rw_eg_grid
from seedrank.questions.frontier import ScoreOptions

TOLERANCE = 1e-10


def peak() -> float:
    """Peak resident memory so far, GiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def situation(graph: WebGraph) -> FrontierProblem:
    crawled, frontier = graph.status == Status.CRAWLED, graph.status == Status.FRONTIER
    known = reveal(graph, crawled)
    return pose(known, NativeEngine(known), crawled, frontier, np.nan_to_num(np.asarray(graph.column("clicks"))))


def walks(problem: FrontierProblem, links: VirtualLinks, repeats: int) -> None:
    for transform in TRANSFORMS:
        impact = transformed(problem.impact, problem.crawled, transform)
        factor = impact_factor(impact, problem.crawled, problem.out_degree)
        times = race(
            repeats,
            {
                "PageRank": lambda: problem.engine.walk(
                    teleport=problem.teleport, dangling="drop", tolerance=TOLERANCE
                ),
                "rw": lambda f=factor: rw(problem, f, tolerance=TOLERANCE),
                "rw-eg": lambda f=factor: rw_eg(problem, f, links, f, tolerance=TOLERANCE),
                "rw-eg, 11 ω": lambda f=factor: rw_eg_grid(problem, f, links, f, OMEGAS, tolerance=TOLERANCE),
            },
        )
        print(f"\nimpact {transform}")
        for name, seconds in times.items():
            print(f"  {name:<14}{seconds:9.3f} s   {seconds / times['PageRank']:6.2f} × PageRank")
        print(f"  rw-eg / PageRank {times['rw-eg'] / times['PageRank']:.2f} (goal ≤ 3)")
        print(f"  11 ω / one ω {times['rw-eg, 11 ω'] / times['rw-eg']:.2f} (goal ≤ 4); peak {peak():.1f} GiB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=5_000_000)
    parser.add_argument("--links", type=float, default=17.5, help="links per crawled page")
    parser.add_argument("--crawled", type=float, default=0.8)
    parser.add_argument("--cap", type=int, default=None, help="fan-out cap of the virtual links")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--folder", type=Path, default=None, help="where the web goes; a temporary folder by default")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        spec = WebSpec(arguments.pages, rng=1, links_per_page=arguments.links, crawled=arguments.crawled)
        graph = write_graph(spec, Path(folder) / "web")
        problem = situation(graph)
        print(f"{graph.pages:,} pages, {graph.links:,} links, {len(problem.pages):,} frontier")
        problem.engine.walk(max_iterations=2)
        before, start = peak(), time.perf_counter()
        links = Scores(problem, ScoreOptions(fan_out_cap=arguments.cap)).virtual_links
        seconds = time.perf_counter() - start
        size = sum(array.nbytes for array in (links.source, links.target, links.weight)) / 2**30
        print(
            f"virtual links: {len(links):,} in {seconds:.1f} s, {size:.2f} GiB (12 bytes each); "
            f"peak {before:.1f} GiB before, {peak():.1f} GiB after; {links.capped_pages:,} citing pages capped"
        )
        walks(problem, links, arguments.repeats)


if __name__ == "__main__":
    main()
