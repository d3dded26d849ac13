"""A statement that reads as a tree: clauses, patterns and expressions.

The tree holds what `seedrank.graphdb.statements.reader` understood and nothing else. Every node knows the place in the
statement it was read from.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields

__all__ = [
    "Call", "CallSubquery", "Case", "Clause", "Comprehension", "Expression", "Index", "Label", "LabelTerm", "ListOf",
    "Literal", "MapOf", "MapProjection", "Match", "Node", "NullTest", "Operation", "Order", "Parameter", "Path",
    "PatternComprehension", "Projection", "ProjectionItem", "Property", "Quantified", "Query", "Reduce",
    "Relationship", "Statement", "Subquery", "Tree", "Unwind", "Variable", "walk",
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
class LabelTerm(Tree):
    """What stands after the colon: a name, ``%`` (any), or an operator (``!``, ``&``, ``|``) over others."""

    operator: str
    """``name``, ``%``, ``!``, ``&`` or ``|``."""
    name: str = ""
    operands: tuple[LabelTerm, ...] = ()

    def fits(self, label: str) -> bool:
        """Whether something with this one label or type fits."""
        if self.operator == "name":
            return self.name == label
        if self.operator == "!":
            return not self.operands[0].fits(label)
        combined = any if self.operator == "|" else all
        return combined(each.fits(label) for each in self.operands)

    def names(self) -> tuple[str, ...]:
        """The names in it."""
        return (self.name,) if self.name else tuple(name for each in self.operands for name in each.names())


@dataclass(frozen=True)
class Label(Expression):
    """``of:Label``, a test."""

    of: Expression
    labels: LabelTerm


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
    """``name(arguments)``; the name in small letters. ``count(*)`` has `star`."""

    name: str
    arguments: tuple[Expression, ...]
    distinct: bool = False
    star: bool = False


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
class Comprehension(Expression):
    """``[name IN of WHERE condition | value]``."""

    name: str
    of: Expression
    condition: Expression | None
    value: Expression | None


@dataclass(frozen=True)
class PatternComprehension(Expression):
    """``[path WHERE condition | value]``."""

    path: Path
    condition: Expression | None
    value: Expression


@dataclass(frozen=True)
class Reduce(Expression):
    """``reduce(total = start, name IN of | value)``."""

    total: str
    start: Expression
    name: str
    of: Expression
    value: Expression


@dataclass(frozen=True)
class MapProjection(Expression):
    """``of {.key, key: value, variable, .*}``; the key ``*`` stands for all properties."""

    of: Variable
    items: tuple[tuple[str, Expression | None], ...]


@dataclass(frozen=True)
class Subquery(Expression):
    """``EXISTS { … }``, ``COUNT { … }`` or ``COLLECT { … }``; a pattern as a condition is an ``EXISTS``."""

    word: str
    queries: tuple[Query, ...]
    union_all: bool = False


# -- patterns


@dataclass(frozen=True)
class Node(Tree):
    """``(name:Label {map} WHERE condition)``."""

    name: str | None
    labels: LabelTerm | None
    properties: MapOf | None
    where: Expression | None = None


@dataclass(frozen=True)
class Relationship(Tree):
    """``-[name:TYPE|TYPE *1..2 {map}]->``."""

    name: str | None
    types: LabelTerm | None
    properties: MapOf | None
    direction: str
    """``->``, ``<-`` or ``--``."""
    hops: tuple[int | None, int | None] | None = None
    """Fewest and most links of a pattern of variable length."""
    where: Expression | None = None


@dataclass(frozen=True)
class Path(Tree):
    """Nodes and relationships in turn, perhaps with a name, perhaps the shortest."""

    name: str | None
    steps: tuple[Node | Relationship, ...]
    shortest: str | None = None
    """``shortestPath`` or ``allShortestPaths``; ``SHORTEST 1`` (also ``ANY``) or ``ALL SHORTEST``."""

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
    """``[OPTIONAL] MATCH paths [WHERE condition]``."""

    paths: tuple[Path, ...]
    where: Expression | None = None
    optional: bool = False


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
        if self.name is None:
            return self.value.name if isinstance(self.value, Variable) else self.text
        return self.name


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
class CallSubquery(Clause):
    """``CALL { … }`` or ``CALL (a, b) { … }``; `imports` is None where the names are taken in by a leading WITH."""

    queries: tuple[Query, ...]
    union_all: bool
    imports: tuple[str, ...] | None


@dataclass(frozen=True)
class Query(Tree):
    """Clauses between two ``UNION``."""

    clauses: tuple[Clause, ...]


@dataclass(frozen=True)
class Statement(Tree):
    """Queries joined by ``UNION`` (or ``UNION ALL``)."""

    queries: tuple[Query, ...]
    union_all: bool


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
