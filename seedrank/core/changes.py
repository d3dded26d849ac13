"""What a load hands to a store: everything parsed, merged and numbered, nothing left to decide.

The tables are memory-mapped from the load's temporary files (`map_table`), so a store may take them whole or batch by
batch. Ids are the store's dense page ids.
"""

from __future__ import annotations

import mmap
import weakref
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa

from seedrank.core.levels import Level

__all__ = ["Changes", "Load", "map_table", "same_graph", "unload_tables"]


_OF_OURS = 8


@dataclass(frozen=True)
class Load:
    """The record of a load."""

    id: str
    """Digest of the sources' contents and the options that shape the result: the same load again has the same id."""
    source: str
    """The files and options, for people."""
    sha256: str
    """Digest of the sources' contents."""
    state: str = "running"
    """``running`` from the first write to the last, then ``done``."""
    started: str = ""
    """ISO 8601, UTC."""
    counts: dict[str, int] = field(default_factory=dict)
    """Rows read; pages and links new, merged, dropped; and so on."""
    level: Level = "page"
    """What a node is; a store holds one level."""


def same_graph(one: str, other: str) -> bool:
    """Whether two versions of a store differ at most in what other programs wrote to its database.

    The first digits of a version are of what seedrank counts; the rest of a database on a server moves with others too,
    who may have changed pages or links, or nothing of seedrank's.
    """
    return one[:_OF_OURS] == other[:_OF_OURS]


@dataclass(frozen=True)
class Changes:
    """What a load adds to a store and what it changes there."""

    new_pages: pa.Table
    """``id`` (ascending, the first is the store's page count), ``url``, ``source_id``, ``status``, then the columns of
    ``page_columns``."""
    changed_pages: pa.Table
    """``id`` (ascending), then any of ``url``, ``source_id``, ``status`` and columns; null leaves a value as it is."""
    page_hosts: pa.Table
    """``id``, ``host``: pages whose host is new, ascending id."""
    hosts: pa.Table
    """``name``, ``pages`` (how many pages in the whole store), then columns; inserted or, where the host is there,
    changed; null leaves a value as it is."""
    new_links: pa.Table
    """``source``, ``target``, ``weight`` and, where anchors are known, ``anchors`` (list of string); by source, then
    target."""
    changed_links: pa.Table
    """The same columns, for links that are in the store with other values."""
    queries: pa.Table
    """``text``, ``freq``, ``need``; inserted or changed."""
    results: pa.Table
    """``query``, ``id`` (page), ``rank``, ``clicks``; inserted or changed."""
    page_columns: dict[str, pa.DataType] = field(default_factory=dict)
    host_columns: dict[str, pa.DataType] = field(default_factory=dict)
    """The user's columns the tables bring, with their types: the store adds those it does not have yet."""

    @property
    def empty(self) -> bool:
        """Whether the store already has all of it."""
        return not any(
            table.num_rows
            for table in (
                self.new_pages,
                self.changed_pages,
                self.page_hosts,
                self.hosts,
                self.new_links,
                self.changed_links,
                self.queries,
                self.results,
            )
        )


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
