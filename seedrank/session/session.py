"""A store with its graph, engine, names of pages and kept answers, at one level and with one way to weigh links."""

from __future__ import annotations

import copy
import errno
import logging
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self, TypeVar

import numpy as np

from seedrank.core.changes import Load
from seedrank.core.errors import GraphError, InputError, SeedrankError, TooLarge, UsageError, shorten
from seedrank.core.files import cache_folder, runs_folder
from seedrank.core.levels import LEVELS, PLURAL, HostWeights, Level, coarser, stored_level
from seedrank.core.package import VERSION
from seedrank.core.progress import Progress, silent
from seedrank.core.resources import require_memory
from seedrank.engines.choose import check_engine
from seedrank.graphdb import is_neo4j
from seedrank.graphdb.store import (
    GraphStore,
    HasDatabases,
    HasGds,
    HasSpark,
    IsGraph,
    TakesScores,
    database,
    gds,
)
from seedrank.questions.question import Levelled, Linked, LinkWeights, Question, Saved
from seedrank.runs import Answer, Ranking, Run, RunStore
from seedrank.runs.record import NATIVE_ON_NEO4J, engine_text, new_id, now

if TYPE_CHECKING:
    from types import TracebackType

    import pyarrow as pa

    from seedrank.engines.base import Engine
    from seedrank.engines.choose import ChoosingEngine, EngineName
    from seedrank.engines.gds.catalog import Catalog
    from seedrank.graph import WebGraph
    from seedrank.session.page_names import PageNames

__all__ = ["Session"]

log = logging.getLogger(__name__)

_T = TypeVar("_T")

SITES = ("host", "domain")
_LONG = 4096
"""Characters from which on a list of URLs goes into a file of its own."""
SAVED = 1_000
"""Pages of an answer that are saved in the database where nobody says how many."""
_NOT_ALLOWED = (errno.EROFS, errno.EACCES, errno.EPERM)


@dataclass(frozen=True)
class _View:
    """Which graph of a store is asked; the parameters are those of `Session.view`."""

    level: Level | None = None
    """Above the stored one, or `None`."""
    host_weights: HostWeights = "links"
    weights: LinkWeights = "none"
    cap: int | None = None


