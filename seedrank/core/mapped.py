"""Arrow tables in temporary files, mapped into memory."""

from __future__ import annotations

import mmap
import weakref
from pathlib import Path

import pyarrow as pa

__all__ = ["map_table", "unload_tables"]

_mapped: weakref.WeakSet[mmap.mmap] = weakref.WeakSet()


def map_table(path: Path) -> pa.Table:
    """Map an Arrow file; it may be removed while the table is used."""
    with path.open("rb") as file:
        memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    _mapped.add(memory)
    return pa.ipc.open_file(pa.py_buffer(memory)).read_all()


def unload_tables() -> None:
    """Give back the memory of mapped tables; what is used again is read from the file again.

    The system would take it back when it needs it. Until then it counts as this process's, so whoever reads a table
    larger than the memory asked for calls this after each part.
    """
    for memory in list(_mapped):
        memory.madvise(mmap.MADV_DONTNEED)
