"""`LadybugStore`: the graph in an embedded database, behind the contract of `graphdb.store`."""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from cypher import statement
from graphdb.ladybug import recovery, writing
from graphdb.ladybug.asking import asked, read_schema, refused_inside
from graphdb.ladybug.connection import Connection, Handle
from graphdb.ladybug.rewrite import Schema
from graphdb.ladybug.types import arrow_type, distinct_rows, plain_numbers
from graphdb.store import Asked, Counts
from seedrank.core.changes import Changes, Load
from seedrank.core.errors import GraphError, StoreError, UsageError
from seedrank.core.progress import Progress, silent
from seedrank.runs import Ranking, Run

__all__ = ["LadybugStore"]

_log = logging.getLogger(__name__)

_SCHEMA_VERSION = 3
"""2: the table `Schema` with the counter of changes. 3: loads have a level. Stores of an earlier schema are read as
they are and upgraded by the first write."""

_MARK = "seedrank schema "
_TABLES = ("page", "host", "on", "links_to", "co_cited", "query", "result", "run", "ranked", "core", "load", "schema")
_PAGE_COLUMNS = ("id", "url", "source_id", "status")
_HOST_COLUMNS = ("name", "pages")

_ROWS_IN_ONE_TRANSACTION = 5_000_000
"""Loads up to this many rows are written in one transaction: all or nothing, at a quarter more time (measured).
Larger ones commit table by table, as fast as the database can; cut off, they are completed by repeating them."""

_PAGES_PER_READ = 1 << 19
_LINKS_PER_READ = 1 << 23


