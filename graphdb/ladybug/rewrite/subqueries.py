"""Expressions with subqueries: EXISTS { }, COUNT { }, and conditions of OPTIONAL MATCH, which behave like them.

The database joins a subquery on the outer values its condition uses. A null never joins, so a condition that can hold
while an outer value is null is answered wrongly: such values are computed before the clause, as two that are never
null. And the COUNT { } of a node of which nothing else is read loses its zeros.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from graphdb.ladybug.rewrite import joins
from graphdb.ladybug.rewrite.patterns import checked
from graphdb.ladybug.rewrite.scope import Bound, Scope, bound_by, names_in
from graphdb.ladybug.rewrite.state import State
from graphdb.ladybug.rewrite.values import conjuncts, joined
from graphdb.statements.tree import (
    Call,
    Case,
    Expression,
    Literal,
    Match,
    NullTest,
    Operation,
    Parameter,
    Property,
    Quantified,
    Subquery,
    Variable,
    rebuilt,
    walk,
)

__all__ = ["key_tests", "sent_value"]

_DEFAULTS = {"integer": "0", "float": "0.0", "string": "''", "boolean": "false"}
_COMPARISONS = frozenset({"=", "<>", "<", "<=", ">", ">=", "STARTS WITH", "ENDS WITH", "CONTAINS", "=~"})
_ARITHMETIC = frozenset({"+", "-", "*", "/", "%", "^"})


def sent_value(
    state: State, expression: Expression, scope: Scope, inner: set[str] | frozenset[str] = frozenset()
) -> Expression:
    """An expression as it is sent.

    Subqueries are written anew on their own. Null tests on names from outside a subquery (or, of an OPTIONAL
    MATCH, on names other than `inner`) are wrong inside it: they are hoisted, to be computed before.
    """
    held: dict[str, Expression] = {}

    def put_aside(part: Any) -> Any:
        if isinstance(part, Subquery):
            name = next(state.fresh)
            held[name] = part
            return Variable(name)
        return part

    # From the top, so that a subquery within a subquery stays in it.
    outer = _from_the_top(expression, put_aside)
    known = {
        **scope,
        **{
            name: Bound("value", type="boolean" if isinstance(part, Subquery) and part.word == "EXISTS" else "integer")
            for name, part in held.items()
        },
        **{part.name: Bound("value") for part in walk(outer) if isinstance(part, Quantified)},
    }
    made = state.values(known)(outer)
    subqueries = {name: _subquery(state, part, scope) for name, part in held.items() if isinstance(part, Subquery)}
    made = rebuilt(made, lambda part: subqueries.get(part.name, part) if isinstance(part, Variable) else part)
    return _hoisted(state, made, set(inner), scope, set(scope)) if inner else made


def _subquery(state: State, part: Subquery, scope: Scope) -> Subquery:
    match = joins.labelled(joins.named(checked(state, part.match), state.fresh), scope, state.schema)
    new = bound_by(match, scope)
    match, found = joins.conditions(match)
    inside = {**scope, **new}
    near = names_in(match.paths)
    conditions = [_hoisted(state, sent_value(state, one, inside), set(new), inside, near) for one in found]
    conditions += joins.apart(match)
    if len(joins.connected(match)) > 1:
        raise state.refuse(part.place, "patterns that share no node in a subquery", "use one subquery for each")
    if joins.two_trails(match) is not None:
        raise state.refuse(part.place, "two patterns of variable length in one subquery", "use one for each")
    match = replace(match, where=joined(conditions))
    tied = any(names_in(one) & (scope.keys() | state.hoists.keys()) for one in conditions)
    if len(joins.links(match.paths)) > 1 and not tied:
        match = joins.hinted(match, scope, state.schema)
    if part.word == "COUNT":
        for name in names_in(match) & scope.keys():
            _touch(state, name, scope, part)
    return replace(part, match=match)


def _touch(state: State, name: str, scope: Scope, part: Subquery) -> None:
    """Have a node's key read where it is matched: the COUNT { } of a node that is not read loses its zeros."""
    bound = scope[name]
    if bound.kind != "node":
        return
    if name not in state.scope:
        # Bound by the clause under way, which gets the test with its conditions.
        state.touched.add(name)
        return
    test = None if bound.origin is None else _key_test(state, bound.origin[1], bound)
    if bound.origin is None or test is None:
        raise state.refuse(part.place, "COUNT { } of a node that was not matched by its label before", "match it first")
    sent = state.sent[bound.origin[0]]
    assert isinstance(sent, Match)
    conditions = conjuncts(sent.where)
    if test not in conditions:
        state.sent[bound.origin[0]] = replace(sent, where=joined([*conditions, test]))


