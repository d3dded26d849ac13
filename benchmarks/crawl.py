"""Crawl orders: FPR against a native breadth-first search, a plain heapq crawler and windowed RankMass, in one run.

    python -m benchmarks.crawl                       1 M and 20 M pages, 14 links each; 10 GB of memory, 2 GB of disk
    python -m benchmarks.crawl --large 2000000       a smaller large one
    python -m benchmarks.crawl --folder DIR          keep the webs there, and use them again

Seeds are the 160 pages with the highest PageRank. Everything is compiled on a small web first; times are of the loops
alone, the fastest of --repeats (one for the plain crawler and windowed RankMass).
"""

from __future__ import annotations

import argparse
import heapq
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from seedrank.crawl import push_orders
from seedrank.crawl.policy import links_of
from seedrank.crawl.simulate import simulate
from seedrank.engines.push_walk import push_walk
from seedrank.graph import WebGraph
from seedrank.kernels.levels import levels
from seedrank.synthetic import WebSpec, write_graph

SEEDS = 160


def web(folder: Path, pages: int) -> WebGraph:
    """A web of `pages` pages, all crawled, 14 links each; made once."""
    place = folder / f"crawl-{pages}"
    if not (place / "graph.json").is_file():
        say(f"making {pages:,} pages")
        write_graph(WebSpec(pages, seed=1, links_per_page=14.0, crawled=1.0), place)
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
    bfs = best(repeats, lambda: seconds(lambda: levels(links.offsets, links.targets, seeds, graph.pages)))
    crawls = [simulate(graph, push_orders.fpr(seeds), seeds) for _ in range(repeats)]
    weighted = simulate(graph, push_orders.fpr(seeds, inter_host_weight=100), seeds, site=graph.host)
    fpr, fetched = min(crawl.seconds for crawl in crawls), len(crawls[0].pages)
    say(
        f"{fetched:,} pages fetched: fpr {fpr:.2f} s, {1e6 * fpr / fetched:.2f} µs a page; fpr@100 "
        f"{weighted.seconds:.2f} s; BFS {bfs:.2f} s; fpr / BFS = {fpr / bfs:.1f} (goal: 12 at 20 M pages)"
    )
    return seeds, fpr, bfs, fetched


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--small", type=int, default=1_000_000)
    parser.add_argument("--large", type=int, default=20_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--folder", type=Path, default=None)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        warm = web(Path(temporary), 2_000)
        seeds = np.array([0])
        for policy in (push_orders.fpr(seeds), push_orders.windowed_rankmass(seeds, warm.pages)):
            simulate(warm, policy, seeds)
        simulate(warm, push_orders.fpr(seeds, inter_host_weight=2), seeds, site=warm.host)
        push_walk(warm)
        links = links_of(warm)
        levels(links.offsets, links.targets, seeds, 1)

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
        say(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20:.1f} GiB, mapped files included")


if __name__ == "__main__":
    main()
