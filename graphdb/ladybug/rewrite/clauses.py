"""A whole statement, clause by clause, in a form that the embedded database answers rightly."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from graphdb.ladybug.rewrite.matches import links_around, send_match
from graphdb.ladybug.rewrite.projections import send_projection
from graphdb.ladybug.rewrite.scope import Bound, Schema, bound_by, of_parameters
from graphdb.ladybug.rewrite.state import State
from graphdb.ladybug.rewrite.subqueries import sent_value
from graphdb.statements.tokens import refuse
from graphdb.statements.tree import (
    Call,
    Clause,
    Expression,
    ListOf,
    Match,
    Parameter,
    Procedure,
    Projection,
    Query,
    Statement,
    Subquery,
    Unwind,
    rebuilt,
    walk,
)

__all__ = ["Rewritten", "rewritten"]

_GIVEN = re.compile(r"_c?\d+")


@dataclass(frozen=True)
class Rewritten:
    """A statement to send, and what its columns are called."""

    statement: Statement
    columns: tuple[str, ...] | None
    """Names of the result's columns; `None` where it has none, or the database names them."""
    distinct: bool = False
    """Whether equal rows count once: a UNION loses rows with nulls, so UNION ALL is sent."""


def rewritten(statement: Statement, schema: Schema, parameters: Mapping[str, Any]) -> Rewritten:
    """The statement as the embedded database is asked; refuses what it would answer wrongly."""
    queries, columns = [], []
    _check_names(statement)
    for query in statement.queries:
        state = State(statement.source, schema, parameters, in_union=len(statement.queries) > 1)
        _rewrite(state, query)
        queries.append(Query(tuple(state.sent), place=query.place))
        columns.append(state.columns)
    if len(queries) > 1:
        _check_union(statement)
    for other, query in zip(columns[1:], statement.queries[1:], strict=True):
        if other != columns[0]:
            raise refuse(
                statement.source, query.place, "both sides of a UNION need the same columns", "name them with AS"
            )
    distinct = len(queries) > 1 and not statement.union_all
    return Rewritten(replace(statement, queries=tuple(queries), union_all=True), columns[0], distinct)


def _check_names(statement: Statement) -> None:
    """Refuse names that the database takes for one, capitals apart, and those that are given here."""
    seen: dict[str, str] = {}
    for part in walk(statement.queries):
        name = getattr(part, "name", None)
        if not isinstance(name, str) or isinstance(part, Call | Parameter | Procedure):
            continue
        if _GIVEN.fullmatch(name):
            raise refuse(
                statement.source, part.place, f"{name} is a name that the store gives itself", "choose another"
            )
        if seen.setdefault(name.casefold(), name) != name:
            other = seen[name.casefold()]
            raise refuse(statement.source, part.place, f"{name} and {other} are one name here", "rename one of them")


def _check_union(statement: Statement) -> None:
    """Refuse a side of a UNION that returns the same twice: its columns are mixed up here."""
    for query in statement.queries:
        last = query.clauses[-1]
        values = [item.value for item in last.items] if isinstance(last, Projection) else []
        for place, value in enumerate(values):
            if value in values[:place]:
                raise refuse(statement.source, value.place, "a side of a UNION returns this twice", "return it once")


def _rewrite(state: State, query: Query) -> None:
    for place, clause in enumerate(query.clauses):
        match clause:
            case Match():
                send_match(state, clause, links_around(query.clauses, place))
            case Projection():
                send_projection(state, clause, query.clauses[place + 1 :])
            case Unwind():
                _unwind(state, clause)
            case Procedure():
                _procedure(state, clause)
            case _:
                _write(state, clause)


def _unwind(state: State, clause: Unwind) -> None:
    of = sent_value(state, clause.of, state.scope)
    state.carry_hoists()
    kind = _element_type(state, clause.of)
    state.sent.append(replace(clause, of=of))
    state.scope[clause.name] = Bound("value", type=kind)
    state.projected = True


def _element_type(state: State, of: Expression) -> str:
    """The type of a list's elements, empty where they differ or are not known."""
    if isinstance(of, Call) and of.name == "range":
        return "integer"
    if isinstance(of, Parameter) and isinstance(held := state.parameters.get(of.name), list | tuple):
        kinds = {bound.type for bound in of_parameters(dict(zip(map(str, count()), held, strict=False))).values()}
    elif isinstance(of, ListOf):
        kinds = {state.values(state.scope).type_of(one) for one in of.items}
    else:
        return ""
    kinds.discard("null")
    return kinds.pop() if len(kinds) == 1 else ""


def _procedure(state: State, clause: Procedure) -> None:
    if state.sent:
        raise state.refuse(clause.place, "CALL comes first here", "begin the statement with it")
    state.open = not clause.yields
    for name, new in clause.yields:
        state.scope[new or name] = Bound("value")
    state.sent.append(clause)


def _write(state: State, clause: Clause) -> None:
    """A clause that changes the store: its values are rewritten, its patterns stay."""
    paths = getattr(clause, "paths", None) or ((clause.path,) if hasattr(clause, "path") else ())
    new = bound_by(Match(tuple(paths)), state.scope)
    values = state.values({**state.scope, **new})

    def change(part: Any) -> Any:
        if isinstance(part, Subquery):
            raise state.refuse(part.place, "a subquery in a clause that writes", "compute it in a WITH before")
        return values(part) if isinstance(part, Expression) else part

    state.sent.append(rebuilt(clause, change))
    state.scope.update(new)
    state.columns = None
