"""Predicates on properties, for `NodeMatch.where` and `RelationshipMatch.where`.

``nodes.match("Person", born=AND(GE(1964), LE(1966)))``. Whatever is not a predicate is compared for equality, except
that `None` asks for a missing property and a tuple, set or frozenset for any of its values.

==================================================  ==================================================================
``IS_NULL()``, ``IS_NOT_NULL()``                    the property is missing, or is there
``EQ(x)``, ``LT(x)``, ``LE(x)``, ``GT(x)``          comparisons; ``NE(x)`` is there and not equal
``STARTS_WITH(x)``, ``ENDS_WITH(x)``                texts; ``CONTAINS(x)``; ``LIKE(x)`` is a Java regular expression
``IN(values)``                                      one of them
``AND(…)`` (``ALL``), ``OR(…)`` (``ANY``)           all, at least one, and with ``XOR(…)`` an odd number of them
``NOT(x)``                                          the opposite; false where the property is missing
==================================================  ==================================================================
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any, Protocol

__all__ = [
    "ALL", "AND", "ANY", "CONTAINS", "ENDS_WITH", "EQ", "GE", "GT", "IN", "IS_NOT_NULL", "IS_NULL", "LE", "LIKE", "LT",
    "NE", "NOT", "OR", "STARTS_WITH", "XOR", "Parameters", "Predicate", "as_predicate",
]  # fmt: skip


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


def _test(operator: str) -> Callable[[], Predicate]:
    return lambda: lambda subject, _: f"{subject} {operator}"


def _compare(operator: str, convert: Callable[[Any], Any] = lambda value: value) -> Callable[[Any], Predicate]:
    return lambda value: lambda subject, parameters: f"{subject} {operator} {parameters.add(convert(value))}"


def _join(connective: str) -> Callable[..., Predicate]:
    def join(*values: Any) -> Predicate:
        if not values:
            raise ValueError(f"{connective} needs at least one value or predicate")
        return lambda subject, parameters: (
            "(" + f" {connective} ".join(as_predicate(value)(subject, parameters) for value in values) + ")"
        )

    return join


def NOT(value: Any) -> Predicate:  # noqa: N802  (py2neo's name)
    """The opposite; false as well where the property is missing, except for ``NOT(IS_NULL())``."""
    return lambda subject, parameters: f"NOT ({as_predicate(value)(subject, parameters)})"


IS_NULL, IS_NOT_NULL = _test("IS NULL"), _test("IS NOT NULL")
EQ, NE, LT, LE, GT, GE = map(_compare, ("=", "<>", "<", "<=", ">", ">="))
STARTS_WITH, ENDS_WITH, CONTAINS, LIKE = map(_compare, ("STARTS WITH", "ENDS WITH", "CONTAINS", "=~"))
IN = _compare("IN", list)
AND, OR, XOR = map(_join, ("AND", "OR", "XOR"))
ALL, ANY = AND, OR
