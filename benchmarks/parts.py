"""The parts of `benchmarks.paper` and `benchmarks.growth`: every method on one made web, by what users call.

A part gives the bytes of links that its method needs to read, whole passes over them, and what it found. Searches from
single pages and their balls are not counted.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from seedrank.core.progress import Advance
from seedrank.engines.base import Walk
from seedrank.engines.native import engine
from seedrank.engines.native.engine import NativeEngine
from seedrank.engines.native.push_walk import push_walk
from seedrank.graph import WebGraph, transpose
from seedrank.graphdb.arrays import ArrayStore
from seedrank.methods.crawl import push_orders
from seedrank.methods.crawl.metrics import Metrics, curve, summary
from seedrank.methods.crawl.simulate import Budget, Crawl, simulate
from seedrank.methods.frontier.answer import best_pages
from seedrank.methods.frontier.impact import column_impact
from seedrank.methods.frontier.problem import pose as pose_frontier
from seedrank.methods.frontier.scores import Scores
from seedrank.methods.rank import centrality
from seedrank.methods.seeds.choose import SeedProblem, chosen, pose
from seedrank.methods.seeds.find_cores import cores_of
from seedrank.methods.stats import measure
from seedrank.questions.frontier import FrontierQuestion
from seedrank.questions.seeds import CoreQuestion, SeedQuestion

PAGES, LINKS, FETCHED, SEEDS = 105_896_555, 3_738_733_648, 80_000_000, 160
"""Of Alam et al. (uk-2007-05)."""
ITERATIONS = 60
EVERY = 30.0
"""Seconds between two lines of progress."""

Found = tuple[float, dict[str, Any]]
"""Bytes of links needed, and facts."""


def say(text: str) -> None:
    """Print with the time of day."""
    print(f"[{time.strftime('%H:%M:%S')}] {text}", flush=True)


def own_memory() -> int:
    """Bytes of this process that are no mapped file."""
    with Path("/proc/self/status").open(encoding="ascii") as file:
        return next(int(line.split()[1]) * 1024 for line in file if line.startswith("RssAnon"))


@contextmanager
def lines(title: str, total: int | None = None) -> Iterator[Advance]:
    """Progress as a line every half minute, with the memory in use."""
    done, started = 0, time.monotonic()
    last = started

    def advance(units: int) -> None:
        nonlocal done, last
        done += units
        if time.monotonic() - last >= EVERY:
            last = time.monotonic()
            of = f" of {total:,}" if total else ""
            say(f"{title}: {done:,}{of} after {(last - started) / 60:.1f} min, {own_memory() / 2**30:.1f} GiB")

    yield advance


class Counted:
    """Progress that is counted, too."""

    def __init__(self) -> None:
        self.done = 0

    @contextmanager
    def lines(self, title: str, total: int | None = None) -> Iterator[Advance]:
        """A progress, as long work takes it."""
        with lines(title, total) as shown:

            def advance(units: int) -> None:
                self.done += units
                shown(units)

            yield advance


@dataclass(frozen=True)
class Task:
    """What a part works on."""

    graph: WebGraph
    work: Path
    """Where it leaves arrays for later parts."""

    @property
    def fetched(self) -> int:
        """Pages of a crawl, the paper's share."""
        return round(FETCHED * self.graph.pages / PAGES)

    def links_of(self, passes: float) -> float:
        """Bytes of a number of passes over the links of one direction."""
        return passes * 4 * self.graph.links


@dataclass(frozen=True)
class Part:
    """A method: `run` gives the bytes of links that it needs to read, and facts; `over` names their file."""

    run: Callable[[Task], Found]
    over: str = "out_targets"


class Noting(NativeEngine):
    """The engine, which remembers its last walk."""

    last: Walk

    def walk(self, *args: Any, **options: Any) -> Walk:
        """The walk of the engine."""
        self.last = super().walk(*args, **options)
        return self.last


# -- the parts


def stats(task: Task) -> Found:
    found = measure(ArrayStore(task.graph, "web"), task.graph)
    # Strong components, in-degrees, links between hosts.
    return task.links_of(3), {"components": found.components, "largest": found.largest_component}


def components(task: Task) -> Found:
    found = NativeEngine(task.graph).components()
    return task.links_of(2), {"components": len(found.sizes), "arcs": len(found.arcs)}


def hits(task: Task) -> Found:
    engine = NativeEngine(task.graph)
    best = centrality.hits(engine, ITERATIONS).ranking().pages[:1]
    return task.links_of(_passes_of_hits(task.graph.pages, task.graph.links)), {"best": best.tolist()}


def hits_between_hosts(task: Task) -> Found:
    engine = NativeEngine(task.graph).without(same_site=np.asarray(task.graph.host))
    engine.hits(ITERATIONS)
    return _pruned(task, engine.links, 1), {"links": engine.links}


def cores(task: Task) -> Found:
    question = CoreQuestion(k=2)
    found = cores_of(question, NativeEngine(task.graph), task.graph, np.asarray(task.graph.host), lines)
    return _pruned(task, int(found.facts["links_ranked"]), question.k), dict(found.facts)


