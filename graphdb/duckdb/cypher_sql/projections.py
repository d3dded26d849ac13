"""WITH and RETURN: columns, grouping, DISTINCT, ORDER BY, SKIP and LIMIT."""

from __future__ import annotations

from dataclasses import dataclass

from seedrank.graphdb.duckdb.cypher_sql.expressions import condition, value_of
from seedrank.graphdb.duckdb.cypher_sql.grouping import aggregates, group
from seedrank.graphdb.duckdb.cypher_sql.output import shown
from seedrank.graphdb.duckdb.cypher_sql.scope import Stage, Value, Variable, carried, indented, order_by
from seedrank.graphdb.duckdb.cypher_sql.types import INTEGER, NULL, Type
from seedrank.graphdb.duckdb.schema import quote
from seedrank.graphdb.statements.tree import Expression, Parameter, Projection
from seedrank.graphdb.statements.tree import Variable as Name

__all__ = ["Rows", "project", "returned"]


@dataclass(frozen=True)
class Rows:
    """A SELECT that is complete."""

    sql: str
    columns: tuple[str, ...]
    types: tuple[Type, ...]
    sql_columns: tuple[str, ...]
    """The columns' names in SQL: no two alike, also in other capitals."""
    order: tuple[tuple[str, bool], ...] = ()
    """Further columns by which the rows are to be ordered, and whether descending."""


def project(clause: Projection, stage: Stage) -> Stage:
    """The stage after a WITH."""
    items = _items(clause, stage)
    if _is_plain(clause, items, stage):
        kept = stage.following()
        kept.sources, kept.where, kept.order = stage.sources, stage.where, stage.order
        for name, tree in items:
            assert isinstance(tree, Name)
            found = stage.scope[tree.name]
            if found.stage is stage:
                found.stage = kept
            kept.scope[name] = found
        if clause.where is not None:
            kept.where.append(condition(clause.where, kept))
        return kept
    levels, values, order = _levels(clause, items, stage)
    rows = _select(clause, levels, values, order, stage, final=False)
    following = stage.following()
    alias = stage.state.alias("with_")
    following.join(f"{indented(rows.sql)} {alias}")
    for (name, value), column in zip(values.items(), rows.sql_columns, strict=True):
        following.bind(name, carried(f"{alias}.{column}", value))
    following.order = [(f"{alias}.{column}", descending) for column, descending in rows.order]
    if clause.where is not None:
        following.where.append(condition(clause.where, following))
    return following


def returned(clause: Projection, stage: Stage, *, final: bool) -> Rows:
    """The rows of a RETURN; `final` where they leave the database."""
    levels, values, order = _levels(clause, _items(clause, stage), stage)
    return _select(clause, levels, values, order, stage, final=final)


def _items(clause: Projection, stage: Stage) -> list[tuple[str, Expression]]:
    items: list[tuple[str, Expression]] = []
    if clause.star:
        names = sorted(stage.scope)
        if clause.word == "RETURN":
            names = [name for name in names if stage.scope[name] is not stage.around.get(name)]
        if not names and clause.word == "RETURN" and not clause.items:
            raise stage.state.refuse(clause, "RETURN * has nothing to return", "name a variable before")
        items += [(name, Name(name, place=clause.place)) for name in names]
    for item in clause.items:
        if clause.word == "WITH" and item.name is None and not isinstance(item.value, Name):
            raise stage.state.refuse(item, "an expression in WITH needs a name", "add AS name")
        items.append((item.column, item.value))
    names = [name for name, _ in items]
    for name in names:
        if names.count(name) > 1:
            raise stage.state.refuse(clause, f"two columns are called {name}", "give one of them another name")
    return items


def _is_plain(clause: Projection, items: list[tuple[str, Expression]], stage: Stage) -> bool:
    """Whether a WITH only names variables anew."""
    cut = clause.distinct or clause.order or clause.skip or clause.limit
    return not cut and all(isinstance(tree, Name) and tree.name in stage.scope for _, tree in items)


_Order = list[tuple[Value, bool]]


