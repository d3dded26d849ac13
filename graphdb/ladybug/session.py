"""Opening the embedded database, and running statements on it so that Ctrl-C and errors arrive as they should."""

from __future__ import annotations

import contextlib
import fcntl
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any, TypeVar

import ladybug
import pyarrow as pa

from seedrank.core.errors import StoreBusy, StoreError

__all__ = ["Handle", "Session"]

_Result = TypeVar("_Result")

_ROWS_PER_CHUNK = 1 << 20
_MIB = 1 << 20


class Handle:
    """The open database file.

    The database locks its file against a second writer only: someone who reads while another writes would see pages
    of both states, or crash. So the file is locked here as well (``flock``): shared for reading, exclusive for writing.
    """

    def __init__(self, path: Path, *, read_only: bool) -> None:
        self.path = path
        self.read_only = read_only
        self._lock = _lock(path, read_only)
        try:
            self.database = ladybug.Database(path, buffer_pool_size=_buffer_pool_size(), read_only=read_only)
        except RuntimeError as error:
            self._lock.close()
            raise _opening_error(path, error) from error
        except BaseException:
            self._lock.close()
            raise

    @contextlib.contextmanager
    def session(self) -> Iterator[Session]:
        """A connection of its own.

        A connection keeps every table that was ever handed to it, so writes use a new one each.
        """
        connection = ladybug.Connection(self.database)
        try:
            yield Session(connection, self.path)
        finally:
            connection.close()

    def close(self) -> None:
        """Close the database, then let go of the file."""
        # Closing any descriptor of a file gives up the database's own lock on it, so the database goes first.
        self.database.close()
        self._lock.close()


class Session:
    """A connection that runs statements."""

    def __init__(self, connection: ladybug.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path
        self._seconds: float | None = None

    def limit(self, seconds: float | None) -> None:
        """End every later statement that takes longer; `None` lets it run."""
        self._seconds = seconds
        if seconds is not None:
            self._connection.set_query_timeout(max(1, round(seconds * 1000)))

    def run(self, statement: str, parameters: Mapping[str, Any] | None = None) -> Any:
        """Run a statement; returns the database's result."""
        return self._interruptible(lambda: self._connection.execute(statement, dict(parameters or {})))

    def table(self, statement: str, parameters: Mapping[str, Any] | None = None) -> pa.Table:
        """Run a statement and return its rows; a table without columns when it returns nothing."""

        def call() -> pa.Table:
            answer: Any = self._connection.execute(statement, dict(parameters or {}))
            with answer as result:
                return result.get_as_arrow(_ROWS_PER_CHUNK) if result.get_column_names() else pa.table({})

        return self._interruptible(call)

    def stream(self, statement: str) -> pa.Table:
        """Run a statement without parameters; its rows are made as Arrow from the start, at half the cost."""

        def call() -> pa.Table:
            with self._connection.query_as_arrow(statement, _ROWS_PER_CHUNK) as result:
                return result.get_as_arrow()

        return self._interruptible(call)

    def value(self, statement: str) -> Any:
        """The only value a statement returns."""
        return self.table(statement).column(0)[0].as_py()

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
                    self._connection.interrupt()
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
        text = str(error)
        hint = None
        if self._seconds is not None and text.strip() == "Interrupted.":
            text, hint = f"the statement took longer than {self._seconds:g} s", "allow it more time, or ask for less"
        elif "Buffer manager exception" in text:
            hint = "there is too little memory for it: close other programs, or use a larger machine"
        elif "No space left" in text:
            hint = "make room on the disk and run it again"
        failure = StoreError(f"{self._path}: {text}", hint=hint)
        failure.__cause__ = error
        return failure


def _lock(path: Path, read_only: bool) -> IO[bytes]:
    try:
        file = path.open("rb" if read_only else "ab")
    except FileNotFoundError:
        raise StoreError(f"{path}: its folder is not there", hint=f"make it first: mkdir -p {path.parent}") from None
    except PermissionError:
        raise StoreError(f"{path} may not be {'read' if read_only else 'written'} by you") from None
    try:
        fcntl.flock(file, (fcntl.LOCK_SH if read_only else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise _busy(path) from None
    return file


def _opening_error(path: Path, error: RuntimeError) -> StoreError:
    text = str(error)
    if "Could not set lock" in text:
        return _busy(path)
    if "not a valid" in text:
        return StoreError(f"{path} is not a store of seedrank's", hint="name another path, such as web.lbug")
    return StoreError(f"{path} cannot be opened: {text}")


def _busy(path: Path) -> StoreBusy:
    return StoreBusy(
        f"{path} is in use by another process", hint="wait until it is done, or end it, and run the command again"
    )


def _buffer_pool_size() -> int:
    """Bytes the database may keep of its file and of tables under way: a quarter of the memory, at most 4 GiB."""
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return max(256 * _MIB, min(memory // 4, 4096 * _MIB))
