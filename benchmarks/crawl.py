"""Crawl orders: FPR against a native breadth-first search, a plain heapq crawler and windowed RankMass, in one run.

Then orders that give the mass of pages without links to the seeds: from 10,000 seeds against 10, on a web where a tenth
of the pages has no links.

    python -m benchmarks.crawl                       1 M and 20 M pages, 14 links each; 10 GB of memory, 2 GB of disk
    python -m benchmarks.crawl --large 2000000       a smaller large one
    python -m benchmarks.crawl --folder DIR          keep the webs there, and use them again
    python -m benchmarks.crawl --many-seeds          the part about many seeds alone, 100,000 pages

Seeds are the 160 pages with the highest PageRank (many seeds: any pages). Everything is compiled on a small web first;
times are of the loops alone, the fastest of --repeats (one for the plain crawler, windowed RankMass and many seeds).
"""

from __future__ import annotations

import argparse
import heapq
import resource
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from seedrank.engines.kernels.breadth_first import hops
from seedrank.engines.native.push_walk import push_walk
from seedrank.graph import WebGraph
from seedrank.ingest.synthetic import WebSpec, write_graph
from seedrank.methods.crawl import push_orders
from seedrank.methods.crawl.policy import links_of
from seedrank.methods.crawl.simulate import Budget, simulate

SEEDS = 160
FEW, MANY = 10, (1_000, 10_000)


def web(folder: Path, pages: int, crawled: float = 1.0) -> WebGraph:
    """A web of `pages` pages, 14 links on each that is crawled; made once."""
    place = folder / (f"crawl-{pages}" if crawled == 1 else f"crawl-{pages}-{crawled:g}")
    if not (place / "graph.json").is_file():
        say(f"making {pages:,} pages")
        write_graph(WebSpec(pages, rng=1, links_per_page=14.0, crawled=crawled), place)
    return WebGraph.open(place)


def say(text: str) -> None:
    print(f"[{time.strftime('%H:%M:%S')}] {text}", flush=True)


def best(repeats: int, run: Callable[[], float]) -> float:
    return min(run() for _ in range(repeats))


def seconds(run: Callable[[], object]) -> float:
    started = time.perf_counter()
    run()
    return time.perf_counter() - started


def plain_fpr(graph: WebGraph, seeds: np.ndarray, damping: float = 0.85) -> list[int]:
    """FPR as one would write it in an afternoon: dictionaries, heapq, stale entries dropped when they come up."""
    offsets, targets = graph.out_offsets.tolist(), graph.out_targets.tolist()
    score = {int(seed): (1 - damping) / len(seeds) for seed in seeds}
    found = {int(seed): number for number, seed in enumerate(seeds)}
    heap = [(-score[page], found[page], page) for page in score]
    heapq.heapify(heap)
    done: set[int] = set()
    order = []
    while heap:
        key, _, page = heapq.heappop(heap)
        if page in done or -key != score[page]:
            continue
        done.add(page)
        order.append(page)
        out = targets[offsets[page] : offsets[page + 1]]
        if not out:
            continue
        share = damping * score[page] / len(out)
        for target in out:
            if target not in done:
                if target not in found:
                    found[target] = len(found)
                score[target] = score.get(target, 0.0) + share
                heapq.heappush(heap, (-score[target], found[target], target))
    return order


def measure(graph: WebGraph, repeats: int) -> tuple[np.ndarray, float, float, int]:
    """Seeds, seconds of FPR and of BFS, pages fetched."""
    say(f"{graph}: seeds by PageRank")
    ranks = push_walk(graph, tolerance=1e-7)
    seeds = np.argsort(-ranks)[:SEEDS]
    links = links_of(graph)
    bfs = best(repeats, lambda: seconds(lambda: hops(links.offsets, links.targets, seeds, graph.pages)))
    crawls = [simulate(graph, push_orders.fpr(seeds), seeds) for _ in range(repeats)]
    weighted = simulate(graph, push_orders.fpr(seeds, inter_host_weight=100), seeds, site=graph.host)
    fpr, fetched = min(crawl.seconds for crawl in crawls), len(crawls[0].pages)
    say(
        f"{fetched:,} pages fetched: fpr {fpr:.2f} s, {1e6 * fpr / fetched:.2f} µs a page; fpr@100 "
        f"{weighted.seconds:.2f} s; BFS {bfs:.2f} s; fpr / BFS = {fpr / bfs:.1f} (goal: 12 at 20 M pages)"
    )
    return seeds, fpr, bfs, fetched


def measure_seeds(folder: Path, pages: int = 100_000) -> None:
    """Orders that give to the seeds, from many seeds against few; seconds of processor time."""
    graph = web(folder, pages, crawled=0.9)
    order = np.random.default_rng(1).permutation(graph.pages)
    polite = Budget(host_delay=1.0, parallel=100)
    for name, policy_of, budget in (
        ("rankmass", push_orders.rankmass, None),
        ("opic", push_orders.opic, None),
        ("polite opic", push_orders.opic, polite),
        ("windowed-rankmass:5%", lambda seeds: push_orders.windowed_rankmass(seeds, graph.pages), None),
    ):
        times = {}
        for count in (1, FEW, *MANY):  # the first compiles
            started = time.process_time()
            limited = Budget(pages=1) if budget is None else replace(budget, pages=1)
            seeds = order[:count]
            simulate(graph, policy_of(seeds), seeds, site=graph.host, budget=limited if count == 1 else budget)
            times[count] = time.process_time() - started
        ratios = ", ".join(f"{count:,} seeds {times[count]:.2f} s, {times[count] / times[FEW]:.1f} ×" for count in MANY)
        say(f"{name}, {graph.pages:,} pages, a tenth without links: {FEW} seeds {times[FEW]:.2f} s; {ratios} (goal: 2)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--small", type=int, default=1_000_000)
    parser.add_argument("--large", type=int, default=20_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--folder", type=Path, default=None)
    parser.add_argument("--many-seeds", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        if options.many_seeds:
            measure_seeds(folder)
            return
        warm = web(Path(temporary), 2_000)
        seeds = np.array([0])
        for policy in (push_orders.fpr(seeds), push_orders.windowed_rankmass(seeds, warm.pages)):
            simulate(warm, policy, seeds)
        simulate(warm, push_orders.fpr(seeds, inter_host_weight=2), seeds, site=warm.host)
        push_walk(warm)
        links = links_of(warm)
        hops(links.offsets, links.targets, seeds, 1)

        small = web(folder, options.small)
        seeds, fpr, _, fetched = measure(small, options.repeats)
        order: list[int] = []
        plain = seconds(lambda: order.extend(plain_fpr(small, seeds)))
        same = order == simulate(small, push_orders.fpr(seeds), seeds).pages.tolist()
        verdict = "the same" if same else "ANOTHER"
        say(f"plain heapq {plain:.1f} s: {plain / fpr:.0f} × as long (goal: 50), {verdict} order")
        window = simulate(small, push_orders.windowed_rankmass(seeds, small.pages), seeds)
        say(f"windowed RankMass 5 % {window.seconds:.1f} s: {window.seconds / fpr:.1f} × as long (the paper: 4.5)")
        large = web(folder, options.large)
        _, large_fpr, _, large_fetched = measure(large, options.repeats)
        growth = (large_fpr / large_fetched) / (fpr / fetched)
        say(f"time per page, {large.pages:,} against {small.pages:,} pages: {growth:.2f} × (goal: 4)")
        measure_seeds(folder)
        say(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.1f} GiB, mapped files included")


if __name__ == "__main__":
    main()
