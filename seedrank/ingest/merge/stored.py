"""What the store has, as tables beside those of the load: ``stored_page``, ``stored_link`` and so on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pyarrow as pa

from seedrank.core.urls import fold_variants
from seedrank.graphdb.duckdb.connection import Connection, holds_nothing
from seedrank.graphdb.duckdb.schema import TABLES, quote
from seedrank.graphdb.store import GraphStore, HasFile
from seedrank.ingest.merge.columns import append
from seedrank.ingest.merge.rows import REDIRECT

__all__ = ["Stored"]


_COPIED = ("page", "link", "host", "query", "result")


class Stored:
    """The store a load goes into. One that is a file is attached, of another what the load must know is copied.

    Parameters
    ----------
    existing
        The store, `None` for an empty one.
    folds
        Whether variants of URLs are one page.

    Attributes
    ----------
    count
        Its pages.
    columns, host_columns
        Types of its columns.
    redirects
        Whether it knows where pages redirect to.
    """

    def __init__(self, connection: Connection, existing: GraphStore | None, folds: bool) -> None:
        self._connection, self._existing = connection, existing
        self.columns = {} if existing is None else dict(existing.page_columns())
        self.host_columns = {} if existing is None else dict(existing.host_columns())
        self.redirects = self.columns.get(REDIRECT) == pa.string()
        # A new store is an empty file until the first write, or none.
        path = existing.path if isinstance(existing, HasFile) and not holds_nothing(existing.path) else None
        self._attached = path is not None
        if path is not None:
            connection.attach(path, "stored", read_only=True)
            for name in _COPIED:
                connection.run(f"CREATE VIEW stored_{name} AS FROM stored.{quote(name)}")
        else:
            self._copy()
        self.count = int(connection.value("SELECT coalesce(max(id) + 1, 0) FROM stored_page"))
        self._keys(folds)

    def read_columns(self, names: Sequence[str]) -> str:
        """The relation that has these columns of all pages."""
        if self._attached or self._existing is None or not names or not self.count:
            return "stored_page"
        self._fill("stored_values", self._existing.read_pages(list(names)))
        return "stored_values"

    def read_links(self, sources: np.ndarray, *, anchors: bool) -> None:
        """Copy the links of some pages, where they are not at hand already."""
        if self._attached or self._existing is None or not len(sources):
            return
        wanted = np.zeros(self.count, np.bool_)
        wanted[sources] = True
        for batch in self._existing.read_links(("weight", "anchors") if anchors else ("weight",)):
            rows = np.flatnonzero(wanted[batch.column("source").to_numpy()])
            append(self._connection, "stored_link", batch.take(pa.array(rows)) if len(rows) < batch.num_rows else batch)

    def read_queries(self) -> None:
        """Copy queries and results, where they are not at hand already."""
        if self._attached or self._existing is None:
            return
        results = self._existing.read_results().rename_columns({"id": "page"})
        self._fill("stored_query", self._existing.read_queries().to_batches())
        self._fill("stored_result", results.to_batches())

    def _copy(self) -> None:
        if self._existing is not None:
            columns = ["url", "source_id", "status", "host", *([REDIRECT] if self.redirects else [])]
            self._fill("stored_page", self._existing.read_pages(columns))
            with self._connection.registered("hosts", self._existing.read_hosts()):
                self._connection.run("CREATE TABLE stored_host AS FROM hosts")
        # A store may know a column and have no page.
        redirect = f", {REDIRECT} VARCHAR" if self.redirects else ""
        for name in _COPIED:
            more = redirect if name == "page" else ""
            self._connection.run(f"CREATE TABLE IF NOT EXISTS stored_{name} ({TABLES[name]}{more})")

    def _fill(self, table: str, batches: Iterable[pa.RecordBatch]) -> None:
        """Add rows to a table, which is made like them where it is not there."""
        for batch in batches:
            with self._connection.registered("batch", batch):
                self._connection.run(f"CREATE TABLE IF NOT EXISTS {table} AS FROM batch LIMIT 0")
            append(self._connection, table, batch)

    def _keys(self, folds: bool) -> None:
        """Make ``stored_key``: what pages are known by; where variants fold together, the first page stands."""
        if not folds:
            self._connection.run(
                "CREATE VIEW stored_key AS SELECT url AS key, id, url FROM stored_page WHERE url IS NOT NULL"
            )
            return
        self._connection.run("CREATE TABLE all_keys (key VARCHAR, id INTEGER, url VARCHAR)")
        for batch in self._connection.batches("SELECT url, id FROM stored_page WHERE url IS NOT NULL"):
            urls = batch.column("url")
            append(self._connection, "all_keys", {"key": fold_variants(urls), "id": batch.column("id"), "url": urls})
        self._connection.run(
            "CREATE TABLE stored_key AS SELECT key, min(id) AS id, arg_min(url, id) AS url FROM all_keys GROUP BY key"
        )
