"""Users' statements run in a process of their own, which ends where they take too long or too much memory.

`interrupt` of the database does not end every statement, nor does its memory limit bind single lists and strings
(docs/operations.md); the end of a process does.
"""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import selectors
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import pyarrow as pa

from seedrank.core.errors import StoreError
from seedrank.core.numbers import show_size
from seedrank.graphdb.duckdb.worker_process import FRAME, MEMORY, REFUSED, Settings

__all__ = ["Worker"]

_SCRIPT = Path(__file__).with_name("worker_process.py")
_LOOK = 0.1
"""Seconds between two looks at the memory of the process, where the system does not bind its address space."""

_OVERHEAD = 128 << 20
"""Resident bytes of the process before its first statement, and some more."""

Parameters = Mapping[str, Any] | Sequence[Any]


class Worker:
    """A process that runs read-only SQL on a store's file.

    It starts with the first statement, stays for further ones, and is started anew when it was ended or the file was
    replaced.

    Parameters
    ----------
    memory
        Bytes a statement may take, beside what the process itself takes.
    temporary
        Folder below which the database spills; the system's by default.
    bound
        Whether the system binds the address space of a process. Where it does not, the resident memory is looked at.
    """

    def __init__(
        self, path: Path, memory: int, temporary: Path | None = None, *, bound: bool = sys.platform == "linux"
    ) -> None:
        self.path = path
        self.memory = memory
        self._temporary = temporary
        self._bound = bound
        self._process: _Process | None = None
        self._one_at_a_time = threading.Lock()

    def table(self, sql: str, parameters: Parameters | None = None, timeout: float | None = None) -> pa.Table:
        """The rows of one SELECT.

        Parameters
        ----------
        parameters
            Values by name, or in order.
        timeout
            Seconds after which it is ended; none by default.
        """
        with self._one_at_a_time:
            process = self._started()
            try:
                return process.ask(sql, parameters, timeout)
            except BaseException:
                # Also after Ctrl-C, and where it could go on: memory that a statement took is not always given back.
                if not process.is_idle:
                    self._end()
                raise

    def file(self) -> object:
        """What tells the file that is there now from one that replaces it."""
        return _identity(self.path)

    def close(self) -> None:
        """End the process; safe to call twice."""
        with self._one_at_a_time:
            self._end()

    def _started(self) -> _Process:
        now = _identity(self.path)
        if self._process is not None and (self._process.file != now or not self._process.is_alive):
            self._end()
        if self._process is None:
            self._process = _Process(self.path, now, self.memory, self._temporary, bound=self._bound)
        return self._process

    def _end(self) -> None:
        if self._process is not None:
            process, self._process = self._process, None
            process.end()


