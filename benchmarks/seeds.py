"""Seed methods against one PageRank on the same graph, lazy against plain, and the paper's experiment over 2,000 sites.

python -m benchmarks.seeds                  makes its webs in a temporary folder: 1 M pages and 14 M links, 2 M pages
python -m benchmarks.seeds --graph DIR      a folder of WebGraph arrays
python -m benchmarks.seeds --store web.duckdb     greedy alone, on a store of yours
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np

import seedrank
from seedrank.core.model import Status
from seedrank.engines.native.engine import NativeEngine
from seedrank.graph import WebGraph
from seedrank.ingest.synthetic import WebSpec, write_graph
from seedrank.methods.seeds import choose, graph_methods
from seedrank.methods.seeds.coverage import CoverageProblem, Search
from seedrank.questions.seeds import SeedQuestion

T = TypeVar("T")
K = 10
ONE = WebSpec(pages=1_000_000, crawled=0.95, links_per_page=14.8)
MANY = WebSpec(pages=2_000_000, crawled=0.95, links_per_page=14.8, hosts=5_000)
"""More than 2,000 of its hosts have a hundred pages."""


def timed(work: Callable[[], T]) -> tuple[float, T]:
    started = time.perf_counter()
    answer = work()
    return time.perf_counter() - started, answer


def whole_graph(graph: WebGraph) -> None:
    engine = NativeEngine(graph)
    crawled, frontier = graph.status == Status.CRAWLED, graph.status == Status.FRONTIER

    def problem(**search: object) -> CoverageProblem:
        quota = np.array([K])
        return CoverageProblem(
            engine, crawled.astype(float), 5, quota, crawled, crawled, frontier, search=Search(**search)
        )

    engine.walk(tolerance=1e-9)  # compiles, makes the in-links
    pagerank = min(timed(lambda: engine.walk(tolerance=1e-9))[0] for _ in range(3))
    print(f"{graph}: PageRank to 1e-9 {pagerank:.2f} s; k {K}, hops 5")
    print(
        f"{'':>22} {'seconds':>8} {'/ PageRank':>10} {'goal':>5} {'balls summed':>13} {'plain loop':>11} {'saved':>7}"
    )
    for name, work, goal in (
        ("maxweight --depth 2", lambda: graph_methods.maxweight(problem(), 2), 6),
        ("maxweight --depth 3", lambda: graph_methods.maxweight(problem(), 3), 60),
        ("greedy", lambda: graph_methods.greedy(problem()), 30),
        ("greedy --tolerance .5%", lambda: graph_methods.greedy(problem(tolerance=0.005)), 30),
        ("maxout", lambda: graph_methods.maxout(problem()), None),
        ("maxscc", lambda: graph_methods.maxscc(problem()), None),
        ("rootscc", lambda: graph_methods.rootscc(problem()), None),
    ):
        work()
        seconds, found = timed(work)
        plain = int(crawled.sum()) * len(found.pages)
        saved = f"{100 * (1 - found.evaluations / plain):6.2f}%" if name != "maxout" else ""
        print(
            f"{name:>22} {seconds:8.2f} {seconds / pagerank:10.1f} {goal or '':>5} {found.evaluations:13,} "
            f"{plain if saved else '':>11} {saved:>7}",
            flush=True,
        )


def many_sites(graph: WebGraph) -> None:
    """K = 10 in every site of at least 100 pages; the first k of ten are the answer for k, so one choice gives all."""
    engine, site = NativeEngine(graph), np.asarray(graph.host)
    every, none = np.ones(graph.pages, bool), np.empty(0, np.int64)
    pagerank = engine.walk().scores
    total = 0.0
    for method, depth in (
        *((name, 2) for name in ("random", "pagerank", "outdegree", "maxout", "maxweight", "maxscc", "rootscc")),
        ("maxweight", 3),
    ):
        question = SeedQuestion(method=method, k=K, depth=depth, per_site=True, min_pages=100, always_k=True)

        def work(question: SeedQuestion = question) -> tuple[CoverageProblem, choose.SeedAnswer]:
            problem = choose.pose(question, graph, engine, site, every, none)
            return problem, choose.chosen(choose.SeedProblem(question, graph, problem, lambda: pagerank))

        seconds, (problem, found) = timed(work)
        total += seconds
        print(
            f"{len(problem.quota):,} sites x k 1..{K}, {method} (depth {depth}): {seconds:6.2f} s, "
            f"{found.facts['pages']:,} pages",
            flush=True,
        )
    print(f"all methods: {total:.1f} s")


def own_store(url: str) -> None:
    with seedrank.open(url, read_only=True, engine="native") as bench:
        for sketch in (True, False):
            question = SeedQuestion(method="greedy", k=K, sketch=sketch)
            seconds, (run, _) = timed(lambda question=question: bench.seeds(question))
            print(f"{bench.graph}: greedy, sketch {sketch}: {seconds:.1f} s, {run.facts['evaluations']:,} balls summed")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graph", type=Path)
    parser.add_argument("--store")
    given = parser.parse_args()
    if given.store:
        own_store(given.store)
        return
    if given.graph:
        whole_graph(WebGraph.open(given.graph))
        many_sites(WebGraph.open(given.graph))
        return
    with tempfile.TemporaryDirectory() as folder:
        whole_graph(write_graph(ONE, Path(folder) / "one"))
        many_sites(write_graph(MANY, Path(folder) / "many"))


if __name__ == "__main__":
    main()
