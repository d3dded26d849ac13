"""Methods and formats of your own beside the built-in ones: decorators that register a function.

A function gets what it declares, by the names of its parameters. Every method may ask for ``graph`` (`WebGraph`),
``engine`` (the primitives of `seedrank.engines.base`) and ``rng`` (a NumPy generator); any other name is a page column
(``views``, ``url``, ``status``), indexed by page id. A package whose entry points name a module under
``seedrank.methods`` is imported when seedrank starts, so that what it registers is there on the command line too.
"""

from __future__ import annotations

import difflib
import inspect
import re
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from seedrank.core.errors import GraphError, SeedrankError, UsageError, shorten
from seedrank.exporters import targets
from seedrank.graph import WebGraph
from seedrank.loaders import formats
from seedrank.methods.crawl.methods import CRAWL
from seedrank.methods.frontier.methods import FRONTIER
from seedrank.methods.seeds.methods import SEEDS
from seedrank.questions.commands import QUESTIONS
from seedrank.questions.crawl import count_of
from seedrank.questions.methods import Family, Method

if TYPE_CHECKING:
    from seedrank.exporters.rows import Rows
    from seedrank.loaders.base import LoadOptions
    from seedrank.loaders.frames import FrameSource
    from seedrank.methods.crawl.orders import CrawlProblem
    from seedrank.methods.crawl.policy import Known, Policy
    from seedrank.methods.frontier.scores import Scores
    from seedrank.methods.seeds.choose import SeedProblem
    from seedrank.methods.seeds.coverage import Selection

__all__ = [
    "Columns",
    "FrontierView",
    "call",
    "check_function",
    "crawl_order",
    "exporter",
    "failure",
    "first_line",
    "frontier_method",
    "loader",
    "seed_method",
]


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
    check_name(name)
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
    check_name(name)

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
    check_name(name)

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


_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def check_name(name: Any) -> None:
    """Refuse a name that nobody could type, such as the function of a decorator without one."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise UsageError(f"{shorten(name)} cannot be a name", hint="write it like degree-discount")


def check_function(name: str, function: Any) -> None:
    """Refuse what is no function, and a function whose parameters have no names to give by."""
    if not callable(function) or isinstance(function, type):
        raise UsageError(f"{shorten(function)} is no function", hint=f"put the decorator of {name} above one")
    for one in inspect.signature(function).parameters.values():
        if one.kind in (one.POSITIONAL_ONLY, one.VAR_POSITIONAL, one.VAR_KEYWORD):
            raise UsageError(f"{name} declares {one}, which has no name to give by", hint="declare what it needs")


def first_line(function: Callable[..., Any], otherwise: str) -> str:
    """What a function says of itself, in a line."""
    return (inspect.getdoc(function) or otherwise).partition("\n")[0]


class Columns:
    """Page columns of a graph by the names that a function may declare.

    Parameters
    ----------
    graph
        The graph: its columns of numbers and texts, and ``url``, ``status`` and ``host``.
    known
        Boolean per page: where numbers are known, NaN elsewhere; everywhere when `None`.
    """

    def __init__(self, graph: WebGraph, known: np.ndarray | None = None) -> None:
        self._graph, self._known = graph, known
        self._held: dict[str, np.ndarray] = {}
        self.names = ["url"] * (graph.urls is not None) + ["status", "host", *graph.column_names]

    def __getitem__(self, name: str) -> np.ndarray:
        """A column, indexed by page id; read once."""
        if name not in self._held:
            self._held[name] = self._read(name)
        return self._held[name]

    def _read(self, name: str) -> np.ndarray:
        graph = self._graph
        texts = graph.urls if name == "url" else graph.text(name) if name in graph.text_names else None
        if texts is not None:
            return texts.to_numpy()
        if name in ("status", "host"):
            return graph.status if name == "status" else graph.host
        values = np.asarray(graph.column(name))
        return values if self._known is None else np.where(self._known, values, np.nan)


def call(name: str, function: Callable[..., Any], known: Mapping[str, Callable[[], Any]], columns: Columns) -> Any:
    """What a function gives, called with what it declares.

    Parameters
    ----------
    name, function
        What it was registered as.
    known
        What it may ask for, by name; made when it does.
    columns
        Any other name is one of these; a parameter with a default keeps it where there is no such column.
    """
    values: dict[str, Any] = {}
    for one in inspect.signature(function).parameters.values():
        if one.name in known:
            values[one.name] = known[one.name]()
        elif one.name in columns.names:
            values[one.name] = columns[one.name]
        elif one.default is one.empty:
            near = difflib.get_close_matches(one.name, [*known, *columns.names], 1)
            raise GraphError(
                f"{name} asks for {one.name}, and pages have no such column",
                hint=f"did you mean {near[0]}?" if near else f"declare {', '.join(known)} or a page column",
            )
    try:
        return function(**values)
    except SeedrankError:
        raise
    except Exception as error:
        raise failure(name, error) from error


def failure(name: str, error: Exception) -> SeedrankError:
    """What went wrong in a function of the user's, in one line; the error itself is its cause."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    reason = str(error).partition("\n")[0]
    return SeedrankError(
        f"{name} failed: {type(error).__name__}: {shorten(reason)} ({last.filename}, line {last.lineno})",
        hint="mend the function; it is not part of seedrank",
    )


