"""A place among the tokens of a statement, for the functions that read it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence

from seedrank.core.errors import shorten
from seedrank.graphdb.statements.tokens import Refused, Token, refuse

__all__ = ["DEEPEST", "Cursor"]

DEEPEST = 40
"""Brackets and NOTs nested deeper than this are refused: thousands of them exhaust the stack."""


class Cursor:
    """Tokens and how far they were read."""

    def __init__(self, statement: str, tokens: Sequence[Token]) -> None:
        self.statement = statement
        self.tokens = tokens
        self.place = 0
        self._depth = 0

    @property
    def token(self) -> Token:
        """The next token."""
        return self.tokens[self.place]

    def peek(self, ahead: int = 1) -> Token:
        """A token further on; the last one past the end."""
        return self.tokens[min(self.place + ahead, len(self.tokens) - 1)]

    def at(self, *words: str) -> bool:
        """Whether the next tokens are these keywords or signs."""
        return all(self.peek(ahead).upper == word for ahead, word in enumerate(words))

    def take(self) -> Token:
        """The next token, read."""
        token = self.token
        if token.kind != "end":
            self.place += 1
        return token

    def skip(self, *words: str) -> bool:
        """Read these keywords or signs if they come next; whether they did."""
        if not self.at(*words):
            return False
        self.place += len(words)
        return True

    def expect(self, word: str) -> Token:
        """Read this keyword or sign, which must come next."""
        if not self.at(word):
            raise self.unreadable(f"{word} is expected")
        return self.take()

    def since(self, start: int) -> str:
        """The text of the statement from a place to the last token read."""
        return self.statement[start : self.tokens[self.place - 1].stop]

    def unreadable(self, why: str, hint: str | None = None) -> Refused:
        """The error that refuses the statement at the next token."""
        found = "the end" if self.token.kind == "end" else shorten(self.token.text)
        return refuse(self.statement, self.token.start, f"{why}, found {found}", hint)

    @contextlib.contextmanager
    def deeper(self) -> Iterator[None]:
        """Read something nested."""
        self._depth += 1
        if self._depth > DEEPEST:
            raise self.unreadable(f"nested more than {DEEPEST} deep", "use IN, or parameters")
        yield
        self._depth -= 1
