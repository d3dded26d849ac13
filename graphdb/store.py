"""The contract every store keeps, and what only some of them can do.

    GraphStore     read pages, links, hosts, queries: every store, also a folder of arrays
    └── Database   a store that is written to and queried with Cypher (Neo4j, Ladybug)
    HasDatabases   one of several databases of a server
    HasGds         a database with Neo4j's Graph Data Science library
    HasSpark       a store whose links Apache Spark reads
    IsGraph        a store that is a WebGraph itself: nothing to read or cache

What a store cannot do it does not have. `database` and `gds` narrow a store to what a caller needs
and otherwise name the way out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
import pyarrow as pa

from seedrank.core.changes import Changes, Load
from seedrank.core.errors import StoreError
from seedrank.core.progress import Progress, silent
from seedrank.graph import WebGraph
from seedrank.runs import Ranking, Run

__all__ = [
    "Asked",
    "Counts",
    "Database",
    "GraphStore",
    "HasDatabases",
    "HasGds",
    "HasSpark",
    "IsGraph",
    "database",
    "database_name",
    "gds",
]


@dataclass(frozen=True)
class Asked:
    """What a database is sent for a statement, and what the columns of its result are called."""

    text: str
    columns: tuple[str, ...] | None = None
    """`None` leaves the database's own names."""
    distinct: bool = False
    """Whether rows that the database gives twice count once."""


@dataclass(frozen=True)
class Counts:
    """How much a store holds."""

    pages: int
    links: int
    hosts: int
    queries: int
    results: int