def loader(name: str, *, about: str = "") -> Callable[[_F], _F]:
    """Register a format that goes in: ``read(files)`` gives frames by kind of table, such as ``pages`` and ``links``.

    `files` is a list of names. Frames are what `Workbench.load` takes: pandas, polars or Arrow. Other parameters of the
    function are options, given to `Workbench.load` by name.

    Parameters
    ----------
    name
        As it is asked for: small letters, digits and hyphens.
    about
        What the format is, in a few words; the first line of the docstring by default.
    """
    check_name(name)

    def register(function: _F) -> _F:
        check_function(name, function)
        said = about or first_line(function, "a format of your own")
        formats.register(name, formats.Format(said, partial(_source, name, function), heeds=formats.AUTO))
        return function

    return register


def exporter(name: str, *, about: str = "") -> Callable[[_F], _F]:
    """Register a format that goes out: ``write(url, score, …)`` gives the text of the file, in one piece or several.

    It gets what it declares, an array with an entry per page in the order of the answer: ``rank``, ``id``, ``url``,
    ``host``, ``status``, ``score``, or a page column.

    Parameters
    ----------
    name, about
        As for `loader`.
    """
    check_name(name)

    def register(function: _F) -> _F:
        check_function(name, function)
        said = about or first_line(function, "A format of your own.")
        targets.register(name, said, partial(_blocks, name, function))
        return function

    return register


def _source(
    name: str, function: Callable[..., Any], files: Sequence[str], *, options: LoadOptions | None = None, **given: Any
) -> FrameSource:
    from seedrank.loaders.frames import FrameSource

    try:
        tables = function(list(files), **given)
    except SeedrankError:
        raise
    except Exception as error:
        raise failure(name, error) from error
    if not isinstance(tables, Mapping):
        raise SeedrankError(f"{name} gives {shorten(tables)}", hint='give frames by kind, such as {"links": frame}')
    source = FrameSource(tables, options)
    source.files = list(files)
    source.description = " ".join([name, *files, *source.shape.split("\n")]).rstrip()
    return source


def _blocks(name: str, function: Callable[..., Any], rows: Rows, about: Sequence[str]) -> Iterator[bytes]:
    known = {one: partial(_column, rows, one) for one in rows.table.column_names}
    given = call(name, function, known, _OfRows(rows))

    def blocks() -> Iterator[bytes]:
        try:
            for part in [given] if isinstance(given, str | bytes) else given:
                yield part if isinstance(part, bytes) else part.encode()
        except Exception as error:
            raise failure(name, error) from error

    return blocks()


def _column(rows: Rows, name: str) -> Any:
    return rows.table[name].to_numpy()


class _OfRows(Columns):
    """Page columns of the pages of an answer, in its order."""

    def __init__(self, rows: Rows) -> None:
        super().__init__(rows.graph)
        self._ids = rows.table["id"].to_numpy()

    def _read(self, name: str) -> Any:
        return super()._read(name)[self._ids]
