"""Every order that `seedrank.methods.crawl.methods` names, as a policy for the simulator (docs/algorithms.md §4.4)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

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
from seedrank.questions.methods import arguments_of

__all__ = ["Surroundings", "policy_of"]


@dataclass(frozen=True)
class Surroundings:
    """What an order may need beside the links.

    Parameters
    ----------
    graph
        The recorded graph.
    seeds
        Where the crawl begins, uint32.
    domains
        Registered domain per page, int32, -1 for none.
    pagerank
        PageRank of the whole graph, per page.
    """

    graph: WebGraph
    seeds: np.ndarray
    domains: Callable[[], np.ndarray]
    pagerank: Callable[[], np.ndarray]


Score = Callable[[Known], np.ndarray]


def policy_of(question: CrawlQuestion, around: Surroundings) -> Policy:
    """The order that is asked for: its function takes what it names of the surroundings and of the question."""
    make = CRAWL.method(question.order).load()
    more: dict[str, Callable[[], Any]] = {
        "around": lambda: around,
        "seeds": lambda: around.seeds,
        "pages": lambda: around.graph.pages,
        "every": lambda: question.every_pages(around.graph.pages),
    }
    policy: Policy = make(**arguments_of(make, question, more))
    return policy


# -- orders that queue


def bfs() -> Policy:
    """By discovery."""
    return Policy("bfs")


def backlink() -> Policy:
    """The page with the most links seen so far."""
    return Policy("backlink", kernel.COUNT)


def transdomain(around: Surroundings) -> Policy:
    """The page with the most links from other registered domains."""
    return Policy("transdomain", kernel.COUNT_INTER, sites=around.domains())


def larger_sites() -> Policy:
    """A page of the site with the most waiting pages."""
    return Policy("larger-sites", by_size=True)


def omniscient(around: Surroundings) -> Policy:
    """The discovered page with the highest PageRank of the whole graph, which no crawler can know."""
    final = rounded(around.pagerank())
    return Policy("omniscient", kernel.FIXED, final[around.seeds], fixed=final)


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


def rw(around: Surroundings, damping: float, every: int, impact: str, beta: float) -> Policy:
    """RW (Tran et al. 2015): the frontier is ranked by the links and the impact of the fetched pages."""
    return _impact_walk(around, "rw", every, impact, ScoreOptions(damping=damping, beta=beta))


def rw_eg(around: Surroundings, damping: float, every: int, impact: str, omega: float, beta: float) -> Policy:
    """RW-EG (Tran et al. 2015): RW, over links and virtual links."""
    return _impact_walk(around, "rw-eg", every, impact, ScoreOptions(damping=damping, omega=omega, beta=beta))


def _impact_walk(around: Surroundings, order: str, every: int, impact: str, options: ScoreOptions) -> Policy:
    graph = around.graph
    shown = column_impact(graph, impact, graph.status == Status.CRAWLED)
    score_after = batch_scores(graph, shown, order, options)

    def score(known: Known) -> np.ndarray:
        fetched = np.zeros(graph.pages, bool)
        fetched[known.fetched] = True
        # Seeds that nothing fetched links to have no score yet: they come last, by discovery.
        return np.nan_to_num(score_after(fetched)[known.discovered])

    return _in_batches(order, score, every, kernel.NOTHING)


def _in_batches(name: str, score: Score, every: int, kind: int) -> Policy:
    batch = BatchScoring(lambda known: rounded(score(known)), lambda known: every)
    return Policy(name, kind, batch=batch)
