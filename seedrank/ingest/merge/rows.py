"""Rows of tables, checked and staged: pages, and what names pages without making them (events, results, labels)."""

from __future__ import annotations

from datetime import datetime
from enum import IntEnum

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.errors import InputError
from seedrank.core.model import SUMMED_EVENT_COLUMNS, Status
from seedrank.graphdb.duckdb.connection import Connection
from seedrank.ingest.merge.addresses import Addresses, valid_rows
from seedrank.ingest.merge.columns import Columns, append
from seedrank.ingest.merge.positions import Positions, rows_of
from seedrank.loaders.base import Batch, LoadOptions, Summary, Where
from seedrank.loaders.columns import convert
from seedrank.loaders.times import TIME, utc, within

__all__ = ["REDIRECT", "Kind", "Rows", "in_time", "refuse"]

REDIRECT = "redirect"

_ROW_COLUMNS = frozenset({"url", "id", "status", "host"})
_HOST_COLUMNS = frozenset({"host", "name", "pages"})
"""``pages`` is counted, whatever a table says."""
_LABELS = pa.array([status.label for status in Status])
_TEXT, _INT, _FLOAT = pa.string(), pa.int64(), pa.float64()


class Kind(IntEnum):
    """What a row that names a page is."""

    PAGE = 0
    """A row of a pages table: the page is there from now on."""
    KNOWN = 1
    """Columns of a page that is there."""
    EVENT = 2
    RESULT = 3
    LABEL = 4


_TABLES = {
    "named": "pos BIGINT, kind TINYINT, url VARCHAR, key VARCHAR, id BIGINT, bad BOOLEAN, must BOOLEAN, file INTEGER, "
    "status TINYINT, host VARCHAR",
    "event": "pos BIGINT, clicks DOUBLE, views DOUBLE",
    "result_row": "pos BIGINT, query VARCHAR, rank BIGINT, clicks DOUBLE",
    "query_row": "pos BIGINT, text VARCHAR, freq DOUBLE, need DOUBLE",
    "page_label": "pos BIGINT, spam DOUBLE",
    "host_label": "pos BIGINT, name VARCHAR, below BOOLEAN, spam DOUBLE",
    "host_row": "pos BIGINT, name VARCHAR",
    "url_name": "code BIGINT, url VARCHAR, key VARCHAR, pos BIGINT, outgoing BOOLEAN, incoming BOOLEAN",
    "id_name": "code BIGINT, id BIGINT, pos BIGINT, outgoing BOOLEAN, incoming BOOLEAN, must BOOLEAN",
}
"""``key`` is null where a page is known by its URL; ``must`` says that a pages table gave ids before."""


