"""``seedrank load table``: tables of pages, links, hosts, queries, results and events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from seedrank.cli.load.common import COLUMNS, FILES, loads

if TYPE_CHECKING:
    from seedrank.loaders.base import LoadOptions, Source

__all__ = ["register"]

Tables = Annotated[list[str] | None, typer.Option(rich_help_panel=FILES, metavar="FILE", show_default=False)]
Columns = Annotated[
    str | None,
    typer.Option(
        rich_help_panel=COLUMNS,
        metavar="NAMES",
        help="Column names, by comma, for files without header.",
        show_default=False,
    ),
]


@loads("urls", "strict", "time", "tables", "assume")
def table(
    pages: Tables = None,
    links: Tables = None,
    hosts: Tables = None,
    queries: Tables = None,
    results: Tables = None,
    events: Tables = None,
    page_columns: Columns = None,
    link_columns: Columns = None,
    host_columns: Columns = None,
    query_columns: Columns = None,
    result_columns: Columns = None,
    event_columns: Columns = None,
    *,
    options: LoadOptions,
) -> Source:
    """Tables: CSV, TSV, JSON lines or Parquet, plain, .gz or .zst; - is standard input; options may be repeated.

    Pages: url and/or id, then status, host, clicks, views, spam, unique_rate, bytes and any columns of your own.
    Links: source, target (URLs, or ids of the pages table), weight, anchor, date.

    Example: seedrank load table --pages pages.tsv.gz --links links.tsv.gz
    """
    from seedrank.loaders.table import TableSource

    return TableSource(
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
        options=options,
    )


def _names(**given: str | None) -> dict[str, list[str]]:
    """Column names of each kind of table whose files have no header."""
    return {kind: [name.strip() for name in names.split(",")] for kind, names in given.items() if names}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("table")(table)
