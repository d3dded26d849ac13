"""A backup: everything a database holds, and its kept runs, in one archive; and the way back, into an empty store.

The archive is a ZIP file, its members stored as they are (Parquet is compressed itself): ``manifest.json`` with the
number of the format and the SHA-256 of every other member, a Parquet file for each of `TABLES`, and the files of kept
runs as ``runs/ID/NAME``. A later format would add members and raise the number; this one stays readable. Pages, loads
and runs come back with the numbers they had; what is not an archive of ours is refused.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import shutil
import stat
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import IO, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from seedrank.core.changes import Load, map_table
from seedrank.core.errors import InputError, StoreError
from seedrank.core.files import claim_folder, sweep, whole_file, whole_folder
from seedrank.core.package import VERSION
from seedrank.core.progress import Progress, silent
from seedrank.core.resources import require_disk
from seedrank.graphdb.store import Contents, Database, SavedRuns, database
from seedrank.runs.record import now, read_record
from seedrank.session import Session

__all__ = ["backup", "restore"]


FORMAT = 1
MANIFEST = "manifest.json"
TABLES = ("pages", "links", "hosts", "queries", "results", "virtual_links", "runs", "ranked", "cores")
_PART = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+@=,-]*")
_MANIFEST_BYTES = 64 << 20
_BLOCK = 1 << 20


class Member:
    """A member being written: a file for whoever writes it, whose digest is known at the end."""

    def __init__(self, archive: zipfile.ZipFile, name: str) -> None:
        self._file: IO[bytes] = archive.open(zipfile.ZipInfo(name), "w", force_zip64=True)
        self._digest = hashlib.sha256()
        self._bytes = 0
        self.closed = False

    def write(self, data: Any) -> int:
        """Write bytes."""
        view = memoryview(data).cast("B")
        self._digest.update(view)
        self._bytes += len(view)
        self._file.write(view)
        return len(view)

    def tell(self) -> int:
        """How many bytes were written."""
        return self._bytes

    def flush(self) -> None:
        """Nothing waits."""

    def close(self) -> None:
        """Complete it; safe to call twice."""
        if not self.closed:
            self.closed = True
            self._file.close()

    def record(self) -> dict[str, Any]:
        """What the manifest says of it."""
        return {"bytes": self._bytes, "sha256": self._digest.hexdigest()}


def run_member(name: str) -> tuple[str, str] | None:
    """The id of a run and the path of a file in its folder; `None` for a member that is no file of a run."""
    top, *parts = name.split("/")
    if top != "runs" or len(parts) < 2 or not all(_PART.fullmatch(part) for part in parts):
        return None
    return parts[0], "/".join(parts[1:])


def open_archive(path: Path) -> tuple[zipfile.ZipFile, dict[str, Any]]:
    """A backup and its manifest, once every member is known to be what was written.

    Parameters
    ----------
    path
        The file. Refused are members that the manifest does not have, that go elsewhere than into a run's folder,
        links, packed or encrypted ones, and whatever differs from its digest.
    """
    try:
        archive = zipfile.ZipFile(path)
    except (OSError, zipfile.BadZipFile, NotImplementedError) as error:
        reason = getattr(error, "strerror", None) or "it is not a ZIP file, or not all of it"
        raise InputError(
            f"not a backup that can be read: {reason}", file=str(path), hint="name another file"
        ) from error
    try:
        manifest = _manifest(archive, path)
        _check_names(archive, manifest, path)
        for name, member in manifest["members"].items():
            _check_digest(archive, name, member, path)
    except (zipfile.BadZipFile, OSError, EOFError, RuntimeError, NotImplementedError) as error:
        archive.close()
        raise _refused(path, f"it is damaged ({error})") from error
    except BaseException:
        archive.close()
        raise
    return archive, manifest


def _manifest(archive: zipfile.ZipFile, path: Path) -> dict[str, Any]:
    try:
        info = archive.getinfo(MANIFEST)
        if info.file_size > _MANIFEST_BYTES:
            raise ValueError("too long")
        manifest = json.loads(archive.read(info))
        if not isinstance(manifest["format"], int):
            raise TypeError("no format")
        whole = all(
            isinstance(one["bytes"], int) and isinstance(one["sha256"], str) for one in manifest["members"].values()
        )
        if not (whole and isinstance(manifest["loads"], list) and isinstance(manifest["changes"], int)):
            raise TypeError("no members")
    except (KeyError, ValueError, TypeError, AttributeError, RecursionError) as error:
        raise _refused(path, "it has no manifest of seedrank's") from error
    if manifest["format"] > FORMAT:
        raise InputError(
            f"the backup has format {manifest['format']}, and this version reads {FORMAT}",
            file=str(path),
            hint=f"install seedrank {manifest.get('seedrank', '')} or newer".replace("  ", " "),
        )
    return dict(manifest)


def _check_names(archive: zipfile.ZipFile, manifest: dict[str, Any], path: Path) -> None:
    infos = archive.infolist()
    names = [info.filename for info in infos]
    if len(set(names)) < len(names) or {*names} != {*manifest["members"], MANIFEST}:
        raise _refused(path, "its members are not those of its manifest")
    tables = {f"{name}.parquet" for name in TABLES}
    if not tables <= set(names):
        raise _refused(path, f"it lacks {', '.join(sorted(tables - set(names)))}")
    for info in infos:
        kind = stat.S_IFMT(info.external_attr >> 16)
        plain = info.compress_type == zipfile.ZIP_STORED and not info.flag_bits & 1 and kind in (0, stat.S_IFREG)
        known = info.filename in (*tables, MANIFEST) or run_member(info.filename) is not None
        if not (plain and known and not info.is_dir()):
            raise InputError(
                "not a backup of seedrank's: a member that does not belong there",
                file=str(path),
                value=info.filename,
                hint="name another file",
            )
    if sum(info.file_size for info in infos) > path.stat().st_size:
        raise _refused(path, "its members are larger than itself")


def _check_digest(archive: zipfile.ZipFile, name: str, member: dict[str, Any], path: Path) -> None:
    digest = hashlib.sha256()
    with archive.open(name) as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    if digest.hexdigest() != member["sha256"]:
        raise InputError(f"the backup is damaged: {name} differs from its digest", file=str(path), hint="take another")


def _refused(path: Path, why: str) -> InputError:
    return InputError(f"not a backup that can be read: {why}", file=str(path), hint="name another file")


PAGES = {
    "id": pa.int64(),
    "url": pa.string(),
    "source_id": pa.int64(),
    "status": pa.string(),
    "host": pa.string(),
}
LINKS = {"source": pa.int64(), "target": pa.int64(), "weight": pa.float64(), "anchors": pa.list_(pa.string())}
VIRTUAL_LINKS = {"source": pa.int64(), "target": pa.int64(), "weight": pa.float64()}


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
