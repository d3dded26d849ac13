"""What seedrank holds in a server's memory, for people: listed and dropped."""

from __future__ import annotations

import pyarrow as pa

from seedrank.engines.gds import names
from seedrank.graphdb.store import HasGds

__all__ = ["drop", "listed"]

_SCHEMA = pa.schema(
    [
        ("name", pa.string()),
        ("graph", pa.string()),
        ("nodes", pa.int64()),
        ("links", pa.int64()),
        ("bytes", pa.int64()),
        ("minutes", pa.float64()),
    ]
)


def listed(store: HasGds) -> pa.Table:
    """Our projections by name: ``name graph nodes links bytes minutes``; `graph` is the version they are of."""
    rows = [{**row, "graph": names.version_of(row["name"])} for row in store.call("projection_sizes")]
    return pa.Table.from_pylist([row for row in rows if row["graph"] is not None], _SCHEMA)


def drop(store: HasGds) -> pa.Table:
    """Drop those that are kept, and what ended processes left; the rows of `listed` that went."""
    found = listed(store)
    goes = [
        names.is_kept(name) or names.is_stale(name, minutes, version="", state="")
        for name, minutes in zip(found["name"].to_pylist(), found["minutes"].to_pylist(), strict=True)
    ]
    gone = found.filter(pa.array(goes, pa.bool_()))
    for name in gone["name"].to_pylist():
        store.call("drop", {"name": name})
    return gone
