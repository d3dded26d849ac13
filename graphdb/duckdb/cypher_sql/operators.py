"""Operators: logic with three values, comparisons, arithmetic, tests of texts."""

from __future__ import annotations

from seedrank.graphdb.duckdb.cypher_sql.regular import checked_pattern
from seedrank.graphdb.duckdb.cypher_sql.scope import Stage, Value, integer, lifted, text
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
)
from seedrank.graphdb.statements.tokens import string_value
from seedrank.graphdb.statements.tree import Literal, Operation, Parameter, Tree

__all__ = ["arithmetic", "compared", "logic", "matched", "printed"]

_UNKNOWN = Value("NULL::BOOLEAN", BOOLEAN, constant=True)


def logic(operator: str, operands: list[Value], stage: Stage, tree: Operation) -> Value:
    """``AND``, ``OR``, ``XOR``, ``NOT``."""
    for operand, part in zip(operands, tree.operands, strict=True):
        if operand.type not in (BOOLEAN, NULL):
            raise stage.state.refuse(part, f"{operator} takes conditions, this is {operand.type}")
    sqls = [operand.sql if operand.type == BOOLEAN else "NULL::BOOLEAN" for operand in operands]
    if operator == "NOT":
        return Value(f"(NOT {sqls[0]})", BOOLEAN)
    if operator == "XOR":
        found = sqls[0]
        for sql in sqls[1:]:
            found = f"({found} <> {sql})"
        return Value(found, BOOLEAN)
    return Value(f"({f' {operator} '.join(sqls)})", BOOLEAN)


def compared(operator: str, left: Value, right: Value, stage: Stage, tree: Tree) -> Value:
    """``=``, ``<>``, ``<`` and the like."""
    one, other = left.type, right.type
    if NULL in (one, other):
        return _UNKNOWN
    equality = operator in ("=", "<>")
    if one.kind != other.kind and not (one.is_number and other.is_number):
        return _different(operator, left, right) if equality else _UNKNOWN
    if one.is_entity or one.kind == "path":
        return _same_entity(operator, left, right) if equality else _UNKNOWN
    if one.kind == "map":
        raise stage.state.refuse(tree, "maps are not compared here", "compare their values one by one")
    if one.kind == "list":
        if not equality:
            raise stage.state.refuse(tree, "lists are not ordered here", "compare their elements")
        same = _same_list(left, right, stage, tree)
        return same if operator == "=" else Value(f"(NOT {same.sql})", BOOLEAN)
    plain = f"{left.sql} {operator} {right.sql}"
    if operator == "<>" and not left.constant and not right.constant:
        # A plain <> between two tables can become a join of all with all; like this it stays a filter.
        plain = f"({left.sql} = {right.sql}) = FALSE"
    unsure = [value for value in (left, right) if value.may_be_nan]
    if unsure:
        # NaN equals nothing, and is neither smaller nor greater.
        nan = " OR ".join(f"isnan({value.sql})" for value in unsure)
        plain = f"CASE WHEN {nan} THEN {'TRUE' if operator == '<>' else 'FALSE'} ELSE {plain} END"
        known = " AND ".join(f"{value.sql} IS NOT NULL" for value in (left, right))
        plain = f"CASE WHEN {known} THEN {plain} END"
    return Value(f"({plain})", BOOLEAN)


def _different(operator: str, left: Value, right: Value) -> Value:
    known = f"{left.sql} IS NOT NULL AND {right.sql} IS NOT NULL"
    return Value(f"CASE WHEN {known} THEN {'FALSE' if operator == '=' else 'TRUE'} END", BOOLEAN)


def _same_entity(operator: str, left: Value, right: Value) -> Value:
    if not left.type.is_entity or len({*left.type.names, *right.type.names}) > 1:
        if left.type.is_entity and not set(left.type.names) & set(right.type.names):
            return _different(operator, left, right)
        kind = common((left.type, right.type)) or left.type
        return Value(f"({lifted(left, kind)} {operator} {lifted(right, kind)})", BOOLEAN)
    if operator == "<>" and (left.type.kind == "relationship" or left.type.names == ("Page",)):
        # Never a join of all pages with all pages, which a plain <> may become.
        return Value(f"({left.sql} - {right.sql} <> 0)", BOOLEAN)
    return Value(f"({left.sql} {operator} {right.sql})", BOOLEAN)


