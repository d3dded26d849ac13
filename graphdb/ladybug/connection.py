"""Opening the embedded database, and running statements on it so that Ctrl-C and errors arrive as they should."""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import logging
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any, TypeVar

import ladybug
import pyarrow as pa

from cypher import statement
from graphdb.ladybug import recovery
from graphdb.ladybug.memory import pool_size
from seedrank.core.errors import StoreBusy, StoreError

__all__ = ["Connection", "Handle"]

_Result = TypeVar("_Result")

_ROWS_PER_CHUNK = 1 << 20
_OTHER_VERSION = re.compile(r"Database file version: (\d+), Current build storage version: (\d+)")

_HALF_WRITTEN = "the post-commit checkpoint failed"

_log = logging.getLogger(__name__)


class Handle:
    """The open database file.

    The database locks its file against a second writer only: someone who reads while another writes would see pages
    of both states, or crash. So the file is locked here as well (``flock``): shared for reading, exclusive for writing.
    """

    def __init__(
        self, path: Path, *, read_only: bool, memory: int | str | None = None, tell: Callable[..., None] = _log.warning
    ) -> None:
        self.path = path
        self.read_only = read_only
        self._tell = tell
        self._memory = pool_size(memory)
        self._lock = _lock(path, read_only)
        try:
            if recovery.is_pending(path):
                self._recover()
            self.database = self._open(read_only=read_only)
        except RuntimeError as error:
            self._lock.close()
            raise _opening_error(path, str(error)) from error
        except BaseException:
            self._lock.close()
            raise

    def _open(self, *, read_only: bool) -> ladybug.Database:
        return ladybug.Database(self.path, buffer_pool_size=self._memory, read_only=read_only)

    def _recover(self) -> None:
        """Complete or set aside a change that was cut off: readers cannot, so they are writers for a moment."""
        _take(self._lock, self.path, fcntl.LOCK_EX)
        try:
            kept = recovery.set_aside(self.path)
            self._open(read_only=False).close()
        except OSError as error:
            raise _unrecovered(self.path, error.strerror or str(error)) from error
        except RuntimeError as error:
            raise _opening_error(self.path, str(error), recovering=True) from error
        if kept:
            self._tell(
                "%s: a change that was cut off is left out (its log is kept as %s); repeat the command that made it",
                self.path,
                " and ".join(file.name for file in kept),
            )
        else:
            self._tell("%s: recovered after a command that was cut off", self.path)
        if self.read_only:
            _take(self._lock, self.path, fcntl.LOCK_SH)

    @contextlib.contextmanager
    def connection(self) -> Iterator[Connection]:
        """A connection of its own.

        A connection keeps every table that was ever handed to it, so writes use a new one each.
        """
        raw = ladybug.Connection(self.database)
        try:
            yield Connection(raw, self.path)
        except StoreError as error:
            if "Cannot write to file" in error.message:
                _abandon(self.database)
            raise
        finally:
            raw.close()

    def close(self) -> None:
        """Close the database, then let go of the file."""
        # Closing any descriptor of a file gives up the database's own lock on it, so the database goes first.
        try:
            self.database.close()
        except RuntimeError as error:
            # What was written is complete before it is reported: closing only tidies up.
            _log.debug("%s: closing it failed: %s", self.path, error)
        finally:
            self._lock.close()


