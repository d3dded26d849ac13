"""A DuckDB session of this process: settings, SQL in, Arrow out, failures in one line, Ctrl-C at once.

A store's file is attached to it for reading, or one line says why it is not a store.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import duckdb
import pyarrow as pa

from seedrank.core.errors import StoreBusy, StoreError, UsageError
from seedrank.core.numbers import parse_size, show_size
from seedrank.core.resources import usable_memory
from seedrank.graphdb.duckdb.schema import SCHEMA_VERSION

__all__ = ["SMALLEST", "VARIABLE", "Connection", "attach_store", "connect", "holds_nothing", "pool_size"]

_ROWS_PER_BATCH = 1 << 18
_Result = TypeVar("_Result")


def connect(*, memory: int, temporary: Path, threads: int | None = None) -> Connection:
    """A session on a database in memory, to which files are attached.

    Files are attached, never opened by `duckdb.connect`: that keeps one instance per path in a process, which after a
    rename would go on showing the old file.

    Parameters
    ----------
    memory
        Bytes the database may use before it spills; single lists and strings are not bound by it.
    temporary
        Folder for what is spilled, for this session alone.
    threads
        At most so many threads; as many as there are cores by default.
    """
    settings: dict[str, Any] = {"memory_limit": f"{memory}B", "temp_directory": str(temporary)}
    if threads is not None:
        settings["threads"] = threads
    raw = duckdb.connect(":memory:", config=settings)
    for setting in (
        "autoinstall_known_extensions=false",
        "autoload_known_extensions=false",
        "allow_community_extensions=false",
        "python_enable_replacements=false",
        "preserve_insertion_order=true",
    ):
        raw.execute(f"SET {setting}")
    # It shows a bar of its own wherever Python is interactive; in a notebook without widgets it has none to take away.
    with contextlib.suppress(duckdb.InvalidInputException):
        raw.execute("SET enable_progress_bar=false")
    return Connection(raw)


class Connection:
    """A session that runs SQL."""

    def __init__(self, raw: duckdb.DuckDBPyConnection) -> None:
        self.raw = raw

    def attach(self, path: Path, name: str, *, read_only: bool, logged: bool = True) -> None:
        """Attach a file as a database of this name.

        Without `logged`, what is committed is in the file after a CHECKPOINT only, and no log is written.
        """
        place = str(path).replace("'", "''")
        options = "(READ_ONLY)" if read_only else "" if logged else "(RECOVERY_MODE no_wal_writes)"
        self.run(f"ATTACH '{place}' AS {name} {options}")

    def cursor(self) -> Connection:
        """A session on the same databases: two threads may not use one at the same time."""
        return Connection(self.raw.cursor())

    def run(self, sql: str, parameters: Sequence[Any] | dict[str, Any] | None = None) -> None:
        """Run a statement."""
        self._call(lambda: self.raw.execute(sql, parameters).fetchall())

    def table(self, sql: str, parameters: Sequence[Any] | dict[str, Any] | None = None) -> pa.Table:
        """All rows of a statement."""
        return self._call(lambda: self.raw.sql(sql, params=parameters).to_arrow_table())

    def batches(
        self, sql: str, parameters: Sequence[Any] | dict[str, Any] | None = None, rows: int = _ROWS_PER_BATCH
    ) -> Iterator[pa.RecordBatch]:
        """The rows of a statement, batch by batch, on a cursor of its own; they are not held in memory at once."""
        cursor = self.cursor()
        try:
            reader = cursor._call(lambda: cursor.raw.sql(sql, params=parameters).to_arrow_reader(rows))
            while (batch := cursor._call(lambda: next(reader, None))) is not None:
                yield batch
        finally:
            cursor.close()

    def value(self, sql: str, parameters: Sequence[Any] | dict[str, Any] | None = None) -> Any:
        """The first value of the first row, `None` where there is no row."""
        rows = self._call(lambda: self.raw.execute(sql, parameters).fetchall())
        return rows[0][0] if rows else None

    @contextlib.contextmanager
    def registered(self, name: str, rows: pa.Table | pa.RecordBatch | pa.RecordBatchReader) -> Iterator[None]:
        """Arrow data under a name that statements may read."""
        self.raw.register(name, rows)
        try:
            yield
        finally:
            self.raw.unregister(name)

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing."""
        self.run("BEGIN")
        try:
            yield
        except BaseException:
            with contextlib.suppress(duckdb.Error):
                self.raw.execute("ROLLBACK")
            raise
        self.run("COMMIT")

    def close(self) -> None:
        """End the session; safe to call twice."""
        self.raw.close()

    def _call(self, call: Callable[[], _Result]) -> _Result:
        """Run a call into the database so that Ctrl-C ends it at once, not when it is done.

        Python sees signals in its main thread only, and only between its own instructions: there the call runs in
        another thread.
        """
        if threading.current_thread() is not threading.main_thread():
            with _explained():
                return call()
        outcome: list[_Result] = []
        failure: list[BaseException] = []
        # A plain lock: waiting for an event or a thread is left in a state of its own by an exception.
        done = threading.Lock()
        done.acquire()

        def work() -> None:
            try:
                outcome.append(call())
            except BaseException as error:
                failure.append(error)
            finally:
                done.release()

        threading.Thread(target=work, daemon=True, name="duckdb").start()
        try:
            while not (outcome or failure):
                done.acquire(timeout=0.1)
        except BaseException:
            while not (outcome or failure):
                self.raw.interrupt()
                time.sleep(0.02)
            raise
        if failure:
            with _explained():
                raise failure[0]
        return outcome[0]


