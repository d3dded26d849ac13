"""What `make test` takes a few of."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable
from typing import Any

import pytest

__all__ = ["QUICK", "one_of_each"]

QUICK = (os.environ.get("SEEDRANK_HYPOTHESIS") or "quick") == "quick"
"""Whether tests on random input make few examples, as in `make test`; under ``ci`` as many as they ask for."""


def one_of_each(values: Iterable[Any], kind: Callable[[Any], Hashable] = lambda value: None) -> list[Any]:
    """All values as parameters; the first of each kind stays in `make test`, the others are long tests."""
    seen: set[Hashable] = set()
    parameters = []
    for value in values:
        parameters.append(pytest.param(value, marks=pytest.mark.long) if kind(value) in seen else value)
        seen.add(kind(value))
    return parameters
