"""Scores of every method on one problem, each computed once: what methods share is shared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa

from seedrank.core import numbers
from seedrank.core.errors import UsageError
from seedrank.core.order import rounded
from seedrank.frontier import baselines, enrich, walks
from seedrank.frontier.enrich import Virtual, VirtualLinks
from seedrank.frontier.impact import EPSILON, Transform, impact_factor, transformed
from seedrank.frontier.problem import FrontierProblem
from seedrank.frontier.queries import Match, Queries, page_words, q_hybrid, q_overlap, query_set

__all__ = ["METHODS", "QUERY_METHODS", "Options", "Scores", "Searches", "best_first"]

METHODS = ("random", "indegree", "pagerank", "q-overlap", "q-hybrid", "rw", "rw-eg")
QUERY_METHODS = ("q-overlap", "q-hybrid")


@dataclass(frozen=True)
class Options:
    """Parameters of the methods.

    Parameters
    ----------
    damping
        α of all walks, in (0, 1). Default 0.85.
    omega
        Share of the links against virtual links, in [0, 1]. Default 0.8.
    beta
        Power of the out-degree in the impact factor, 0 or more. Default 0.
    epsilon
        Added to every impact. Default 0.001.
    transform
        ``linear`` (default), ``log1p`` or ``rank``.
    virtual
        ``df`` (default): virtual links from crawled to frontier pages; ``dd``: among crawled pages too.
    fan_out_cap
        Citing pages with more links make no virtual links; no cap by default.
    mix
        λ of q-hybrid, in [0, 1]. Default 0.5.
    match
        ``all`` (default) or ``share`` of a search's words.
    rng
        Random sequence of ``random`` and of ties of ``q-overlap``.
    """

    damping: float = 0.85
    omega: float = 0.8
    beta: float = 0.0
    epsilon: float = EPSILON
    transform: Transform = "linear"
    virtual: Virtual = "df"
    fan_out_cap: int | None = None
    mix: float = 0.5
    match: Match = "all"
    rng: int = 1

    def __post_init__(self) -> None:
        for name, value in (("omega", self.omega), ("lambda", self.mix)):
            if not 0 <= value <= 1:
                raise UsageError(f"{name} must be from 0 to 1, not {value:.6g}")
        if not 0 < self.damping < 1:
            raise UsageError(f"damping must be above 0 and below 1, not {self.damping:.6g}")
        numbers.finite("beta", self.beta, 0.0, numbers.MOST_POWER)
        numbers.finite("epsilon", self.epsilon, 0.0, numbers.MOST_WORTH)
        numbers.whole("rng", self.rng, 0, numbers.RNG_MOST)
        if self.fan_out_cap is not None:
            numbers.whole("fan_out_cap", self.fan_out_cap, 1)


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

    @cached_property
    def known(self) -> Queries:
        """The searches; an error where there are none."""
        return query_set(self.queries(), self.results())

    @cached_property
    def there(self) -> bool:
        """Whether there are any."""
        return bool(self.queries().num_rows)


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
        self, problem: FrontierProblem, options: Options | None = None, searches: Searches | None = None
    ) -> None:
        self.problem = problem
        self.options = options or Options()
        self.searches = searches
        self._known: dict[str, np.ndarray] = {}

    def of(self, method: str) -> np.ndarray:
        """Scores by a method of `METHODS`."""
        if method not in self._known:
            ways: dict[str, Callable[[], np.ndarray]] = {
                "random": lambda: baselines.random_scores(self.problem, self.options.rng),
                "indegree": lambda: baselines.indegree(self.problem),
                "pagerank": lambda: baselines.pagerank(self.problem, self.options.damping),
                "q-overlap": self._overlap,
                "q-hybrid": self._hybrid,
                "rw": lambda: walks.rw(self.problem, self.factor(), self.options.damping),
                "rw-eg": self._enriched,
            }
            self._known[method] = ways[method]()
        return self._known[method]

    def ranked(self, method: str) -> np.ndarray:
        """Ids of F, best first, by a method."""
        ties = np.random.default_rng(self.options.rng) if method == "q-overlap" else None
        return best_first(self.of(method), self.problem.pages, ties)

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
        )

    def _enriched(self) -> np.ndarray:
        return walks.rw_eg(
            self.problem,
            self.factor(),
            self.virtual_links,
            self.virtual_factor(),
            self.options.omega,
            self.options.damping,
        )

    def _overlap(self) -> np.ndarray:
        if self.searches is None:
            raise UsageError("q-overlap and q-hybrid need searches", hint="give them, or ask another method")
        known = self.searches.known
        shown = page_words(self.problem, known, self.searches.urls(), self.searches.links())
        return q_overlap(self.problem, known, shown, self.options.match)

    def _hybrid(self) -> np.ndarray:
        return q_hybrid(self.of("q-overlap"), self.of("pagerank"), self.problem.frontier, self.options.mix)


def best_first(scores: np.ndarray, pages: np.ndarray, ties: np.random.Generator | None = None) -> np.ndarray:
    """`pages` by score, best first; ties by smaller id, or at random with `ties`."""
    keys = rounded(scores[pages])
    second = pages if ties is None else ties.permutation(len(pages))
    return pages[np.lexsort((second, -keys))]
