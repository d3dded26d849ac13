"""Dates and times: texts into them, their parts, their text."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from seedrank.graphdb.duckdb.cypher_sql.scope import Stage, Value
from seedrank.graphdb.duckdb.cypher_sql.types import DATE, DATETIME, INSTANT, INTEGER, TEXT, Type
from seedrank.graphdb.statements.tree import Tree

if TYPE_CHECKING:
    from seedrank.graphdb.duckdb.cypher_sql.functions import Made

__all__ = ["TEMPORAL", "part", "printed_time"]

_PARTS = {
    "year": "year",
    "month": "month",
    "day": "day",
    "week": "week",
    "dayofweek": "isodow",
    "ordinalday": "dayofyear",
    "quarter": "quarter",
}
_TIME_PARTS = {"hour": "hour", "minute": "minute", "second": "second"}
_DATE = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
_TIME = "[0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?"


def part(of: Value, key: str, stage: Stage, tree: Tree) -> Value:
    """``date.year`` and the like."""
    parts = _PARTS | (_TIME_PARTS if of.type != DATE else {})
    name = parts.get(key.lower())
    if name is None:
        raise stage.state.refuse(tree, f"{of.type} has no part {key} here", f"there are {', '.join(parts)}")
    return Value(f"{name}({_local(of)})", INTEGER)


def _local(of: Value) -> str:
    return f"({of.sql} AT TIME ZONE 'UTC')" if of.type == INSTANT else of.sql


def printed_time(of: Value) -> Value:
    """A date or time as text."""
    form = "%Y-%m-%d" if of.type == DATE else "%Y-%m-%dT%H:%M:%S"
    if of.type == DATE:
        return Value(f"strftime({of.sql}, '{form}')", TEXT)
    local = _local(of)
    # Java leaves out seconds that are 0, and writes a fraction in threes.
    fraction = f"rtrim(strftime({local}, '.%f'), '0')"
    threes = f"CASE WHEN {fraction} = '.' THEN '' WHEN length({fraction}) < 5 THEN left(strftime({local}, '.%f'), 4) "
    threes += f"ELSE strftime({local}, '.%f') END"
    whole = f"strftime({local}, '{form}') || {threes}"
    short = f"CASE WHEN date_part('microsecond', {local}) = 0 THEN strftime({local}, '%Y-%m-%dT%H:%M') ELSE {whole} END"
    return Value(f"({short} || '{'Z' if of.type == INSTANT else ''}')", TEXT)


def _date(made: Made) -> Value:
    one = made.first
    if one.type in (DATETIME, INSTANT):
        return Value(f"{_local(one)}::DATE", DATE)
    return _read(made, DATE, _DATE, f"{one.sql}::DATE", "2024-01-31")


def _datetime(made: Made) -> Value:
    form = f"{_DATE}(T{_TIME})?"
    return _read(made, DATETIME, form, f"replace({made.first.sql}, 'T', ' ')::TIMESTAMP", "2024-01-31T12:00:00")


def _instant(made: Made) -> Value:
    text = made.first.sql
    utc = f"regexp_replace({text}, '(Z|[+]00:00)$', '')"
    utc = f"{utc} || CASE WHEN length({text}) = 10 THEN 'T00:00Z' ELSE 'Z' END"
    form = f"{_DATE}(T{_TIME}(Z|[+]00:00)?)?"
    return _read(made, INSTANT, form, f"({utc})::TIMESTAMPTZ", "2024-01-31T12:00:00Z")


def _read(made: Made, kind: Type, form: str, value: str, such_as: str) -> Value:
    """A date or time, or one from a text of this form."""
    one = made.first
    if one.type == kind:
        return one
    if one.type != TEXT:
        raise made.refused(f"{made.tree.name}('{such_as}') is known")
    told = f"no {'date' if kind == DATE else 'time'} of the form {such_as}: "
    sql = f"CASE WHEN regexp_full_match({one.sql}, '{form}') THEN {value} "
    return Value(f"{sql}WHEN {one.sql} IS NOT NULL THEN error('{told}' || {one.sql}) END", kind)


TEMPORAL: dict[str, tuple[int, int, Callable[[Made], Value]]] = {
    "date": (1, 1, _date),
    "datetime": (1, 1, _instant),
    "localdatetime": (1, 1, _datetime),
}