class _Process:
    """The other process, and frames to and from it."""

    def __init__(self, path: Path, file: tuple[int, int], memory: int, temporary: Path | None, *, bound: bool) -> None:
        self.file = file
        self.is_idle = True
        self._memory = memory
        self._bound = bound
        self._folder = tempfile.TemporaryDirectory(prefix="seedrank-", dir=temporary, ignore_cleanup_errors=True)
        settings: Settings = {
            "path": str(path.absolute()),
            "memory": memory,
            "temporary": self._folder.name,
            "bound": bound,
        }
        # Allocators that reserve address space by the gigabyte would be stopped by its limit.
        environment = os.environ | {"ARROW_DEFAULT_MEMORY_POOL": "system", "MALLOC_ARENA_MAX": "2"}
        self._child = subprocess.Popen(
            [sys.executable, "-P", str(_SCRIPT), json.dumps(settings)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
        )
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        self._requests: IO[bytes] = self._child.stdin
        self._answers = self._child.stdout.fileno()
        self._waiting = selectors.DefaultSelector()
        self._waiting.register(self._answers, selectors.EVENT_READ)

    @property
    def is_alive(self) -> bool:
        return self._child.poll() is None

    def ask(self, sql: str, parameters: Parameters | None, timeout: float | None) -> pa.Table:
        """Run a statement; it goes on running where this is left by anything but an answer or a failure of SQL."""
        until = None if timeout is None else time.monotonic() + timeout
        self.is_idle = False
        with contextlib.suppress(BrokenPipeError):  # why it ended is told below
            request = pickle.dumps((sql, parameters))
            self._requests.write(FRAME.pack(b"Q", len(request)) + request)
            self._requests.flush()
        try:
            return self._table(until)
        except TimeoutError:
            raise StoreError(
                "the statement took longer than {seconds} seconds",
                hint="ask for less, or give it more time ({timeout})",
                fields=("timeout",),
                values={"seconds": f"{timeout:g}"},
            ) from None

    def _table(self, until: float | None) -> pa.Table:
        schema: pa.Schema | None = None
        batches: list[pa.RecordBatch] = []
        size = 0
        for tag, data in self._frames(until):
            size += len(data)
            if size > self._memory:
                raise self._too_much_memory()
            if tag == b"S":
                schema = pa.ipc.read_schema(pa.py_buffer(data))
            elif tag == b"B":
                batches.append(pa.ipc.read_record_batch(pa.py_buffer(data), schema))
            elif tag == b"E":
                break
            else:
                raise self._failure(*pickle.loads(data))  # noqa: S301 -- of the database's error, by our script
        self.is_idle = True
        return pa.Table.from_batches(batches, schema)

    def _frames(self, until: float | None) -> Iterator[tuple[bytes, bytearray]]:
        while True:
            tag, length = FRAME.unpack(self._read(FRAME.size, until))
            yield tag, self._read(length, until)

    def _read(self, length: int, until: float | None) -> bytearray:
        data = bytearray(length)
        filled = 0
        while filled < length:
            self._wait(until)
            count = os.readv(self._answers, [memoryview(data)[filled:]])
            if not count:
                raise self._ended()
            filled += count
        return data

    def _wait(self, until: float | None) -> None:
        """Until there is something to read; `TimeoutError` when the time is over."""
        while True:
            left = None if until is None else max(until - time.monotonic(), 0)
            step = left if self._bound else min(_LOOK, _LOOK if left is None else left)
            if self._waiting.select(step):
                return
            if left is not None and left <= (step or 0):
                raise TimeoutError
            if not self._bound and _resident(self._child.pid) > self._memory + _OVERHEAD:
                raise self._too_much_memory()

    def _failure(self, kind: str, text: str) -> StoreError:
        if kind == MEMORY:
            return self._too_much_memory()
        self.is_idle = True
        if kind == REFUSED:
            return StoreError(
                "only one statement that reads is run",
                hint="begin it with SELECT, WITH, FROM, VALUES, DESCRIBE, SUMMARIZE or SHOW",
            )
        return StoreError("the embedded database: {text}", values={"text": " ".join(text.split())})

    def _too_much_memory(self) -> StoreError:
        return StoreError(
            "the statement needs more memory than the {size} that the store may use",
            hint="ask for less at a time, or give it more ({store_memory=2G})",
            fields=("store_memory",),
            values={"size": show_size(self._memory)},
        )

    def _ended(self) -> StoreError:
        """The process ended by itself: memory that could not be had aborts it, or the system killed it."""
        status = self._child.wait()
        if status in (-signal.SIGABRT, -signal.SIGKILL):
            return self._too_much_memory()
        reason = signal.Signals(-status).name if status < 0 else f"status {status}"
        return StoreError(
            f"the embedded database failed on the statement ({reason})", hint="write it in a simpler form"
        )

    def end(self) -> None:
        """End the process, whatever it does, and remove what it spilled."""
        self._child.kill()
        self._child.wait()
        self._waiting.close()
        for pipe in (self._child.stdin, self._child.stdout):
            with contextlib.suppress(OSError):
                assert pipe is not None
                pipe.close()
        self._folder.cleanup()


def _identity(path: Path) -> tuple[int, int]:
    """What tells a file from one that replaced it."""
    try:
        found = path.stat()
    except OSError as error:
        raise StoreError("{path} cannot be read", hint="load a graph first", values={"path": path}) from error
    return found.st_dev, found.st_ino


def _resident(process: int) -> int:
    """Bytes of memory a process holds, as the system's own tool says; 0 where it is gone."""
    told = subprocess.run(["ps", "-o", "rss=", "-p", str(process)], capture_output=True, text=True, check=False)
    return int(told.stdout.strip() or 0) << 10
