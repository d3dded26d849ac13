"""The files of a merge: a folder of its own, Arrow tables written in pieces and mapped back."""

from __future__ import annotations

import errno
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa

from seedrank.core.changes import map_table
from seedrank.core.errors import StoreError
from seedrank.core.files import claim_folder, sweep

__all__ = ["MergeFolder", "write_table"]

_STEM = "seedrank-spool"
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class MergeFolder:
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
                sweep(parent)
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
            raise self._full(errno.errorcode[error.errno]) from error
        except StoreError as error:
            # DuckDB names its own spill file, which says nothing to a person.
            if not (str(error).startswith("the embedded database") and "No space left" in str(error)):
                raise
            raise self._full("ENOSPC") from error

    def _full(self, code: str) -> StoreError:
        return StoreError(
            "the spool folder {folder} is full ({code})",
            hint="make room, or name another folder with {spool=DIR} or TMPDIR",
            fields=("spool",),
            values={"folder": self.parent, "code": code},
        )


def write_table(path: Path, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> pa.Table:
    """Batches as one table: in memory where there is only one, else in a file that is mapped.

    Written with plain writes, never through a mapping: a full disk must be an error, not a signal.
    """
    rest = (_as(batch, schema) for batch in batches if batch.num_rows)
    first, second = next(rest, None), next(rest, None)
    if first is None or second is None:
        return pa.Table.from_batches([] if first is None else [first], schema)
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, schema) as writer:
        for batch in (first, second):
            writer.write(batch)
        for batch in rest:
            writer.write(batch)
    return map_table(path)


def _as(batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    if batch.schema.equals(schema):
        return batch
    columns = [column.cast(field.type) for column, field in zip(batch.columns, schema, strict=True)]
    return pa.RecordBatch.from_arrays(columns, schema=schema)
