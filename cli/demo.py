"""``seedrank demo``: the whole way on a made web."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.options import Settings, shared
from cli.output import draw_table, remark
from cli.progress import reporter
from cli.stats import draw
from seedrank.core.errors import UsageError

__all__ = ["register"]

_MARK = ".seedrank-demo"
_KINDS = ("pages", "links", "hosts", "queries", "results")


@shared()
def demo(
    settings: Settings,
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="Where everything goes.")] = Path("demo"),
    pages: Annotated[int, typer.Option(help="Pages of the made web.")] = 50_000,
) -> None:
    """Make a web, load it into an embedded store, and take a first look.

    Everything ends in DIR; a demo that is there is made anew.
    """
    import shutil

    from rich.console import Console

    import seedrank
    from loaders.table import TableSource
    from seedrank.synthetic import WebSpec, write_tables

    if folder.exists():
        if not (folder / _MARK).exists():
            raise UsageError(f"{folder} is there and is no demo", hint="name another folder")
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    (folder / _MARK).touch()
    progress = reporter(settings)
    console = Console()
    remark(settings, f"1. Making a web of {pages:,} pages in {folder / 'web'}")
    write_tables(WebSpec(pages), folder / "web", progress=progress)
    pages_file, links, hosts, queries, results = ([str(folder / "web" / f"{kind}.parquet")] for kind in _KINDS)
    source = TableSource(pages=pages_file, links=links, hosts=hosts, queries=queries, results=results)
    store = folder / "web.lbug"
    remark(settings, f"2. Loading it into {store}")
    with seedrank.open(str(store), create=True, progress=progress) as bench:
        summary, seconds = bench.load(source)
        remark(
            settings,
            f"   {summary.counts['pages new']:,} pages and {summary.counts['links new']:,} links in {seconds:.1f} s",
        )
        remark(settings, "3. What is in it")
        draw(console, bench.stats())
        remark(settings, "4. A first look with Cypher: the hosts that others link to most")
        draw_table(console, bench.query(_LINKED_HOSTS))
    console.print(f'\nGo on:  seedrank --store {store} query "MATCH (p:Page) RETURN p.url LIMIT 5"', markup=False)
    console.print(f"        seedrank --store {store} export csv tables", markup=False)


_LINKED_HOSTS = """
MATCH (a:Page)-[:`ON`]->(h:Host), (a)-[:LINKS_TO]->(b:Page)-[:`ON`]->(g:Host)
WHERE h.name <> g.name
RETURN g.name AS host, g.pages AS pages, count(*) AS links_from_elsewhere
ORDER BY links_from_elsewhere DESC, host LIMIT 5
"""


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.command("demo")(demo)
