"""Replay a crawl over the recorded graph: one frontier and one loop for every order.

The kernels run in slices, so that progress is seen and Ctrl-C leaves what was fetched until then.
"""

from __future__ import annotations

import logging
import math
import time
from dataclasses import dataclass, field

import numpy as np

from seedrank.core.errors import GraphError
from seedrank.core.progress import Progress, silent
from seedrank.engines.kernels import host_queues, polite, push_again
from seedrank.engines.kernels import push as kernel
from seedrank.engines.kernels.heap import ROOT, entries
from seedrank.graph import WebGraph
from seedrank.methods.crawl.budget import Budget, pace_of, queues_by_host, sizes_of
from seedrank.methods.crawl.policy import UNSCORED, Known, Policy, frozen_as, gifts_summed, links_of

__all__ = ["Budget", "Crawl", "simulate"]

log = logging.getLogger(__name__)

SLICE_LINKS = 5_000_000
"""Links that are followed between two looks at the clock and the keyboard: a fifth of a second or so."""
MARKS = 200
"""Points at least of the curve of scheduling time."""

_STOPPED = {
    kernel.EMPTY: "no discovered page is left",
    kernel.ENOUGH: "the bound is reached",
    kernel.SPENT: "the budget is spent",
}


@dataclass(frozen=True)
class Crawl:
    """An order of fetches and what it took."""

    pages: np.ndarray
    scores: np.ndarray
    found: np.ndarray
    """Per fetch: the page (uint32), its key when it was taken, and its number of discovery (from 0; seeds first)."""
    seconds: float
    """Scheduling time: everything but reading the graph, choosing seeds and measuring."""
    marks: np.ndarray
    """``(fetches, seconds)`` now and then, float64."""
    stopped: str
    """Why it ended."""
    partial: bool
    """It was interrupted."""
    discovered: int
    """Pages seen, fetched or not."""
    refused: int = 0
    """Pages left out because their site had its share."""
    pushes: int = 0
    revisits: int = 0
    """Of the pushing orders."""
    mass: np.ndarray | None = None
    """Per fetch: RankMass proved so far, where the order proves one."""
    bound: float | None = None
    """The tightest lower bound of RankMass at the end."""
    times: np.ndarray | None = None
    """Per fetch: simulated second at which it started, where time is simulated."""
    bytes: float | None = None
    """Bytes fetched, where sizes are known and a budget asks for them."""


def simulate(
    graph: WebGraph,
    policy: Policy,
    seeds: np.ndarray,
    *,
    site: np.ndarray | None = None,
    budget: Budget | None = None,
    progress: Progress = silent,
) -> Crawl:
    """Fetch pages in the order of a policy until nothing is left or the budget is spent.

    Memory: 36 bytes a page (`seedrank.engines.kernels.push`), 8 more and an entry of 16 for fetched pages that hold
    something in orders that push again (`seedrank.engines.kernels.push_again`; 40 a seed), 4 more and some 100 a host
    with politeness, 8 for the simulated time and 8 for the bound.

    Parameters
    ----------
    graph
        The recorded graph. Pages of the frontier are fetched like pages without links; missing pages cost a fetch.
    seeds
        Where to begin, in this order; each page once.
    site
        Site per page, -1 for none; for weights between hosts, caps, politeness, larger sites first.
    budget
        When to stop, how polite to be; everything that can be reached by default.
    """
    return _Simulation(graph, policy, np.asarray(seeds, np.uint32), site, budget or Budget()).run(progress)


@dataclass
class _Clock:
    """Scheduling time and its curve."""

    seconds: float = 0.0
    marks: list[tuple[float, float]] = field(default_factory=list)

    def add(self, started: float, fetches: int) -> None:
        self.seconds += time.perf_counter() - started
        if not self.marks or fetches > self.marks[-1][0]:
            self.marks.append((fetches, self.seconds))


