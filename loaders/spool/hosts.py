"""Hosts: how many pages each has, and their columns."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pyarrow as pa

from loaders.base import Batch, Existing
from loaders.spool.columns import ColumnSpool, changes
from loaders.spool.interning import StringTable, valid_rows
from loaders.spool.pages import host_names
from loaders.spool.tables import assemble, gather
from seedrank.core.errors import InputError
from seedrank.core.model import HOST_COLUMNS

__all__ = ["Hosts"]

_OURS = frozenset({"host", "name", "pages"})
"""``pages`` is counted, whatever a table says."""


class Hosts:
    """The hosts of a load and the store.

    Parameters
    ----------
    folder
        Where the files go.
    names
        Numbers of host names.
    existing
        The store, `None` for an empty one.
    text
        Columns of the user's own that are text.
    """

    def __init__(self, folder: Path, names: StringTable, existing: Existing | None, text: Iterable[str] = ()) -> None:
        self._names = names
        self._stored = None if existing is None else existing.read_hosts()
        known = {column.name: column.type for column in HOST_COLUMNS}
        self._stored_columns = {} if existing is None else existing.host_columns()
        self._columns = ColumnSpool(folder, "hosts", known=known, stored=self._stored_columns, text=text)
        self._in_tables: list[np.ndarray] = []

    def add(self, batch: Batch) -> None:
        """Take rows of a hosts table."""
        rows, where = batch.rows, batch.where
        names = host_names(rows.column("host"))
        if names.null_count:
            row = int((~valid_rows(names)).argmax())
            raise InputError("is empty", file=where.file, line=where.line(row), column="host", hint="fill it")
        hosts = self._names.intern(names)
        self._in_tables.append(hosts)
        kept = [name for name in rows.schema.names if name not in _OURS]
        self._columns.add(hosts, rows.select(kept), where, batch.typed, batch.guarded)

    def discard(self) -> None:
        """Let go of the files."""
        self._columns.discard()

    def finish(self, page_hosts: np.ndarray) -> tuple[pa.Table, dict[str, pa.DataType]]:
        """Hosts that are new or changed (`Changes.hosts`), and the types of their columns.

        Parameters
        ----------
        page_hosts
            int32 per page of store and load: number of its host, -1 for none.
        """
        types = self._columns.finish()
        stored = np.zeros(0, np.int32)
        if self._stored is not None:
            stored = self._names.intern(self._stored["name"].cast(pa.string()).combine_chunks())
        count = len(self._names)
        pages = np.bincount(page_hosts[page_hosts >= 0], minlength=count)
        stored_pages = np.full(count, -1, np.int64)
        if self._stored is not None:
            stored_pages[stored] = self._stored["pages"].fill_null(-1).to_numpy()
        touched = pages > 0
        for hosts in [*self._in_tables, stored]:
            touched[hosts] = True
        changed = np.flatnonzero(touched & (pages != stored_pages))
        columns = {name: self._changes(name, kind, stored, count) for name, kind in types.items()}
        owners = np.unique(np.concatenate([changed, *(hosts for hosts, _ in columns.values())]))
        table = {
            "name": self._names.take(owners),
            "pages": pa.array(pages[owners], pa.int64()),
            **assemble(columns, owners),
        }
        return pa.table(table), types

    def _changes(self, name: str, kind: pa.DataType, stored: np.ndarray, count: int) -> tuple[np.ndarray, pa.Array]:
        values = self._columns.values(name, count)
        new = np.flatnonzero(~np.isin(np.arange(count), stored))
        old = None
        if self._stored is not None and name in self._stored.schema.names:
            old = self._stored[name].combine_chunks()
        return gather(list(changes(values, [(stored, old), (new, None)], kind)), kind)
