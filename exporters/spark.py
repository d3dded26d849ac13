"""The store's pages, links and hosts as the folder that Apache Spark reads; see `seedrank.core.spark_folder`."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from seedrank.core.files import whole_folder
from seedrank.core.levels import Level, stored_level
from seedrank.core.progress import Progress, silent
from seedrank.core.spark_folder import About

if TYPE_CHECKING:
    from seedrank.graphdb.store import GraphStore

__all__ = ["ROWS_PER_FILE", "export_spark"]

ROWS_PER_FILE = 4_000_000
"""Rows of a file: Spark reads files side by side, and splits those that are larger than 128 MB."""


def export_spark(
    store: GraphStore, folder: Path, *, level: Level | None = None, progress: Progress = silent
) -> dict[str, int]:
    """Write pages, links and hosts into a new folder, which appears whole or not at all; rows per table.

    The level is what a page of the store is; what its loads say when `None`.
    """
    counts = store.counts()
    hosts = store.read_hosts()
    with whole_folder(folder) as half:
        rows = {
            "pages": _write(half / "pages", store.read_pages(), counts.pages, progress),
            "links": _write(half / "links", store.read_links(("weight",)), counts.links, progress),
            "hosts": _write(half / "hosts", iter([hosts]), hosts.num_rows, progress),
        }
        held: Level = level or stored_level(store.loads()) or "page"
        about = About(uuid.uuid4().hex, rows["pages"], rows["links"], rows["hosts"], held, store.url)
        _write(half / "about", iter([pa.Table.from_pylist([about.row()])]), 1, progress)
    return rows


def _write(folder: Path, parts: Iterable[pa.RecordBatch | pa.Table], total: int, progress: Progress) -> int:
    """Write parts to files of about `ROWS_PER_FILE` rows; returns the rows written."""
    folder.mkdir()
    rows = 0
    with progress(f"writing {folder.name}", total) as advance:
        for number, tables in enumerate(_files(parts)):
            table = pa.concat_tables(tables)
            pq.write_table(table, folder / f"part-{number:05}.parquet", compression="zstd")
            rows += table.num_rows
            advance(table.num_rows)
    return rows


def _files(parts: Iterable[pa.RecordBatch | pa.Table]) -> Iterator[list[pa.Table]]:
    held: list[pa.Table] = []
    for part in parts:
        held.append(part if isinstance(part, pa.Table) else pa.Table.from_batches([part]))
        if sum(table.num_rows for table in held) >= ROWS_PER_FILE:
            yield held
            held = []
    if held:
        yield held
