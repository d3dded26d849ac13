"""MATCH: patterns joined in a stated order, conditions where they are not lost."""

from __future__ import annotations

from dataclasses import replace

from graphdb.ladybug.rewrite import joins
from graphdb.ladybug.rewrite.patterns import checked
from graphdb.ladybug.rewrite.scope import Scope, bound_by, names_in
from graphdb.ladybug.rewrite.state import State
from graphdb.ladybug.rewrite.subqueries import key_tests, sent_value
from graphdb.ladybug.rewrite.values import joined
from graphdb.statements.tree import Clause, Expression, Match, Node, Path, rebuilt

__all__ = ["links_around", "send_match"]


def send_match(state: State, clause: Match, links: int) -> None:
    """Write a MATCH anew.

    Parameters
    ----------
    state
        The query under way.
    clause
        The clause.
    links
        Relationships in the run of MATCH clauses it belongs to (`links_around`).
    """
    pattern = joins.labelled(joins.named(checked(state, clause), state.fresh), state.scope, state.schema)
    new = bound_by(pattern, state.scope, optional=clause.optional)
    anonymous = {name for name in new if name.startswith("_")} - names_in(clause.paths)
    scope = {**state.scope, **new}
    pattern, found = joins.conditions(pattern)
    conditions = [sent_value(state, one, scope, inner=set(new) if clause.optional else set()) for one in found]
    conditions += [*joins.apart(pattern), *key_tests(state, new, clause)]
    late = _hoists_after(state, clause, new)
    scope = {**state.scope, **new}
    if state.projected and not clause.optional and links:
        # After a WITH the database masks rows by conditions that stand in the pattern, and loses some of them:
        # nodes whose key is given are matched first, and the other conditions come after the pattern.
        pattern, conditions = _match_keyed(state, pattern, conditions, new)
        after, links = conditions, 0
    else:
        after = [one for one in conditions if names_in(one) & late.keys()]
    _send(state, pattern, [one for one in conditions if one not in after], scope, links)
    for name, bound in new.items():
        if bound.kind == "node" and not clause.optional:
            bound = replace(bound, origin=(_bound_at(state, name), name))
        state.scope.setdefault(name, bound)
    state.hidden |= anonymous
    if after or late:
        state.carry(late, joined(after))


def _hoists_after(state: State, clause: Match, new: Scope) -> dict[str, Expression]:
    """Send what can be computed before the clause; returns what uses the names it binds."""
    early = {name: test for name, test in state.hoists.items() if not names_in(test) & new.keys()}
    late = {name: test for name, test in state.hoists.items() if name not in early}
    state.hoists = {}
    if early:
        state.carry(early)
    if late and clause.optional:
        raise state.refuse(
            clause.place, "a subquery of an OPTIONAL MATCH that looks at its own nodes is wrong here", "test it after"
        )
    return late


def _match_keyed(
    state: State, match: Match, conditions: list[Expression], new: Scope
) -> tuple[Match, list[Expression]]:
    """Match the new nodes whose key is known by themselves; returns the rest of the pattern and its conditions."""
    scope = {**state.scope, **new}
    left = []
    for condition in conditions:
        name = joins.gives_key(condition, scope, state.schema)
        if name not in new or not names_in(condition) <= state.scope.keys() | {name}:
            left.append(condition)
            continue
        node = Node(name, new[name].labels, None)
        state.sent.append(Match((Path(None, (node,)),), condition))
        state.scope[name] = replace(new[name], origin=(len(state.sent) - 1, name))
    if len(left) < len(conditions):
        state.carry({})
    bare = rebuilt(match, lambda part: replace(part, labels=()) if _is_bound(part, state.scope) else part)
    return bare, left


def _send(state: State, pattern: Match, conditions: list[Expression], scope: Scope, links: int) -> None:
    twin = joins.two_trails(pattern)
    if twin is not None:
        raise state.refuse(twin.place, "two patterns of variable length in one MATCH may share links", "use two MATCH")
    parts = joins.connected(pattern)
    if pattern.optional and len(parts) > 1:
        raise state.refuse(pattern.place, "an OPTIONAL MATCH of patterns that share no node", "use two OPTIONAL MATCH")
    known = set(state.scope)
    for place, part in enumerate(parts):
        known |= bound_by(part, {}).keys()
        last = place == len(parts) - 1
        held = [one for one in conditions if last or names_in(one) & scope.keys() <= known]
        conditions = [one for one in conditions if one not in held]
        part = replace(part, where=joined(held))
        # A hint on an optional pattern takes no conditions on what was matched before.
        tied = pattern.optional and any(names_in(one) & state.scope.keys() for one in held)
        if tied and joins.cyclic(part, state.scope):
            raise state.refuse(
                pattern.place,
                "an OPTIONAL MATCH that closes a circle, with a condition on what was matched before",
                "test it in a WITH after the pattern",
            )
        hint = (links > 1 and not tied) or joins.cyclic(part, state.scope)
        state.sent.append(joins.hinted(part, state.scope, state.schema) if hint else part)


def _bound_at(state: State, name: str) -> int:
    """The place of the clause just sent that binds a node."""
    return max(place for place, one in enumerate(state.sent) if isinstance(one, Match) and name in names_in(one.paths))


def links_around(clauses: tuple[Clause, ...], place: int) -> int:
    """Relationships in the run of MATCH clauses around one of them: the database joins them together."""
    first = last = place
    while first > 0 and isinstance(clauses[first - 1], Match):
        first -= 1
    while last + 1 < len(clauses) and isinstance(clauses[last + 1], Match):
        last += 1
    run = [clause for clause in clauses[first : last + 1] if isinstance(clause, Match)]
    return sum(len(path.relationships) for clause in run for path in clause.paths)


def _is_bound(part: object, scope: Scope) -> bool:
    return isinstance(part, Node) and part.name in scope
