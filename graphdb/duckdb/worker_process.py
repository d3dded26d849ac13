"""The process that runs users' statements, under limits: started as a script by `seedrank.graphdb.duckdb.worker`.

It imports nothing of seedrank, so that it starts in 0.2 s. Requests come by standard input, answers leave by standard
output, both as frames: one byte that says what it is, eight of length, then so many bytes.

    in      Q  a pickle of the SQL and its parameters
    out     S  an Arrow schema, then B for each batch of rows, then E; or at any time F, a pickle of its kind and text

The end of standard input, which is also how the other process's death looks, ends it at once.
"""

from __future__ import annotations

import json
import os
import pickle
import queue
import resource
import shutil
import signal
import struct
import sys
import threading
from pathlib import Path
from typing import IO, Any

import duckdb
import pyarrow as pa

__all__ = ["FRAME", "MEMORY", "OTHER", "REFUSED", "Settings"]

FRAME = struct.Struct("<cQ")
MEMORY, REFUSED, OTHER = "memory", "refused", "other"
"""Kinds of failure."""

Settings = dict[str, Any]
"""``path``, ``memory`` (bytes), ``temporary`` (folder) and ``bound``: whether the system is to bind address space."""

_ROWS_PER_BATCH = 1 << 16
_LOCKS = (
    "autoinstall_known_extensions=false",
    "autoload_known_extensions=false",
    "allow_community_extensions=false",
    "python_enable_replacements=false",
    "enable_external_access=false",
    "lock_configuration=true",
)
"""In this order: what comes later forbids what came before."""


def _serve(settings: Settings, requests: IO[bytes], answers: IO[bytes]) -> None:
    pool = settings["memory"] * 3 // 4  # the rest is for lists, strings and rows on their way out
    config = {"memory_limit": f"{pool}B", "temp_directory": settings["temporary"]}
    connection = duckdb.connect(":memory:", config=config)
    place = settings["path"].replace("'", "''")
    connection.execute(f"ATTACH '{place}' AS web (READ_ONLY)")
    for setting in _LOCKS:
        connection.execute(f"SET {setting}")
    if settings["bound"]:
        _bind_address_space(settings["memory"])
    waiting: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(requests, waiting, settings["temporary"]), daemon=True).start()
    while True:
        request = waiting.get()
        try:
            sql, parameters = pickle.loads(request)  # noqa: S301 -- from the process that started this one
            _answer(connection, sql, parameters, answers)
        except Exception as error:
            _send(answers, b"F", pickle.dumps((_kind(error), str(error))))
        answers.flush()


def _answer(connection: duckdb.DuckDBPyConnection, sql: str, parameters: Any, answers: IO[bytes]) -> None:
    found = connection.extract_statements(sql)
    if len(found) != 1 or found[0].type != duckdb.StatementType.SELECT:
        _send(answers, b"F", pickle.dumps((REFUSED, "")))
        return
    cursor = connection.cursor()
    try:
        cursor.execute("USE web")
        reader = cursor.sql(sql, params=parameters or None).to_arrow_reader(_ROWS_PER_BATCH)
        _send(answers, b"S", reader.schema.serialize())
        for batch in reader:
            _send(answers, b"B", batch.serialize())
        _send(answers, b"E", b"")
    finally:
        cursor.close()


def _kind(error: Exception) -> str:
    out = isinstance(error, duckdb.OutOfMemoryException | MemoryError | pa.ArrowMemoryError)
    return MEMORY if out or "bad_alloc" in str(error) else OTHER


def _send(answers: IO[bytes], tag: bytes, data: Any) -> None:
    answers.write(FRAME.pack(tag, len(data)))
    answers.write(data)


def _receive(requests: IO[bytes], waiting: queue.SimpleQueue[bytes], temporary: str) -> None:
    """Read requests also while a statement runs: so the end of the input is seen at once."""
    while header := requests.read(FRAME.size):
        _, length = FRAME.unpack(header)
        waiting.put(requests.read(length))
    shutil.rmtree(temporary, ignore_errors=True)
    os._exit(0)


def _bind_address_space(memory: int) -> None:
    """Let this process map `memory` bytes more than it has now."""
    mapped = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (mapped + memory, mapped + memory))


def _main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the other process, which ends this one
    # Statements may print nothing into the answers, and the database's last words are not for the user.
    answers = os.fdopen(os.dup(1), "wb", buffering=1 << 16)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    settings: Settings = json.loads(sys.argv[1])
    try:
        _serve(settings, sys.stdin.buffer, answers)
    except Exception as error:
        _send(answers, b"F", pickle.dumps((OTHER, str(error))))
        answers.flush()


if __name__ == "__main__":
    _main()
