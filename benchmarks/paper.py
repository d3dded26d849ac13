"""The run of Alam et al.: a web of 105,896,555 pages and about 3.74 G links, 160 seeds by PageRank, 80 M pages by FPR.

    python -m benchmarks.paper DIR          or: make bench-paper PAPER=DIR

DIR takes 21 GB and is kept: the web, its seeds and each result are used again when the command is repeated, so that
what was cut off goes on. 24 GiB of memory keep the mapped links in the page cache; nothing else should run.
The paper (uk-2007-05): FPR less than 2 h, windowed RankMass 5 % about 9 h.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from seedrank.core.progress import Advance
from seedrank.crawl import push_orders
from seedrank.crawl.simulate import Budget, simulate
from seedrank.engines.push_walk import push_walk
from seedrank.graph import WebGraph
from seedrank.synthetic import WebSpec, write_graph

PAGES, LINKS, FETCHED, SEEDS = 105_896_555, 3_738_733_648, 80_000_000, 160
INTER_HOST = 136_730_188 / LINKS
EVERY = 30.0
_most_own = 0


def say(text: str) -> None:
    print(f"[{time.strftime('%H:%M:%S')}] {text}", flush=True)


def own_memory() -> int:
    """Bytes of this process that are no mapped file; also remembers the largest."""
    global _most_own
    with Path("/proc/self/status").open(encoding="ascii") as file:
        now = next(int(line.split()[1]) * 1024 for line in file if line.startswith("RssAnon"))
    _most_own = max(_most_own, now)
    return now


@contextmanager
def lines(title: str, total: int | None = None) -> Iterator[Advance]:
    """Progress as a line every half minute, with the memory in use."""
    done, last = 0, time.monotonic()
    started = last

    def advance(units: int) -> None:
        nonlocal done, last
        done += units
        if time.monotonic() - last >= EVERY:
            last = time.monotonic()
            of = f" of {total:,}" if total else ""
            say(f"{title}: {done:,}{of} after {(last - started) / 60:.1f} min, {own_memory() / 2**30:.1f} GiB")

    yield advance
    own_memory()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", type=int, default=PAGES)
    parser.add_argument("--fetch", type=int, default=None, help="default: 80 M, or the same share of fewer pages")
    parser.add_argument("--weights", type=float, nargs="*", default=[1.0, 100.0], help="M of FPR@M, one run each")
    options = parser.parse_args()
    wanted = options.fetch or round(FETCHED * options.pages / PAGES)
    options.folder.mkdir(parents=True, exist_ok=True)
    place = options.folder / f"web-{options.pages}"

    if not (place / "graph.json").is_file():
        say(f"making a web of {options.pages:,} pages in {place}")
        started = time.perf_counter()
        spec = WebSpec(options.pages, seed=2, links_per_page=LINKS / PAGES, crawled=1.0, inter_host=INTER_HOST)
        write_graph(spec, place, progress=lines)
        say(f"made in {(time.perf_counter() - started) / 60:.1f} min")
    graph = WebGraph.open(place)
    say(f"{graph}")

    say("compiling")
    warm = WebGraph.from_links(3, [0, 1], [1, 2], host=np.zeros(3, np.int32))
    push_walk(warm)
    for weight in (1.0, 2.0):
        simulate(warm, push_orders.fpr(np.array([0]), inter_host_weight=weight), np.array([0]), site=warm.host)

    kept = place.with_suffix(".seeds.npy")
    if not kept.is_file():
        started = time.perf_counter()
        ranks = push_walk(graph, tolerance=1e-6, progress=lines)
        top = np.argpartition(-ranks, SEEDS)[:SEEDS]
        np.save(kept, top[np.argsort(-ranks[top], kind="stable")])
        del ranks
        say(f"{SEEDS} seeds by PageRank without a transpose in {(time.perf_counter() - started) / 60:.1f} min")
    seeds = np.load(kept)

    started = time.perf_counter()
    with lines("reading the links into the page cache", graph.links) as advance:
        for first in range(0, graph.links, 1 << 24):
            part = graph.out_targets[first : first + (1 << 24)]
            part[::1024].max()
            advance(len(part))
    say(f"links in the page cache after {(time.perf_counter() - started) / 60:.1f} min")

    for weight in options.weights:
        crawl = simulate(
            graph,
            push_orders.fpr(seeds, inter_host_weight=weight),
            seeds,
            site=graph.host,
            budget=Budget(pages=wanted),
            progress=lines,
        )
        fetched = len(crawl.pages)
        say(
            f"fpr@{weight:g}: {fetched:,} of {wanted:,} pages in {crawl.seconds / 60:.1f} min, "
            f"{1e6 * crawl.seconds / fetched:.2f} µs a page ({crawl.stopped}; the paper: less than 120 min)"
        )
        for share in (0.25, 0.5, 0.75, 1.0):
            at = np.interp(share * fetched, crawl.marks[:, 0], crawl.marks[:, 1])
            say(f"  {round(share * fetched):,} pages after {at / 60:.1f} min")
        del crawl
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    say(f"peak memory {_most_own / 2**30:.1f} GiB of our own, {peak:.1f} GiB with the mapped links")


if __name__ == "__main__":
    main()
