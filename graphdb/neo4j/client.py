"""Neo4j's own client of Graph Data Science, on a connection that is open already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seedrank.core.errors import StoreError
from seedrank.graphdb.neo4j.connection import Connection

if TYPE_CHECKING:
    from graphdatascience import GraphDataScience

__all__ = ["client_on"]


def client_on(connection: Connection) -> GraphDataScience:
    """A client on this connection: it never sees the password, and closing it leaves the connection open."""
    try:
        from graphdatascience import GraphDataScience
    except ImportError:
        raise StoreError(
            "the package graphdatascience is not installed", hint="install it: pip install 'seedrank[gds]'"
        ) from None
    # Bolt only: its Arrow server is not part of the community edition, and would want the password again.
    return GraphDataScience(connection.driver, database=connection.database, arrow=False, show_progress=False)
