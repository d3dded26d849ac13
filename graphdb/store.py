"""The contract every store keeps, and what only some of them can do.

    GraphStore     read pages, links, hosts, queries: every store, also a folder of arrays
    └── Database   a store that is written to and queried with Cypher (Neo4j, DuckDB)
    HasDatabases   one of several databases of a server
    HasFile        a database in one file, with one writer at a time
    HasSnapshot    a store that reads everything at once (a graph of others in Neo4j)
    TakesScores    a store that keeps scores: every database, and a graph of others
    HasGds         a database with Neo4j's Graph Data Science library
    HasSql         a database that reads SQL (the embedded one)
    HasSpark       a store whose links Apache Spark reads
    Checked        a store that looks for what is wrong in it (all but Spark's folders)
    Repairable     a store that mends itself (the embedded one)
    IsGraph        a store that is a WebGraph itself: nothing to read or cache

What a store cannot do it does not have. `database` and `gds` narrow a store to what a caller needs
and otherwise name the way out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.changes import Changes, Load
from seedrank.core.errors import StoreError
from seedrank.core.progress import Progress, silent
from seedrank.graph import WebGraph
from seedrank.runs import Ranking, Run

__all__ = [
    "Checked",
    "Contents",
    "Counts",
    "Database",
    "Finding",
    "GraphStore",
    "HasDatabases",
    "HasFile",
    "HasGds",
    "HasSnapshot",
    "HasSpark",
    "HasSql",
    "IsGraph",
    "Repairable",
    "SavedRuns",
    "Severity",
    "TakesScores",
    "database",
    "gds",
]


@dataclass(frozen=True)
class Counts:
    """How much a store holds."""

    pages: int
    links: int
    hosts: int
    queries: int
    results: int


@dataclass(frozen=True)
class SavedRuns:
    """Runs that were written into a database, to be looked at there."""

    runs: pa.Table
    """``id method parameters graph engine version created seconds``, by id."""
    ranked: pa.Table
    """``run``, ``id`` (page), ``rank``, ``score``, by run, then rank."""
    cores: pa.Table
    """``run``, ``id`` (page), ``n``, ``role``, by run, then n."""


@dataclass(frozen=True)
class Contents:
    """Everything a database holds, as `GraphStore` and `Database` give it, in tables that are mapped from disk."""

    pages: pa.Table
    links: pa.Table
    hosts: pa.Table
    queries: pa.Table
    results: pa.Table
    virtual_links: pa.Table
    saved: SavedRuns
    loads: list[Load]
    changes: int

    def as_changes(self) -> Changes:
        """What a load into an empty store would write."""
        own = {field.name: field.type for field in self.pages.schema if field.name not in _PAGE_COLUMNS}
        hosts = {field.name: field.type for field in self.hosts.schema if field.name not in ("name", "pages")}
        on = self.pages.select(["id", "host"])
        return Changes(
            new_pages=self.pages.drop_columns(["host"]),
            changed_pages=self.pages.select(["id"]).slice(0, 0),
            page_hosts=on.filter(pc.is_valid(on["host"])),
            hosts=self.hosts,
            new_links=self.links,
            changed_links=self.links.slice(0, 0),
            queries=self.queries,
            results=self.results,
            page_columns=own,
            host_columns=hosts,
        )


Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True)
class Finding:
    """Something that a check of a store, its runs or its caches found not as it should be."""

    severity: Severity
    """``error``: answers may be wrong or fail; ``warning``: in the way, or half done; ``note``: harmless."""
    part: str
    """What it is in: ``store``, ``files``, ``runs``, ``cache``, ``loads``."""
    what: str
    remedy: str
    """What to do."""
    repairable: bool = False
    """Whether a repair mends it."""


_PAGE_COLUMNS = frozenset({"id", "url", "source_id", "status", "host"})


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

    def writing(self) -> AbstractContextManager[None]:
        """Keep other writers out, and see what they have written until now.

        Whoever computes what to write from what is there does both inside.
        """

    def apply(self, changes: Changes, load: Load, *, progress: Progress = silent) -> None:
        """Write a load.

        The embedded store writes it all or nothing. On a server the record of the load stands in state ``running``
        before the first change and ``done`` after the last; cut off at any moment, the store holds a prefix of the
        new pages (by id) and some of the rest: the same load again, computed against what is there, completes it.
        """

    def query(
        self,
        cypher: str,
        parameters: Mapping[str, Any] | None = None,
        *,
        write: bool = False,
        timeout: float | None = None,
    ) -> pa.Table:
        """Run a user's statement: answered rightly, or refused.

        Parameters
        ----------
        cypher
            One statement. It may not read or write files, fetch extensions or administer the server.
        write
            Whether it may change the graph.
        timeout
            Seconds after which it is ended; none by default.
        """

    def explain(self, cypher: str, parameters: Mapping[str, Any] | None = None, *, write: bool = False) -> str:
        """What `query` sends to the database for a statement."""

    def write_scores(self, column: str, values: np.ndarray | pa.Array, *, progress: Progress = silent) -> None:
        """Set a page property from an array indexed by page id; NaN or null leaves a page without it."""

    def write_host_scores(
        self, column: str, hosts: pa.ChunkedArray, values: np.ndarray | pa.Array, *, progress: Progress = silent
    ) -> None:
        """Set a property of hosts, given by their names; NaN or null leaves a host without it."""

    def write_run(self, run: Run, ranking: Ranking, *, limit: int | None = 1_000, progress: Progress = silent) -> None:
        """Write ``(:Run)-[:RANKED]->(:Page)`` for the first `limit` pages; writing a run twice is idempotent."""

    def write_cores(self, run: Run, cores: pa.Table, *, progress: Progress = silent) -> None:
        """Write ``(:Run)-[:CORE {n, role}]->(:Page)`` from rows ``id``, ``n``, ``role`` (hub or authority)."""

    def write_virtual_links(self, links: pa.Table, *, progress: Progress = silent) -> None:
        """Replace all ``CO_CITED`` links by rows ``source``, ``target``, ``weight``."""

    def delete_run(self, run_id: str) -> None:
        """Forget a run written by `write_run` or `write_cores`."""

    def change_count(self) -> int:
        """The counter of changes, of which `version` is made."""

    def read_virtual_links(self) -> Iterator[pa.RecordBatch]:
        """All ``CO_CITED`` links: ``source``, ``target``, ``weight``, by source."""

    def read_saved_runs(self) -> SavedRuns:
        """Runs written by `write_run` and `write_cores`, with their pages."""

    def restore(self, contents: Contents, *, progress: Progress = silent) -> None:
        """Fill an empty database with what a backup holds.

        The embedded store takes all of it or nothing; what Neo4j is left with when this is cut off must be deleted.
        """


@runtime_checkable
class Checked(Protocol):
    """A store that can look for what is wrong in it."""

    def check(self) -> list[Finding]:
        """What is wrong; reads everything."""


@runtime_checkable
class Repairable(Protocol):
    """A store that can mend what `Checked.check` calls repairable."""

    def repair(self) -> None:
        """Mend it, all or nothing."""


@runtime_checkable
class HasDatabases(Protocol):
    """A store on a server that may hold several databases: its URL alone does not tell them apart."""

    database: str
    """Name of the database that is open; empty for the default one."""
    prefix: str
    """What labels and types begin with where the graph shares its database; empty elsewhere."""

    def begun(self) -> str:
        """When what the database holds was first loaded, in UTC; empty where that is not known."""


@runtime_checkable
class HasFile(Protocol):
    """A database that is one DuckDB file (its tables: `seedrank.graphdb.duckdb.schema`)."""

    path: Path
    """The file; a new store has none, or an empty one, until the first write."""
    memory: int
    """Bytes its database may use."""


@runtime_checkable
class HasSnapshot(Protocol):
    """A store that reads everything at once."""

    def snapshot(self) -> None:
        """Read it as it is now: `GraphStore.counts` are exact from then on."""


@runtime_checkable
class TakesScores(Protocol):
    """A store that keeps a column of scores."""

    def write_scores(self, column: str, values: np.ndarray, *, progress: Progress = silent) -> None:
        """Set a page property from an array indexed by page id; NaN leaves a page without it."""


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
        """Run the statement in ``cypher/gds/<statement>.cypher``, its placeholders filled; return its rows."""


@runtime_checkable
class HasSql(Protocol):
    """A database whose tables a user's SQL reads."""

    def sql(self, statement: str, *, timeout: float | None = None) -> pa.Table:
        """Run one SELECT of a user; `timeout` are seconds after which it is ended."""


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
        "{described}: {what} needs a database",
        hint="use an embedded store ({store=web.duckdb}) or Neo4j ({store=neo4j://localhost:7687})",
        fields=("store",),
        values={"described": getattr(store, "described", f"{store.url} is a folder that is only read"), "what": what},
    )


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
