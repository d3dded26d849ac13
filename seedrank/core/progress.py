"""How long work tells how far it is: a stage has a title and perhaps a total; a command line or a notebook draws it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

__all__ = ["Advance", "Progress", "silent"]


Advance = Callable[[int], None]
"""Adds this many units (rows, pages, iterations) to the stage."""


class Progress(Protocol):
    """Starts a stage of work: ``with progress("reading links", total=72_000_000) as advance: advance(1_000)``."""

    def __call__(
        self, title: str, total: int | None = None, *, in_bytes: bool = False
    ) -> AbstractContextManager[Advance]:
        """Open a stage of `total` units, which may be bytes; `None` when nobody knows how many."""
        ...


@contextmanager
def silent(title: str, total: int | None = None, *, in_bytes: bool = False) -> Iterator[Advance]:
    """Progress that shows nothing: the default everywhere below the command line."""
    yield lambda units: None
