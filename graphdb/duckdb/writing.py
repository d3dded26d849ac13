"""A load's changes, written table by table into the database that is in use."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.changes import Changes, Load, unload_tables
from seedrank.core.errors import StoreError
from seedrank.core.progress import Advance, Progress
from seedrank.cypher import quote_identifier
from seedrank.graphdb.duckdb.connection import Connection
from seedrank.graphdb.duckdb.schema import column_type, quote, stored
from seedrank.graphdb.store import Contents

__all__ = ["add_columns", "bytes_of", "record_load", "restore", "set_columns", "table_columns", "write_changes"]

_ROWS = "given_rows"
_PART = 1 << 22
"""Links that are in memory at a time: a hundred megabytes."""


def table_columns(connection: Connection, database: str, table: str) -> dict[str, str]:
    """Columns of a table with the database's types, in the order they were made."""
    rows = connection.table(f"SELECT name, type FROM pragma_table_info('{database}.\"{table}\"')")
    return dict(zip(rows["name"].to_pylist(), rows["type"].to_pylist(), strict=True))


def add_columns(connection: Connection, database: str, table: str, columns: Mapping[str, str]) -> None:
    """Add the columns that are not there; refuse those that are there with another type."""
    known = table_columns(connection, database, table)
    folded = {name.casefold(): name for name in known}
    for name, kind in columns.items():
        quote_identifier(name)  # a name that no statement can hold is refused
        there = folded.setdefault(name.casefold(), name)
        if there != name:
            raise StoreError(
                f"{table} columns {there!r} and {name!r} differ only in capitals, which are one in this store",
                hint="rename one of them",
            )
        if known.get(name, kind) != kind:
            raise StoreError(
                f"{table} column {name!r} holds {known[name]} in the store and {kind} in the rows to write",
                hint="give the new one another name",
            )
        if name not in known:
            connection.run(f"ALTER TABLE {quote(table)} ADD COLUMN {quote(name)} {kind}")


def bytes_of(changes: Changes) -> int:
    """About how many bytes changes take in the file: half of what they take in memory, for it is compressed."""
    return sum(table.nbytes for table in vars(changes).values() if isinstance(table, pa.Table)) // 2


def record_load(connection: Connection, load: Load, *, changed: bool) -> None:
    """Record a load, which keeps its place in the order where it was there, and count a change of the graph."""
    there = connection.value("SELECT seq FROM load WHERE id = ?", [load.id])
    seq = connection.value("SELECT count(*) FROM load") if there is None else there
    connection.run("DELETE FROM load WHERE id = ?", [load.id])
    _insert_load(connection, replace(load, state="done"), seq)
    if changed:
        connection.run("UPDATE store SET changes = changes + 1")


def restore(connection: Connection, database: str, contents: Contents, progress: Progress) -> None:
    """Write everything a backup holds into empty tables; loads keep their states, the counter of changes its value."""
    write_changes(connection, database, contents.as_changes(), progress)
    _insert(connection, "co_cited", contents.virtual_links)
    _insert(connection, "run", contents.saved.runs)
    _insert(connection, "ranked", _by_page(contents.saved.ranked))
    _insert(connection, "core", _by_page(contents.saved.cores))
    for place, load in enumerate(contents.loads):
        _insert_load(connection, load, place)
    connection.run("UPDATE store SET changes = ?", [contents.changes])


def write_changes(connection: Connection, database: str, changes: Changes, progress: Progress) -> None:
    """Write everything."""
    for table, columns in (("page", changes.page_columns), ("host", changes.host_columns)):
        kinds = {name: column_type(name, kind) for name, kind in columns.items()}
        add_columns(connection, database, table, kinds)
    _check_ends(connection, changes)
    types = {table: table_columns(connection, database, table) for table in ("page", "host")}
    with progress("writing pages", changes.new_pages.num_rows + changes.changed_pages.num_rows) as advance:
        _insert_pages(connection, stored(changes.new_pages, types["page"]), changes.page_hosts)
        advance(changes.new_pages.num_rows)
        set_columns(connection, "page", ["id"], stored(changes.changed_pages, types["page"]))
        advance(changes.changed_pages.num_rows)
    with progress("writing hosts", changes.hosts.num_rows + changes.page_hosts.num_rows) as advance:
        _insert_or_set(connection, "host", ["name"], stored(changes.hosts, types["host"]))
        advance(changes.hosts.num_rows)
        set_columns(connection, "page", ["id"], _of_older_pages(changes))
        advance(changes.page_hosts.num_rows)
    with progress("writing links", changes.new_links.num_rows + changes.changed_links.num_rows) as advance:
        _insert_links(connection, changes.new_links, advance)
        set_columns(connection, "link", ["source", "target"], changes.changed_links)
        advance(changes.changed_links.num_rows)
    with progress("writing queries", changes.queries.num_rows + changes.results.num_rows) as advance:
        _insert_or_set(connection, "query", ["text"], changes.queries)
        advance(changes.queries.num_rows)
        _insert_or_set(connection, "result", ["query", "page"], _by_page(changes.results))
        advance(changes.results.num_rows)


