"""EXISTS { }, COUNT { }, COLLECT { } and pattern comprehensions: subqueries that see the variables around them."""

from __future__ import annotations

from seedrank.graphdb.duckdb.cypher_sql.expressions import value_of
from seedrank.graphdb.duckdb.cypher_sql.matches import matched_in, union
from seedrank.graphdb.duckdb.cypher_sql.scope import Stage, Value, indented, integer, order_by
from seedrank.graphdb.duckdb.cypher_sql.types import BOOLEAN, INTEGER, NULL, common, list_of, sql_type
from seedrank.graphdb.statements.tree import Match, PatternComprehension, Projection, Query, Subquery

__all__ = ["pattern_comprehension", "subquery"]


def subquery(tree: Subquery, stage: Stage) -> Value:
    """A subquery as a value."""
    if tree.word == "COLLECT":
        return _collected(tree, stage)
    sql = _rows(tree, stage)
    if tree.word == "EXISTS":
        return Value(f"EXISTS {indented(sql)}" if sql else "FALSE", BOOLEAN, constant=not sql, nullable=False)
    if not sql:
        return integer(0)
    return Value(f"(SELECT count(*) FROM {indented(sql)} {stage.state.alias('counted')})", INTEGER, nullable=False)


def _rows(tree: Subquery, stage: Stage) -> str:
    """The rows of a subquery, whatever their columns."""
    from seedrank.graphdb.duckdb.cypher_sql.clauses import rows_of

    clauses = tree.queries[0].clauses
    alone = clauses[0] if len(tree.queries) == len(clauses) == 1 else None
    if isinstance(alone, Match) and not any(path.shortest for path in alone.paths):
        return union([branch.select("1 AS one") for branch in matched_in(alone, stage)])
    return rows_of(tree, stage.inside).sql


def _collected(tree: Subquery, stage: Stage) -> Value:
    from seedrank.graphdb.duckdb.cypher_sql.clauses import rows_of

    found = rows_of(tree, stage.inside)
    if len(found.columns) != 1 or not _returns(tree.queries[0]):
        raise stage.state.refuse(tree, "COLLECT { } returns one column", "such as COLLECT { MATCH … RETURN p.url }")
    kind = list_of(found.types[0])
    alias = stage.state.alias("collected")
    order = order_by([(f"{alias}.{column}", descending) for column, descending in found.order])
    made = f"(SELECT list({alias}.{found.sql_columns[0]}{order}) FROM {indented(found.sql)} {alias})"
    return Value(f"coalesce({made}, []::{sql_type(kind)})", kind, nullable=False)


def _returns(query: Query) -> bool:
    last = query.clauses[-1]
    return isinstance(last, Projection) and last.word == "RETURN"


def pattern_comprehension(tree: PatternComprehension, stage: Stage) -> Value:
    """``[(p)-->(q) WHERE … | q.url]``."""
    branches = matched_in(Match((tree.path,), tree.condition, place=tree.place), stage)
    values = [value_of(tree.value, branch) for branch in branches]
    kind = common(value.type for value in values)
    if kind is None:
        raise stage.state.refuse(tree, "this comprehension has values of different types", "name labels and types")
    if not branches:
        return Value("[]::BIGINT[]", list_of(NULL), nullable=False)
    from seedrank.graphdb.duckdb.cypher_sql.expressions import checked

    selects = [branch.select(f"{checked(value, kind)} AS item") for branch, value in zip(branches, values, strict=True)]
    alias = stage.state.alias("items")
    made = f"(SELECT list({alias}.item) FROM {indented(union(selects))} {alias})"
    return Value(f"coalesce({made}, []::{sql_type(list_of(kind))})", list_of(kind), nullable=False)
