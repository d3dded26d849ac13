"""Clauses in their order, queries, and UNION."""

from __future__ import annotations

from collections.abc import Callable

from seedrank.graphdb.duckdb.cypher_sql.lists import elements
from seedrank.graphdb.duckdb.cypher_sql.matches import match
from seedrank.graphdb.duckdb.cypher_sql.output import shown
from seedrank.graphdb.duckdb.cypher_sql.projections import Rows, project, returned
from seedrank.graphdb.duckdb.cypher_sql.scope import Stage, Value, indented, lifted
from seedrank.graphdb.duckdb.cypher_sql.types import common
from seedrank.graphdb.statements.tree import (
    CallSubquery,
    Clause,
    Match,
    Projection,
    Query,
    Statement,
    Subquery,
    Unwind,
)

__all__ = ["rows_of"]


def rows_of(tree: Statement | Subquery | CallSubquery, begin: Callable[[], Stage], *, final: bool = False) -> Rows:
    """The rows of a query, or of several with ``UNION`` between them.

    Parameters
    ----------
    begin
        Makes the stage that each query begins with.
    final
        Whether the rows leave the database.
    """
    if len(tree.queries) == 1:
        return _rows(tree.queries[0], begin(), final=final)
    state = begin().state
    parts = [_rows(query, begin(), final=False) for query in tree.queries]
    first = parts[0]
    for part, query in zip(parts, tree.queries, strict=True):
        if part.columns != first.columns:
            raise state.refuse(query, "the queries of a UNION return other columns", "give them the same names with AS")
    kinds = []
    for number, name in enumerate(first.columns):
        kind = common(part.types[number] for part in parts)
        if kind is None:
            raise state.refuse(tree, f"the column {name} has values of different types", "turn them into one type")
        kinds.append(kind)
    selects = []
    for part in parts:
        alias = state.alias("part")
        columns = ", ".join(
            f"{lifted(Value(f'{alias}.{column}', old), new)} AS {column}"
            for column, old, new in zip(part.sql_columns, part.types, kinds, strict=True)
        )
        selects.append(f"SELECT {columns}\nFROM {indented(part.sql)} {alias}")
    sql = f"\nUNION{' ALL' if tree.union_all else ''}\n".join(selects)
    if final and any(kind.has_entity for kind in kinds):
        alias = state.alias("union_")
        whole = Stage(state)
        whole.join(f"{indented(sql)} {alias}")
        columns = ", ".join(
            f"{shown(Value(f'{alias}.{column}', kind), whole, tree)} AS {column}"
            for column, kind in zip(first.sql_columns, kinds, strict=True)
        )
        sql = whole.select(columns)
    return Rows(sql, first.columns, tuple(kinds), first.sql_columns)


def _rows(query: Query, stage: Stage, *, final: bool) -> Rows:
    for place, clause in enumerate(query.clauses):
        if isinstance(clause, Projection) and clause.word == "RETURN":
            if place + 1 < len(query.clauses):
                raise stage.state.refuse(query.clauses[place + 1], "RETURN is the last clause", "use WITH before")
            return returned(clause, stage, final=final)
        stage = _after(clause, stage)
    if not stage.nested:
        raise stage.state.refuse(query.clauses[-1], "a query ends with RETURN", "add RETURN and what to return")
    return Rows(stage.select("1 AS one"), (), (), ())


def _after(clause: Clause, stage: Stage) -> Stage:
    """The stage after a clause."""
    if isinstance(clause, Match):
        match(clause, stage)
    elif isinstance(clause, Unwind):
        _unwind(clause, stage)
    elif isinstance(clause, Projection):
        return project(clause, stage)
    elif isinstance(clause, CallSubquery):
        _call(clause, stage)
    return stage


def _unwind(clause: Unwind, stage: Stage) -> None:
    if clause.name in stage.scope:
        raise stage.state.refuse(clause, f"{clause.name} is bound already", "choose another name")
    of = elements(clause.of, stage)
    alias = stage.state.alias(clause.name)
    stage.join(f"unnest({of.sql}) WITH ORDINALITY {alias}(x, place)", lateral=bool(stage.sources))
    stage.bind(clause.name, Value(f"{alias}.x", of.type.item))
    # Rows come in the order of the list, as people expect them to.
    stage.order = [*stage.order, (f"{alias}.place", False)]


def _call(clause: CallSubquery, stage: Stage) -> None:
    names = () if clause.imports is None else clause.imports
    for name in names:
        if name not in stage.scope:
            raise stage.state.refuse(clause, f"there is no variable {name} here")
    around = {name: stage.scope[name] for name in names}
    first = clause.queries[0].clauses[0]
    takes = clause.imports is None and isinstance(first, Projection) and first.word == "WITH"

    def begin() -> Stage:
        inner = Stage(stage.state, stage)
        inner.around = around
        inner.scope = dict(stage.scope if takes else around)
        return inner

    rows = rows_of(clause, begin)
    alias = stage.state.alias("call")
    stage.join(f"{indented(rows.sql)} {alias}", lateral=bool(stage.sources))
    for name, column, kind in zip(rows.columns, rows.sql_columns, rows.types, strict=True):
        if name in stage.scope:
            raise stage.state.refuse(clause, f"{name} is bound already", "give the column another name")
        stage.bind(name, Value(f"{alias}.{column}", kind))
