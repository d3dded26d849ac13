"""Options that also write an answer into the database."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from seedrank.cli.completion import completer
from seedrank.core.errors import UsageError, shorten
from seedrank.questions.question import Saved

__all__ = ["Save", "column_for", "saved"]

Save = Annotated[
    str | None,
    typer.Option(
        "--save",
        metavar="[all|N]",
        help="Also write the first 1,000 pages of the answer into the database, N of them, or all.",
        show_default=False,
    ),
]


def column_for(what: str) -> Any:
    """The option ``--write`` of a command that writes `what`."""
    return typer.Option(
        "--write",
        metavar="COLUMN",
        help=f"Also write {what} as this property.",
        show_default=False,
        autocompletion=completer("COLUMN"),
    )


def saved(text: str | None) -> Saved:
    """How many rows are to be saved."""
    if text is None:
        return False
    if text == "all":
        return "all"
    if not text.isascii() or not text.isdigit() or int(text) == 0:
        raise UsageError(f"{{save}} takes all or a number above 0, not {shorten(text)}", fields=("save",))
    return int(text)
