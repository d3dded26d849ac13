"""A load into the database: committed batch by batch, in an order that any interruption leaves repeatable."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.changes import Changes, Load
from seedrank.core.errors import StoreError, shorten
from seedrank.core.progress import Progress
from seedrank.cypher import quote_identifier
from seedrank.graphdb.column_types import stored_type
from seedrank.graphdb.neo4j import lanes, reading
from seedrank.graphdb.neo4j.connection import Connection
from seedrank.graphdb.neo4j.transactions import settle
from seedrank.graphdb.neo4j.types import column_types, dump_columns, parse_columns, to_time, to_values

__all__ = ["Writer", "batches", "check", "merge_columns"]

_MAX_KEY_BYTES = 8_000
"""The database's indexes take values of up to about 8 KiB."""

_BATCH_BYTES = 32 << 20
_FIXED_PAGE_COLUMNS = frozenset({"id", "url", "source_id", "status"})

_log = logging.getLogger(__name__)


def check(changes: Changes) -> None:
    """Refuse what the database could not keep, before anything is written."""
    for table, name, what in (
        (changes.new_pages, "url", "URL"),
        (changes.changed_pages, "url", "URL"),
        (changes.hosts, "name", "host name"),
        (changes.queries, "text", "query"),
    ):
        if name in table.column_names and table.num_rows:
            lengths = pc.binary_length(table[name])
            longest = pc.max(lengths).as_py() or 0
            if longest > _MAX_KEY_BYTES:
                value = table[name][pc.index(lengths, longest).as_py()].as_py()
                raise StoreError(
                    f"a {what} of {longest:,} bytes is longer than Neo4j's indexes take: {{value}}",
                    hint=f"leave out what is over {_MAX_KEY_BYTES:,} bytes, or use {{store=web.duckdb}}",
                    fields=("store",),
                    values={"value": shorten(value)},
                )
    for name in (*column_types(changes.page_columns), *column_types(changes.host_columns)):
        quote_identifier(name)


class Writer:
    """Writes a load, a batch a transaction.

    Parameters
    ----------
    connection
        Where to.
    batch_size
        Rows per transaction.
    progress
        Told of every batch.
    """

    def __init__(self, connection: Connection, batch_size: int, progress: Progress) -> None:
        self._connection = connection
        self._batch_size = batch_size
        self._progress = progress

    def load(self, changes: Changes, load: Load) -> None:
        """Write everything between the record's two states."""
        check(changes)
        self._connection.turn, self._connection.counted = load.id, not changes.empty
        try:
            self.start(load)
            self.columns(changes)
            self.new_pages(changes.new_pages, changes.page_columns)
            self.page_values(changes.changed_pages)
            self.hosts(changes.hosts)
            self.on(changes.page_hosts)
            self.links(changes.new_links)
            self.links(changes.changed_links, change=True)
            self.queries(changes.queries)
            self.results(changes.results)
            self.finish(load)
        except StoreError as error:
            _log.warning("the load %s was cut off: %s", load.id, error)
            raise error.advising("repeat the command: it goes on where it stopped", joined="; then ") from error
        finally:
            self._connection.turn = None

    def start(self, load: Load, *, restored: bool = False) -> None:
        """Record that the load begins; when one of a backup first began is not known."""
        self._connection.write(
            self._connection.statement("load/start_load"),
            id=load.id,
            source=load.source,
            sha256=load.sha256,
            started=to_time(load.started),
            counts=json.dumps(load.counts),
            level=load.level,
            first="" if restored else load.started,
        )

    def finish(self, load: Load) -> None:
        """Record that the load is done; what others wrote until now is no later change, where this one was a change."""
        self._connection.write(self._connection.statement("load/finish_load"), id=load.id)
        if self._connection.counted:
            settle(self._connection)

    def columns(self, changes: Changes) -> None:
        """Keep the names and types of columns the load brings."""
        merge_columns(self._connection, changes.page_columns, changes.host_columns)

    def new_pages(self, table: pa.Table, columns: Mapping[str, pa.DataType]) -> None:
        """Add pages, by ascending id."""
        kinds = column_types({name: columns.get(name, table.field(name).type) for name in self._own(table)})
        create, again = (
            self._connection.statement("load/pages"),
            self._connection.statement("load/pages_again"),
        )
        for batch in self._batches(table, "writing pages"):
            self._connection.write(
                create,
                again=again,
                id=to_values(batch["id"]),
                url=_values(batch, "url", pa.string()),
                source_id=_values(batch, "source_id", pa.int64()),
                status=_values(batch, "status", pa.string()),
                names=list(kinds),
                columns=[to_values(batch[name], kind) for name, kind in kinds.items()],
            )

    def page_values(self, table: pa.Table) -> None:
        """Set values of pages that are there; nulls leave what is."""
        self._values(table, "id", "load/set_page_column", "changing pages")

    def hosts(self, table: pa.Table) -> None:
        """Add or change hosts."""
        cypher = self._connection.statement("load/hosts")
        for batch in self._batches(table, "writing hosts"):
            self._connection.write(cypher, name=to_values(batch["name"]), pages=_values(batch, "pages", pa.int64()))
        self.host_values(table.select([name for name in table.column_names if name != "pages"]))

    def host_values(self, table: pa.Table) -> None:
        """Set values of hosts that are there; nulls leave what is."""
        self._values(table, "name", "load/set_host_column", "writing columns of hosts")

    def on(self, table: pa.Table) -> None:
        """Put pages on their hosts."""
        cypher = self._connection.statement("load/on")
        for batch in self._batches(table, "writing hosts of pages"):
            places, names = _coded(batch["host"])
            made = self._connection.write(cypher, id=to_values(batch["id"]), host=places, names=names)
            _expect(made[0]["written"], batch.num_rows, "hosts of pages")

    def links(self, table: pa.Table, *, change: bool = False) -> None:
        """Add links, or change those that are there; many of them in several sessions at a time."""
        if not table.num_rows:
            return
        with self._progress("changing links" if change else "writing links", total=table.num_rows) as advance:
            if table.num_rows <= lanes.LANES * self._batch_size:
                self._links(table, "turn", advance, lambda: False, change=change)
                return
            told = threading.Lock()

            def tell(rows: int) -> None:
                with told:
                    advance(rows)

            for parts in lanes.rounds(table):
                named = zip(parts, lanes.NAMES, strict=True)
                lanes.run([partial(self._links, part, name, tell, change=change) for part, name in named])

    def _links(
        self, table: pa.Table, lane: str, advance: Callable[[int], None], stopped: Callable[[], bool], *, change: bool
    ) -> None:
        """Write links one batch after the other."""
        create = self._connection.statement("load/set_links" if change else "load/links")
        again = None if change else self._connection.statement("load/links_again")
        for batch in batches(table, self._batch_size):
            if stopped():
                return
            anchors = "anchors" in batch.schema.names and batch["anchors"].null_count < batch.num_rows
            made = self._connection.write(
                create,
                again=again,
                lane=lane,
                **grouped(batch),
                weight=to_values(batch["weight"], pa.float64()),
                anchors=batch["anchors"].to_pylist() if anchors else [],
            )
            if not change:
                _expect(made[0]["written"], batch.num_rows, "links")
            advance(batch.num_rows)

    def queries(self, table: pa.Table) -> None:
        """Add or change searches."""
        cypher = self._connection.statement("load/queries")
        for batch in self._batches(table, "writing queries"):
            values: dict[str, Any] = {name: _values(batch, name, pa.float64()) for name in ("freq", "need")}
            self._connection.write(cypher, text=to_values(batch["text"]), **values)

    def results(self, table: pa.Table) -> None:
        """Add or change results of searches."""
        cypher = self._connection.statement("load/results")
        for batch in self._batches(table, "writing results"):
            places, names = _coded(batch["query"])
            self._connection.write(
                cypher,
                query=places,
                names=names,
                id=to_values(batch["id"]),
                rank=_values(batch, "rank", pa.int64()),
                clicks=_values(batch, "clicks", pa.float64()),
            )

    def _values(self, table: pa.Table, key: str, name: str, title: str) -> None:
        """Set columns one by one, only where they have a value."""
        for column in table.column_names:
            if column == key or table[column].null_count == table.num_rows:
                continue
            cypher = self._connection.statement(name, column=column)
            kind = stored_type(column, table.field(column).type)
            rows = table.select([key, column])
            if rows[column].null_count:
                rows = rows.filter(pc.is_valid(rows[column]))
            for batch in self._batches(rows, f"{title} ({column})"):
                parameters: dict[str, Any] = {key: to_values(batch[key]), "values": to_values(batch[column], kind)}
                self._connection.write(cypher, **parameters)

    def _batches(self, table: pa.Table, title: str) -> Iterator[pa.RecordBatch]:
        if not table.num_rows:
            return
        with self._progress(title, total=table.num_rows) as advance:
            for batch in batches(table, self._batch_size):
                yield batch
                advance(batch.num_rows)

    @staticmethod
    def _own(table: pa.Table) -> list[str]:
        return [name for name in table.column_names if name not in _FIXED_PAGE_COLUMNS]


