"""From the shared options to a store that can be asked, with the progress of what is asked."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from seedrank.cli.command_words import command_of
from seedrank.cli.options import Settings
from seedrank.cli.output import check_output, remark
from seedrank.cli.streams import printable, say
from seedrank.core.numbers import show_size
from seedrank.core.progress import Advance, Progress, silent

if TYPE_CHECKING:
    from seedrank.api.workbench import Workbench
    from seedrank.questions.question import Question
    from seedrank.runs import Answer

__all__ = ["answer_to", "opened", "reporter"]

LONG = 60.0
"""Seconds from which on a question is told of beforehand."""
_EVERY_SECONDS = 10.0
"""From one line of progress to the next."""


def opened(
    settings: Settings,
    *,
    create: bool = False,
    write: bool = False,
    batch_size: int | None = None,
    free_form: bool = False,
) -> Workbench:
    """Open the store the user named; reading commands open it read-only.

    `free_form` says that ``-o`` takes text whose format its suffix does not name.
    """
    if not free_form:
        check_output(settings)
    from seedrank.api import open_store

    return open_store.open(
        settings.store,
        database=settings.database,
        prefix=settings.prefix,
        model=settings.model,
        store_memory=settings.store_memory,
        wait=settings.wait,
        master=settings.master,
        create=create,
        read_only=not (create or write),
        engine=settings.engine.value,
        site=settings.site.value,
        refresh=settings.refresh,
        batch_size=batch_size,
        progress=reporter(settings),
    )


def answer_to(
    settings: Settings, question: Question, *, read: bool = True, exported: bool = False, **options: Any
) -> Answer:
    """Ask a question of the store the user named; `options` are ``save`` and the like, which write into it.

    Without `read` the answer is one of facts, and no table of it is shown; what is `exported` says where it comes from.
    """
    with opened(settings, write=any(options.values())) as bench:
        _tell_long(settings, bench, question)
        answer = bench.ask(question, **options)
        if read:
            # Pages get their names while the store is open; a pipe that is read slowly must not keep it open.
            _ = answer.table
        if exported:
            answer.provenance["command"] = command_of(answer.run)
    return answer


def _tell_long(settings: Settings, bench: Workbench, question: Question) -> None:
    """Say beforehand what a question will take, where that is long."""
    from seedrank.session.estimates import estimate

    told = estimate(bench.session, question)
    if told is not None and told.seconds >= LONG:
        remark(settings, f"{question.title} takes {told}, going by a machine with two cores")


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
