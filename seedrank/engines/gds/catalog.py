"""Named projections of the graph in the server's memory: made when first needed, dropped whatever happens.

A name is ``seedrank-<graph version>-<machine>-<process>-<random>``. Names are noted before a projection is asked for,
so that a failure or Ctrl-C in the middle leaves nothing behind. What a killed process left is dropped by the next one
of the same user: at once where that process was on this machine and is gone, elsewhere after a day.
"""

from __future__ import annotations

import os
import platform
import re
import secrets
import threading
import weakref
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from graphdb.store import GraphStore, HasGds
from seedrank.core.errors import GraphError, SeedrankError, StoreError
from seedrank.core.progress import Progress, silent

__all__ = ["Catalog", "GdsStore", "Projection"]

SMALL = 1_000_000
"""Pages and links up to which nothing is estimated and one thread works: it would cost more than it saves."""
MOST_THREADS = 4
"""What the community edition allows."""

_POLL_SECONDS = 1.0
_LAST_WORDS = 2.0
"""Seconds a job has to end once it was told to. HITS and PageRank do not listen: they go on to their last iteration."""
_MORE_HEAP = "give the server more (`seedrank db up --heap 8g`), or use {engine=native}"
_NAME = re.compile(r"seedrank-\w+-(\w+)-(\d+)-\w+")


class GdsStore(GraphStore, HasGds, Protocol):
    """A store whose server has GDS."""


@dataclass(frozen=True)
class Projection:
    """A graph in the server's memory, by name, and which page each of its nodes is."""

    name: str
    pages: int
    links: int
    nodes: np.ndarray | None = None
    """int64 per page: its node; a page's node is its id when `None`."""
    present: np.ndarray | None = None
    """Boolean per page: has a node; all have when `None`."""

    @cached_property
    def _by_node(self) -> tuple[np.ndarray, np.ndarray]:
        assert self.nodes is not None
        order = np.argsort(self.nodes)
        return self.nodes[order], order

    def nodes_of(self, pages: np.ndarray) -> list[int]:
        """The nodes of these pages, without those that have none."""
        if self.present is not None:
            pages = pages[self.present[pages]]
        return list((pages if self.nodes is None else self.nodes[pages]).tolist())

    def pages_of(self, nodes: Sequence[int]) -> np.ndarray:
        """The pages these nodes are, int64."""
        ids = np.array(nodes, np.int64)
        if self.nodes is None:
            return ids
        known, order = self._by_node
        return np.asarray(order[np.searchsorted(known, ids)])

    def spread(self, rows: Sequence[Mapping[str, Any]], values: np.ndarray, column: str = "value") -> np.ndarray:
        """`values` with what the rows' lists `node` and `column` say."""
        for row in rows:
            values[self.pages_of(row["node"])] = row[column]
        return values


