"""Every order that `seedrank.methods.crawl.methods` names, as a policy for the simulator (docs/algorithms.md §4.4)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from seedrank.core.errors import UsageError
from seedrank.core.model import Status
from seedrank.core.order import rounded
from seedrank.engines.base import Engine
from seedrank.engines.kernels import push as kernel
from seedrank.engines.kernels.push import sweep
from seedrank.engines.native.engine import NativeEngine
from seedrank.graph import WebGraph
from seedrank.methods.crawl.methods import CRAWL
from seedrank.methods.crawl.policy import BatchScoring, Known, Policy, links_of, tiny
from seedrank.methods.frontier.impact import column_impact
from seedrank.methods.frontier.problem import pose, reveal
from seedrank.methods.frontier.scores import Scores
from seedrank.questions.crawl import CrawlQuestion
from seedrank.questions.frontier import ScoreOptions

__all__ = ["CrawlProblem", "batch_scores", "in_batches", "policy_of"]


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
    engine: Callable[[], Engine]
    """The primitives, for orders that users register."""
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
    _known_pagerank(tiny(), np.zeros(1, np.uint32), np.empty(0, np.uint32))

    def score(known: Known) -> np.ndarray:
        # Pages that are being fetched are known too, as pages without known links.
        others = np.concatenate((known.discovered, known.fetching))
        return _known_pagerank(known.graph, known.fetched, others, damping=damping)[1][: len(known.discovered)]

    name = "pagerank:partial" if partial else "pagerank"
    return in_batches(name, score, every, kernel.NEW_SHARE if partial else kernel.NOTHING)


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

    return in_batches(order, score, problem.every, kernel.NOTHING)


def in_batches(name: str, score: Score, every: int, kind: int, fixed: np.ndarray | None = None) -> Policy:
    """An order that scores what is discovered, and again after `every` fetches; `kind` and `fixed` as in `Policy`."""
    batch = BatchScoring(lambda known: rounded(score(known)), lambda known: every)
    return Policy(name, kind, batch=batch, fixed=np.empty(0) if fixed is None else fixed)


def _known_pagerank(
    graph: WebGraph, fetched: np.ndarray, discovered: np.ndarray, *, damping: float = 0.85, tolerance: float = 1e-13
) -> tuple[np.ndarray, np.ndarray]:
    """IR of Cho, Garcia-Molina and Page: (1-d) + d Σ IR(q) / c_q over the known graph; pages without links link to all.

    At least one page is known. What a page holds below the tolerance is not pushed.

    Returns
    -------
    fetched, discovered
        float64 for each page of both; the mean over all known pages is 1.
    """
    known = len(fetched) + len(discovered)
    residual, estimate = np.zeros(graph.pages), np.zeros(graph.pages)
    residual[fetched] = residual[discovered] = 1.0
    links, nowhere, no_rows = links_of(graph), np.empty(0, np.uint32), np.empty(0, np.int64)
    while sweep(links, fetched, 0, len(fetched), residual, estimate, damping, tolerance, nowhere, no_rows, 1) > 0:
        pass
    estimate += residual
    scale = known / (estimate[fetched].sum() + estimate[discovered].sum())
    return estimate[fetched] * scale, estimate[discovered] * scale


def batch_scores(
    graph: WebGraph, impact: np.ndarray, method: str = "rw-eg", options: ScoreOptions | None = None
) -> Callable[[np.ndarray], np.ndarray]:
    """A function from what is fetched to the scores of what could be fetched next.

    Fetched pages are D: they show their links and their impact. Discovered pages that are not fetched are F. Each call
    takes a copy of the links of the fetched pages (4 bytes each), the in-links made of it, and 12 bytes a virtual link.

    `method` is ``rw`` or ``rw-eg``; of the recorded graph and of the impact only those of fetched pages are looked at.

    Returns
    -------
    callable
        Takes a boolean per page (fetched), gives float64 per page: scores of F, NaN for every other page.
    """
    if method not in ("rw", "rw-eg"):
        raise UsageError(f"{method!r} is not an order in batches", hint="rw or rw-eg")

    def scores(fetched: np.ndarray) -> np.ndarray:
        found = np.full(graph.pages, np.nan)
        # A page whose links were never recorded shows none when it is fetched.
        known = reveal(graph, fetched & (graph.status == Status.CRAWLED))
        engine = NativeEngine(known)
        frontier = (engine.degrees()[0] > 0) & ~fetched
        if fetched.any() and frontier.any():
            values = Scores(pose(known, engine, fetched, frontier, impact), options).of(method)
            found[frontier] = values[frontier]
        return found

    return scores
