"""Ways into the database: Cypher of a user, the named queries of ``cypher/explore``, and the client of GDS."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from seedrank.api.named_queries import queries, statement_of, values_of
from seedrank.core import numbers
from seedrank.core.errors import GraphError, StoreError
from seedrank.graphdb.store import GraphStore, HasDatabases, HasSql, database, gds
from seedrank.session import Session

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["explore", "projections", "query", "sql", "to_gds"]

_LONGEST = 1e7
"""Seconds a statement may take: some four months."""


def query(
    store: GraphStore,
    statement: str,
    parameters: Mapping[str, Any] | None = None,
    *,
    write: bool = False,
    timeout: float | None = None,
) -> pa.Table:
    """Run a user's statement; `seedrank.graphdb.store.Database.query` has the parameters."""
    _check_timeout(timeout)
    asked = database(store, "running Cypher")
    return asked.query(statement, parameters, write=write, timeout=timeout)


def sql(store: GraphStore, statement: str, *, timeout: float | None = None) -> pa.Table:
    """Run one SELECT of a user on an embedded store."""
    _check_timeout(timeout)
    if not isinstance(store, HasSql):
        raise StoreError(
            "{url} reads no SQL: that is for embedded stores",
            hint="ask in Cypher, or name an embedded store ({store=web.duckdb})",
            fields=("store",),
            values={"url": store.url},
        )
    return store.sql(statement, timeout=timeout)


def explore(
    store: GraphStore,
    name: str,
    given: Mapping[str, Any],
    *,
    write: bool = False,
    timeout: float | None = None,
) -> pa.Table:
    """Run a named query.

    Parameters
    ----------
    name
        One of `seedrank.api.named_queries.queries`.
    given
        Values of its parameters; those with a default may be left out.
    write
        Whether it may change the graph: `seedrank.api.named_queries.writes` says which queries need that.
    timeout
        Seconds after which it is ended; none by default.
    """
    values = values_of(name, given)
    _check_timeout(timeout)
    asked = database(store, "running Cypher")
    if queries()[name].store == "neo4j":
        from seedrank.graphdb.neo4j import Neo4jStore

        if not isinstance(asked, Neo4jStore):
            raise StoreError(
                "{name} runs on Neo4j only, and {url} is an embedded store",
                hint="load the graph into Neo4j (`seedrank db up` starts one) and use {store=neo4j}",
                fields=("store",),
                values={"name": name, "url": store.url},
            )
    prefix = asked.prefix if isinstance(asked, HasDatabases) else ""
    return asked.query(statement_of(name, prefix), values, write=write, timeout=timeout)


def _check_timeout(timeout: float | None) -> None:
    if timeout is not None:
        numbers.finite("timeout", timeout, 0.001, _LONGEST)


def projections(store: GraphStore, *, drop: bool = False) -> pa.Table:
    """Graphs kept in the memory of a Neo4j server for the next command; with `drop` those that were dropped."""
    from seedrank.engines.gds import projection_admin

    held = gds(store, "keeping projections")
    return projection_admin.drop(held) if drop else projection_admin.listed(held)


def to_gds(session: Session) -> tuple[Any, Any]:
    """Hand the graph over to Neo4j's own client of Graph Data Science.

    The projection has pages with their ``id`` and links with their ``weight``, and belongs to the caller: algorithms
    may add properties to it, and its ``drop()`` drops it. Those that are left are dropped when the session is closed,
    or something is loaded into its store. The client uses the session's connection, and closing it leaves that open.

    Parameters
    ----------
    session
        On a Neo4j server with GDS.

    Returns
    -------
    client, graph
        ``graphdatascience.GraphDataScience``, and its ``Graph`` of a new projection.
    """
    client = gds(session.store, "a client of it").client()
    catalog = session.handed_over
    catalog.check_version()
    if catalog.links == 0:
        raise GraphError(f"{session.store.url} has no links to project", hint="load a graph")
    return client, client.graph.get(catalog.whole().name)
