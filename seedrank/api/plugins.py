"""Methods of your own beside the built-in ones: decorators that register a function.

A function gets what it declares, by the names of its parameters. Every method may ask for ``graph`` (`WebGraph`),
``engine`` (the primitives of `seedrank.engines.base`) and ``rng`` (a NumPy generator); any other name is a page column
(``views``, ``url``, ``status``), indexed by page id. A package whose entry points name a module under
``seedrank.methods`` is imported when seedrank starts, so that what it registers is there on the command line too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from seedrank.api.own_functions import Columns, call, check_function, first_line
from seedrank.core.errors import SeedrankError, UsageError, shorten
from seedrank.methods.crawl.methods import CRAWL
from seedrank.methods.frontier.methods import FRONTIER
from seedrank.methods.seeds.methods import SEEDS
from seedrank.questions.crawl import count_of
from seedrank.questions.methods import Family, Method
from seedrank.questions.records import QUESTIONS

if TYPE_CHECKING:
    from seedrank.graph import WebGraph
    from seedrank.methods.crawl.orders import CrawlProblem
    from seedrank.methods.crawl.policy import Known, Policy
    from seedrank.methods.frontier.scores import Scores
    from seedrank.methods.seeds.choose import SeedProblem
    from seedrank.methods.seeds.coverage import Selection

__all__ = ["FrontierView", "crawl_order", "frontier_method", "seed_method"]

_F = TypeVar("_F", bound=Callable[..., Any])


@dataclass(frozen=True)
class FrontierView:
    """What a frontier method of your own is asked about."""

    graph: WebGraph
    """The links of crawled pages; those of other pages are not known."""
    crawled: np.ndarray
    frontier: np.ndarray
    """Page ids, ascending."""
    impact: np.ndarray
    """float64 per page id: clicks, views or what else was asked for, of crawled pages; 0 where nobody knows it."""
    rng: np.random.Generator


def crawl_order(name: str, *, batch: int | str = "1%", about: str = "", source: str = "") -> Callable[[_F], _F]:
    """Register a crawl order: ``score(known, …)`` gives a number per page of ``known``, and the highest go first.

    Beside what every method may ask for there are ``known`` (ids of the pages discovered and not fetched, by
    discovery), ``fetched`` (ids in the order of their fetches; a crawler knows the links of these alone) and ``seeds``.

    Parameters
    ----------
    name
        As it is asked for: small letters, digits and hyphens.
    batch
        Pages to fetch until it is asked again, or a share of the graph's pages. Pages discovered meanwhile come last.
    about
        One line for help; that of the docstring by default.
    source
        The paper it comes from, such as ``"Author et al. 2024"``.
    """
    count_of("batch", str(batch), 1)

    def register(function: _F) -> _F:
        def run(problem: CrawlProblem) -> Policy:
            return _policy(name, function, str(batch), problem)

        return _register(CRAWL, name, function, run, about, source, {"limit": 1_000})

    return register


def seed_method(name: str, *, about: str = "", source: str = "") -> Callable[[_F], _F]:
    """Register a method that chooses seeds: ``choose(candidates, k, …)`` gives at most ``k`` of the candidates.

    Beside what every method may ask for there are ``candidates`` (ids of the pages that may be chosen) and ``k``. With
    seeds per site it is asked once per site.

    Parameters
    ----------
    name, about, source
        As for `crawl_order`.
    """

    def register(function: _F) -> _F:
        def run(problem: SeedProblem) -> Selection:
            return _selection(name, function, problem)

        return _register(SEEDS, name, function, run, about, source, {"k": 10})

    return register


def frontier_method(name: str, *, about: str = "", source: str = "") -> Callable[[_F], _F]:
    """Register a method that ranks the frontier: ``rank(problem, …)`` gives a number per page of ``problem.frontier``.

    ``problem`` is a `FrontierView`. Page columns are known of crawled pages alone, and NaN for others.

    Parameters
    ----------
    name, about, source
        As for `crawl_order`.
    """

    def register(function: _F) -> _F:
        def run(scores: Scores) -> np.ndarray:
            return _frontier_scores(name, function, scores)

        return _register(FRONTIER, name, function, run, about, source, {"budget": "1%"})

    return register


def _register(
    family: Family,
    name: str,
    function: _F,
    run: Callable[[Any], Any],
    about: str,
    source: str,
    example: Mapping[str, Any],
) -> _F:
    check_function(name, function)
    if f"{family.question.command} {name}" in QUESTIONS:
        raise UsageError(f"{family.question.command} has a command {name}", hint="choose another name")
    first = first_line(function, "A method of your own.")
    family.register(Method(name, about or first, source, run, example, plugin=function))
    return function


# -- what functions get, and what they give back


def _policy(name: str, function: Callable[..., Any], batch: str, problem: CrawlProblem) -> Policy:
    from seedrank.engines.kernels.push import FIXED
    from seedrank.methods.crawl.orders import in_batches
    from seedrank.methods.crawl.policy import UNSCORED

    rng = np.random.default_rng(problem.question.rng)
    graph, columns = problem.graph, Columns(problem.graph)
    fixed = {"graph": lambda: graph, "engine": problem.engine, "rng": lambda: rng, "seeds": lambda: problem.seeds}

    def score(known: Known) -> np.ndarray:
        own = {"known": lambda: known.discovered.astype(np.int64), "fetched": lambda: known.fetched.astype(np.int64)}
        given = call(name, function, {**fixed, **own}, columns)
        return _numbers(name, given, len(known.discovered), "known")

    waiting = np.full(graph.pages, UNSCORED)
    return in_batches(name, score, count_of("batch", batch, graph.pages), FIXED, waiting)


def _selection(name: str, function: Callable[..., Any], problem: SeedProblem) -> Selection:
    from seedrank.methods.seeds.coverage import cover_in_order

    asked = problem.coverage
    graph, columns = problem.graph, Columns(problem.graph)
    rng = np.random.default_rng(problem.question.rng)
    allowed = asked.candidates & (asked.groups >= 0)
    allowed[asked.keep] = False
    pages = np.flatnonzero(allowed)
    pages = pages[np.argsort(asked.groups[pages], kind="stable")]
    ends = np.searchsorted(asked.groups[pages], np.arange(len(asked.quota) + 1))

    def choose(candidates: np.ndarray, most: int) -> np.ndarray:
        if not most or not len(candidates):
            return np.empty(0, np.int64)
        known: dict[str, Callable[[], Any]] = {
            "graph": lambda: graph, "engine": lambda: asked.engine, "rng": lambda: rng,
            "candidates": lambda: candidates, "k": lambda: most,
        }  # fmt: skip
        return _some_of(name, call(name, function, known, columns), candidates, most)

    chosen = [
        choose(pages[first:last], most)
        for first, last, most in zip(ends[:-1], ends[1:], asked.quota.tolist(), strict=True)
    ]
    return cover_in_order(asked, chosen)


def _frontier_scores(name: str, function: Callable[..., Any], scores: Scores) -> np.ndarray:
    problem = scores.problem
    rng = np.random.default_rng(scores.options.rng)
    view = FrontierView(problem.graph, np.flatnonzero(problem.crawled), problem.pages, problem.impact, rng)
    known: dict[str, Callable[[], Any]] = {
        "problem": lambda: view, "graph": lambda: problem.graph, "engine": lambda: problem.engine, "rng": lambda: rng,
    }  # fmt: skip
    found = np.full(problem.engine.pages, np.nan)
    found[problem.pages] = _numbers(
        name,
        call(name, function, known, Columns(problem.whole, problem.crawled)),
        len(problem.pages),
        "problem.frontier",
    )
    return found


def _numbers(name: str, given: Any, count: int, of: str) -> np.ndarray:
    """Scores as float64, one per page."""
    try:
        scores = np.asarray(given, np.float64)
    except (TypeError, ValueError):
        raise SeedrankError(f"{name} gives {shorten(given)}", hint=f"give one number per page of {of}") from None
    if scores.shape != (count,):
        shape = f"{len(scores):,} scores" if scores.ndim == 1 else f"an array of shape {scores.shape}"
        raise SeedrankError(f"{name} gives {shape} for {count:,} pages", hint=f"give one number per page of {of}")
    if not np.isfinite(scores).all():
        wrong = int((~np.isfinite(scores)).sum())
        raise SeedrankError(
            f"{name} gives no number for {wrong:,} of {count:,} pages",
            hint="fill them, for example by numpy.nan_to_num: a page column is NaN where a page has no value",
        )
    return scores


def _some_of(name: str, given: Any, candidates: np.ndarray, most: int) -> np.ndarray:
    """Page ids, each one of the candidates and given once, at most so many."""
    try:
        ids = np.asarray(list(given) if isinstance(given, Iterable) else given)
    except TypeError:
        ids = np.empty(())
    if ids.ndim != 1 or not (np.issubdtype(ids.dtype, np.integer) or not len(ids)):
        raise SeedrankError(f"{name} gives {shorten(given)}", hint="give ids of candidates, an array of whole numbers")
    ids = ids.astype(np.int64)
    if len(ids) > most:
        raise SeedrankError(f"{name} gives {len(ids):,} seeds where {most:,} were asked for", hint="give at most k")
    if len(np.unique(ids)) < len(ids):
        raise SeedrankError(f"{name} gives a page twice", hint="give each seed once")
    other = ids[~np.isin(ids, candidates)]
    if len(other):
        raise SeedrankError(f"{name} gives page {other[0]}, which is no candidate", hint="choose among candidates")
    return ids