@contextlib.contextmanager
def _explained() -> Iterator[None]:
    """Failures of the database as `StoreError`, with what to do about memory and disk."""
    try:
        yield
    except duckdb.Error as error:
        text = " ".join(str(error).split())
        hint = None
        if isinstance(error, duckdb.OutOfMemoryException):
            hint = "give the store more memory ({store_memory=2G}), or make room where temporary files go"
        elif "No space left" in text:
            hint = "make room on the disk and run it again: what was there before is safe"
        raise StoreError(
            "the embedded database: {text}", hint=hint, fields=("store_memory",), values={"text": text}
        ) from error


_BEFORE_0_3 = b"LBUG"
_DUCKDB, _DUCKDB_PLACE = b"DUCK", 8
"""The mark of a DuckDB file, after a checksum."""


def holds_nothing(path: Path) -> bool:
    """Whether there is no file, or an empty one."""
    return not path.exists() or path.stat().st_size == 0


def attach_store(connection: Connection, path: Path, url: str, name: str) -> None:
    """Attach a store's file under a name, for reading.

    Parameters
    ----------
    connection
        Where it is attached.
    url
        What the user calls it.
    name
        Of the attached database.
    """
    try:
        with path.open("rb") as file:
            start = file.read(_DUCKDB_PLACE + len(_DUCKDB))
    except PermissionError:
        raise StoreError(f"{url} may not be read by you") from None
    except OSError as error:
        raise StoreError(f"{url} cannot be read: {error.strerror}") from error
    if start.startswith(_BEFORE_0_3):
        raise StoreError(
            f"{url} was written by seedrank 0.2 or older, with another database",
            hint="load its sources again into a new store, such as web.duckdb",
        )
    if start[_DUCKDB_PLACE:] != _DUCKDB:
        raise StoreError(f"{url} is not a store of seedrank's", hint="name another path, such as web.duckdb")
    try:
        connection.attach(path, name, read_only=True)
    except StoreError as error:
        raise _opening_error(url, str(error.values.get("text", error))) from error
    _check_schema(connection, url, name)


def _check_schema(connection: Connection, url: str, name: str) -> None:
    """Refuse the tables of someone else, and those of a later version."""
    try:
        number = connection.value(f"SELECT schema FROM {name}.store")
    except StoreError as error:
        if not isinstance(error.__cause__, (duckdb.CatalogException, duckdb.BinderException)):
            raise
        raise StoreError(f"{url} is a DuckDB database, but not one of seedrank's", hint="name another path") from error
    if number != SCHEMA_VERSION:
        raise StoreError(
            f"{url} was made by a later version of seedrank (schema {number}; this one knows {SCHEMA_VERSION})",
            hint="install the newest seedrank",
        )


def _opening_error(url: str, text: str) -> StoreError:
    if "Could not set lock" in text or "Conflicting lock" in text:
        return StoreBusy(f"{url} is open for writing in another program", hint="close it there")
    if "newer version" in text or "version number" in text:
        return StoreError(f"{url} was written by a later version of DuckDB", hint="install the newest seedrank")
    return StoreError(
        "{url} cannot be opened: {text}",
        hint="restore it from a backup, or load its sources again into a new store",
        values={"url": url, "text": text},
    )


VARIABLE = "SEEDRANK_STORE_MEMORY"
_MIB = 1 << 20
SMALLEST = 64 * _MIB
_LARGEST_BY_DEFAULT = 768 * _MIB
"""So much merges ten million links by URL at full speed; what does not fit is spilled to disk."""
_SMALLEST_BY_DEFAULT = 256 * _MIB


def pool_size(wanted: int | str | None = None) -> int:
    """Bytes the database may use before it spills to disk.

    Parameters
    ----------
    wanted
        Bytes, or text such as ``512M``; where it is `None`, what ``SEEDRANK_STORE_MEMORY`` says, and otherwise a
        quarter of the memory this process may use, at least 256 MiB and at most 768 MiB.
    """
    name = "the store's memory"
    if wanted is None and os.environ.get(VARIABLE):
        name, wanted = VARIABLE, os.environ[VARIABLE]
    memory = usable_memory()
    if wanted is None:
        return max(_SMALLEST_BY_DEFAULT, min(memory // 4, _LARGEST_BY_DEFAULT))
    size = parse_size(wanted, name)
    if not SMALLEST <= size <= memory:
        raise UsageError(
            f"{name} is {show_size(size)}: it must be between {show_size(SMALLEST)} and {show_size(memory)}, "
            "the memory there is",
            hint="give another size, such as {store_memory=512M}",
            fields=("store_memory",),
        )
    return size
