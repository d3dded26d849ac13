"""Columns of pages and hosts on their way to the store: names, types, and the values that stand.

Values are staged as they came, each with the position of its row; the last that is not null stands. The type of a text
column of the user's own is known only when all of it was seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from seedrank.core.errors import InputError
from seedrank.graphdb.duckdb.connection import Connection
from seedrank.ingest.merge.text_types import BOOL, FLOAT, INT, TEXT, TextType
from seedrank.loaders.base import Where
from seedrank.loaders.columns import convert
from seedrank.loaders.layout import FEWER_COLUMNS, MAX_COLUMNS

__all__ = ["SQL_TYPES", "Columns", "append"]

SQL_TYPES = {INT: "BIGINT", FLOAT: "DOUBLE", BOOL: "BOOLEAN", TEXT: "VARCHAR"}

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_KINDS = {FLOAT: "a number", BOOL: "true or false"}


def append(connection: Connection, table: str, rows: Mapping[str, pa.Array] | pa.Table | pa.RecordBatch) -> None:
    """Add rows to a table, columns by name."""
    with connection.registered("batch", pa.table(dict(rows)) if isinstance(rows, Mapping) else rows):
        connection.run(f"INSERT INTO {table} BY NAME SELECT * FROM batch")


@dataclass
class _Column:
    """What is known of one column: its place among the others is its name in the staging tables."""

    name: str
    given: str
    sql: str
    known: pa.DataType | None
    as_text: bool
    guarded: bool = False
    typed: dict[pa.DataType, Where] = field(default_factory=dict)
    text: TextType = field(default_factory=TextType)
    type: pa.DataType = TEXT


class Columns:
    """The columns of one kind of table.

    Parameters
    ----------
    connection
        Holds the staging tables; `kind` begins their names.
    kind
        ``pages`` or ``hosts``.
    known
        Types of the columns the model knows.
    stored
        Types of the columns the store has.
    reserved
        Names that columns may not take.
    text
        Columns of the user's own that are text, whatever their values are.
    """

    def __init__(
        self,
        connection: Connection,
        kind: str,
        *,
        known: Mapping[str, pa.DataType],
        stored: Mapping[str, pa.DataType],
        reserved: Iterable[str] = (),
        text: Iterable[str] = (),
    ) -> None:
        self._connection, self._kind = connection, kind
        self._known, self.stored = known, stored
        self._reserved, self._text = frozenset(reserved), frozenset(text)
        self._columns: dict[str, _Column] = {}
        self._tables: dict[tuple[tuple[str, pa.DataType], ...], str] = {}

    def add(
        self, positions: np.ndarray, rows: pa.RecordBatch, where: Where, typed: bool, guarded: bool = False
    ) -> None:
        """Keep values.

        Parameters
        ----------
        positions
            int64 per row.
        rows
            The columns to keep.
        where
            The place the rows come from.
        typed
            Whether strings are strings, not text yet to be typed.
        guarded
            Whether a word in a column of numbers is an error.
        """
        staged = {}
        for given, values in zip(rows.schema.names, rows.columns, strict=True):
            if values.null_count < len(values):
                column = self._column(given, where)
                staged[column.sql] = _take(column, values, where, typed, guarded)
        if not staged:
            return
        shape = tuple((name, values.type) for name, values in staged.items())
        table = self._tables.get(shape)
        if table is None:
            table = self._tables[shape] = f"{self._kind}_values_{len(self._tables)}"
            kinds = ", ".join(f"{name} {SQL_TYPES[kind]}" for name, kind in shape)
            self._connection.run(f"CREATE TABLE {table} (pos BIGINT, {kinds})")
        append(self._connection, table, {"pos": pa.array(positions), **staged})

    def finish(self) -> dict[str, pa.DataType]:
        """The columns that hold anything, with the types they have now that all was seen."""
        for column in self._columns.values():
            column.type = column.known or _decide(column, self.stored.get(column.name))
        return {column.name: column.type for column in self._columns.values()}

    def __contains__(self, name: str) -> bool:
        return name in self._columns

    def sql_name(self, name: str) -> str:
        """A column's name in SQL."""
        return self._columns[name].sql

    def values(self, owner_of: str) -> str | None:
        """SQL of a row per owner with the values that stand, null for none; `None` where there are no columns.

        Parameters
        ----------
        owner_of
            A table of ``pos`` and ``owner``.
        """
        if not self._columns:
            return None
        parts = []
        for shape, table in self._tables.items():
            kinds = dict(shape)
            chosen = ", ".join(
                f"{_cast(column.sql, kinds[column.sql], column.type)} AS {column.sql}"
                if column.sql in kinds
                else f"NULL::{SQL_TYPES[column.type]} AS {column.sql}"
                for column in self._columns.values()
            )
            parts.append(f"SELECT o.owner, t.pos, {chosen} FROM {table} t JOIN {owner_of} o USING (pos)")
        rows = " UNION ALL ".join(parts)
        names = [column.sql for column in self._columns.values()]
        # A plain pass for owners with one row: strings inside aggregates cannot be spilled.
        alone = f"SELECT owner, {', '.join(names)} FROM rows WHERE owner NOT IN (FROM several)"
        last = ", ".join(f"arg_max({name}, pos)" for name in names)
        return (
            f"WITH rows AS ({rows}), several AS (SELECT owner FROM {owner_of} GROUP BY owner HAVING count(*) > 1) "
            f"{alone} UNION ALL SELECT owner, {last} FROM rows WHERE owner IN (FROM several) GROUP BY owner"
        )

    def _column(self, given: str, where: Where) -> _Column:
        name = given if _NAME.match(given) else re.sub(r"\A(?=[0-9])|[^A-Za-z0-9_]", "_", given) or "_"
        if name.lower() in self._reserved:
            raise InputError(f"a column may not be called {name}", file=where.file, column=given, hint="rename it")
        column = self._columns.get(name)
        if column is None:
            count = len({*self._columns, *self.stored, name})
            if name not in self.stored and count > MAX_COLUMNS:
                raise InputError(
                    f"with it {self._kind} would have {count} columns, and may have {MAX_COLUMNS}",
                    file=where.file,
                    column=given,
                    hint=FEWER_COLUMNS,
                )
            sql = f"c{len(self._columns)}"
            column = self._columns[name] = _Column(name, given, sql, self._known.get(name), given in self._text)
        elif column.given != given:
            raise InputError(
                f"would be column {name}, as {column.given} is",
                file=where.file,
                column=given,
                hint="rename one of them",
            )
        return column


