"""Parameters of a test of which `make test` takes a few, and the long tests all."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any

import pytest

__all__ = ["one_of_each"]


def one_of_each(values: Iterable[Any], kind: Callable[[Any], Hashable] = lambda value: None) -> list[Any]:
    """All values as parameters; the first of each kind stays in `make test`, the others are long tests."""
    seen: set[Hashable] = set()
    parameters = []
    for value in values:
        parameters.append(pytest.param(value, marks=pytest.mark.long) if kind(value) in seen else value)
        seen.add(kind(value))
    return parameters
