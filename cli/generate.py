"""``seedrank generate``: a web from a number."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from seedrank.cli.ask import reporter
from seedrank.cli.command import command
from seedrank.cli.options import Settings
from seedrank.cli.output import remark
from seedrank.core.errors import UsageError

__all__ = ["app"]

SHAPE = "The web"
app = typer.Typer()


@command(app, "generate")
def generate(
    settings: Settings,
    folder: Annotated[
        Path | None, typer.Argument(metavar="[DIR]", help="A new folder for the tables.", show_default=False)
    ] = None,
    graph: Annotated[
        Path | None,
        typer.Option(help="Write WebGraph arrays for --store instead of tables.", metavar="DIR", show_default=False),
    ] = None,
    urls: Annotated[bool, typer.Option("--urls", help="With --graph: write URLs too, about 45 bytes a page.")] = False,
    pages: Annotated[int, typer.Option(rich_help_panel=SHAPE, help="Pages, crawled or not.")] = 50_000,
    rng: Annotated[int, typer.Option(rich_help_panel=SHAPE, help="Number of the web: same number, same web.")] = 0,
    links_per_page: Annotated[
        float, typer.Option(rich_help_panel=SHAPE, help="Mean number of links of a crawled page.")
    ] = 14.0,
    crawled: Annotated[float, typer.Option(rich_help_panel=SHAPE, help="Share of the pages that is crawled.")] = 0.35,
    hosts: Annotated[int | None, typer.Option(rich_help_panel=SHAPE, help="Hosts.", show_default="pages^0.63")] = None,
    inter_host: Annotated[
        float, typer.Option(rich_help_panel=SHAPE, help="Share of the links that goes to another host.")
    ] = 0.06,
    spam: Annotated[float, typer.Option(rich_help_panel=SHAPE, help="Share of the pages on spam farms.")] = 0.03,
) -> None:
    """Make a synthetic web: hosts of all sizes, a bow-tie, spam farms, clicks, queries, a frontier, a later snapshot.

    The tables are read by `load table`; DIR/later holds the same web some months on, DIR/truth.parquet the clicks
    that frontier pages will get. With --graph the links go straight to arrays, for webs beyond a database: up to
    110 million pages and 4 billion links in bounded memory.

    Example: seedrank generate web --pages 10000 && seedrank load auto web/pages.parquet web/links.parquet
    """
    if (folder is None) == (graph is None):
        raise UsageError("name either a folder for tables or --graph DIR", hint="such as: seedrank generate web")
    from seedrank.ingest.synthetic import WebSpec, write_graph, write_tables

    spec = WebSpec(pages, rng, links_per_page, crawled, hosts, inter_host, spam)
    if graph is not None:
        made = write_graph(spec, graph, urls=urls, progress=reporter(settings))
        remark(settings, f"{graph}: {made.pages:,} pages, {made.links:,} links")
        remark(settings, f"Next: seedrank --store {shlex.quote(str(graph))} stats")
        return
    assert folder is not None
    write_tables(spec, folder, progress=reporter(settings))
    kinds = ("pages", "links", "hosts", "queries", "results")
    files = shlex.join(word for kind in kinds for word in (f"--{kind}", f"{folder / kind}.parquet"))
    remark(settings, f"Next: seedrank load table {files}")
