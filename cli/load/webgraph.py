"""``seedrank load`` of Common Crawl's graphs of hosts and domains."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from seedrank.cli.load.common import COLUMNS, Files, loads

if TYPE_CHECKING:
    from seedrank.loaders.base import Source

__all__ = ["register"]

PART = "Part of the graph"


class GraphLevel(StrEnum):
    """What a vertex is."""

    host = "host"
    domain = "domain"


@loads("strict")
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
            help="Keep what links to this host, or is linked from it; or to one of a file.",
            show_default="all",
        ),
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


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("cc-webgraph")(cc_webgraph)
