"""What the database calls the types of columns."""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow as pa
import pyarrow.compute as pc

from seedrank.graphdb.column_types import stored_type

__all__ = ["arrow_type", "column_type", "stored"]

_ARROW = {
    "BOOLEAN": pa.bool_(),
    "BIGINT": pa.int64(),
    "DOUBLE": pa.float64(),
    "VARCHAR": pa.string(),
    "DATE": pa.date32(),
    "TIMESTAMP": pa.timestamp("us"),
}
_DATABASE = {kind: name for name, kind in _ARROW.items()}


def column_type(name: str, kind: pa.DataType) -> str:
    """The database's type for a column of this Arrow type."""
    return _DATABASE[stored_type(name, kind)]


def arrow_type(database_type: str) -> pa.DataType:
    """The Arrow type of a column in the database; text for what we would not have made."""
    return _ARROW.get(database_type, pa.string())


def stored(table: pa.Table, types: Mapping[str, str]) -> pa.Table:
    """`table` cast to the database's types, where they differ; ids stay as they are, and NaN is no value."""
    wanted = pa.schema(
        [
            (name, _ARROW[types[name]] if types.get(name) in _ARROW else table.field(name).type)
            for name in table.column_names
        ]
    )
    table = table if table.schema.equals(wanted) else table.cast(wanted)
    for place, field in enumerate(table.schema):
        if pa.types.is_floating(field.type) and pc.any(pc.is_nan(table.column(place))).as_py():
            # Cypher's NaN differs from itself, SQL's does not.
            known = pc.if_else(pc.is_nan(table.column(place)), pa.scalar(None, field.type), table.column(place))
            table = table.set_column(place, field, known)
    return table
