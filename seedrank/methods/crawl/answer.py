"""Answer a question about a crawl: the order, the simulator and the metrics brought together."""

from __future__ import annotations

import logging
import time
from dataclasses import replace
from functools import cached_property

import numpy as np
import pyarrow as pa

from seedrank.core.levels import PLURAL
from seedrank.core.model import Status
from seedrank.engines.native.engine import NativeEngine
from seedrank.engines.native.push_walk import push_walk
from seedrank.graph.levels import site_of
from seedrank.methods.crawl.budget import Budget
from seedrank.methods.crawl.methods import CRAWL
from seedrank.methods.crawl.metrics import Metrics, measured, summary
from seedrank.methods.crawl.orders import CrawlProblem, policy_of
from seedrank.methods.crawl.simulate import Crawl, simulate
from seedrank.methods.crawl.starts import start_pages
from seedrank.methods.host_table import crawl_hosts, starving
from seedrank.methods.rank.members import labels_of
from seedrank.methods.seeds.value import worth_of
from seedrank.methods.worthless import duplicates_of, worthless
from seedrank.questions.crawl import Crawling, CrawlQuestion
from seedrank.questions.question import Saved
from seedrank.questions.seeds import Worth
from seedrank.runs import Answer, Ranking
from seedrank.session import Session
from seedrank.session.page_lists import pinned

__all__ = ["Crawls", "replay"]

log = logging.getLogger(__name__)


def replay(session: Session, question: CrawlQuestion, *, save: Saved = False, write: str | None = None) -> Answer:
    """Replay a crawl over the recorded graph; its order is kept as a run.

    A row per fetch has ``score`` (the key at the fetch), ``discovered`` (number of the discovery, from 1), ``bound``
    and ``second`` where there are any. An interrupted crawl is kept too, with ``partial`` among its facts.
    """
    CRAWL.check(question)
    session.check_column(write)
    session.check_here(f"crawl {question.order}", "an order is one long queue, worked off page by page")
    started = time.perf_counter()
    question = replace(question, seeds=pinned(session, question.seeds))
    crawls = Crawls(session, question)
    start = start_pages(session, question.seeds, question.rng)
    if question.order != "fpr":
        start.refuse_weights(question.order)
    pages = start.pages
    metrics = crawls.metrics_from(pages)  # first: a list or column that is not there ends no long crawl
    crawl = crawls.run(question, pages, start.weights)
    facts = {
        **start.facts,
        **summary(metrics, crawl),
        "partial": crawl.partial,
        "discovered": crawl.discovered,
        "pushes": crawl.pushes,
        "revisits": crawl.revisits,
    }
    columns: dict[str, np.ndarray] = {"discovered": crawl.found.astype(np.int64) + 1}
    if crawl.mass is not None:
        columns["bound"] = crawl.mass
    if crawl.times is not None:
        columns["second"] = crawl.times
    ranking = Ranking(crawl.pages.astype(np.int64), crawl.scores, columns)
    hosts = None
    if not session.is_derived:
        reachable = NativeEngine(session.graph).bfs_hops(pages) >= 0
        hosts = crawl_hosts(session.graph, pages, reachable, ranking.pages, crawl.times)
    facts |= starving(hosts)
    tables = None if hosts is None else {"hosts": hosts}
    # An order is one long queue: it is worked off in memory, whichever engine is asked for.
    engines = {"crawl": "native"}
    return session.answered(
        question, started, ranking, facts, save=save, write=write, tables=tables, engines=engines, site=session.site
    )


