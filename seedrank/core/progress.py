"""How long work tells how far it is: a stage has a title and perhaps a total; the command line draws it."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from seedrank.core.errors import UsageError, shorten
from seedrank.core.numbers import show_size

__all__ = ["Advance", "Progress", "shown", "silent"]


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


_FIRST, _EVERY = 1.0, 0.3
"""Seconds until a stage is shown, and between two looks at it."""


def shown(progress: Progress | None) -> Progress:
    """The progress that was given; by default a line where the process is the kernel of a notebook."""
    if progress is not None:
        if not callable(progress):
            raise UsageError(f"progress is {shorten(progress)}", hint="leave it out: notebooks show a line by default")
        return progress
    return _line if _in_notebook() else silent


def _in_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return shell is not None and hasattr(shell, "kernel")


@contextmanager
def _line(title: str, total: int | None = None, *, in_bytes: bool = False) -> Iterator[Advance]:
    from IPython.display import display

    amount = show_size if in_bytes else "{:,}".format
    done, last, handle = 0, time.monotonic() - _EVERY + _FIRST, None

    def advance(units: int) -> None:
        nonlocal done, last, handle
        done += units
        if time.monotonic() - last < _EVERY:
            return
        last = time.monotonic()
        text = {"text/plain": f"{title}: {amount(done)}" + (f" of {amount(total)}" if total else "")}
        if handle is None:
            handle = display(text, raw=True, display_id=True)  # type: ignore[no-untyped-call]
        else:
            handle.update(text, raw=True)

    try:
        yield advance
    finally:
        if handle is not None:
            handle.update({"text/plain": ""}, raw=True)
