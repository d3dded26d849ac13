"""The named queries of ``cypher/explore``: what each answers, its parameters, and its Cypher; no NumPy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from seedrank import cypher
from seedrank.core import numbers
from seedrank.core.errors import UsageError, shorten

__all__ = ["queries", "statement_of", "values_of", "writes"]

_ADDRESSES = ("url", "source", "target")
"""Parameters that are addresses of pages."""
_FOLDER = "explore/"
_MOST = 2**31 - 1


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
