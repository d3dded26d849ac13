"""What the names of a statement stand for, and which types its expressions have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from graphdb.statements.tree import (
    Call,
    Case,
    Expression,
    Index,
    Label,
    ListOf,
    Literal,
    MapOf,
    Match,
    Node,
    NullTest,
    Operation,
    Parameter,
    Property,
    Quantified,
    Relationship,
    Subquery,
    Tree,
    Variable,
    walk,
)

__all__ = [
    "AGGREGATES",
    "Bound",
    "Schema",
    "Scope",
    "aggregates",
    "bound_by",
    "names_in",
    "of_parameters",
    "type_of",
]

AGGREGATES = frozenset({"count", "sum", "avg", "min", "max", "collect"})

_TYPES = {"INT64": "integer", "DOUBLE": "float", "STRING": "string", "BOOL": "boolean"}
_TESTS = frozenset(
    {"=", "<>", "<", "<=", ">", ">=", "AND", "OR", "XOR", "NOT", "IN", "STARTS WITH", "ENDS WITH", "CONTAINS", "=~"}
)
_RESULTS = {
    **dict.fromkeys(("count", "size", "length", "sign"), "integer"),
    **dict.fromkeys(("avg", "sqrt", "floor", "ceil", "round", "log", "log10", "exp", "pi", "tofloat"), "float"),
    **dict.fromkeys(("toupper", "tolower", "upper", "lower", "trim", "ltrim", "rtrim", "left", "right"), "string"),
    **dict.fromkeys(("replace", "substring", "reverse", "tostring", "type", "label"), "string"),
    **dict.fromkeys(("collect", "range", "labels", "nodes", "relationships", "split", "keys"), "list"),
    **dict.fromkeys(("isempty", "exists"), "boolean"),
    "tointeger": "integer",
}


@dataclass(frozen=True)
class Schema:
    """Columns with their types (as the database calls them) by label of nodes and by type of links."""

    nodes: Mapping[str, Mapping[str, str]]
    relationships: Mapping[str, Mapping[str, str]]
    keys: Mapping[str, str] = field(default_factory=dict)
    """Primary key by label of nodes."""
    ends: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Labels of the nodes that links of a type join."""

    def columns(self, bound: Bound) -> dict[str, str]:
        """The columns something matched may have."""
        tables = self.nodes if bound.kind == "node" else self.relationships
        found: dict[str, str] = {}
        for label in bound.labels or tuple(tables):
            found.update(tables.get(label, {}))
        return found

    def types(self, bound: Bound, key: str) -> set[str]:
        """The types a property of something matched may have."""
        tables = self.nodes if bound.kind == "node" else self.relationships
        return {tables[label][key] for label in bound.labels or tuple(tables) if key in tables.get(label, {})}


@dataclass(frozen=True)
class Bound:
    """What a name stands for.

    Parameters
    ----------
    kind
        ``node``, ``relationship``, ``trail`` (a relationship of variable length), ``path`` or ``value``.
    labels
        Labels of a node, types of a relationship; none where any may match.
    type
        Type of a value: ``integer``, ``float``, ``string``, ``boolean``, ``list``, ``map``; empty where unknown.
    optional
        Whether it may be null because an ``OPTIONAL MATCH`` found nothing.
    """

    kind: str
    labels: tuple[str, ...] = ()
    type: str = ""
    optional: bool = False
    solid: bool = False
    """Whether a list is known to hold no null."""
    origin: tuple[int, str] | None = None
    """The clause that bound a node, by its place among those sent, and its name there."""


Scope = dict[str, Bound]


def bound_by(match: Match, scope: Scope, *, optional: bool = False) -> Scope:
    """The names a pattern binds anew."""
    found: Scope = {}
    for path in match.paths:
        for step in path.steps:
            if step.name is None or step.name in scope:
                continue
            if isinstance(step, Node):
                known = found.get(step.name, Bound("node", optional=optional))
                found[step.name] = Bound("node", step.labels or known.labels, optional=optional)
            elif isinstance(step, Relationship):
                kind = "relationship" if step.hops is None else "trail"
                found[step.name] = Bound(kind, step.types, optional=optional)
        if path.name is not None:
            found[path.name] = Bound("path", optional=optional)
    return found


def of_parameters(parameters: Mapping[str, Any]) -> Scope:
    """The types of parameters, under their names with ``$``."""
    kinds = {bool: "boolean", int: "integer", float: "float", str: "string", list: "list", dict: "map"}
    return {
        f"${name}": Bound("value", type="null" if value is None else kinds.get(type(value), ""))
        for name, value in parameters.items()
    }


def names_in(tree: object) -> set[str]:
    """Every name used in an expression, also inside subqueries."""
    found = set()
    for part in walk(tree):
        if isinstance(part, Variable) or (isinstance(part, Node | Relationship) and part.name is not None):
            found.add(str(part.name))
    return found


def aggregates(tree: Tree) -> bool:
    """Whether an expression aggregates rows."""
    return any(isinstance(part, Call) and part.name in AGGREGATES for part in walk(tree))


def type_of(expression: Expression | None, scope: Scope, schema: Schema) -> str:
    """The type of an expression, empty where it is not known."""
    match expression:
        case Literal(kind=kind):
            return kind
        case Parameter(name=name):
            return scope[f"${name}"].type if f"${name}" in scope else ""
        case Variable(name=name):
            bound = scope.get(name)
            return "" if bound is None else bound.type if bound.kind == "value" else bound.kind
        case Property(of=Variable(name=name), key=key) if name in scope and scope[name].kind != "value":
            kind = schema.columns(scope[name]).get(key, "")
            return "list" if kind.endswith("]") else _TYPES.get(kind, "")
        case Operation(operator=operator, operands=operands):
            return _of_operation(operator, [type_of(one, scope, schema) for one in operands])
        case NullTest() | Label() | Quantified():
            return "boolean"
        case Subquery(word=word):
            return "boolean" if word == "EXISTS" else "integer"
        case ListOf() | Index(slice=True):
            return "list"
        case MapOf():
            return "map"
        case Case(whens=whens, otherwise=otherwise):
            return _common([type_of(one, scope, schema) for one in [*(then for _, then in whens), otherwise] if one])
        case Call():
            return _of_call(expression, scope, schema)
    return ""


def _of_call(call: Call, scope: Scope, schema: Schema) -> str:
    if call.name in _RESULTS:
        if call.name == "reverse" and type_of(call.arguments[0], scope, schema) != "string":
            return type_of(call.arguments[0], scope, schema)
        return _RESULTS[call.name]
    if call.name in ("min", "max", "sum", "abs", "coalesce", "nullif") and call.arguments:
        return _common([type_of(one, scope, schema) for one in call.arguments])
    if call.type_name is not None:
        return _TYPES.get(call.type_name.upper(), "")
    return ""


def _of_operation(operator: str, types: list[str]) -> str:
    if operator in _TESTS:
        return "boolean"
    if operator == "||" or (operator == "+" and "string" in types):
        return "string"
    if operator == "+" and "list" in types:
        return "list"
    if operator == "^":
        return "float"
    if all(kind in ("integer", "null") for kind in types):
        return "integer"
    return "float" if all(kind in ("integer", "float", "null") for kind in types) else ""


def _common(types: list[str]) -> str:
    known = {kind for kind in types if kind != "null"}
    if known == {"integer", "float"}:
        return "float"
    return known.pop() if len(known) == 1 else ""
