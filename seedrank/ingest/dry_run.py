"""A load tried on its first rows: what would be read, mapped, merged and dropped. No store is opened."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from seedrank.ingest.merge import Merge
from seedrank.loaders.base import Batch, LoadOptions, Source, Summary
from seedrank.loaders.nodes import as_pages, check_options, remarks_on
from seedrank.loaders.table import use_options

__all__ = ["ROWS", "Preview", "preview"]

ROWS = 10_000
"""Rows that are tried, of each file of a table."""

_SHOWN = 3


@dataclass(frozen=True)
class Preview:
    """What the first rows would become."""

    rows: int
    """How many were tried at most."""
    reads: list[str]
    """How each file is read."""
    summary: Summary
    """What was read, merged and dropped."""
    columns: dict[str, pa.DataType]
    """Types of the columns that pages would have, beside URL, id, status and host."""
    pages: list[dict[str, Any]]
    """The first pages, as they would be stored."""


def preview(
    source: Source, options: LoadOptions | None = None, *, rows: int = ROWS, spool: Path | None = None
) -> Preview:
    """Try a load.

    Links by id between pages that come after the first rows are left out and counted.

    Parameters
    ----------
    source
        A loader from `loaders`.
    rows
        How many rows to read.
    spool
        Folder for temporary files; the system's by default.

    Raises
    ------
    InputError
        For whatever is wrong with the first rows.
    """
    options = options or LoadOptions()
    use_options(source, options)
    seen = _Seen(rows)
    with Merge(spool or Path(tempfile.gettempdir()), options) as merge:
        for batch in source.first(rows):
            check_options(source.level, options)
            merge.add(as_pages(seen.keep(batch), source.level))
        changes, summary = merge.finish()
        summary.add("links dropped: of pages after the first rows", seen.dropped)
        source.broken.tell(summary)
        summary.notes = [*remarks_on(source.level), *source.notes]
        pages = changes.new_pages.slice(0, _SHOWN).drop_columns(["id"]).to_pylist()
        return Preview(rows, list(source.reads), summary, dict(changes.page_columns), pages)


@dataclass
class _Seen:
    """The ids of the pages that were read, so that links to others can be told from wrong ones."""

    rows: int
    dropped: int = 0
    _ids: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    _rows_of: dict[str, int] = field(default_factory=dict)

    def keep(self, batch: Batch) -> Batch:
        """The batch without links of pages that were not read, where not all pages were."""
        rows = batch.rows
        if batch.kind == "pages":
            self._rows_of[batch.where.file] = self._rows_of.get(batch.where.file, 0) + rows.num_rows
            if "id" in rows.schema.names:
                self._ids = np.union1d(self._ids, rows.column("id").drop_null().to_numpy())
        if batch.kind != "links" or not len(self._ids) or max(self._rows_of.values()) < self.rows:
            return batch
        ends = [rows.column(name) for name in ("source", "target")]
        if not all(pa.types.is_integer(end.type) for end in ends):
            return batch
        known = np.logical_and.reduce([np.isin(end.to_numpy(), self._ids) for end in ends])
        self.dropped += int(np.count_nonzero(~known))
        return batch.filter(known)