class _Simulation:
    def __init__(
        self, graph: WebGraph, policy: Policy, seeds: np.ndarray, site: np.ndarray | None, budget: Budget
    ) -> None:
        self.graph, self.policy, self.budget = graph, policy, budget
        self.by_host = budget.polite or policy.by_size
        compares = policy.inter_weight != 1 or policy.kind == kernel.COUNT_INTER
        if (compares or budget.per_site or self.by_host) and (site is None or (np.asarray(site) < 0).all()):
            raise GraphError(
                f"no page has a host, which {self._need()} needs", hint="load URLs or a host column, or leave it out"
            )
        self.most = min(graph.pages, budget.pages or graph.pages)
        self.seeds = frozen_as(seeds, np.uint32)
        self.links = links_of(
            graph,
            site=(policy.sites if policy.sites is not None else site) if compares else None,
            capped=None if budget.per_site is None else site,
            sizes=sizes_of(graph) if budget.bytes is not None else None,
        )
        self.rule = _rule(policy, budget, self.seeds)
        sites = 0 if budget.per_site is None else int(self.links.capped.max(initial=-1)) + 1
        # Where pages are pushed again, seeds have queues of their own, in which they rise together.
        rising = self.seeds if policy.again else self.seeds[:0]
        room, seed_room = graph.pages, len(rising)
        if self.by_host:
            assert site is not None
            (self.waiting, room), (self.waiting_seeds, seed_room) = queues_by_host(
                site, rising, by_size=policy.by_size, holds=policy.again
            )
        self.queue = _queue(graph.pages, room, sites, len(rising), seed_room, again=policy.again)
        # A push conserves OPIC's cash, but what it pushed in all is no bound of anything.
        proves = policy.proves and policy.batch is None
        self.out = _out(self.most, proves=proves, timed=self.by_host)
        start = frozen_as(np.zeros(len(seeds)) if policy.start is None else policy.start, np.float64)
        if self.by_host:
            self.pace = pace_of(budget)
            if policy.again:
                push_again.number(self.queue, self.seeds)
                every = np.arange(len(seeds), dtype=np.uint32)
                polite.discover(self.queue.seeds, self.waiting_seeds, self.queue.tallies, every, start)
            else:
                polite.discover(self.queue.heap, self.waiting, self.queue.tallies, self.seeds, start)
        elif policy.again:
            push_again.number(self.queue, self.seeds)
            push_again.discover(self.queue, start)
        else:
            kernel.discover(self.queue, self.seeds, start)

    def _need(self) -> str:
        if self.budget.per_site:
            return "a cap per host"
        return "politeness" if self.budget.polite else self.policy.name

    def run(self, progress: Progress) -> Crawl:
        clock, partial, stopped = _Clock(), False, ""
        batch_mass: list[tuple[int, float]] = []
        n = self.queue.tallies
        step = max(1, self.most // MARKS)
        next_batch = 0
        # Where everything may be fetched, pushes go on after the last page until the bound is reached.
        end = self.most + (self.policy.epsilon is not None and self.most == self.graph.pages)
        with progress(f"fetching ({self.policy.name})", total=self.most) as advance:
            try:
                # Compiles the loop, or reads it from the cache: that is no scheduling.
                self._fetch(0)
                while n[kernel.DONE] < end and not stopped:
                    before = int(n[kernel.DONE])
                    started = time.perf_counter()
                    if self.policy.batch is not None and before >= next_batch:
                        fetched = self._score()
                        if fetched is None:
                            stopped = _STOPPED[kernel.ENOUGH]
                        else:
                            next_batch = before + fetched
                        if self.policy.batch.mass is not None:
                            batch_mass.append((before, self.policy.batch.mass()))
                    if not stopped:
                        until = min(end, before + step)
                        if self.policy.batch is not None:
                            until = min(until, next_batch)
                        self._fetch(until)
                        stopped = _STOPPED.get(int(n[kernel.STATE]), "")
                    clock.add(started, int(n[kernel.DONE]))
                    advance(int(n[kernel.DONE]) - before)
            except KeyboardInterrupt:
                partial, stopped = True, "interrupted"
        if self.policy.batch is not None and self.policy.batch.mass is not None and not partial:
            # The pages of the last window are pushed too.
            started = time.perf_counter()
            self._score(over=True)
            clock.add(started, int(n[kernel.DONE]))
            batch_mass.append((int(n[kernel.DONE]), self.policy.batch.mass()))
        return self._crawl(clock, partial, stopped or "as many pages as asked for", batch_mass)

    def _fetch(self, until: int) -> None:
        if self.by_host:
            polite.fetch(
                self.links, self.queue, self.waiting, self.waiting_seeds, self.rule, self.pace, self.out, until,
                SLICE_LINKS,
            )  # fmt: skip
        elif self.policy.again:
            push_again.fetch(self.links, self.queue, self.rule, self.out, until, SLICE_LINKS)
        else:
            kernel.fetch(self.links, self.queue, self.rule, self.out, until, SLICE_LINKS)

    def _score(self, *, over: bool = False) -> int | None:
        """Score the discovered pages anew; how many to fetch until the next time, `None` when enough is fetched.

        With `over` the crawl is over: all fetches have ended.
        """
        assert self.policy.batch is not None
        n = self.queue.tallies
        done = int(n[kernel.DONE])
        ended = int(n[kernel.HEAD]) if self.by_host and not over else done
        if self.by_host:
            heap_order = np.flatnonzero(self.queue.heap.place >= 0).astype(np.uint32)
            entry = self.waiting.base[self.waiting.host[heap_order]] + self.queue.heap.place[heap_order]
            found = self.queue.heap.words[2 * entry + 1]
        else:
            heap_order = kernel.queued(self.queue)
            found = self.queue.heap.words[1::2][ROOT : ROOT + len(heap_order)]
        by_discovery = np.argsort(found)
        pages = self.out.page
        known = Known(self.graph, self.seeds, pages[:ended], heap_order[by_discovery], pages[ended:done])
        scores = self.policy.batch.score(known)
        if scores is None:
            return None
        keys = np.empty(len(heap_order))
        keys[by_discovery] = scores
        if self.by_host:
            host_queues.rekey(self.queue.heap, self.waiting, heap_order, keys, float(self.queue.sums[kernel.NOW]))
            n[kernel.MARK] = n[kernel.FOUND]
        else:
            kernel.rekey(self.queue, keys)
        return max(1, self.policy.batch.every(known))

    def _crawl(self, clock: _Clock, partial: bool, stopped: str, batch_mass: list[tuple[int, float]]) -> Crawl:
        n, sums, out = self.queue.tallies, self.queue.sums, self.out
        done = int(n[kernel.DONE])
        mass = bound = None
        if len(out.mass):
            mass = out.mass[:done]
            if self.by_host:
                polite.settle(self.queue, self.waiting, self.waiting_seeds, self.out)
            else:
                push_again.settle(self.queue)
            holds = self.queue.again.keys[::2][ROOT : int(n[kernel.AGAIN_END])].sum()
            holds += self.queue.seeds_again.keys[::2][ROOT : int(n[kernel.SEEDS_AGAIN_END])].sum()
            if self.by_host:
                holds += self.waiting.held[out.page[int(n[kernel.HEAD]) : done]].sum()
            bound = float(sums[kernel.MASS] + holds)
        elif self.policy.proves:
            at = np.array([row for row, _ in batch_mass] or [0])
            values = np.array([value for _, value in batch_mass] or [0.0])
            # Row i is the i-th fetch: what was proved when it was made.
            mass = values[np.maximum(np.searchsorted(at, np.arange(1, done + 1), side="right") - 1, 0)]
            bound = float(values[-1])
        return Crawl(
            pages=out.page[:done],
            scores=np.where(out.key[:done] == UNSCORED, np.nan, out.key[:done]),
            found=out.found[:done],
            seconds=clock.seconds,
            marks=np.array(clock.marks, np.float64).reshape(-1, 2),
            stopped=stopped,
            partial=partial,
            discovered=int(n[kernel.FOUND]),
            refused=int(n[kernel.REFUSALS]),
            pushes=int(n[kernel.PUSHES]),
            revisits=int(n[kernel.REVISITS]),
            mass=mass,
            bound=bound,
            times=out.time[:done] if self.budget.polite else None,
            bytes=float(sums[kernel.BYTES]) if len(self.links.sizes) else None,
        )


def _rule(policy: Policy, budget: Budget, seeds: np.ndarray) -> kernel.Rule:
    """What a link does in this order, and when to stop."""
    return kernel.Rule(
        kind=policy.kind,
        damping=float(policy.damping),
        inter_weight=float(policy.inter_weight),
        again=bool(policy.again),
        revisits=policy.revisits,
        seeds=seeds,
        fixed=frozen_as(policy.fixed, np.float64),
        lowest=float(policy.lowest),
        cap=budget.per_site or 0,
        enough=math.inf if policy.epsilon is None else 1.0 - policy.epsilon,
        most_bytes=math.inf if budget.bytes is None else float(budget.bytes),
        gifts=gifts_summed(len(seeds)),
    )


def _queue(pages: int, room: int, sites: int, seeds: int, seed_room: int, *, again: bool) -> kernel.Queue:
    """An empty queue with room for a number of entries; fetched pages wait too with `again`, and seeds apart."""
    queue = kernel.Queue(
        heap=entries(room, np.full(pages, kernel.UNSEEN, np.int32)),
        again=entries(*((pages, np.full(pages, -1, np.int32)) if again else (0, np.empty(0, np.int32)))),
        seeds=entries(seed_room, np.full(seeds, -1, np.int32)),
        seeds_again=entries(seeds, np.full(seeds, -1, np.int32)),
        found=np.empty(pages if again else 0, np.uint32),
        taken=np.zeros(sites, np.int32),
        tallies=np.zeros(kernel.TALLIES, np.int64),
        sums=np.zeros(kernel.SUMS),
    )
    queue.tallies[[kernel.END, kernel.AGAIN_END, kernel.SEEDS_END, kernel.SEEDS_AGAIN_END]] = ROOT
    return queue


def _out(most: int, *, proves: bool, timed: bool) -> kernel.Out:
    """Room for `most` fetches."""
    return kernel.Out(
        page=np.empty(most, np.uint32),
        key=np.empty(most),
        found=np.empty(most, np.uint32),
        mass=np.empty(most if proves else 0),
        time=np.empty(most if timed else 0),
    )
