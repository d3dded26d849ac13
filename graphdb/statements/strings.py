"""The text that a string of a statement stands for."""

from __future__ import annotations

import re

__all__ = ["string_value"]

_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.DOTALL)
_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


def string_value(literal: str) -> str:
    """A string without its quotes, escapes replaced."""

    def replaced(match: re.Match[str]) -> str:
        code = match[1] or match[2]
        return chr(int(code, 16)) if code else _LETTERS.get(match[3], match[3])

    return _ESCAPE.sub(replaced, literal[1:-1])
