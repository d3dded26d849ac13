"""Parameters of a statement, checked before the embedded database sees them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from graphdb.statements import Refused
from graphdb.statements.tokens import Token, unquoted
from seedrank.core.errors import shorten

__all__ = ["check_parameters"]

_DEEPEST = 40
_MOST = 2**63


def check_parameters(tokens: Sequence[Token], parameters: Mapping[str, Any]) -> None:
    """Refuse a parameter without a value, and values that the database cannot take."""
    for token in tokens:
        if token.kind == "parameter" and unquoted(token) not in parameters:
            name = unquoted(token)
            raise Refused(
                f"there is no value for ${name}", hint=f"give one: {{parameters[{name}]}}", fields=("parameters",)
            )
    for name, value in parameters.items():
        _check(name, value, 0)


def _check(name: str, value: Any, depth: int) -> None:
    if depth > _DEEPEST:
        raise Refused(f"${name} is nested more than {_DEEPEST} deep")
    if isinstance(value, int) and not -_MOST <= value < _MOST:
        raise Refused(f"${name} is {shorten(value)}, which 64 bits do not hold", hint="give it as text")
    if isinstance(value, Mapping):
        for one in value.values():
            _check(name, one, depth + 1)
    if isinstance(value, list | tuple):
        kinds = {float if isinstance(one, int) and not isinstance(one, bool) else type(one) for one in value}
        if len(kinds - {type(None)}) > 1:
            raise Refused(f"${name} is a list of several types", hint="give values of one type")
        for one in value:
            _check(name, one, depth + 1)