def _same_list(left: Value, right: Value, stage: Stage, tree: Tree) -> Value:
    one, other = left.type.item, right.type.item
    if one.is_entity:
        return Value(f"({left.sql} = {right.sql})", BOOLEAN)
    pair = stage.state.alias("pair")
    if NULL in (one, other):
        test = "NULL::BOOLEAN"
    else:
        test = compared("=", Value(f"{pair}[1]", one), Value(f"{pair}[2]", other), stage, tree).sql
    tests = f"list_transform(list_zip({left.sql}, {right.sql}), lambda {pair}: {test})"
    return Value(
        f"CASE WHEN len({left.sql}) <> len({right.sql}) THEN FALSE "
        f"WHEN list_contains({tests}, FALSE) THEN FALSE "
        f"WHEN len({tests}) = list_count({tests}) THEN TRUE END",
        BOOLEAN,
    )


def matched(tree: Operation, value: Value, pattern: Value, stage: Stage) -> Value:
    """``STARTS WITH``, ``ENDS WITH``, ``CONTAINS``, ``=~``."""
    if value.type != TEXT or pattern.type != TEXT:
        if tree.operator == "=~" and {value.type, pattern.type} - {TEXT, NULL}:
            raise stage.state.refuse(tree, "=~ compares texts", "use toString()")
        return _UNKNOWN
    if tree.operator == "=~":
        written = tree.operands[1]
        if isinstance(written, Literal):
            known = string_value(written.text)
        elif isinstance(written, Parameter):
            known = stage.state.given[written.name]
        else:
            raise stage.state.refuse(
                written, "a regular expression has to be written out", "as text in quotes or as a parameter"
            )
        return Value(f"regexp_full_match({value.sql}, {text(checked_pattern(known, stage, written))})", BOOLEAN)
    name = {"STARTS WITH": "starts_with", "ENDS WITH": "suffix", "CONTAINS": "contains"}[tree.operator]
    return Value(f"{name}({value.sql}, {pattern.sql})", BOOLEAN)


def arithmetic(operator: str, operands: list[Value], stage: Stage, tree: Operation) -> Value:
    """``+``, ``-``, ``*``, ``/``, ``%``, ``^``, ``||``."""
    if len(operands) == 1:
        return _signed(operator, operands[0], stage, tree)
    left, right = operands
    if operator in ("+", "||"):
        joined = _joined(left, right, stage, tree)
        if joined is not None:
            return joined
    if operator == "||":
        raise stage.state.refuse(tree, "|| puts texts or lists together", "use + for numbers")
    for operand, part in zip(operands, tree.operands, strict=True):
        if operand.type != NULL and not operand.type.is_number:
            raise stage.state.refuse(part, f"{operator} computes with numbers, this is {operand.type}")
    if NULL in (left.type, right.type):
        return Value("NULL", NULL)
    kind = _result(left.type, right.type)
    if operator == "/" and left.type == FLOAT_OR_ZERO and right.type == INTEGER:
        # 0 and 0.0 divided give the same, but by 0: there Neo4j has an error for one and NaN for the other.
        divided = f"{left.sql} / {right.wide}"
        if right.literal and right.number != 0:
            return Value(f"({divided})", FLOAT_OR_ZERO)
        return Value(f"(CASE WHEN {right.sql} = 0 THEN error('/ by zero') ELSE {divided} END)", FLOAT_OR_ZERO)
    if kind.kind == "number" and operator in ("/", "%"):
        raise stage.state.refuse(
            tree,
            f"{operator} of integers and of floats differ, and one of the two may be either",
            "make it one: toFloat(x) or toInteger(x)",
        )
    if operator == "^":
        return Value(f"pow({left.wide}, {right.wide})", FLOAT)
    one, other = (left.wide, right.wide) if kind == INTEGER else (_float(left), _float(right))
    sign = "//" if operator == "/" and kind == INTEGER else operator
    return Value(f"({one} {sign} {other})", kind, constant=left.constant and right.constant)


def _result(one: Type, other: Type) -> Type:
    if one == other == INTEGER:
        return INTEGER
    if FLOAT in (one, other):
        return FLOAT
    return FLOAT_OR_ZERO if one == other == FLOAT_OR_ZERO else NUMBER


def _float(value: Value) -> str:
    return f"{value.sql}::DOUBLE" if value.type == INTEGER else value.sql


