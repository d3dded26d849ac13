"""Aggregates: count, sum, avg, min, max, collect, deviations and percentiles."""

from __future__ import annotations

from seedrank.graphdb.duckdb.cypher_sql.scope import Stage, Value
from seedrank.graphdb.duckdb.cypher_sql.types import FLOAT, INTEGER, NULL, list_of, sql_type
from seedrank.graphdb.statements.tree import Call

__all__ = ["aggregate"]


def aggregate(tree: Call, arguments: list[Value], order: str, stage: Stage) -> Value:
    """An aggregate of columns.

    Parameters
    ----------
    order
        What collect() orders by; may be empty.
    """
    if tree.star:
        return Value("count(*)", INTEGER, nullable=False)
    wanted = 2 if tree.name.startswith("percentile") else 1
    if len(arguments) != wanted:
        raise stage.state.refuse(tree, f"{tree.name}() takes {wanted} arguments")
    one, distinct = arguments[0], "DISTINCT " if tree.distinct else ""
    if tree.name == "count":
        if tree.distinct or one.type.is_entity:
            return Value(f"count({distinct}{one.wide})", INTEGER, nullable=False)
        # The database counts rows where it knows of no null, and would not notice that a value cannot be computed.
        return Value(f"count(*) FILTER (WHERE {one.wide} IS NOT NULL)", INTEGER, nullable=False)
    if tree.name == "collect":
        kind = list_of(one.type)
        known = f"FILTER (WHERE {one.sql} IS NOT NULL)"
        made = f"list({distinct}{one.wide}) {known}"
        if order:
            made = f"list({one.wide}{order}) {known}"
            if tree.distinct:
                # Each value at its first place.
                first = "lambda l: list_filter(l, lambda x, place: list_position(l, x) = place)"
                made = f"list_transform([{made}], {first})[1]"
        return Value(f"coalesce({made}, []::{sql_type(kind)})", kind, nullable=False)
    if tree.name in ("min", "max"):
        if one.type.kind in ("list", "map", "path") or one.type.is_entity:
            raise stage.state.refuse(tree, f"{tree.name}() of {one.type} is not known here", "take a property of it")
        return Value(f"{tree.name}({one.wide})", one.type)
    if one.type != NULL and not one.type.is_number:
        raise stage.state.refuse(tree, f"{tree.name}() takes numbers, this is {one.type}")
    return _numeric(tree, arguments, distinct, stage)


def _numeric(tree: Call, arguments: list[Value], distinct: str, stage: Stage) -> Value:
    one = arguments[0]
    column = one.wide
    if tree.name == "sum":
        if one.type.is_number and one.type != INTEGER:
            return Value(f"coalesce(sum({distinct}{column}), 0)::DOUBLE", one.type, nullable=False)
        return Value(f"coalesce(sum({distinct}{column}), 0)::BIGINT", INTEGER, nullable=False)
    if tree.name == "avg":
        return Value(f"avg({distinct}{column}::DOUBLE)", FLOAT)
    if tree.name in ("stdev", "stdevp"):
        name = "stddev_samp" if tree.name == "stdev" else "stddev_pop"
        return Value(f"coalesce({name}({distinct}{column}::DOUBLE), 0)::DOUBLE", FLOAT, nullable=False)
    share = arguments[1]
    if not share.constant or share.type not in (INTEGER, FLOAT):
        raise stage.state.refuse(tree, f"{tree.name}() takes a number from 0 to 1 as its second argument")
    if tree.distinct:
        raise stage.state.refuse(tree, f"{tree.name}(DISTINCT …) is not known here", "use WITH DISTINCT before")
    if tree.name == "percentilecont":
        return Value(f"quantile_cont({column}::DOUBLE, {share.sql})", FLOAT)
    return Value(f"quantile_disc({column}, {share.sql})", one.type)
