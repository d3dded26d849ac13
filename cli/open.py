"""From the shared options to a `Workbench`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from seedrank.cli.options import Settings
from seedrank.cli.output import check_output, remark
from seedrank.cli.progress import reporter
from seedrank.cli.startup import import_library, import_numba

if TYPE_CHECKING:
    from seedrank.api.workbench import Workbench
    from seedrank.questions.question import Question
    from seedrank.runs import Answer

__all__ = ["answer_to", "opened"]

LONG = 60.0
"""Seconds from which on a question is told of beforehand."""


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
    import_library()
    import seedrank

    return seedrank.open(
        settings.store,
        database=settings.database,
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


def answer_to(settings: Settings, question: Question, *, read: bool = True, **options: Any) -> Answer:
    """Ask a question of the store the user named; `options` are ``save`` and the like, which write into it.

    Without `read` the answer is one of facts, and no table of it is shown.
    """
    with opened(settings, write=any(options.values())) as bench:
        _tell_long(settings, bench, question)
        import_numba()
        answer = bench.ask(question, **options)
        if read:
            # Pages get their names while the store is open; a pipe that is read slowly must not keep it open.
            _ = answer.table
    return answer


def _tell_long(settings: Settings, bench: Workbench, question: Question) -> None:
    """Say beforehand what a question will take, where that is long."""
    from seedrank.session.estimates import estimate

    told = estimate(bench.session, question)
    if told is not None and told.seconds >= LONG:
        remark(settings, f"{question.title} takes {told}, going by a machine with two cores")
