"""``seedrank load``: files into the store."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.open import opened
from cli.options import Settings, shared
from cli.output import emit_object, printable, remark

if TYPE_CHECKING:
    from loaders.base import Source, Summary

__all__ = ["register"]

FILES = "Files"
COLUMNS = "Files without a header"
URLS = "URLs"

app = typer.Typer(no_args_is_help=True, rich_markup_mode="rich")


class Urls(StrEnum):
    """What happens to URLs on the way in."""

    normalise = "normalise"
    verbatim = "verbatim"


Files = Annotated[list[str] | None, typer.Option(rich_help_panel=FILES, metavar="FILE", show_default=False)]
Columns = Annotated[
    str | None,
    typer.Option(rich_help_panel=COLUMNS, metavar="NAMES", help="Column names, by comma.", show_default=False),
]
UrlPrefix = Annotated[
    str, typer.Option(rich_help_panel=URLS, help="Put before every URL or name that is read.", show_default=False)
]
UrlRule = Annotated[
    Urls, typer.Option(rich_help_panel=URLS, help="Normalise by the WHATWG rules, or take them as they are.")
]
MergeVariants = Annotated[
    bool, typer.Option("--merge-variants", rich_help_panel=URLS, help="Fold http/https and www. into one page.")
]
Strict = Annotated[
    bool, typer.Option("--strict", rich_help_panel=URLS, help="Stop at the first URL that cannot be parsed.")
]
Since = Annotated[
    datetime | None, typer.Option("--from", help="Sum events from this time on.", show_default="the first")
]
Until = Annotated[datetime | None, typer.Option("--to", help="Sum events before this time.", show_default="the last")]
Spool = Annotated[
    Path | None,
    typer.Option(help="Folder for temporary files, about the size of the input.", show_default="the system's"),
]
BatchSize = Annotated[
    int | None,
    typer.Option(help="Rows per transaction (Neo4j).", min=1, show_default="20000"),
]
Bulk = Annotated[
    bool,
    typer.Option("--bulk", help="Fill an empty Neo4j made by `seedrank db up` with its own importer."),
]


@app.command("table")
@shared("store", "database", "format", "output")
def table(
    settings: Settings,
    pages: Files = None,
    links: Files = None,
    hosts: Files = None,
    queries: Files = None,
    results: Files = None,
    events: Files = None,
    page_columns: Columns = None,
    link_columns: Columns = None,
    host_columns: Columns = None,
    query_columns: Columns = None,
    result_columns: Columns = None,
    event_columns: Columns = None,
    url_prefix: UrlPrefix = "",
    urls: UrlRule = Urls.normalise,
    merge_variants: MergeVariants = False,
    strict: Strict = False,
    since: Since = None,
    until: Until = None,
    spool: Spool = None,
    batch_size: BatchSize = None,
    bulk: Bulk = False,
) -> None:
    """Tables: CSV, TSV or Parquet, plain, .gz or .zst; - is standard input; an option may be given several times.

    Pages: url and/or id, then status, host, clicks, views, spam, unique_rate, bytes and any columns of your own.
    Links: source, target (URLs, or ids of the pages table), weight, anchor.

    Example: seedrank load table --pages pages.tsv.gz --links links.tsv.gz
    """
    from loaders.base import LoadOptions
    from loaders.table import TableSource

    source = TableSource(
        pages=pages or [],
        links=links or [],
        hosts=hosts or [],
        queries=queries or [],
        results=results or [],
        events=events or [],
        columns=_names(
            pages=page_columns,
            links=link_columns,
            hosts=host_columns,
            queries=query_columns,
            results=result_columns,
            events=event_columns,
        ),
        url_prefix=url_prefix,
    )
    options = LoadOptions(
        urls=urls.value,
        merge_variants=merge_variants,
        strict=strict,
        url_prefix=url_prefix,
        since=since,
        until=until,
    )
    _load(settings, source, options, spool, batch_size, bulk)


def _names(**given: str | None) -> dict[str, list[str]]:
    """Column names of each kind of table whose files have no header."""
    return {kind: [name.strip() for name in names.split(",")] for kind, names in given.items() if names}


@app.command("snap")
@shared("store", "database", "format", "output")
def snap(
    settings: Settings,
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Plain, .gz or .zst; - is standard input.")],
    spool: Spool = None,
    batch_size: BatchSize = None,
    bulk: Bulk = False,
) -> None:
    """Edge lists as SNAP publishes them: `# comment` lines, then from, white space, to; pages are numbers.

    Example: seedrank load snap web-NotreDame.txt.gz
    """
    from loaders.base import LoadOptions
    from loaders.snap import SnapSource

    _load(settings, SnapSource(files), LoadOptions(), spool, batch_size, bulk)


@app.command("adjacency")
@shared("store", "database", "format", "output")
def adjacency(
    settings: Settings,
    file: Annotated[str, typer.Argument(metavar="FILE", help="Plain, .gz or .zst; - is standard input.")],
    spool: Spool = None,
    batch_size: BatchSize = None,
    bulk: Bulk = False,
) -> None:
    """Adjacency lists: the number of pages, then a line per page with the pages it links to, from 0.

    Example: seedrank load adjacency cnr-2000.graph-txt.gz
    """
    from loaders.adjacency import AdjacencySource
    from loaders.base import LoadOptions

    _load(settings, AdjacencySource([file]), LoadOptions(), spool, batch_size, bulk)


def _load(
    settings: Settings, source: Source, options: Any, spool: Path | None, batch_size: int | None, bulk: bool
) -> None:
    with opened(settings, create=True, batch_size=batch_size) as bench:
        summary, seconds = bench.load(source, options, spool=spool, bulk=bulk)
    for line in summary.unparsable:
        remark(settings, f"left out, not a URL: {line}")
    read = sum(count for name, count in summary.counts.items() if name.endswith(" rows"))
    facts = {**summary.counts, "seconds": round(seconds, 2), "rows per second": round(read / max(seconds, 1e-9))}
    emit_object(settings, facts, lambda console: _draw(console, settings, summary, facts))


def _draw(console: Any, settings: Settings, summary: Summary, facts: dict[str, Any]) -> None:
    from rich.table import Table

    drawn = Table(box=None, show_header=False, pad_edge=False)
    drawn.add_column(justify="left")
    drawn.add_column(justify="right")
    for name, value in facts.items():
        drawn.add_row(name, f"{value:,}")
    console.print(drawn)
    console.print(f"Next: seedrank --store {printable(settings.store)} stats", markup=False, highlight=False)


def register(root: typer.Typer) -> None:
    """Add the command."""
    root.add_typer(app, name="load", help="Load pages, links, hosts, queries and clicks from files.")
