"""Patterns in a form that the embedded database joins rightly.

It answers patterns of several hops wrongly where pages and links are filtered: it joins in an order of its own and
masks rows that it still needs. Told the order (a join hint over everything named), it is right. Neo4j never matches a
link twice within one MATCH; here that is a condition.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from cypher import quote_identifier
from graphdb.ladybug.rewrite.scope import Schema, Scope, bound_by, names_in
from graphdb.ladybug.rewrite.values import conjuncts
from graphdb.statements.tree import (
    Call,
    Expression,
    Match,
    Node,
    Operation,
    Path,
    Property,
    Relationship,
    Tree,
    Variable,
)

__all__ = [
    "apart",
    "conditions",
    "connected",
    "cyclic",
    "gives_key",
    "hinted",
    "labelled",
    "links",
    "named",
    "two_trails",
]

Link = tuple[str, Relationship, str]
"""A relationship between two nodes, all of them named."""


def named(match: Match, fresh: Iterator[str]) -> Match:
    """The pattern with a name for everything."""

    def name(step: Node | Relationship) -> Node | Relationship:
        return step if step.name is not None else replace(step, name=next(fresh))

    paths = tuple(replace(path, steps=tuple(map(name, path.steps))) for path in match.paths)
    return replace(match, paths=paths)


def labelled(match: Match, scope: Scope, schema: Schema) -> Match:
    """The pattern with a label on every node that its links leave no choice: ``id`` is a number of pages alone."""
    implied: dict[str, set[str]] = {}
    for left, step, right in links(match.paths):
        if not step.types or any(one not in schema.ends for one in step.types):
            continue
        if step.hops is not None and (step.hops[0] == 0 or any(len(set(schema.ends[one])) > 1 for one in step.types)):
            continue
        sources = {schema.ends[one][0] for one in step.types}
        targets = {schema.ends[one][1] for one in step.types}
        if step.direction == "--":
            sources = targets = sources | targets
        elif step.direction == "<-":
            sources, targets = targets, sources
        for name, labels in ((left, sources), (right, targets)):
            implied[name] = implied.get(name, labels) & labels

    def label(step: Node | Relationship) -> Node | Relationship:
        known = implied.get(str(step.name), set())
        if isinstance(step, Node) and not step.labels and step.name not in scope and len(known) == 1:
            return replace(step, labels=tuple(known))
        return step

    paths = tuple(replace(path, steps=tuple(map(label, path.steps))) for path in match.paths)
    return replace(match, paths=paths)


def conditions(match: Match) -> tuple[Match, list[Expression]]:
    """The pattern without its maps, and their conditions with those of WHERE."""
    found: list[Expression] = []

    def bare(step: Node | Relationship) -> Node | Relationship:
        if step.properties is None or (isinstance(step, Relationship) and step.hops is not None):
            return step
        assert step.name is not None
        for key, value in step.properties.items:
            held = Property(Variable(step.name, place=step.place), key, place=step.place)
            found.append(Operation("=", (held, value), place=step.place))
        return replace(step, properties=None)

    paths = tuple(replace(path, steps=tuple(map(bare, path.steps))) for path in match.paths)
    return replace(match, paths=paths, where=None), [*found, *conjuncts(match.where)]


def links(paths: Sequence[Path]) -> list[Link]:
    """The relationships of paths with the names of their ends, in the direction of the pattern."""
    found = []
    for path in paths:
        for place in range(1, len(path.steps), 2):
            left, step, right = path.steps[place - 1 : place + 2]
            assert isinstance(step, Relationship)
            found.append((str(left.name), step, str(right.name)))
    return found


def apart(match: Match) -> list[Expression]:
    """Conditions that no two relationships of a pattern are the same link."""
    found: list[Expression] = []
    everything = links(match.paths)
    for one, other in combinations(everything, 2):
        if not _same_type(one[1], other[1]) or not _may_coincide(one, other, everything):
            continue
        first, second = Variable(str(one[1].name)), Variable(str(other[1].name))
        if one[1].hops is None and other[1].hops is None:
            found.append(Operation("<>", (Call("id", (first,)), Call("id", (second,)))))
        else:
            trail, link = (first, second) if one[1].hops is not None else (second, first)
            held = Call("list_contains", (Call("rels", (trail,)), link))
            found.append(Operation("NOT", (held,)))
    return found


def two_trails(match: Match) -> Relationship | None:
    """A second pattern of variable length whose links could be those of another: nothing tells them apart here."""
    trails = [step for _, step, _ in links(match.paths) if step.hops is not None]
    for one, other in combinations(trails, 2):
        if _same_type(one, other):
            return other
    return None


def _same_type(one: Relationship, other: Relationship) -> bool:
    return not one.types or not other.types or bool(set(one.types) & set(other.types))


def _may_coincide(one: Link, other: Link, everything: list[Link]) -> bool:
    """Whether two links can be the same one in a graph where no page links to itself."""
    if one[1].hops is not None or other[1].hops is not None:
        return True
    ends = [(one[0], one[2]) if one[1].direction != "<-" else (one[2], one[0])]
    others = [(other[0], other[2]) if other[1].direction != "<-" else (other[2], other[0])]
    if "--" in (one[1].direction, other[1].direction):
        others += [others[0][::-1]]
    return any(_merges(ends[0], two, everything) for two in others)


def _merges(one: tuple[str, str], other: tuple[str, str], everything: list[Link]) -> bool:
    """Whether the ends of two links can be the same pages without making some link a page's link to itself."""
    groups: dict[str, set[str]] = {}
    for name, twin in ((one[0], other[0]), (one[1], other[1])):
        merged = groups.get(name, {name}) | groups.get(twin, {twin})
        groups.update(dict.fromkeys(merged, merged))
    return not any(right in groups.get(left, {left}) for left, step, right in everything if step.hops is None)