class LadybugStore:
    """A store in one file, for one process that writes or several that read.

    Use `open`; `graphdb.open_store` does.
    """

    def __init__(self, handle: Handle, url: str, *, schema: int, made_now: bool) -> None:
        self.url = url
        self._handle: Handle | None = handle
        self._schema = schema
        self._made_now = made_now
        self._tables: Schema | None = None

    @classmethod
    def open(
        cls, url: str, *, create: bool = False, read_only: bool = False, memory: int | str | None = None
    ) -> LadybugStore:
        """Open the file at `url`.

        Parameters
        ----------
        url
            Path of the file.
        create
            Make it where it is not there. One into which nothing was written is removed again on `close`.
        read_only
            Open for reading only, beside other readers.
        memory
            Bytes the database may use, or text such as ``512M``; see `memory.pool_size`.
        """
        path = Path(url)
        if path.is_dir():
            raise StoreError(f"{url} is a folder without a graph.json", hint="name a file, such as web.lbug")
        is_new = not path.exists() or path.stat().st_size == 0
        if is_new and not create:
            raise _empty(url, "holds no graph yet" if path.exists() else "is not there")
        handle = Handle(path, read_only=read_only, memory=memory)
        try:
            with handle.connection() as connection:
                schema = _schema(connection, url)
                if not schema and not create:
                    raise _empty(url, "holds no graph yet")
        except BaseException:
            handle.close()
            raise
        return cls(handle, url, schema=schema, made_now=is_new)

    def close(self) -> None:
        """Close the file; safe to call twice."""
        if self._handle is None:
            return
        handle, self._handle = self._handle, None
        handle.close()
        if self._made_now and _is_empty(handle.path):
            recovery.remove(handle.path)

    # -- reading

    def counts(self) -> Counts:
        """How much there is; the database knows these numbers."""
        with self._connection() as connection:
            return Counts(*(connection.value(statement(f"read/count_{name}")) for name in Counts.__dataclass_fields__))

    def version(self) -> str:
        """Digest of the counter of changes, the loads and the counts of pages, links and hosts."""
        counts = self.counts()
        known = [[(load.id, load.state) for load in self.loads()], counts.pages, counts.links, counts.hosts]
        # A store that was not changed since version 0.1 has no counter, and keeps the version it had.
        known += [changes] if (changes := self._changes()) else []
        return hashlib.sha256(json.dumps(known).encode()).hexdigest()[:16]

    def loads(self) -> list[Load]:
        """All loads, oldest first."""
        name = "loads" if self._schema >= 3 else "loads_before_levels"
        with self._connection() as connection:
            rows = connection.table(statement(f"read/ladybug/{name}")).to_pylist()
        return [
            Load(**{**row, "counts": json.loads(row["counts"]), "level": row.get("level") or "page"}) for row in rows
        ]

    def page_columns(self) -> dict[str, pa.DataType]:
        """Columns of pages beyond those every page has."""
        return self._own_columns("page", _PAGE_COLUMNS)

    def host_columns(self) -> dict[str, pa.DataType]:
        """Columns of hosts beyond those every host has."""
        return self._own_columns("host", _HOST_COLUMNS)

    def read_pages(self, columns: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
        """Pages by ascending id."""
        own = self.page_columns()
        names = ["url", "source_id", "status", "host", *own] if columns is None else list(columns)
        for name in names:
            if name not in ("url", "source_id", "status", "host", *own):
                known = ", ".join(sorted(own)) or "none"
                raise GraphError(f"pages have no column {name!r}", hint=f"columns there are: {known}")
        stored = ["id", *(name for name in names if name != "host")]
        with_hosts = "host" in names
        text = statement(f"read/ladybug/pages{'_with_hosts' if with_hosts else ''}", columns=stored)
        given = [*stored, "host"] if with_hosts else stored
        with self._connection() as connection:
            lo = _next_page(connection, -(2**63))
            while lo is not None:
                rows = connection.table(text, {"lo": lo, "hi": lo + _PAGES_PER_READ}).rename_columns(given)
                yield from rows.select(["id", *names]).to_batches()
                # Ids have gaps once pages were made or deleted by hand.
                lo = _next_page(connection, lo + _PAGES_PER_READ)

    def read_links(self, columns: Sequence[str] = ("weight",)) -> Iterator[pa.RecordBatch]:
        """All links, by ranges of sources."""
        with self._connection() as connection:
            pages, links = self._pages(connection), connection.value(statement("read/count_links"))
            ids = _ids_by_row(connection)
            there = writing.table_columns(connection, "link")
            kept = [name for name in columns if name in there]
            step = max(1, pages * _LINKS_PER_READ // max(links, 1))
            for lo in range(0, pages, step):
                bounds = {"LO": str(lo), "HI": str(lo + step)}
                if kept:
                    text = statement("read/ladybug/links_with", **bounds, columns=kept)
                else:
                    text = statement("read/ladybug/links", **bounds)
                # A stream gives an empty list for none.
                rows = connection.table(text) if "anchors" in kept else connection.stream(text)
                rows = rows.rename_columns(["source", "target", *kept])
                if ids is not None:
                    rows = rows.set_column(1, "target", pa.array(ids[rows["target"].to_numpy()]))
                if len(kept) < len(columns):
                    rows = rows.append_column("anchors", pa.nulls(rows.num_rows, pa.list_(pa.string())))
                yield from rows.select(["source", "target", *columns]).to_batches()

    def read_hosts(self) -> pa.Table:
        """``name``, ``pages`` and the columns, by name."""
        names = [*_HOST_COLUMNS, *self.host_columns()]
        with self._connection() as connection:
            return connection.table(statement("read/ladybug/hosts", columns=names)).rename_columns(names)

    def read_queries(self) -> pa.Table:
        """``text``, ``freq``, ``need``, by text."""
        with self._connection() as connection:
            return connection.table(statement("read/queries"))

    def read_results(self) -> pa.Table:
        """``query``, ``id``, ``rank``, ``clicks``."""
        with self._connection() as connection:
            return connection.table(statement("read/results"))

    def query(
        self,
        cypher: str,
        parameters: Mapping[str, Any] | None = None,
        *,
        write: bool = False,
        as_is: bool = False,
        timeout: float | None = None,
    ) -> pa.Table:
        """Run a user's statement, rewritten where the database would answer it wrongly; refuses what it may not do."""
        given = dict(parameters or {})
        sent = self.asked(cypher, given, write=write, as_is=as_is)
        with self._writing() if write else self._connection() as connection:
            if write:
                # Before the statement, which may end in several commits or in none.
                writing.count_change(connection)
            connection.limit(timeout)
            told = contextlib.nullcontext() if as_is else refused_inside()
            with told, contextlib.nullcontext() if write else connection.transaction(read_only=True):
                rows = connection.table(sent.text, given)
        rows = plain_numbers(distinct_rows(rows) if sent.distinct else rows)
        return rows if sent.columns is None else rows.rename_columns(list(sent.columns))

    def asked(
        self, cypher: str, parameters: Mapping[str, Any] | None = None, *, write: bool = False, as_is: bool = False
    ) -> Asked:
        """What `query` sends to the database."""
        if self._tables is None:
            with self._connection() as connection:
                self._tables = read_schema(connection)
        return asked(cypher, parameters or {}, self._tables, write=write, as_is=as_is)

    # -- writing

    def create_schema(self) -> None:
        """Make the tables where they are not there."""
        if self._schema:
            return
        # Without a checkpoint: the tables are a part of the first change.
        with self._connection() as connection, connection.transaction():
            for table in _TABLES:
                connection.run(statement(f"schema/ladybug/{table}"))
            connection.run(statement("schema/ladybug/mark_version", VERSION=str(_SCHEMA_VERSION)))
        self._schema = _SCHEMA_VERSION

    def apply(self, changes: Changes, load: Load, *, progress: Progress = silent) -> None:
        """Write a load."""
        rows = sum(table.num_rows for table in vars(changes).values() if isinstance(table, pa.Table))
        with self._writing() as connection, contextlib.ExitStack() as stack:
            if rows <= _ROWS_IN_ONE_TRANSACTION:
                stack.enter_context(connection.transaction())
            # At the start and at the end: a load that is cut off between tables has a version of its own.
            if not changes.empty:
                writing.count_change(connection)
            writing.start_load(connection, load)
            writing.write_changes(connection, changes, progress)
            writing.finish_load(connection, load)
            if not changes.empty:
                writing.count_change(connection)

    def write_scores(self, column: str, values: np.ndarray, *, progress: Progress = silent) -> None:
        """Set a page property from an array indexed by page id."""
        if column.casefold() in (*_PAGE_COLUMNS, "host"):
            raise UsageError(f"scores cannot be written as {column!r}: every page has it already", hint="name another")
        with self._writing() as connection, connection.transaction():
            pages = self._pages(connection)
            if len(values) != pages:
                raise StoreError(f"{len(values):,} scores for {pages:,} pages", hint="the graph changed: run it again")
            writing.add_columns(connection, "page", {column: "DOUBLE"})
            scores = pa.array(np.asarray(values, np.float64), from_pandas=True)
            with progress(f"writing {column}", pages) as advance:
                rows = pa.table({"key": pa.array(np.arange(pages)), "value": scores})
                connection.run(statement("load/ladybug/set_page_column", column=column), {"rows": rows})
                advance(pages)

    def write_host_scores(
        self, column: str, hosts: pa.ChunkedArray, values: np.ndarray, *, progress: Progress = silent
    ) -> None:
        """Set a property of hosts, given by their names."""
        if column.casefold() in _HOST_COLUMNS:
            raise UsageError(f"scores cannot be written as {column!r}: every host has it already", hint="name another")
        with self._writing() as connection, connection.transaction():
            writing.add_columns(connection, "host", {column: "DOUBLE"})
            scores = pa.array(np.asarray(values, np.float64), from_pandas=True)
            rows = pa.table({"key": hosts.cast(pa.string()), "value": scores})
            with progress(f"writing {column}", rows.num_rows) as advance:
                connection.run(statement("load/ladybug/set_host_column", column=column), {"rows": rows})
                advance(rows.num_rows)

    def write_run(self, run: Run, ranking: Ranking, *, limit: int = 1_000, progress: Progress = silent) -> None:
        """Write a run and its first pages."""
        top = ranking.table().slice(0, limit)
        rows = pa.table(
            {
                "run": pa.array([run.id] * top.num_rows, pa.string()),
                "page": top["id"],
                "rank": top["rank"],
                "score": pa.array(top["score"].to_numpy(), from_pandas=True),
            }
        )
        self._write_of_run(run, "ranked", rows, progress)

    def write_cores(self, run: Run, cores: pa.Table, *, progress: Progress = silent) -> None:
        """Write the cores of a run."""
        ids = pa.array([run.id] * cores.num_rows, pa.string())
        self._write_of_run(run, "cores", cores.select(["id", "n", "role"]).add_column(0, "run", ids), progress)

    def write_virtual_links(self, links: pa.Table, *, progress: Progress = silent) -> None:
        """Replace all virtual links."""
        with (
            self._writing() as connection,
            connection.transaction(),
            progress("writing links", links.num_rows) as advance,
        ):
            connection.run(statement("schema/ladybug/drop_co_cited"))
            connection.run(statement("schema/ladybug/co_cited"))
            if links.num_rows:
                rows = links.select(["source", "target", "weight"])
                connection.run(statement("write/ladybug/copy_co_cited"), {"rows": rows})
            advance(links.num_rows)

    def delete_run(self, run_id: str) -> None:
        """Forget a run."""
        with self._writing() as connection:
            connection.run(statement("write/delete_run"), {"id": run_id})

    # -- inside

    def _connection(self) -> contextlib.AbstractContextManager[Connection]:
        if self._handle is None:
            raise StoreError(f"{self.url} is closed", hint="open it again")
        return self._handle.connection()

    @contextlib.contextmanager
    def _writing(self) -> Iterator[Connection]:
        with self._connection() as connection:
            if self._handle is not None and self._handle.read_only:
                raise StoreError(f"{self.url} was opened for reading only", hint="open it for writing")
            if self._schema < _SCHEMA_VERSION:
                self._upgrade(connection)
            yield connection
            connection.checkpoint()
            self._made_now = False
            self._tables = None

    def _upgrade(self, connection: Connection) -> None:
        with connection.transaction():
            connection.run(statement("schema/ladybug/schema"))
            connection.run(statement("schema/ladybug/add_level"))
            connection.run(statement("schema/ladybug/mark_version", VERSION=str(_SCHEMA_VERSION)))
        connection.checkpoint()
        self._schema = _SCHEMA_VERSION

    def _changes(self) -> int | None:
        """How many changes were counted; `None` in a store of schema 1, and in one that was only upgraded."""
        if self._schema < 2:
            return None
        with self._connection() as connection:
            counted = connection.table(statement("read/ladybug/changes"))["count"].to_pylist()
        return counted[0] if counted else None

    def _pages(self, connection: Connection) -> int:
        """One more than the largest id: the number of pages, unless some were deleted by hand."""
        last = connection.value(statement("read/last_page"))
        return 0 if last is None else int(last) + 1

    def _own_columns(self, label: str, known: tuple[str, ...]) -> dict[str, pa.DataType]:
        with self._connection() as connection:
            columns = writing.table_columns(connection, label)
        return {name: arrow_type(kind) for name, kind in columns.items() if name not in known}

    def _write_of_run(self, run: Run, what: str, rows: pa.Table, progress: Progress) -> None:
        record = {
            name: getattr(run, name) for name in ("id", "method", "graph", "engine", "version", "created", "seconds")
        }
        parameters = json.dumps(dict(run.parameters), default=str)
        with (
            self._writing() as connection,
            connection.transaction(),
            progress("writing the run", rows.num_rows) as advance,
        ):
            connection.run(statement("write/run"), {**record, "parameters": parameters})
            connection.run(statement(f"write/delete_{what}"), {"id": run.id})
            if rows.num_rows:
                connection.run(statement(f"write/ladybug/copy_{what}"), {"rows": rows})
            advance(rows.num_rows)


def _is_empty(path: Path) -> bool:
    """Whether a new store is without a load, though one may have failed: its change can be complete all the same."""
    if recovery.is_complete(path):
        return False
    try:
        handle = Handle(path, read_only=True, tell=_log.debug)
        try:
            with handle.connection() as connection:
                return not connection.value(statement("read/ladybug/count_tables")) or not connection.table(
                    statement("read/ladybug/loads")
                )
        finally:
            handle.close()
    except StoreError:
        return not recovery.is_pending(path)


def _empty(url: str, state: str) -> StoreError:
    return StoreError(
        "{url} {state}",
        hint="load a graph first: {create=True} makes the store",
        fields=("create",),
        values={"url": url, "state": state},
    )


def _schema(connection: Connection, url: str) -> int:
    """Number of the tables' schema, 0 where there are none; refuses those of someone else or of a later version."""
    marks = connection.table(statement("read/ladybug/schema_version"))["comment"].to_pylist()
    number = marks[0].removeprefix(_MARK) if marks and marks[0].startswith(_MARK) else ""
    if number.isdigit() and 0 < int(number) <= _SCHEMA_VERSION:
        return int(number)
    if number:
        raise StoreError(
            f"{url} was made by a later version of seedrank (schema {number}; this one knows {_SCHEMA_VERSION})",
            hint="install the newest seedrank",
        )
    if connection.value(statement("read/ladybug/count_tables")):
        raise StoreError(f"{url} is a Ladybug database, but not one of seedrank's", hint="name another path")
    return 0


def _next_page(connection: Connection, lo: int) -> int | None:
    """The smallest page id from `lo` on."""
    found: int | None = connection.table(statement("read/ladybug/next_page"), {"lo": lo})["id"][0].as_py()
    return found


def _ids_by_row(connection: Connection) -> np.ndarray | None:
    """Page id by row number of the table, `None` where they are the same."""
    rows = connection.stream(statement("read/ladybug/page_rows"))
    row, page = rows["row"].to_numpy(), rows["id"].to_numpy()
    if np.array_equal(row, page):
        return None
    ids = np.full(row.max() + 1, -1, np.int64)
    ids[row] = page
    return ids
