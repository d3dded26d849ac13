"""Labels that name pages by their host: given to all pages of it, in the store and in the load."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from loaders.base import Batch, Summary, Where
from loaders.spool.addresses import Addresses
from loaders.spool.columns import ColumnSpool
from loaders.spool.interning import Growing, StringTable
from loaders.spool.pages import Pages, host_names
from loaders.spool.stored import StoredPages
from seedrank.core import urls

__all__ = ["Labels"]

_ROWS = 1 << 16


class Labels:
    """Spam labels of hosts and of single pages.

    Of a host that several labels cover (its own name and one above it) the most specific counts, of several of one
    name the last; the label of a page's URL counts before that of its host. Labels of hosts and pages that neither
    the store nor the load has are left out and counted: a label is no page.

    Parameters
    ----------
    pages, stored, addresses
        What load and store know of pages.
    hosts
        Numbers of host names.
    summary
        Takes the counts.
    """

    def __init__(
        self, pages: Pages, stored: StoredPages, addresses: Addresses, hosts: StringTable, summary: Summary
    ) -> None:
        self._pages, self._stored, self._addresses, self._hosts = pages, stored, addresses, hosts
        self._summary = summary
        self._names = StringTable()
        self._spam, self._below = Growing(np.float64, 0), Growing(np.bool_, False)
        self._of_pages: list[tuple[np.ndarray, np.ndarray]] = []

    def add(self, batch: Batch) -> None:
        """Take rows: ``host``, perhaps ``below`` (its subdomains too), or ``url``; and ``spam``."""
        rows = batch.rows
        if "url" in rows.schema.names:
            pages = self._pages.find(batch)
            known = pages >= 0
            bad = int(np.count_nonzero(pages == -2))
            self._summary.add("labels dropped: unparsable URL", bad)
            self._summary.add("labels dropped: unknown page", int(np.count_nonzero(~known)) - bad)
            self._of_pages.append((pages[known], rows.column("spam").to_numpy()[known]))
            return
        names = self._names.intern(host_names(rows.column("host")))
        named = names >= 0
        below = rows.column("below").to_numpy(zero_copy_only=False)
        self._spam.reserve(len(self._names))[names[named]] = rows.column("spam").to_numpy()[named]
        self._below.reserve(len(self._names))[names[named]] = below[named]

    def finish(self, columns: ColumnSpool) -> None:
        """Hand the labels over as values of pages; those of URLs last, so that they stand."""
        if len(self._names):
            self._finish_hosts(columns)
        for pages, spam in self._of_pages:
            _give(columns, pages, spam)

    def _finish_hosts(self, columns: ColumnSpool) -> None:
        of_page = self._page_hosts()
        of_host = self._labels_of_hosts(np.unique(of_page[of_page >= 0]))
        label = np.where(of_page >= 0, of_host[of_page], -1)
        pages = np.flatnonzero(label >= 0)
        _give(columns, pages, self._spam.values[label[pages]])
        self._summary.add("labels dropped: unknown host", len(self._names) - len(np.unique(label[pages])))

    def _labels_of_hosts(self, hosts: np.ndarray) -> np.ndarray:
        """int32 per number of a host: the label that covers it, -1 for none."""
        found = np.full(len(self._hosts) + 1, -1, np.int32)  # one more, so that it is not empty
        names = self._hosts.take(hosts)
        labels = self._names.find(names)
        found[hosts] = labels
        while self._below.values.any() and (labels < 0).any():
            # What no label names yet loses its first word: a.b.example, b.example, example.
            rest = labels < 0
            hosts, names = hosts[rest], names.filter(pa.array(rest))
            dotted = pc.match_substring(names, ".")
            hosts, names = hosts[dotted.to_numpy(zero_copy_only=False)], names.filter(dotted)
            names = pc.replace_substring_regex(names, r"^[^.]*\.", "")
            labels = self._names.find(names)
            labels[(labels >= 0) & ~self._below.values[labels]] = -1
            found[hosts] = labels
        return found

    def _page_hosts(self) -> np.ndarray:
        """int32 per page of store and load: number of its host, -1 for none."""
        pages, first = self._pages, self._stored.count
        hosts = pages.host.copy()
        hosts[:first] = np.where(self._stored.host >= 0, self._stored.host, hosts[:first])
        without = np.flatnonzero((hosts < 0) & (pages.url >= 0))
        for at in range(0, len(without), _ROWS):
            some = without[at : at + _ROWS]
            hosts[some] = self._hosts.intern(urls.hosts(self._addresses.take(pages.url[some])))
        return hosts


def _give(columns: ColumnSpool, pages: np.ndarray, spam: np.ndarray) -> None:
    if len(pages):
        columns.add(pages, pa.RecordBatch.from_arrays([pa.array(spam)], ["spam"]), Where("labels"), True)
