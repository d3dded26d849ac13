"""From the shared options to a `Workbench`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cli.ending import explain_abort
from cli.options import Settings
from cli.output import check_output
from cli.progress import reporter

if TYPE_CHECKING:
    from seedrank.questions.asked import Question
    from seedrank.runs import Answer
    from seedrank.workbench import Workbench

__all__ = ["asked", "opened"]


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
    import seedrank

    if not free_form:
        check_output(settings)
    explain_abort()

    return seedrank.open(
        settings.store,
        database=settings.database,
        store_memory=settings.store_memory,
        create=create,
        read_only=not (create or write),
        engine=settings.engine.value,
        site=settings.site.value,
        refresh=settings.refresh,
        batch_size=batch_size,
        progress=reporter(settings),
    )


def asked(settings: Settings, question: Question, **options: Any) -> Answer:
    """Ask a question of the store the user named; `options` are ``save`` and the like, which write into it."""
    with opened(settings, write=any(options.values())) as bench:
        answer = bench.ask(question, **options)
        # Pages get their names while the store is open; a pipe that is read slowly must not keep it open.
        _ = answer.table
    return answer
