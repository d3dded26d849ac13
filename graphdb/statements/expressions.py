"""Reading expressions: openCypher's operators, from the loosest to the tightest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seedrank.core.errors import shorten
from seedrank.graphdb.statements.cursor import Cursor
from seedrank.graphdb.statements.tokens import refuse, unquoted
from seedrank.graphdb.statements.tree import (
    Call,
    Case,
    Comprehension,
    Expression,
    Index,
    Label,
    LabelTerm,
    ListOf,
    Literal,
    MapOf,
    MapProjection,
    NullTest,
    Operation,
    Parameter,
    Property,
    Quantified,
    Reduce,
    Variable,
)

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["expression", "expressions", "label_term", "map_of", "name_of"]

_COMPARING = frozenset({"=", "<>", "<", "<=", ">", ">="})
_QUANTIFIERS = frozenset({"ANY", "ALL", "NONE", "SINGLE"})
_LONGEST = 100
_LEAST = str(2**63)
_CONSTANTS = {"TRUE": "boolean", "FALSE": "boolean", "NULL": "null"}


def expression(cursor: Cursor) -> Expression:
    """An expression of any kind."""
    with cursor.deeper():
        return _several(cursor, "OR", lambda at: _several(at, "XOR", lambda to: _several(to, "AND", _not)))


def map_of(cursor: Cursor) -> MapOf:
    """``{key: value, …}``."""
    place = cursor.expect("{").start
    items: list[tuple[str, Expression]] = []
    while not cursor.at("}"):
        if items:
            cursor.expect(",")
        key = name_of(cursor)
        cursor.expect(":")
        items.append((key, expression(cursor)))
    cursor.expect("}")
    return MapOf(tuple(items), place=place)


def label_term(cursor: Cursor, *, colon: bool = True) -> LabelTerm:
    """Labels or types after a colon: ``A``, ``A|B``, ``A:B`` (both), ``A&!B``, ``%``.

    With `colon` a further colon joins labels that all hold, as on nodes; without, it belongs to an alternative, as in
    ``A|:B`` on relationships.
    """
    place = cursor.token.start
    found = [_label_conjunction(cursor, colon=colon)]
    while cursor.skip("|"):
        cursor.skip(":")
        found.append(_label_conjunction(cursor, colon=colon))
    return found[0] if len(found) == 1 else LabelTerm("|", operands=tuple(found), place=place)


def _label_conjunction(cursor: Cursor, *, colon: bool) -> LabelTerm:
    place = cursor.token.start
    found = [_label_atom(cursor)]
    while cursor.skip("&") or (colon and cursor.skip(":")):
        found.append(_label_atom(cursor))
    return found[0] if len(found) == 1 else LabelTerm("&", operands=tuple(found), place=place)


def _label_atom(cursor: Cursor) -> LabelTerm:
    place = cursor.token.start
    with cursor.deeper():
        if cursor.skip("!"):
            return LabelTerm("!", operands=(_label_atom(cursor),), place=place)
        if cursor.skip("%"):
            return LabelTerm("%", place=place)
        if cursor.skip("("):
            inner = label_term(cursor)
            cursor.expect(")")
            return inner
        return LabelTerm("name", name_of(cursor), place=place)


def name_of(cursor: Cursor) -> str:
    """A name: a word or a quoted one."""
    if cursor.token.kind not in ("word", "quoted"):
        raise cursor.unreadable("a name is expected")
    return unquoted(cursor.take())


def _several(cursor: Cursor, operator: str, tighter: Callable[[Cursor], Expression]) -> Expression:
    place = cursor.token.start
    operands = [tighter(cursor)]
    while cursor.skip(operator):
        operands.append(tighter(cursor))
    return operands[0] if len(operands) == 1 else Operation(operator, tuple(operands), place=place)


def _not(cursor: Cursor) -> Expression:
    place = cursor.token.start
    if cursor.skip("NOT"):
        with cursor.deeper():
            return Operation("NOT", (_not(cursor),), place=place)
    return _comparison(cursor)


def _comparison(cursor: Cursor) -> Expression:
    """``a < b <= c`` means ``a < b AND b <= c``."""
    place = cursor.token.start
    operands, operators = [_tested(cursor)], []
    while cursor.token.upper in _COMPARING:
        operators.append(cursor.take().text)
        operands.append(_tested(cursor))
    pairs = [
        Operation(operator, (left, right), place=place)
        for operator, left, right in zip(operators, operands, operands[1:], strict=False)
    ]
    if not pairs:
        return operands[0]
    return pairs[0] if len(pairs) == 1 else Operation("AND", tuple(pairs), place=place)


def _tested(cursor: Cursor) -> Expression:
    """``IN``, ``STARTS WITH``, ``ENDS WITH``, ``CONTAINS``, ``=~``, ``IS [NOT] NULL``."""
    value = _sum(cursor)
    for _ in range(_LONGEST):
        place = cursor.token.start
        if cursor.skip("IS"):
            negated = cursor.skip("NOT")
            if not cursor.skip("NULL"):
                raise cursor.unreadable("only IS NULL and IS NOT NULL are known here")
            value = NullTest(value, negated, place=place)
        elif cursor.skip("STARTS"):
            cursor.expect("WITH")
            value = Operation("STARTS WITH", (value, _sum(cursor)), place=place)
        elif cursor.skip("ENDS"):
            cursor.expect("WITH")
            value = Operation("ENDS WITH", (value, _sum(cursor)), place=place)
        elif cursor.token.upper in ("IN", "CONTAINS", "=~"):
            value = Operation(cursor.take().upper, (value, _sum(cursor)), place=place)
        else:
            return value
    raise cursor.unreadable(f"a chain of more than {_LONGEST} tests", "use parameters")


def _sum(cursor: Cursor) -> Expression:
    return _chain(cursor, ("+", "-", "||"), lambda at: _chain(at, ("*", "/", "%"), _power))


def _power(cursor: Cursor) -> Expression:
    return _chain(cursor, ("^",), _signed)


def _chain(cursor: Cursor, operators: tuple[str, ...], tighter: Callable[[Cursor], Expression]) -> Expression:
    value = tighter(cursor)
    links = 0
    while cursor.token.upper in operators:
        links += 1
        if links > _LONGEST:
            raise cursor.unreadable(f"a sum of more than {_LONGEST} parts", "use parameters")
        place = cursor.token.start
        value = Operation(cursor.take().text, (value, tighter(cursor)), place=place)
    return value


def _signed(cursor: Cursor) -> Expression:
    place = cursor.token.start
    if cursor.token.upper in ("-", "+"):
        sign = cursor.take().text
        if sign == "-" and cursor.token.text == _LEAST:
            # The least integer is the one whose digits alone are beyond 64 bits.
            return Literal("-" + cursor.take().text, "integer", place=place)
        with cursor.deeper():
            return Operation(sign, (_signed(cursor),), place=place)
    return _postfixed(cursor)


def _postfixed(cursor: Cursor) -> Expression:
    value = _atom(cursor)
    for _ in range(_LONGEST):
        place = cursor.token.start
        if cursor.skip("."):
            value = Property(value, name_of(cursor), place=place)
        elif cursor.skip("["):
            value = _index(cursor, value, place)
        elif cursor.at(":") and isinstance(value, Variable):
            cursor.expect(":")
            value = Label(value, label_term(cursor), place=place)
        elif cursor.at("{") and isinstance(value, Variable):
            value = _map_projection(cursor, value)
        else:
            return value
    raise cursor.unreadable(f"a chain of more than {_LONGEST} parts", "use parameters")


def _index(cursor: Cursor, of: Expression, place: int) -> Expression:
    start = None if cursor.at("..") else expression(cursor)
    if cursor.skip(".."):
        stop = None if cursor.at("]") else expression(cursor)
        cursor.expect("]")
        return Index(of, start, stop, slice=True, place=place)
    cursor.expect("]")
    return Index(of, start, place=place)


def _atom(cursor: Cursor) -> Expression:
    token = cursor.token
    if token.kind == "number":
        return _number(cursor)
    if token.kind == "string":
        return Literal(cursor.take().text, "string", place=token.start)
    if token.kind == "parameter":
        return Parameter(unquoted(cursor.take()), place=token.start)
    if cursor.at("["):
        return _list(cursor)
    if cursor.at("{"):
        return map_of(cursor)
    if cursor.at("("):
        return _bracket(cursor)
    if token.kind == "word":
        return _word(cursor)
    if token.kind == "quoted":
        return Variable(unquoted(cursor.take()), place=token.start)
    raise cursor.unreadable("a value is expected")


def _number(cursor: Cursor) -> Literal:
    token = cursor.take()
    if token.text[:2].lower() in ("0x", "0o"):
        return Literal(str(int(token.text, 0)), "integer", place=token.start)
    kind = "float" if any(letter in token.text for letter in ".eE") else "integer"
    if kind == "integer" and int(token.text) >= 2**63:
        raise refuse(cursor.statement, token.start, f"{shorten(token.text)} is beyond 64 bits", "write it as 1e20")
    return Literal(token.text, kind, place=token.start)


def _map_projection(cursor: Cursor, of: Variable) -> MapProjection:
    place = cursor.expect("{").start
    items: list[tuple[str, Expression | None]] = []
    while not cursor.at("}"):
        if items:
            cursor.expect(",")
        if cursor.skip("."):
            items.append(("*" if cursor.skip("*") else name_of(cursor), None))
            continue
        start = cursor.token.start
        key = name_of(cursor)
        items.append((key, expression(cursor) if cursor.skip(":") else Variable(key, place=start)))
    cursor.expect("}")
    return MapProjection(of, tuple(items), place=place)


def expressions(cursor: Cursor, end: str) -> tuple[Expression, ...]:
    """Expressions with commas between, and the mark that ends them."""
    found: list[Expression] = []
    while not cursor.at(end):
        if found:
            cursor.expect(",")
        found.append(expression(cursor))
    cursor.expect(end)
    return tuple(found)


def _list(cursor: Cursor) -> Expression:
    from seedrank.graphdb.statements.patterns import follows_pattern, pattern_comprehension

    place = cursor.expect("[").start
    named = cursor.token.kind in ("word", "quoted")
    if named and cursor.peek().upper == "IN":
        return _comprehension(cursor, place)
    if follows_pattern(cursor, ahead=2 if named and cursor.peek().upper == "=" else 0):
        found = pattern_comprehension(cursor, place)
        if found is not None:
            return found
    return ListOf(expressions(cursor, "]"), place=place)


def _comprehension(cursor: Cursor, place: int) -> Comprehension:
    name = name_of(cursor)
    cursor.expect("IN")
    of = expression(cursor)
    condition = expression(cursor) if cursor.skip("WHERE") else None
    value = expression(cursor) if cursor.skip("|") else None
    cursor.expect("]")
    return Comprehension(name, of, condition, value, place=place)


def _bracket(cursor: Cursor) -> Expression:
    from seedrank.graphdb.statements.patterns import follows_pattern, pattern_test

    if follows_pattern(cursor):
        return pattern_test(cursor)
    cursor.expect("(")
    value = expression(cursor)
    cursor.expect(")")
    return value


def _word(cursor: Cursor) -> Expression:
    token, following = cursor.token, cursor.peek().upper
    word = token.upper
    if word in _CONSTANTS and following not in ("(", "."):
        return Literal(cursor.take().text.lower(), _CONSTANTS[word], place=token.start)
    if word == "CASE" and following not in (".", ",", ")"):
        return _case(cursor)
    if word in ("EXISTS", "COUNT", "COLLECT") and following == "{":
        from seedrank.graphdb.statements.patterns import subquery

        return subquery(cursor)
    if following == "(" or (following == "." and _is_dotted_call(cursor)):
        return _call(cursor)
    return Variable(unquoted(cursor.take()), place=token.start)


def _is_dotted_call(cursor: Cursor) -> bool:
    """Whether words joined by points end in an opening bracket: a.b.c(…)."""
    ahead = 1
    while cursor.peek(ahead).upper == "." and cursor.peek(ahead + 1).kind == "word":
        ahead += 2
    return cursor.peek(ahead).upper == "("


def _call(cursor: Cursor) -> Expression:
    place = cursor.token.start
    words = [name_of(cursor)]
    while cursor.skip("."):
        words.append(name_of(cursor))
    name = ".".join(words).lower()
    cursor.expect("(")
    if name.upper() in _QUANTIFIERS and cursor.peek().upper == "IN":
        return _quantified(cursor, name, place)
    if name == "reduce":
        return _reduce(cursor, place)
    if name == "exists" and cursor.at("("):
        from seedrank.graphdb.statements.patterns import follows_pattern, pattern_test

        if follows_pattern(cursor):
            found = pattern_test(cursor)
            cursor.expect(")")
            return found
    if cursor.at("*") and cursor.peek().upper == ")":
        cursor.take()
        cursor.expect(")")
        return Call(name, (), star=True, place=place)
    distinct = cursor.skip("DISTINCT")
    return Call(name, expressions(cursor, ")"), distinct=distinct, place=place)


def _reduce(cursor: Cursor, place: int) -> Reduce:
    total = name_of(cursor)
    cursor.expect("=")
    start = expression(cursor)
    cursor.expect(",")
    name = name_of(cursor)
    cursor.expect("IN")
    of = expression(cursor)
    cursor.expect("|")
    value = expression(cursor)
    cursor.expect(")")
    return Reduce(total, start, name, of, value, place=place)


def _quantified(cursor: Cursor, word: str, place: int) -> Quantified:
    name = name_of(cursor)
    cursor.expect("IN")
    of = expression(cursor)
    cursor.expect("WHERE")
    condition = expression(cursor)
    cursor.expect(")")
    return Quantified(word, name, of, condition, place=place)


def _case(cursor: Cursor) -> Case:
    place = cursor.expect("CASE").start
    operand = None if cursor.at("WHEN") else expression(cursor)
    whens = []
    while cursor.skip("WHEN"):
        when = expression(cursor)
        if cursor.at(","):
            raise cursor.unreadable("WHEN takes one value here", "write one WHEN for each")
        cursor.expect("THEN")
        whens.append((when, expression(cursor)))
    if not whens:
        raise cursor.unreadable("CASE needs a WHEN")
    otherwise = expression(cursor) if cursor.skip("ELSE") else None
    cursor.expect("END")
    return Case(operand, tuple(whens), otherwise, place=place)
