"""Search queries and their results."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from loaders.base import Batch, Existing, Summary, Where
from loaders.columns import convert
from loaders.spool.columns import ColumnSpool
from loaders.spool.interning import StringTable, valid_rows
from loaders.spool.pages import Pages
from seedrank.core.errors import InputError

__all__ = ["Queries"]

_VALUES = {"rank": pa.int64(), "clicks": pa.float64()}
_COLUMNS = {"freq": pa.float64(), "need": pa.float64()}


class Queries:
    """Queries, known by their text, and results, known by query and page; the last value that is not null stands.

    A query that only results name is made, without frequency. A result of a page that is neither in the store nor in
    the load is left out and counted: that it was shown somewhere makes it no page of this graph.
    Results are held in memory, 24 bytes a row.

    Parameters
    ----------
    folder
        Where the files go.
    pages
        Tells the pages of results.
    existing
        The store, `None` for an empty one.
    summary
        Takes the counts.
    """

    def __init__(self, folder: Path, pages: Pages, existing: Existing | None, summary: Summary) -> None:
        self._pages, self._existing, self._summary = pages, existing, summary
        self._texts = StringTable()
        self._columns = ColumnSpool(folder, "queries", known=_COLUMNS, stored={})
        self._keys: list[np.ndarray] = []
        self._values: dict[str, list[pa.Array]] = {name: [] for name in _VALUES}

    def add_queries(self, batch: Batch) -> None:
        """Take rows of a queries table."""
        queries = self._number(batch.rows.column("query"), batch.where)
        kept = [name for name in _COLUMNS if name in batch.rows.schema.names]
        self._columns.add(queries, batch.rows.select(kept), batch.where, True)

    def add_results(self, batch: Batch) -> None:
        """Take rows of a results table."""
        rows, where = batch.rows, batch.where
        pages = self._pages.find(batch)
        known = pages >= 0
        bad = int(np.count_nonzero(pages == -2))
        self._summary.add("results dropped: unparsable URL", bad)
        self._summary.add("results dropped: unknown page", int(np.count_nonzero(~known)) - bad)
        # A query is known by its results even where none of the pages is.
        queries = self._number(rows.column("query"), where)
        self._keys.append((queries[known].astype(np.int64) << 32) | pages[known])
        for name, kind in _VALUES.items():
            if name in rows.schema.names:
                values = convert(rows.column(name), kind, column=name, where=where).filter(pa.array(known))
            else:
                values = pa.nulls(len(self._keys[-1]), kind)
            self._values[name].append(values)

    def discard(self) -> None:
        """Let go of the files."""
        self._columns.discard()

    def finish(self) -> tuple[pa.Table, pa.Table]:
        """Queries and results that are new or changed (`Changes`)."""
        return self._changed_queries(), self._changed_results()

    def _number(self, texts: pa.Array, where: Where) -> np.ndarray:
        texts = texts.cast(pa.string())
        queries = self._texts.intern(texts)
        if (queries < 0).any():
            row = int((queries < 0).argmax())
            raise InputError("is empty", file=where.file, line=where.line(row), column="query", hint="fill it")
        return queries

    def _find(self, texts: pa.ChunkedArray) -> np.ndarray:
        return self._texts.find(texts.cast(pa.string()).combine_chunks())

    def _changed_queries(self) -> pa.Table:
        count = len(self._texts)
        kinds = self._columns.finish()
        values = {
            name: self._columns.values(name, count).take(slice(None)) if name in kinds else pa.nulls(count, kind)
            for name, kind in _COLUMNS.items()
        }
        changed = np.ones(count, np.bool_)
        if self._existing is not None and count:
            stored = self._existing.read_queries()
            changed = _overlay(values, stored, self._find(stored["text"]))
        rows = np.flatnonzero(changed)
        table = {name: column.take(pa.array(rows)) for name, column in values.items()}
        return pa.table({"text": self._texts.take(rows), **table})

    def _changed_results(self) -> pa.Table:
        keys = np.concatenate([np.zeros(0, np.int64), *self._keys])
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
        starts = np.flatnonzero(np.append(True, keys[1:] != keys[:-1])[: len(keys)])
        self._summary.add("results merged", len(keys) - len(starts))
        keys = keys[starts]
        values = {
            name: _last(pa.concat_arrays([pa.nulls(0, kind), *self._values[name]]).take(pa.array(order)), starts)
            for name, kind in _VALUES.items()
        }
        changed = np.ones(len(keys), np.bool_)
        if self._existing is not None and len(keys):
            stored = self._existing.read_results()
            queries = self._find(stored["query"])
            stored_keys = (queries.astype(np.int64) << 32) | stored["id"].to_numpy()
            at = np.searchsorted(keys, stored_keys)
            changed = _overlay(values, stored, np.where(np.append(keys, -1)[at] == stored_keys, at, -1))
        rows = np.flatnonzero(changed)
        table = {name: column.take(pa.array(rows)) for name, column in values.items()}
        queries, pages = self._texts.take(keys[rows] >> 32), pa.array(keys[rows] & 0xFFFFFFFF)
        return pa.table({"query": queries, "id": pages, **table})


def _overlay(values: dict[str, pa.Array], stored: pa.Table, rows: np.ndarray) -> np.ndarray:
    """Which rows differ from the store; where the load says nothing, `values` take what the store has.

    Parameters
    ----------
    values
        Columns of the load.
    stored
        The store's table.
    rows
        int64 per row of it: the row of `values` that is the same, -1 for none.
    """
    count = len(next(iter(values.values())))
    place = np.full(count, -1, np.int64)
    place[rows[rows >= 0]] = np.flatnonzero(rows >= 0)
    changed = place < 0
    for name, column in values.items():
        old = stored[name].cast(column.type).combine_chunks().take(pa.array(place, mask=place < 0))
        changed |= valid_rows(column) & ~_equal(column, old)
        values[name] = pc.coalesce(column, old)
    return changed


def _last(values: pa.Array, starts: np.ndarray) -> pa.Array:
    """The last value that is not null of each group; groups begin at `starts`."""
    rows = np.where(valid_rows(values), np.arange(len(values)), -1)
    last = np.maximum.reduceat(rows, starts)
    return values.take(pa.array(last, mask=last < 0))


def _equal(values: pa.Array, others: pa.Array) -> np.ndarray:
    equal: np.ndarray = pc.fill_null(pc.equal(values, others), False).to_numpy(zero_copy_only=False)
    return equal