class Catalog:
    """The projections of an engine and its views.

    Parameters
    ----------
    store
        The database.
    progress
        Told how far jobs on the server are.
    weighted
        Whether projections have the weights of links.
    """

    def __init__(self, store: GdsStore, progress: Progress = silent, *, weighted: bool = False) -> None:
        self.store = store
        self.weighted = weighted
        self.progress = progress
        counts = store.counts()
        self.pages, self.links = counts.pages, counts.links
        self.version = store.version()
        self._names: set[str] = set()
        self._unused: list[str] = []
        self._swept = False
        # Also at exit, also when nobody calls close.
        self._finalizer = weakref.finalize(self, _drop_all, store, self._names)

    def close(self) -> None:
        """Drop every projection; safe to call twice."""
        _drop_all(self.store, self._names)

    # -- statements

    def run(self, statement: str, title: str | None = None, **parameters: Any) -> list[dict[str, Any]]:
        """The rows of a statement; with a `title`, as a job of that name whose progress is shown."""
        job = f"seedrank-{secrets.token_hex(8)}"
        if title is None:
            return self._call(statement, parameters, job)
        with self._watched(job, title):
            return self._call(statement, parameters, job)

    def balls(self, ids: list[int], hops: int) -> list[dict[str, Any]]:
        """Pages within `hops` of each of some pages; a bound of hops cannot be a parameter."""
        return self._call("balls", {"ids": ids}, f"seedrank-{secrets.token_hex(8)}", HOPS=str(hops))

    def _call(
        self, statement: str, parameters: Mapping[str, Any], job: str, **placeholders: str
    ) -> list[dict[str, Any]]:
        """Send a statement and wait for it; Ctrl-C ends it on the server too, as far as the server listens.

        It is sent from a thread: the driver would wait for the answer before it lets go of the connection.
        """
        given = {**parameters, "job": job}
        answer = _Answer(lambda: self.store.call(statement, given, **placeholders))
        try:
            return answer.wait()
        except StoreError as error:
            if "exceeds current free memory" in error.message:
                raise GraphError(
                    "the server has too little memory: {reason}",
                    hint=_MORE_HEAP,
                    fields=("engine",),
                    values={"reason": error.message},
                ) from error
            raise
        except KeyboardInterrupt:
            with suppress(SeedrankError):
                self.store.call("terminate", {"job": job})
            answer.join(_LAST_WORDS)
            raise

    def check_version(self) -> None:
        """Refuse to go on with a graph that is no longer the one the engine was made for."""
        if self.store.version() != self.version:
            self.close()
            raise StoreError(f"the graph at {self.store.url} was changed meanwhile", hint="repeat the command")

    # -- memory and threads

    @cached_property
    def concurrency(self) -> int:
        """Threads a job may use: those of the server, at most 4; 1 for small graphs."""
        return 1 if self._is_small else max(1, min(MOST_THREADS, self._server["availableCPUs"]))

    def require(self, statement: str, what: str, **parameters: Any) -> None:
        """Refuse `what` when the estimate is above the server's heap."""
        if self._is_small:
            return
        needed = int(self.run(statement, **parameters)[0]["bytes"])
        heap = self._server["heapMaxInBytes"]
        if needed > heap:
            raise GraphError(
                f"{what} needs at least {needed / 2**30:.1f} GiB of the server's memory, which has {heap / 2**30:.1f}",
                hint=_MORE_HEAP,
                fields=("engine",),
            )

    def require_projection(self, pages: int, links: int, *, weighted: bool = False) -> None:
        """Refuse a projection that will not fit."""
        relationships = {"LINKS": {"type": "*", "properties": ["weight"]}} if weighted else "*"
        what = f"a projection of {pages:,} pages and {links:,} links"
        self.require("project_estimate", what, pages=pages, links=links, relationships=relationships)

    @property
    def _is_small(self) -> bool:
        return self.pages + self.links < SMALL

    @cached_property
    def _server(self) -> dict[str, int]:
        return {row["key"]: int(row["value"]) for row in self.run("server")}

    # -- projections

    def project(self, statement: str, title: str, **parameters: Any) -> tuple[str, int]:
        """Make a projection; its name and number of links."""
        self._sweep()
        name = f"seedrank-{self.version}-{_machine()}-{os.getpid()}-{secrets.token_hex(4)}"
        self._names.add(name)
        try:
            links = self.run(statement, title, name=name, concurrency=self.concurrency, **parameters)[0]["links"]
        except BaseException:
            self.drop(name)
            raise
        return name, int(links)

    def whole(self, *, reversed: bool = False) -> Projection:
        """The whole graph; its links the other way round if asked."""
        self.require_projection(self.pages, self.links, weighted=self.weighted)
        relationships = {
            "LINKS_TO": {
                "orientation": "REVERSE" if reversed else "NATURAL",
                "properties": {"weight": self._weight()} if self.weighted else {},
            }
        }
        name, links = self.project("project", "projecting the graph", relationships=relationships)
        nodes = np.full(self.pages, -1, np.int64)
        ids = 0
        for row in self.run("page_ids", name=name):
            page = np.array(row["value"], np.int64)
            if page.min() < 0 or page.max() >= self.pages:
                ids = -1
                break
            nodes[page] = row["node"]
            ids += len(page)
        if ids != self.pages or nodes.min() < 0:
            self.drop(name)
            raise StoreError(
                f"pages of {self.store.url} are not numbered from 0 to {self.pages - 1}",
                hint="pages made by hand have no id: delete them, or load the graph again",
            )
        return Projection(name, self.pages, links, nodes)

    def _weight(self) -> dict[str, Any]:
        """Where a projection takes the weight of a link from. A property that no link ever had is unknown to GDS.

        The number of links from a page to another, 1, then takes its place.
        """
        if self.run("has_weights")[0]["there"]:
            return {"property": "weight", "defaultValue": 1.0}
        return {"property": "*", "aggregation": "COUNT"}

    def degrees(self, projection: Projection, orientation: str, *, weighted: bool = False) -> list[dict[str, Any]]:
        """Links of each node of a projection, or the sums of their weights."""
        return self.run(
            "view_degrees",
            name=projection.name,
            configuration={
                "orientation": orientation,
                "concurrency": self.concurrency,
                **({"relationshipWeightProperty": "weight"} if weighted else {}),
            },
        )

    def drop(self, name: str) -> None:
        """Drop a projection, if it is there; never fails."""
        _drop(self.store, name)

    def drop_property(self, name: str, node_property: str) -> None:
        """Drop a property of a projection's nodes, if it is there; never fails."""
        with suppress(StoreError):
            self.store.call("drop_property", {"name": name, "property": node_property})

    def drop_later(self, name: str) -> None:
        """Drop a projection before the next one is made: called where a view is forgotten, at any moment."""
        self._unused.append(name)

    def _sweep(self) -> None:
        """Drop what is unused, and once what processes left that are gone."""
        while self._unused:
            name = self._unused.pop()
            self.drop(name)
            self._names.discard(name)
        if not self._swept:
            self._swept = True
            for row in self.run("projections"):
                if _is_stale(row["name"], row["old"]):
                    self.drop(row["name"])

    @contextmanager
    def _watched(self, job: str, title: str) -> Iterator[None]:
        """Show how far a job is while it runs."""
        if self.progress is silent:
            yield
            return
        done = threading.Event()
        with self.progress(title, total=100) as advance:

            def poll() -> None:
                shown = 0
                while not done.wait(_POLL_SECONDS):
                    try:
                        now = max(
                            (_percent(row["progress"]) for row in self.store.call("progress", {"job": job})), default=0
                        )
                    except (SeedrankError, ValueError):
                        return  # the job matters, not how it is watched
                    advance(max(now - shown, 0))
                    shown = max(now, shown)

            watcher = threading.Thread(target=poll, daemon=True)
            watcher.start()
            try:
                yield
            finally:
                done.set()
                watcher.join()