class Rows:
    """Takes rows of every table but links.

    Parameters
    ----------
    addresses
        What becomes of URLs.

    Attributes
    ----------
    have_ids
        Whether pages tables gave ids so far.
    unparsable
        Rows whose URL cannot be parsed.
    sealed
        Whether rows came that name pages without making them: from then on pages must have a URL.
    """

    def __init__(
        self,
        connection: Connection,
        addresses: Addresses,
        positions: Positions,
        pages: Columns,
        hosts: Columns,
        options: LoadOptions,
        summary: Summary,
    ) -> None:
        self._connection, self._addresses, self._positions = connection, addresses, positions
        self._pages, self._hosts, self._summary = pages, hosts, summary
        self._since, self._until = utc(options.since), utc(options.until)
        self.have_ids = self.sealed = False
        self.unparsable = 0
        self._files: dict[str, int] = {}
        for name, columns in _TABLES.items():
            connection.run(f"CREATE TABLE {name} ({columns})")

    def add_pages(self, batch: Batch) -> None:
        """Take rows of a pages table."""
        kind = Kind.KNOWN if batch.known else Kind.PAGE
        positions, bad = self._name(batch, kind)
        rows, where = batch.rows, batch.where
        if REDIRECT in rows.schema.names:
            rows = self._redirected(rows, where, bad, positions)
        own = rows.select([name for name in rows.schema.names if name not in _ROW_COLUMNS])
        self._pages.add(positions, own, where, batch.typed, batch.guarded)

    def add_hosts(self, batch: Batch) -> None:
        """Take rows of a hosts table."""
        rows, where = batch.rows, batch.where
        names = _host_names(rows.column("host"))
        refuse(~valid_rows(names), where, "host", "is empty", "fill it")
        positions = self._positions.take(where, rows.num_rows)
        append(self._connection, "host_row", {"pos": pa.array(positions), "name": names})
        kept = rows.select([name for name in rows.schema.names if name not in _HOST_COLUMNS])
        self._hosts.add(positions, kept, where, batch.typed, batch.guarded)

    def add_queries(self, batch: Batch) -> None:
        """Take rows of a queries table."""
        positions = self._positions.take(batch.where, batch.rows.num_rows)
        values = _typed(batch, {"freq": _FLOAT, "need": _FLOAT})
        append(self._connection, "query_row", {"pos": pa.array(positions), "text": _queries(batch), **values})

    def add_results(self, batch: Batch) -> None:
        """Take rows of a results table."""
        positions, _ = self._name(batch, Kind.RESULT)
        values = _typed(batch, {"rank": _INT, "clicks": _FLOAT})
        append(self._connection, "result_row", {"pos": pa.array(positions), "query": _queries(batch), **values})

    def add_events(self, batch: Batch) -> None:
        """Take rows of an events table; an event without clicks and views is one view."""
        counted = in_time(batch, self._since, self._until)
        self._summary.add("events dropped: out of time", batch.rows.num_rows - counted.rows.num_rows)
        positions, _ = self._name(counted, Kind.EVENT)
        values = _typed(counted, dict.fromkeys(SUMMED_EVENT_COLUMNS, _FLOAT))
        values = {name: column.fill_null(0) for name, column in values.items()}
        values = values or {"views": pa.array(np.ones(len(positions)))}
        append(self._connection, "event", {"pos": pa.array(positions), **values})

    def add_labels(self, batch: Batch) -> None:
        """Take rows: ``host``, perhaps ``below`` (its subdomains too), or ``url``; and ``spam``."""
        rows = batch.rows
        if "url" in rows.schema.names:
            positions, _ = self._name(batch, Kind.LABEL)
            append(self._connection, "page_label", {"pos": pa.array(positions), "spam": rows.column("spam")})
            return
        columns = {
            "pos": pa.array(self._positions.take(batch.where, rows.num_rows)),
            "name": _host_names(rows.column("host")),
            "below": rows.column("below"),
            "spam": rows.column("spam"),
        }
        append(self._connection, "host_label", columns)

    def _name(self, batch: Batch, kind: Kind) -> tuple[np.ndarray, np.ndarray]:
        """Stage what names the pages of rows; gives their positions and whether their URL cannot be parsed."""
        rows, where = batch.rows, batch.where
        names, count = rows.schema.names, rows.num_rows
        urls, bad = pa.nulls(count, _TEXT), np.zeros(count, np.bool_)
        if "url" in names:
            urls, bad = self._addresses.normal(rows.column("url"))
        ids = pa.nulls(count, _INT)
        if "id" in names:
            ids = convert(rows.column("id"), _INT, column="id", where=where)
        if kind == Kind.PAGE:
            self._check_pages(valid_rows(urls) | bad, ids, where)
        else:
            self.sealed = True
        positions = self._positions.take(where, count)
        if bad.any():
            self.unparsable += int(np.count_nonzero(bad))
            left = np.flatnonzero(bad)
            self._addresses.leave_out(rows.column("url").take(pa.array(left)), rows_of(where, left), "url")
        columns = {
            "pos": pa.array(positions),
            "kind": pa.array(np.full(count, kind, np.int8)),
            "url": urls,
            "id": ids,
            "bad": pa.array(bad),
            "must": pa.array(np.full(count, self.have_ids)),
            "file": pa.array(np.full(count, self._files.setdefault(where.file, len(self._files)), np.int32)),
        }
        if self._addresses.folds:
            columns["key"] = self._addresses.key(urls)
        if kind in (Kind.PAGE, Kind.KNOWN) and "status" in names:
            columns["status"] = _statuses(rows.column("status"), where)
        if kind in (Kind.PAGE, Kind.KNOWN) and "host" in names:
            columns["host"] = _host_names(rows.column("host"))
        append(self._connection, "named", columns)
        return positions, bad

    def _check_pages(self, named: np.ndarray, ids: pa.Array, where: Where) -> None:
        """Refuse rows of pages that cannot be; `named` says which have a URL."""
        given = valid_rows(ids)
        numbers = ids.fill_null(-1).to_numpy()
        refuse_negative(numbers, given, where, "id")
        self.have_ids |= bool(given.any())
        if named.all():
            return
        refuse(~named & ~given, where, None, "a page with neither url nor id", "fill one")
        if self.sealed:
            refuse(~named, where, None, "a page without URL after the first links", "give pages before links")

    def _redirected(self, rows: pa.RecordBatch, where: Where, bad: np.ndarray, positions: np.ndarray) -> pa.RecordBatch:
        """Rows with redirects in normal form, whose targets are pages after all rows of the batch."""
        given = convert(rows.column(REDIRECT), _TEXT, column=REDIRECT, where=where)
        given = pc.if_else(pa.array(bad), pa.scalar(None, _TEXT), given)
        urls, lost = self._addresses.normal(given)
        if lost.any():
            self._summary.add("redirects dropped: unparsable URL", int(np.count_nonzero(lost)))
            left = np.flatnonzero(lost)
            self._addresses.leave_out(given.take(pa.array(left)), rows_of(where, left), REDIRECT)
        there = valid_rows(urls)
        after = positions[-1] + 2 + np.flatnonzero(there) if len(positions) else positions
        columns = {"url": urls.filter(pa.array(there)), "pos": pa.array(after)}
        if self._addresses.folds:
            columns["key"] = self._addresses.key(columns["url"])
        append(self._connection, "url_name", columns)
        return rows.set_column(rows.schema.get_field_index(REDIRECT), REDIRECT, urls)


