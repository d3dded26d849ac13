"""An engine that hands each primitive to the engine chosen for it: by the user, or by the table `PLACES`.

The table says where each primitive runs under ``auto`` on a Neo4j with GDS, and why. Work on given pages, and passes
over all links, stay in the database: the links need not be read. Work over all pairs or all balls is many times as
fast in memory. The graph is read into memory when the first of these is asked for, so a run that needs none of them
never reads the links.
"""

from __future__ import annotations

import functools
import logging
import time
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Concatenate, Literal, ParamSpec, TypeVar, Unpack

import numpy as np

from seedrank.core.errors import StoreError, UsageError, shorten
from seedrank.core.levels import HostWeights, Level
from seedrank.core.numbers import counted
from seedrank.core.progress import Progress, silent
from seedrank.engines.base import Engine, LinkSet, Walk, WalkOptions
from seedrank.engines.extrapolate import CLOSE
from seedrank.graph import WebGraph
from seedrank.graphdb.store import GraphStore, HasGds

if TYPE_CHECKING:
    from seedrank.engines.gds import GdsEngine

__all__ = [
    "CHOICES",
    "FEW_BALLS",
    "PLACES",
    "ChoosingEngine",
    "EngineName",
    "Journal",
    "check_engine",
    "engine_for",
    "noted_with",
]

FEW_BALLS = 100
"""Balls of given pages up to which ``auto`` leaves them to the database."""


@dataclass(frozen=True)
class Limit:
    """Calls of a primitive that run in memory although the others run in the database."""

    text: str
    """Which calls, for people."""
    over: Callable[..., bool]
    """Whether a call is one of them; takes the arguments of the primitive."""


@dataclass(frozen=True)
class Place:
    """Where a primitive runs."""

    title: str
    """Of the primitive, in the log."""
    where: Literal["gds", "native"]
    """``gds`` or ``native``."""
    why: str
    limit: Limit | None = None
    """Calls that run ``native`` all the same; none when `None`."""
    weighted: str = ""
    """Why it runs ``native`` where links have weights; where the others run when empty."""

    def of(self, *arguments: object, **options: object) -> Literal["gds", "native"]:
        """Where a call with these arguments runs."""
        return "native" if self.limit is not None and self.limit.over(*arguments, **options) else self.where


def _many_balls(weight: np.ndarray, hops: int, pages: np.ndarray | None = None) -> bool:
    return pages is None or len(pages) > FEW_BALLS


def _close_to_1(link_sets: Sequence[LinkSet] = (), **options: Unpack[WalkOptions]) -> bool:
    return options.get("damping", 0.0) > CLOSE


PLACES: Mapping[str, Place] = {
    "degrees": Place("degrees", "gds", "one pass over the projected links"),
    "links_into": Place("links into pages", "native", "asked once per round of a selection"),
    "walk": Place(
        "walk",
        "gds",
        "each iteration is one pass over the projected links",
        Limit(f"damping above {CLOSE}: the database would take thousands of iterations", _close_to_1),
    ),
    "walk_shares": Place("walks", "native", "all walks are computed in one go, for the cost of a few"),
    "hits": Place(
        "hits",
        "gds",
        "each iteration is one pass over the projected links",
        weighted="GDS's HITS knows no weights, and two passes of Cypher over all links an iteration take far longer",
    ),
    "components": Place("components", "gds", "one pass over the projected links"),
    "bfs_hops": Place("hops", "gds", "expands from given pages"),
    "ball_weight": Place(
        "ball weights",
        "gds",
        "expands from given pages",
        Limit(f"balls of all pages, or of more than {FEW_BALLS}: the database would take hours", _many_balls),
    ),
    "walk_bound": Place("walk bound", "native", "bounds the balls of all pages"),
    "ball_bound": Place("ball bound", "native", "sketches the balls of all pages"),
    "cocitation": Place("co-citation", "native", "counts over all pairs of pages"),
    "harmonic": Place("harmonic", "native", "measures the balls of all pages"),
}
"""By the name of the primitive in `seedrank.engines.base.Engine`."""


