"""A local Neo4j server of our own: fetched, started and stopped by `seedrank db`, the tests and the bulk import."""

from __future__ import annotations

from graphdb.server.config import ADDRESS, USER, Server, free_port
from graphdb.server.server import Status, admin, connect, down, is_running, status, up

__all__ = ["ADDRESS", "USER", "Server", "Status", "admin", "connect", "down", "free_port", "is_running", "status", "up"]