class Connection:
    """A connection that runs statements."""

    def __init__(self, raw: ladybug.Connection, path: Path) -> None:
        self._raw = raw
        self._path = path
        self._seconds: float | None = None

    def limit(self, seconds: float | None) -> None:
        """End every later statement that takes longer; `None` lets it run."""
        self._seconds = seconds
        if seconds is not None:
            self._raw.set_query_timeout(max(1, round(seconds * 1000)))

    def run(self, text: str, parameters: Mapping[str, Any] | None = None) -> Any:
        """Run a statement; returns the database's result."""
        return self._interruptible(lambda: self._raw.execute(text, dict(parameters or {})))

    def table(self, text: str, parameters: Mapping[str, Any] | None = None) -> pa.Table:
        """Run a statement and return its rows; a table without columns when it returns nothing."""

        def call() -> pa.Table:
            answer: Any = self._raw.execute(text, dict(parameters or {}))
            if isinstance(answer, list):
                raise StoreError(f"{self._path}: more than one statement was sent", hint="run them one by one")
            with answer as result:
                return result.get_as_arrow(_ROWS_PER_CHUNK) if result.get_column_names() else pa.table({})

        return self._interruptible(call)

    def stream(self, text: str) -> pa.Table:
        """Run a statement without parameters; its rows are made as Arrow from the start, at half the cost."""

        def call() -> pa.Table:
            with self._raw.query_as_arrow(text, _ROWS_PER_CHUNK) as result:
                return result.get_as_arrow()

        return self._interruptible(call)

    def value(self, text: str) -> Any:
        """The only value a statement returns."""
        return self.table(text).column(0)[0].as_py()

    @contextlib.contextmanager
    def transaction(self, *, read_only: bool = False) -> Iterator[None]:
        """All or nothing."""
        self.run("BEGIN TRANSACTION READ ONLY" if read_only else "BEGIN TRANSACTION")
        try:
            yield
        except BaseException:
            # A statement that fails has ended the transaction already.
            with contextlib.suppress(StoreError):
                self.run("ROLLBACK")
            raise
        self.run("COMMIT")

    def checkpoint(self) -> None:
        """Complete what was committed: until then it is half written (see `recovery`).

        A commit of rows that were copied does it by itself.
        """
        if recovery.is_pending(self._path):
            self.run(statement("write/ladybug/checkpoint"))

    def _interruptible(self, call: Callable[[], _Result]) -> _Result:
        """Run a call into the database so that Ctrl-C ends it at once, not when it is done.

        Python sees signals in its main thread only, and only between its own instructions: there the call runs in
        another thread.
        """
        outcome: list[_Result] = []
        failure: list[BaseException] = []

        def work() -> None:
            try:
                outcome.append(call())
            except BaseException as error:
                failure.append(error)

        if threading.current_thread() is threading.main_thread():
            worker = threading.Thread(target=work, daemon=True, name="ladybug")
            worker.start()
            try:
                worker.join()
            except BaseException:
                while worker.is_alive():
                    # An interrupt that arrives before the statement was compiled is lost: repeat it.
                    self._raw.interrupt()
                    worker.join(0.05)
                raise
        else:
            work()
        if failure:
            raise self._explained(failure[0])
        return outcome[0]

    def _explained(self, error: BaseException) -> BaseException:
        if not isinstance(error, RuntimeError):
            return error
        text, hint = str(error), None
        if self._seconds is not None and text.strip() == "Interrupted.":
            text = f"the statement took longer than {self._seconds:g} s"
            hint = "allow it more time, or ask for less"
        elif _HALF_WRITTEN in text:
            # The database says that it is committed and safe. It is half of it: see `recovery`.
            text = f"it could not be written: {text.partition(_HALF_WRITTEN)[2].partition(': ')[2]}"
        failure = _failed("{path}: {text}", self._path, text, hint)
        failure.__cause__ = error
        return failure


def _abandon(database: ladybug.Database) -> None:
    """Never close a database whose file could not be written.

    Closing writes the rest of its log, and where that fails again the database ends the whole process (SIGABRT). What
    was committed is in its files, and the next one that opens it recovers it.
    """
    if not database.is_closed:
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(database._database))  # nor may the end of the process
        database.is_closed = True


def _lock(path: Path, read_only: bool) -> IO[bytes]:
    try:
        file = path.open("rb" if read_only else "ab")
    except FileNotFoundError:
        raise StoreError(f"{path}: its folder does not exist", hint=f"make the folder {path.parent} first") from None
    except PermissionError:
        raise StoreError(f"{path} may not be {'read' if read_only else 'written'} by you") from None
    try:
        _take(file, path, fcntl.LOCK_SH if read_only else fcntl.LOCK_EX)
    except BaseException:
        file.close()
        raise
    return file


def _take(file: IO[bytes], path: Path, kind: int) -> None:
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        raise _busy(path) from None


def _opening_error(path: Path, text: str, *, recovering: bool = False) -> StoreError:
    if "Could not set lock" in text:
        return _busy(path)
    if "not a valid" in text:
        return StoreError(f"{path} is not a store of seedrank's", hint="name another path, such as web.lbug")
    if versions := _OTHER_VERSION.search(text):
        return StoreError(
            f"{path} was written by another version of the database Ladybug (storage version {versions[1]}; ladybug "
            f"{ladybug.version} reads {versions[2]})",
            hint="export its tables with the seedrank that wrote it (`seedrank export parquet DIR`) and load them "
            "into a new store",
        )
    return _unrecovered(path, text) if recovering else _failed("{path} cannot be opened: {text}", path, text)


def _unrecovered(path: Path, reason: str) -> StoreError:
    return _failed(
        "{path}: a command that wrote to it was cut off, and it cannot be recovered: {text}",
        path,
        reason,
        "run a command on it where {name}* may be written, or on a copy of these files",
    )


def _failed(message: str, path: Path, text: str, hint: str | None = None) -> StoreError:
    """An error that the database explains with `text`; `hint` holds where its reason is not memory or disk."""
    if "Buffer manager exception" in text:
        hint = "give the store more memory ({store_memory=2G}), close other programs, or use a larger machine"
    elif "No space left" in text:
        hint = "make room on the disk and run it again: what was there before is safe"
    return StoreError(
        message,
        hint=hint,
        fields=("store_memory",),
        values={"path": path, "name": path.name, "text": text},
    )


def _busy(path: Path) -> StoreBusy:
    return StoreBusy(
        f"{path} is in use by another process, or open twice in this one", hint="wait until it is done, or close it"
    )
