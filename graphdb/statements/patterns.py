"""Reading patterns: paths of nodes and relationships, and subqueries that match them."""

from __future__ import annotations

from graphdb.statements.cursor import Cursor
from graphdb.statements.expressions import expression, map_of, name_of
from graphdb.statements.tree import MapOf, Match, Node, Path, Relationship, Subquery

__all__ = ["follows_pattern", "path", "paths", "pattern_test", "subquery"]

_MODES = ("ALL SHORTEST", "SHORTEST", "TRAIL", "ACYCLIC")
_SHORTEST = {"SHORTESTPATH": "shortestPath", "ALLSHORTESTPATHS": "allShortestPaths"}


def paths(cursor: Cursor) -> tuple[Path, ...]:
    """Paths with commas between them."""
    found = [path(cursor)]
    while cursor.skip(","):
        found.append(path(cursor))
    return tuple(found)


def path(cursor: Cursor) -> Path:
    """``[name =] (a)-[r]->(b)…``, perhaps within ``shortestPath( )``."""
    place = cursor.token.start
    name = None
    if cursor.token.kind in ("word", "quoted") and cursor.peek().upper == "=":
        name = name_of(cursor)
        cursor.expect("=")
    shortest = _SHORTEST.get(cursor.token.upper)
    if shortest is None:
        return Path(name, _steps(cursor), place=place)
    cursor.take()
    cursor.expect("(")
    steps = _steps(cursor)
    cursor.expect(")")
    return Path(name, steps, shortest, place=place)


def follows_pattern(cursor: Cursor) -> bool:
    """Whether the bracket that comes next opens a pattern with at least one relationship."""
    depth, ahead = 0, 0
    while True:
        token = cursor.peek(ahead)
        if token.kind == "end":
            return False
        depth += {"(": 1, ")": -1}.get(token.upper, 0)
        ahead += 1
        if depth == 0:
            break
    if cursor.peek(ahead).upper == "<":
        ahead += 1
    return cursor.peek(ahead).upper == "-" and cursor.peek(ahead + 1).upper in ("-", "[")


def pattern_test(cursor: Cursor) -> Subquery:
    """A pattern as a condition: there is such a path."""
    place = cursor.token.start
    return Subquery("EXISTS", Match((path(cursor),), place=place), place=place)


def subquery(cursor: Cursor) -> Subquery:
    """``EXISTS { [MATCH] paths [WHERE …] }``, ``COUNT { … }``."""
    token = cursor.take()
    if token.upper == "COLLECT":
        raise cursor.unreadable("COLLECT { } is not known to the embedded store", "use collect()")
    with cursor.deeper():
        cursor.expect("{")
        place = cursor.token.start
        cursor.skip("MATCH")
        matched = paths(cursor)
        where = expression(cursor) if cursor.skip("WHERE") else None
        if not cursor.at("}"):
            raise cursor.unreadable("a subquery is one MATCH with a WHERE here")
        cursor.expect("}")
    return Subquery(token.upper, Match(matched, where, place=place), place=token.start)


def _steps(cursor: Cursor) -> tuple[Node | Relationship, ...]:
    steps: list[Node | Relationship] = [_node(cursor)]
    while cursor.at("-") or cursor.at("<", "-"):
        steps += [_relationship(cursor), _node(cursor)]
    return tuple(steps)


def _node(cursor: Cursor) -> Node:
    place = cursor.token.start
    if not cursor.at("("):
        raise cursor.unreadable("a node such as (p:Page) is expected")
    cursor.take()
    name = name_of(cursor) if cursor.token.kind in ("word", "quoted") and not cursor.at("WHERE") else None
    labels = []
    while cursor.skip(":"):
        labels.append(name_of(cursor))
        if cursor.token.upper in ("|", "&"):
            raise cursor.unreadable("a node has one label here")
    properties = _properties(cursor)
    if cursor.at("WHERE"):
        raise cursor.unreadable(
            "a WHERE inside a pattern is not known to the embedded store", "put it after the pattern"
        )
    cursor.expect(")")
    return Node(name, tuple(labels), properties, place=place)


def _relationship(cursor: Cursor) -> Relationship:
    place = cursor.token.start
    backwards = cursor.skip("<")
    cursor.expect("-")
    name, types, properties, hops, mode = None, [], None, None, "TRAIL"
    if cursor.skip("["):
        name = name_of(cursor) if cursor.token.kind in ("word", "quoted") and not cursor.at("WHERE") else None
        if cursor.skip(":"):
            types.append(name_of(cursor))
            while cursor.skip("|"):
                cursor.skip(":")
                types.append(name_of(cursor))
        hops, mode = _hops(cursor)
        properties = _properties(cursor)
        if cursor.at("WHERE"):
            raise cursor.unreadable(
                "a WHERE inside a pattern is not known to the embedded store", "put it after the pattern"
            )
        cursor.expect("]")
    cursor.expect("-")
    forwards = cursor.skip(">")
    direction = "--" if forwards == backwards else "->" if forwards else "<-"
    return Relationship(name, tuple(types), properties, direction, hops, mode, place=place)


def _hops(cursor: Cursor) -> tuple[tuple[int | None, int | None] | None, str]:
    """How many hops, and how the embedded database walks them where the statement says so."""
    if not cursor.skip("*"):
        return None, "TRAIL"
    mode = next((words for words in _MODES if cursor.skip(*words.split())), "TRAIL")
    low = _whole(cursor)
    if cursor.skip(".."):
        return (low, _whole(cursor)), mode
    return ((None, None) if low is None else (low, low)), mode


def _whole(cursor: Cursor) -> int | None:
    if cursor.token.kind != "number":
        return None
    if not cursor.token.text.isdecimal():
        raise cursor.unreadable("a whole number of hops is expected")
    return int(cursor.take().text)


def _properties(cursor: Cursor) -> MapOf | None:
    if cursor.token.kind == "parameter":
        raise cursor.unreadable("the properties of a pattern are written out here", "such as {id: $id}")
    return map_of(cursor) if cursor.at("{") else None