class Session:
    """A store with its graph, its engine, the names of its pages and the answers kept for it.

    Of the level that is stored, with links that count 1 each; `view` gives the other levels and weights. What is
    worked out is kept until `reset`.
    """

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
        self._followed = ""
        self._view = _View()
        self._views = {self._view: self}
        """Every view of the store that was asked for, this one first; all of them share it."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the engines that were used, and the store."""
        self._forget("engine", "handed_over")
        self.store.close()

    # -- asking

    def ask(self, question: Question, **options: Any) -> Answer:
        """Answer a question at its level and with its weights of links; `options` are ``save`` and the like."""
        if not isinstance(question, Question):
            raise UsageError(
                f"{shorten(question)} is not a question", hint="make one, such as seedrank.SeedQuestion(k=5)"
            )
        asked = self.view_of(question)
        wanted = question.options(options)
        if asked.is_derived and {"save", "save_links"} & set(wanted):
            raise UsageError(
                f"pages can be saved in the database, and {PLURAL[asked.level]} are asked about",
                hint="leave it out: the answer is kept beside the store",
            )
        answer = question.answer(asked, **wanted)
        answer.origin = partial(asked.origin_of, answer.run)
        return answer

    def follow(self) -> None:
        """Forget what was worked out where others have changed the graph on the server since the last question."""
        if isinstance(self.store, HasDatabases):
            version, base = self.store.version(), self._base
            if base._followed not in ("", version):
                self.reset()
            base._followed = version

    def view_of(self, question: Question) -> Session:
        """The view that a question asks: its level, and how much its links count."""
        of = question if isinstance(question, Levelled) else Levelled()
        by = question if isinstance(question, Linked) else Linked()
        return self.view(level=of.level, host_weights=of.host_weights, weights=by.weights, cap=by.cap_links)

    def view(
        self,
        *,
        level: Level | None = None,
        host_weights: HostWeights = "links",
        weights: LinkWeights = "none",
        cap: int | None = None,
    ) -> Session:
        """The same store at a level and with weights of links: graph, engine and what is worked out are the view's own.

        The defaults give what is stored, each link counting 1, from whichever view it is called on.

        Parameters
        ----------
        level
            ``page``, ``host`` or ``domain``; what is stored when `None`. A finer level than that is an error.
        host_weights
            What a link between two hosts or domains weighs (`seedrank.graph.levels.level_graph`).
        weights
            ``links``: a link counts as much as its stored weight; ``none``: 1.
        cap
            Links of a page that count, at most (`WebGraph.capped`); all when `None`.
        """
        wanted = _View(self._derived(level, host_weights), host_weights, weights, cap)
        if wanted not in self._views:
            other = copy.copy(self)
            for name in _WORKED_OUT:
                vars(other).pop(name, None)
            other._view = wanted
            self._views[wanted] = other
        return self._views[wanted]

    def _derived(self, level: Level | None, host_weights: HostWeights) -> Level | None:
        """The level, checked; `None` where it is the stored one."""
        if level is not None and level not in LEVELS:
            raise UsageError(f"no level is {shorten(level)}", hint=f"one of {', '.join(LEVELS)}")
        if level is not None and coarser(level, self.stored_level):
            return level
        if level is not None and level != self.stored_level:
            those = PLURAL[self.stored_level]
            raise UsageError(
                f"the graph is of {those}, and its {PLURAL[level]} are not known",
                hint="leave out {level}",
                fields=("level",),
            )
        if host_weights != "links":
            raise UsageError(
                f"links between {PLURAL[self.stored_level]} weigh what is stored", hint="leave out {host_weights}",
                fields=("host_weights",),
            )  # fmt: skip
        return None

    @property
    def _base(self) -> Session:
        """The view of what is stored."""
        return self._views[_View()]

    @property
    def unweighted(self) -> Session:
        """The view of this level where each link counts 1."""
        return self.view(level=self._view.level, host_weights=self.host_weights)

    @property
    def level(self) -> Level:
        """What a node of the graph is: a page, a host or a domain."""
        return self._view.level or self.stored_level

    @property
    def host_weights(self) -> HostWeights:
        """What a link between hosts or domains weighs, where the graph is made of the stored one."""
        return self._view.host_weights

    @property
    def is_derived(self) -> bool:
        """Whether the graph is made of the stored one: of its hosts or domains."""
        return self._view.level is not None

    @cached_property
    def stored_level(self) -> Level:
        """What a node of the stored graph is."""
        if self is not self._base:
            return self._base.stored_level
        return stored_level(self.store.loads()) or "page"

    def level_of(self, run: Run) -> Level:
        """What a kept run is about."""
        stored = self.stored_level
        return run.level if run.level is not None and coarser(run.level, stored) else stored

    def check_same_graph(self, run: Run) -> None:
        """Refuse a run of what the database held before it was emptied: its numbers are of other pages."""
        begun = self.store.begun() if isinstance(self.store, HasDatabases) else ""
        if run.created and run.created < begun:
            raise UsageError(
                f"{run.name} is of another graph: {self.store.url} was emptied and loaded since",
                hint="ask again, and name that run",
            )

    def of_run(self, run: Run) -> Session:
        """The view that a kept run was asked of; links count 1 each."""
        level = self.level_of(run)
        of_links: HostWeights = run.parameters.get("host_weights", "links") if level != self.stored_level else "links"
        return self.view(level=level, host_weights=of_links)

    # -- the graph

    @cached_property
    def stored_graph(self) -> WebGraph:
        """The graph in memory with the weights that are stored, read from the store when its version changed.

        Says so when a load was cut off.
        """
        if self is not self.unweighted:
            return self.unweighted.stored_graph
        return self._graph_of_level(self._view.level) if self._view.level else self._read_graph()

    @cached_property
    def graph(self) -> WebGraph:
        """The graph in memory; its links count 1 each, or as the view says."""
        graph = self.stored_graph
        if self._view.weights == "none":
            graph = graph.unweighted()
        elif not self.in_database and graph.weights is None and graph.has_links:
            log.warning("no link has a weight other than 1: walks by weights are plain ones")
        if self._view.cap is None:
            return graph
        require_memory(
            8 * graph.links, "weights of capped links", "use a machine with more memory, or leave the cap out"
        )
        return graph.capped(self._view.cap)

    def _read_graph(self) -> WebGraph:
        from seedrank.session.graph_cache import open_graph, open_pages, read_pages

        for load in self.unfinished_loads():
            log.warning(
                "the load of %s (%s) did not finish: parts of the graph are missing; repeat it to complete them",
                load.source, load.started,
            )  # fmt: skip
        if isinstance(self.store, IsGraph):
            return self.store.graph
        if self.in_spark:
            return read_pages(self.store, progress=self.progress)
        opened = open_pages if self.in_database else open_graph
        return opened(self.store, self.cache_folder / "graph", refresh=self.refreshes, progress=self.progress)

    def _graph_of_level(self, level: Level) -> WebGraph:
        from seedrank.session.graph_cache import open_level

        folder = self.cache_folder / f"graph-{level}-{self.host_weights}"
        whole, stored = self._base.stored_graph.with_links(), self.stored_level
        found = open_level(whole, folder, level, self.host_weights, stored=stored, progress=self.progress)
        left_out = int(found.meta["left_out"])
        if left_out:
            log.warning(
                "%s %s without a host are left out: they belong to no %s", f"{left_out:,}", PLURAL[stored], level
            )
        return found

    @property
    def has_graph(self) -> bool:
        """Whether the stored graph was read into memory."""
        return "stored_graph" in vars(self._base)

    @property
    def has_links(self) -> bool:
        """Whether the links of the stored graph were read into memory."""
        return self.has_graph and self._base.stored_graph.links_here

    @cached_property
    def has_arrays(self) -> bool:
        """Whether the links need not be read from the store: they are in memory, or kept beside it as they are now."""
        from seedrank.session.graph_cache import kept_graph

        if self is not self._base:
            return self._base.has_arrays
        kept = not self.refreshes and kept_graph(self.store, self.cache_folder / "graph") is not None
        return kept or self.has_links

    def unfinished_loads(self) -> list[Load]:
        """Loads that were cut off, or are under way in another process."""
        return [load for load in self.store.loads() if load.state != "done"]

    def check_column(self, name: str | None) -> None:
        """Refuse a column that cannot be written."""
        if name is None:
            return
        if self.is_derived and self.level == "domain":
            raise UsageError(
                "{write} goes with pages and hosts: a domain has no node in the database",
                hint="leave it out, or ask about hosts: {level=host}",
                fields=("write", "level"),
            )
        if not isinstance(name, str) or not name.isidentifier() or name in _OWN_COLUMNS:
            raise UsageError(
                f"scores cannot be written to {shorten(name)}", hint="name a column: letters, digits and _"
            )

    def write_places(self, name: str, pages: np.ndarray, values: np.ndarray | None = None) -> None:
        """Write a column of some pages, and take it from the others: their place, from 1, or these values."""
        import pyarrow as pa

        known = np.arange(1, len(pages) + 1) if values is None else values
        column = np.zeros(self.engine.pages, known.dtype)
        column[pages] = known
        others = np.ones(len(column), bool)
        others[pages] = False
        self.write_scores(name, pa.array(column, mask=others, from_pandas=True))

    def write_scores(self, name: str, values: np.ndarray | pa.Array) -> None:
        """Write a column of pages, or of hosts in their view, into the store. Domains have no node to write to.

        The cached graphs know of it: the store's version stays the same.
        """
        from seedrank.session.graph_cache import update_column

        if isinstance(self.store, TakesScores) and not self.is_derived:
            self.store.write_scores(name, values, progress=self.progress)
        else:
            store = database(self.store, "writing scores")
            store.write_host_scores(name, self.names.table["host"], values, progress=self.progress)
        numbers = values if isinstance(values, np.ndarray) else values.to_numpy(zero_copy_only=False)
        update_column(self.cache_folder / "graph", name, numbers, of_hosts=self.is_derived)
        self._forget("stored_graph", "graph")

    # -- the engine, and what is worked out once

    @cached_property
    def engine(self) -> ChoosingEngine:
        """The primitives, where they were asked to run."""
        from seedrank.engines.choose import engine_for

        return engine_for(
            lambda: self.graph,
            self.store,
            self.engine_name,
            level=(self.level, self.host_weights) if self.is_derived else None,
            weighted=self._view.weights == "links",
            capped=self._view.cap is not None,
            in_spark=self.in_spark,
            arrays_there=lambda: self.has_links or self.has_arrays,
            progress=self.progress,
        )

    @property
    def in_database(self) -> bool:
        """Whether the links stay in the database, because that was asked for."""
        return self.engine_name == "gds" and isinstance(self.store, HasGds)

    @cached_property
    def in_spark(self) -> bool:
        """Whether the links stay in Spark: it was asked for, or they do not fit into memory."""
        if not isinstance(self.store, HasSpark):
            return False
        from seedrank.engines.spark_choice import stays_in_spark

        return self._base.in_spark if self is not self._base else stays_in_spark(self.store, self.engine_name)

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

    @cached_property
    def handed_over(self) -> Catalog:
        """Projections that others work on in Neo4j; they are dropped with the engine."""
        from seedrank.engines.gds.catalog import Catalog

        gds(self.store, "a client of it")
        return Catalog(self.store, self.progress, weighted=True)  # type: ignore[arg-type]  # `gds` has looked

    @cached_property
    def pagerank(self) -> np.ndarray:
        """PageRank of every page.

        Where the in-links do not fit into memory it is worked out by pushing along out-links, which takes longer.
        """
        return self._walked(self.engine)

    @cached_property
    def pagerank_in_memory(self) -> np.ndarray:
        """The same by the graph in memory whichever engine was asked for: the same digits from every store."""
        if self.engine.name == "native":
            return self.pagerank
        from seedrank.engines.native.engine import NativeEngine

        return self._walked(NativeEngine(self.graph))

    def _walked(self, engine: Engine) -> np.ndarray:
        from seedrank.engines.native.push_walk import push_walk

        try:
            return engine.walk().scores
        except TooLarge as error:
            log.info("%s: PageRank is worked out by pushing along out-links", error.message)
            return push_walk(self.graph, progress=self.progress)

    def once(self, make: Callable[[Session], _T]) -> _T:
        """What a function makes of this view, made once for the store as it is."""
        if make not in self._made:
            self._made[make] = make(self)
        made: _T = self._made[make]
        return made

    @cached_property
    def _made(self) -> dict[Callable[[Session], Any], Any]:
        return {}

    def reset(self) -> None:
        """Forget what was worked out from the store, in every view of it: it changed."""
        self._forget("engine", "handed_over", *_WORKED_OUT)

    def _forget(self, *names: str) -> None:
        """Forget these in every view; an engine is closed."""
        for one in list(self._views.values()):
            for name in names:
                held = vars(one).pop(name, None)
                if held is not None and name in ("engine", "handed_over"):
                    held.close()

    # -- sites and names

    @cached_property
    def sites(self) -> np.ndarray:
        """Site number of each page, -1 where it has no host."""
        from seedrank.graph.levels import site_of

        return site_of(self.graph, self.site)

    @cached_property
    def names(self) -> PageNames:
        """The names of the pages, hosts or domains; from the graph in memory where it was read already."""
        from seedrank.session.page_names import names_in_graph, names_in_store, names_of_hosts

        in_memory = self.has_graph or isinstance(self.store, IsGraph)
        if self.is_derived:
            hosts = self._base.stored_graph.host_names if in_memory else self.store.read_hosts()["name"]
            return names_of_hosts(hosts, self.level)
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
    def runs(self) -> RunStore:
        """The answers kept beside the store."""
        return RunStore(runs_folder(self.store.url, self._database))

    def answered(
        self,
        question: Question,
        started: float,
        ranking: Ranking,
        facts: Mapping[str, Any],
        *,
        save: Saved = False,
        write: str | None = None,
        tables: Mapping[str, pa.Table] | None = None,
        engines: Mapping[str, str] | None = None,
        **more: Any,
    ) -> Answer:
        """Keep pages in an order as the answer to a question.

        Parameters
        ----------
        started
            When, by `time.perf_counter`.
        ranking, facts
            What came out.
        save
            Also write its first 1,000 pages, so many, or all into the database, for exploration.
        write
            Also write the place of each of its pages as this property.
        tables
            Further tables, kept with it.
        engines
            Primitives that ran beside the engine, and where.
        more
            What else it depends on, such as ``site``.
        """
        run = self.record(question, started, facts, engines=engines, **more)
        with self.keeping():
            self.runs.keep(run, ranking, tables)
        if write is not None:
            self.write_places(write, ranking.pages)
        if save:
            self._save(run, ranking, save)
        return Answer(run, lambda: self.rows(ranking), ranking=ranking, tables=tables)

    def _save(self, run: Run, ranking: Ranking, save: Saved) -> None:
        """Write a run and its first pages into the database, and say so where they are not all."""
        limit = None if save == "all" else SAVED if save is True else int(save)
        database(self.store, "saving an answer").write_run(run, ranking, limit=limit, progress=self.progress)
        if limit is not None and limit < len(ranking.pages):
            log.warning(
                "the database has the first %s of %s rows of this answer: save all for the rest",
                f"{limit:,}", f"{len(ranking.pages):,}",
            )  # fmt: skip

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
        engine = vars(self).get("engine")
        ran = {**(engines or {}), **({} if engine is None else engine.journal.since(started))}
        if self.in_database and self.has_links and "native" not in engine_text(ran):
            ran["links"] = "native"  # by loops of a method's own
        unfinished = "" if engine is None else engine.journal.unfinished_since(started)
        if unfinished:
            facts = {**facts, "unfinished": unfinished}
        return Run(
            new_id(),
            question.title,
            {**{name: self._recorded(value) for name, value in asdict(question).items()}, **more},
            self._version_asked(),
            self.store.url,
            engine_text(ran, native=NATIVE_ON_NEO4J if is_neo4j(self.store.url) else "native"),
            VERSION,
            now(),
            round(time.perf_counter() - started, 3),
            facts,
            ran,
            self.engine_name,
            self._database,
        )

    def origin_of(self, run: Run) -> dict[str, Any]:
        """The graph and the loads that a run of this view was asked of, as they are now.

        Without the graph's digest where it has changed since, or is closed.
        """
        from seedrank.graph.fingerprint import fingerprint

        try:
            version, loads = self.store.version(), self.store.loads()
        except SeedrankError as error:
            return {"graph": {"version": run.graph, "sha256": None, "why": error.message}, "loads": []}
        graph: dict[str, Any] = {"version": run.graph, "level": self.level}
        if version != run.graph:
            graph |= {"sha256": None, "why": f"the graph has changed since: it is {version}"}
        elif not self.stored_graph.has_links:
            graph |= {"sha256": None, "why": "its links are in Spark"}
        else:
            held = self.stored_graph
            graph |= {"pages": held.pages, "links": held.links, "sha256": fingerprint(held)}
        names = ("id", "source", "sha256", "started", "state")
        return {"graph": graph, "loads": [{name: getattr(one, name) for name in names} for one in loads]}

    def _version_asked(self) -> str:
        """Of the graph that answered, also where it was changed meanwhile."""
        if self.has_graph:
            return self._base.stored_graph.version
        engine = vars(self).get("engine")
        return (engine.version if engine is not None else "") or self.store.version()

    def _recorded(self, value: Any) -> Any:
        """A parameter as a record has it: a long list of URLs by the file it is kept in."""
        is_long = isinstance(value, str) and len(value) > _LONG and value.startswith(("http://", "https://"))
        return self.runs.keep_list(value) if is_long else value

    @property
    def _database(self) -> str:
        """Which database of its server the store is; empty for the default one, and for stores that are no server."""
        return self.store.database if isinstance(self.store, HasDatabases) else ""

    @property
    def cache_folder(self) -> Path:
        """Where the arrays of the graph are kept."""
        return cache_folder(self.store.url, self._database)


_OWN_COLUMNS = frozenset({"id", "url", "source_id", "status", "host", "name", "pages"})
_WORKED_OUT = tuple(name for name, one in vars(Session).items() if isinstance(one, cached_property))
