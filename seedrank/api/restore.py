"""The way back from a backup: into an empty store of any kind, with the numbers of pages, loads and runs it had."""

from __future__ import annotations

import contextlib
import json
import shutil
import tempfile
import zipfile
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from seedrank.api.backup import LINKS, PAGES, VIRTUAL_LINKS
from seedrank.core.archive import TABLES, open_archive, run_member
from seedrank.core.changes import Load
from seedrank.core.errors import InputError, StoreError
from seedrank.core.files import whole_folder
from seedrank.core.mapped import map_table
from seedrank.core.progress import Progress, silent
from seedrank.core.resources import require_disk
from seedrank.core.temp_files import claim_folder, sweep
from seedrank.graphdb.store import Contents, Database, SavedRuns, database
from seedrank.runs.record import read_record
from seedrank.session import Session

__all__ = ["restore"]

_RUN = dict.fromkeys(("id", "method", "parameters", "graph", "engine", "version", "created"), pa.string())
_COLUMNS: Mapping[str, Mapping[str, pa.DataType]] = {
    "pages": PAGES,
    "links": LINKS,
    "hosts": {"name": pa.string(), "pages": pa.int64()},
    "queries": {"text": pa.string(), "freq": pa.float64(), "need": pa.float64()},
    "results": {"query": pa.string(), "id": pa.int64(), "rank": pa.int64(), "clicks": pa.float64()},
    "virtual_links": VIRTUAL_LINKS,
    "runs": {**_RUN, "seconds": pa.float64()},
    "ranked": {"run": pa.string(), "id": pa.int64(), "rank": pa.int64(), "score": pa.float64()},
    "cores": {"run": pa.string(), "id": pa.int64(), "n": pa.int64(), "role": pa.string()},
}
_STEM = "seedrank-restore"


def restore(session: Session, file: Path, *, progress: Progress = silent) -> dict[str, Any]:
    """Fill an empty store from a backup; returns the backup's manifest.

    The runs come first: cut off before the store is filled, the same command again completes it.

    Parameters
    ----------
    session
        The store; refused unless it is empty.
    """
    store = database(session.store, "restoring a backup")
    _refuse_filled(store)
    with contextlib.ExitStack() as stack:
        with progress("checking the backup"):
            archive, manifest = open_archive(file)
        stack.enter_context(archive)
        loads = _loads(manifest, file)
        place = Path(tempfile.gettempdir())
        sweep(place)
        half = stack.enter_context(claim_folder(place, _STEM)).path
        tables = {name: _table(archive, name, half, file) for name in TABLES}
        _check_ids(tables["pages"], file)
        placed = _restore_runs(archive, manifest, session.runs.folder, file)
        saved = SavedRuns(tables.pop("runs"), tables.pop("ranked"), tables.pop("cores"))
        contents = Contents(**tables, saved=saved, loads=loads, changes=int(manifest["changes"]))
        try:
            store.restore(contents, progress=progress)
        except BaseException:
            for run_id in placed:
                session.runs.delete(run_id)
            raise
    return manifest


def _refuse_filled(store: Database) -> None:
    counts = store.counts()
    if counts.pages or counts.hosts or counts.queries or store.loads():
        raise StoreError(f"{store.url} is not empty", hint="restore into a new store")


def _loads(manifest: dict[str, Any], file: Path) -> list[Load]:
    known = {one.name for one in fields(Load)}
    try:
        return [Load(**{name: value for name, value in load.items() if name in known}) for load in manifest["loads"]]
    except (TypeError, AttributeError) as error:
        raise InputError("the backup's records of loads cannot be read", file=str(file)) from error


def _table(archive: zipfile.ZipFile, name: str, folder: Path, file: Path) -> pa.Table:
    """A member as a table that is mapped from an Arrow file, with the columns it must have."""
    path = folder / f"{name}.arrow"
    try:
        with archive.open(f"{name}.parquet") as member, pq.ParquetFile(member) as parquet:
            schema = parquet.schema_arrow.remove_metadata()
            for column, kind in _COLUMNS[name].items():
                if schema.names.count(column) != 1 or schema.field(column).type != kind:
                    raise ValueError(f"column {column} is missing, or of another type")
            # A few bytes of Parquet can say the same value a thousand million times.
            rows = parquet.metadata.num_rows
            require_disk(rows * sum(_width(kind) for kind in schema.types), folder, f"unpacking {name} of {file}")
            with pa.ipc.new_file(str(path), schema) as sink:
                for batch in parquet.iter_batches():
                    sink.write_batch(batch.cast(schema))
        return map_table(path)
    except (pa.ArrowException, ValueError) as error:
        raise InputError(f"{name} of the backup cannot be read ({error})", file=str(file)) from error


def _width(kind: pa.DataType) -> int:
    """Bytes that a value takes at least."""
    return kind.bit_width // 8 if pa.types.is_primitive(kind) else 4


def _check_ids(pages: pa.Table, file: Path) -> None:
    start = 0
    for batch in pages.select(["id"]).to_batches():
        if not np.array_equal(batch["id"].to_numpy(zero_copy_only=False), np.arange(start, start + batch.num_rows)):
            raise InputError("pages of the backup are not numbered 0, 1, 2, …", file=str(file))
        start += batch.num_rows


def _restore_runs(archive: zipfile.ZipFile, manifest: dict[str, Any], folder: Path, file: Path) -> list[str]:
    """Put the runs in their place; returns the ids of those that were not there."""
    runs: dict[str, list[str]] = {}
    for name in manifest["members"]:
        if (found := run_member(name)) is not None:
            runs.setdefault(found[0], []).append(found[1])
    for run_id in sorted(runs):
        try:
            read_record(json.loads(archive.read(f"runs/{run_id}/run.json")), run_id)
        except (KeyError, ValueError, TypeError, AttributeError, RecursionError) as error:
            raise InputError(f"the record of run {run_id} in the backup cannot be read", file=str(file)) from error
    return [run_id for run_id, names in sorted(runs.items()) if _restore_run(archive, folder, run_id, names)]


def _restore_run(archive: zipfile.ZipFile, folder: Path, run_id: str, names: list[str]) -> bool:
    place = folder / run_id
    if (place / "run.json").is_file():
        if (place / "run.json").read_bytes() != archive.read(f"runs/{run_id}/run.json"):
            raise StoreError(f"another run {run_id} is kept in {folder}", hint="restore into a new store")
        return False
    with whole_folder(place) as half:
        for name in names:
            (half / name).parent.mkdir(parents=True, exist_ok=True)
            with archive.open(f"runs/{run_id}/{name}") as source, (half / name).open("xb") as target:
                shutil.copyfileobj(source, target)
    return True
