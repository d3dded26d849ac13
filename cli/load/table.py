"""``seedrank load auto`` and ``table``: files whose format is told by their content, and tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from seedrank.cli.load.common import COLUMNS, FILES, loads
from seedrank.cli.options import FILE

if TYPE_CHECKING:
    from seedrank.loaders.base import LoadOptions, Source

Tables = Annotated[list[str] | None, typer.Option(rich_help_panel=FILES, metavar="FILE", show_default=False), FILE]
Columns = Annotated[
    str | None,
    typer.Option(
        rich_help_panel=COLUMNS,
        metavar="NAMES",
        help="Column names, by comma, for files without header.",
        show_default=False,
    ),
]


@loads("auto", "urls", "strict", "time")
def auto(
    files: Annotated[list[str], typer.Argument(metavar="PATH...", help="Files of one format, or tables.")],
    *,
    options: LoadOptions,
) -> Source:
    """Recognise the format of files by their content, print it, and load them.

    Options that one format alone has (`--names`, `--ranks`, `--site` …) need its own command.

    Example: seedrank load auto crawl.warc.gz
    """
    from seedrank.loaders.recognise import recognised_source

    return recognised_source(files, options)


@loads("table", "urls", "strict", "time", "tables", "assume")
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