def connected(match: Match) -> list[Match]:
    """The parts of a pattern that have no node in common, as patterns of their own, without conditions."""
    groups: list[tuple[set[str], list[Path]]] = []
    for path in match.paths:
        nodes = {str(node.name) for node in path.nodes}
        touching = [group for group in groups if group[0] & nodes]
        merged = (nodes.union(*(group[0] for group in touching)), [one for group in touching for one in group[1]])
        merged[1].append(path)
        groups = [group for group in groups if group not in touching] + [merged]
    return [replace(match, paths=tuple(paths), where=None) for _, paths in groups]


def cyclic(match: Match, scope: Scope) -> bool:
    """Whether links close a circle, also over nodes bound before: joined in another order, it crashes on anchors."""
    nodes = {str(node.name) for path in match.paths for node in path.nodes}
    return len(links(match.paths)) >= len(nodes) or len(nodes & scope.keys()) > 1


def hinted(match: Match, scope: Scope, schema: Schema) -> Match:
    """The pattern with the order in which to join it, from the node that is known best."""
    waiting = links(match.paths)
    if not waiting:
        return match
    start = _best_start(match, scope, schema)
    there, order = {start}, [start]
    while waiting:
        link = next(link for link in waiting if link[0] in there or link[2] in there)
        waiting.remove(link)
        order.append(str(link[1].name))
        for end in (link[0], link[2]):
            if end not in there:
                there.add(end)
                order.append(end)
    hint = quote_identifier(order[0])
    for name in order[1:]:
        hint = f"({hint} JOIN {quote_identifier(name)})"
    return replace(match, hint=hint[1:-1])


def _best_start(match: Match, scope: Scope, schema: Schema) -> str:
    """The node to begin with: its key is given, it is bound already, it has a condition; else the first."""
    nodes = {str(node.name): None for path in match.paths for node in path.nodes}
    here = {**scope, **bound_by(match, scope)}
    keyed, filtered = set(), set()
    for condition in conjuncts(match.where):
        used = names_in(condition) & nodes.keys()
        if len(used) == 1:
            filtered |= used
        keyed.add(gives_key(condition, here, schema))

    def worth(name: str) -> int:
        return 0 if name in keyed else 1 if name in scope else 2 if name in filtered else 3

    return min(nodes, key=worth)


def gives_key(condition: Tree, scope: Scope, schema: Schema) -> str | None:
    """The node whose key a condition gives: ``p.id = 5``, ``p.id = other.x``; `None` for every other condition."""
    if not isinstance(condition, Operation) or condition.operator != "=":
        return None
    for side, other in (condition.operands, condition.operands[::-1]):
        if isinstance(side, Property) and isinstance(side.of, Variable) and side.of.name not in names_in(other):
            bound = scope.get(side.of.name)
            if bound is not None and side.key in {schema.keys.get(label) for label in bound.labels}:
                return side.of.name
    return None
