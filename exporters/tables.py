"""The store's tables as CSV or Parquet; `seedrank load table` reads them back into an equal store."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet as pq

from seedrank.core.files import whole_folder
from seedrank.core.levels import Level, names, stored_level
from seedrank.core.progress import Progress, silent

if TYPE_CHECKING:
    from seedrank.graphdb.store import GraphStore

__all__ = ["TableFormat", "export_tables"]

TableFormat = Literal["csv", "parquet"]

_ANCHORED_LINK = pa.schema(
    [("source", pa.int64()), ("target", pa.int64()), ("weight", pa.float64()), ("anchor", pa.string())]
)


def export_tables(
    store: GraphStore, folder: Path, kind: TableFormat, *, level: Level | None = None, progress: Progress = silent
) -> dict[str, int]:
    """Write ``pages links hosts queries results`` into a new folder, which appears whole or not at all.

    A page's ``id`` is the number it came with (its ``source_id``). Links and results name pages by it where every
    page has one of its own, else by URL where every page has one; otherwise ``id`` is the store's own number.
    Links between hosts or domains have their names, as ``src_host`` and ``dst_host``: so `load table` knows them.
    A link with several anchor texts takes a row for each; the first row has the weight, the others 0, as weights
    of a pair add up on the way in.

    Parameters
    ----------
    level
        What a page of the store is; what its loads say when `None`.

    Returns
    -------
    dict
        Rows per table that was written; tables without rows are left out.
    """
    counts = store.counts()
    with whole_folder(folder) as half:
        called = _Names(store, level)
        rows = {"pages": _write(half / "pages", kind, called.pages(), counts.pages, progress)}
        rows["links"] = _write(half / "links", kind, map(called.link, _links(store)), counts.links, progress)
        for name, table in (
            ("hosts", store.read_hosts().rename_columns({"name": "host"}).drop_columns(["pages"])),
            ("queries", store.read_queries().rename_columns({"text": "query"})),
            ("results", called.result(store.read_results())),
        ):
            if table.num_rows:
                rows[name] = _write(half / name, kind, table.to_batches(), table.num_rows, progress)
    return rows


class _Names:
    """How pages are called in the tables: `by` is ``id`` or ``url``; hosts and domains are called by name in links."""

    def __init__(self, store: GraphStore, level: Level | None) -> None:
        batches = list(store.read_pages(("url", "source_id")))
        url, source_id = (
            pa.chunked_array([batch.column(name) for batch in batches], kind)
            for name, kind in (("url", pa.string()), ("source_id", pa.int64()))
        )
        self._store = store
        self._level = level or stored_level(store.loads()) or "page"
        self._named = None if self._level == "page" or url.null_count else names(url).combine_chunks()
        self._own = False
        if source_id.null_count == 0 and len(source_id.unique()) == len(source_id):
            self.by, self._key = "id", source_id.combine_chunks()
        elif url.null_count == 0:
            self.by, self._key = "url", url.cast(pa.large_string()).combine_chunks()
        else:
            self.by, self._key = "id", pa.array(np.arange(len(url)))
            self._own = True

    def pages(self) -> Iterator[pa.RecordBatch]:
        """All pages, with ``id`` first."""
        for batch in self._store.read_pages():
            if self._own:
                yield batch.drop_columns(["source_id"])
            else:
                source_id = batch.column("source_id")
                yield batch.drop_columns(["source_id"]).set_column(0, "id", source_id)

    def link(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """Links with both ends called by name."""
        for place, (name, end) in enumerate((("source", "src"), ("target", "dst"))):
            key = self._key if self._named is None else self._named
            called = name if self._named is None else f"{end}_{self._level}"
            batch = batch.set_column(place, called, key.take(batch.column(name)))
        return batch

    def result(self, table: pa.Table) -> pa.Table:
        """Results with their page called by name."""
        return table.set_column(table.column_names.index("id"), self.by, self._key.take(table["id"]))


def _links(store: GraphStore) -> Iterator[pa.RecordBatch]:
    """One row per anchor text; a link without any keeps one row."""
    for batch in store.read_links(("weight", "anchors")):
        anchors = batch.column("anchors")
        texts = pc.fill_null(pc.list_value_length(anchors), 0).to_numpy(zero_copy_only=False)
        if not texts.any():
            empty = pa.nulls(batch.num_rows, pa.string())
            yield pa.record_batch([*batch.columns[:3], empty], schema=_ANCHORED_LINK)
            continue
        rows = np.repeat(np.arange(batch.num_rows), np.maximum(texts, 1))
        first = np.ones(len(rows), bool)
        first[1:] = rows[1:] != rows[:-1]
        weight = np.where(first, batch.column("weight").to_numpy()[rows], 0.0)
        anchor = np.full(len(rows), None, object)
        anchor[np.repeat(texts > 0, np.maximum(texts, 1))] = pc.list_flatten(anchors).to_numpy(zero_copy_only=False)
        ends = batch.select(["source", "target"]).take(pa.array(rows))
        yield pa.record_batch([*ends.columns, weight, pa.array(anchor, pa.string())], schema=_ANCHORED_LINK)


def _write(path: Path, kind: TableFormat, batches: Iterable[pa.RecordBatch], total: int, progress: Progress) -> int:
    """Write batches to ``path.kind``; returns the rows written."""
    rows = 0
    writer: pq.ParquetWriter | pyarrow.csv.CSVWriter | None = None
    with contextlib.ExitStack() as stack, progress(f"writing {path.name}", total) as advance:
        for batch in batches:
            if writer is None:
                target = f"{path}.{kind}"
                made = (
                    pq.ParquetWriter(target, batch.schema, compression="zstd")
                    if kind == "parquet"
                    else pyarrow.csv.CSVWriter(target, batch.schema)
                )
                writer = stack.enter_context(made)
            writer.write_batch(batch)
            rows += batch.num_rows
            advance(batch.num_rows)
    return rows
