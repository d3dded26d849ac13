"""A statement as a tree: clauses, patterns and expressions.

The tree holds what `graphdb.statements.reader` understood and nothing else; `graphdb.statements.text` prints it.
Every node knows the place in the statement it was read from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any, TypeVar

__all__ = [
    "Call", "Case", "Clause", "Create", "Delete", "Expression", "Index", "Label", "ListOf", "Literal", "MapOf", "Match",
    "Merge", "Node", "NullTest", "Operation", "Order", "Parameter", "Path", "Procedure", "Projection", "ProjectionItem",
    "Property", "Quantified", "Query", "Relationship", "Remove", "Set", "SetItem", "Statement", "Subquery", "Tree",
    "Unwind", "Variable", "rebuilt", "walk",
]  # fmt: skip


@dataclass(frozen=True)
class Tree:
    """Any part of a statement."""

    place: int = field(default=0, kw_only=True, compare=False)


# -- expressions


@dataclass(frozen=True)
class Expression(Tree):
    """Something that has a value."""


@dataclass(frozen=True)
class Literal(Expression):
    """A number, a string, true, false or null, as written."""

    text: str
    kind: str
    """``integer``, ``float``, ``string``, ``boolean`` or ``null``."""


@dataclass(frozen=True)
class Parameter(Expression):
    """``$name``."""

    name: str


@dataclass(frozen=True)
class Variable(Expression):
    """A name bound by a clause."""

    name: str


@dataclass(frozen=True)
class Property(Expression):
    """``of.key``."""

    of: Expression
    key: str


@dataclass(frozen=True)
class Index(Expression):
    """``of[start]`` or, as a slice, ``of[start..stop]``."""

    of: Expression
    start: Expression | None
    stop: Expression | None = None
    slice: bool = False


@dataclass(frozen=True)
class Label(Expression):
    """``of:Label``, a test."""

    of: Expression
    labels: tuple[str, ...]


@dataclass(frozen=True)
class ListOf(Expression):
    """``[a, b]``."""

    items: tuple[Expression, ...]


@dataclass(frozen=True)
class MapOf(Expression):
    """``{key: value}``."""

    items: tuple[tuple[str, Expression], ...]


@dataclass(frozen=True)
class Call(Expression):
    """``name(arguments)``; the name in small letters. ``count(*)`` has `star`; ``cast(x AS TYPE)`` has `type_name`."""

    name: str
    arguments: tuple[Expression, ...]
    distinct: bool = False
    star: bool = False
    type_name: str | None = None


@dataclass(frozen=True)
class Operation(Expression):
    """An operator with its operands: one (``NOT``, ``-``, ``+``), two, or several (``AND``, ``OR``, ``XOR``)."""

    operator: str
    operands: tuple[Expression, ...]


@dataclass(frozen=True)
class NullTest(Expression):
    """``of IS NULL`` or ``of IS NOT NULL``."""

    of: Expression
    negated: bool


@dataclass(frozen=True)
class Case(Expression):
    """``CASE [operand] WHEN … THEN … [ELSE …] END``."""

    operand: Expression | None
    whens: tuple[tuple[Expression, Expression], ...]
    otherwise: Expression | None


@dataclass(frozen=True)
class Quantified(Expression):
    """``any(name IN of WHERE condition)``, also ``all``, ``none``, ``single``."""

    word: str
    name: str
    of: Expression
    condition: Expression


@dataclass(frozen=True)
class Subquery(Expression):
    """``EXISTS { MATCH … WHERE … }`` or ``COUNT { … }``."""

    word: str
    match: Match


# -- patterns


@dataclass(frozen=True)
class Node(Tree):
    """``(name:Label {map})``."""

    name: str | None
    labels: tuple[str, ...]
    properties: MapOf | None


@dataclass(frozen=True)
class Relationship(Tree):
    """``-[name:TYPE|TYPE *1..2 {map}]->``."""

    name: str | None
    types: tuple[str, ...]
    properties: MapOf | None
    direction: str
    """``->``, ``<-`` or ``--``."""
    hops: tuple[int | None, int | None] | None = None
    """Fewest and most links of a pattern of variable length."""
    mode: str = "TRAIL"
    """How the embedded database walks such a pattern."""


@dataclass(frozen=True)
class Path(Tree):
    """Nodes and relationships in turn, perhaps with a name, perhaps the shortest."""

    name: str | None
    steps: tuple[Node | Relationship, ...]
    shortest: str | None = None
    """``shortestPath`` or ``allShortestPaths``."""

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The nodes, in the order of the pattern."""
        return tuple(step for step in self.steps if isinstance(step, Node))

    @property
    def relationships(self) -> tuple[Relationship, ...]:
        """The relationships, in the order of the pattern."""
        return tuple(step for step in self.steps if isinstance(step, Relationship))


