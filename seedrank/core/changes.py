"""What a load hands to a store: everything parsed, merged and numbered, nothing left to decide.

The tables are memory-mapped from the load's temporary files, so a store may take them whole or batch by batch.
Ids are the store's dense page ids.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pyarrow as pa

from seedrank.core.levels import Level

__all__ = ["Changes", "Load", "stored_level"]


@dataclass(frozen=True)
class Load:
    """The record of a load.

    Parameters
    ----------
    id
        Digest of the sources' contents and the options that shape the result: the same load again has the same id.
    source
        The files and options, for people.
    sha256
        Digest of the sources' contents.
    state
        ``running`` from the first write to the last, then ``done``.
    started
        ISO 8601, UTC.
    counts
        Rows read; pages and links new, merged, dropped; and so on.
    level
        What a node is; a store holds one level.
    """

    id: str
    source: str
    sha256: str
    state: str = "running"
    started: str = ""
    counts: dict[str, int] = field(default_factory=dict)
    level: Level = "page"


def stored_level(loads: Sequence[Load]) -> Level | None:
    """What a node of a store is by its loads; `None` where nothing was loaded yet."""
    return loads[-1].level if loads else None


@dataclass(frozen=True)
class Changes:
    """What a load adds to a store and what it changes there.

    Parameters
    ----------
    new_pages
        ``id`` (ascending, the first is the store's page count), ``url``, ``source_id``, ``status``,
        then the columns of ``page_columns``.
    changed_pages
        ``id`` (ascending), then any of ``url``, ``source_id``, ``status`` and columns; null leaves a value as it is.
    page_hosts
        ``id``, ``host``: pages whose host is new, ascending id.
    hosts
        ``name``, ``pages`` (how many pages in the whole store), then columns; inserted or, where the
        host is there, changed; null leaves a value as it is.
    new_links
        ``source``, ``target``, ``weight`` and, where anchors are known, ``anchors`` (list of string);
        by source, then target.
    changed_links
        The same columns, for links that are in the store with other values.
    queries
        ``text``, ``freq``, ``need``; inserted or changed.
    results
        ``query``, ``id`` (page), ``rank``, ``clicks``; inserted or changed.
    page_columns, host_columns
        The user's columns the tables bring, with their types: the store adds those it does not have yet.
    """

    new_pages: pa.Table
    changed_pages: pa.Table
    page_hosts: pa.Table
    hosts: pa.Table
    new_links: pa.Table
    changed_links: pa.Table
    queries: pa.Table
    results: pa.Table
    page_columns: dict[str, pa.DataType] = field(default_factory=dict)
    host_columns: dict[str, pa.DataType] = field(default_factory=dict)

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
