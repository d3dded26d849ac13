"""Events summed into columns of pages."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from loaders.base import Batch, LoadOptions, Summary, Where
from loaders.columns import convert
from loaders.spool.columns import ColumnSpool
from loaders.spool.interning import Growing
from loaders.spool.pages import Pages
from loaders.times import TIME, utc, within
from seedrank.core.model import SUMMED_EVENT_COLUMNS

__all__ = ["Events"]


class Events:
    """Sums clicks and views per page over the time the options give.

    The sums replace what a page had, in the load's tables or in the store: a load that is repeated changes nothing,
    and who wants the sum of two logs gives both to one load. An event without clicks and views is one view.
    Events of pages that are neither in the store nor in the load are left out and counted: an event is no page.

    Parameters
    ----------
    pages
        Tells the pages of events.
    options
        Which events count.
    summary
        Takes the counts.
    """

    def __init__(self, pages: Pages, options: LoadOptions, summary: Summary) -> None:
        self._pages, self._summary = pages, summary
        self._since, self._until = utc(options.since), utc(options.until)
        self._sums = {name: Growing(np.float64, 0) for name in SUMMED_EVENT_COLUMNS}
        self._seen = {name: Growing(np.bool_, False) for name in SUMMED_EVENT_COLUMNS}

    def add(self, batch: Batch) -> None:
        """Take rows of an events table."""
        rows, where = batch.rows, batch.where
        counts = self._in_time(rows, where)
        self._summary.add("events dropped: out of time", int(np.count_nonzero(~counts)))
        pages = self._pages.find(batch)
        bad = counts & (pages == -2)
        unknown = counts & (pages == -1)
        self._summary.add("events dropped: unparsable URL", int(np.count_nonzero(bad)))
        self._summary.add("events dropped: unknown page", int(np.count_nonzero(unknown)))
        counts &= pages >= 0
        pages = pages[counts]
        given = [name for name in SUMMED_EVENT_COLUMNS if name in rows.schema.names]
        if not given:
            self._sum("views", pages, np.ones(len(pages)))
        for name in given:
            values = convert(rows.column(name), pa.float64(), column=name, where=where).fill_null(0).to_numpy()
            self._sum(name, pages, values[counts])

    def finish(self, columns: ColumnSpool) -> None:
        """Hand the sums over as the last, and so the standing, values of their columns."""
        for name, seen in self._seen.items():
            pages = np.flatnonzero(seen.values)
            if len(pages):
                sums = pa.array(self._sums[name].values[pages])
                columns.add(pages, pa.RecordBatch.from_arrays([sums], [name]), Where("events"), True)

    def _sum(self, name: str, pages: np.ndarray, values: np.ndarray) -> None:
        np.add.at(self._sums[name].reserve(self._pages.count), pages, values)
        self._seen[name].reserve(self._pages.count)[pages] = True

    def _in_time(self, rows: pa.RecordBatch, where: Where) -> np.ndarray:
        if self._since is None and self._until is None:
            return np.ones(rows.num_rows, np.bool_)
        return within(convert(rows.column("time"), TIME, column="time", where=where), self._since, self._until)
