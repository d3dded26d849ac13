"""Expressions: each into SQL with its type."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from seedrank.graphdb.duckdb.cypher_sql import lists
from seedrank.graphdb.duckdb.cypher_sql.functions import call
from seedrank.graphdb.duckdb.cypher_sql.operators import arithmetic, compared, logic, matched
from seedrank.graphdb.duckdb.cypher_sql.scope import Stage, Value, Variable, integer, lifted, text
from seedrank.graphdb.duckdb.cypher_sql.types import (
    BOOLEAN,
    FLOAT,
    FLOAT_OR_ZERO,
    INTEGER,
    NULL,
    NUMBER,
    TEXT,
    Type,
    common,
    list_of,
    map_of,
    of_value,
    sql_type,
)
from seedrank.graphdb.statements.tokens import refuse, string_value
from seedrank.graphdb.statements.tree import (
    Call,
    Case,
    Comprehension,
    Expression,
    Index,
    Label,
    ListOf,
    Literal,
    MapOf,
    MapProjection,
    NullTest,
    Operation,
    Parameter,
    PatternComprehension,
    Property,
    Quantified,
    Reduce,
    Subquery,
    Tree,
)
from seedrank.graphdb.statements.tree import Variable as Name

__all__ = ["condition", "property_of", "unified", "value_of"]

_COMPARING = frozenset({"=", "<>", "<", "<=", ">", ">="})
_LONGEST = 100_000
_MATCHING = frozenset({"STARTS WITH", "ENDS WITH", "CONTAINS", "=~"})


def value_of(tree: Expression, stage: Stage) -> Value:
    """An expression in SQL, with its type."""
    if stage.replaced and tree in stage.replaced:
        return stage.replaced[tree]
    found = _FORMS[type(tree)](tree, stage)
    if len(found.sql) > _LONGEST:
        raise stage.state.refuse(tree, "this expression is too long in SQL", "compute parts of it in a WITH before")
    return found


def condition(tree: Expression, stage: Stage) -> str:
    """An expression that has to be true."""
    found = value_of(tree, stage)
    if found.type not in (BOOLEAN, NULL):
        raise stage.state.refuse(tree, f"a condition is expected, this is {found.type}", "compare it with something")
    return found.sql if found.type == BOOLEAN else "NULL::BOOLEAN"


def unified(values: list[Value], stage: Stage, tree: Tree, what: str) -> tuple[Type, list[str]]:
    """Values in one type."""
    kind = common(value.type for value in values)
    if kind is None:
        shown = ", ".join(dict.fromkeys(str(value.type) for value in values if value.type != NULL))
        raise stage.state.refuse(tree, f"{what} has values of different types ({shown})", "turn them into one type")
    if kind == NUMBER and all(value.literal and value.number == 0 for value in values if value.type == INTEGER):
        kind = NUMBER if NUMBER in (value.type for value in values) else FLOAT_OR_ZERO
    for value in values:
        if kind == NUMBER and value.literal and abs(value.number) > 2**53:
            raise stage.state.refuse(tree, f"{what} has an integer beyond 2^53 among floats", "write it as a float")
    return kind, [checked(value, kind) for value in values]


def checked(value: Value, kind: Type) -> str:
    """A value lifted to a type; an integer that a float does not hold exactly is an error."""
    if kind.kind == "number" and value.type == INTEGER and not value.literal:
        bound = f"{value.sql} NOT BETWEEN -9007199254740992 AND 9007199254740992"
        return f"CASE WHEN {bound} THEN error('an integer beyond 2^53 among floats') ELSE {value.sql}::DOUBLE END"
    return lifted(value, kind)


def property_of(variable: Variable, key: str, stage: Stage, tree: Tree) -> Value:
    """A property of a node or relationship."""
    kind = variable.value.type
    tables: Any = stage.state.schema.nodes if kind.kind == "node" else stage.state.schema.relationships
    owners = [tables[name] for name in kind.names if key in tables[name].properties]
    if any(key in tables[name].others for name in kind.names):
        raise stage.state.refuse(tree, f"the column {key} is of a type that Cypher has nothing like", "read it by SQL")
    if not owners:
        known = {each for name in kind.names for each in tables[name].properties}
        stage.state.schema.warn_of([key], known, f"property of {' and '.join(kind.names)}")
        return Value("NULL", NULL)
    found = []
    for table in owners:
        if kind.kind == "node" and table.key.strip('"') == key and len(kind.names) == 1:
            cast = "" if sql_type(table.properties[key]) == sql_type(kind) else f"::{sql_type(table.properties[key])}"
            found.append(Value(variable.value.sql + cast, table.properties[key], nullable=variable.value.nullable))
        else:
            found.append(Value(f"{stage.row(variable, table)}.{table.columns[key]}", table.properties[key]))
    if len(found) == 1:
        return found[0]
    unit, sqls = unified(found, stage, tree, f"the property {key} of {' and '.join(kind.names)}")
    return Value(f"coalesce({', '.join(sqls)})", unit)


def _literal(tree: Literal, stage: Stage) -> Value:
    if tree.kind == "null":
        return Value("NULL", NULL, constant=True)
    if tree.kind == "integer":
        return integer(int(tree.text))
    if tree.kind == "float":
        return Value(f"'{tree.text}'::DOUBLE", FLOAT, constant=True, nullable=False)
    if tree.kind == "boolean":
        return Value(tree.text.upper(), BOOLEAN, constant=True, nullable=False)
    return Value(text(string_value(tree.text)), TEXT, constant=True, nullable=False)


def _parameter(tree: Parameter, stage: Stage) -> Value:
    state = stage.state
    if tree.name not in state.given:
        raise refuse(
            state.statement,
            tree.place,
            f"there is no value for ${tree.name}",
            f"give one: {{parameters[{tree.name}]}}",
            fields=("parameters",),
        )
    value = state.given[tree.name]
    kind = of_value(value)
    if kind is None:
        raise state.refuse(
            tree, f"the value of ${tree.name} has no one type", "pass numbers, texts, or lists and maps of one type"
        )
    if kind == INTEGER and not -(2**63) <= value < 2**63:
        raise state.refuse(tree, f"the value of ${tree.name} is beyond 64 bits", "pass it as a float")
    if kind == NULL:
        return Value("NULL", NULL, constant=True)
    sql = f"${state.parameter(tree.name, value)}::{sql_type(kind)}"
    nan = isinstance(value, float) and math.isnan(value)
    return Value(f"({sql})" if kind.items else sql, kind, constant=True, nan=nan)


def _name(tree: Name, stage: Stage) -> Value:
    found = stage.scope.get(tree.name)
    if found is None:
        if tree.name in stage.ungrouped:
            told = f"{tree.name} is neither grouped by nor within an aggregate"
            raise stage.state.refuse(
                tree, told, f"return {tree.name} as a column too, or compute this in a WITH before"
            )
        raise stage.state.refuse(tree, f"there is no variable {tree.name} here", "name it in a clause before")
    return found.value


def _property(tree: Property, stage: Stage) -> Value:
    if isinstance(tree.of, Name) and tree.of not in stage.replaced:
        variable = stage.scope.get(tree.of.name)
        if variable is not None and variable.value.type.is_entity:
            return property_of(variable, tree.key, stage, tree)
    return _key_of_value(value_of(tree.of, stage), tree.key, stage, tree)


def _key_of_value(of: Value, key: str, stage: Stage, tree: Tree) -> Value:
    if of.type.is_entity:
        return property_of(Variable(of, stage), key, stage, tree)
    if of.type == NULL:
        return Value("NULL", NULL)
    if of.type.kind == "map":
        if key not in of.type.names:
            return Value("NULL", NULL)
        return Value(f"{of.sql}[{text(key)}]", of.type.items[of.type.names.index(key)])
    if of.type.is_temporal:
        from seedrank.graphdb.duckdb.cypher_sql.temporal import part

        return part(of, key, stage, tree)
    raise stage.state.refuse(tree, f"{of.type} has no property {key}", "only nodes, relationships and maps have")


def _label(tree: Label, stage: Stage) -> Value:
    of = value_of(tree.of, stage)
    if not of.type.is_entity:
        raise stage.state.refuse(tree, f"a node is expected, this is {of.type}")
    schema = stage.state.schema
    tables: Any = schema.nodes if of.type.kind == "node" else schema.relationships
    schema.warn_of(tree.labels.names(), tables, "label" if of.type.kind == "node" else "relationship type")
    fitting = [name for name in of.type.names if tree.labels.fits(name)]
    if len(of.type.names) > 1:
        word = "label" if of.type.kind == "node" else "type"
        found = f"{of.sql}.{word} IN ({', '.join(map(text, fitting))})" if fitting else "FALSE"
        return Value(f"CASE WHEN {of.sql} IS NOT NULL THEN {found} END", BOOLEAN)
    found = "TRUE" if fitting else "FALSE"
    if not of.nullable:
        return Value(found, BOOLEAN, constant=True, nullable=False)
    return Value(f"CASE WHEN {of.sql} IS NOT NULL THEN {found} END", BOOLEAN)


def _operation(tree: Operation, stage: Stage) -> Value:
    operands = [value_of(operand, stage) for operand in tree.operands]
    if tree.operator in ("AND", "OR", "XOR", "NOT"):
        return logic(tree.operator, operands, stage, tree)
    if tree.operator in _COMPARING:
        return compared(tree.operator, operands[0], operands[1], stage, tree)
    if tree.operator in _MATCHING:
        return matched(tree, operands[0], operands[1], stage)
    if tree.operator == "IN":
        return lists.contained(operands[0], operands[1], stage, tree)
    return arithmetic(tree.operator, operands, stage, tree)


def _null_test(tree: NullTest, stage: Stage) -> Value:
    of = value_of(tree.of, stage)
    return Value(f"({of.sql} IS {'NOT ' if tree.negated else ''}NULL)", BOOLEAN, nullable=False)


def _case(tree: Case, stage: Stage) -> Value:
    tests = []
    operand = None if tree.operand is None else value_of(tree.operand, stage)
    for when, _ in tree.whens:
        if operand is None:
            tests.append(condition(when, stage))
        else:
            tests.append(compared("=", operand, value_of(when, stage), stage, when).sql)
    results = [value_of(then, stage) for _, then in tree.whens]
    results.append(Value("NULL", NULL) if tree.otherwise is None else value_of(tree.otherwise, stage))
    kind, sqls = unified(results, stage, tree, "this CASE")
    whens = " ".join(f"WHEN {test} THEN {result}" for test, result in zip(tests, sqls, strict=False))
    otherwise = "" if tree.otherwise is None else f" ELSE {sqls[-1]}"
    return Value(f"CASE {whens}{otherwise} END", kind)


def _list_of(tree: ListOf, stage: Stage) -> Value:
    items = [value_of(item, stage) for item in tree.items]
    kind, sqls = unified(items, stage, tree, "this list")
    whole = list_of(kind)
    constant = all(item.constant for item in items)
    return Value(f"([{', '.join(sqls)}]::{sql_type(whole)})", whole, constant=constant, nullable=False)


def _map_of(tree: MapOf, stage: Stage) -> Value:
    return _mapped({key: value_of(item, stage) for key, item in tree.items}, stage, tree)


def _mapped(fields: dict[str, Value], stage: Stage, tree: Tree) -> Value:
    if not fields or len({key.lower() for key in fields}) < len(fields):
        raise stage.state.refuse(tree, "a map needs keys that differ in more than capitals")
    made = ", ".join(f"{text(key)}: {value.wide}" for key, value in fields.items())
    return Value(f"{{{made}}}", map_of({key: value.type for key, value in fields.items()}), nullable=False)


def _map_projection(tree: MapProjection, stage: Stage) -> Value:
    of = value_of(tree.of, stage)
    fields: dict[str, Value] = {}
    for key, given in tree.items:
        if given is not None:
            fields[key] = value_of(given, stage)
        elif key != "*":
            fields[key] = value_of(Property(tree.of, key, place=tree.place), stage)
        else:
            for each in _all_keys(of.type, stage):
                fields[each] = value_of(Property(tree.of, each, place=tree.place), stage)
    made = _mapped(fields, stage, tree)
    return Value(f"CASE WHEN {of.sql} IS NOT NULL THEN {made.sql} END" if of.nullable else made.sql, made.type)


def _all_keys(kind: Type, stage: Stage) -> list[str]:
    if kind.kind == "map":
        return list(kind.names)
    schema = stage.state.schema
    tables: Any = schema.nodes if kind.kind == "node" else schema.relationships
    return list(dict.fromkeys(key for name in kind.names for key in tables[name].properties))


def _index(tree: Index, stage: Stage) -> Value:
    of = value_of(tree.of, stage)
    if (of.type.is_entity or of.type.kind == "map") and not tree.slice:
        key = tree.start
        if isinstance(key, Literal) and key.kind == "string":
            name = string_value(key.text)
        elif isinstance(key, Parameter) and isinstance(stage.state.given.get(key.name), str):
            name = stage.state.given[key.name]
        else:
            raise stage.state.refuse(tree, "the name of a property has to be known", "such as p['url'] or p[$name]")
        if isinstance(tree.of, Name):
            return _property(Property(tree.of, name, place=tree.place), stage)
        return _key_of_value(of, name, stage, tree)
    return lists.indexed(of, tree, stage)


def _subquery(tree: Subquery, stage: Stage) -> Value:
    from seedrank.graphdb.duckdb.cypher_sql.subqueries import subquery

    return subquery(tree, stage)


def _pattern_comprehension(tree: PatternComprehension, stage: Stage) -> Value:
    from seedrank.graphdb.duckdb.cypher_sql.subqueries import pattern_comprehension

    return pattern_comprehension(tree, stage)


_FORMS: dict[type[Expression], Callable[[Any, Stage], Value]] = {
    Literal: _literal,
    Parameter: _parameter,
    Name: _name,
    Property: _property,
    Label: _label,
    Operation: _operation,
    NullTest: _null_test,
    Case: _case,
    ListOf: _list_of,
    MapOf: _map_of,
    MapProjection: _map_projection,
    Index: _index,
    Subquery: _subquery,
    PatternComprehension: _pattern_comprehension,
    Comprehension: lists.comprehension,
    Quantified: lists.quantified,
    Reduce: lists.reduced,
    Call: call,
}