def _take(column: _Column, values: pa.Array, where: Where, typed: bool, guarded: bool) -> pa.Array:
    """Values in one of the four types, noted for the column's type."""
    column.guarded |= guarded
    if column.known is not None:
        return convert(values, column.known, column=column.given, where=where)
    given = values.type
    values = _plain(values, column.given, where)
    if column.as_text:
        values, typed = convert(values, TEXT, column=column.given, where=where), True
    if typed or not (pa.types.is_string(given) or pa.types.is_large_string(given)):
        column.typed.setdefault(values.type, where)
    else:
        column.text.see(values, where)
    return values


def _decide(column: _Column, stored: pa.DataType | None) -> pa.DataType:
    if stored is not None:
        wanted = stored
    elif not column.typed:
        _refuse_stray(column)
        wanted = column.text.type
    elif set(column.typed) == {INT, FLOAT}:
        wanted = FLOAT
    else:
        wanted = next(iter(column.typed))
    first = next((where.file for where in column.typed.values()), "the other rows")
    who = f"{stored} in the store" if stored is not None else f"{wanted} in {first}"
    for kind, where in column.typed.items():
        if kind != wanted and not (kind == INT and wanted == FLOAT):
            raise InputError(
                f"is {kind} here and {who}", file=where.file, column=column.given, hint="convert it or rename it"
            )
    misfit = column.text.misfit(wanted)
    if misfit is not None:
        where, line, value = misfit
        raise InputError(
            f"is {column.text.type} here and {who}",
            file=where.file,
            line=line,
            column=column.given,
            value=value,
            hint="convert it or rename it",
        )
    return wanted


def _refuse_stray(column: _Column) -> None:
    stray = column.text.stray() if column.guarded else None
    if stray is not None:
        kind, (where, line, value) = stray
        raise InputError(
            f"is not {_KINDS[kind]}, as the others are",
            file=where.file,
            line=line,
            column=column.given,
            value=value,
            hint="name what stands for no value with {missing}, or keep the column as text with {text}",
            fields=("missing", "text"),
        )


def _plain(values: pa.Array, column: str, where: Where) -> pa.Array:
    """Values in one of the four types columns have."""
    kind = values.type
    if pa.types.is_dictionary(kind):
        values = values.dictionary_decode()
        kind = values.type
    if pa.types.is_nested(kind):
        raise InputError(f"holds {kind}", file=where.file, column=column, hint="columns hold numbers, booleans or text")
    if kind in SQL_TYPES:
        return values
    if pa.types.is_integer(kind):
        wanted = INT
    elif pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        wanted = FLOAT
    else:
        wanted = TEXT
    return convert(values, wanted, column=column, where=where)


def _cast(name: str, kind: pa.DataType, wanted: pa.DataType) -> str:
    """A staged value in the column's type; text that is not text was seen to fit."""
    if kind == wanted:
        return name
    if kind != TEXT:
        return f"CAST({name} AS {SQL_TYPES[wanted]})"
    trimmed = f"nullif(trim({name}, ' ' || chr(9)), '')"
    return f"lower({trimmed}) = 'true'" if wanted == BOOL else f"CAST({trimmed} AS {SQL_TYPES[wanted]})"
