"""Scores of every method on one problem, each computed once: what methods share is shared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import scipy.sparse as sp

from seedrank.core.errors import UsageError
from seedrank.core.order import rounded
from seedrank.methods.frontier import enrich, walks
from seedrank.methods.frontier.enrich import VirtualLinks
from seedrank.methods.frontier.impact import impact_factor, transformed
from seedrank.methods.frontier.methods import FRONTIER
from seedrank.methods.frontier.model import Model
from seedrank.methods.frontier.problem import FrontierProblem
from seedrank.methods.frontier.queries import Queries, Vocabulary, page_words, query_set
from seedrank.questions.frontier import ScoreOptions

__all__ = ["Scores", "Searches", "best_first"]


@dataclass(frozen=True)
class Searches:
    """Where the query methods take their words from, read when first needed."""

    queries: Callable[[], pa.Table]
    results: Callable[[], pa.Table]
    """As `GraphStore.read_queries` and `read_results` give them."""
    urls: Callable[[], pa.ChunkedArray | None]
    """Per page, `None` where no page has one."""
    links: Callable[[], Iterable[pa.RecordBatch]]
    """Reads batches of links with ``anchors``."""

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

    The searches are for q-overlap and q-hybrid.
    """

    def __init__(
        self, problem: FrontierProblem, options: ScoreOptions | None = None, searches: Searches | None = None
    ) -> None:
        self.problem = problem
        self.options = options or ScoreOptions()
        self.searches = searches
        self.model: Model | None = None
        """Of impact, for ``learned``."""
        self._known: dict[str, np.ndarray] = {}

    def of(self, method: str) -> np.ndarray:
        """Scores by a method of `seedrank.methods.frontier.methods`; ``learned`` takes `model`."""
        if method not in self._known:
            self._known[method] = FRONTIER.method(method).run(self)
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

    def words_of_searches(self) -> tuple[Queries, sp.csr_array]:
        """The searches, and which of their words each frontier page shows."""
        if self.searches is None:
            raise UsageError("q-overlap and q-hybrid need searches", hint="give them, or ask another method")
        known = self.searches.of_index(self.problem.crawled)
        return known, page_words(self.problem, known, self.searches.urls(), self.searches.links())

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


def best_first(scores: np.ndarray, pages: np.ndarray, ties: np.random.Generator | None = None) -> np.ndarray:
    """`pages` by score, best first; ties by smaller id, or at random with `ties`."""
    keys = rounded(scores[pages])
    second = pages if ties is None else ties.permutation(len(pages))
    return pages[np.lexsort((second, -keys))]
