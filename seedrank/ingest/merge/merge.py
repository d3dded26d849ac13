"""The merge's front: takes batches of every kind, gives what the store must change."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from seedrank.core.changes import Changes
from seedrank.core.errors import InputError, shorten
from seedrank.core.model import HOST_COLUMNS, PAGE_COLUMNS, RESERVED_PAGE_COLUMNS
from seedrank.core.numbers import counted
from seedrank.core.progress import Progress, silent
from seedrank.graphdb.duckdb.connection import connect
from seedrank.graphdb.store import GraphStore, HasFile
from seedrank.ingest.merge.addresses import Addresses
from seedrank.ingest.merge.columns import Columns
from seedrank.ingest.merge.compare import LINKS, changed_hosts, changed_links, changed_queries, changed_results
from seedrank.ingest.merge.folder import MergeFolder
from seedrank.ingest.merge.links import Links, Merged
from seedrank.ingest.merge.numbers import number_pages
from seedrank.ingest.merge.pages import Pages
from seedrank.ingest.merge.positions import Positions
from seedrank.ingest.merge.rows import Rows
from seedrank.ingest.merge.stored import Stored
from seedrank.loaders.base import Batch, LoadOptions, Summary, several
from seedrank.loaders.rejects import Rejects

__all__ = ["Merge"]

MEMORY = 500 << 20
"""Bytes the database may use before it spills, or half of what the store may use where that is more: the process takes
some hundred MiB beside it."""
_ROWS = {
    "pages": "page", "hosts": "host", "links": "link", "queries": "query", "results": "result", "events": "event",
    "labels": "label",
}  # fmt: skip
_WITH_URLS = ("page", "column", "link", "result", "event", "label")
"""Rows that name pages."""


class Merge:
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
    anchors
        Keep the texts of links; otherwise they are counted.
    rejects
        Takes rows that are left out because their URL cannot be parsed.

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
        existing: GraphStore | None = None,
        progress: Progress = silent,
        *,
        anchors: bool = True,
        rejects: Rejects | None = None,
    ) -> None:
        self._progress, self._options, self._summary = progress, options, Summary()
        self._folder = MergeFolder(Path(folder))
        memory = max(MEMORY, existing.memory // 2) if isinstance(existing, HasFile) else MEMORY
        self._connection = connect(memory=memory, temporary=self._folder.path / "spill")
        try:
            self._prepare(existing, anchors, rejects)
        except BaseException:
            self._connection.close()
            self._folder.remove()
            raise
        self._count: int | None = None
        self._takes = {
            "pages": self._rows.add_pages,
            "hosts": self._rows.add_hosts,
            "links": self._links.add,
            "queries": self._rows.add_queries,
            "results": self._rows.add_results,
            "events": self._rows.add_events,
            "labels": self._rows.add_labels,
        }

    def _prepare(self, existing: GraphStore | None, anchors: bool, rejects: Rejects | None) -> None:
        connection, options, summary = self._connection, self._options, self._summary
        self._addresses, self._positions = Addresses(options, summary, rejects), Positions()
        with self._progress("reading the store's pages"):
            self._stored = Stored(connection, existing, self._addresses.folds)
        text = several(options.text)
        self._pages = Columns(
            connection,
            "pages",
            known={column.name: column.type for column in PAGE_COLUMNS},
            stored=self._stored.columns,
            reserved=RESERVED_PAGE_COLUMNS,
            text=text,
        )
        known = {column.name: column.type for column in HOST_COLUMNS}
        self._hosts = Columns(connection, "hosts", known=known, stored=self._stored.host_columns, text=text)
        self._rows = Rows(connection, self._addresses, self._positions, self._pages, self._hosts, options, summary)
        self._links = Links(
            connection,
            self._folder.path,
            self._addresses,
            self._positions,
            self._rows,
            options,
            summary,
            anchors=anchors,
        )

    @property
    def folder(self) -> Path:
        """The folder of this load's files."""
        return self._folder.path

    @property
    def pages(self) -> int:
        """Pages of store and load; after the last batch."""
        return self._number()

    def __enter__(self) -> Merge:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()
        self._folder.remove()

    def add(self, batch: Batch) -> None:
        """Take a batch."""
        with self._folder.guard():
            self._summary.add(f"{'column' if batch.known else _ROWS[batch.kind]} rows", batch.rows.num_rows)
            if batch.rows.num_rows:
                self._takes[batch.kind](batch)

    @property
    def sizes(self) -> tuple[int, int]:
        """Pages, and rows of links: not less than there will be links; after the last batch."""
        return self._number(), self._links.rows

    def finish(self, take_links: Callable[[Merged], None] | None = None) -> tuple[Changes, Summary]:
        """What the store must change, and what the load did; once, after the last batch.

        The tables lie in the merge's files: use them before the merge is left.

        Parameters
        ----------
        take_links
            Where there is no store: takes all links, merged, piece by piece in the order of source and target, in place
            of `Changes.new_links`, which would need six times the room of the arrays of a graph.
        """
        with self._folder.guard():
            self._number()
            changes = self._finish(take_links)
            self._connection.close()  # before the store's takes as much memory
            return changes, self._summary

    def _number(self) -> int:
        if self._count is None:
            with self._folder.guard(), self._progress("numbering pages"):
                self._links.close()
                self._refuse_addresses_without_scheme()
                self._count = number_pages(
                    self._connection,
                    self._rows,
                    self._stored,
                    self._positions,
                    self._summary,
                    folds=self._addresses.folds,
                )
        return self._count

    def _refuse_addresses_without_scheme(self) -> None:
        """Say so where no row has a URL that can be parsed, and the first of them are like ``www.example.org/``."""
        counts = self._summary.counts
        rows = sum(counts.get(f"{kind} rows", 0) for kind in _WITH_URLS)
        dropped = counts.get("links dropped: unparsable URL", 0) + self._rows.unparsable
        such_as = self._addresses.left_out
        if rows and dropped >= rows and such_as and not any("://" in url for _, url in such_as):
            place, url = such_as[0]
            raise InputError(
                f"none of {counted(rows, 'row')} has a URL that can be parsed, such as {shorten(url)}",
                file=place,
                hint="where URLs begin without http://, give {url_prefix=http://}",
                fields=("url_prefix",),
            )

    def _finish(self, take_links: Callable[[Merged], None] | None) -> Changes:
        connection, summary, folder = self._connection, self._summary, self._folder.path
        assert self._count is not None
        pages = Pages(
            connection, folder, self._stored, self._pages, self._positions, self._options, summary, self._links
        )
        redirected = pages.settle()
        with self._progress("merging links"):
            self._links.pair(redirected)
            if take_links is None:
                new_links, changed = changed_links(connection, folder, self._links, self._stored, summary)
            else:
                assert not self._stored.count, "links that go elsewhere are not compared with a store"
                new_links = changed = LINKS.empty_table()
                for piece in self._links.merged():
                    take_links(piece)
                    summary.add("links new", len(piece.source))
        with self._progress("writing pages", self._count - self._stored.count) as advance:
            new_pages = pages.new_pages(advance)
        changed_pages, page_hosts = pages.changed_pages(), pages.page_hosts()
        hosts, host_types = changed_hosts(connection, self._hosts, self._stored)
        queries = changed_queries(connection, self._stored)
        results = changed_results(connection, summary)
        summary.add("pages new", new_pages.num_rows)
        summary.add("pages changed", changed_pages.num_rows)
        summary.add("pages known", pages.known())
        summary.add("queries new or changed", queries.num_rows)
        summary.add("results new or changed", results.num_rows)
        return Changes(
            new_pages=new_pages,
            changed_pages=changed_pages,
            page_hosts=page_hosts,
            hosts=hosts,
            new_links=new_links,
            changed_links=changed,
            queries=queries,
            results=results,
            page_columns=pages.types,
            host_columns=host_types,
        )
