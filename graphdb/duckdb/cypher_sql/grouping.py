"""Grouping: the keys and aggregates of a WITH or RETURN."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields

from seedrank.graphdb.duckdb.cypher_sql.expressions import value_of
from seedrank.graphdb.duckdb.cypher_sql.functions import is_aggregate
from seedrank.graphdb.duckdb.cypher_sql.scope import Stage, Value, carried, indented, order_by
from seedrank.graphdb.duckdb.cypher_sql.types import FLOAT, INTEGER, NULL, list_of, sql_type
from seedrank.graphdb.statements.tree import Call, Expression, Projection, Subquery, Tree
from seedrank.graphdb.statements.tree import Variable as Name

__all__ = ["aggregate", "aggregates", "group"]

_COLUMN = re.compile(r"\b[a-z_]+\d+\.")
_Keys = dict[Expression, Value]
_Arguments = dict[Call, list[Value]]
_Order = list[tuple[str, bool]]


def aggregates(tree: object) -> list[Call]:
    """The calls of aggregates in an expression, those of its subqueries left out."""
    return list(_found(tree))


def group(clause: Projection, items: list[tuple[str, Expression]], stage: Stage) -> tuple[Stage, dict[str, Value]]:
    """A stage over the groups, and the columns in it: keys, aggregates, expressions of them."""
    state = stage.state
    keys = {tree: value_of(tree, stage) for _, tree in items if not aggregates(tree)}
    trees = (*(tree for _, tree in items), *(key.value for key in clause.order))
    arguments: _Arguments = {}
    for call in (call for tree in trees for call in aggregates(tree)):
        if any(aggregates(argument) for argument in call.arguments):
            raise state.refuse(call, "an aggregate of an aggregate", "compute the inner one in a WITH before")
        if call not in arguments:
            arguments[call] = [value_of(argument, stage) for argument in call.arguments]
    order = stage.order if any(call.name == "collect" for call in arguments) else []
    level = stage
    if stage.nested or not _fits_one_select(keys, arguments):
        level, keys, arguments, order = _computed(keys, arguments, order, stage)
    names = {tree: state.alias("key") for tree in keys}
    sums = {
        call: (state.alias(call.name), aggregate(call, values, order_by(order), stage))
        for call, values in arguments.items()
    }
    columns = [f"{value.wide} AS {names[tree]}" for tree, value in keys.items()]
    columns += [f"{value.sql} AS {name}" for name, value in sums.values()]
    by = f"\nGROUP BY {', '.join(names.values())}" if keys else ""
    alias = state.alias("grouped")
    following = stage.following()
    following.join(f"{indented(level.select(', '.join(columns)) + by)} {alias}")
    following.ungrouped = frozenset(stage.scope)
    for tree, value in keys.items():
        found = carried(f"{alias}.{names[tree]}", value)
        if isinstance(tree, Name):
            following.bind(tree.name, found)
        else:
            following.replaced[tree] = found
    for call, (name, value) in sums.items():
        following.replaced[call] = carried(f"{alias}.{name}", value)
    return following, {name: value_of(tree, following) for name, tree in items}


def _fits_one_select(keys: _Keys, arguments: _Arguments) -> bool:
    """Whether one SELECT can compute and sum up.

    Not with subqueries; nor with a key that is the same for all rows: the database makes a group of no rows then. Nor
    within a subquery: an aggregate of columns that are all from around it would belong there.
    """
    values = [*keys.values(), *(value for several in arguments.values() for value in several)]
    return all("SELECT" not in value.sql for value in values) and all(
        _COLUMN.search(value.sql) for value in keys.values()
    )


def _computed(
    keys: _Keys, arguments: _Arguments, order: _Order, stage: Stage
) -> tuple[Stage, _Keys, _Arguments, _Order]:
    """A stage in which keys and arguments are columns."""
    state = stage.state
    rows = state.alias("rows_")
    columns: list[str] = []

    def column(value: Value) -> Value:
        name = state.alias("value")
        columns.append(f"{value.wide} AS {name}")
        return carried(f"{rows}.{name}", value)

    own_keys = {tree: column(value) for tree, value in keys.items()}
    own_arguments = {
        call: [value if number and value.constant else column(value) for number, value in enumerate(values)]
        for call, values in arguments.items()
    }
    own_order = []
    for key, descending in order:
        name = state.alias("order_")
        columns.append(f"{key} AS {name}")
        own_order.append((f"{rows}.{name}", descending))
    level = stage.following()
    level.join(f"{indented(stage.select(', '.join(columns) or '1 AS one'))} {rows}")
    return level, own_keys, own_arguments, own_order


def _found(tree: object) -> Iterator[Call]:
    if isinstance(tree, tuple):
        for each in tree:
            yield from _found(each)
    elif isinstance(tree, Call) and is_aggregate(tree):
        yield tree
    elif isinstance(tree, Tree) and not isinstance(tree, Subquery):
        for field in fields(tree):
            yield from _found(getattr(tree, field.name))


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
