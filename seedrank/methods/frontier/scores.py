"""Scores of every method on one problem, each computed once: what methods share is shared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa

from seedrank.core.errors import UsageError
from seedrank.core.order import rounded
from seedrank.methods.frontier import baselines, enrich, queries, walks
from seedrank.methods.frontier.enrich import VirtualLinks
from seedrank.methods.frontier.impact import impact_factor, transformed
from seedrank.methods.frontier.methods import FRONTIER
from seedrank.methods.frontier.problem import FrontierProblem
from seedrank.methods.frontier.queries import Queries, page_words, query_set
from seedrank.methods.frontier.tokens import Vocabulary
from seedrank.questions.frontier import ScoreOptions

__all__ = [
    "Scores",
    "Searches",
    "at_random",
    "best_first",
    "indegree",
    "pagerank",
    "q_hybrid",
    "q_overlap",
    "rw",
    "rw_eg",
]


@dataclass(frozen=True)
class Searches:
    """Where the query methods take their words from, read when first needed.

    Parameters
    ----------
    queries, results
        As `GraphStore.read_queries` and `read_results` give them.
    urls
        Per page, `None` where no page has one.
    links
        Reads batches of links with ``anchors``.
    """

    queries: Callable[[], pa.Table]
    results: Callable[[], pa.Table]
    urls: Callable[[], pa.ChunkedArray | None]
    links: Callable[[], Iterable[pa.RecordBatch]]

    def of_index(self, crawled: np.ndarray) -> Queries:
        """The searches with their need where the index holds the pages `crawled`; an error where there are none."""
        queries, results = self._tables
        return query_set(queries, results, crawled, self._vocabulary)

    @cached_property
    def there(self) -> bool:
        """Whether there are any."""
        return bool(self._tables[0].num_rows)

    @cached_property
    def _tables(self) -> tuple[pa.Table, pa.Table]:
        return self.queries(), self.results()

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        return Vocabulary(self._tables[0]["text"].combine_chunks())


class Scores:
    """Scores of all methods on a problem, float64 per page; larger is better.

    Parameters
    ----------
    problem
        D, F, links and impact.
    options
        Parameters of the methods.
    searches
        For q-overlap and q-hybrid.
    """

    def __init__(
        self, problem: FrontierProblem, options: ScoreOptions | None = None, searches: Searches | None = None
    ) -> None:
        self.problem = problem
        self.options = options or ScoreOptions()
        self.searches = searches
        self._known: dict[str, np.ndarray] = {}

    def of(self, method: str) -> np.ndarray:
        """Scores by a method that needs no model (`seedrank.methods.frontier.methods`)."""
        if method not in self._known:
            self._known[method] = FRONTIER.method(method).load()(self)
        return self._known[method]

    def ranked(self, method: str) -> np.ndarray:
        """Ids of F, best first, by a method."""
        ties = self.ties(method)
        return best_first(self.of(method), self.problem.pages, ties)

    def ties(self, method: str) -> np.random.Generator | None:
        """What orders pages with the same score: chance for q-overlap, which gives most pages none; else their ids."""
        return np.random.default_rng(self.options.rng) if method == "q-overlap" else None

    # -- what methods share

    @cached_property
    def impact(self) -> np.ndarray:
        """Impact as it counts: transformed."""
        return transformed(self.problem.impact, self.problem.crawled, self.options.transform)

    @cached_property
    def virtual_links(self) -> VirtualLinks:
        """Virtual links of the enriched graph."""
        return enrich.virtual_links(self.problem, self.options.virtual, self.options.fan_out_cap)

    def factor(self, beta: float | None = None) -> np.ndarray:
        """F of eq (4)."""
        return self._factor(self.problem.out_degree, beta)

    def virtual_factor(self, beta: float | None = None) -> np.ndarray:
        """F′: with virtual neighbours in place of links."""
        return self._factor(self.virtual_links.degree, beta)

    def rw_eg_grid(self, omegas: Sequence[float], beta: float | None = None) -> np.ndarray:
        """RW-EG for several ω at once, (ω, pages of F)."""
        return walks.rw_eg_grid(
            self.problem,
            self.factor(beta),
            self.virtual_links,
            self.virtual_factor(beta),
            omegas,
            self.options.damping,
        )

    # -- inside

    def _factor(self, degree: np.ndarray, beta: float | None) -> np.ndarray:
        options = self.options
        return impact_factor(
            self.impact,
            self.problem.crawled,
            degree,
            beta=options.beta if beta is None else beta,
            epsilon=options.epsilon,
            unknown=self.problem.unknown,
        )


# -- the methods


def at_random(scores: Scores) -> np.ndarray:
    """A uniform permutation."""
    return baselines.random_scores(scores.problem, scores.options.rng)


def indegree(scores: Scores) -> np.ndarray:
    """How many crawled pages link to a page."""
    return baselines.indegree(scores.problem)


def pagerank(scores: Scores) -> np.ndarray:
    """PageRank on D ∪ F (eq 3)."""
    return baselines.pagerank(scores.problem, scores.options.damping)


def q_overlap(scores: Scores) -> np.ndarray:
    """How well a page's words fit searches that are poorly answered."""
    if scores.searches is None:
        raise UsageError("q-overlap and q-hybrid need searches", hint="give them, or ask another method")
    known = scores.searches.of_index(scores.problem.crawled)
    shown = page_words(scores.problem, known, scores.searches.urls(), scores.searches.links())
    return queries.q_overlap(scores.problem, known, shown, scores.options.match)


def q_hybrid(scores: Scores) -> np.ndarray:
    """Q-Overlap and PageRank, averaged."""
    overlap, walk = scores.of("q-overlap"), scores.of("pagerank")
    return queries.q_hybrid(overlap, walk, scores.problem.frontier, scores.options.mix)


def rw(scores: Scores) -> np.ndarray:
    """The walk over links in which pages with more impact count more (eq 5)."""
    return walks.rw(scores.problem, scores.factor(), scores.options.damping)


def rw_eg(scores: Scores) -> np.ndarray:
    """The same over links and virtual links (eq 10)."""
    return walks.rw_eg(
        scores.problem,
        scores.factor(),
        scores.virtual_links,
        scores.virtual_factor(),
        scores.options.omega,
        scores.options.damping,
    )


def best_first(scores: np.ndarray, pages: np.ndarray, ties: np.random.Generator | None = None) -> np.ndarray:
    """`pages` by score, best first; ties by smaller id, or at random with `ties`."""
    keys = rounded(scores[pages])
    second = pages if ties is None else ties.permutation(len(pages))
    return pages[np.lexsort((second, -keys))]
