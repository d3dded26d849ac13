"""The spool's files: a folder of its own, Arrow columns written in pieces and mapped back."""

from __future__ import annotations

import errno
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa

from seedrank.core.errors import StoreError
from seedrank.core.leftovers import claim_folder, old_name, sweep

__all__ = ["ArrowFile", "SpoolFolder", "map_table", "write_batches"]

_STEM = "seedrank-spool"
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class SpoolFolder:
    """A folder for one load's files, inside the folder named, for this user only; removed at the end.

    What a killed load of this user left there is removed first.

    Parameters
    ----------
    parent
        Where it is made, and made itself where it is not there; nothing else in it is touched.
    """

    def __init__(self, parent: Path) -> None:
        self.parent = parent
        with self.guard():
            try:
                parent.mkdir(parents=True, exist_ok=True)
                sweep(parent, old_name(_STEM))
                self._claim = claim_folder(parent, _STEM)
                self.path = self._claim.path
            except PermissionError as error:
                raise StoreError(
                    "the spool folder {folder} cannot be written to",
                    hint="name another with {spool=DIR} or TMPDIR",
                    fields=("spool",),
                    values={"folder": parent},
                ) from error

    def remove(self) -> None:
        """Remove the folder; tables mapped from it stay readable until they are let go."""
        self._claim.remove()

    @contextmanager
    def guard(self) -> Iterator[None]:
        """Explain a full disk in one line."""
        try:
            yield
        except OSError as error:
            if error.errno not in _NO_ROOM:
                raise
            raise StoreError(
                "the spool folder {folder} is full ({code})",
                hint="make room, or name another folder with {spool=DIR} or TMPDIR",
                fields=("spool",),
                values={"folder": self.parent, "code": errno.errorcode[error.errno]},
            ) from error


class ArrowFile:
    """Record batches written one after the other.

    Written with plain writes, never through a mapping: a full disk must be an error, not a signal.
    """

    def __init__(self, path: Path, schema: pa.Schema) -> None:
        self.path = path
        self.schema = schema
        self._sink = pa.OSFile(str(path), "wb")
        self._writer = pa.ipc.new_file(self._sink, schema)
        self.batches = 0

    def write(self, batch: pa.RecordBatch) -> int:
        """Write a batch; returns its number."""
        self._writer.write(batch)
        self.batches += 1
        return self.batches - 1

    def close(self) -> None:
        """Complete the file."""
        self._writer.close()
        self._sink.close()

    def discard(self) -> None:
        """Let go of the file; it need not be complete."""
        self._sink.close()


def map_table(path: Path) -> pa.Table:
    """The table in a complete file, memory-mapped."""
    with pa.memory_map(str(path)) as source:
        return pa.ipc.open_file(source).read_all()


def write_batches(path: Path, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> pa.Table:
    """Write batches into a file and map it."""
    file = ArrowFile(path, schema)
    try:
        for batch in batches:
            if batch.num_rows:
                file.write(batch)
        file.close()
    except BaseException:
        file.discard()
        raise
    return map_table(path)
