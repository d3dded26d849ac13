"""Pages, links, hosts and queries out of the database, as lists of whole ranges."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.changes import Load
from seedrank.graphdb.neo4j.connection import Connection
from seedrank.graphdb.neo4j.types import from_values, parse_columns, time_text
from seedrank.graphdb.store import Counts

__all__ = ["columns", "counts", "hosts", "known_columns", "last_page", "links", "loads", "pages", "queries", "results"]

_LINKS_PER_BATCH = 200_000
_PAGES_PER_BATCH = 20_000
_NAMES_PER_BATCH = 20_000
_QUERIES_PER_BATCH = 2_000

_PAGE_TYPES = {"id": pa.int64(), "url": pa.string(), "source_id": pa.int64(), "status": pa.string()}
_ANCHORS = pa.list_(pa.string())


def counts(connection: Connection) -> Counts:
    """How much there is, from the database's own counters."""
    return Counts(**connection.read(connection.statement("read/counts"))[0].data())


def loads(connection: Connection) -> list[Load]:
    """All loads, oldest first."""
    rows = connection.read(connection.statement("read/loads"))
    return [
        Load(**{**row.data(), "counts": json.loads(row["counts"] or "{}"), "started": time_text(row["started"])})
        for row in rows
    ]


def columns(connection: Connection) -> tuple[dict[str, pa.DataType], dict[str, pa.DataType]]:
    """Columns of pages and of hosts."""
    pages, hosts = known_columns(connection)
    return parse_columns(pages), parse_columns(hosts)


def known_columns(connection: Connection) -> list[str]:
    """Columns of pages and of hosts as the database keeps them (`types.dump_columns`)."""
    rows = connection.read(connection.statement("read/columns"))
    return [rows[0]["pages"], rows[0]["hosts"]] if rows else ["{}", "{}"]


def pages(connection: Connection, names: Sequence[str], types: Mapping[str, pa.DataType]) -> Iterator[pa.RecordBatch]:
    """Pages by ascending id: ``id``, then `names`."""
    kinds = {**_PAGE_TYPES, **types, "host": pa.string()}
    stored = ["id", *(name for name in names if name != "host")]
    with_hosts = "host" in names
    cypher = connection.statement("read/pages_with_hosts" if with_hosts else "read/pages", columns=stored)
    got = [*stored, "host"] if with_hosts else stored
    end = last_page(connection) + 1
    for lo in range(0, end, _PAGES_PER_BATCH):
        rows = connection.read(cypher, lo=lo, hi=lo + _PAGES_PER_BATCH)[0]["rows"]
        if rows:
            arrays = _transposed(rows, got, kinds)
            yield pa.record_batch({name: arrays[name] for name in ("id", *names)})


def links(connection: Connection, names: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """All links by source: ``source``, ``target``, then `names`."""
    name = "links_anchors" if "anchors" in names else "links_weight" if "weight" in names else "links"
    cypher = connection.statement(f"read/{name}")
    end = last_page(connection) + 1
    # A range holds as many sources as give a batch of links on average, and follows what it finds.
    size = _sources_per_batch(end, counts(connection).links)
    lo = 0
    while lo < end:
        record = connection.read(cypher, lo=lo, hi=lo + size)[0]
        found = len(record["source"])
        lo += size
        size = max(1, min(_PAGES_PER_BATCH, 2 * size, size * _LINKS_PER_BATCH // max(found, 1)))
        if found:
            yield _link_batch(record, names)


def hosts(connection: Connection, types: Mapping[str, pa.DataType]) -> pa.Table:
    """``name``, ``pages`` and the columns, by name."""
    kinds = {"name": pa.string(), "pages": pa.int64(), **types}
    cypher = connection.statement("read/hosts", columns=list(kinds))
    return _by_name(connection, cypher, kinds).sort_by("name")


def queries(connection: Connection) -> pa.Table:
    """``text``, ``freq``, ``need``, by text."""
    kinds = {"text": pa.string(), "freq": pa.float64(), "need": pa.float64()}
    return _by_name(connection, connection.statement("read/queries"), kinds).sort_by("text")


def results(connection: Connection) -> pa.Table:
    """``query``, ``id``, ``rank``, ``clicks``, by query, then rank, then id."""
    kinds = {"query": pa.int64(), "id": pa.int64(), "rank": pa.int64(), "clicks": pa.float64()}
    cypher = connection.statement("read/results")
    texts = queries(connection)["text"]
    parts = [_table([], kinds).set_column(0, "query", pa.array([], pa.string()))]
    for lo in range(0, len(texts), _QUERIES_PER_BATCH):
        some = texts.slice(lo, _QUERIES_PER_BATCH)
        rows = connection.read(cypher, texts=some.to_pylist())[0]["rows"]
        if rows:
            part = _table(rows, kinds)
            parts.append(part.set_column(0, "query", some.take(part["query"])))
    return pa.concat_tables(parts).sort_by([("query", "ascending"), ("rank", "ascending"), ("id", "ascending")])


def last_page(connection: Connection) -> int:
    """The largest page id; -1 where there is none."""
    rows = connection.read(connection.statement("read/last_page"))
    return int(rows[0]["id"]) if rows else -1


def _sources_per_batch(pages: int, links: int) -> int:
    return max(1, min(_PAGES_PER_BATCH, _LINKS_PER_BATCH * pages // max(links, 1)))


def _link_batch(record: Any, names: Sequence[str]) -> pa.RecordBatch:
    batch = {"source": pa.array(record["source"], pa.int64()), "target": pa.array(record["target"], pa.int64())}
    for name in names:
        if name == "weight":
            batch[name] = pa.array(record["weight"], pa.float64())
        else:
            anchors = pa.array(record["anchors"], _ANCHORS)
            batch[name] = pc.if_else(pc.equal(pc.list_value_length(anchors), 0), pa.scalar(None, _ANCHORS), anchors)
    return pa.record_batch(batch)


def _by_name(connection: Connection, cypher: str, kinds: Mapping[str, pa.DataType]) -> pa.Table:
    """Rows whose first column is their key, a range of keys at a time."""
    parts, first = [_table([], kinds)], ""
    while rows := connection.read(cypher, first=first, limit=_NAMES_PER_BATCH)[0]["rows"]:
        parts.append(_table(rows, kinds))
        # The least text that is larger than the last one.
        first = rows[-1][0] + "\0"
    return pa.concat_tables(parts)


def _table(rows: Sequence[Sequence[Any]], kinds: Mapping[str, pa.DataType]) -> pa.Table:
    return pa.table(_transposed(rows, list(kinds), kinds))


def _transposed(
    rows: Sequence[Sequence[Any]], names: Sequence[str], kinds: Mapping[str, pa.DataType]
) -> dict[str, pa.Array]:
    columns = zip(*rows, strict=True) if rows else [()] * len(names)
    return {name: from_values(values, kinds[name]) for name, values in zip(names, columns, strict=True)}
