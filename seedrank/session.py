"""A store with its graph, engine, names of pages and kept answers."""

from __future__ import annotations

import copy
import errno
import logging
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self, TypeVar

import numpy as np

from graphdb.store import GraphStore, IsGraph, database
from seedrank.core.changes import Load, stored_level
from seedrank.core.errors import GraphError, InputError, UsageError, shorten
from seedrank.core.levels import PLURAL, HostWeights, Level, coarser, guesses, names
from seedrank.core.places import cache_folder, runs_folder
from seedrank.core.progress import Progress, silent
from seedrank.core.version import VERSION
from seedrank.engines.choose import check_engine
from seedrank.engines.memory import require
from seedrank.questions.links import LinkWeights
from seedrank.questions.question import Question
from seedrank.runs import Answer, Ranking, Run, RunStore
from seedrank.runs.facts import ListFacts
from seedrank.runs.record import engine_text, new_id, now

if TYPE_CHECKING:
    from types import TracebackType

    import pyarrow as pa

    from loaders.pagelist import PageList
    from seedrank.engines.choose import ChoosingEngine, EngineName
    from seedrank.graph import WebGraph

__all__ = ["Session"]

log = logging.getLogger(__name__)

_T = TypeVar("_T")

SITES = ("host", "domain")
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
        elif graph.weights is None:
            log.warning("no link has a weight other than 1: walks by weights are plain ones")
        if most is None:
            return graph
        require(8 * graph.links, "weights of capped links", "use a machine with more memory, or leave the cap out")
        return graph.capped(most)

    def _read_graph(self) -> WebGraph:
        from seedrank.cache import open_graph

        for load in self.unfinished_loads():
            log.warning(
                "the load of %s (%s) did not finish: parts of the graph are missing; repeat it to complete them",
                load.source, load.started,
            )  # fmt: skip
        if isinstance(self.store, IsGraph):
            return self.store.graph
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
                progress=self.progress,
            ),
        )

    def write_scores(self, name: str, values: np.ndarray) -> None:
        """Write a page column into the store; the cached graph knows of it: the store's version stays the same."""
        from seedrank.cache import update_column

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
        from seedrank.level_session import LevelSession

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
            engine = one._remembered.pop("engine", None)
            if engine is not None:
                engine.close()

    def _all(self) -> list[Session]:
        """The session itself, those made of it by `at` and `linked`, and those made of them."""
        made = [one for one in self._remembered.values() if isinstance(one, Session)]
        return [self, *(each for one in made for each in one._all())]

    # -- pages by name

    @property
    def sites(self) -> np.ndarray:
        """Site number of each page, -1 where it has no host."""
        from seedrank.sites import site_of

        return self.remember("sites", lambda: site_of(self.graph, self.site))

    def known_pages(self, file: str) -> tuple[ListFacts, np.ndarray]:
        """Pages of a list (a file, URLs between spaces, or ``run:ID``), each once, and facts about it; never none.

        A graph of hosts or domains takes their names where URLs are taken.
        """
        if file.startswith("run:"):
            return {"unknown": 0, "unknown_such_as": [], "repeated": 0}, self.run_pages(file)
        _, ids, unknown = self._listed(file)
        found = ids[ids >= 0]
        lost = len(ids) - len(found)
        if lost:
            log.warning(
                "%s: %d of %d pages are not in the graph, such as %s", file, lost, len(ids), ", ".join(unknown[:3])
            )
        if not len(found):
            named = "URLs" if self.level == "page" else f"names of {PLURAL[self.level]}"
            raise InputError(
                "none of its pages is in the graph", file=file, value=unknown[0], hint=f"check the {named}"
            )
        _, first = np.unique(found, return_index=True)
        facts: ListFacts = {"unknown": lost, "unknown_such_as": unknown, "repeated": len(found) - len(first)}
        return facts, found[np.sort(first)]

    def pinned(self, pages: str) -> str:
        """The same list of pages with the id of ``run:latest``, which will be another run later."""
        if pages.split(":")[:2] != ["run", "latest"]:
            return pages
        return pages.replace("latest", self._usable("run:latest").id, 1)

    def run_pages(self, name: str) -> np.ndarray:
        """Pages of a kept run that ranks pages, in its order; none at all is an error, and so is another level."""
        run = self._usable(name)
        if run.facts.get("partial"):
            log.warning("%s was interrupted: its order is a part", run.name)
        pages = self.kept.ranking(run).pages
        if not len(pages):
            raise UsageError(f"{name} has no pages", hint="name another run")
        return pages

    def _usable(self, name: str) -> Run:
        """The record of a kept ranking of this session's level."""
        run = self.kept.usable(name, "ranking")
        of = self.level_of(run)
        if of != self.level:
            raise UsageError(
                f"{run.name} ({run.method}) ranks {PLURAL[of]}, and {PLURAL[self.level]} are asked about",
                hint=f"name a run of {PLURAL[self.level]}, or ask about {PLURAL[of]}: {{level={of}}}",
                fields=("level",),
            )
        return run

    def weights(self, file: str, pages: int) -> np.ndarray:
        """Weight per page from a file; pages not in the graph are refused."""
        listed, ids, unknown = self._listed(file)
        if unknown:
            raise InputError(
                f"{int((ids < 0).sum())} of {len(ids)} pages are not in the graph, such as",
                file=file,
                value=unknown[0],
                hint="remove them from the list",
            )
        weights = np.zeros(pages)
        np.add.at(weights, ids, listed.weights)
        return weights

    def _listed(self, file: str) -> tuple[PageList, np.ndarray, list[str]]:
        """A list of pages, their ids (-1 where no page has it), and the first five that are not in the graph."""
        from loaders.pagelist import read_page_list, url_list

        # A word is a file where there is one, else the name of a host or domain.
        inline = file.startswith(("http://", "https://")) or (self.level != "page" and not os.path.lexists(file))
        listed = url_list(file) if inline else read_page_list(file, self.level)
        ids, known = self.find(listed)
        return listed, ids, [str(listed.keys[int(row)].as_py()) for row in np.flatnonzero(~known)[:5]]

    def rows(self, ranking: Ranking) -> pa.Table:
        """A ranking with the names of its pages: ``rank id source_id url host score`` and the method's columns.

        Hosts and domains have one name (`page_names`).
        """
        table = ranking.table()
        named = self.page_names(table["id"])
        for place, name in enumerate(named.column_names):
            table = table.add_column(2 + place, name, named[name])
        return table

    def find(self, pages: PageList) -> tuple[np.ndarray, np.ndarray]:
        """Pages of a list.

        Returns
        -------
        ids, known
            int64 per entry of the list, -1 where no page has it; and whether it was found.
        """
        if not pages.by_url:
            ids = _places(self._page_names["source_id"], pages.keys)
            return ids, ids >= 0
        held = self._page_names["url"]
        ids = np.full(len(pages.keys), -1, np.int64)
        for keys in guesses(pages.keys, self.level):
            ids = np.where(ids >= 0, ids, _places(held, keys.cast(held.type)))
            if (ids >= 0).all():
                break
        return ids, ids >= 0

    def page_named(self, text: str) -> int:
        """Id of the page a user names by URL or source id."""
        import pyarrow as pa

        from loaders.pagelist import PageList

        keys = [pa.array([text])]
        if text.isdecimal() and int(text) < 2**63:
            keys.append(pa.array([int(text)]))
        for key in keys:
            number = int(self.find(PageList("", key, np.ones(1)))[0][0])
            if number >= 0:
                return number
        named = "URL" if self.level == "page" else "name"
        raise UsageError(f"no {self.level} is {text!r}", hint=f"give its {named}, or its id in the source")

    # -- answers

    @property
    def kept(self) -> RunStore:
        """The answers kept beside the store."""
        return RunStore(runs_folder(self.store.url))

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

        The primitives that ran since then go into it, after those of `engines`.
        """
        engine = self._remembered.get("engine")
        ran = {**(engines or {}), **({} if engine is None else engine.journal.since(started))}
        return Run(
            new_id(),
            question.title,
            {**asdict(question), **more},
            self.store.version(),
            self.store.url,
            engine_text(ran),
            VERSION,
            now(),
            round(time.perf_counter() - started, 3),
            facts,
            ran,
            self.engine_name,
        )

    @property
    def _page_names(self) -> pa.Table:
        """``source_id``, ``url``, ``host`` of every page; from the graph in memory where it is there already."""
        return self.remember("page names", self._read_page_names)

    def _read_page_names(self) -> pa.Table:
        import pyarrow as pa

        names = ("source_id", "url", "host")
        if not self.has_graph and not isinstance(self.store, IsGraph):
            batches = list(self.store.read_pages(names))
            if not batches:
                raise GraphError("the graph has no pages", hint="load some")
            return pa.Table.from_batches(batches).select(list(names))
        graph = self.stored_graph
        columns = {
            "source_id": pa.nulls(graph.pages, pa.int64())
            if graph.source_id is None
            else pa.array(graph.source_id, mask=graph.source_id < 0),
            "url": pa.nulls(graph.pages, pa.large_string()) if graph.urls is None else graph.urls,
            "host": graph.host_names.take(pa.array(graph.host, mask=graph.host < 0)),
        }
        return pa.table(columns)

    def page_names(self, ids: pa.ChunkedArray) -> pa.Table:
        """``source_id``, ``url``, ``host`` of pages by id; a page that is no longer there has none of them.

        Of hosts or domains ``source_id`` and ``host`` or ``domain``, their name.
        """
        import pyarrow as pa
        import pyarrow.compute as pc

        held = self._page_names
        found = held.take(pc.if_else(pc.less(ids, held.num_rows), ids, None))
        if self.level == "page":
            return found
        return pa.table({"source_id": found["source_id"], self.level: names(found["url"])})

    @property
    def cache_folder(self) -> Path:
        """Where the arrays of the graph are kept."""
        return cache_folder(self.store.url)


def _places(held: pa.ChunkedArray, wanted: pa.Array) -> np.ndarray:
    """Row of `held` with each of `wanted`, int64, -1 where there is none.

    `wanted` is short and `held` long, so each of `held` is looked up in `wanted`, and the answer turned round.
    """
    import pyarrow.compute as pc

    distinct = wanted.drop_null().unique()
    place = pc.index_in(held, value_set=distinct).combine_chunks()
    rows = np.full(len(distinct) + 1, -1, np.int64)
    rows[place.drop_null().to_numpy()] = np.flatnonzero(place.is_valid().to_numpy(zero_copy_only=False))
    picked: np.ndarray = rows[pc.fill_null(pc.index_in(wanted, value_set=distinct), len(distinct)).to_numpy()]
    return picked