class Crawls:
    """Crawls over one store; what pages are worth is worked out once.

    Parameters
    ----------
    measures
        Says what to measure by beside PageRank, clicks, views and spam: ``value``, ``trusted``, ``first``.
    tell
        Warn of a crawl that ends before it has all it was asked for.
    duplicates
        Measure how many pages repeat others of their host, where any does.
    """

    def __init__(
        self, session: Session, measures: Crawling | None = None, *, tell: bool = True, duplicates: bool = False
    ) -> None:
        self._tell, self._duplicates = tell, duplicates
        self.session = session
        self.measures = Crawling() if measures is None else measures
        self._ended: set[int] = set()
        self._seeds = np.empty(0, np.int64)
        self._from_seeds: Metrics

    @property
    def _worth(self) -> np.ndarray | None:
        """What pages are worth, where that is measured."""
        value = self.measures.value
        if value is None:
            return None
        return worth_of(Worth(value=value), self.session.graph, self.session.engine, self.session.sites)

    @cached_property
    def metrics(self) -> Metrics:
        """What orders are measured by, from whichever seeds."""
        named = self.measures.trusted
        trusted = None if named is None else labels_of(self.session, named)
        first = self.measures.first_pages(self.session.graph.pages)
        idle = None
        if self.measures.fold or self.measures.no_traps:
            idle = worthless(self.session, fold=self.measures.fold, no_traps=self.measures.no_traps)
        pagerank = self.session.pagerank_in_memory
        metrics = Metrics.of(self.session.graph, pagerank, self.session.sites, self._worth, trusted, first, idle)
        if self._duplicates and not self.session.is_derived and (flags := duplicates_of(self.session).flags).any():
            repeats = np.where(self.session.graph.status == Status.MISSING, np.nan, flags)
            metrics = replace(metrics, labels={**metrics.labels, "duplicates": repeats})
        return metrics

    def metrics_from(self, seeds: np.ndarray) -> Metrics:
        """The same, and ``rankmass``: PageRank of a walk that begins anew at the seeds, missing pages included."""
        mass = push_walk(self.session.graph, trust=seeds, progress=self.session.progress)
        return replace(self.metrics, worth={**self.metrics.worth, "rankmass": mass})

    def run(self, question: CrawlQuestion, seeds: np.ndarray, weights: np.ndarray | None = None) -> Crawl:
        """Replay a crawl; `weights` are the shares that seeds begin with, the same for each by default."""
        graph = self.session.graph
        problem = CrawlProblem(
            question,
            graph,
            seeds.astype(np.uint32),
            lambda: site_of(graph, "domain"),
            lambda: self.session.pagerank_in_memory,
            lambda: self.session.engine,
            weights,
        )
        budget = Budget(
            pages=question.limit,
            per_site=None if question.per_host is None else min(question.per_host, graph.pages),
            bytes=question.bytes,
            hours=question.hours,
            host_delay=question.host_delay,
            parallel=min(question.parallel, graph.pages),
            fetch_seconds=question.fetch_seconds,
        )
        crawl = simulate(
            graph,
            policy_of(problem),
            seeds,
            site=self.session.sites,
            budget=budget,
            progress=self.session.progress,
        )
        wanted = min(question.limit or graph.pages, graph.pages)
        came = len(crawl.pages)
        if self._tell and crawl.stopped.startswith("no discovered") and came < wanted and came not in self._ended:
            # Said once: in a comparison every order ends where the links from the seeds end.
            self._ended.add(came)
            level = self.session.level
            refused = f"; {crawl.refused:,} were over the cap per host" if crawl.refused else ""
            log.info(
                "%s stopped after %s of %s %s: no discovered %s is left%s",
                question.name, f"{came:,}", f"{wanted:,}", PLURAL[level], level, refused,
            )  # fmt: skip
        return crawl

    def measure(self, question: CrawlQuestion, seeds: np.ndarray, horizon: int | None) -> tuple[pa.Table, pa.Table]:
        """Replay a crawl and measure it: a row of numbers, and a curve."""
        if not np.array_equal(self._seeds, seeds):
            self._seeds, self._from_seeds = seeds, self.metrics_from(seeds)
        return measured(self._from_seeds, question.name, self.run(question, seeds), horizon)