def key_tests(state: State, new: Scope, clause: Match) -> list[Expression]:
    """Conditions that read the keys of nodes whose links are counted."""
    tests = {name: _key_test(state, name, new[name]) for name in sorted(state.touched)}
    state.touched = set()
    if tests and (clause.optional or None in tests.values()):
        raise state.refuse(
            clause.place, "COUNT { } of a node without a label, or that may be missing", "match it first"
        )
    return [test for test in tests.values() if test is not None]


def _key_test(state: State, name: str, bound: Bound) -> Expression | None:
    if len(bound.labels) != 1 or bound.labels[0] not in state.schema.keys:
        return None
    return NullTest(Property(Variable(name), state.schema.keys[bound.labels[0]]), negated=True)


def _hoisted(state: State, condition: Expression, inner: set[str], scope: Scope, near: set[str]) -> Expression:
    """A condition inside a subquery or OPTIONAL MATCH with its outer values computed before.

    The database joins on the outer values that such a condition uses, and a null never joins: right where a null
    makes the condition fail anyway, wrong everywhere else. There a value travels as two that are never null. Of
    nodes that are not in the pattern itself (`near`) it cannot read anything there.
    """
    far = names_in(condition) & scope.keys() - near - inner
    if _fails_on_null(condition) and not far:
        return condition

    def change(part: Any) -> Any:
        names = names_in(part) & scope.keys()
        if not names or names & inner or not isinstance(part, Expression):
            return part
        if isinstance(part, Variable) and scope[part.name].kind != "value":
            if part.name not in near:
                raise state.refuse(part.place, f"{part.name} is not in the subquery's pattern", "compare keys instead")
            return part
        if _never_null(part):
            return state.hoist(part)
        kind = state.values(scope).type_of(part)
        if kind not in _DEFAULTS:
            raise state.refuse(part.place, "a value from outside a subquery that may be null", "compute it in a WITH")
        default = Literal(_DEFAULTS[kind], kind)
        missing, value = NullTest(part, negated=False), Call("coalesce", (part, default))
        return Case(None, ((state.hoist(missing), Literal("null", "null")),), state.hoist(value))

    return _from_the_top(condition, change)


def _never_null(part: Expression) -> bool:
    if isinstance(part, NullTest | Subquery):
        return True
    return (
        isinstance(part, Operation)
        and part.operator in ("AND", "OR", "NOT", "XOR")
        and all(map(_never_null, part.operands))
    )


def _fails_on_null(condition: Expression) -> bool:
    """Whether a condition cannot hold while a value in it is null: a plain comparison."""
    if not isinstance(condition, Operation) or condition.operator not in _COMPARISONS:
        return False
    plain = (Literal, Variable, Property, Operation, Parameter)
    parts = [part for operand in condition.operands for part in walk(operand) if isinstance(part, Expression)]
    return all(isinstance(part, plain) for part in parts) and not any(
        isinstance(part, Operation) and part.operator not in _ARITHMETIC for part in parts
    )


def _from_the_top(expression: Expression, change: Any) -> Any:
    """Apply `change` to parts from the top; a part that it replaces is not looked into."""
    made = change(expression)
    if made is not expression:
        return made

    def inner(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(map(inner, value))
        return _from_the_top(value, change) if isinstance(value, Expression) else value

    changed = {each.name: inner(getattr(expression, each.name)) for each in fields(expression)}
    return replace(expression, **changed)
