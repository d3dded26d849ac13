"""Tokens of a Cypher statement, with their places."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from seedrank.core.errors import StoreError, shorten

__all__ = ["WRITING", "Refused", "Token", "refuse", "string_value", "tokens", "unquoted"]

WRITING = frozenset({"CREATE", "MERGE", "SET", "DELETE", "DETACH", "REMOVE", "FOREACH"})
"""Words that begin a clause which changes the graph."""

_MOST_TOKENS = 100_000
_TOKEN = re.compile(
    r"""
    (?P<space>\s+|//[^\n\r]*|/\*.*?\*/)
    |(?P<string>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")
    |(?P<quoted>`(?:[^`]|``)+`)
    |(?P<parameter>\$(?:\w+|`\w+`))
    |(?P<open>/\*|['"`])
    |(?P<number>0[xX][0-9a-fA-F]+|0o[0-7]+|(?:\d+\.\d+|\.\d+|\d+)(?:[eE][+-]?\d+)?)
    |(?P<word>[^\W\d]\w*)
    |(?P<sign><>|<=|>=|=~|\.\.|\+=|\|\||::|[-+*/%^=<>()\[\]{},.:;|&!?])
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\+[uU]+([0-9a-fA-F]{4})")


class Refused(StoreError):
    """A statement that is not sent to the database: it does more than it may, or would be answered wrongly."""


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a statement."""

    kind: str
    """``word`` (a name or keyword), ``quoted`` (a name in backticks), ``string``, ``number``, ``parameter``, ``sign``
    or ``end``."""
    text: str
    """As it stands in the statement."""
    start: int
    """Where it begins, counted in characters from 0."""

    @property
    def upper(self) -> str:
        """A word in capitals, a sign as it is; empty for everything that cannot be a keyword or sign."""
        return self.text.upper() if self.kind in ("word", "sign") else ""

    @property
    def stop(self) -> int:
        """Where it ends."""
        return self.start + len(self.text)


def tokens(statement: str) -> list[Token]:
    """All tokens of a statement, comments left out, closed by one of kind ``end``."""
    _check_escapes(statement)
    found = list(_scan(statement))
    if len(found) > _MOST_TOKENS:
        raise Refused(
            f"the statement has more than {_MOST_TOKENS:,} words and signs", hint="pass long lists as parameters"
        )
    found.append(Token("end", "", len(statement)))
    return found


def refuse(statement: str, place: int, what: str, hint: str | None = None, *, fields: Sequence[str] = ()) -> Refused:
    """The error that refuses a statement and names the place: line and column, counted from 1.

    `fields` are parameters that its text names, as for every error.
    """
    line = statement.count("\n", 0, place) + 1
    column = place - (statement.rfind("\n", 0, place) + 1) + 1
    return Refused(f"line {line}, column {column}: {what}", hint=hint, fields=fields)


def unquoted(token: Token) -> str:
    """The name a word, a quoted name or a parameter stands for."""
    text = token.text.removeprefix("$")
    return text[1:-1].replace("``", "`") if text.startswith("`") else text


def _scan(statement: str) -> Iterator[Token]:
    place = 0
    while place < len(statement):
        match = _TOKEN.match(statement, place)
        if match is None:
            raise refuse(statement, place, f"{shorten(statement[place])} does not belong in a statement")
        kind = match.lastgroup or ""
        if kind == "open":
            raise refuse(statement, place, f"what {match[0]} opens is not closed")
        if kind != "space":
            yield Token(kind, match[0], place)
        place = match.end()


def _check_escapes(statement: str) -> None:
    r"""Refuse escapes that stand for syntax.

    Neo4j replaces ``\u0027`` by an apostrophe before it looks for strings; a statement must be the same to it and to
    the guard.
    """
    for match in _ESCAPE.finditer(statement):
        letter = chr(int(match[1], 16))
        if not (letter.isalnum() or letter == " " or (letter.isprintable() and ord(letter) > 0xA0)):
            raise refuse(
                statement, match.start(), f"the escape {match[0]} is not allowed", "pass such text as a parameter"
            )


_STRING_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.DOTALL)
_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


def string_value(literal: str) -> str:
    """A string without its quotes, escapes replaced."""

    def replaced(match: re.Match[str]) -> str:
        code = match[1] or match[2]
        return chr(int(code, 16)) if code else _LETTERS.get(match[3], match[3])

    return _STRING_ESCAPE.sub(replaced, literal[1:-1])
