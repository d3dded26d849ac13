"""``seedrank load auto``: files whose format is told by their content."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from seedrank.cli.load.common import loads

if TYPE_CHECKING:
    from seedrank.loaders.base import LoadOptions, Source

__all__ = ["register"]


@loads("urls", "strict", "time")
def auto(
    files: Annotated[list[str], typer.Argument(metavar="PATH...", help="Files of one format, or tables.")],
    *,
    options: LoadOptions,
) -> Source:
    """Tell the format of files by their content, say what they were taken for, and load them.

    Options that one format alone has (`--names`, `--ranks`, `--site` …) need its own command.

    Example: seedrank load auto crawl.warc.gz
    """
    from seedrank.loaders.recognise import recognised_source

    return recognised_source(files, options)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("auto")(auto)
