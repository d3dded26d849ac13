"""``seedrank load`` of graphs that are published as files of numbers."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from seedrank.cli.load.common import COLUMNS, FILES, Files, OneFile, loads
from seedrank.cli.options import FILE

if TYPE_CHECKING:
    from seedrank.loaders.base import Source

Name = Annotated[str, typer.Argument(metavar="NAME", help="The name its files share, or that of the .graph file.")]
Names = Annotated[
    str | None,
    typer.Option(
        rich_help_panel=FILES,
        metavar="FILE",
        help="URLs of the pages, one a line, from page 0.",
        show_default=False,
    ),
    FILE,
]
Separator = Annotated[str, typer.Option(help="The character between the two ends.", show_default="a tab")]


@loads("snap", "assume")
def snap(files: Files) -> Source:
    """Edge lists as SNAP publishes them: `# comment` lines, then from, white space, to; pages are numbers.

    Example: seedrank load snap web-NotreDame.txt.gz
    """
    from seedrank.loaders.snap import SnapSource

    return SnapSource(files)


@loads("adjacency", "assume")
def adjacency(file: OneFile) -> Source:
    """Adjacency lists: the number of pages, then a line per page with the pages it links to, from 0.

    Example: seedrank load adjacency cnr-2000.graph-txt.gz
    """
    from seedrank.loaders.adjacency import AdjacencySource

    return AdjacencySource([file])


@loads("bvgraph", "urls", "strict", "assume")
def bvgraph(name: Name, names: Names = None) -> Source:
    """WebGraph's compressed graphs: NAME.graph and NAME.properties, checked against NAME.offsets where that exists.

    Without names pages are numbers. All codings and settings of BVGraph are read, of Java's WebGraph and webgraph-rs.
    With --graph the graph goes straight to arrays, as it can with every format.

    Example: seedrank load bvgraph uk-2002 --names uk-2002.urls.gz && seedrank load bvgraph uk-2002 --graph arrays
    """
    from seedrank.loaders.bvgraph import BvGraphSource

    return BvGraphSource(name, names=names)


@loads("arcs", "urls", "strict", "assume")
def arcs(files: Files, names: Names = None, separator: Separator = "\t", url_prefix: str = "") -> Source:
    """Arcs as `webgraph to arcs` writes them: from, tab, to; pages are numbers, or URLs where the arcs have labels.

    Example: seedrank load arcs web.arcs.gz --names web.nodes
    """
    from seedrank.loaders.arcs import ArcsSource

    return ArcsSource(files, names=names, separator="\t" if separator == r"\t" else separator, url_prefix=url_prefix)


PART = "Part of the graph"


class GraphLevel(StrEnum):
    """What a vertex is."""

    host = "host"
    domain = "domain"


@loads("cc-webgraph", "strict")
def cc_webgraph(
    files: Files,
    ranks: Annotated[
        list[str] | None,
        typer.Option(
            rich_help_panel=COLUMNS,
            metavar="FILE",
            help="Ranks: columns harmonicc_pos, harmonicc_val, pr_pos, pr_val.",
            show_default=False,
        ),
        FILE,
    ] = None,
    level: Annotated[
        GraphLevel | None, typer.Option(help="What a vertex is.", show_default="by the fields of the vertices")
    ] = None,
    tld: Annotated[
        list[str] | None,
        typer.Option(rich_help_panel=PART, help="Keep names below it, such as org or co.uk.", show_default="all"),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(
            rich_help_panel=PART, min=1, help="Keep the first N by rank, without ranks by id.", show_default="all"
        ),
    ] = None,
    around: Annotated[
        list[str] | None,
        typer.Option(
            rich_help_panel=PART,
            metavar="HOST|FILE",
            help="Keep this host, or those of a file, and what links to them or is linked from them.",
            show_default="all",
        ),
        FILE,
    ] = None,
    hops: Annotated[int, typer.Option(rich_help_panel=PART, min=1, help="Links from those in --around.")] = 1,
) -> Source:
    """Common Crawl's graphs of hosts or domains: files of vertices and edges, told apart by what they hold.

    Vertices are id, TAB, reversed name (of domains also the number of hosts), edges from, TAB, to. Each host is one
    page http://host/; commands print its name.

    Example: seedrank load cc-webgraph host-vertices.txt.gz host-edges.txt.gz --ranks host-ranks.txt.gz --tld org
    """
    from seedrank.loaders.cc_webgraph import CommonCrawlSource

    return CommonCrawlSource(
        files,
        ranks=ranks or [],
        level=None if level is None else level.value,
        tld=tld or [],
        limit=limit,
        around=around or [],
        hops=hops,
    )
