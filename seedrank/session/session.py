"""A store with its graph, engine, names of pages and kept answers."""

from __future__ import annotations

import copy
import errno
import logging
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self, TypeVar

import numpy as np

from seedrank.core.changes import Load, stored_level
from seedrank.core.errors import GraphError, InputError, UsageError, shorten
from seedrank.core.levels import PLURAL, HostWeights, Level, coarser
from seedrank.core.paths import cache_folder, runs_folder
from seedrank.core.progress import Progress, silent
from seedrank.core.version import VERSION
from seedrank.engines.choose import check_engine
from seedrank.engines.memory import require
from seedrank.graphdb.store import GraphStore, IsGraph, database, database_name
from seedrank.questions.links import LinkWeights
from seedrank.questions.question import Question
from seedrank.runs import Answer, Ranking, Run, RunStore
from seedrank.runs.record import engine_text, new_id, now

if TYPE_CHECKING:
    from types import TracebackType

    import pyarrow as pa

    from seedrank.engines.choose import ChoosingEngine, EngineName
    from seedrank.graph import WebGraph
    from seedrank.session.page_names import PageNames

__all__ = ["HANDED_OVER", "Session"]

log = logging.getLogger(__name__)

HANDED_OVER = "projections handed over"
"""What a session remembers of projections that others work on; they are dropped with its engine."""
_T = TypeVar("_T")

SITES = ("host", "domain")
_LONG = 4096
"""Characters from which on a list of URLs goes into a file of its own."""
_NOT_ALLOWED = (errno.EROFS, errno.EACCES, errno.EPERM)


