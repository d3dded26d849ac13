"""One writer at a time in a database: a node says who writes, from where, and when it last gave a sign of life.

Whoever computes what to write from what is there does both while it has the right. A writer that has died loses it: at
once where the asker sees that its process has ended, else after `SILENT` seconds without a sign of life. One that was
only asleep finds out within the first transaction it sends, and writes nothing.
"""

from __future__ import annotations

import contextlib
import getpass
import os
import socket
import threading
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from seedrank.core.errors import StoreBusy, StoreError
from seedrank.core.numbers import show_duration
from seedrank.graphdb.neo4j import lanes
from seedrank.graphdb.neo4j.connection import Connection

__all__ = ["SILENT", "place", "sole_writer"]

SILENT = 60.0
"""Seconds without a sign of life after which a writer has lost its right."""
_BEAT = 10.0
_PAUSE = 0.5
"""Seconds between two signs of life, and between two questions of one who waits."""


def place() -> str:
    """What tells whether a process of a number can be seen from here: the machine, and the container."""
    try:
        container = Path("/proc/self/ns/pid").readlink().name
    except OSError:
        container = ""
    return f"{socket.gethostname()} {container}".strip()


@contextlib.contextmanager
def sole_writer(connection: Connection, wait: float) -> Iterator[None]:
    """Keep other writers out of the database.

    Parameters
    ----------
    connection
        Its transactions of loads fail from the moment that another writer has taken over.
    wait
        Seconds to wait for another writer.

    Raises
    ------
    StoreBusy
        Another one writes, and goes on for longer than that.
    """
    owner = uuid.uuid4().hex
    _take(connection, owner, wait)
    ended = threading.Event()
    alive = threading.Thread(target=_beat, args=(connection, owner, ended), daemon=True)
    alive.start()
    connection.owner = owner
    try:
        # The last transactions of a load that was killed have ended once every turn was taken.
        connection.write(connection.statement("load/every_turn"), load="", lanes=["turn", *lanes.NAMES])
        yield
    finally:
        connection.owner = None
        ended.set()
        alive.join()
        with contextlib.suppress(StoreError):
            connection.write_once(connection.statement("load/release_writer"), owner=owner)


def _take(connection: Connection, owner: str, wait: float) -> None:
    until, dead = time.monotonic() + wait, ""
    asker: dict[str, Any] = {
        "owner": owner,
        "who": _who(),
        "place": place(),
        "process": os.getpid(),
        "silent": round(1000 * SILENT),
    }
    while True:
        [holder] = connection.write(connection.statement("load/take_writer"), **asker, dead=dead)
        if holder["owner"] == owner:
            return
        if _has_ended(holder) and holder["owner"] != dead:
            dead = holder["owner"]
            continue
        left = until - time.monotonic()
        if left <= 0:
            raise StoreBusy(
                "{who} (process {process}) has been writing to {url} for {since}",
                hint="run it again when that is done, or wait for it: {wait=60}",
                fields=("wait",),
                values={
                    "who": holder["who"],
                    "process": holder["process"],
                    "url": connection.url,
                    "since": show_duration(holder["since"] / 1000),
                },
            )
        time.sleep(min(_PAUSE, left))


def _who() -> str:
    try:
        user = getpass.getuser()
    except (KeyError, OSError):
        user = str(os.getuid())
    return f"{user}@{socket.gethostname()}"


def _has_ended(holder: Any) -> bool:
    """Whether the writer's process was one of this machine, and is not there any more."""
    if holder["place"] != place():
        return False
    try:
        os.kill(holder["process"], 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False
    return False


def _beat(connection: Connection, owner: str, ended: threading.Event) -> None:
    while not ended.wait(_BEAT):
        # A server that is away for a while (a restart, a bulk import) is no reason to stop.
        with contextlib.suppress(StoreError):
            connection.write_once(connection.statement("load/beat_writer"), owner=owner)
