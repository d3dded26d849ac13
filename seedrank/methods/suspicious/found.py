"""Rows of the one table that every look for something suspicious gives."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import pyarrow as pa

__all__ = ["KINDS", "Found", "members_of", "table_of"]

KINDS = ("farm", "one source", "trap", "mirror")
"""In the order of the table."""
_ROWS = pa.schema(
    [("kind", pa.string()), ("name", pa.string()), ("hosts", pa.int64()), ("pages", pa.int64()), ("why", pa.string())]
)
_MEMBERS = pa.schema([("row", pa.int64()), ("kind", pa.string()), ("host", pa.string())])


@dataclass(frozen=True)
class Found:
    """One suspicious thing."""

    kind: str
    """One of `KINDS`."""
    name: str
    """The host or URL prefix; of several hosts the largest."""
    pages: int
    """Pages it has."""
    why: str
    """What it is listed for, with its figures."""
    hosts: Sequence[str]
    """Names of all hosts that belong to it."""


def table_of(found: Iterable[Found]) -> pa.Table:
    """``kind``, ``name``, ``hosts`` (how many), ``pages``, ``why``."""
    rows = [
        {"kind": one.kind, "name": one.name, "hosts": len(one.hosts), "pages": one.pages, "why": one.why}
        for one in found
    ]
    return pa.Table.from_pylist(rows, _ROWS)


def members_of(found: Iterable[Found]) -> pa.Table:
    """Every host of every row: ``row`` (from 1), ``kind``, ``host``."""
    rows = [
        {"row": number, "kind": one.kind, "host": host} for number, one in enumerate(found, 1) for host in one.hosts
    ]
    return pa.Table.from_pylist(rows, _MEMBERS)
