"""Predicates on properties, for `NodeMatch.where` and `RelationshipMatch.where`.

``nodes.match("Person", born=AND(GE(1964), LE(1966)))``. Whatever is not a predicate is compared for equality, except
that `None` asks for a missing property and a tuple, set or frozenset for any of its values.
"""

# ruff: noqa: N802 - the names are py2neo's

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from typing import Any, Protocol

__all__ = [
    "ALL",
    "AND",
    "ANY",
    "CONTAINS",
    "ENDS_WITH",
    "EQ",
    "GE",
    "GT",
    "IN",
    "IS_NOT_NULL",
    "IS_NULL",
    "LE",
    "LIKE",
    "LT",
    "NE",
    "NOT",
    "OR",
    "STARTS_WITH",
    "XOR",
    "Parameters",
    "Predicate",
    "as_predicate",
]


class Parameters(dict[str, Any]):
    """The parameters of a statement under construction."""

    def add(self, value: Any) -> str:
        """Keep a value and return what stands for it in the statement."""
        name = next(name for number in count(len(self)) if (name := f"_p{number}") not in self)
        self[name] = value
        return f"${name}"


class Predicate(Protocol):
    """A test of one property."""

    def __call__(self, subject: str, parameters: Parameters) -> str:
        """The test of `subject` (an expression such as ``_.`name` ``) in Cypher; values go to `parameters`."""


def as_predicate(value: Any) -> Predicate:
    """`value` if it is a predicate, otherwise the test that a plain value stands for."""
    if value is None:
        return IS_NULL()
    if isinstance(value, tuple | set | frozenset):
        return IN(value)
    if callable(value):
        predicate: Predicate = value
        return predicate
    return EQ(value)


def _operator(operator: str, value: Any) -> Predicate:
    return lambda subject, parameters: f"{subject} {operator} {parameters.add(value)}"


def _join(connective: str, values: tuple[Any, ...]) -> Predicate:
    if not values:
        raise ValueError(f"{connective} needs at least one value or predicate")
    return lambda subject, parameters: (
        "(" + f" {connective} ".join(as_predicate(value)(subject, parameters) for value in values) + ")"
    )


def IS_NULL() -> Predicate:
    """The property is missing."""
    return lambda subject, _: f"{subject} IS NULL"


def IS_NOT_NULL() -> Predicate:
    """The property is there."""
    return lambda subject, _: f"{subject} IS NOT NULL"


def EQ(value: Any) -> Predicate:
    """Equal."""
    return _operator("=", value)


def NE(value: Any) -> Predicate:
    """There, and not equal."""
    return _operator("<>", value)


def LT(value: Any) -> Predicate:
    """Less."""
    return _operator("<", value)


def LE(value: Any) -> Predicate:
    """Less or equal."""
    return _operator("<=", value)


def GT(value: Any) -> Predicate:
    """Greater."""
    return _operator(">", value)


def GE(value: Any) -> Predicate:
    """Greater or equal."""
    return _operator(">=", value)


def STARTS_WITH(value: str) -> Predicate:
    """A text that starts so."""
    return _operator("STARTS WITH", value)


def ENDS_WITH(value: str) -> Predicate:
    """A text that ends so."""
    return _operator("ENDS WITH", value)


def CONTAINS(value: str) -> Predicate:
    """A text that has this in it."""
    return _operator("CONTAINS", value)


def LIKE(value: str) -> Predicate:
    """A text that a (Java) regular expression matches as a whole."""
    return _operator("=~", value)


def IN(values: Iterable[Any]) -> Predicate:
    """One of the values."""
    return _operator("IN", list(values))


def AND(*values: Any) -> Predicate:
    """All of them."""
    return _join("AND", values)


def OR(*values: Any) -> Predicate:
    """At least one of them."""
    return _join("OR", values)


def XOR(*values: Any) -> Predicate:
    """An odd number of them."""
    return _join("XOR", values)


def NOT(value: Any) -> Predicate:
    """The opposite; false as well where the property is missing, except for ``NOT(IS_NULL())``."""
    return lambda subject, parameters: f"NOT ({as_predicate(value)(subject, parameters)})"


ALL, ANY = AND, OR
"""Other names of `AND` and `OR`."""
