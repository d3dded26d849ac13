"""Named projections of the graph in the server's memory: made when first needed, kept for a while or dropped.

Names are noted before a projection is asked for, so that a failure or Ctrl-C in the middle leaves nothing behind. With
`keep`, projections that another command may ask for as well stay on the server (see `seedrank.engines.gds.names`), and
those that are there are used. Several processes may use one at a time: what is written into it has a name of its own.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
import secrets
import weakref
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, TypeVar

import numpy as np

from seedrank.core.changes import same_graph
from seedrank.core.errors import GraphError, StoreError
from seedrank.core.numbers import show_size
from seedrank.core.progress import Progress, silent
from seedrank.engines.gds import calls, names
from seedrank.graphdb.store import GraphStore, HasGds

__all__ = ["Catalog", "GdsStore", "Projection"]

log = logging.getLogger(__name__)

SMALL = 1_000_000
"""Pages and links up to which nothing is estimated and one thread works: it would cost more than it saves."""
MOST_THREADS = 4
"""What the community edition allows."""

_MOST_LOSSES = 3
_Result = TypeVar("_Result")

_MORE_HEAP = "give the server more (`seedrank db up --heap 8g`), or use {engine=native}"


class _Lost(Exception):
    """A projection was dropped by another command, with what was written into it."""


class GdsStore(GraphStore, HasGds, Protocol):
    """A store whose server has GDS."""


class Catalog:
    """The projections of an engine and its views.

    Parameters
    ----------
    weighted
        Whether projections have the weights of links.
    keep
        Whether projections that another command may use stay on the server.
    """

    level: tuple[str, ...] = ()
    """What the nodes of the projections are where they are no pages."""

    def __init__(
        self, store: GdsStore, progress: Progress = silent, *, weighted: bool = False, keep: bool = False
    ) -> None:
        self.store = store
        self.weighted = weighted
        self.progress = progress
        # First: what is written while the version is read makes it another state.
        self._state = self._checked = store.state()
        self._keep = keep and bool(self._state)
        counts = store.counts()
        self.pages, self.links = counts.pages, counts.links
        self.version = store.version()
        self._names: set[str] = set()
        self._again: dict[str, Callable[[], object]] = {}
        """How to make a projection that stays once more: another command may drop it."""
        self._unused: list[str] = []
        self._swept = self._told = False
        # Also at exit, also when nobody calls close.
        self._finalizer = weakref.finalize(self, _drop_all, store, self._names)

    def close(self) -> None:
        """Drop every projection that does not stay; safe to call twice."""
        _drop_all(self.store, self._names)

    # -- statements

    def run(self, statement: str, title: str | None = None, **parameters: Any) -> list[dict[str, Any]]:
        """The rows of a statement; with a `title`, as a job of that name whose progress is shown."""
        job = _job()
        if title is None:
            return self._call(statement, [parameters], job)
        with calls.watched(self.store, job, title, self.progress):
            return self._call(statement, [parameters], job, title)

    def run_together(
        self, statement: str, parts: Sequence[Mapping[str, Any]], **parameters: Any
    ) -> list[dict[str, Any]]:
        """The rows of a statement that is sent for several parts of the work at the same time."""
        return self._call(statement, [{**parameters, **part} for part in parts], _job())

    def balls(self, ids: list[int], hops: int) -> list[dict[str, Any]]:
        """Pages within `hops` of each of some pages; a bound of hops cannot be a parameter."""
        return self._call("balls", [{"ids": ids}], _job(), HOPS=str(hops))

    def _call(
        self,
        statement: str,
        parameters: Sequence[Mapping[str, Any]],
        job: str,
        title: str | None = None,
        **placeholders: str,
    ) -> list[dict[str, Any]]:
        def send() -> list[dict[str, Any]]:
            return calls.call(self.store, statement, parameters, job, title, **placeholders)

        try:
            return send()
        except StoreError as error:
            if "exceeds current free memory" in error.message:
                if self._free():
                    return send()
                raise _too_little_memory(error) from error
            again = next((make for name, make in self._again.items() if _is_gone(error, name)), None)
            if again is None:
                raise
        again()
        self.check_version()  # what is projected now is of the state that this engine knows
        return send()

    def written(self, name: str, node_property: str, work: Callable[[], _Result]) -> _Result:
        """Do `work`, which writes a property into a projection and reads it; the property is dropped afterwards.

        Another command may drop the projection between the two: the one that is made again has no such property, and
        the work is done once more.
        """
        try:
            for _ in range(_MOST_LOSSES):
                with suppress(_Lost):
                    return self._once(node_property, work)
            return work()
        finally:
            self.drop_property(name, node_property)

    def _once(self, node_property: str, work: Callable[[], _Result]) -> _Result:
        try:
            return work()
        except StoreError as error:
            if node_property not in error.message:
                raise
            raise _Lost from error

    def check_version(self) -> None:
        """Refuse to go on with a graph that is no longer the one the engine was made for."""
        state = self.store.state()
        if state and state == self._checked:
            return  # nothing was written at all
        if not same_graph(self.store.version(), self.version):
            self.close()
            raise StoreError(f"the graph at {self.store.url} was changed meanwhile", hint="repeat the command")
        if not self._told and self.store.version() != self.version:
            self._told = True
            log.warning("others wrote to %s meanwhile: where they changed pages or links, repeat it", self.store.url)
        self._checked = state

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
                f"{what} needs at least {show_size(needed)} of the server's memory, which has {show_size(heap)}",
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

    def project(self, statement: str, title: str, *, shared: bool = False, **parameters: Any) -> tuple[str, int]:
        """Make a projection, or find it where it is `shared`; its name and number of links."""
        self._sweep()
        if not (shared and self._keep):
            return self._make(names.temporary(self.version), statement, title, parameters)
        name = names.kept(self.version, self._state, self._content(statement, parameters))
        made = self._found(name) or self._make(name, statement, title, parameters)
        self._again[name] = lambda: self._make(name, statement, title, parameters)
        return made

    def _found(self, name: str) -> tuple[str, int] | None:
        rows = self.run("projected", name=name)
        return (name, int(rows[0]["links"])) if rows else None

    def _make(self, name: str, statement: str, title: str, parameters: Mapping[str, Any]) -> tuple[str, int]:
        self._names.add(name)
        try:
            links = self.run(statement, title, name=name, concurrency=self.concurrency, **parameters)[0]["links"]
        except BaseException as error:
            # Another process may have made the same a moment ago: it is its, and as good.
            taken = isinstance(error, StoreError) and re.search("already (exists|loaded)", error.message) is not None
            found = self._found(name) if taken else None
            if found is None:
                self.drop(name)
                raise
            self._names.discard(name)
            return found
        if names.is_kept(name) and self.store.state() == self._state:
            self._names.discard(name)  # it is of the state it is named after, and stays
        return name, int(links)

    def _content(self, statement: str, parameters: Mapping[str, Any]) -> str:
        """A digest of what a projection holds, apart from the state of the database."""
        text = json.dumps([statement, self.level, self.weighted, parameters], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    def whole(self, *, reversed: bool = False) -> Projection:
        """The whole graph; its links the other way round if asked."""
        self.require_projection(self.pages, self.links, weighted=self.weighted)
        of_links = {
            "orientation": "REVERSE" if reversed else "NATURAL",
            "properties": {"weight": self._weight()} if self.weighted else {},
        }
        name, links = self.project("project", "projecting the graph", shared=True, links=of_links)
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
            self.check_version()
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
        """Drop what is unused, and once what is stale."""
        while self._unused:
            name = self._unused.pop()
            if name in self._names:  # one that stays is not this engine's to drop
                self.drop(name)
                self._names.discard(name)
        if not self._swept:
            self._swept = True
            for row in self.run("projections"):
                if names.is_stale(row["name"], row["minutes"], version=self.version, state=self._state):
                    self.drop(row["name"])

    def _free(self) -> bool:
        """Drop what earlier commands left and this one does not use; whether there was any."""
        others = [row["name"] for row in self.store.call("projections") if names.is_kept(row["name"])]
        others = [name for name in others if name not in self._again and name not in self._names]
        for name in others:
            self.drop(name)
        return bool(others)


def _job() -> str:
    return f"{names.PREFIX}{secrets.token_hex(8)}"


def _is_gone(error: StoreError, name: str) -> bool:
    return "does not exist" in error.message and f"`{name}`" in error.message


def _too_little_memory(error: StoreError) -> GraphError:
    return GraphError(
        "the server has too little memory: {reason}",
        hint=_MORE_HEAP,
        fields=("engine",),
        values={"reason": error.message},
    )


def _drop(store: HasGds, name: str) -> None:
    # A server that is gone has dropped everything, and nothing here may hide the failure that led here.
    with suppress(Exception):
        store.call("drop", {"name": name})


def _drop_all(store: HasGds, names: set[str]) -> None:
    for name in list(names):
        _drop(store, name)
        names.discard(name)


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
        places = np.minimum(np.searchsorted(known, ids), max(len(known) - 1, 0))
        if len(ids) and not np.array_equal(known[places], ids):
            raise StoreError("the graph was changed meanwhile", hint="repeat the command")
        return np.asarray(order[places])

    def spread(self, rows: Sequence[Mapping[str, Any]], values: np.ndarray, column: str = "value") -> np.ndarray:
        """`values` with what the rows' lists `node` and `column` say."""
        for row in rows:
            values[self.pages_of(row["node"])] = row[column]
        return values