def merge_columns(
    connection: Connection, page_columns: Mapping[str, pa.DataType], host_columns: Mapping[str, pa.DataType]
) -> None:
    """Add columns to those the database knows; a column that is there keeps its type."""
    cypher = connection.statement("load/columns")
    while True:
        known = reading.known_columns(connection)
        pages, hosts = (parse_columns(text) for text in known)
        merged = {**column_types(page_columns), **pages}, {**column_types(host_columns), **hosts}
        if merged == (pages, hosts):
            return
        written = connection.write(cypher, known=known, pages=dump_columns(merged[0]), hosts=dump_columns(merged[1]))
        if written[0]["written"]:
            return  # nobody added columns in between


def batches(table: pa.Table, rows: int) -> Iterator[pa.RecordBatch]:
    """`table` in parts of at most `rows` rows, fewer where rows are long, each in one piece."""
    if table.num_rows:
        rows = max(1, min(rows, _BATCH_BYTES * table.num_rows // max(table.nbytes, 1)))
    for start in range(0, table.num_rows, rows):
        yield table.slice(start, rows).combine_chunks().to_batches()[0]


def grouped(batch: pa.RecordBatch) -> dict[str, Any]:
    """Links as runs of one source: the sources, where each one's targets begin (and the end), the targets."""
    source = batch["source"].to_numpy()
    first = np.flatnonzero(np.diff(source, prepend=source[0] - 1))
    return {
        "source": source[first].tolist(),
        "first": [*first.tolist(), len(source)],
        "target": to_values(batch["target"]),
    }


def _values(batch: pa.RecordBatch, name: str, kind: pa.DataType) -> list[Any]:
    """A column, or nothing where the table has none: a place beyond a list is null in Cypher."""
    return to_values(batch[name], kind) if name in batch.schema.names else []


def _coded(column: pa.Array) -> tuple[list[int], list[str]]:
    """For each row the place of its text in a list of the distinct ones, and that list."""
    coded = column.dictionary_encode()
    return coded.indices.to_numpy().tolist(), coded.dictionary.to_pylist()


def _expect(made: int, wanted: int, what: str) -> None:
    if made < wanted:
        raise StoreError(
            f"only {made:,} of {wanted:,} {what} could be written: pages they name are gone",
            hint="another program deletes pages meanwhile: let it finish",
        )