def _levels(
    clause: Projection, items: list[tuple[str, Expression]], stage: Stage
) -> tuple[Stage, dict[str, Value], _Order]:
    """The stage whose SELECT gives the columns, the columns, and the keys of ORDER BY."""
    if any(aggregates(tree) for _, tree in items):
        grouped, values = group(clause, items, stage)
        ordering = _over(grouped, values, items)
    elif clause.distinct:
        grouped, values = stage, {name: value_of(tree, stage) for name, tree in items}
        ordering = grouped
    else:
        values = {name: value_of(tree, stage) for name, tree in items}
        grouped, ordering = stage, _alongside(stage, values, items)
    if clause.distinct:
        grouped = _distinct(grouped, values)
        values = {name: grouped.scope[name].value for name in values}
        ordering = _over(grouped, values, items)
    order = []
    for key in clause.order:
        value = value_of(key.value, ordering)
        if value.constant or value.type == NULL:
            continue
        if value.type.has_entity or value.type.kind == "map":
            raise stage.state.refuse(key, f"{value.type} has no order here", "order by a property: ORDER BY p.id")
        order.append((value, key.descending))
    if not clause.order and not clause.distinct and grouped is stage:
        order = [(Value(column, INTEGER), descending) for column, descending in stage.order]
    return grouped, values, order


def _alongside(stage: Stage, values: dict[str, Value], items: list[tuple[str, Expression]]) -> Stage:
    """The scope of ORDER BY: the new names first, then what was there."""
    beside = stage.following()
    beside.scope = dict(stage.scope)
    beside.sources, beside.where, beside.replaced = stage.sources, stage.where, stage.replaced
    for name, tree in items:
        old = stage.scope.get(tree.name) if isinstance(tree, Name) else None
        beside.scope[name] = old or Variable(values[name], stage)
    return beside


def _over(stage: Stage, values: dict[str, Value], items: list[tuple[str, Expression]]) -> Stage:
    """The scope of ORDER BY after grouping: the columns, by name or as they were written."""
    beside = stage.following()
    beside.sources, beside.where, beside.ungrouped = stage.sources, stage.where, stage.ungrouped
    beside.scope |= {name: Variable(value, stage) for name, value in values.items()}
    written = {tree: values[name] for name, tree in items if not (isinstance(tree, Name) and tree.name in values)}
    beside.replaced = {**stage.replaced, **written}
    for name in values:
        beside.replaced.pop(Name(name), None)
    return beside


def _distinct(stage: Stage, values: dict[str, Value]) -> Stage:
    alias = stage.state.alias("distinct_")
    columns = _sql_names(list(values))
    selected = ", ".join(f"{value.wide} AS {column}" for value, column in zip(values.values(), columns, strict=True))
    following = stage.following()
    following.join(f"{indented(stage.select(f'DISTINCT {selected}'))} {alias}")
    following.ungrouped = frozenset(stage.scope)
    for (name, value), column in zip(values.items(), columns, strict=True):
        following.bind(name, carried(f"{alias}.{column}", value))
    return following


def _sql_names(names: list[str]) -> list[str]:
    """Names of columns, made different where they differ in capitals only."""
    found: list[str] = []
    taken: set[str] = set()
    for name in names:
        made = name
        while made.lower() in taken:
            made += "_"
        taken.add(made.lower())
        found.append(quote(made))
    return found


def _select(
    clause: Projection, source: Stage, values: dict[str, Value], order: _Order, stage: Stage, *, final: bool
) -> Rows:
    names = _sql_names(list(values))
    variables = {id(variable.value): variable for variable in source.scope.values()}
    columns = [
        f"{shown(value, source, clause, variables.get(id(value))) if final else value.wide} AS {name}"
        for value, name in zip(values.values(), names, strict=True)
    ]
    hidden: list[tuple[str, bool]] = []
    if not final:
        for value, descending in order:
            hidden.append((stage.state.alias("order_"), descending))
            columns.append(f"{value.sql} AS {hidden[-1][0]}")
    cut = _cut(clause, stage)
    if clause.order and cut:
        # Rows that tie are ordered by what they show, so that one page of an answer fits the next.
        known = {value.sql for value, _ in order}
        order = order + [
            (value, False)
            for value in values.values()
            if value.sql not in known and not value.constant and value.type != NULL
        ]
    sql = source.select(", ".join(columns) or "1 AS one")
    if order and (final or cut):
        sql += "\n" + order_by([(value.sql, descending) for value, descending in order]).strip()
    return Rows(sql + cut, tuple(values), tuple(value.type for value in values.values()), tuple(names), tuple(hidden))


def _cut(clause: Projection, stage: Stage) -> str:
    found = ""
    for word, tree in (("LIMIT", clause.limit), ("OFFSET", clause.skip)):
        if tree is None:
            continue
        value = value_of(tree, Stage(stage.state))
        if value.type != INTEGER or not value.constant:
            raise stage.state.refuse(tree, f"a whole number is expected, this is {value.type}")
        given = stage.state.given.get(tree.name) if isinstance(tree, Parameter) else None
        if (value.literal and value.number < 0) or (given is not None and given < 0):
            raise stage.state.refuse(tree, "the number of rows is negative", "0 or more rows")
        found += f"\n{word} {value.sql}"
    return found
