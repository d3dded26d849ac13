"""Neo4j, with or without the Graph Data Science library."""

from __future__ import annotations

from pathlib import Path

from seedrank.cypher import check_prefix
from seedrank.graphdb.neo4j.attached import AttachedStore
from seedrank.graphdb.neo4j.connection import PATIENCE, Connection
from seedrank.graphdb.neo4j.model import read_model
from seedrank.graphdb.neo4j.probe import gds_problem
from seedrank.graphdb.neo4j.store import BATCH_SIZE, Neo4jGdsStore, Neo4jStore

__all__ = ["AttachedStore", "Neo4jGdsStore", "Neo4jStore", "attach", "open_store"]


def open_store(
    url: str,
    *,
    database: str | None = None,
    prefix: str | None = None,
    batch_size: int | None = None,
    auth: tuple[str, str] | None = None,
    patience: float = PATIENCE,
    wait: float = 0.0,
) -> Neo4jStore:
    """Connect to a server, log in, and see what it can do.

    Parameters
    ----------
    url
        ``neo4j://host:7687`` or ``bolt://host:7687``; ``+s`` for TLS, ``+ssc`` for TLS with any certificate;
        ``#Web`` at its end is a prefix.
    database
        Name of the database; the server's own when `None`.
    prefix
        What labels begin with, of a graph that shares its database with others.
    batch_size
        Rows per transaction of a load; 20,000, the fastest measured, when `None`.
    auth
        User and password; from ``NEO4J_USERNAME`` (neo4j by default) and ``NEO4J_PASSWORD`` when `None`.
    patience
        Seconds to keep trying while the server is away in the middle of work.
    wait
        Seconds that a write waits for another writer.

    Returns
    -------
    Neo4jStore
        A `Neo4jGdsStore` where the server has GDS, and it works.
    """
    address, _, named = url.partition("#")
    prefix = check_prefix(prefix or named) if prefix or named else ""
    connection = Connection(address, database, auth=auth, patience=patience, prefix=prefix)
    try:
        connection.check()
        size = BATCH_SIZE if batch_size is None else batch_size
        if problem := gds_problem(connection):
            return Neo4jStore(connection, batch_size=size, gds_problem=problem, wait=wait)
        return Neo4jGdsStore(connection, batch_size=size, wait=wait)
    except BaseException:
        connection.close()
        raise


def attach(
    url: str,
    model: str | Path,
    *,
    database: str | None = None,
    auth: tuple[str, str] | None = None,
    patience: float = PATIENCE,
) -> AttachedStore:
    """Connect to a graph of others; the parameters not named here are those of `open_store`.

    Parameters
    ----------
    model
        File that says what pages and links are in it (`seedrank.graphdb.neo4j.model`).
    """
    read = read_model(Path(model).absolute())
    connection = Connection(url.partition("#")[0], database, auth=auth, patience=patience)
    connection.check()
    return AttachedStore(connection, read)
