"""Reading a statement that reads: its clauses, top to bottom. What cannot be read is refused with its place."""

from __future__ import annotations

from seedrank.graphdb.statements.cursor import Cursor
from seedrank.graphdb.statements.expressions import expression, name_of
from seedrank.graphdb.statements.patterns import paths
from seedrank.graphdb.statements.tokens import WRITING, Token, refuse
from seedrank.graphdb.statements.tree import (
    CallSubquery,
    Clause,
    Match,
    Order,
    Projection,
    ProjectionItem,
    Query,
    Statement,
    Unwind,
)

__all__ = ["queries", "read"]


def read(statement: str, tokens: list[Token]) -> Statement:
    """A statement as a tree.

    Parameters
    ----------
    tokens
        Its tokens, as `seedrank.graphdb.statements.tokens.tokens` gives them.
    """
    cursor = Cursor(statement, tokens)
    if cursor.at("EXPLAIN") or cursor.at("PROFILE"):
        hint = "leave it out, and ask for the SQL of the statement"
        raise refuse(statement, 0, f"{cursor.token.upper} is Neo4j's", hint)
    found, union_all = queries(cursor)
    cursor.skip(";")
    if cursor.token.kind != "end":
        raise cursor.unreadable("the end of the statement is expected")
    return Statement(found, union_all)


def queries(cursor: Cursor) -> tuple[tuple[Query, ...], bool]:
    """Queries with ``UNION`` between them, and whether it is ``UNION ALL``."""
    found, unions = [_query(cursor)], []
    while cursor.skip("UNION"):
        unions.append(cursor.skip("ALL"))
        if not unions[-1]:
            cursor.skip("DISTINCT")
        found.append(_query(cursor))
    if len(set(unions)) > 1:
        raise cursor.unreadable("UNION and UNION ALL cannot be mixed")
    return tuple(found), bool(unions and unions[0])


def _query(cursor: Cursor) -> Query:
    place = cursor.token.start
    clauses = [_clause(cursor)]
    while cursor.token.kind != "end" and cursor.token.upper not in (";", "UNION", "}"):
        clauses.append(_clause(cursor))
    return Query(tuple(clauses), place=place)


def _clause(cursor: Cursor) -> Clause:
    word = cursor.token.upper
    if word in ("MATCH", "OPTIONAL"):
        return _match(cursor)
    if word in ("WITH", "RETURN"):
        return _projection(cursor)
    if word == "UNWIND":
        return _unwind(cursor)
    if word == "CALL":
        return _call(cursor)
    if word in WRITING:
        raise refuse(
            cursor.statement,
            cursor.token.start,
            f"{word} changes the graph, and Cypher only reads an embedded store",
            "load what is to change, or use Neo4j",
        )
    raise cursor.unreadable("a clause such as MATCH, WITH or RETURN is expected")


def _match(cursor: Cursor) -> Match:
    place = cursor.token.start
    optional = cursor.skip("OPTIONAL")
    cursor.expect("MATCH")
    matched = paths(cursor)
    where = expression(cursor) if cursor.skip("WHERE") else None
    return Match(matched, where, optional, place=place)


def _projection(cursor: Cursor) -> Projection:
    token = cursor.take()
    distinct = cursor.skip("DISTINCT")
    star = False
    items: list[ProjectionItem] = []
    if cursor.skip("*"):
        star = True
    else:
        items.append(_item(cursor))
    while cursor.skip(","):
        items.append(_item(cursor))
    order: list[Order] = []
    if cursor.skip("ORDER"):
        cursor.expect("BY")
        order.append(_order(cursor))
        while cursor.skip(","):
            order.append(_order(cursor))
    skip = expression(cursor) if cursor.skip("SKIP") or cursor.skip("OFFSET") else None
    limit = expression(cursor) if cursor.skip("LIMIT") else None
    where = expression(cursor) if token.upper == "WITH" and cursor.skip("WHERE") else None
    return Projection(token.upper, tuple(items), distinct, star, tuple(order), skip, limit, where, place=token.start)


def _item(cursor: Cursor) -> ProjectionItem:
    place = cursor.token.start
    value = expression(cursor)
    text = cursor.since(place)
    name = name_of(cursor) if cursor.skip("AS") else None
    return ProjectionItem(value, name, text, place=place)


def _order(cursor: Cursor) -> Order:
    place = cursor.token.start
    value = expression(cursor)
    descending = cursor.skip("DESC") or cursor.skip("DESCENDING")
    if not descending:
        cursor.skip("ASC") or cursor.skip("ASCENDING")
    return Order(value, descending, place=place)


def _unwind(cursor: Cursor) -> Unwind:
    place = cursor.expect("UNWIND").start
    of = expression(cursor)
    cursor.expect("AS")
    return Unwind(of, name_of(cursor), place=place)


def _call(cursor: Cursor) -> CallSubquery:
    place = cursor.expect("CALL").start
    if cursor.token.upper not in ("{", "("):
        raise cursor.unreadable("procedures are Neo4j's", "use CALL { … }")
    imports: list[str] | None = None
    if cursor.skip("("):
        imports = []
        while not cursor.at(")"):
            if imports:
                cursor.expect(",")
            imports.append(name_of(cursor))
        cursor.expect(")")
    with cursor.deeper():
        cursor.expect("{")
        found, union_all = queries(cursor)
        cursor.expect("}")
    if cursor.at("IN") and cursor.peek().upper in ("TRANSACTIONS", "CONCURRENT"):
        raise cursor.unreadable("CALL { } IN TRANSACTIONS is for writing", "leave it out")
    return CallSubquery(found, union_all, None if imports is None else tuple(imports), place=place)