@runtime_checkable
class GraphStore(Protocol):
    """A web graph that can be read."""

    url: str
    """The store's name as the user gave it, without credentials."""

    def counts(self) -> Counts:
        """How much there is; costs no scan of the links."""

    def version(self) -> str:
        """A short digest of a counter of changes and of the counts of pages, links and hosts.

        Every load that writes something moves the counter, and every statement of a user that may write. Runs, scores
        and virtual links do not.
        """

    def loads(self) -> list[Load]:
        """All loads, oldest first; a load in state ``running`` was cut off, or is under way elsewhere."""

    def page_columns(self) -> dict[str, pa.DataType]:
        """Columns of pages beyond ``id url source_id status host``, with their types."""

    def host_columns(self) -> dict[str, pa.DataType]:
        """Columns of hosts beyond ``name pages``, with their types."""

    def read_pages(self, columns: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
        """Pages by ascending ``id``.

        Parameters
        ----------
        columns
            Names among ``url source_id status host`` and `page_columns`; all by default. ``id`` always comes first.
        """

    def read_links(self, columns: Sequence[str] = ("weight",)) -> Iterator[pa.RecordBatch]:
        """All links, in whatever order the store gives them fastest.

        Parameters
        ----------
        columns
            Any of ``weight`` and ``anchors``, after ``source`` and ``target`` (all int64 ids, weight float64).
        """

    def read_hosts(self) -> pa.Table:
        """``name``, ``pages`` and the `host_columns`, by name."""

    def read_queries(self) -> pa.Table:
        """``text``, ``freq``, ``need``, by text."""

    def read_results(self) -> pa.Table:
        """``query``, ``id`` (page), ``rank``, ``clicks``, by query, then rank, then id."""

    def close(self) -> None:
        """Release files and connections; safe to call twice."""


@runtime_checkable
class Database(GraphStore, Protocol):
    """A store that can be written and queried."""

    def create_schema(self) -> None:
        """Make labels, keys and indexes; changes nothing where they are there."""

    def apply(self, changes: Changes, load: Load, *, progress: Progress = silent) -> None:
        """Write a load.

        The record of the load stands in state ``running`` before the first change and ``done`` after the last.
        Cut off at any moment, the store holds a prefix of the new pages (by id) and some of the rest: the same
        load again, computed against what is there, completes it. The embedded store writes loads of up to five
        million rows all or nothing.
        """

    def query(
        self,
        cypher: str,
        parameters: Mapping[str, Any] | None = None,
        *,
        write: bool = False,
        as_is: bool = False,
        timeout: float | None = None,
    ) -> pa.Table:
        """Run a user's statement: answered rightly, or refused.

        Parameters
        ----------
        cypher
            One statement. It may not read or write files, fetch extensions or administer the server.
        parameters
            Values of its parameters.
        write
            Whether it may change the graph.
        as_is
            Send the embedded database a statement that is refused because it would be answered wrongly.
        timeout
            Seconds after which it is ended; none by default.
        """

    def asked(
        self, cypher: str, parameters: Mapping[str, Any] | None = None, *, write: bool = False, as_is: bool = False
    ) -> Asked:
        """What `query` sends to the database for a statement."""

    def write_scores(self, column: str, values: np.ndarray, *, progress: Progress = silent) -> None:
        """Set a page property from an array indexed by page id; NaN leaves a page without it."""

    def write_host_scores(
        self, column: str, hosts: pa.ChunkedArray, values: np.ndarray, *, progress: Progress = silent
    ) -> None:
        """Set a property of hosts, given by their names; NaN leaves a host without it."""

    def write_run(self, run: Run, ranking: Ranking, *, limit: int = 1_000, progress: Progress = silent) -> None:
        """Write ``(:Run)-[:RANKED]->(:Page)`` for the first `limit` pages; writing a run twice is idempotent."""

    def write_cores(self, run: Run, cores: pa.Table, *, progress: Progress = silent) -> None:
        """Write ``(:Run)-[:CORE {n, role}]->(:Page)`` from rows ``id``, ``n``, ``role`` (hub or authority)."""

    def write_virtual_links(self, links: pa.Table, *, progress: Progress = silent) -> None:
        """Replace all ``CO_CITED`` links by rows ``source``, ``target``, ``weight``."""

    def delete_run(self, run_id: str) -> None:
        """Forget a run written by `write_run` or `write_cores`."""


@runtime_checkable
class HasDatabases(Protocol):
    """A store on a server that may hold several databases: its URL alone does not tell them apart."""

    database: str
    """Name of the database that is open; empty for the default one."""


@runtime_checkable
class HasGds(Protocol):
    """A database whose server has the Graph Data Science library."""

    def gds_version(self) -> str:
        """The library's version."""

    def client(self) -> Any:
        """A ``graphdatascience.GraphDataScience`` on this store's connection, which closing the client leaves open."""

    def state(self) -> str:
        """A short digest of the last change of any kind, also by other programs; empty where nothing tells."""

    def call(
        self, statement: str, parameters: Mapping[str, Any] | None = None, **placeholders: str
    ) -> list[dict[str, Any]]:
        """Run the statement in ``cypher/gds/neo4j/<statement>.cypher``, its placeholders filled; return its rows."""


@runtime_checkable
class HasSpark(Protocol):
    """A store whose links Apache Spark reads."""

    def spark_links(self) -> Any:
        """``source``, ``target`` and ``weight`` as a DataFrame of Spark."""


@runtime_checkable
class IsGraph(Protocol):
    """A store that is a graph in memory already."""

    graph: WebGraph


def database(store: GraphStore, what: str) -> Database:
    """`store` as a `Database`, for `what` (a phrase such as "running Cypher")."""
    if isinstance(store, Database):
        return store
    raise StoreError(
        "{url} is a folder that is only read: {what} needs a database",
        hint="use an embedded store ({store=web.lbug}) or Neo4j ({store=neo4j://localhost:7687})",
        fields=("store",),
        values={"url": store.url, "what": what},
    )


def database_name(store: GraphStore) -> str:
    """Which database of its server `store` is; empty for the default one, and for stores that are no server."""
    return store.database if isinstance(store, HasDatabases) else ""


def gds(store: GraphStore, what: str) -> HasGds:
    """`store` as a database with GDS, for `what`."""
    if isinstance(store, HasGds):
        return store
    problem = getattr(store, "gds_problem", "") or "it has no Graph Data Science library"
    raise StoreError(
        "{url}: {problem}; {what} needs Neo4j with GDS",
        hint="use {engine=native}, or a Neo4j store (`seedrank db up` starts one)",
        fields=("engine",),
        values={"url": store.url, "problem": problem, "what": what},
    )
