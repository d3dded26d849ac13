"""Signatures of the methods that ask: the fields of their question stand in place of ``**fields``."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from seedrank.questions.question import Question

__all__ = ["asks"]

_F = TypeVar("_F", bound=Callable[..., Any])


def asks(question: type[Question]) -> Callable[[_F], _F]:
    """Give a method that takes the fields of a question as keywords the signature that says so."""

    def describe(method: _F) -> _F:
        own = inspect.signature(method)
        first = [one for one in own.parameters.values() if one.kind is not inspect.Parameter.VAR_KEYWORD]
        taken = {one.name for one in first} | set(question.fixed)
        keywords = [
            inspect.Parameter(one.name, inspect.Parameter.KEYWORD_ONLY, default=one.default, annotation=one.type)
            for one in dataclasses.fields(question)
            if one.name not in taken
        ]
        method.__signature__ = own.replace(parameters=[*first, *keywords])  # type: ignore[attr-defined]
        return method

    return describe
