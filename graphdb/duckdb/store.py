"""`DuckDBStore`: the graph in one DuckDB file, behind the contract of `seedrank.graphdb.store`."""

from __future__ import annotations

import contextlib
import hashlib
import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from seedrank.core.changes import Changes, Load
from seedrank.core.errors import GraphError, StoreError, UsageError
from seedrank.core.files import TempClaim, claim_folder
from seedrank.core.package import VERSION
from seedrank.core.progress import Progress, silent
from seedrank.graphdb.column_types import score_column
from seedrank.graphdb.duckdb import writing
from seedrank.graphdb.duckdb.check import check_files, check_tables, repair_tables
from seedrank.graphdb.duckdb.connection import Connection, attach_store, connect, holds_nothing, pool_size
from seedrank.graphdb.duckdb.files import WriteLock
from seedrank.graphdb.duckdb.schema import HOST_COLUMNS, PAGE_COLUMNS, arrow_type, make_tables, quote
from seedrank.graphdb.store import Contents, Counts, Finding, SavedRuns
from seedrank.runs import Ranking, Run

if TYPE_CHECKING:
    from seedrank.graphdb.duckdb.query import StatementRunner

__all__ = ["DuckDBStore"]

_STORED, _WRITTEN = "stored", "written"
_RUN_COLUMNS = ("id", "method", "parameters", "graph", "engine", "version", "created", "seconds")