class Journal:
    """Uses of primitives, in the order of time."""

    def __init__(self) -> None:
        # 8 bytes a call: a selection of many seeds calls some primitives at every seed.
        self._times: dict[tuple[str, str], array[float]] = {}
        self._unfinished: list[tuple[float, str]] = []
        self._untold: dict[tuple[str, str], tuple[int, float, str]] = {}

    def note(self, primitive: str, engine: str, started: float, size: str) -> None:
        """Note a call that ended now.

        Parameters
        ----------
        primitive, engine
            What ran, and where.
        started
            `time.perf_counter` when it began.
        size
            Of the graph, for people.
        """
        use = primitive, engine
        self._times.setdefault(use, array("d")).append(started)
        calls, seconds, _ = self._untold.get(use, (0, 0.0, ""))
        self._untold[use] = calls + 1, seconds + time.perf_counter() - started, size

    def unfinished(self, walk: Walk) -> None:
        """Note a walk that ended at its limit of steps, and warn of it."""
        text = (
            f"a walk did not converge: after {counted(walk.iterations, 'step')} the last moved {walk.residual:.1e}, "
            "so its scores are not final; lower the damping"
        )
        log.warning(text)
        self._unfinished.append((time.perf_counter(), text))

    def unfinished_since(self, started: float) -> str:
        """What is to be said of walks since `started` that did not converge: of the last one; nothing if all did."""
        return next((text for when, text in reversed(self._unfinished) if when >= started), "")

    def since(self, started: float) -> dict[str, str]:
        """Primitives that ran since `started` (`time.perf_counter`), in the order of first use, and the engine of each.

        A primitive that ran in both places has both: ``gds+native``.
        """
        first = []
        for use, times in self._times.items():
            place = bisect_left(times, started)
            if place < len(times):
                first.append((times[place], use))
        ran: dict[str, str] = {}
        for _, (primitive, engine) in sorted(first):
            ran[primitive] = f"{ran[primitive]}+{engine}" if primitive in ran else engine
        return ran

    def tell(self) -> Iterator[tuple[str, str]]:
        """Primitives that ran since they were last told, each with a line on where, how long and on how much."""
        for (primitive, engine), (calls, seconds, size) in self._untold.items():
            times = "" if calls == 1 else f" in {calls:,} calls"
            yield primitive, f"{engine}, {seconds:.1f} s{times}, {size}"
        self._untold.clear()


log = logging.getLogger(__name__)

EngineName = Literal["auto", "native", "gds", "spark"]
CHOICES: tuple[EngineName, ...] = ("auto", "native", "gds", "spark")

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")
_Make = Callable[[], Engine]
_Versioned = TypeVar("_Versioned", "WebGraph", "GdsEngine")


def check_engine(name: str) -> None:
    """Refuse an engine that does not exist."""
    if name not in CHOICES:
        raise UsageError(f"unknown engine {shorten(name)}", hint=f"engines are {', '.join(CHOICES)}")


