"""What can be wrong inside an embedded store, as SQL that counts it and SQL that mends it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from seedrank.core.errors import StoreError
from seedrank.core.model import Status
from seedrank.graphdb.duckdb.connection import Connection
from seedrank.graphdb.duckdb.files import is_locked, left_over
from seedrank.graphdb.duckdb.schema import TABLES, quote
from seedrank.graphdb.store import Finding, Severity

__all__ = ["check_files", "check_tables", "repair_tables"]

_AGAIN = "restore a backup, or load the sources into a new store"
_LOAD_AGAIN = "repeat the load: it completes what is there"
_PAGES = "(SELECT count(*) FROM page)"
_STATUSES = ", ".join(f"'{status.label}'" for status in Status)
_HOST_COUNTS = "(SELECT host AS name, count(*) AS pages FROM page WHERE host IS NOT NULL GROUP BY host)"


@dataclass(frozen=True)
class _Rule:
    """A count that must be 0, and the statements that make it so."""

    what: str
    count: str
    remedy: str = _AGAIN
    repair: tuple[str, ...] = ()
    severity: Severity = "error"
    part: str = "store"


def _no_page(*columns: str) -> str:
    return " OR ".join(f"{name} IS NULL OR {name} < 0 OR {name} >= {_PAGES}" for name in columns)


def _doubled(table: str, keys: str) -> str:
    return f"SELECT count(*) FROM (SELECT 1 FROM {table} GROUP BY {keys} HAVING count(*) > 1)"


def _unowned(table: str, wrong: str, what: str) -> _Rule:
    """Rows that name what is not there, and mean nothing without it."""
    return _Rule(
        f"rows of {table} name {what}",
        f"SELECT count(*) FROM {table} WHERE {wrong}",
        "remove them",
        (f"DELETE FROM {table} WHERE {wrong}",),
    )


_ONE_LINK = (
    "CREATE TEMP TABLE one_link AS SELECT source, target, max(weight) AS weight, arg_max(anchors, weight) AS anchors "
    "FROM link GROUP BY source, target ORDER BY source, target",
    "DELETE FROM link",
    "INSERT INTO link (source, target, weight, anchors) SELECT source, target, weight, anchors FROM one_link",
    "DROP TABLE one_link",
)
_RULES = (
    _Rule("rows too many or too few in the table store", "SELECT abs(count(*) - 1) FROM store"),
    _Rule("page ids are missing or out of range", f"SELECT count(*) FROM page WHERE {_no_page('id')}"),
    _Rule("page ids are there twice", _doubled("page", "id")),
    _Rule("URLs are there twice", _doubled("(SELECT url FROM page WHERE url IS NOT NULL)", "url")),
    _Rule(
        "pages have an unknown status",
        f"SELECT count(*) FROM page WHERE status IS NULL OR status NOT IN ({_STATUSES})",
    ),
    _unowned("link", _no_page("source", "target"), "a page that does not exist"),
    _unowned("link", "source = target", "one page as both ends"),
    _Rule(
        "pairs of pages have more than one link",
        _doubled("link", "source, target"),
        "keep one, with the greatest weight",
        _ONE_LINK,
    ),
    _Rule("hosts are there twice", _doubled("host", "name")),
    _Rule(
        "pages are on a host that has no row",
        "SELECT count(*) FROM page WHERE host IS NOT NULL AND host NOT IN (SELECT name FROM host)",
        "add the hosts",
        (
            f"INSERT INTO host (name, pages) SELECT name, pages FROM {_HOST_COUNTS} "
            "WHERE name NOT IN (SELECT name FROM host)",
        ),
    ),
    _Rule(
        "hosts count their pages wrong",
        f"SELECT count(*) FROM host LEFT JOIN {_HOST_COUNTS} AS found USING (name) "
        "WHERE host.pages IS DISTINCT FROM coalesce(found.pages, 0)",
        "count them again",
        (
            "UPDATE host SET pages = 0",
            f"UPDATE host SET pages = found.pages FROM {_HOST_COUNTS} AS found WHERE host.name = found.name",
        ),
        "warning",
    ),
    _Rule("queries are there twice", _doubled('"query"', "text")),
    _unowned("result", _no_page("page"), "a page that does not exist"),
    _unowned("result", 'query IS NULL OR query NOT IN (SELECT text FROM "query")', "a query that does not exist"),
    _Rule("results are there twice", _doubled("result", "query, page")),
    _unowned("ranked", _no_page("page"), "a page that does not exist"),
    _unowned("ranked", "run NOT IN (SELECT id FROM run)", "a run that does not exist"),
    _unowned("core", _no_page("page"), "a page that does not exist"),
    _unowned("core", "run NOT IN (SELECT id FROM run)", "a run that does not exist"),
    _unowned("co_cited", _no_page("source", "target"), "a page that does not exist"),
    _Rule("loads were cut off", "SELECT count(*) FROM load WHERE state <> 'done'", _LOAD_AGAIN, (), "warning", "loads"),
    _Rule("loads are there twice", _doubled("load", "id"), part="loads"),
    _Rule(
        "levels in one store (pages, hosts, domains)",
        "SELECT CASE WHEN count(DISTINCT level) > 1 THEN count(DISTINCT level) ELSE 0 END FROM load",
        part="loads",
    ),
)


def check_tables(connection: Connection, database: str) -> Iterator[Finding]:
    """What is wrong with the tables of an attached store."""
    connection.run(f"USE {database}")
    unread = list(_unreadable(connection, database))
    yield from unread
    if unread:
        return
    for rule in _RULES:
        if count := connection.value(rule.count):
            what = f"{count:,} {rule.what}"
            yield Finding(rule.severity, rule.part, what, rule.remedy, repairable=bool(rule.repair))


def repair_tables(connection: Connection) -> None:
    """Mend what has a repair, in the database that is in use, and count a change of the graph."""
    for rule in _RULES:
        if rule.repair and connection.value(rule.count):
            for statement in rule.repair:
                connection.run(statement)
    connection.run("UPDATE store SET changes = changes + 1")


def check_files(path: Path) -> Iterator[Finding]:
    """What lies beside a store's file."""
    if is_locked(path):
        yield Finding("note", "files", "another command is writing the store", "check again when that is done")
        return
    for file in left_over(path):
        yield Finding("warning", "files", f"{file.name} was left by a command that was killed", "remove it", True)
    log = path.with_name(f"{path.name}.wal")
    if log.exists():
        remedy = "open the store with that program and run CHECKPOINT"
        yield Finding("error", "files", f"changes by another program are only in {log.name}", remedy)


def _unreadable(connection: Connection, database: str) -> Iterator[Finding]:
    """Read every block once: the database compares each with its checksum."""
    for table in TABLES:
        try:
            for _ in connection.batches(f"SELECT * FROM {database}.{quote(table)}"):
                pass
        except StoreError as error:
            yield Finding("error", "store", f"table {table} cannot be read: {error.message}", _AGAIN)
