"""A local Neo4j managed by seedrank: fetched, started and stopped by `seedrank db`, the tests and the bulk import."""

from __future__ import annotations

from seedrank.graphdb.server.config import ADDRESS, USER, Server, free_port
from seedrank.graphdb.server.server import Status, admin, connect, down, is_running, local, login, running, status, up
from seedrank.graphdb.server.versions import FIRST, LINES

__all__ = [
    "ADDRESS",
    "FIRST",
    "LINES",
    "USER",
    "Server",
    "Status",
    "admin",
    "connect",
    "down",
    "free_port",
    "is_running",
    "local",
    "login",
    "running",
    "status",
    "up",
]
