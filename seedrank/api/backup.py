"""A backup: everything a database holds, and its kept runs, in one archive (`seedrank.core.archive`)."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from seedrank.core.archive import FORMAT, MANIFEST, Member, run_member
from seedrank.core.errors import StoreError
from seedrank.core.files import whole_file
from seedrank.core.progress import Progress, silent
from seedrank.core.version import VERSION
from seedrank.graphdb.store import Database, database
from seedrank.runs.record import now
from seedrank.session import Session

__all__ = ["LINKS", "PAGES", "VIRTUAL_LINKS", "backup"]

PAGES = {
    "id": pa.int64(),
    "url": pa.string(),
    "source_id": pa.int64(),
    "status": pa.string(),
    "host": pa.string(),
}
LINKS = {"source": pa.int64(), "target": pa.int64(), "weight": pa.float64(), "anchors": pa.list_(pa.string())}
VIRTUAL_LINKS = {"source": pa.int64(), "target": pa.int64(), "weight": pa.float64()}
_BLOCK = 1 << 20


def backup(session: Session, file: Path, *, progress: Progress = silent) -> dict[str, Any]:
    """Write a backup; it appears whole or not at all. Returns its manifest.

    Parameters
    ----------
    session
        The store, and the runs kept for it.
    """
    store = database(session.store, "a backup")
    version, members = store.version(), {}
    with whole_file(file) as half, zipfile.ZipFile(half, "w") as archive:
        for name, schema, batches in _tables(store):
            with progress(f"backing up {name.replace('_', ' ')}"):
                members[f"{name}.parquet"] = _write_table(archive, f"{name}.parquet", schema, batches)
        for name, path in _files_of_runs(session.runs.folder):
            members[name] = _write_file(archive, name, path)
        manifest = {
            "format": FORMAT,
            "seedrank": VERSION,
            "created": now(),
            "store": store.url,
            "version": version,
            "changes": store.change_count(),
            "counts": asdict(store.counts()),
            "loads": [asdict(load) for load in store.loads()],
            "members": members,
        }
        if store.version() != version:
            raise StoreError(f"{store.url} changed while it was read", hint="run it again once the load is done")
        archive.writestr(zipfile.ZipInfo(MANIFEST), json.dumps(manifest, indent=2))
    return manifest


def _tables(store: Database) -> Iterator[tuple[str, pa.Schema, Iterable[pa.RecordBatch]]]:
    yield "pages", pa.schema(list({**PAGES, **store.page_columns()}.items())), store.read_pages()
    yield "links", pa.schema(list(LINKS.items())), store.read_links(("weight", "anchors"))
    saved = store.read_saved_runs()
    for name, table in (
        ("hosts", store.read_hosts()),
        ("queries", store.read_queries()),
        ("results", store.read_results()),
        ("runs", saved.runs),
        ("ranked", saved.ranked),
        ("cores", saved.cores),
    ):
        yield name, table.schema, table.to_batches()
    yield "virtual_links", pa.schema(list(VIRTUAL_LINKS.items())), store.read_virtual_links()


def _write_table(
    archive: zipfile.ZipFile, name: str, schema: pa.Schema, batches: Iterable[pa.RecordBatch]
) -> dict[str, Any]:
    member = Member(archive, name)
    try:
        with pq.ParquetWriter(member, schema, compression="zstd") as writer:
            for batch in batches:
                writer.write_batch(batch.cast(schema))
    finally:
        member.close()
    return member.record()


def _write_file(archive: zipfile.ZipFile, name: str, path: Path) -> dict[str, Any]:
    member = Member(archive, name)
    try:
        with path.open("rb") as file:
            while block := file.read(_BLOCK):
                member.write(block)
    finally:
        member.close()
    return member.record()


def _files_of_runs(folder: Path) -> Iterator[tuple[str, Path]]:
    """The files of kept runs, by what they are called in the archive."""
    for record in sorted(folder.glob("*/run.json")):
        for path in sorted(record.parent.rglob("*")):
            name = f"runs/{path.relative_to(folder).as_posix()}"
            if path.is_file() and not path.is_symlink() and run_member(name) is not None:
                yield name, path
