"""From the shared options to a `Workbench`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.ending import explain_abort
from cli.options import Settings
from cli.output import check_output
from cli.progress import reporter

if TYPE_CHECKING:
    from seedrank.workbench import Workbench

__all__ = ["opened"]


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