# -- clauses


@dataclass(frozen=True)
class Clause(Tree):
    """A clause."""


@dataclass(frozen=True)
class Match(Clause):
    """``[OPTIONAL] MATCH paths [WHERE condition]``; `hint` orders the joins on the embedded database."""

    paths: tuple[Path, ...]
    where: Expression | None = None
    optional: bool = False
    hint: str | None = None


@dataclass(frozen=True)
class Unwind(Clause):
    """``UNWIND of AS name``."""

    of: Expression
    name: str


@dataclass(frozen=True)
class ProjectionItem(Tree):
    """``value [AS name]``; `text` is the value as written, its name where none is given."""

    value: Expression
    name: str | None
    text: str

    @property
    def column(self) -> str:
        """What the column is called."""
        return self.text if self.name is None else self.name


@dataclass(frozen=True)
class Order(Tree):
    """A key of ``ORDER BY``."""

    value: Expression
    descending: bool


@dataclass(frozen=True)
class Projection(Clause):
    """``WITH`` or ``RETURN``."""

    word: str
    items: tuple[ProjectionItem, ...]
    distinct: bool = False
    star: bool = False
    order: tuple[Order, ...] = ()
    skip: Expression | None = None
    limit: Expression | None = None
    where: Expression | None = None


@dataclass(frozen=True)
class Procedure(Clause):
    """``CALL name(arguments) [YIELD a AS b, …] [WHERE …]``."""

    name: str
    arguments: tuple[Expression, ...]
    yields: tuple[tuple[str, str | None], ...] = ()
    where: Expression | None = None


@dataclass(frozen=True)
class Create(Clause):
    """``CREATE paths``."""

    paths: tuple[Path, ...]


@dataclass(frozen=True)
class SetItem(Tree):
    """``target = value`` or ``target += value``."""

    target: Expression
    operator: str
    value: Expression


@dataclass(frozen=True)
class Set(Clause):
    """``SET items``."""

    items: tuple[SetItem, ...]


@dataclass(frozen=True)
class Merge(Clause):
    """``MERGE path [ON CREATE SET …] [ON MATCH SET …]``."""

    path: Path
    on: tuple[tuple[str, Set], ...] = ()


@dataclass(frozen=True)
class Delete(Clause):
    """``[DETACH] DELETE values``."""

    values: tuple[Expression, ...]
    detach: bool


@dataclass(frozen=True)
class Remove(Clause):
    """``REMOVE a.b``."""

    values: tuple[Expression, ...]


@dataclass(frozen=True)
class Query(Tree):
    """Clauses between two ``UNION``."""

    clauses: tuple[Clause, ...]


@dataclass(frozen=True)
class Statement(Tree):
    """Queries joined by ``UNION`` (or ``UNION ALL``), perhaps only looked at (``EXPLAIN``, ``PROFILE``)."""

    queries: tuple[Query, ...]
    union_all: bool
    looking: str | None
    source: str


_Tree = TypeVar("_Tree", bound=Tree)


def walk(tree: object) -> Iterator[Tree]:
    """A tree and everything below it, from the top."""
    waiting = [tree]
    while waiting:
        one = waiting.pop()
        if isinstance(one, tuple):
            waiting.extend(reversed(one))
        elif isinstance(one, Tree):
            yield one
            waiting.extend(getattr(one, each.name) for each in reversed(fields(one)))


def rebuilt(tree: _Tree, change: Callable[[Any], Any]) -> _Tree:
    """The tree with `change` applied to every part below the top, from the leaves upwards, then to the top."""

    def inner(value: Any) -> Any:
        if isinstance(value, tuple):
            made = tuple(map(inner, value))
            return value if all(a is b for a, b in zip(made, value, strict=True)) else made
        if not is_dataclass(value) or not isinstance(value, Tree):
            return value
        changed = {}
        for each in fields(value):
            old = getattr(value, each.name)
            new = inner(old)
            if new is not old:
                changed[each.name] = new
        return change(replace(value, **changed) if changed else value)

    return inner(tree)
