"""Cypher on the embedded store: a statement that reads, translated into SQL over the store's tables.

    schema        the graph that the tables hold
    types         static types
    scope         values, variables, a SELECT under construction
    clauses       clauses in order, UNION, UNWIND, CALL { }
    projections   WITH and RETURN; grouping and aggregates: what they sum up
    matches       MATCH as joins; shapes: labels, types and lengths that a pattern can have; shortest: searches
    subqueries    EXISTS, COUNT and COLLECT { }
    expressions   values; operators, functions, lists, temporal, regular: parts of them
    output        nodes, relationships and paths as maps

What Neo4j answers is right. What is not known to be answered so is refused, with its place and a form that works.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from seedrank.graphdb.duckdb.cypher_sql.clauses import rows_of
from seedrank.graphdb.duckdb.cypher_sql.schema import GraphSchema, graph_schema
from seedrank.graphdb.duckdb.cypher_sql.scope import Stage, State
from seedrank.graphdb.duckdb.cypher_sql.types import Type
from seedrank.graphdb.statements.reader import read
from seedrank.graphdb.statements.tokens import tokens

__all__ = ["GraphSchema", "Translation", "graph_schema", "translate"]


@dataclass(frozen=True)
class Translation:
    """A statement in SQL."""

    sql: str
    parameters: dict[str, Any]
    """Values of the parameters in the SQL."""
    columns: tuple[str, ...]
    """The names of the columns, in their order; in SQL those that differ in capitals only have others."""
    types: tuple[Type, ...]
    """What the columns hold, as Cypher sees it."""


def translate(cypher: str, parameters: Mapping[str, Any], schema: GraphSchema) -> Translation:
    """A Cypher statement as SQL.

    Parameters
    ----------
    cypher
        One statement that reads.
    schema
        The graph, by `graph_schema`.

    Raises
    ------
    seedrank.graphdb.statements.Refused
        Where it is no Cypher, does more than read, or has a part that is not translated.
    """
    tree = read(cypher, tokens(cypher))
    state = State(cypher, schema, parameters)
    rows = rows_of(tree, lambda: Stage(state), final=True)
    tables = ",\n".join(f"{name} AS {sql}" for name, sql in state.tables)
    sql = f"WITH RECURSIVE {tables}\n{rows.sql}" if tables else rows.sql
    used = set(re.findall(r"\$(\w+)", sql))
    values = {name: value for name, value in state.parameters.items() if name in used}
    return Translation(sql, values, rows.columns, rows.types)
