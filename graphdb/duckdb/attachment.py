"""A store's file attached for reading, or one line that says why it is not a store."""

from __future__ import annotations

from pathlib import Path

import duckdb

from seedrank.core.errors import StoreBusy, StoreError
from seedrank.core.package import VERSION
from seedrank.graphdb.duckdb.connection import Connection
from seedrank.graphdb.duckdb.schema import SCHEMA_VERSION, create_tables

__all__ = ["attach_store", "holds_nothing", "make_tables"]

_BEFORE_0_3 = b"LBUG"
_DUCKDB, _DUCKDB_PLACE = b"DUCK", 8
"""The mark of a DuckDB file, after a checksum."""


def holds_nothing(path: Path) -> bool:
    """Whether there is no file, or an empty one."""
    return not path.exists() or path.stat().st_size == 0


def make_tables(connection: Connection, name: str) -> None:
    """Make the tables of an empty store in an attached database."""
    create_tables(connection, f"{name}.")
    connection.run(f"INSERT INTO {name}.store VALUES (?, 0, ?)", [SCHEMA_VERSION, VERSION])


def attach_store(connection: Connection, path: Path, url: str, name: str) -> None:
    """Attach a store's file under a name, for reading.

    Parameters
    ----------
    connection
        Where it is attached.
    url
        What the user calls it.
    name
        Of the attached database.
    """
    try:
        with path.open("rb") as file:
            start = file.read(_DUCKDB_PLACE + len(_DUCKDB))
    except PermissionError:
        raise StoreError(f"{url} may not be read by you") from None
    except OSError as error:
        raise StoreError(f"{url} cannot be read: {error.strerror}") from error
    if start.startswith(_BEFORE_0_3):
        raise StoreError(
            f"{url} was written by seedrank 0.2 or older, with another database",
            hint="load its sources again into a new store, such as web.duckdb",
        )
    if start[_DUCKDB_PLACE:] != _DUCKDB:
        raise StoreError(f"{url} is not a store of seedrank's", hint="name another path, such as web.duckdb")
    try:
        connection.attach(path, name, read_only=True)
    except StoreError as error:
        raise _opening_error(url, str(error.values.get("text", error))) from error
    _check_schema(connection, url, name)


def _check_schema(connection: Connection, url: str, name: str) -> None:
    """Refuse the tables of someone else, and those of a later version."""
    try:
        number = connection.value(f"SELECT schema FROM {name}.store")
    except StoreError as error:
        if not isinstance(error.__cause__, (duckdb.CatalogException, duckdb.BinderException)):
            raise
        raise StoreError(f"{url} is a DuckDB database, but not one of seedrank's", hint="name another path") from error
    if number != SCHEMA_VERSION:
        raise StoreError(
            f"{url} was made by a later version of seedrank (schema {number}; this one knows {SCHEMA_VERSION})",
            hint="install the newest seedrank",
        )


def _opening_error(url: str, text: str) -> StoreError:
    if "Could not set lock" in text or "Conflicting lock" in text:
        return StoreBusy(f"{url} is open for writing in another program", hint="close it there")
    if "newer version" in text or "version number" in text:
        return StoreError(f"{url} was written by a later version of DuckDB", hint="install the newest seedrank")
    return StoreError(
        "{url} cannot be opened: {text}",
        hint="restore it from a backup, or load its sources again into a new store",
        values={"url": url, "text": text},
    )
