"""Which Arrow types pages' and hosts' own columns may have, and how the database calls them."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping

import numpy as np
import pyarrow as pa

from seedrank.core.errors import StoreError

__all__ = ["arrow_type", "column_type", "distinct_rows", "plain_numbers", "stored"]

_ARROW = {
    "BOOL": pa.bool_(),
    "INT64": pa.int64(),
    "DOUBLE": pa.float64(),
    "STRING": pa.string(),
    "DATE": pa.date32(),
    "TIMESTAMP": pa.timestamp("us"),
}


def column_type(name: str, kind: pa.DataType) -> str:
    """The database's type for a column of this Arrow type."""
    for fits, database_type in (
        (pa.types.is_boolean, "BOOL"),
        (pa.types.is_integer, "INT64"),
        (pa.types.is_floating, "DOUBLE"),
        (pa.types.is_string, "STRING"),
        (pa.types.is_large_string, "STRING"),
        (pa.types.is_null, "STRING"),
        (pa.types.is_date, "DATE"),
        (pa.types.is_timestamp, "TIMESTAMP"),
    ):
        if fits(kind):
            return database_type
    if pa.types.is_dictionary(kind):
        return column_type(name, kind.value_type)
    raise StoreError(
        f"column {name!r} holds {kind}, which the store cannot keep",
        hint="leave it out, or turn it into numbers, text, dates or true/false",
    )


def arrow_type(database_type: str) -> pa.DataType:
    """The Arrow type of a column in the database; text for what we would not have made."""
    return _ARROW.get(database_type, pa.string())


def stored(table: pa.Table, types: Mapping[str, str]) -> pa.Table:
    """`table` with its columns cast to the database's types, where they differ."""
    wanted = pa.schema(
        [(name, _ARROW[types[name]] if name in types else table.field(name).type) for name in table.column_names]
    )
    return table if table.schema.equals(wanted) else table.cast(wanted)


def plain_numbers(table: pa.Table) -> pa.Table:
    """`table` with whole numbers as int64: the database sums them in 128 bits, which come as decimals.

    A column with a number beyond 64 bits stays as it is.
    """
    columns = []
    for column in table.columns:
        wanted = _plain(column.type)
        if not wanted.equals(column.type):
            with contextlib.suppress(pa.ArrowInvalid):
                column = column.cast(wanted)
        columns.append(column)
    return pa.Table.from_arrays(columns, names=table.column_names)


def distinct_rows(table: pa.Table) -> pa.Table:
    """`table` with equal rows once, in the order of their first."""
    place = np.arange(table.num_rows)
    numbered = pa.table({**{str(i): column for i, column in enumerate(table.columns)}, "place": place})
    try:
        first = numbered.group_by(numbered.column_names[:-1]).aggregate([("place", "min")])["place_min"].to_numpy()
    except pa.ArrowNotImplementedError:  # nodes and lists are no keys to Arrow
        seen: dict[str, int] = {}
        for number, row in enumerate(zip(*(column.to_pylist() for column in table.columns), strict=True)):
            seen.setdefault(repr(row), number)
        first = np.array(list(seen.values()), np.int64)
    return table.take(np.sort(first))


def _plain(kind: pa.DataType) -> pa.DataType:
    if pa.types.is_decimal(kind) and kind.scale == 0:
        return pa.int64()
    if pa.types.is_list(kind):
        return pa.list_(_plain(kind.value_type))
    if pa.types.is_struct(kind):
        return pa.struct([(kind.field(place).name, _plain(kind.field(place).type)) for place in range(kind.num_fields)])
    return kind
