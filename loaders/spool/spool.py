"""The spool's front: takes batches of every kind, gives what the store must change."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa

from loaders.base import Batch, Existing, LoadOptions, Summary, several
from loaders.spool.addresses import Addresses
from loaders.spool.columns import ColumnSpool
from loaders.spool.events import Events
from loaders.spool.files import SpoolFolder
from loaders.spool.hosts import Hosts
from loaders.spool.interning import StringTable
from loaders.spool.labels import Labels
from loaders.spool.links import Links
from loaders.spool.output import PageTables
from loaders.spool.pages import Pages
from loaders.spool.queries import Queries
from loaders.spool.sorted_links import Piece
from loaders.spool.stored import StoredPages
from seedrank.core.changes import Changes
from seedrank.core.errors import InputError, shorten
from seedrank.core.model import PAGE_COLUMNS, RESERVED_PAGE_COLUMNS
from seedrank.core.numbers import counted
from seedrank.core.progress import Progress, silent

__all__ = ["Spool"]

_ROWS = {
    "pages": "page", "hosts": "host", "links": "link", "queries": "query", "results": "result", "events": "event",
    "labels": "label",
}  # fmt: skip


_WITH_URLS = ("page", "column", "link", "result", "event", "label")
"""Rows that name pages."""


class Spool:
    """Merges and numbers what a loader reads.

    Use as a context manager, around both the reading and the writing: leaving it removes the files.

    Parameters
    ----------
    folder
        Where the temporary files go, in a folder of their own that is removed at the end.
    options
        What shapes the graph.
    existing
        The store the load goes into; `None` for an empty one.
    progress
        Told of long work.
    anchors
        Keep the texts of links; otherwise they are counted.

    Raises
    ------
    InputError
        From `add` and `finish`, for whatever is wrong with the input.
    StoreError
        When the folder is full.
    """

    def __init__(
        self,
        folder: Path,
        options: LoadOptions,
        existing: Existing | None = None,
        progress: Progress = silent,
        *,
        anchors: bool = True,
    ) -> None:
        self._progress, self._options = progress, options
        self._summary = Summary()
        self._folder = SpoolFolder(Path(folder))
        path = self._folder.path
        try:
            self._addresses = Addresses(options, self._summary)
            self._host_names = StringTable()
            with progress("reading the store's pages"):
                self._stored = StoredPages(existing, self._addresses, self._host_names)
            self._page_columns = ColumnSpool(
                path,
                "pages",
                known={column.name: column.type for column in PAGE_COLUMNS},
                stored={} if existing is None else existing.page_columns(),
                reserved=RESERVED_PAGE_COLUMNS,
                text=several(options.text),
            )
            self._pages = Pages(self._stored, self._addresses, self._host_names, self._page_columns, self._summary)
            self._hosts = Hosts(path, self._host_names, existing, several(options.text))
            self._links = Links(path, self._pages, existing, self._stored.count, self._summary, options, anchors)
            self._queries = Queries(path, self._pages, existing, self._summary)
            self._events = Events(self._pages, options, self._summary)
            self._labels = Labels(self._pages, self._stored, self._addresses, self._host_names, self._summary)
        except BaseException:
            self._folder.remove()
            raise
        self._takes = {
            "pages": self._pages.add,
            "hosts": self._hosts.add,
            "links": self._links.add,
            "queries": self._queries.add_queries,
            "results": self._queries.add_results,
            "events": self._events.add,
            "labels": self._labels.add,
        }

    @property
    def folder(self) -> Path:
        """The folder of this load's files."""
        return self._folder.path

    def __enter__(self) -> Spool:
        return self

    def __exit__(self, *_: object) -> None:
        for part in (self._links, self._page_columns, self._hosts, self._queries):
            part.discard()
        self._folder.remove()

    def add(self, batch: Batch) -> None:
        """Take a batch."""
        with self._folder.guard():
            self._summary.add(f"{'column' if batch.known else _ROWS[batch.kind]} rows", batch.rows.num_rows)
            if batch.rows.num_rows:
                self._takes[batch.kind](batch)

    @property
    def sizes(self) -> tuple[int, int]:
        """Pages so far, and rows of links: not less than there will be links."""
        return self._pages.count, self._links.rows

    def finish(self, take_links: Callable[[Piece], None] | None = None) -> tuple[Changes, Summary]:
        """What the store must change, and what the load did; once, after the last batch.

        The tables lie in the spool's files: use them before the spool is left.

        Parameters
        ----------
        take_links
            Where there is no store: takes all links, merged, piece by piece in the order of their keys, in place of
            `Changes.new_links`, which would need six times the room of the arrays of a graph.
        """
        self._refuse_addresses_without_scheme()
        with self._folder.guard():
            return self._finish(take_links), self._summary

    def _refuse_addresses_without_scheme(self) -> None:
        """Say so where no row has a URL that can be parsed, and the first of them are like ``www.example.org/``."""
        counts = self._summary.counts
        rows = sum(counts.get(f"{kind} rows", 0) for kind in _WITH_URLS)
        dropped = sum(count for name, count in counts.items() if name.endswith("dropped: unparsable URL"))
        such_as = self._addresses.left_out
        if rows and dropped >= rows and such_as and not any("://" in url for _, url in such_as):
            place, url = such_as[0]
            raise InputError(
                f"none of {counted(rows, 'row')} has a URL that can be parsed, such as {shorten(url)}",
                file=place,
                hint="where URLs begin without http://, give {url_prefix=http://}",
                fields=("url_prefix",),
            )

    def _finish(self, take_links: Callable[[Piece], None] | None) -> Changes:
        self._pages.seal()
        self._events.finish(self._page_columns)
        self._labels.finish(self._page_columns)
        tables = PageTables(
            self._folder.path,
            self._pages,
            self._stored,
            self._addresses,
            self._host_names,
            self._page_columns,
            self._options.assume == "crawled",
        )
        new_links, changed_links = self._links.finish(self._progress, tables.redirects, take_links)
        with self._progress("writing pages", self._pages.count - self._stored.count) as advance:
            new_pages = tables.new_pages(advance)
        changed_pages = tables.changed_pages()
        page_hosts = tables.page_hosts()
        hosts, host_types = self._hosts.finish(tables.hosts)
        queries, results = self._queries.finish()
        summary = self._summary
        summary.add("pages new", new_pages.num_rows)
        summary.add("pages changed", changed_pages.num_rows)
        summary.add("pages known", int(np.count_nonzero(self._pages.in_tables[: self._stored.count])))
        summary.add("queries new or changed", queries.num_rows)
        summary.add("results new or changed", results.num_rows)
        return Changes(
            new_pages=new_pages,
            changed_pages=changed_pages,
            page_hosts=page_hosts,
            hosts=hosts,
            new_links=new_links,
            changed_links=changed_links,
            queries=_plain(queries),
            results=_plain(results),
            page_columns=tables.types,
            host_columns=host_types,
        )


def _plain(table: pa.Table) -> pa.Table:
    """The same with 32-bit strings."""
    kinds = [(f.name, pa.string() if pa.types.is_large_string(f.type) else f.type) for f in table.schema]
    return table.cast(pa.schema(kinds))
