"""``seedrank load`` of graphs that are published as files of numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from cli.load.common import Files, OneFile, loads

if TYPE_CHECKING:
    from loaders.base import Source

__all__ = ["register"]


@loads()
def snap(files: Files) -> Source:
    """Edge lists as SNAP publishes them: `# comment` lines, then from, white space, to; pages are numbers.

    Example: seedrank load snap web-NotreDame.txt.gz
    """
    from loaders.snap import SnapSource

    return SnapSource(files)


@loads()
def adjacency(file: OneFile) -> Source:
    """Adjacency lists: the number of pages, then a line per page with the pages it links to, from 0.

    Example: seedrank load adjacency cnr-2000.graph-txt.gz
    """
    from loaders.adjacency import AdjacencySource

    return AdjacencySource([file])


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("snap")(snap)
    app.command("adjacency")(adjacency)
