"""The local server that `seedrank db` manages: which line it is of, and who may log in.

Each line of Neo4j has a folder of its own, and one of them runs at a time.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from seedrank.core.errors import StoreError
from seedrank.graphdb import LOCAL
from seedrank.graphdb.server.config import ADDRESS, USER, Server
from seedrank.graphdb.server.server import is_running
from seedrank.graphdb.server.versions import FIRST, LINES

__all__ = ["local", "login", "running"]

_HOSTS = (ADDRESS, "localhost")
_NOT_ENCRYPTED = ("neo4j", "bolt")
_BOLT_PORT = 7687


def local(neo4j: str | None = None) -> Server:
    """The server of a line of Neo4j, with the settings it was last started with.

    Parameters
    ----------
    neo4j
        The line; by default the one that runs, else the one started last, else 5.26. While another runs it is refused.
    """
    live = _live()
    if neo4j is None:
        return live or max(_servers(), key=lambda server: (server.state().get("started", 0), server.neo4j == FIRST))
    if live is not None and live.neo4j != neo4j:
        raise StoreError(
            f"Neo4j {live.neo4j} is running, and one line runs at a time", hint="stop it with `seedrank db down`"
        )
    return Server(neo4j=neo4j).as_started()


def running() -> Server:
    """The server that runs, whichever line it is of."""
    live = _live()
    if live is None:
        raise StoreError(
            "no local Neo4j is running", hint=f"`seedrank db up` starts one (a file of that name is ./{LOCAL})"
        )
    return live


def login(url: str) -> tuple[str, str] | None:
    """User and password for a URL that is the local server's; `None` for any other."""
    address = urlsplit(url)
    if address.scheme.lower() not in _NOT_ENCRYPTED or address.hostname not in _HOSTS:
        return None
    try:
        port = address.port or _BOLT_PORT
    except ValueError:
        return None  # the driver says what is wrong with it
    live = _live()
    return (USER, live.password()) if live is not None and live.port == port else None


def _live() -> Server | None:
    return next((server for server in _servers() if is_running(server)), None)


def _servers() -> list[Server]:
    return [Server(neo4j=name).as_started() for name in LINES]
