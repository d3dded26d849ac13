"""The folder of a graph on disk: its record, what is verified when it is opened, and how files are added later.

``graph.json`` (format 2) names every file with its size, CRC-32 and time of change, and carries a CRC-32 of itself.
Every open compares the record with its own checksum and the files with their sizes and times; that takes milliseconds,
whatever the size of the graph. The contents of a file are read and compared with its checksum when its time differs
(it was copied, or somebody wrote to it) and, for all files, when a process that added files was killed.

An offset, a target or a host out of range would take the process down, and a disk that forgets leaves the time of a
file as it was. So every open reads through these arrays, up to 268 million links: 0.1 s for 72 million. Larger
graphs are verified when they are copied or written.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import secrets
import stat
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from seedrank.core.errors import InputError
from seedrank.core.files import claim_folder, same_file, sweep, to_disk, whole_file
from seedrank.core.model import Status
from seedrank.graph.npy import pieces

__all__ = [
    "DERIVED",
    "FORMAT",
    "IN_LINKS",
    "RECORD",
    "add",
    "check_array",
    "check_ranges",
    "is_graph_folder",
    "open_folder",
    "read_text",
    "seal",
    "writing",
]


FORMAT = 2
RECORD = "graph.json"
_MARK = ".writing"
"""Stands in the folder, locked, while a process adds files; one that is there without a lock is of a dead process."""
_BLOCK = 1 << 22
_LINKS_READ_THROUGH = 1 << 28
"""Links up to which every open reads through offsets, targets and hosts."""
_AGAIN = "restore the folder from a copy, or make it again"


def is_graph_folder(folder: Path) -> bool:
    """Whether a folder is meant to hold a graph, whole or damaged."""
    return any(os.path.lexists(folder / name) for name in (RECORD, "out_targets.npy"))


def open_folder(folder: Path, *, cache: bool = False) -> tuple[dict[str, Any], dict[str, np.ndarray], dict[str, Path]]:
    """Verify a folder and map its arrays.

    Parameters
    ----------
    cache
        It can be made again at any time: damage to links that could be transposed again counts as damage.

    Returns
    -------
    record, arrays, texts
        What ``graph.json`` says; mapped arrays by name; Arrow files by name.

    Raises
    ------
    InputError
        Names the file that is damaged.
    """
    record = _read_record(folder)
    try:
        files = _verified(folder, record, cache=cache)
        arrays = _mapped(folder, files, int(record["pages"]), int(record["links"]), cache=cache)
        texts = {name: folder / files[name] for name in record["texts"]}
        missing = {*record["arrays"], "hosts"} - {*arrays, *texts}
        if missing:
            raise _damaged(folder / RECORD, f"does not name the file of {min(missing)}")
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise _damaged(folder / RECORD, "is not the record of a graph") from error
    pages, links = int(record["pages"]), int(record["links"])
    if links <= _LINKS_READ_THROUGH:
        check_ranges(arrays, pages, links, read_text(texts["hosts"]).num_rows, cache=cache)
    return record, arrays, texts


def check_contents(folder: Path) -> None:
    """Compare all files of a graph with their checksums, whatever time they bear; name one that differs."""
    for stored in _read_record(folder)["files"].values():
        _check_file(folder / Path(stored["file"]).name, stored, content=True)


def read_text(path: Path) -> pa.Table:
    """Strings of a graph, memory-mapped."""
    try:
        with pa.memory_map(str(path)) as source:
            return pa.ipc.open_file(source).read_all()
    except (OSError, pa.ArrowException) as error:
        raise _damaged(path, "cannot be read") from error


def seal(folder: Path, record: Mapping[str, Any], files: Mapping[str, str]) -> None:
    """Write the record of files, by the names of what they hold."""
    stamps = {name: _stamp(folder / file) for name, file in files.items()}
    _write_record(folder / RECORD, {**record, "format": FORMAT, "files": stamps})


@contextlib.contextmanager
def writing(folder: Path, *, wait: bool = False) -> Iterator[Path]:
    """The right to add files to a folder: one process at a time. Gives a folder to write them in.

    Parameters
    ----------
    wait
        Until another process is done.

    Raises
    ------
    OSError
        The folder cannot be written, or another process has the right.
    """
    lock = _take_mark(folder, wait=wait)
    try:
        to_disk(folder)
        sweep(folder)
        with claim_folder(folder, ".new") as claim:
            yield claim.path
    finally:
        # Whatever failed, nothing half-written has a name: only a process that is killed leaves the mark.
        with contextlib.suppress(OSError):
            (folder / _MARK).unlink()
        os.close(lock)


def add(folder: Path, files: Mapping[str, Path], checksums: Mapping[str, int] | None = None) -> None:
    """Add arrays that were written in the folder `writing` gave, or replace arrays and strings, and record them.

    A file is never overwritten: other processes read it. What replaces it has a new name until the record knows it.

    Parameters
    ----------
    files
        By the names of what they hold; they are moved.
    checksums
        CRC-32 of files that are so large that they were summed while they were written.
    """
    record = _read_record(folder)
    stamps = record["files"]
    known = {name: stored["file"] for name, stored in stamps.items()}
    for name, half in files.items():
        to_disk(half)
        file = f"{name}{half.suffix}"
        if known.get(name) == file and name not in DERIVED:
            file = f"{name}-{secrets.token_hex(4)}{half.suffix}"
        half.replace(folder / file)
        stamps[name] = _stamp(folder / file, (checksums or {}).get(name))
        if name not in (*record["arrays"], *record["texts"], *DERIVED):
            record["arrays"].append(name)
    to_disk(folder)
    with whole_file(folder / RECORD) as half:
        _write_record(half, {**record, "files": stamps})
    for name in files:
        if name in known and known[name] != stamps[name]["file"]:
            (folder / known[name]).unlink(missing_ok=True)


# -- inside


def _read_record(folder: Path) -> dict[str, Any]:
    path = folder / RECORD
    try:
        record = json.loads(path.read_bytes())
    except FileNotFoundError as error:
        raise _damaged(path, "is missing") from error
    except (OSError, ValueError, RecursionError) as error:
        raise _damaged(path, "is not the record of a graph") from error
    number = record.get("format") if isinstance(record, dict) else None
    if number != FORMAT or isinstance(number, bool):
        if isinstance(number, int) and number > 0 and not isinstance(number, bool):
            when, hint = ("a later", "open it with that one") if number > FORMAT else ("an earlier", "make it again")
            raise InputError(f"was made by {when} version of seedrank (format {number})", file=str(path), hint=hint)
        raise _damaged(path, "is not the record of a graph")
    if record.pop("crc32", None) != _own_checksum(record):
        raise _damaged(path, "differs from its own checksum")
    counts = [record.get(name) for name in ("pages", "links")]
    if not all(isinstance(count, int) and count >= 0 for count in counts) or "version" not in record:
        raise _damaged(path, "is not the record of a graph")
    return dict(record)


def _write_record(path: Path, record: Mapping[str, Any]) -> None:
    text = json.dumps({**record, "crc32": _own_checksum(record)}, indent=2)
    path.write_text(text + "\n", encoding="utf-8")


def _own_checksum(record: Mapping[str, Any]) -> int:
    return zlib.crc32(json.dumps(record, sort_keys=True).encode())


def _stamp(path: Path, checksum: int | None = None) -> dict[str, Any]:
    """What is recorded of a file that is on disk."""
    to_disk(path)
    found, summed = path.stat(), _checksum(path) if checksum is None else checksum
    return {"file": path.name, "bytes": found.st_size, "crc32": summed, "mtime_ns": found.st_mtime_ns}


def _checksum(path: Path) -> int:
    """CRC-32 of a file, read in blocks: mapped it would count as memory in use."""
    checksum, block = 0, memoryview(bytearray(_BLOCK))
    with path.open("rb", buffering=0) as file:
        while count := file.readinto(block):
            checksum = zlib.crc32(block[:count], checksum)
    return checksum


def _verified(folder: Path, record: dict[str, Any], *, cache: bool) -> dict[str, str]:
    """Files by name, each as it was written; links the other way round are left out where they can be made again."""
    interrupted = _interrupted(folder)
    files, touched = {}, False
    for name, stored in record["files"].items():
        path = folder / Path(stored["file"]).name
        try:
            changed = _check_file(path, stored, content=interrupted)
        except InputError:
            if cache or name not in DERIVED:
                raise
            continue
        touched |= changed
        stored["mtime_ns"] = path.stat().st_mtime_ns
        files[name] = path.name
    if touched or interrupted:
        _remember(folder, record)
    return files


def _check_file(path: Path, stored: Mapping[str, Any], *, content: bool) -> bool:
    """Compare a file with its record; whether it bears another time than the one recorded."""
    try:
        found = path.lstat()
        if not stat.S_ISREG(found.st_mode):
            raise _damaged(path, "is not a file")
        if found.st_size != stored["bytes"]:
            raise _damaged(path, f"has {found.st_size:,} bytes, not {stored['bytes']:,}")
        changed = found.st_mtime_ns != stored["mtime_ns"]
        if (changed or content) and _checksum(path) != stored["crc32"]:
            raise _damaged(path, "differs from its checksum")
    except FileNotFoundError as error:
        raise _damaged(path, "is missing") from error
    except OSError as error:
        raise _damaged(path, f"cannot be read ({error.strerror})") from error
    return changed


def _remember(folder: Path, record: Mapping[str, Any]) -> None:
    """Note that contents were verified, so that it is done once; where nothing can be written it is done each time."""
    with contextlib.suppress(OSError, InputError), writing(folder), whole_file(folder / RECORD) as half:
        _write_record(half, record)


def _mapped(folder: Path, files: Mapping[str, str], pages: int, links: int, *, cache: bool) -> dict[str, np.ndarray]:
    arrays = {}
    for name, file in files.items():
        if not file.endswith(".npy"):
            continue
        try:
            arrays[name] = np.load(folder / file, mmap_mode="r")
            check_array(name, arrays[name], pages, links)
        except Exception as error:  # a damaged header can fail in any way
            if name not in DERIVED or cache:
                raise _damaged(
                    folder / file, str(error) if isinstance(error, ValueError) else "is not an array"
                ) from error
            arrays.pop(name, None)
    if not all(name in arrays for name in IN_LINKS):
        for name in DERIVED:
            arrays.pop(name, None)
    return arrays


def _take_mark(folder: Path, *, wait: bool) -> int:
    path = folder / _MARK
    while True:
        lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except OSError:
            os.close(lock)
            raise
        if same_file(path, lock):
            return lock
        os.close(lock)


def _interrupted(folder: Path) -> bool:
    """Whether a process that added files was killed."""
    try:
        lock = os.open(folder / _MARK, os.O_RDONLY)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return False  # it lives; what is recorded is whole at any time
    except OSError:
        return True
    finally:
        os.close(lock)
    return True


def _damaged(path: Path, what: str) -> InputError:
    return InputError(f"the graph is damaged: {path.name} {what}", file=str(path), hint=_AGAIN)


IN_LINKS = ("in_offsets", "in_sources")
"""The links the other way round: both or neither."""
DERIVED = (*IN_LINKS, "in_weights")
"""Arrays that are made of the others on first use."""

_TYPES = {
    "out_offsets": np.int64,
    "out_targets": np.int32,
    "in_offsets": np.int64,
    "in_sources": np.int32,
    "weights": np.float32,
    "in_weights": np.float32,
    "status": np.int8,
    "host": np.int32,
    "source_id": np.int64,
}
_PER_LINK = ("out_targets", "in_sources", "weights", "in_weights")


def check_array(name: str, array: np.ndarray, pages: int, links: int) -> None:
    """Type and length of an array; `ValueError` says which is wrong."""
    length = links if name in _PER_LINK else pages + name.endswith("_offsets")
    if array.shape != (length,):
        raise ValueError(f"has the shape {array.shape}, not ({length},)")
    if name in _TYPES and array.dtype != _TYPES[name]:
        raise ValueError(f"holds {array.dtype}, not {np.dtype(_TYPES[name])}")
    if name not in _TYPES and array.dtype.kind not in "biuf":
        raise ValueError(f"holds {array.dtype}, not numbers")


def check_ranges(arrays: dict[str, np.ndarray], pages: int, links: int, hosts: int, *, cache: bool) -> None:
    """Read through what loops use as indices; in-links that are damaged are left out of what is no cache."""
    ranges = {
        "out_targets": (0, pages - 1),
        "in_sources": (0, pages - 1),
        "host": (-1, hosts - 1),
        "status": (min(Status), max(Status)),
    }
    for name in ("out_offsets", "out_targets", "host", "status", *IN_LINKS):
        if name not in arrays:
            continue
        try:
            if name.endswith("_offsets"):
                _check_offsets(arrays[name], links)
            else:
                _check_range(arrays[name], *ranges[name])
        except ValueError as error:
            if cache or name not in IN_LINKS:
                raise _damaged(Path(str(arrays[name].filename)), str(error)) from error  # type: ignore[attr-defined]
            for derived in DERIVED:
                arrays.pop(derived, None)


def _check_offsets(offsets: np.ndarray, links: int) -> None:
    before = 0
    for first, block in pieces(offsets):
        if (first == 0 and block[0] != 0) or block[0] < before or (np.diff(block) < 0).any():
            raise ValueError("has offsets that do not ascend from 0")
        before = int(block[-1])
    if before != links:
        raise ValueError(f"ends at {before:,}, not at {links:,}")


def _check_range(values: np.ndarray, low: int, high: int) -> None:
    for _, block in pieces(values):
        if len(block) and (block.min() < low or block.max() > high):
            raise ValueError(f"has a number outside {low}..{high}")
