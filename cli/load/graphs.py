"""``seedrank load`` of graphs that are published as files of numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from seedrank.cli.load.common import FILES, Files, OneFile, loads

if TYPE_CHECKING:
    from seedrank.loaders.base import Source

__all__ = ["register"]

Name = Annotated[str, typer.Argument(metavar="NAME", help="The name its files share, or that of the .graph file.")]
Names = Annotated[
    str | None,
    typer.Option(
        rich_help_panel=FILES,
        metavar="FILE",
        help="URLs of the pages, one a line, from page 0.",
        show_default=False,
    ),
]
Separator = Annotated[str, typer.Option(help="The character between the two ends.", show_default="a tab")]


@loads("assume")
def snap(files: Files) -> Source:
    """Edge lists as SNAP publishes them: `# comment` lines, then from, white space, to; pages are numbers.

    Example: seedrank load snap web-NotreDame.txt.gz
    """
    from seedrank.loaders.snap import SnapSource

    return SnapSource(files)


@loads("assume")
def adjacency(file: OneFile) -> Source:
    """Adjacency lists: the number of pages, then a line per page with the pages it links to, from 0.

    Example: seedrank load adjacency cnr-2000.graph-txt.gz
    """
    from seedrank.loaders.adjacency import AdjacencySource

    return AdjacencySource([file])


@loads("urls", "strict", "assume")
def bvgraph(name: Name, names: Names = None) -> Source:
    """WebGraph's compressed graphs: NAME.graph and NAME.properties, checked against NAME.offsets where that exists.

    Without names pages are numbers. All codings and settings of BVGraph are read, of Java's WebGraph and webgraph-rs.
    With --graph the graph goes straight to arrays, as it can with every format.

    Example: seedrank load bvgraph uk-2002 --names uk-2002.urls.gz && seedrank load bvgraph uk-2002 --graph arrays
    """
    from seedrank.loaders.bvgraph import BvGraphSource

    return BvGraphSource(name, names=names)


@loads("urls", "strict", "assume")
def arcs(files: Files, names: Names = None, separator: Separator = "\t", url_prefix: str = "") -> Source:
    """Arcs as `webgraph to arcs` writes them: from, tab, to; pages are numbers, or URLs where the arcs have labels.

    Example: seedrank load arcs web.arcs.gz --names web.nodes
    """
    from seedrank.loaders.arcs import ArcsSource

    return ArcsSource(files, names=names, separator="\t" if separator == r"\t" else separator, url_prefix=url_prefix)


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("snap")(snap)
    app.command("adjacency")(adjacency)
    app.command("bvgraph")(bvgraph)
    app.command("arcs")(arcs)
