"""Reading patterns: paths of nodes and relationships, and subqueries that match them."""

from __future__ import annotations

from seedrank.graphdb.statements.cursor import Cursor
from seedrank.graphdb.statements.expressions import expression, label_term, map_of, name_of
from seedrank.graphdb.statements.tree import (
    MapOf,
    Match,
    Node,
    Path,
    PatternComprehension,
    Query,
    Relationship,
    Subquery,
)

__all__ = ["follows_pattern", "path", "paths", "pattern_comprehension", "pattern_test", "subquery"]

_SHORTEST = {"SHORTESTPATH": "shortestPath", "ALLSHORTESTPATHS": "allShortestPaths"}
_Hops = tuple[int | None, int | None]


def paths(cursor: Cursor) -> tuple[Path, ...]:
    """Paths with commas between them."""
    found = [path(cursor)]
    while cursor.skip(","):
        found.append(path(cursor))
    return tuple(found)


def path(cursor: Cursor) -> Path:
    """``[name =] (a)-[r]->(b)…``, perhaps within ``shortestPath( )`` or after ``SHORTEST 1``."""
    place = cursor.token.start
    name = None
    if cursor.token.kind in ("word", "quoted") and cursor.peek().upper == "=":
        name = name_of(cursor)
        cursor.expect("=")
    selector = _selector(cursor)
    if selector is not None:
        return Path(name, _steps(cursor), selector, place=place)
    shortest = _SHORTEST.get(cursor.token.upper)
    if shortest is None:
        return Path(name, _steps(cursor), place=place)
    cursor.take()
    cursor.expect("(")
    steps = _steps(cursor)
    cursor.expect(")")
    return Path(name, steps, shortest, place=place)


def follows_pattern(cursor: Cursor, ahead: int = 0) -> bool:
    """Whether the bracket that comes next opens a pattern with at least one relationship."""
    depth = 0
    while True:
        token = cursor.peek(ahead)
        if token.kind == "end":
            return False
        depth += {"(": 1, ")": -1}.get(token.upper, 0)
        ahead += 1
        if depth == 0:
            break
    if cursor.peek(ahead - 1).upper != ")":
        return False
    if cursor.peek(ahead).upper == "<":
        ahead += 1
    return cursor.peek(ahead).upper == "-" and cursor.peek(ahead + 1).upper in ("-", "[")


def pattern_test(cursor: Cursor) -> Subquery:
    """A pattern as a condition: there is such a path."""
    place = cursor.token.start
    return Subquery("EXISTS", (_matching(Match((path(cursor),), place=place)),), place=place)


def pattern_comprehension(cursor: Cursor, place: int) -> PatternComprehension | None:
    """``[path WHERE … | value]`` after its bracket; nothing where it is a list of conditions."""
    start = cursor.place
    matched = path(cursor)
    condition = expression(cursor) if cursor.skip("WHERE") else None
    if condition is None and not cursor.at("|"):
        cursor.place = start
        return None
    cursor.expect("|")
    value = expression(cursor)
    cursor.expect("]")
    return PatternComprehension(matched, condition, value, place=place)


def subquery(cursor: Cursor) -> Subquery:
    """``EXISTS { [MATCH] paths [WHERE …] }``, ``COUNT { … }``, ``COLLECT { … RETURN x }``."""
    from seedrank.graphdb.statements.reader import queries

    token = cursor.take()
    with cursor.deeper():
        cursor.expect("{")
        if cursor.at("(") or cursor.peek().upper == "=":
            place = cursor.token.start
            matched = paths(cursor)
            where = expression(cursor) if cursor.skip("WHERE") else None
            made = Subquery(token.upper, (_matching(Match(matched, where, place=place)),), place=token.start)
        else:
            made = Subquery(token.upper, *queries(cursor), place=token.start)
        cursor.expect("}")
    return made


def _matching(match: Match) -> Query:
    return Query((match,), place=match.place)


def _selector(cursor: Cursor) -> str | None:
    """``SHORTEST 1``, ``ANY [SHORTEST]``, ``ALL SHORTEST`` before a pattern; ``ALL`` alone says nothing."""
    if not cursor.at("ANY") and not cursor.at("ALL") and not cursor.at("SHORTEST"):
        return None
    if cursor.skip("ALL", "SHORTEST"):
        found = "ALL SHORTEST"
    elif cursor.skip("ALL"):
        return None
    else:
        if not cursor.skip("ANY"):
            cursor.expect("SHORTEST")
        else:
            cursor.skip("SHORTEST")
        if cursor.token.kind == "number" and cursor.take().text != "1":
            raise cursor.unreadable("several shortest paths are not known here", "use SHORTEST 1 or ALL SHORTEST")
        found = "SHORTEST 1"
    cursor.skip("PATH") or cursor.skip("PATHS")
    return found


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
    if cursor.at("("):
        raise cursor.unreadable("a quantified path is not known here", "use -[:LINKS_TO*1..3]->")
    name = name_of(cursor) if cursor.token.kind in ("word", "quoted") and not _at_where(cursor) else None
    labels = label_term(cursor) if cursor.skip(":") else None
    properties = _properties(cursor)
    where = expression(cursor) if cursor.skip("WHERE") else None
    cursor.expect(")")
    return Node(name, labels, properties, where, place=place)


def _relationship(cursor: Cursor) -> Relationship:
    place = cursor.token.start
    backwards = cursor.skip("<")
    cursor.expect("-")
    name, types, properties, hops, where = None, None, None, None, None
    if cursor.skip("["):
        name = name_of(cursor) if cursor.token.kind in ("word", "quoted") and not _at_where(cursor) else None
        types = label_term(cursor, colon=False) if cursor.skip(":") else None
        hops = _hops(cursor)
        properties = _properties(cursor)
        where = expression(cursor) if cursor.skip("WHERE") else None
        cursor.expect("]")
    cursor.expect("-")
    forwards = cursor.skip(">")
    direction = "--" if forwards == backwards else "->" if forwards else "<-"
    return Relationship(name, types, properties, direction, _quantifier(cursor) or hops, where, place=place)


def _at_where(cursor: Cursor) -> bool:
    """Whether the next word is WHERE and not a name."""
    return cursor.at("WHERE") and cursor.peek().upper not in (":", ")", "]", "{", "*")


def _hops(cursor: Cursor) -> _Hops | None:
    """``*``, ``*2``, ``*1..3``, ``*..3``, ``*2..``."""
    if not cursor.skip("*"):
        return None
    low = _whole(cursor)
    if cursor.skip(".."):
        return low, _whole(cursor)
    return (None, None) if low is None else (low, low)


def _quantifier(cursor: Cursor) -> _Hops | None:
    """``+``, ``*``, ``{2}``, ``{1,3}`` after an arrow."""
    if cursor.skip("+"):
        return 1, None
    if cursor.skip("*"):
        return 0, None
    if not cursor.skip("{"):
        return None
    low = _whole(cursor)
    high = low
    if cursor.skip(","):
        low, high = low or 0, _whole(cursor)
    cursor.expect("}")
    return low, high


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
