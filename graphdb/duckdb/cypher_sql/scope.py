"""What a translation knows while it goes: values with their types, variables in scope, a SELECT under construction."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from seedrank.graphdb.duckdb.cypher_sql.schema import GraphSchema, NodeTable, RelationshipTable
from seedrank.graphdb.duckdb.cypher_sql.types import INTEGER, NULL, Type, node_of, sql_type
from seedrank.graphdb.statements.tokens import Refused, refuse
from seedrank.graphdb.statements.tree import Expression, Tree

__all__ = [
    "Stage",
    "State",
    "Value",
    "Variable",
    "carried",
    "indented",
    "integer",
    "key_of",
    "lifted",
    "order_by",
    "path_value",
    "text",
]


_MAKES_NAN = re.compile(r"/|%|pow\(|sqrt\(|ln\(|log10\(|asin\(|acos\(|AS DOUBLE")


def text(value: str) -> str:
    """A string for SQL."""
    return "'" + value.replace("'", "''") + "'"


def indented(sql: str) -> str:
    """A subquery in brackets."""
    return "(\n  " + sql.replace("\n", "\n  ") + "\n)"


@dataclass(frozen=True)
class Value:
    """An expression in SQL, safe to put anywhere, and its type."""

    sql: str
    type: Type
    constant: bool = False
    """The same for every row: literals and parameters."""
    literal: bool = False
    """A number as written, whose SQL type is what the database chooses."""
    nullable: bool = True
    nan: bool = False
    """Whether it may be NaN, beside what its SQL tells."""
    parts: tuple[str, str] | None = None
    """Of a path that was just matched: its nodes and its relationships."""

    def part(self, name: str) -> Value:
        """The nodes or the relationships of a path."""
        number = ("nodes", "relationships").index(name)
        sql = f"{self.sql}.{name}" if self.parts is None else self.parts[number]
        return Value(sql, Type("list", (self.type.items[number],)), nullable=self.nullable)

    @property
    def may_be_nan(self) -> bool:
        """Whether it may be NaN, which equals nothing."""
        return self.nan or (self.type.is_number and self.type != INTEGER and _MAKES_NAN.search(self.sql) is not None)

    @property
    def wide(self) -> str:
        """With its full type, for computing."""
        if not self.literal and self.type != NULL:
            return self.sql
        return f"{self.sql}::{sql_type(self.type)}"

    @property
    def number(self) -> int:
        """The number of a literal."""
        return int(self.sql.strip("()"))


def path_value(nodes: str, relationships: str, kind: Type) -> Value:
    """A path from its nodes and relationships."""
    made = f"{{'nodes': {nodes}, 'relationships': {relationships}}}"
    return Value(made, kind, nullable=False, parts=(nodes, relationships))


def integer(number: int) -> Value:
    """An integer as a value."""
    return Value(str(number) if number >= 0 else f"({number})", INTEGER, constant=True, literal=True, nullable=False)


@dataclass(eq=False)
class Variable:
    """A name in scope."""

    value: Value
    stage: Stage | None = None
    """Whose FROM has it: further tables join there. None for the variable of a list's lambda."""
    rows: dict[str, str] = field(default_factory=dict)
    """Of a node or relationship, by label or type: the alias of the table row that has its properties."""


class State:
    """What holds for the whole statement."""

    def __init__(self, statement: str, schema: GraphSchema, parameters: Mapping[str, Any]) -> None:
        self.statement = statement
        self.schema = schema
        self.given = parameters
        self.parameters: dict[str, Any] = {}
        self.tables: list[tuple[str, str]] = []
        """Named tables (WITH …) that come before the SELECT."""
        self._aliases = 0
        self._names: dict[str, str] = {}

    def alias(self, base: str) -> str:
        """A new alias; no two are alike, also in other capitals."""
        self._aliases += 1
        base = base.lower()
        return f"{base if re.fullmatch(r'[a-z_]+', base) else 'v'}{self._aliases}"

    def parameter(self, name: str, value: Any) -> str:
        """A value as a parameter of the SQL; its name in SQL."""
        known = self._names.get(name)
        if known is None:
            fits = re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) and name.lower() not in map(str.lower, self.parameters)
            known = self._names[name] = name if fits else self.alias("parameter_")
            self.parameters[known] = value
        return known

    def refuse(self, tree: Tree, what: str, hint: str | None = None) -> Refused:
        """The error that refuses the statement at a part of it."""
        return refuse(self.statement, tree.place, what, hint)