class DuckDBStore:
    """A store in one file, for one process that writes at a time and any number that read.

    What is read is the state the store had when it was opened, or after the last write of this object; `writing` shows
    what others have written since.

    Use `open`; `seedrank.graphdb.open_store` does.
    """

    def __init__(self, path: Path, url: str, *, read_only: bool, memory: int, wait: float) -> None:
        self.url = url
        self.path = path
        self.memory = memory
        self._read_only = read_only
        self._wait = wait
        self._lock: WriteLock | None = None
        self._spill = _spill_folder()
        self._session: Connection | None = None
        self._attached: tuple[int, ...] | None = None
        """Which file the session reads; every write puts another in its place."""
        self._runner: StatementRunner | None = None

    @classmethod
    def open(
        cls,
        url: str,
        *,
        create: bool = False,
        read_only: bool = False,
        memory: int | str | None = None,
        wait: float = 0.0,
    ) -> DuckDBStore:
        """Open the file at `url`.

        Parameters
        ----------
        url
            Path of the file.
        create
            Take a path where nothing is for an empty store: the file appears with the first write.
        read_only
            Refuse to write.
        memory
            Bytes the database may use, or text such as ``512M``; see `connection.pool_size`.
        wait
            Seconds that a write waits for another writer.
        """
        path = Path(url)
        if path.is_dir():
            raise StoreError(f"{url} is a folder without a graph.json", hint="name a file, such as web.duckdb")
        if not create and holds_nothing(path):
            raise _empty(url, "holds no graph yet" if path.exists() else "does not exist")
        if not path.parent.is_dir():
            raise StoreError(f"{url}: its folder does not exist", hint=f"make the folder {path.parent} first")
        store = cls(path, url, read_only=read_only, memory=pool_size(memory), wait=wait)
        try:
            store._attach()
        except BaseException:
            store.close()
            raise
        return store

    def close(self) -> None:
        """Close the file; safe to call twice."""
        if self._runner is not None:
            self._runner.close()
            self._runner = None
        if self._session is not None:
            self._session.close()
            self._session = None
        if self._spill is not None:
            self._spill.remove()

    # -- reading

    def counts(self) -> Counts:
        """How much there is; the database knows these numbers."""
        with self._reading() as connection:
            tables = ("page", "link", "host", "query", "result")
            counts = ", ".join(f"(SELECT count(*) FROM {_STORED}.{table})" for table in tables)
            return Counts(*connection.value(f"SELECT [{counts}]"))

    def version(self) -> str:
        """Digest of the counter of changes, the loads and the counts of pages, links and hosts."""
        counts = self.counts()
        known = [[(load.id, load.state) for load in self.loads()], counts.pages, counts.links, counts.hosts]
        with self._reading() as connection:
            known.append(_changes(connection, _STORED))
        return hashlib.sha256(json.dumps(known).encode()).hexdigest()[:16]

    def loads(self) -> list[Load]:
        """All loads, oldest first."""
        with self._reading() as connection:
            rows = connection.table(f"SELECT * EXCLUDE (seq) FROM {_STORED}.load ORDER BY seq").to_pylist()
        return [Load(**{**row, "counts": json.loads(row["counts"])}) for row in rows]

    def page_columns(self) -> dict[str, pa.DataType]:
        """Columns of pages beyond those every page has."""
        return self._own_columns("page", PAGE_COLUMNS)

    def host_columns(self) -> dict[str, pa.DataType]:
        """Columns of hosts beyond those every host has."""
        return self._own_columns("host", HOST_COLUMNS)

    def read_pages(self, columns: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
        """Pages by ascending id."""
        own = self.page_columns()
        names = [*PAGE_COLUMNS[1:], *own] if columns is None else list(columns)
        for name in names:
            if name not in (*PAGE_COLUMNS[1:], *own):
                known = ", ".join(sorted(own)) or "none"
                raise GraphError(f"pages have no column {name!r}", hint=f"columns there are: {known}")
        with self._reading() as connection:
            # They are stored by id, unless someone else wrote them: then only it takes sorting.
            by_id = f"SELECT count(*) = 0 FROM {_STORED}.page WHERE id <> rowid"
            has_rowid = any(name.casefold() == "rowid" for name in own)  # a column that hides the number of a row
            order = "" if not has_rowid and connection.value(by_id) else "ORDER BY id"
            given = ", ".join(["id::BIGINT AS id", *map(quote, names)])
            yield from connection.batches(f"SELECT {given} FROM {_STORED}.page {order}")

    def read_links(self, columns: Sequence[str] = ("weight",)) -> Iterator[pa.RecordBatch]:
        """All links, in the order they are stored."""
        schema = pa.schema(
            [
                ("source", pa.int64()),
                ("target", pa.int64()),
                *((name, pa.float64() if name == "weight" else pa.list_(pa.string())) for name in columns),
            ]
        )
        given = ", ".join(["source::BIGINT AS source", "target::BIGINT AS target", *map(quote, columns)])
        with self._reading() as connection:
            for batch in connection.batches(f"SELECT {given} FROM {_STORED}.link"):
                yield batch.cast(schema) if "anchors" in columns else batch

    def read_hosts(self) -> pa.Table:
        """``name``, ``pages`` and the columns, by name."""
        with self._reading() as connection:
            return connection.table(f"SELECT * FROM {_STORED}.host ORDER BY name")

    def read_queries(self) -> pa.Table:
        """``text``, ``freq``, ``need``, by text."""
        with self._reading() as connection:
            return connection.table(f"SELECT text, freq, need FROM {_STORED}.query ORDER BY text")

    def read_results(self) -> pa.Table:
        """``query``, ``id``, ``rank``, ``clicks``."""
        with self._reading() as connection:
            return connection.table(
                f"SELECT query, page::BIGINT AS id, rank, clicks FROM {_STORED}.result ORDER BY query, rank, id"
            )

    def query(
        self,
        cypher: str,
        parameters: Mapping[str, Any] | None = None,
        *,
        write: bool = False,
        timeout: float | None = None,
    ) -> pa.Table:
        """Run a user's statement, translated to SQL; refuses what writes."""
        return self._statements().query(cypher, parameters, write=write, timeout=timeout)

    def explain(self, cypher: str, parameters: Mapping[str, Any] | None = None, *, write: bool = False) -> str:
        """The SQL that `query` runs."""
        return self._statements().explain(cypher, parameters, write=write)

    def sql(self, statement: str, *, timeout: float | None = None) -> pa.Table:
        """Run a user's SQL, which only reads."""
        return self._statements().sql(statement, timeout)

    # -- writing

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Keep other writers out, and see what they have written until now.

        Whoever computes what to write from what is there does both inside; every write takes it by itself otherwise.
        """
        if self._lock is not None:
            yield
            return
        if self._read_only:
            raise StoreError(f"{self.url} was opened for reading only", hint="open it for writing")
        self._check_open()
        with WriteLock(self.path, self._wait) as self._lock:
            try:
                if _identity(self.path) != self._attached:
                    self._attach()
                yield
            finally:
                self._lock = None

    def create_schema(self) -> None:
        """Nothing to do: a new store gets its tables with the first write."""

    def apply(self, changes: Changes, load: Load, *, progress: Progress = silent) -> None:
        """Write a load, all or nothing."""
        with self._reading() as connection:
            seen = _changes(connection, _STORED)
        with self._copy(writing.bytes_of(changes)) as connection:
            if _changes(connection, _WRITTEN) != seen:
                raise StoreError(f"{self.url} was changed by another command meanwhile", hint="run it again")
            writing.write_changes(connection, _WRITTEN, changes, progress)
            writing.record_load(connection, load, changed=not changes.empty)

    def write_scores(self, column: str, values: np.ndarray | pa.Array, *, progress: Progress = silent) -> None:
        """Set a page property from an array indexed by page id."""
        if column.casefold() in PAGE_COLUMNS:
            raise UsageError(f"scores cannot be written as {column!r}: every page has it already", hint="name another")
        with self._copy(8 * len(values)) as connection:
            pages = connection.value("SELECT count(*) FROM page")
            if len(values) != pages:
                raise StoreError(f"{len(values):,} scores for {pages:,} pages", hint="the graph changed: run it again")
            self._set_scores(connection, "page", "id", pa.array(np.arange(pages)), column, values, progress)

    def write_host_scores(
        self, column: str, hosts: pa.ChunkedArray, values: np.ndarray | pa.Array, *, progress: Progress = silent
    ) -> None:
        """Set a property of hosts, given by their names."""
        if column.casefold() in HOST_COLUMNS:
            raise UsageError(f"scores cannot be written as {column!r}: every host has it already", hint="name another")
        with self._copy(8 * len(values)) as connection:
            self._set_scores(connection, "host", "name", hosts.cast(pa.string()), column, values, progress)

    def write_run(self, run: Run, ranking: Ranking, *, limit: int | None = 1_000, progress: Progress = silent) -> None:
        """Write a run and its first pages."""
        top = ranking.table().slice(0, limit)
        score = pa.array(top["score"].to_numpy(), from_pandas=True)
        rows = pa.table({"page": top["id"], "rank": top["rank"], "score": score})
        self._write_of_run(run, "ranked", rows, progress)

    def write_cores(self, run: Run, cores: pa.Table, *, progress: Progress = silent) -> None:
        """Write the cores of a run."""
        rows = pa.table({"page": cores["id"], "n": cores["n"], "role": cores["role"]})
        self._write_of_run(run, "core", rows, progress)

    def write_virtual_links(self, links: pa.Table, *, progress: Progress = silent) -> None:
        """Replace all virtual links."""
        with (
            self._copy(links.nbytes // 2) as connection,
            connection.registered("links", links),
            progress("writing links", links.num_rows) as advance,
        ):
            connection.run("DELETE FROM co_cited")
            connection.run("INSERT INTO co_cited SELECT source, target, weight FROM links ORDER BY source, target")
            advance(links.num_rows)

    def delete_run(self, run_id: str) -> None:
        """Forget a run."""
        with self._copy() as connection:
            _delete_run(connection, run_id)

    # -- backups

    def change_count(self) -> int:
        """The counter of changes."""
        with self._reading() as connection:
            return _changes(connection, _STORED)

    def read_virtual_links(self) -> Iterator[pa.RecordBatch]:
        """All virtual links by source."""
        with self._reading() as connection:
            yield from connection.batches(
                "SELECT source::BIGINT AS source, target::BIGINT AS target, weight "
                f"FROM {_STORED}.co_cited ORDER BY source, target"
            )

    def read_saved_runs(self) -> SavedRuns:
        """Runs that were written into the store."""
        with self._reading() as connection:
            return SavedRuns(
                connection.table(f"SELECT * FROM {_STORED}.run ORDER BY id"),
                connection.table(
                    f"SELECT run, page::BIGINT AS id, rank, score FROM {_STORED}.ranked ORDER BY run, rank, id"
                ),
                connection.table(f"SELECT run, page::BIGINT AS id, n, role FROM {_STORED}.core ORDER BY ALL"),
            )

    def restore(self, contents: Contents, *, progress: Progress = silent) -> None:
        """Fill the store, all or nothing; what would not pass `check` is refused."""
        size = writing.bytes_of(contents.as_changes())
        with self._copy(size) as connection:
            if connection.value("SELECT count(*) FROM page"):
                raise StoreError(f"{self.url} is not empty", hint="name a new store")
            writing.restore(connection, _WRITTEN, contents, progress)
            wrong = [finding.what for finding in check_tables(connection, _WRITTEN) if finding.severity == "error"]
            if wrong:
                raise StoreError(f"what shall be restored is not a whole graph: {wrong[0]}", hint="take another backup")

    # -- checking

    def check(self) -> list[Finding]:
        """What is wrong in the tables, every block of which is read, and what lies beside the file."""
        with self._reading() as connection:
            return [*check_files(self.path), *check_tables(connection, _STORED)]

    def repair(self) -> None:
        """Mend what `check` calls repairable: the tables in a copy, as everything is written."""
        with self.writing():
            assert self._lock is not None
            self._lock.tidy()
            with self._reading() as connection:
                wrong = any(finding.repairable for finding in check_tables(connection, _STORED))
            if wrong:
                with self._copy() as connection:
                    repair_tables(connection)

    # -- inside

    def _check_open(self) -> Connection:
        if self._session is None:
            raise StoreError(f"{self.url} is closed", hint="open it again")
        return self._session

    def _statements(self) -> StatementRunner:
        """What runs users' statements: imported and started with the first of them."""
        self._check_open()
        if holds_nothing(self.path):
            raise StoreError(f"{self.url} holds no graph yet", hint="load a graph first")
        if self._runner is None:
            from seedrank.graphdb.duckdb.query import StatementRunner

            self._runner = StatementRunner(self.path, self.memory)
        return self._runner

    def _attach(self) -> None:
        """Read the file as it is now; who still reads the state before keeps it."""
        found, session = _identity(self.path), self._connect()
        try:
            if holds_nothing(self.path):
                session.attach(Path(":memory:"), _STORED, read_only=False)
                make_tables(session, _STORED)
            else:
                attach_store(session, self.path, self.url, _STORED)
        except BaseException:
            session.close()
            raise
        if self._session is not None:
            self._session.close()
        self._session, self._attached = session, found

    def _connect(self) -> Connection:
        spill = Path(tempfile.gettempdir()) / "seedrank-store" if self._spill is None else self._spill.path
        return connect(memory=self.memory, temporary=spill)

    @contextlib.contextmanager
    def _reading(self) -> Iterator[Connection]:
        connection = self._check_open().cursor()
        try:
            yield connection
        finally:
            connection.close()

    @contextlib.contextmanager
    def _copy(self, more: int = 0) -> Iterator[Connection]:
        """A session that uses a copy of the store, in a transaction; the copy then takes the store's place."""
        with self.writing():
            assert self._lock is not None
            with self._lock.copy(more) as copy:
                connection = self._connect()
                try:
                    is_new = not copy.exists()
                    connection.attach(copy, _WRITTEN, read_only=False, logged=False)
                    if is_new:
                        make_tables(connection, _WRITTEN)
                    connection.run(f"USE {_WRITTEN}")
                    with connection.transaction():
                        yield connection
                        connection.run("UPDATE store SET seedrank = ?", [VERSION])
                    connection.run("CHECKPOINT")
                    connection.run("USE memory")
                    connection.run(f"DETACH {_WRITTEN}")
                finally:
                    connection.close()
            self._attach()

    def _own_columns(self, table: str, known: tuple[str, ...]) -> dict[str, pa.DataType]:
        with self._reading() as connection:
            columns = writing.table_columns(connection, _STORED, table)
        return {name: arrow_type(kind) for name, kind in columns.items() if name not in known}

    def _set_scores(
        self,
        connection: Connection,
        table: str,
        key: str,
        keys: pa.Array,
        column: str,
        values: np.ndarray | pa.Array,
        progress: Progress,
    ) -> None:
        scores = score_column(values)
        writing.add_columns(connection, _WRITTEN, table, {column: "BIGINT" if scores.type == pa.int64() else "DOUBLE"})
        rows = pa.table({key: keys, column: scores})
        with progress(f"writing {column}", rows.num_rows) as advance:
            writing.set_columns(connection, table, [key], rows, clear=True)
            advance(rows.num_rows)

    def _write_of_run(self, run: Run, table: str, rows: pa.Table, progress: Progress) -> None:
        record = {**vars(run), "parameters": json.dumps(dict(run.parameters), default=str)}
        names = ", ".join(rows.column_names)
        with (
            self._copy(rows.nbytes) as connection,
            connection.registered("rows", rows),
            progress("writing the run", rows.num_rows) as advance,
        ):
            connection.run("DELETE FROM run WHERE id = ?", [run.id])
            places = ", ".join("?" for _ in _RUN_COLUMNS)
            connection.run(f"INSERT INTO run VALUES ({places})", [record[name] for name in _RUN_COLUMNS])
            connection.run(f"DELETE FROM {table} WHERE run = ?", [run.id])
            connection.run(f"INSERT INTO {table} (run, {names}) SELECT ?, {names} FROM rows", [run.id])
            advance(rows.num_rows)


def _identity(path: Path) -> tuple[int, ...] | None:
    """What tells a file from one that took its place, or was written to; `None` where there is none."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)


def _changes(connection: Connection, database: str) -> int:
    """How many changes of the graph were counted."""
    return int(connection.value(f"SELECT changes FROM {database}.store"))


def _delete_run(connection: Connection, run_id: str) -> None:
    for table, key in (("run", "id"), ("ranked", "run"), ("core", "run")):
        connection.run(f"DELETE FROM {table} WHERE {key} = ?", [run_id])


def _spill_folder() -> TempClaim | None:
    """A folder for what does not fit into memory; it is gone with the process, however that ends."""
    with contextlib.suppress(OSError):
        return claim_folder(Path(tempfile.gettempdir()), "seedrank-store")
    return None


def _empty(url: str, state: str) -> StoreError:
    return StoreError(
        "{url} {state}",
        hint="load a graph first: {create=True} makes the store",
        fields=("create",),
        values={"url": url, "state": state},
    )