def set_columns(
    connection: Connection, table: str, keys: Sequence[str], rows: pa.Table, *, clear: bool = False
) -> None:
    """Set the columns of rows by their keys; null leaves a value as it is, unless it shall `clear` it."""
    names = [
        name
        for name, values in zip(rows.column_names, rows.columns, strict=True)
        if name not in keys and (clear or values.null_count < rows.num_rows)
    ]
    if not rows.num_rows or not names:
        return
    # Aliases of our own: a column may have any name.
    given = {name: f"r.{quote(name)}" for name in names}
    if not clear:
        given = {name: f"coalesce({value}, t.{quote(name)})" for name, value in given.items()}
    pairs = ", ".join(f"{quote(name)} = {value}" for name, value in given.items())
    with connection.registered(_ROWS, rows):
        connection.run(f"UPDATE {quote(table)} AS t SET {pairs} FROM {_ROWS} AS r WHERE {_same(keys)}")


def _insert_load(connection: Connection, load: Load, seq: int) -> None:
    record = {**vars(load), "counts": json.dumps(load.counts), "seq": seq}
    names, places = ", ".join(record), ", ".join("?" for _ in record)
    connection.run(f"INSERT INTO load ({names}) VALUES ({places})", list(record.values()))


def _by_page(rows: pa.Table) -> pa.Table:
    """Rows about pages, their ids called as in the tables."""
    return rows.rename_columns(["page" if name == "id" else name for name in rows.column_names])


def _insert(connection: Connection, table: str, rows: pa.Table, where: str = "") -> None:
    if rows.num_rows:
        names = ", ".join(map(quote, rows.column_names))
        with connection.registered(_ROWS, rows):
            connection.run(f"INSERT INTO {quote(table)} ({names}) SELECT {names} FROM {_ROWS} AS r {where}")


def _insert_or_set(connection: Connection, table: str, keys: Sequence[str], rows: pa.Table) -> None:
    set_columns(connection, table, keys, rows)
    _insert(connection, table, rows, f"WHERE NOT EXISTS (SELECT 1 FROM {quote(table)} AS t WHERE {_same(keys)})")


def _insert_pages(connection: Connection, pages: pa.Table, page_hosts: pa.Table) -> None:
    """Insert new pages with their hosts, by id: so they are stored."""
    if not pages.num_rows:
        return
    names = ", ".join(map(quote, pages.column_names))
    given = ", ".join(f"r.{quote(name)}" for name in pages.column_names)
    with connection.registered(_ROWS, pages), connection.registered("given_hosts", page_hosts):
        connection.run(
            f"INSERT INTO page ({names}, host) SELECT {given}, h.host FROM {_ROWS} AS r "
            "LEFT JOIN given_hosts AS h ON r.id = h.id ORDER BY r.id"
        )


def _insert_links(connection: Connection, links: pa.Table, advance: Advance) -> None:
    """Insert new links; of those in a file a part is in memory at a time."""

    def parts() -> Iterator[pa.RecordBatch]:
        for start in range(0, links.num_rows, _PART):
            part = links.slice(start, _PART)
            yield from part.to_batches()
            unload_tables()
            advance(part.num_rows)

    if links.num_rows:
        names = ", ".join(map(quote, links.column_names))
        with connection.registered(_ROWS, pa.RecordBatchReader.from_batches(links.schema, parts())):
            connection.run(f"INSERT INTO link ({names}) SELECT {names} FROM {_ROWS}")


def _of_older_pages(changes: Changes) -> pa.Table:
    """The hosts of pages that were there before."""
    if not changes.new_pages.num_rows:
        return changes.page_hosts
    return changes.page_hosts.filter(pc.less(changes.page_hosts["id"], changes.new_pages["id"][0]))


def _check_ends(connection: Connection, changes: Changes) -> None:
    """Refuse new pages that do not follow those there are, and whatever belongs to a page that will not be there."""
    pages = connection.value("SELECT count(*) FROM page")
    new = changes.new_pages
    if new.num_rows and (new["id"][0].as_py(), new["id"][-1].as_py()) != (pages, pages + new.num_rows - 1):
        raise StoreError(
            f"new pages are numbered from {new['id'][0].as_py():,}, and the store has {pages:,}", hint="run it again"
        )
    for table, name in (
        (changes.new_links, "source"),
        (changes.new_links, "target"),
        (changes.results, "id"),
        (changes.page_hosts, "id"),
        (changes.changed_pages, "id"),
    ):
        for start in range(0, table.num_rows, _PART):
            bounds = pc.min_max(table[name].slice(start, _PART)).as_py()
            if not 0 <= bounds["min"] <= bounds["max"] < pages + new.num_rows:
                raise StoreError(f"page {bounds['max']:,} is not in the store", hint="run it again")
            unload_tables()


def _same(keys: Sequence[str]) -> str:
    return " AND ".join(f"t.{quote(key)} = r.{quote(key)}" for key in keys)