class Stage:
    """A SELECT under construction: its FROM and WHERE, and what is in scope."""

    def __init__(self, state: State, outer: Stage | None = None) -> None:
        self.state = state
        self.nested = outer is not None
        """Whether it is within a subquery."""
        self.around: dict[str, Variable] = {} if outer is None else dict(outer.scope)
        """Variables from around a subquery, which stay visible whatever its WITH keeps."""
        self.scope: dict[str, Variable] = dict(self.around)
        self.replaced: dict[Expression, Value] = {}
        """Expressions that were computed before, such as keys and aggregates."""
        self.ungrouped: frozenset[str] = frozenset()
        """Variables from before a grouping, which are gone."""
        self.order: list[tuple[str, bool]] = []
        """Columns by which rows were ordered before, and whether descending."""
        self.sources: list[str] = []
        self.where: list[str] = []
        self.in_lambda: bool = outer is not None and outer.in_lambda
        """Whether it is the inside of a lambda, where there are no subqueries."""

    def inside(self) -> Stage:
        """An empty stage within a subquery of this one."""
        made = Stage(self.state, self)
        made.replaced = self.replaced
        return made

    def following(self) -> Stage:
        """An empty stage in the same place: what comes after a WITH."""
        made = Stage(self.state)
        made.nested, made.around, made.in_lambda = self.nested, self.around, self.in_lambda
        made.scope = dict(self.around)
        return made

    def join(self, table: str, conditions: Sequence[str] = (), *, left: bool = False, lateral: bool = False) -> None:
        """Add a table with its alias."""
        word = "LATERAL " if lateral else ""
        if not self.sources:
            if not left:
                self.sources.append(table)
                self.where.extend(conditions)
                return
            self.sources.append(f"(SELECT 1) {self.state.alias('one')}")
        if left or conditions:
            kind = "LEFT JOIN" if left else "JOIN"
            self.sources.append(f"{kind} {word}{table} ON {' AND '.join(conditions) or 'TRUE'}")
        else:
            self.sources.append(f"JOIN LATERAL {table} ON TRUE" if lateral else f"CROSS JOIN {table}")

    def select(self, items: str) -> str:
        """The SELECT."""
        parts = [f"SELECT {items}"]
        if self.sources:
            parts.append("FROM " + "\n  ".join(source.replace("\n", "\n  ") for source in self.sources))
        if self.where:
            parts.append("WHERE " + "\n  AND ".join(condition.replace("\n", "\n  ") for condition in self.where))
        return "\n".join(parts)

    def bind(self, name: str, value: Value, rows: dict[str, str] | None = None) -> Variable:
        """Put a variable into scope."""
        variable = self.scope[name] = Variable(value, self, rows or {})
        return variable

    def row(self, variable: Variable, table: NodeTable | RelationshipTable) -> str:
        """The alias of the row with the properties of a node or relationship, joined where it is not yet."""
        name = table.label if isinstance(table, NodeTable) else table.type
        key = table.key if isinstance(table, NodeTable) else "rowid"
        if name not in variable.rows:
            alias = variable.rows[name] = self.state.alias(table.table.strip('"'))
            home = variable.stage or self
            value = variable.value
            mixed = len(value.type.names) > 1
            home.join(
                f"{table.table} {alias}",
                [f"{alias}.{key} = {key_of(value, name)}"],
                left=mixed or value.nullable,
            )
        return variable.rows[name]


def carried(sql: str, value: Value) -> Value:
    """A value that is a column now."""
    return Value(sql, value.type, nullable=value.nullable, nan=value.may_be_nan)


def order_by(keys: Sequence[tuple[str, bool]]) -> str:
    """``ORDER BY``, nulls last as Cypher has them; empty without keys."""
    if not keys:
        return ""
    return " ORDER BY " + ", ".join(
        f"{key} {'DESC NULLS FIRST' if descending else 'ASC NULLS LAST'}" for key, descending in keys
    )


def key_of(value: Value, name: str) -> str:
    """The key of a node or relationship where it has this label or type; null where it has another."""
    if len(value.type.names) == 1:
        return value.sql
    kind = "label" if value.type.kind == "node" else "type"
    key = f"{value.sql}.key"
    if value.type.kind == "node" and sql_type(node_of([name])) != "VARCHAR":
        key = f"TRY_CAST({key} AS {sql_type(node_of([name]))})"
    return f"(CASE WHEN {value.sql}.{kind} = {text(name)} THEN {key} END)"


def lifted(value: Value, kind: Type) -> str:
    """A value in the SQL type of a wider type."""
    if value.type == kind and not value.literal:
        return value.sql
    if value.type.is_entity and len(value.type.names) == 1 and len(kind.names) > 1:
        word = "label" if kind.kind == "node" else "type"
        key = f"({value.sql})::VARCHAR" if kind.kind == "node" else value.sql
        made = f"{{'{word}': {text(value.type.names[0])}, 'key': {key}}}"
        return f"(CASE WHEN {value.sql} IS NOT NULL THEN {made} END)" if value.nullable else made
    if value.type.kind == "list" and value.type.item.is_entity and value.type != kind:
        item = lifted(Value("x", value.type.item), kind.item)
        return f"list_transform({value.sql}, lambda x: {item})"
    if value.type.kind == "path" and value.type != kind:
        parts = (
            f"'{name}': {lifted(value.part(name), Type('list', (new,)))}"
            for name, new in zip(("nodes", "relationships"), kind.items, strict=True)
        )
        return f"{{{', '.join(parts)}}}"
    return f"{value.sql}::{sql_type(kind)}"