def _pruned(task: Task, links: int, runs: int) -> float:
    """Bytes: all links twice, to count and to copy those that stay, and these in each iteration."""
    return task.links_of(2) + runs * _passes_of_hits(task.graph.pages, links) * 4 * links


def _passes_of_hits(pages: int, links: int) -> int:
    """Over links of one direction."""
    return ITERATIONS + 1 if pages + links >= engine.OUT_LINKS_ALONE else 2 * ITERATIONS


def maxout(task: Task) -> Found:
    # A pass a round and, for the bound, twice as many as a seed reaches hops; searches from seeds are not counted.
    question = SeedQuestion(method="maxout", k=10)
    return task.links_of(question.k + 2 * question.hops), _seeds(task, question)


def maxweight(task: Task) -> Found:
    # The same with two passes a round; balls are not counted.
    question = SeedQuestion(method="maxweight", k=10)
    return task.links_of(question.k * question.depth + 2 * question.hops), _seeds(task, question)


def _seeds(task: Task, question: SeedQuestion) -> dict[str, Any]:
    graph = task.graph
    everything, none = np.ones(graph.pages, bool), np.empty(0, np.int64)
    problem = pose(question, graph, NativeEngine(graph), np.asarray(graph.host), everything, none)
    found = chosen(SeedProblem(question, graph, problem, lambda: np.empty(0)))
    return {**found.facts, "pages": found.selection.pages.tolist()}


def pushing(task: Task) -> Found:
    swept = Counted()
    ranks = push_walk(task.graph, tolerance=1e-6, progress=swept.lines)
    top = np.argpartition(-ranks, SEEDS)[:SEEDS]
    np.save(task.work / "seeds.npy", top[np.argsort(-ranks[top], kind="stable")])
    return task.links_of(swept.done / task.graph.pages), {}


def fpr(weight: float) -> Callable[[Task], Found]:
    def run(task: Task) -> Found:
        seeds, site = np.load(task.work / "seeds.npy"), task.graph.host
        policy = push_orders.fpr(seeds, inter_host_weight=weight)
        crawl = simulate(task.graph, policy, seeds, site=site, budget=Budget(pages=task.fetched), progress=lines)
        if weight == 1:
            np.savez(task.work / "fpr.npz", pages=crawl.pages, marks=crawl.marks)
        followed = 4 * float(task.graph.out_degree[crawl.pages].sum(dtype=np.int64))
        return followed, {"fetched": len(crawl.pages), "scheduling": crawl.seconds, "stopped": crawl.stopped}

    return run


def transposed(task: Task) -> Found:
    links, pages = task.graph.links, task.graph.pages
    blocks = transpose._blocks(4 * links + 8 * pages, transpose._limit())
    there = task.graph.transposed
    len(task.graph.in_sources)
    # Read to count and for each block, and written once.
    return task.links_of(0 if there else blocks + 2), {"blocks": blocks, "there already": there}


def pagerank(task: Task) -> Found:
    found = centrality.pagerank(NativeEngine(task.graph))
    np.save(task.work / "pagerank.npy", found.scores)
    best = found.ranking().pages[:1]
    return task.links_of(found.facts["iterations"]), {**found.facts, "best": best.tolist()}


def rw(task: Task) -> Found:
    # Every page of the made web is crawled: those without links are taken for the frontier.
    engine, graph, question = Noting(task.graph), task.graph, FrontierQuestion(method="rw")
    frontier = graph.out_degree == 0
    problem = pose_frontier(graph, engine, ~frontier, frontier, column_impact(graph, "clicks", ~frontier))
    best, facts = best_pages(question, Scores(problem, question), frontier)
    return task.links_of(engine.last.iterations), {**facts, "best": best.pages[:1].tolist()}


def measures(task: Task) -> Found:
    with np.load(task.work / "fpr.npz") as kept:
        pages, marks = kept["pages"], kept["marks"]
    # Keys and discoveries are not measured.
    order = Crawl(pages, pages, pages, float(marks[-1, 1]), marks, "as many pages as asked for", False, len(pages))
    ranks = np.load(task.work / "pagerank.npy", mmap_mode="r")
    metrics = Metrics.of(task.graph, ranks, np.asarray(task.graph.host))
    facts = summary(metrics, order)
    rows = curve(metrics, order).num_rows
    return 0.0, {"rows": rows, **{name: facts[name] for name in ("pagerank", "pagerank_area", "hosts")}}


def rankmass(task: Task) -> Found:
    swept = Counted()
    push_walk(task.graph, trust=np.load(task.work / "seeds.npy"), progress=swept.lines)
    return task.links_of(swept.done / task.graph.pages), {}


PARTS = {
    "stats": Part(stats),
    "components": Part(components),
    "maxout": Part(maxout),
    "maxweight": Part(maxweight),
    "hits between hosts": Part(hits_between_hosts),
    "cores": Part(cores),
    "pagerank by pushing": Part(pushing),
    "rankmass": Part(rankmass),
    "fpr": Part(fpr(1.0)),
    "fpr@100": Part(fpr(100.0)),
    "transposing": Part(transposed),
    "hits": Part(hits),
    "pagerank": Part(pagerank, "in_sources"),
    "rw": Part(rw, "in_sources"),
    "measures": Part(measures),
}
"""In the order in which they need one another's results."""