class Session:
    """A store with its graph, its engine, the names of its pages and the answers kept for it."""

    def __init__(
        self,
        store: GraphStore,
        *,
        engine: EngineName = "auto",
        site: Literal["host", "domain"] = "host",
        refresh: bool = False,
        progress: Progress = silent,
    ) -> None:
        check_engine(engine)
        if site not in SITES:
            raise UsageError(f"a site is no {shorten(site)}", hint=f"it is one of {', '.join(SITES)}")
        self.store = store
        self.engine_name = engine
        self.site = site
        self.progress = progress
        self.refreshes = refresh
        self._remembered: dict[str, Any] = {}
        self._links: tuple[LinkWeights, int | None] = ("none", None)
        self._origin = self

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the engine, if one was used, and the store."""
        self._close_engine()
        self.store.close()

    # -- the graph

    def remember(self, name: str, make: Callable[[], _T]) -> _T:
        """What `make` gives, made once for the store as it is: a load forgets it.

        Parameters
        ----------
        name
            Of the value; what belongs to one family of questions begins with its name, such as ``frontier searches``.
        make
            Makes it.
        """
        if name not in self._remembered:
            self._remembered[name] = make()
        value: _T = self._remembered[name]
        return value

    @property
    def stored_graph(self) -> WebGraph:
        """The graph in memory with the weights that are stored, read from the store when its version changed.

        Says so when a load was cut off.
        """
        return self._origin.remember("stored graph", self._origin._read_graph)

    @property
    def graph(self) -> WebGraph:
        """The graph in memory; its links count 1 each, or as `linked` says."""
        return self.remember("graph", self._weigh)

    def linked(self, weights: LinkWeights = "none", cap_links: int | None = None) -> Session:
        """A session on the same store with links that count as asked: graph, engine and what is worked out are its own.

        Parameters
        ----------
        weights
            ``links``: a link counts as much as its stored weight; ``none``: 1.
        cap_links
            Links of a page that count, at most (`WebGraph.capped`); all when `None`.
        """
        if (weights, cap_links) == self._links:
            return self

        def make() -> Session:
            other = copy.copy(self)
            other._links, other._remembered = (weights, cap_links), {}
            return other

        return self._origin.remember(f"linked by {weights}, {cap_links}", make)

    def _weigh(self) -> WebGraph:
        weights, most = self._links
        graph = self.stored_graph
        if weights == "none":
            graph = graph.unweighted()
        elif graph.weights is None and graph.has_links:
            log.warning("no link has a weight other than 1: walks by weights are plain ones")
        if most is None:
            return graph
        require(8 * graph.links, "weights of capped links", "use a machine with more memory, or leave the cap out")
        return graph.capped(most)

    def _read_graph(self) -> WebGraph:
        from seedrank.session.graph_cache import open_graph, read_pages

        for load in self.unfinished_loads():
            log.warning(
                "the load of %s (%s) did not finish: parts of the graph are missing; repeat it to complete them",
                load.source, load.started,
            )  # fmt: skip
        if isinstance(self.store, IsGraph):
            return self.store.graph
        if self.in_spark:
            return read_pages(self.store, progress=self.progress)
        return open_graph(self.store, self.cache_folder / "graph", refresh=self.refreshes, progress=self.progress)

    @property
    def engine(self) -> ChoosingEngine:
        """The primitives, where they were asked to run."""
        from seedrank.engines.choose import engine_for

        weights, most = self._links
        return self.remember(
            "engine",
            lambda: engine_for(
                lambda: self.graph,
                self.store,
                self.engine_name,
                level=(self.level, self.host_weights) if self.is_derived else None,
                weighted=weights == "links",
                capped=most is not None,
                in_spark=self.in_spark,
                progress=self.progress,
            ),
        )

    @property
    def in_spark(self) -> bool:
        """Whether the links stay in Spark: it was asked for, or they do not fit into memory."""
        from seedrank.engines.spark_choice import stays_in_spark

        return self._origin.remember("in spark", lambda: stays_in_spark(self.store, self.engine_name))

    def check_here(self, what: str, why: str) -> None:
        """Refuse what Spark cannot do, where the links stay there.

        Parameters
        ----------
        what, why
            What was asked, and the reason.
        """
        if self.in_spark:
            raise GraphError(
                f"{what} does not run in Spark: {why}",
                hint="use {engine=native} where the graph fits into memory, or take a part of it",
                fields=("engine",),
            )

    def write_scores(self, name: str, values: np.ndarray) -> None:
        """Write a page column into the store; the cached graph knows of it: the store's version stays the same."""
        from seedrank.session.graph_cache import update_column

        database(self.store, "writing scores").write_scores(name, values, progress=self.progress)
        update_column(self.cache_folder / "graph", name, values)
        self._origin._forget_graph()

    def _forget_graph(self) -> None:
        """Read the graph again when it is asked for: a column was written."""
        for one in self._all():
            one._remembered.pop("stored graph", None)
            one._remembered.pop("graph", None)

    def unfinished_loads(self) -> list[Load]:
        """Loads that were cut off, or are under way in another process."""
        return [load for load in self.store.loads() if load.state != "done"]

    @property
    def level(self) -> Level:
        """What a node of the graph is: a page, a host or a domain."""
        return self.remember("level", lambda: stored_level(self.store.loads()) or "page")

    @property
    def stored_level(self) -> Level:
        """What a node of the stored graph is."""
        return self.level

    host_weights: HostWeights = "links"
    """What a link between hosts or domains weighs, where the graph is made of the stored one."""

    @property
    def is_derived(self) -> bool:
        """Whether the graph is made of the stored one: of its hosts or domains (`LevelSession`)."""
        return False

    @property
    def has_graph(self) -> bool:
        """Whether the stored graph was read into memory."""
        return "stored graph" in self._origin._remembered

    def at(self, level: Level | None = None, *, host_weights: HostWeights = "links") -> Session:
        """The session to ask at a level: this one for what is stored, else one on its hosts or domains.

        Parameters
        ----------
        level
            ``page``, ``host`` or ``domain``; what is stored when `None`. A finer level than that is an error.
        host_weights
            What a link between two hosts or domains weighs (`seedrank.graph.levels.level_graph`).
        """
        from seedrank.session.level_session import LevelSession

        if level is not None and coarser(level, self.level):
            whole = self._origin
            return whole.remember(f"at {level} {host_weights}", lambda: LevelSession(whole, level, host_weights))
        if level is not None and level != self.level:
            raise UsageError(
                f"the graph is of {PLURAL[self.level]}, and its {PLURAL[level]} are not known",
                hint="leave out {level}",
                fields=("level",),
            )
        if host_weights != "links":
            raise UsageError(
                f"links between {PLURAL[self.level]} weigh what is stored", hint="leave out {host_weights}",
                fields=("host_weights",),
            )  # fmt: skip
        return self

    def level_of(self, run: Run) -> Level:
        """What a kept run is about."""
        stored = self.stored_level
        return run.level if run.level is not None and coarser(run.level, stored) else stored

    def of_run(self, run: Run) -> Session:
        """The session that a kept run was asked of."""
        level = self.level_of(run)
        of_links: HostWeights = run.parameters.get("host_weights", "links") if level != self.stored_level else "links"
        return self.at(level, host_weights=of_links)

    # -- forgetting

    def forget(self) -> None:
        """Forget what was worked out from the store: it changed."""
        self._close_engine()
        self._remembered = {}

    def _close_engine(self) -> None:
        for one in self._all():
            for name in ("engine", HANDED_OVER):
                held = one._remembered.pop(name, None)
                if held is not None:
                    held.close()

    def _all(self) -> list[Session]:
        """The session itself, those made of it by `at` and `linked`, and those made of them."""
        made = [one for one in self._remembered.values() if isinstance(one, Session)]
        return [self, *(each for one in made for each in one._all())]

    # -- sites and names

    @property
    def sites(self) -> np.ndarray:
        """Site number of each page, -1 where it has no host."""
        from seedrank.graph.sites import site_of

        return self.remember("sites", lambda: site_of(self.graph, self.site))

    @property
    def names(self) -> PageNames:
        """The names of the pages, hosts or domains; from the graph in memory where it was read already."""
        return self.remember("names", self._read_names)

    def _read_names(self) -> PageNames:
        from seedrank.session.page_names import names_in_graph, names_in_store

        in_memory = self.has_graph or isinstance(self.store, IsGraph)
        return names_in_graph(self.stored_graph, self.level) if in_memory else names_in_store(self.store, self.level)

    def rows(self, ranking: Ranking) -> pa.Table:
        """A ranking with the names of its pages: ``rank id source_id url host score`` and the method's columns.

        Hosts and domains have one name (`PageNames.of`).
        """
        table = ranking.table()
        named = self.names.of(table["id"])
        for place, name in enumerate(named.column_names):
            table = table.add_column(2 + place, name, named[name])
        return table

    # -- answers

    @property
    def kept(self) -> RunStore:
        """The answers kept beside the store."""
        return RunStore(runs_folder(self.store.url, database_name(self.store)))

    def answered(
        self,
        question: Question,
        started: float,
        ranking: Ranking,
        facts: Mapping[str, Any],
        *,
        save: bool = False,
        tables: Mapping[str, pa.Table] | None = None,
        engines: Mapping[str, str] | None = None,
        **more: Any,
    ) -> Answer:
        """Keep pages in an order as the answer to a question.

        Parameters
        ----------
        question
            What was asked.
        started
            When, by `time.perf_counter`.
        ranking, facts
            What came out.
        save
            Also write it into the database, for exploration.
        tables
            Further tables, kept with it.
        engines
            Primitives that ran beside the engine, and where.
        more
            What else it depends on, such as ``site``.
        """
        run = self.record(question, started, facts, engines=engines, **more)
        with self.keeping():
            self.kept.keep(run, ranking, tables)
        if save:
            database(self.store, "saving an answer").write_run(run, ranking, progress=self.progress)
        return Answer(run, lambda: self.rows(ranking), ranking=ranking, tables=tables)

    @contextmanager
    def keeping(self) -> Iterator[None]:
        """Say so where an answer cannot be kept because nothing may be written beside the store; it is given still."""
        try:
            yield
        except InputError as error:
            if getattr(error.__cause__, "errno", None) not in _NOT_ALLOWED:
                raise
            log.warning("this answer is not kept: %s", error.message)

    def record(
        self,
        question: Question,
        started: float,
        facts: Mapping[str, Any],
        *,
        engines: Mapping[str, str] | None = None,
        **more: Any,
    ) -> Run:
        """The record of an answer that took from `started` until now; the parameters are those of `answered`.

        The primitives that ran since then go into it, after those of `engines`, and the level where it was made.
        """
        if self.is_derived:
            more |= {"level": self.level, "host_weights": self.host_weights}
        engine = self._remembered.get("engine")
        ran = {**(engines or {}), **({} if engine is None else engine.journal.since(started))}
        return Run(
            new_id(),
            question.title,
            {**{name: self._recorded(value) for name, value in asdict(question).items()}, **more},
            self.store.version(),
            self.store.url,
            engine_text(ran),
            VERSION,
            now(),
            round(time.perf_counter() - started, 3),
            facts,
            ran,
            self.engine_name,
            database_name(self.store),
        )

    def _recorded(self, value: Any) -> Any:
        """A parameter as a record has it: a long list of URLs by the file it is kept in."""
        is_long = isinstance(value, str) and len(value) > _LONG and value.startswith(("http://", "https://"))
        return self.kept.keep_list(value) if is_long else value

    @property
    def cache_folder(self) -> Path:
        """Where the arrays of the graph are kept."""
        return cache_folder(self.store.url, database_name(self.store))
