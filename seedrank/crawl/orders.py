"""The other orders, and every order by name (docs/algorithms.md §4.4)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from seedrank.core.model import Status
from seedrank.core.order import rounded
from seedrank.crawl import push
from seedrank.crawl.known_pagerank import known_pagerank
from seedrank.crawl.policy import BatchScoring, Known, Policy, tiny
from seedrank.crawl.question import CrawlQuestion
from seedrank.frontier.batch import batch_scores
from seedrank.frontier.impact import column_impact
from seedrank.frontier.scores import Options
from seedrank.graph import WebGraph
from seedrank.kernels import push as kernel

__all__ = ["BATCH_ORDERS", "Surroundings", "policy_of"]


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

BATCH_ORDERS: dict[str, Callable[[CrawlQuestion, Surroundings], Score]] = {}
"""Orders that score the discovered pages in batches: name -> (question, surroundings) -> score function."""


def _batch_pagerank(question: CrawlQuestion, around: Surroundings) -> Score:
    """PageRank of the known graph: the importance estimate of Cho, Garcia-Molina and Page (1998)."""
    known_pagerank(tiny(), np.zeros(1, np.uint32), np.empty(0, np.uint32))

    def score(known: Known) -> np.ndarray:
        return known_pagerank(known.graph, known.fetched, known.discovered, damping=question.damping)[1]

    return score


def _impact_walk(question: CrawlQuestion, around: Surroundings) -> Score:
    """RW or RW-EG (Tran et al. 2015): the frontier is ranked by the links and the impact of the fetched pages."""
    graph = around.graph
    impact = column_impact(graph, question.impact, graph.status == Status.CRAWLED)
    options = Options(damping=question.damping, omega=question.omega, beta=question.beta)
    score_after = batch_scores(graph, impact, question.order, options)

    def score(known: Known) -> np.ndarray:
        fetched = np.zeros(graph.pages, bool)
        fetched[known.fetched] = True
        # Seeds that nothing fetched links to have no score yet: they come last, by discovery.
        return np.nan_to_num(score_after(fetched)[known.discovered])

    return score


BATCH_ORDERS |= {"pagerank": _batch_pagerank, "rw": _impact_walk, "rw-eg": _impact_walk}


def policy_of(question: CrawlQuestion, around: Surroundings) -> Policy:
    """The order that is asked for."""
    seeds, pages = around.seeds, around.graph.pages
    name, damping, epsilon = question.order, question.damping, question.epsilon
    if name in BATCH_ORDERS:
        return _in_batches(question, around)
    make: dict[str, Callable[[], Policy]] = {
        "fpr": lambda: push.fpr(seeds, inter_host_weight=question.inter_host_weight, damping=damping),
        "rankmass": lambda: push.rankmass(seeds, damping=damping, epsilon=epsilon),
        "windowed-rankmass": lambda: push.windowed_rankmass(
            seeds, pages, window=question.window, damping=damping, epsilon=epsilon
        ),
        "opic": lambda: push.opic(seeds),
        "l-neighbor": lambda: push.l_neighbor(seeds, damping=damping, epsilon=epsilon),
        "bfs": lambda: Policy("bfs"),
        "backlink": lambda: Policy("backlink", kernel.COUNT),
        "transdomain": lambda: Policy("transdomain", kernel.COUNT_INTER, sites=around.domains()),
        "larger-sites": lambda: Policy("larger-sites", by_size=True),
        "omniscient": lambda: _omniscient(around),
        "random": lambda: _random(question, around),
    }
    return make[name]()


def _in_batches(question: CrawlQuestion, around: Surroundings) -> Policy:
    score = BATCH_ORDERS[question.order](question, around)
    every = question.every_pages(around.graph.pages)
    batch = BatchScoring(lambda known: rounded(score(known)), lambda known: every)
    kind = kernel.NEW_SHARE if question.partial else kernel.NOTHING
    return Policy(question.name, kind, batch=batch)


def _omniscient(around: Surroundings) -> Policy:
    """The discovered page with the highest PageRank of the whole graph, which no crawler can know."""
    final = rounded(around.pagerank())
    return Policy("omniscient", kernel.FIXED, final[around.seeds], fixed=final)


def _random(question: CrawlQuestion, around: Surroundings) -> Policy:
    """Any discovered page with the same chance.

    Each page's clock rings an exponential time after its discovery, and the next to ring is fetched: clocks have no
    memory, so at any moment all that are running are alike.
    """
    steps = np.random.default_rng(question.rng).exponential(size=around.graph.pages)
    return Policy("random", kernel.AFTER, -steps[around.seeds], fixed=steps)
