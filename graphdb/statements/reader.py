"""Reading a statement: its clauses, top to bottom. What cannot be read is refused with its place."""

from __future__ import annotations

from graphdb.statements.cursor import Cursor
from graphdb.statements.expressions import expression, name_of
from graphdb.statements.patterns import path, paths
from graphdb.statements.tokens import Token
from graphdb.statements.tree import (
    Clause,
    Create,
    Delete,
    Expression,
    Match,
    Merge,
    Order,
    Procedure,
    Projection,
    ProjectionItem,
    Property,
    Query,
    Remove,
    Set,
    SetItem,
    Statement,
    Unwind,
    Variable,
)

__all__ = ["read"]


def read(statement: str, tokens: list[Token]) -> Statement:
    """A statement as a tree.

    Parameters
    ----------
    statement
        Its text.
    tokens
        Its tokens, as `graphdb.statements.tokens.tokens` gives them.
    """
    cursor = Cursor(statement, tokens)
    looking = cursor.take().upper if cursor.token.upper in ("EXPLAIN", "PROFILE") else None
    queries, unions = [_query(cursor)], []
    while cursor.skip("UNION"):
        unions.append(cursor.skip("ALL"))
        queries.append(_query(cursor))
    if len(set(unions)) > 1:
        raise cursor.unreadable("UNION and UNION ALL cannot be mixed")
    cursor.skip(";")
    if cursor.token.kind != "end":
        raise cursor.unreadable("the end of the statement is expected")
    return Statement(tuple(queries), bool(unions and unions[0]), looking, statement)


def _query(cursor: Cursor) -> Query:
    place = cursor.token.start
    clauses = [_clause(cursor)]
    while cursor.token.kind != "end" and not cursor.at(";") and not cursor.at("UNION"):
        clauses.append(_clause(cursor))
    return Query(tuple(clauses), place=place)


def _clause(cursor: Cursor) -> Clause:
    word = cursor.token.upper
    if word in ("MATCH", "OPTIONAL"):
        return _match(cursor)
    if word in ("WITH", "RETURN"):
        return _projection(cursor)
    for name, read_clause in (
        ("UNWIND", _unwind),
        ("CALL", _procedure),
        ("CREATE", _create),
        ("MERGE", _merge),
        ("SET", _set),
        ("DETACH", _delete),
        ("DELETE", _delete),
        ("REMOVE", _remove),
    ):
        if word == name:
            return read_clause(cursor)
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


def _procedure(cursor: Cursor) -> Procedure:
    place = cursor.expect("CALL").start
    if cursor.token.upper in ("{", "("):
        raise cursor.unreadable("CALL { } is not known to the embedded store", "use WITH")
    words = [name_of(cursor)]
    while cursor.skip("."):
        words.append(name_of(cursor))
    cursor.expect("(")
    arguments: list[Expression] = []
    while not cursor.at(")"):
        if arguments:
            cursor.expect(",")
        arguments.append(expression(cursor))
    cursor.expect(")")
    yields: list[tuple[str, str | None]] = []
    if cursor.skip("YIELD"):
        while True:
            name = name_of(cursor)
            yields.append((name, name_of(cursor) if cursor.skip("AS") else None))
            if not cursor.skip(","):
                break
    where = expression(cursor) if cursor.skip("WHERE") else None
    return Procedure(".".join(words).lower(), tuple(arguments), tuple(yields), where, place=place)


def _create(cursor: Cursor) -> Create:
    place = cursor.expect("CREATE").start
    return Create(paths(cursor), place=place)


def _merge(cursor: Cursor) -> Merge:
    place = cursor.expect("MERGE").start
    merged = path(cursor)
    actions = []
    while cursor.skip("ON"):
        word = cursor.take().upper
        if word not in ("CREATE", "MATCH"):
            raise cursor.unreadable("ON CREATE or ON MATCH is expected")
        actions.append((word, _set(cursor)))
    return Merge(merged, tuple(actions), place=place)


def _set(cursor: Cursor) -> Set:
    place = cursor.expect("SET").start
    items = []
    while True:
        start = cursor.token.start
        # The target is read as far as the point: `a.b = c` is no comparison here.
        target = _target(cursor)
        operator = "+=" if cursor.skip("+=") else cursor.expect("=").text
        items.append(SetItem(target, operator, expression(cursor), place=start))
        if not cursor.skip(","):
            return Set(tuple(items), place=place)


def _target(cursor: Cursor) -> Variable | Property:
    place = cursor.token.start
    target: Variable | Property = Variable(name_of(cursor), place=place)
    while cursor.skip("."):
        target = Property(target, name_of(cursor), place=place)
    return target


def _delete(cursor: Cursor) -> Delete:
    place = cursor.token.start
    detach = cursor.skip("DETACH")
    cursor.expect("DELETE")
    values = [expression(cursor)]
    while cursor.skip(","):
        values.append(expression(cursor))
    return Delete(tuple(values), detach, place=place)


def _remove(cursor: Cursor) -> Remove:
    place = cursor.expect("REMOVE").start
    values: list[Variable | Property] = [_target(cursor)]
    while cursor.skip(","):
        values.append(_target(cursor))
    return Remove(tuple(values), place=place)
