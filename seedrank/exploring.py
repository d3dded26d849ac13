"""Ways into the database: Cypher of a user, the named queries of ``cypher/explore``, and the client of GDS."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import cypher
from graphdb.store import GraphStore, database, gds
from seedrank.core import numbers
from seedrank.core.errors import GraphError, StoreError, UsageError, shorten
from seedrank.session import HANDED_OVER, Session

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["explore", "projections", "queries", "query", "statement_of", "to_gds", "values_of", "writes"]

_ADDRESSES = ("url", "source", "target")
"""Parameters that are addresses of pages."""
_FOLDER = "explore/"
_LONGEST = 1e7
"""Seconds a statement may take: some four months."""
_MOST = 2**31 - 1


def query(
    store: GraphStore,
    statement: str,
    parameters: Mapping[str, Any] | None = None,
    *,
    write: bool = False,
    as_is: bool = False,
    timeout: float | None = None,
) -> pa.Table:
    """Run a user's statement; `graphdb.store.Database.query` has the parameters."""
    if timeout is not None:
        numbers.finite("timeout", timeout, 0.001, _LONGEST)
    asked = database(store, "running Cypher")
    return asked.query(statement, parameters, write=write, as_is=as_is, timeout=timeout)


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
    store
        The database.
    name
        One of `queries`.
    given
        Values of its parameters; those with a default may be left out.
    write
        Whether it may change the graph: `writes` says which queries need that.
    timeout
        Seconds after which it is ended; none by default.
    """
    values = values_of(name, given)
    asked = database(store, "running Cypher")
    if queries()[name].store == "neo4j":
        from graphdb.neo4j import Neo4jStore

        if not isinstance(asked, Neo4jStore):
            raise StoreError(
                "{name} runs on Neo4j only, and {url} is an embedded store",
                hint="load the graph into Neo4j (`seedrank db up` starts one) and use {store=neo4j://localhost:7687}",
                fields=("store",),
                values={"name": name, "url": store.url},
            )
    return query(store, statement_of(name), values, write=write, timeout=timeout)


def queries() -> dict[str, cypher.Header]:
    """The named queries, sorted by name, with what their files say of them."""
    names = [name for name in cypher.names() if name.startswith(_FOLDER)]
    return {name.removeprefix(_FOLDER): cypher.header(name) for name in names}


def statement_of(name: str) -> str:
    """The Cypher of a named query."""
    if name not in queries():
        raise UsageError(f"there is no query {shorten(name)}", hint=f"queries are {', '.join(queries())}")
    return cypher.statement(_FOLDER + name)


def writes(name: str) -> bool:
    """Whether a named query changes the graph."""
    from graphdb.statements import NEO4J, check
    from graphdb.statements.tokens import Refused

    try:
        check(statement_of(name), NEO4J, write=False)
    except Refused:
        return True
    return False


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


def projections(store: GraphStore, *, drop: bool = False) -> pa.Table:
    """Graphs kept in the memory of a Neo4j server for the next command; with `drop` those that were dropped."""
    from seedrank.engines.gds import kept

    held = gds(store, "keeping projections")
    return kept.drop(held) if drop else kept.listed(held)


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
    from seedrank.engines.gds.catalog import Catalog, GdsStore

    store = gds(session.store, "a client of it")
    client = store.client()
    held: GdsStore = session.store  # type: ignore[assignment]  # `gds` has looked
    catalog = session.remember(HANDED_OVER, lambda: Catalog(held, session.progress, weighted=True))
    catalog.check_version()
    if catalog.links == 0:
        raise GraphError(f"{session.store.url} has no links to project", hint="load a graph")
    return client, client.graph.get(catalog.whole().name)
