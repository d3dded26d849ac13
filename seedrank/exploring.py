"""Cypher of a user, and the named queries of ``cypher/explore``: what each answers, its parameters, and running it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import cypher
from graphdb.store import GraphStore, database
from seedrank.core import numbers
from seedrank.core.errors import StoreError, UsageError, shorten
from seedrank.core.urls import normalise_one

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["ADDRESSES", "explore", "queries", "query", "statement_of", "values_of", "writes"]

ADDRESSES = ("url", "source", "target")
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
    wanted: type = str if parameter.default is None else int
    if not isinstance(value, wanted) or isinstance(value, bool):
        kind = "text" if wanted is str else "a whole number"
        raise UsageError(f"{parameter.name} must be {kind}, not {shorten(value)}")
    if isinstance(value, str):
        return (normalise_one(value) or value) if parameter.name in ADDRESSES else value
    numbers.whole(parameter.name, value, 1, _MOST)
    return int(value)