def engine_for(
    load: Callable[[], WebGraph],
    store: GraphStore,
    name: str = "auto",
    *,
    level: tuple[Level, HostWeights] | None = None,
    weighted: bool = False,
    capped: bool = False,
    in_spark: bool = False,
    arrays_there: Callable[[], bool] = lambda: False,
    progress: Progress = silent,
) -> ChoosingEngine:
    """The engine a user asked for; close it, or use it as a context manager.

    Parameters
    ----------
    load
        Reads the graph into memory, with the weights to walk by; called at most once, when it is first needed.
    store
        The store the graph is in.
    name
        ``native``, ``gds``, ``spark``, or ``auto``: gds and native by primitive where the store has GDS, native
        elsewhere.
    level, weighted
        ``host`` or ``domain``, and what a link between two of them weighs, where `load` gives that graph; whether
        walks go by the stored weights in the database too.
    capped
        Whether only some links of each page carry weight: neither the database nor Spark knows which.
    in_spark
        Whether ``auto`` means Spark (`seedrank.engines.spark_choice`).
    arrays_there
        Whether `load` need not read links from the store: ``auto`` then stays in memory.
    progress
        Told how far jobs in the database are.
    """
    check_engine(name)
    name = "spark" if in_spark else name
    if capped:
        _refuse_capped(name)

    versions: set[str] = set()

    def native() -> Engine:
        from seedrank.engines.native.engine import NativeEngine

        return NativeEngine(_of_one_state(versions, load()))

    def gds() -> Engine:
        from seedrank.engines.gds import GdsEngine

        return _of_one_state(versions, GdsEngine(store, level=level, weighted=weighted, keep=True, progress=progress))

    if name == "spark":
        from seedrank.engines.spark_choice import spark_engine

        made = functools.partial(spark_engine, load, store, level=level, weighted=weighted, progress=progress)
        return ChoosingEngine(name, None, made, weighted=weighted)
    if name == "native" or (name == "auto" and (capped or not isinstance(store, HasGds))):
        return ChoosingEngine("native", native, None, weighted=weighted)
    return ChoosingEngine(name, native if name == "auto" else None, gds, weighted=weighted, arrays_there=arrays_there)


def _of_one_state(versions: set[str], made: _Versioned) -> _Versioned:
    """Refuse to answer by two engines of which one has the graph as it was and the other as it is."""
    versions.add(made.version)
    if len(versions) > 1:
        raise StoreError(
            "the graph was changed meanwhile, or others wrote to its database",
            hint="repeat the command, with {engine=native} or {engine=gds} where others write all the time",
            fields=("engine",),
        )
    return made


def _refuse_capped(name: str) -> None:
    if name in ("gds", "spark"):
        raise UsageError(
            f"{{cap_links}} is worked out in memory, not in {'Neo4j' if name == 'gds' else 'Spark'}",
            hint="use {engine=native}, or leave out {cap_links}",
            fields=("cap_links", "engine"),
        )


def noted_with(engine: Engine, native: Engine) -> Engine:
    """An engine over a graph derived from that of `engine`, such as what a crawl has revealed, which notes there."""
    if not isinstance(engine, ChoosingEngine):
        return native
    return ChoosingEngine("native", lambda: native, None, engine.journal)


def _chosen(
    primitive: Callable[Concatenate[Engine, _Arguments], _Result],
) -> Callable[Concatenate[ChoosingEngine, _Arguments], _Result]:
    """A method that runs a primitive of the protocol where the table says, and notes it."""
    name = primitive.__name__
    place = PLACES[name]

    @functools.wraps(primitive)
    def run(self: ChoosingEngine, /, *arguments: _Arguments.args, **options: _Arguments.kwargs) -> _Result:
        in_memory = (self.weighted and bool(place.weighted)) or place.of(*arguments, **options) == "native"
        in_memory = in_memory or self.arrays_there()
        engine = self.engine_at("memory" if in_memory else "elsewhere")
        started = time.perf_counter()
        result: _Result = getattr(engine, name)(*arguments, **options)
        # What the database gave in several statements is of one state if it is of that state still.
        if (check := getattr(engine, "check_version", None)) is not None:
            check()
        if isinstance(result, Walk) and not result.converged:
            self.journal.unfinished(result)
        self.journal.note(name, engine.name, started, f"{engine.pages:,} pages, {engine.links:,} links")
        return result

    return run


