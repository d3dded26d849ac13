"""The tables of pages that a load hands to the store, written column by column."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from loaders.page_types import types_of
from loaders.spool.addresses import Addresses
from loaders.spool.columns import ColumnSpool, changes
from loaders.spool.files import write_batches
from loaders.spool.interning import StringTable
from loaders.spool.pages import Pages
from loaders.spool.redirects import find_redirects
from loaders.spool.stored import StoredPages
from loaders.spool.tables import assemble, gather
from seedrank.core import urls
from seedrank.core.model import Status
from seedrank.core.progress import Advance

__all__ = ["PageTables"]

_ROWS = 1 << 16
_TYPE = "type"
_LABELS = pa.array([status.label for status in Status])


class PageTables:
    """Makes `Changes.new_pages`, `changed_pages` and `page_hosts`, in this order, after the last row has come.

    Parameters
    ----------
    folder
        Where the files go.
    pages, stored, addresses, host_names, columns
        What the load and the store know of pages.
    assume_crawled
        Whether pages of the tables (where there are none: all pages of the load) were fetched, links or no links.

    Attributes
    ----------
    hosts
        int32 per page of store and load: number of its host, -1 for none; complete after `changed_pages`.
    types
        Types of the columns the load brings.
    redirects
        Pages that redirect, `None` where there is none.
    """

    def __init__(
        self,
        folder: Path,
        pages: Pages,
        stored: StoredPages,
        addresses: Addresses,
        host_names: StringTable,
        columns: ColumnSpool,
        assume_crawled: bool,
    ) -> None:
        self._folder, self._pages, self._stored = folder, pages, stored
        self._addresses, self._host_names, self._columns = addresses, host_names, columns
        self.types = columns.finish()
        self._first = stored.count
        self.hosts = pages.host.copy()
        self.hosts[: self._first] = np.where(stored.host >= 0, stored.host, self.hosts[: self._first])
        self._status = self._statuses(assume_crawled)
        self.redirects = find_redirects(pages, stored, addresses, columns, self._status)
        if self.redirects is not None:
            self._status[self.redirects.pages] = Status.MISSING

    def _statuses(self, assume_crawled: bool) -> np.ndarray:
        given, first, count = self._pages.status, self._first, self._pages.count
        fetched = self._pages.links_out[:count].copy()
        if self._pages.followed:
            fetched[:first] &= self._stored.status < 0
        if assume_crawled:
            listed = self._pages.in_tables
            new = np.arange(count) >= first
            fetched = fetched | (listed if listed.any() else self._pages.linked_to[:count] | new)
        derived = np.where(fetched, Status.CRAWLED, Status.FRONTIER)
        status = np.where(given >= 0, given, derived).astype(np.int8)
        status[:first] = np.maximum(self._stored.status, np.where(given[:first] >= 0, given[:first], derived[:first]))
        return status

    def new_pages(self, advance: Advance) -> pa.Table:
        """Pages that the store does not have."""
        first, end = self._first, self._pages.count
        ids = pa.array(np.arange(first, end))
        source_id = self._pages.source_id[first:]
        columns: dict[str, pa.Array | pa.ChunkedArray] = {
            "id": ids,
            "url": self._write("url", pa.string(), self._urls(np.arange(first, end), advance)),
            "source_id": pa.array(source_id, mask=source_id < 0),
            "status": _LABELS.take(pa.array(self._status[first:])),
        }
        for name, kind in self.types.items():
            columns[name] = self._write(f"column-{len(columns)}", kind, self._values(name, kind))
        if self._columns.stored.get(_TYPE, pa.string()) == pa.string():
            types = self._write(_TYPE, pa.string(), self._page_types(columns["url"], columns.get(_TYPE)))
            if types.null_count < len(types):
                columns[_TYPE], self.types[_TYPE] = types, pa.string()
        return pa.table(columns)

    def _values(self, name: str, kind: pa.DataType) -> Iterator[pa.Array]:
        """A column of new pages, piece by piece."""
        first, end = self._first, self._pages.count
        values = self._columns.values(name, end)
        for start in range(first, end, _ROWS):
            yield values.take(slice(start, min(start + _ROWS, end))).cast(kind)

    def _page_types(self, urls: pa.ChunkedArray, given: pa.ChunkedArray | None) -> Iterator[pa.Array]:
        """Types of new pages, piece by piece: as given, else by the URL."""
        linking, at = self._pages.links_out[self._first : self._pages.count], 0
        for chunk in urls.chunks:
            types = types_of(chunk, linking=linking[at : at + len(chunk)])
            if given is not None:
                types = pc.coalesce(given[at : at + len(chunk)].combine_chunks(), types)
            yield types
            at += len(chunk)

    def changed_pages(self) -> pa.Table:
        """Pages of the store that the load knows more of."""
        end, stored, pages = self._first, self._stored, self._pages
        # Hosts of pages that have none: a load that was cut off leaves such pages.
        for _ in self._urls(np.flatnonzero((self.hosts[:end] < 0) & (pages.url[:end] >= 0)), lambda units: None):
            pass
        columns: dict[str, tuple[np.ndarray, pa.Array]] = {}
        got_url = np.flatnonzero((stored.url < 0) & (pages.url[:end] >= 0))
        got_id = np.flatnonzero((stored.source_id < 0) & (pages.source_id[:end] >= 0))
        touched = (stored.status >= 0) | pages.in_tables[:end] | pages.links_out[:end]
        rose = np.flatnonzero((self._status[:end] > stored.status) & touched)
        if len(got_url):
            columns["url"] = got_url, self._addresses.take(pages.url[got_url]).cast(pa.string())
        if len(got_id):
            columns["source_id"] = got_id, pa.array(pages.source_id[got_id])
        if len(rose):
            columns["status"] = rose, _LABELS.take(pa.array(self._status[rose]))
        columns |= self._changed_columns()
        owners = np.unique(np.concatenate([np.zeros(0, np.int64), *(part for part, _ in columns.values())]))
        return pa.table({"id": pa.array(owners, pa.int64()), **assemble(columns, owners)})

    def page_hosts(self) -> pa.Table:
        """Pages whose host is new to the store."""
        new = self.hosts >= 0
        new[: self._first] &= self._stored.host < 0
        ids = np.flatnonzero(new)
        parts = (self._host_names.take(self.hosts[ids[at : at + _ROWS]]) for at in range(0, len(ids), _ROWS))
        return pa.table({"id": pa.array(ids), "host": self._write("host", pa.string(), parts)})

    def _changed_columns(self) -> dict[str, tuple[np.ndarray, pa.Array]]:
        end = self._first
        if not end:
            return {}
        brought = {name: kind for name, kind in self.types.items() if name in self._columns.names}
        there = [name for name in brought if name in self._columns.stored]
        table = self._stored.read(there, self._folder / "stored-columns.arrow")
        columns = {}
        for name, kind in brought.items():
            values = self._columns.values(name, self._pages.count)
            old: Iterator[tuple[np.ndarray, pa.Array | None]]
            if table is not None and name in there:
                old = ((batch.column("id").to_numpy(), batch.column(name)) for batch in table.to_batches())
            else:
                old = ((np.arange(at, min(at + _ROWS, end)), None) for at in range(0, end, _ROWS))
            found = gather(list(changes(values, old, kind)), kind)
            if len(found[0]):
                columns[name] = found
        return columns

    def _urls(self, ids: np.ndarray, advance: Advance) -> Iterator[pa.Array]:
        """URLs of pages, piece by piece; on the way, pages without host get that of their URL."""
        for at in range(0, len(ids), _ROWS):
            some = ids[at : at + _ROWS]
            found = self._addresses.take(self._pages.url[some])
            without = (self.hosts[some] < 0) & (self._pages.url[some] >= 0)
            if without.all():
                self.hosts[some] = self._host_names.intern(urls.hosts(found))
            elif without.any():
                self.hosts[some[without]] = self._host_names.intern(urls.hosts(found.filter(pa.array(without))))
            advance(len(some))
            yield found

    def _write(self, name: str, kind: pa.DataType, parts: Iterator[pa.Array]) -> pa.ChunkedArray:
        """A column on disk."""
        schema = pa.schema([(name, kind)])
        batches = (pa.RecordBatch.from_arrays([part.cast(kind)], schema=schema) for part in parts)
        return write_batches(self._folder / f"new-{name}.arrow", schema, batches)[name]
