"""Clauses in their order, queries, and UNION."""

from __future__ import annotations

from seedrank.graphdb.duckdb.cypher_sql.lists import elements
from seedrank.graphdb.duckdb.cypher_sql.matches import match
from seedrank.graphdb.duckdb.cypher_sql.projections import Rows, project, returned
from seedrank.graphdb.duckdb.cypher_sql.scope import Stage, Value, indented, lifted
from seedrank.graphdb.duckdb.cypher_sql.types import common
from seedrank.graphdb.statements.tree import CallSubquery, Clause, Match, Procedure, Projection, Query, Tree, Unwind

__all__ = ["query_rows", "unioned"]


def query_rows(query: Query, outer: Stage | None, *, final: bool = False, stage: Stage | None = None) -> Rows:
    """The rows of a query.

    Parameters
    ----------
    outer
        Where it is a subquery, the stage around it, whose variables it sees.
    final
        Whether the rows leave the database.
    stage
        What it begins with, for the outermost query.
    """
    if stage is None:
        assert outer is not None
        stage = Stage(outer.state, outer)
        stage.replaced = outer.replaced
    for place, clause in enumerate(query.clauses):
        if isinstance(clause, Projection) and clause.word == "RETURN":
            if place + 1 < len(query.clauses):
                raise stage.state.refuse(query.clauses[place + 1], "RETURN is the last clause", "use WITH before")
            return returned(clause, stage, final=final)
        stage = _after(clause, stage)
    if final or outer is None:
        raise stage.state.refuse(query.clauses[-1], "a query ends with RETURN", "add RETURN and what to return")
    return Rows(stage.select("1 AS one"), (), (), ())


def unioned(
    queries: tuple[Query, ...],
    union_all: bool,
    outer: Stage | None,
    tree: Tree,
    *,
    final: bool = False,
    stages: list[Stage] | None = None,
) -> Rows:
    """The rows of several queries."""
    parts = [
        query_rows(query, outer, final=False, stage=None if stages is None else stages[number])
        for number, query in enumerate(queries)
    ]
    state = (outer or (stages or [])[0]).state
    first = parts[0]
    for part, query in zip(parts, queries, strict=True):
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
    sql = f"\nUNION{' ALL' if union_all else ''}\n".join(selects)
    if final and any(kind.has_entity for kind in kinds):
        from seedrank.graphdb.duckdb.cypher_sql.output import shown

        alias = state.alias("union_")
        whole = Stage(state)
        whole.join(f"{indented(sql)} {alias}")
        shownn = [
            f"{shown(Value(f'{alias}.{column}', kind), whole, tree)} AS {column}"
            for column, kind in zip(first.sql_columns, kinds, strict=True)
        ]
        sql = whole.select(", ".join(shownn))
    return Rows(sql, first.columns, tuple(kinds), first.sql_columns)


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
    elif isinstance(clause, Procedure):
        raise stage.state.refuse(clause, f"the procedure {clause.name} is Neo4j's", "this store has none")
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
    inner = Stage(stage.state, stage)
    imported = clause.imports
    queries = clause.queries
    if imported is None:
        first = queries[0].clauses[0]
        imports = isinstance(first, Projection) and first.word == "WITH"
        inner.around = {}
        inner.scope = dict(stage.scope) if imports else {}
    else:
        for name in imported:
            if name not in stage.scope:
                raise stage.state.refuse(clause, f"there is no variable {name} here")
        inner.around = {name: stage.scope[name] for name in imported}
        inner.scope = dict(inner.around)
    if len(queries) == 1:
        rows = query_rows(queries[0], stage, stage=inner)
    else:
        stages = []
        for _query in queries:
            each = inner.following()
            each.scope = dict(inner.scope)
            stages.append(each)
        rows = unioned(queries, clause.union_all, stage, clause, stages=stages)
    alias = stage.state.alias("call")
    stage.join(f"{indented(rows.sql)} {alias}", lateral=bool(stage.sources))
    for name, column, kind in zip(rows.columns, rows.sql_columns, rows.types, strict=True):
        if name in stage.scope:
            raise stage.state.refuse(clause, f"{name} is bound already", "give the column another name")
        stage.bind(name, Value(f"{alias}.{column}", kind))
