"""Which engine runs a primitive, and a line in the log about each that ran.

``auto`` on a Neo4j with GDS leaves in the database what it does well there: degrees, walks, HITS, components, levels,
balls of given pages. Work over all pairs or all balls is many times as fast in memory: balls of all pages, their
bounds, counts of flagged neighbours (asked once per round of a selection), co-citation, harmonic centrality. The graph
is read into memory when the first of these is asked for, so a run that needs none of them never reads the links.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Literal, TypeVar

import numpy as np

from graphdb.store import GraphStore, HasGds
from seedrank.core.errors import UsageError
from seedrank.core.progress import Progress, silent
from seedrank.engines.base import Cocitation, Components, Dangling, Engine, Hits, LinkSet, Walk
from seedrank.graph import WebGraph

__all__ = ["CHOICES", "EngineName", "Engines", "engine_for"]

log = logging.getLogger(__name__)

EngineName = Literal["auto", "native", "gds"]
CHOICES: tuple[EngineName, ...] = ("auto", "native", "gds")

_Result = TypeVar("_Result")
_Make = Callable[[], Engine]


def engine_for(
    load: Callable[[], WebGraph], store: GraphStore, name: str = "auto", *, progress: Progress = silent
) -> Engines:
    """The engine a user asked for; close it, or use it as a context manager.

    Parameters
    ----------
    load
        Reads the graph into memory; called at most once, when the native engine is first needed.
    store
        The store the graph is in.
    name
        ``native``, ``gds``, or ``auto``: both by primitive where the store has GDS, native elsewhere.
    progress
        Told how far jobs in the database are.
    """
    if name not in CHOICES:
        raise UsageError(f"there is no engine {name!r}", hint=f"engines are {', '.join(CHOICES)}")

    def native() -> Engine:
        from seedrank.engines.native import NativeEngine

        return NativeEngine(load())

    def gds() -> Engine:
        from seedrank.engines.gds import GdsEngine

        return GdsEngine(store, progress=progress)

    if name == "native" or (name == "auto" and not isinstance(store, HasGds)):
        return Engines("native", native, None)
    return Engines(name, native if name == "auto" else None, gds)


FEW_BALLS = 100
"""Balls of given pages up to which ``auto`` leaves them to the database."""


class Engines:
    """An engine that hands each primitive to the one chosen for it, and logs which ran and how long.

    Parameters
    ----------
    name
        ``native``, ``gds`` or ``auto``.
    native, gds
        Make the engines, when first needed; `None` for one that is not to be used.
    """

    def __init__(self, name: str, native: _Make | None, gds: _Make | None) -> None:
        self.name = name
        self._make_native = native
        self._make_gds = gds
        self._ran: dict[tuple[str, str], tuple[int, float, str]] = {}

    def __enter__(self) -> Engines:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Say what ran, and drop what an engine keeps in the database; safe to call twice."""
        self.report()
        close = getattr(self.__dict__.get("_gds"), "close", None)
        if close is not None:
            close()

    def report(self) -> None:
        """Log a line per primitive that ran since the last report: where, how long, on how much."""
        for (what, engine), (calls, seconds, size) in self._ran.items():
            times = "" if calls == 1 else f" in {calls:,} calls"
            log.info("%s: %s, %.1f s%s, %s", what, engine, seconds, times, size)
        self._ran.clear()

    @property
    def pages(self) -> int:
        """Pages of the graph."""
        return self._in_database.pages

    @property
    def links(self) -> int:
        """Links of this view."""
        return self._in_database.links

    def degrees(self) -> tuple[np.ndarray, np.ndarray]:
        """See `Engine.degrees`."""
        return self._run("degrees", self._in_database, lambda engine: engine.degrees())

    def links_into(self, flags: np.ndarray) -> np.ndarray:
        """See `Engine.links_into`."""
        return self._run("links into pages", self._in_memory, lambda engine: engine.links_into(flags))

    def walk(
        self,
        link_sets: Sequence[LinkSet] = (LinkSet(),),
        *,
        damping: float = 0.85,
        teleport: np.ndarray | None = None,
        dangling: Dangling = "teleport",
        tolerance: float = 1e-12,
        max_iterations: int = 500,
    ) -> Walk:
        """See `Engine.walk`."""
        return self._run(
            "walk",
            self._in_database,
            lambda engine: engine.walk(
                link_sets,
                damping=damping,
                teleport=teleport,
                dangling=dangling,
                tolerance=tolerance,
                max_iterations=max_iterations,
            ),
        )

    def walk_shares(
        self,
        shares: np.ndarray,
        factor: np.ndarray | None = None,
        *,
        damping: float = 0.85,
        teleport: np.ndarray | None = None,
        tolerance: float = 1e-12,
        max_iterations: int = 500,
    ) -> np.ndarray:
        """See `Engine.walk_shares`."""
        return self._run(
            "walks",
            self._in_memory,
            lambda engine: engine.walk_shares(
                shares,
                factor,
                damping=damping,
                teleport=teleport,
                tolerance=tolerance,
                max_iterations=max_iterations,
            ),
        )

    def hits(self, iterations: int = 60) -> Hits:
        """See `Engine.hits`."""
        return self._run("hits", self._in_database, lambda engine: engine.hits(iterations))

    def components(self) -> Components:
        """See `Engine.components`."""
        return self._run("components", self._in_database, lambda engine: engine.components())

    def levels(self, sources: np.ndarray, max_hops: int | None = None) -> np.ndarray:
        """See `Engine.levels`."""
        return self._run("levels", self._in_database, lambda engine: engine.levels(sources, max_hops))

    def ball_weight(self, weight: np.ndarray, hops: int, pages: np.ndarray | None = None) -> np.ndarray:
        """See `Engine.ball_weight`."""
        # Thousands of balls are work on the whole graph: the database would take hours for it.
        engine = self._in_memory if pages is None or len(pages) > FEW_BALLS else self._in_database
        return self._run("ball weights", engine, lambda engine: engine.ball_weight(weight, hops, pages))

    def walk_bound(self, weight: np.ndarray, hops: int) -> np.ndarray:
        """See `Engine.walk_bound`."""
        return self._run("walk bound", self._in_memory, lambda engine: engine.walk_bound(weight, hops))

    def ball_bound(self, weight: np.ndarray, hops: int) -> np.ndarray:
        """See `Engine.ball_bound`."""
        return self._run("ball bound", self._in_memory, lambda engine: engine.ball_bound(weight, hops))

    def cocitation(self, left: np.ndarray, right: np.ndarray, *, fan_out_cap: int | None = None) -> Cocitation:
        """See `Engine.cocitation`."""
        return self._run(
            "co-citation",
            self._in_memory,
            lambda engine: engine.cocitation(left, right, fan_out_cap=fan_out_cap),
        )

    def harmonic(self, *, exact: bool | None = None) -> tuple[np.ndarray, float]:
        """See `Engine.harmonic`."""
        return self._run("harmonic", self._in_memory, lambda engine: engine.harmonic(exact=exact))

    def without(
        self,
        *,
        pages: np.ndarray | None = None,
        same_site: np.ndarray | None = None,
        between_sites: np.ndarray | None = None,
    ) -> Engines:
        """See `Engine.without`; each engine makes its view when it is first needed."""

        def view_of(engine: Callable[[], Engine]) -> _Make:
            return lambda: engine().without(pages=pages, same_site=same_site, between_sites=between_sites)

        view = Engines(
            self.name,
            None if self._make_native is None else view_of(lambda: self._native),
            None if self._make_gds is None else view_of(lambda: self._gds),
        )
        # What runs on the view is told when the engine itself is closed.
        view._ran = self._ran
        return view

    # -- inside

    @cached_property
    def _native(self) -> Engine:
        assert self._make_native is not None
        return self._make_native()

    @cached_property
    def _gds(self) -> Engine:
        assert self._make_gds is not None
        return self._make_gds()

    @property
    def _in_database(self) -> Engine:
        return self._native if self._make_gds is None else self._gds

    @property
    def _in_memory(self) -> Engine:
        return self._gds if self._make_native is None else self._native

    def _run(self, what: str, engine: Engine, call: Callable[[Engine], _Result]) -> _Result:
        started = time.perf_counter()
        result = call(engine)
        calls, seconds, _ = self._ran.get((what, engine.name), (0, 0.0, ""))
        size = f"{engine.pages:,} pages, {engine.links:,} links"
        self._ran[what, engine.name] = calls + 1, seconds + time.perf_counter() - started, size
        return result