def _signed(operator: str, operand: Value, stage: Stage, tree: Operation) -> Value:
    if operand.type == NULL:
        return operand
    if not operand.type.is_number:
        raise stage.state.refuse(tree, f"{operator} takes a number, this is {operand.type}")
    if operator == "+":
        return operand
    if operand.literal:
        if operand.number == -(2**63):
            raise stage.state.refuse(tree, "this integer is beyond 64 bits", "write it as a float")
        return integer(-operand.number)
    return Value("(-" + operand.sql + ")", operand.type, constant=operand.constant)


def _joined(left: Value, right: Value, stage: Stage, tree: Operation) -> Value | None:
    """Texts or lists put together; None where numbers are to be added."""
    one, other = left.type, right.type
    if "list" in (one.kind, other.kind):
        return _joined_lists(left, right, stage, tree)
    if TEXT not in (one, other):
        return None
    if NULL in (one, other):
        return Value("NULL", NULL)
    if BOOLEAN in (one, other):
        raise stage.state.refuse(tree, "a text and a boolean are not put together", "use toString(x)")
    return Value(f"({printed(left, stage, tree)} || {printed(right, stage, tree)})", TEXT)


def _joined_lists(left: Value, right: Value, stage: Stage, tree: Operation) -> Value:
    if NULL in (left.type, right.type):
        return Value("NULL", NULL)
    sides = []
    for side in (left, right):
        whole = side.type.kind == "list"
        sides.append(side if whole else Value(f"[{side.wide}]", list_of(side.type)))
    kind = common(side.type for side in sides)
    if kind is None:
        raise stage.state.refuse(tree, "these lists have elements of different types", "turn them into one type")
    joined = " || ".join(lifted(side, kind) for side in sides)
    single = [side.sql for side in (left, right) if side.type.kind != "list" and side.nullable]
    if single:
        return Value(f"CASE WHEN {single[0]} IS NOT NULL THEN {joined} END", kind)
    return Value(f"({joined})", kind)


def printed(value: Value, stage: Stage, tree: Tree) -> str:
    """A value as text, as Neo4j prints it."""
    if value.type == TEXT:
        return value.sql
    if value.type in (INTEGER, BOOLEAN):
        return f"({value.sql})::VARCHAR"
    if value.type == FLOAT:
        return _printed_float(value.sql, stage.state.alias("x"))
    raise stage.state.refuse(tree, f"{value.type} is not printed here as Neo4j would", "use toString(toFloat(x))")


def _printed_float(value: str, x: str) -> str:
    """A float as Java prints it: 1.5E-5 and 1.2345678E7 where the database writes 1.5e-05 and 12345678.0."""
    plain = f"{x} = 0 OR abs({x}) >= 0.001 AND abs({x}) < 10000000"
    digits = f"regexp_replace(regexp_replace({x}::VARCHAR, 'e.*', ''), '[.]0$', '')"
    mantissa = f"rtrim(replace(regexp_replace({digits}, '^(-?)0*[.]?0*', '\\1'), '.', ''), '0')"
    written = f"regexp_extract({x}::VARCHAR, 'e([+-]?[0-9]+)', 1)"
    # Without a power of ten it is 0.00012 or 12345678.9: count the places.
    zeros = f"-length(regexp_extract({x}::VARCHAR, '^-?0[.](0*)', 1)) - 1"
    places = f"length(regexp_extract({x}::VARCHAR, '^-?([0-9]+)', 1)) - 1"
    counted = f"CASE WHEN abs({x}) < 1 THEN {zeros} ELSE {places} END"
    power = f"CASE WHEN {written} <> '' THEN {written}::INTEGER ELSE {counted} END"
    zero = f"CASE WHEN length(ltrim({mantissa}, '-')) < 2 THEN '0' ELSE '' END"
    return (
        f"list_transform([{value}], lambda {x}: CASE WHEN isnan({x}) THEN 'NaN' "
        f"WHEN isinf({x}) THEN CASE WHEN {x} > 0 THEN 'Infinity' ELSE '-Infinity' END "
        f"WHEN {plain} THEN {x}::VARCHAR "
        f"ELSE regexp_replace({mantissa}, '^(-?[0-9])', '\\1.') || {zero} || 'E' || ({power})::VARCHAR END)[1]"
    )