def in_time(batch: Batch, since: datetime | None, until: datetime | None) -> Batch:
    """The rows that count; rows without time do not where one is asked for."""
    if "time" not in batch.rows.schema.names or (since is None and until is None):
        return batch
    times = convert(batch.rows.column("time"), TIME, column="time", where=batch.where)
    return batch.filter(within(times, since, until))


def refuse(wrong: np.ndarray, where: Where, column: str | None, message: str, hint: str, values: object = None) -> None:
    """Raise `InputError` for the first row that is wrong."""
    if wrong.any():
        row = int(wrong.argmax())
        value = {} if values is None else {"value": values[row]}  # type: ignore[index]
        raise InputError(message, file=where.file, line=where.line(row), column=column, hint=hint, **value)


def refuse_negative(ids: np.ndarray, given: np.ndarray | bool, where: Where, column: str) -> None:
    """Raise `InputError` for the first id below 0."""
    negative = (ids < 0) & given
    if negative.any():
        hint = "ids are whole numbers from 0 to 9223372036854775807"
        refuse(negative, where, column, "is negative", hint, ids.tolist())


def _typed(batch: Batch, kinds: dict[str, pa.DataType]) -> dict[str, pa.Array]:
    return {
        name: convert(batch.rows.column(name), kind, column=name, where=batch.where)
        for name, kind in kinds.items()
        if name in batch.rows.schema.names
    }


def _queries(batch: Batch) -> pa.Array:
    texts = batch.rows.column("query").cast(_TEXT)
    refuse(~valid_rows(texts), batch.where, "query", "is empty", "fill it")
    return texts


def _statuses(labels: pa.Array, where: Where) -> pa.Array:
    """int8 per label: the `Status`, null for none."""
    labels = labels.cast(_TEXT)
    codes = pc.index_in(labels, _LABELS)
    wrong = valid_rows(labels) & ~valid_rows(codes)
    if wrong.any():
        refuse(
            wrong, where, "status", "is not a status", f"one of {', '.join(_LABELS.to_pylist())}", labels.to_pylist()
        )
    return codes.cast(pa.int8())


def _host_names(names: pa.Array) -> pa.Array:
    """Host names as they stand in the store: lower case, an empty one is none."""
    names = pc.utf8_lower(pc.utf8_trim_whitespace(names.cast(_TEXT)))
    return pc.if_else(pc.equal(names, ""), pa.scalar(None, _TEXT), names)
