"""Every order that `seedrank.methods.crawl.methods` names, as a policy for the simulator (docs/algorithms.md §4.4)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from seedrank.core.model import Status
from seedrank.core.order import rounded
from seedrank.engines.kernels import push as kernel
from seedrank.graph import WebGraph
from seedrank.methods.crawl.known_pagerank import known_pagerank
from seedrank.methods.crawl.methods import CRAWL
from seedrank.methods.crawl.policy import BatchScoring, Known, Policy, tiny
from seedrank.methods.frontier.batch import batch_scores
from seedrank.methods.frontier.impact import column_impact
from seedrank.questions.crawl import CrawlQuestion
from seedrank.questions.frontier import ScoreOptions

__all__ = ["CrawlProblem", "policy_of"]


@dataclass(frozen=True)
class CrawlProblem:
    """What an order of `seedrank.methods.crawl.methods` takes."""

    question: CrawlQuestion
    graph: WebGraph
    """The recorded graph."""
    seeds: np.ndarray
    """Where the crawl begins, uint32."""
    domains: Callable[[], np.ndarray]
    """Registered domain per page, int32, -1 for none."""
    pagerank: Callable[[], np.ndarray]
    """PageRank of the whole graph, per page."""
    weights: np.ndarray | None = None
    """Shares that seeds begin with, the same for each when `None`."""

    @property
    def every(self) -> int:
        """Pages of a batch."""
        return self.question.every_pages(self.graph.pages)


Score = Callable[[Known], np.ndarray]


def policy_of(problem: CrawlProblem) -> Policy:
    """The order that is asked for."""
    policy: Policy = CRAWL.method(problem.question.order).run(problem)
    return policy


# -- orders with keys that are known beforehand


def omniscient(problem: CrawlProblem) -> Policy:
    """The discovered page with the highest PageRank of the whole graph, which no crawler can know."""
    final = rounded(problem.pagerank())
    return Policy("omniscient", kernel.FIXED, final[problem.seeds], fixed=final)


def random(seeds: np.ndarray, pages: int, rng: int) -> Policy:
    """Any discovered page with the same chance.

    Each page's clock rings an exponential time after its discovery, and the next to ring is fetched: clocks have no
    memory, so at any moment all that are running are alike.
    """
    steps = np.random.default_rng(rng).exponential(size=pages)
    return Policy("random", kernel.AFTER, -steps[seeds], fixed=steps)


# -- orders that score in batches


def batch_pagerank(damping: float, every: int, partial: bool) -> Policy:
    """PageRank of the known graph: the importance estimate of Cho, Garcia-Molina and Page (1998)."""
    known_pagerank(tiny(), np.zeros(1, np.uint32), np.empty(0, np.uint32))

    def score(known: Known) -> np.ndarray:
        # Pages that are being fetched are known too, as pages without known links.
        others = np.concatenate((known.discovered, known.fetching))
        return known_pagerank(known.graph, known.fetched, others, damping=damping)[1][: len(known.discovered)]

    name = "pagerank:partial" if partial else "pagerank"
    return _in_batches(name, score, every, kernel.NEW_SHARE if partial else kernel.NOTHING)


def rw(problem: CrawlProblem) -> Policy:
    """RW (Tran et al. 2015): the frontier is ranked by the links and the impact of the fetched pages."""
    question = problem.question
    return _impact_walk(problem, "rw", ScoreOptions(damping=question.damping, beta=question.beta))


def rw_eg(problem: CrawlProblem) -> Policy:
    """RW-EG (Tran et al. 2015): RW, over links and virtual links."""
    question = problem.question
    options = ScoreOptions(damping=question.damping, omega=question.omega, beta=question.beta)
    return _impact_walk(problem, "rw-eg", options)


def _impact_walk(problem: CrawlProblem, order: str, options: ScoreOptions) -> Policy:
    graph = problem.graph
    shown = column_impact(graph, problem.question.impact, graph.status == Status.CRAWLED)
    score_after = batch_scores(graph, shown, order, options)

    def score(known: Known) -> np.ndarray:
        fetched = np.zeros(graph.pages, bool)
        fetched[known.fetched] = True
        # Seeds that nothing fetched links to have no score yet: they come last, by discovery.
        return np.nan_to_num(score_after(fetched)[known.discovered])

    return _in_batches(order, score, problem.every, kernel.NOTHING)


def _in_batches(name: str, score: Score, every: int, kind: int) -> Policy:
    batch = BatchScoring(lambda known: rounded(score(known)), lambda known: every)
    return Policy(name, kind, batch=batch)
