"""Which row is which page, and the number each page gets.

Pages tables come first. Until the last of them was seen (`Pages.seal`) numbers are provisional: a row without URL may
turn out to be a page that is known by its URL, in this load or in the store.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from loaders.base import Batch, Summary, Where
from loaders.columns import convert
from loaders.spool.addresses import BAD, NONE, Addresses
from loaders.spool.columns import ColumnSpool
from loaders.spool.interning import Growing, IdTable, StringTable, valid_rows
from loaders.spool.stored import AMBIGUOUS, REDIRECT, StoredPages, status_codes
from seedrank.core.errors import InputError
from seedrank.core.model import Status
from seedrank.kernels.pages import number_ids, number_rows, raise_status, values_at

__all__ = ["Pages", "host_names"]

_MOST = 2**31 - 1
_ROW_COLUMNS = frozenset({"url", "id", "status", "host"})
_LEFT_OUT = -2


class Pages:
    """The pages of a load, numbered after those of the store in the order they first appear.

    Parameters
    ----------
    stored
        What the store has.
    addresses
        Numbers of URLs.
    hosts
        Numbers of host names.
    columns
        Takes the columns of pages.
    summary
        Takes the counts.

    Attributes
    ----------
    count
        Pages of the store and the load.
    followed
        Whether the load's links are those that people followed; to be set by who reads the links.
    """

    def __init__(
        self, stored: StoredPages, addresses: Addresses, hosts: StringTable, columns: ColumnSpool, summary: Summary
    ) -> None:
        self._stored, self._addresses, self._hosts = stored, addresses, hosts
        self._columns, self._summary = columns, summary
        self.count = stored.count
        self.followed = False
        self._page_of_url = Growing(np.int32, -1)
        self._ids = IdTable()
        self._have_ids = False
        self._sealed = False
        self._files: dict[str, int] = {}
        self._same_as = Growing(np.int32, -1)
        self._file = Growing(np.int32, -1)
        self._url, self._source_id = Growing(np.int32, -1), Growing(np.int64, -1)
        self._status, self._host = Growing(np.int8, -1), Growing(np.int32, -1)
        self._links_out, self._linked_to = Growing(np.bool_, False), Growing(np.bool_, False)
        self._arrays = (
            self._same_as, self._file, self._url, self._source_id, self._status, self._host, self._links_out,
            self._linked_to,
        )  # fmt: skip
        self._reserve(0)
        self._url.values[: self.count] = stored.url
        known = np.flatnonzero(stored.url >= 0)[::-1]
        # Where variants are folded two pages of the store may have one key: the first stands.
        self._page_of_url.reserve(len(addresses))[stored.url[known]] = known

    # -- the arrays, by page

    @property
    def url(self) -> np.ndarray:
        """int32: number of the URL, -1 for none."""
        return self._url.values[: self.count]

    @property
    def source_id(self) -> np.ndarray:
        """int64: the id the load's source gives, -1 for none."""
        return self._source_id.values[: self.count]

    @property
    def status(self) -> np.ndarray:
        """int8: the `Status` that the load's tables give, -1 for none."""
        return self._status.values[: self.count]

    @property
    def host(self) -> np.ndarray:
        """int32: number of the host that the load's tables give, -1 for none."""
        return self._host.values[: self.count]

    @property
    def links_out(self) -> np.ndarray:
        """bool: whether the load has a link from the page; to be set by who reads the links."""
        return self._links_out.values

    @property
    def linked_to(self) -> np.ndarray:
        """bool: whether the load has a link to the page; to be set by who reads the links."""
        return self._linked_to.values

    @property
    def in_tables(self) -> np.ndarray:
        """bool: whether the load has a row of the page."""
        return self._file.values[: self.count] >= 0

    # -- rows of pages

    def add(self, batch: Batch) -> None:
        """Take rows of a pages table."""
        if batch.known:
            self._add_known(batch)
            return
        rows, where = batch.rows, batch.where
        urls, ids, places = self._keys(batch)
        pages = np.empty(rows.num_rows, np.int32)
        self._reserve(rows.num_rows)
        self.count, merged, conflict = number_rows(
            urls,
            places,
            ids,
            self._page_of_url.reserve(len(self._addresses)),
            self._ids.values,
            self._url.values,
            self._source_id.values,
            self._same_as.values,
            self._file.values,
            self._files.setdefault(where.file, len(self._files)),
            self.count,
            pages,
        )
        if conflict >= 0:
            raise InputError(
                "this id stands for another URL already",
                file=where.file,
                line=where.line(conflict),
                column="id",
                value=int(ids[conflict]),
                hint="load sources with ids of their own one after the other",
            )
        self._summary.add("pages merged", merged)
        self._summary.add("page rows dropped: unparsable URL", int(np.count_nonzero(pages < 0)))
        self._attributes(pages, batch)

    def _add_known(self, batch: Batch) -> None:
        """Take rows about pages that are there; no page comes with them."""
        pages = self.find(batch)
        self._summary.add("column rows dropped: unparsable URL", int(np.count_nonzero(pages == _LEFT_OUT)))
        self._summary.add("column rows dropped: not in the graph", int(np.count_nonzero(pages == -1)))
        known = pages >= 0
        self._attributes(pages[known], batch.filter(known))

    def _keys(self, batch: Batch) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """URL, id and place of the id per row."""
        rows, where = batch.rows, batch.where
        names = rows.schema.names
        urls = np.full(rows.num_rows, NONE, np.int32)
        ids = np.full(rows.num_rows, -1, np.int64)
        places = ids
        if "url" in names:
            urls = self._addresses.number(rows.column("url"), where)
        if "id" in names:
            column = convert(rows.column("id"), pa.int64(), column="id", where=where)
            valid = valid_rows(column)
            ids = column.fill_null(-1).to_numpy()
            _refuse_negative(ids, valid, where, "id")
            if valid.any():
                self._have_ids = True
                places = self._ids.places(ids, valid)
        if not (urls != NONE).all() and (nothing := (urls == NONE) & (places < 0)).any():
            raise InputError(
                "a page with neither url nor id",
                file=where.file,
                line=where.line(int(nothing.argmax())),
                hint="fill one",
            )
        if self._sealed and (late := urls == NONE).any():
            raise InputError(
                "a page without URL after the first links",
                file=where.file,
                line=where.line(int(late.argmax())),
                hint="give pages before links",
            )
        return urls, ids, places

    def _attributes(self, pages: np.ndarray, batch: Batch) -> None:
        rows, where = batch.rows, batch.where
        names = rows.schema.names
        if "status" in names:
            labels = rows.column("status").cast(pa.string())
            codes = status_codes(labels)
            wrong = (codes < 0) & valid_rows(labels)
            if wrong.any():
                row = int(wrong.argmax())
                raise InputError(
                    "is no status",
                    file=where.file,
                    line=where.line(row),
                    column="status",
                    value=labels[row].as_py(),
                    hint=f"one of {', '.join(status.label for status in Status)}",
                )
            raise_status(pages, codes, self._status.values)
        if "host" in names:
            hosts = self._hosts.intern(host_names(rows.column("host")))
            given = (hosts >= 0) & (pages >= 0)
            self._host.values[pages[given]] = hosts[given]
        if REDIRECT in names:
            rows = self._redirected(pages, rows, where)
        own = rows.select([name for name in names if name not in _ROW_COLUMNS])
        self._columns.add(pages, own, where, batch.typed, batch.guarded)

    def _redirected(self, pages: np.ndarray, rows: pa.RecordBatch, where: Where) -> pa.RecordBatch:
        """Rows with redirects in normal form, whose targets are pages from now on."""
        given = convert(rows.column(REDIRECT), pa.string(), column=REDIRECT, where=where)
        given = pc.if_else(pa.array(pages >= 0), given, pa.scalar(None, pa.string()))
        urls = self._addresses.number(given, where, REDIRECT)
        self._summary.add("redirects dropped: unparsable URL", int(np.count_nonzero(urls == BAD)))
        of_url = self._page_of_url.reserve(len(self._addresses))
        found, first = np.unique(urls[urls >= 0], return_index=True)
        new = found[np.argsort(first)]
        new = new[of_url[new] < 0]
        self._reserve(len(new))
        of_url[new] = np.arange(self.count, self.count + len(new))
        self._url.values[self.count : self.count + len(new)] = new
        self.count += len(new)
        normal = self._addresses.take(np.maximum(urls, NONE))
        return rows.set_column(rows.schema.get_field_index(REDIRECT), REDIRECT, normal)

    # -- the end of the pages tables

    def seal(self) -> None:
        """Settle which pages are the same; from now on numbers are final."""
        if self._sealed:
            return
        self._sealed = True
        old = self._stored.count
        same_as = self._same_as.values[: self.count]
        new = np.arange(old, self.count)
        new = new[(self._source_id.values[new] >= 0) & (same_as[new] < 0)]
        there = self._stored.find(self._source_id.values[new])
        without = self._url.values[new] < 0
        if (ambiguous := (there == AMBIGUOUS) & without).any():
            raise _ambiguous(int(self._source_id.values[new[ambiguous.argmax()]]))
        # A page of the store that has no URL yet takes one from the row with its id.
        joins = (there >= 0) & (without | (self._url.values[np.maximum(there, 0)] < 0))
        same_as[new[joins]] = there[joins]
        gone = np.flatnonzero(same_as >= 0)
        if len(gone):
            # The page it turned out to be may have turned out to be one of the store.
            again = same_as[same_as[gone]]
            self._join(gone, np.where(again >= 0, again, same_as[gone]))

    def _join(self, gone: np.ndarray, to: np.ndarray) -> None:
        """Let pages that turned out to be others give these what they know, and number the rest without them."""
        for array in (self._url, self._source_id, self._host):
            values = array.values
            wanted = np.flatnonzero((values[to] < 0) & (values[gone] >= 0))[::-1]
            # Several pages may turn out to be one: backwards, so that the first has the last word.
            values[to[wanted]] = values[gone[wanted]]
        raise_status(to, self._status.values[gone], self._status.values)
        seen = self._file.values[gone] >= 0
        self._file.values[to[seen]] = self._file.values[gone[seen]]
        stays = np.ones(self.count, np.bool_)
        stays[gone] = False
        final = np.cumsum(stays, dtype=np.int32) - np.int32(1)
        final[gone] = final[to]
        for array in self._arrays:
            kept = array.values[: self.count][stays]
            array.values[: len(kept)] = kept
            array.values[len(kept) : self.count] = array.fill
        for table in (self._page_of_url.values, self._ids.values):
            table[table >= 0] = final[table[table >= 0]]
        self.count = int(np.count_nonzero(stays))
        self._columns.renumber(final)

    # -- ends of links, pages of events and results

    def at_urls(self, urls: np.ndarray) -> np.ndarray:
        """int32 per number of a URL: its page, -1 for none."""
        return np.asarray(values_at(self._page_of_url.reserve(len(self._addresses)), urls))

    def by_url(self, source: pa.Array, target: pa.Array, where: Where) -> tuple[np.ndarray, np.ndarray]:
        """Pages of links' ends by URL, new ones where they are new; both negative where one cannot be parsed."""
        self.seal()
        before = len(self._addresses)
        ends = self._addresses.number_pairs(source, target, where)
        for name, urls in zip(("source", "target"), ends, strict=True):
            _refuse_empty(urls == NONE, where, name)
        # URLs are numbered in the order they appear, and so are the pages that come with them.
        new = len(self._addresses) - before
        self._reserve(new)
        of_url = self._page_of_url.reserve(len(self._addresses))
        of_url[before : before + new] = np.arange(self.count, self.count + new)
        self._url.values[self.count : self.count + new] = np.arange(before, before + new)
        self.count += new
        return values_at(of_url, ends[0]), values_at(of_url, ends[1])

    def by_id(self, source: np.ndarray, target: np.ndarray, where: Where) -> tuple[np.ndarray, np.ndarray]:
        """Pages of links' ends by the source's ids; negative where the page was left out.

        Raises
        ------
        InputError
            For an id that no page has, where the load's pages tables give ids.
        """
        self.seal()
        pages = self._ids.find(source), self._ids.find(target)
        if any((found == -1).any() for found in pages):
            both = np.empty(2 * len(source), np.int64)
            both[0::2], both[1::2] = source, target
            found = np.empty(len(both), np.int32)
            found[0::2], found[1::2] = pages
            self._number_ids(both, np.flatnonzero(found == -1), where)
            pages = self._ids.find(source), self._ids.find(target)
        return pages

    def _number_ids(self, both: np.ndarray, unknown: np.ndarray, where: Where) -> None:
        ids = both[unknown]
        names = ("source", "target")
        if (negative := ids < 0).any():
            at = int(unknown[negative.argmax()])
            _refuse_negative(both[at : at + 1], None, Where(where.file, where.line(at // 2)), names[at % 2])
        if self._have_ids:
            at = int(unknown[0])
            raise InputError(
                "no page has this id",
                file=where.file,
                line=where.line(at // 2),
                column=names[at % 2],
                value=int(both[at]),
                hint="the pages table must have every page that links name",
            )
        stored = self._stored.find(ids)
        if (ambiguous := stored == AMBIGUOUS).any():
            at = int(unknown[ambiguous.argmax()])
            raise _ambiguous(int(both[at]), where, at // 2, names[at % 2])
        places = self._ids.places(ids)
        self._reserve(len(ids))
        self.count = number_ids(ids, places, self._ids.values, stored, self._source_id.values, self.count)

    def find(self, batch: Batch) -> np.ndarray:
        """int32 per row of events or results: its page, -1 where there is none, -2 where its URL cannot be parsed."""
        self.seal()
        rows, where = batch.rows, batch.where
        pages = np.full(rows.num_rows, -1, np.int32)
        if "id" in rows.schema.names:
            column = convert(rows.column("id"), pa.int64(), column="id", where=where)
            ids = column.fill_null(-1).to_numpy()
            pages = self._ids.find(ids)
            if not self._have_ids and (rest := (pages == -1) & (ids >= 0)).any():
                stored = self._stored.find(ids[rest])
                if (stored == AMBIGUOUS).any():
                    row = int(np.flatnonzero(rest)[(stored == AMBIGUOUS).argmax()])
                    raise _ambiguous(int(ids[row]), where, row, "id")
                pages[rest] = stored
        if "url" in rows.schema.names:
            urls = self._addresses.find(rows.column("url"), where)
            of_url = self._page_of_url.reserve(len(self._addresses))
            pages = np.where(urls >= 0, values_at(of_url, urls), np.where(urls == BAD, _LEFT_OUT, pages))
        return pages.astype(np.int32, copy=False)

    def _reserve(self, more: int) -> None:
        if self.count + more > _MOST:
            raise InputError(
                f"more than {_MOST:,} pages", hint="a graph has at most 2^31 - 1: load a part of it, or its hosts"
            )
        for array in self._arrays:
            array.reserve(self.count + more)


def host_names(names: pa.Array) -> pa.Array:
    """Host names as they stand in the store: lower case, an empty one is none."""
    names = pc.utf8_lower(pc.utf8_trim_whitespace(names.cast(pa.string())))
    return pc.if_else(pc.equal(names, ""), pa.scalar(None, pa.string()), names)


def _refuse_empty(empty: np.ndarray, where: Where, column: str) -> None:
    if empty.any():
        raise InputError(
            "is empty", file=where.file, line=where.line(int(empty.argmax())), column=column, hint="fill it"
        )


def _refuse_negative(ids: np.ndarray, valid: np.ndarray | None, where: Where, column: str) -> None:
    negative = ids < 0 if valid is None else (ids < 0) & valid
    if negative.any():
        row = int(negative.argmax())
        raise InputError(
            "is negative",
            file=where.file,
            line=where.line(row),
            column=column,
            value=int(ids[row]),
            hint="ids are whole numbers from 0 to 9223372036854775807",
        )


def _ambiguous(source_id: int, where: Where | None = None, row: int = 0, column: str = "id") -> InputError:
    return InputError(
        "several pages of the store have this source id",
        file=None if where is None else where.file,
        line=None if where is None else where.line(row),
        column=column,
        value=source_id,
        hint="give URLs, or load the pages table (id and url) along with it",
    )
