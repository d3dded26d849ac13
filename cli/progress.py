"""Progress on standard error: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from seedrank.cli.options import Settings
from seedrank.cli.streams import printable, say
from seedrank.core.numbers import show_size
from seedrank.core.progress import Advance, Progress, silent

__all__ = ["reporter"]

_EVERY_SECONDS = 10.0


def reporter(settings: Settings) -> Progress:
    """The progress that fits where standard error goes."""
    if settings.quiet:
        return silent
    return _bar if sys.stderr.isatty() else _lines


@contextmanager
def _bar(title: str, total: int | None = None, *, in_bytes: bool = False) -> Iterator[Advance]:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        MofNCompleteColumn,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
    )
    from rich.progress import Progress as Bars

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        DownloadColumn() if in_bytes else MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Bars(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task(printable(title), total=total)
        yield lambda units: bars.advance(task, units)


@contextmanager
def _lines(title: str, total: int | None = None, *, in_bytes: bool = False) -> Iterator[Advance]:
    shown = show_size if in_bytes else "{:,}".format
    done = 0
    last = time.monotonic()

    def advance(units: int) -> None:
        nonlocal done, last
        done += units
        if time.monotonic() - last >= _EVERY_SECONDS:
            last = time.monotonic()
            of = f" of {shown(total)}" if total else ""
            say(f"{title}: {shown(done)}{of}")

    yield advance
