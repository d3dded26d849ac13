"""What the store already has of pages, as far as a load must know it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from loaders.base import Existing
from loaders.spool.addresses import Addresses
from loaders.spool.files import write_batches
from loaders.spool.interning import Growing, IdTable, StringTable, valid_rows
from seedrank.core.model import Status

__all__ = ["AMBIGUOUS", "REDIRECT", "StoredPages", "status_codes"]

REDIRECT = "redirect"

AMBIGUOUS = -3
"""Several pages of the store have this source id."""

_LABELS = pa.array([status.label for status in Status])


def status_codes(labels: pa.Array) -> np.ndarray:
    """int8 per string: the `Status`, -1 where null or no status."""
    codes = pc.fill_null(pc.index_in(labels, _LABELS), -1)
    result: np.ndarray = codes.to_numpy(zero_copy_only=False).astype(np.int8)
    return result


def _read(existing: Existing | None) -> Iterator[pa.RecordBatch]:
    if existing is not None:
        columns = ["url", "source_id", "status", "host"]
        if existing.page_columns().get(REDIRECT) == pa.string():
            columns.append(REDIRECT)
        yield from existing.read_pages(columns)


class StoredPages:
    """The store's pages: URL, source id, status, host and redirect of each, read once.

    Parameters
    ----------
    existing
        The store, `None` for an empty one.
    addresses
        Takes the URLs.
    hosts
        Takes the names of hosts.

    Attributes
    ----------
    redirecting, leads_to
        int64 and int32: pages that redirect, and the number of the URL that each leads to, -1 where no page has it.
    """

    def __init__(self, existing: Existing | None, addresses: Addresses, hosts: StringTable) -> None:
        self._existing = existing
        self.count = 0
        url, host = Growing(np.int32, -1), Growing(np.int32, -1)
        source_id, status = Growing(np.int64, -1), Growing(np.int8, -1)
        redirecting: list[np.ndarray] = []
        leads: list[pa.Array] = []
        for batch in _read(existing):
            if not batch.num_rows:
                continue
            ids = batch.column("id").to_numpy()
            self.count = int(ids[-1]) + 1
            for array in (url, source_id, status, host):
                array.reserve(self.count)
            url.values[ids] = addresses.add_stored(batch.column("url"))
            source_id.values[ids] = batch.column("source_id").fill_null(-1).to_numpy()
            status.values[ids] = status_codes(batch.column("status").cast(pa.string()))
            host.values[ids] = hosts.intern(batch.column("host").cast(pa.string()))
            if REDIRECT in batch.schema.names:
                texts = batch.column(REDIRECT)
                redirecting.append(ids[valid_rows(texts)])
                leads.append(texts.drop_null())
        self.url, self.source_id = url.values[: self.count], source_id.values[: self.count]
        self.status, self.host = status.values[: self.count], host.values[: self.count]
        self.redirecting = np.concatenate([np.zeros(0, np.int64), *redirecting])
        self.leads_to = addresses.find_stored(pa.concat_arrays([pa.array([], pa.string()), *leads]))

    @cached_property
    def _by_source_id(self) -> IdTable:
        table = IdTable()
        pages = np.flatnonzero(self.source_id >= 0)
        places = table.places(self.source_id[pages])
        table.values[places[::-1]] = pages[::-1]
        table.values[places[table.values[places] != pages]] = AMBIGUOUS
        return table

    def find(self, source_ids: np.ndarray) -> np.ndarray:
        """int32 per source id: the page, -1 for none, `AMBIGUOUS` for several."""
        if not self.count:
            return np.full(len(source_ids), -1, np.int32)
        return self._by_source_id.find(source_ids)

    def read(self, columns: Sequence[str], path: Path) -> pa.Table | None:
        """``id`` and columns of all pages, copied to a file; `None` where the store has no page or nothing is asked."""
        if self._existing is None or not self.count or not columns:
            return None
        batches = iter(self._existing.read_pages(list(columns)))
        first = next(batches)

        def all_batches() -> Iterator[pa.RecordBatch]:
            yield first
            yield from batches

        return write_batches(path, first.schema, all_batches())
