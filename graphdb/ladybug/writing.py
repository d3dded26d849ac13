"""A load's changes, written table by table."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pyarrow as pa
import pyarrow.compute as pc

from cypher import statement
from graphdb.ladybug.connection import Connection
from graphdb.ladybug.types import column_type, stored
from seedrank.core.changes import Changes, Load
from seedrank.core.errors import StoreError
from seedrank.core.progress import Progress

__all__ = ["add_columns", "count_change", "finish_load", "start_load", "table_columns", "write_changes"]


def table_columns(connection: Connection, label: str) -> dict[str, str]:
    """Columns of ``page``, ``host`` or ``link`` with the database's types, in the order they were made."""
    rows = connection.table(statement(f"read/ladybug/{label}_columns"))
    return dict(zip(rows["name"].to_pylist(), rows["type"].to_pylist(), strict=True))


def add_columns(connection: Connection, label: str, columns: Mapping[str, str]) -> None:
    """Add the columns that are not there; refuse those that are there with another type."""
    known = table_columns(connection, label)
    folded = {name.casefold(): name for name in known}
    for name, kind in columns.items():
        there = folded.setdefault(name.casefold(), name)
        if there != name:
            raise StoreError(
                f"{label} columns {there!r} and {name!r} differ only in capitals, which are one in this store",
                hint="rename one of them",
            )
        if known.get(name, kind) != kind:
            raise StoreError(
                f"{label} column {name!r} holds {known[name]} in the store and {kind} in what is written",
                hint="give the new one another name",
            )
        if name not in known:
            connection.run(statement(f"schema/ladybug/add_{label}_column", column=name, TYPE=kind))


def count_change(connection: Connection) -> None:
    """Count a change of the graph: its version is another one from now on."""
    connection.run(statement("load/ladybug/count_change"))


def start_load(connection: Connection, load: Load) -> None:
    """Record that a load begins; one that was there keeps its place in the order."""
    there = connection.table(statement("read/ladybug/loads")).num_rows
    record = {name: getattr(load, name) for name in ("id", "source", "sha256", "started", "level")}
    counts = json.dumps(load.counts)
    connection.run(statement("load/ladybug/start_load"), {**record, "counts": counts, "seq": there})


def finish_load(connection: Connection, load: Load) -> None:
    """Record that a load is done."""
    connection.run(statement("load/finish_load"), {"id": load.id})


def write_changes(connection: Connection, changes: Changes, progress: Progress) -> None:
    """Write everything, ends before the relationships that need them."""
    add_columns(connection, "page", {name: column_type(name, kind) for name, kind in changes.page_columns.items()})
    add_columns(connection, "host", {name: column_type(name, kind) for name, kind in changes.host_columns.items()})
    with progress("writing pages", changes.new_pages.num_rows + changes.changed_pages.num_rows) as advance:
        types = table_columns(connection, "page")
        _copy(connection, "pages", stored(changes.new_pages, types), changes.new_pages.column_names)
        advance(changes.new_pages.num_rows)
        _set_columns(connection, "page", stored(changes.changed_pages, types))
        advance(changes.changed_pages.num_rows)
    with progress("writing hosts", changes.hosts.num_rows + changes.page_hosts.num_rows) as advance:
        _write_hosts(connection, stored(changes.hosts, table_columns(connection, "host")))
        advance(changes.hosts.num_rows)
        _write_page_hosts(connection, changes.page_hosts, changes.new_pages)
        advance(changes.page_hosts.num_rows)
    with progress("writing links", changes.new_links.num_rows + changes.changed_links.num_rows) as advance:
        _write_links(connection, _anchored(changes.new_links), _anchored(changes.changed_links))
        advance(changes.new_links.num_rows + changes.changed_links.num_rows)
    with progress("writing queries", changes.queries.num_rows + changes.results.num_rows) as advance:
        _insert_or_change(connection, "queries", changes.queries, ["text"])
        advance(changes.queries.num_rows)
        _insert_or_change(connection, "results", changes.results, ["query", "id"])
        advance(changes.results.num_rows)


def _copy(connection: Connection, what: str, rows: pa.Table, columns: list[str] | None = None) -> None:
    if rows.num_rows:
        named = {} if columns is None else {"columns": columns}
        connection.run(statement(f"load/ladybug/copy_{what}", **named), {"rows": rows})


def _set_columns(connection: Connection, label: str, rows: pa.Table) -> None:
    """Set the columns of nodes by the key in the first column, where a value is given."""
    key = rows.column(0)
    for name, values in zip(rows.column_names[1:], rows.columns[1:], strict=True):
        given = pa.table({"key": key, "value": values}).filter(pc.is_valid(values))
        if given.num_rows:
            connection.run(statement(f"load/ladybug/set_{label}_column", column=name), {"rows": given})


def _write_hosts(connection: Connection, hosts: pa.Table) -> None:
    there = pc.is_in(hosts["name"], value_set=connection.table(statement("read/ladybug/host_names"))["name"])
    _copy(connection, "hosts", hosts.filter(pc.invert(there)), hosts.column_names)
    _set_columns(connection, "host", hosts.filter(there))


def _write_page_hosts(connection: Connection, page_hosts: pa.Table, new_pages: pa.Table) -> None:
    """A page is on one host: one that was there before leaves the host it was on."""
    first_new = new_pages["id"][0].as_py() if new_pages.num_rows else None
    older = page_hosts if first_new is None else page_hosts.filter(pc.less(page_hosts["id"], first_new))
    if older.num_rows:
        connection.run(statement("load/ladybug/leave_hosts"), {"rows": older.select(["id"])})
    _copy(connection, "on", page_hosts)


def _write_links(connection: Connection, new: pa.Table, changed: pa.Table) -> None:
    if "anchors" in {*new.column_names, *changed.column_names}:
        connection.run(statement("schema/ladybug/add_anchors"))
    _copy(connection, "links", new, new.column_names[2:])
    if changed.num_rows:
        text = statement(f"load/ladybug/set_links{'_anchors' if 'anchors' in changed.column_names else ''}")
        connection.run(text, {"rows": changed})


def _anchored(links: pa.Table) -> pa.Table:
    """Without the column of anchors where it holds none."""
    if "anchors" in links.column_names and links["anchors"].null_count == links.num_rows:
        return links.drop_columns("anchors")
    return links


def _insert_or_change(connection: Connection, what: str, rows: pa.Table, keys: list[str]) -> None:
    if not rows.num_rows:
        return
    known = connection.table(statement(f"read/{what}")).select(keys)
    _copy(connection, what, rows.join(known, keys, join_type="left anti"))
    changed = rows.join(known, keys, join_type="left semi")
    if changed.num_rows:
        connection.run(statement(f"load/ladybug/set_{what}"), {"rows": changed})
