"""The named queries of ``cypher/explore``, and the client of GDS; what help reads imports no NumPy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from seedrank import cypher
from seedrank.core import numbers
from seedrank.core.errors import GraphError, StoreError, UsageError, shorten

if TYPE_CHECKING:
    import pyarrow as pa

    from seedrank.graphdb.store import GraphStore
    from seedrank.session import Session

__all__ = ["check_statement", "explore", "projections", "queries", "statement_of", "to_gds", "values_of", "writes"]

_ADDRESSES = ("url", "source", "target")
"""Parameters that are addresses of pages."""
_FOLDER = "explore/"
_MOST = 2**31 - 1
_LONGEST = 1e7
"""Seconds a statement may take: some four months."""


def queries() -> dict[str, cypher.Header]:
    """The named queries, sorted by name, with what their files say of them."""
    names = [name for name in cypher.names() if name.startswith(_FOLDER)]
    return {name.removeprefix(_FOLDER): cypher.header(name) for name in names}


def statement_of(name: str, prefix: str = "") -> str:
    """The Cypher of a named query, for the labels of `seedrank.cypher.prefixed`."""
    if name not in queries():
        raise UsageError(f"unknown query {shorten(name)}", hint=f"queries are {', '.join(queries())}")
    return cypher.statement(_FOLDER + name, prefix=prefix)


def writes(name: str) -> bool:
    """Whether a named query changes the graph, as the header of its file says."""
    return queries()[name].writes


def values_of(name: str, given: Mapping[str, Any]) -> dict[str, int | str]:
    """Values of a query's parameters: those given, in the form the database has, and the defaults of the others."""
    statement_of(name)
    known = {parameter.name: parameter for parameter in queries()[name].parameters}
    for unknown in given.keys() - known.keys():
        has = ", ".join(known) or "none"
        raise UsageError(f"{name} has no parameter {shorten(unknown)}", hint=f"it has {has}")
    values = {}
    for parameter in known.values():
        value = given.get(parameter.name, parameter.default)
        if value is None:
            raise UsageError(f"{name} needs a value for its parameter {parameter.name}", hint="give one")
        values[parameter.name] = _value(parameter, value)
    return values


def _value(parameter: cypher.Parameter, value: Any) -> int | str:
    """A value of the type of the parameter's default; without one it is text."""
    if parameter.default is not None:
        if not isinstance(value, int) or isinstance(value, bool):
            raise UsageError(f"{parameter.name} must be a whole number, not {shorten(value)}")
        numbers.whole(parameter.name, value, 1, _MOST)
        return value
    if not isinstance(value, str):
        raise UsageError(f"{parameter.name} must be text, not {shorten(value)}")
    if parameter.name not in _ADDRESSES:
        return value
    from seedrank.core.urls import normalise_one

    return normalise_one(value) or value


def check_statement(statement: str, timeout: float | None) -> None:
    """Refuse what is no text, and seconds that no statement may take."""
    if not isinstance(statement, str):
        raise UsageError(f"{shorten(statement)} is no statement", hint="give its text")
    _check_timeout(timeout)


def _check_timeout(timeout: float | None) -> None:
    if timeout is not None:
        numbers.finite("timeout", timeout, 0.001, _LONGEST)


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
        One of `queries`.
    given
        Values of its parameters; those with a default may be left out.
    write
        Whether it may change the graph: `writes` says which queries need that.
    timeout
        Seconds after which it is ended; none by default.
    """
    from seedrank.graphdb.store import HasDatabases, database

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


def projections(store: GraphStore, *, drop: bool = False) -> pa.Table:
    """Graphs kept in the memory of a Neo4j server for the next command; with `drop` those that were dropped."""
    from seedrank.engines.gds import projection_admin
    from seedrank.graphdb.store import gds

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
    from seedrank.graphdb.store import gds

    client = gds(session.store, "a client of it").client()
    catalog = session.handed_over
    catalog.check_version()
    if catalog.links == 0:
        raise GraphError(f"{session.store.url} has no links to project", hint="load a graph")
    return client, client.graph.get(catalog.whole().name)