class ChoosingEngine:
    """An engine that hands each primitive to the one chosen for it, and notes which ran and how long.

    Parameters
    ----------
    name
        ``native``, ``gds``, ``spark`` or ``auto``.
    native, elsewhere
        Make the engines, when first needed; `None` for one that is not to be used. Elsewhere is where the links are:
        the database, or Spark.
    journal
        Where it notes what ran; a new one when `None`.
    weighted
        Whether walks go by the weights of links.
    arrays_there
        Whether the links are in memory already, where any primitive is the faster for it.
    """

    def __init__(
        self,
        name: str,
        native: _Make | None,
        elsewhere: _Make | None,
        journal: Journal | None = None,
        *,
        weighted: bool = False,
        arrays_there: Callable[[], bool] = lambda: False,
    ) -> None:
        self.name = name
        self.weighted = weighted
        self._arrays_there = arrays_there
        self.journal = Journal() if journal is None else journal
        self._make_native = native
        self._make_elsewhere = elsewhere

    def arrays_there(self) -> bool:
        """Whether the links are in memory, or need not be read from the store to be there."""
        return self._make_native is not None and ("_native" in vars(self) or self._arrays_there())

    def __enter__(self) -> ChoosingEngine:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Say what ran, and drop what an engine keeps in the database or in Spark; safe to call twice."""
        self.report()
        close = getattr(self.__dict__.get("_elsewhere"), "close", None)
        if close is not None:
            close()

    def report(self) -> None:
        """Log a line per primitive that ran since the last report: where, how long, on how much."""
        for primitive, line in self.journal.tell():
            log.debug("%s: %s", PLACES[primitive].title, line)

    @property
    def sketch_from(self) -> tuple[int, int]:
        """Of the engine that bounds all balls."""
        return self.engine_at("memory").sketch_from

    @property
    def version(self) -> str:
        """Of the graph in the database that was asked; empty where none was."""
        return getattr(self.__dict__.get("_elsewhere"), "version", "")

    @property
    def pages(self) -> int:
        """Pages of the graph."""
        return self._counting.pages

    @property
    def links(self) -> int:
        """Links of this view."""
        return self._counting.links

    @property
    def _counting(self) -> Engine:
        return self.engine_at("memory" if self.arrays_there() else "elsewhere")

    degrees = _chosen(Engine.degrees)
    links_into = _chosen(Engine.links_into)
    walk = _chosen(Engine.walk)
    walk_shares = _chosen(Engine.walk_shares)
    hits = _chosen(Engine.hits)
    components = _chosen(Engine.components)
    bfs_hops = _chosen(Engine.bfs_hops)
    ball_weight = _chosen(Engine.ball_weight)
    walk_bound = _chosen(Engine.walk_bound)
    ball_bound = _chosen(Engine.ball_bound)
    cocitation = _chosen(Engine.cocitation)
    harmonic = _chosen(Engine.harmonic)

    def without(
        self,
        *,
        pages: np.ndarray | None = None,
        same_site: np.ndarray | None = None,
        between_sites: np.ndarray | None = None,
    ) -> ChoosingEngine:
        """See `Engine.without`; each engine makes its view when it is first needed."""
        return self._viewed(
            lambda engine: engine.without(pages=pages, same_site=same_site, between_sites=between_sites)
        )

    def reversed(self) -> ChoosingEngine:
        """See `Engine.reversed`; each engine makes its view when it is first needed."""
        return self._viewed(lambda engine: engine.reversed())

    def _viewed(self, view: Callable[[Engine], Engine]) -> ChoosingEngine:
        """The same choice over a view of each engine."""
        return ChoosingEngine(
            self.name,
            None if self._make_native is None else lambda: view(self._native),
            None if self._make_elsewhere is None else lambda: view(self._elsewhere),
            # What runs on the view is told when the engine itself is closed.
            self.journal,
            weighted=self.weighted,
            arrays_there=self.arrays_there,
        )

    def engine_at(self, where: Literal["memory", "elsewhere"]) -> Engine:
        """The engine of a place; the other one where the user's choice or the store leaves only that."""
        there = self._make_native is None or (where == "elsewhere" and self._make_elsewhere is not None)
        return self._elsewhere if there else self._native

    @cached_property
    def _native(self) -> Engine:
        assert self._make_native is not None
        return self._make_native()

    @cached_property
    def _elsewhere(self) -> Engine:
        assert self._make_elsewhere is not None
        return self._make_elsewhere()