class _Answer(threading.Thread):
    """The answer of a call that another thread makes."""

    def __init__(self, call: Callable[[], list[dict[str, Any]]]) -> None:
        super().__init__(daemon=True)
        self._make = call
        self._rows: list[dict[str, Any]] = []
        self._error: BaseException | None = None
        self.start()

    def run(self) -> None:
        """Make the call."""
        try:
            self._rows = self._make()
        except BaseException as error:
            self._error = error

    def wait(self) -> list[dict[str, Any]]:
        """The answer, when it is there."""
        self.join()
        if self._error is not None:
            raise self._error
        return self._rows


def _percent(text: str) -> int:
    """A share such as ``12.5%``; 0 where it is not known."""
    return int(float(text.rstrip("%"))) if text.endswith("%") else 0


def _machine() -> str:
    return f"{zlib.crc32(platform.node().encode()):08x}"


def _is_stale(name: str, old: bool) -> bool:
    match = _NAME.fullmatch(name)
    if match is None:
        return False
    return old or (match[1] == _machine() and not _runs(int(match[2])))


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True  # another user's
    return True


def _drop(store: HasGds, name: str) -> None:
    # A server that is gone has dropped everything, and nothing here may hide the failure that led here.
    with suppress(Exception):
        store.call("drop", {"name": name})


def _drop_all(store: HasGds, names: set[str]) -> None:
    for name in list(names):
        _drop(store, name)
        names.discard(name)
