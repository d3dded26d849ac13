"""How columns and values travel to the database and back."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import neo4j.graph
import neo4j.time
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.graphdb.column_types import KEPT, stored_type

__all__ = [
    "column_types",
    "dump_columns",
    "from_values",
    "parse_columns",
    "query_column",
    "time_text",
    "to_time",
    "to_values",
]

_BY_NAME = {str(kind): kind for kind in KEPT}


def column_types(columns: Mapping[str, pa.DataType]) -> dict[str, pa.DataType]:
    """The same columns with the types the database keeps."""
    return {name: stored_type(name, kind) for name, kind in columns.items()}


def dump_columns(columns: Mapping[str, pa.DataType]) -> str:
    """Names and types as the database keeps them."""
    return json.dumps({name: str(kind) for name, kind in columns.items()})


def parse_columns(text: str | None) -> dict[str, pa.DataType]:
    """The reverse of `dump_columns`; text for a type we would not have written."""
    return {name: _BY_NAME.get(kind, pa.string()) for name, kind in json.loads(text or "{}").items()}


def to_values(column: pa.Array | pa.ChunkedArray, kind: pa.DataType | None = None) -> list[Any]:
    """A column as the driver takes it."""
    if kind is not None and column.type != kind:
        column = pc.cast(column, kind)
    if column.null_count == 0 and (pa.types.is_integer(column.type) or pa.types.is_floating(column.type)):
        return list(column.to_numpy().tolist())
    return list(column.to_pylist())


def from_values(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    """A column from what the driver gives; a value edited by hand into another type becomes null."""
    if pa.types.is_temporal(kind):
        values = [value.to_native() if hasattr(value, "to_native") else value for value in values]
    try:
        return pa.array(values, kind)
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError):
        return pa.array([_fitting(value, kind) for value in values], kind)


def to_time(text: str) -> datetime | str | None:
    """A time of a record as the driver takes it; text that is no time stays text."""
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return text or None


def time_text(value: Any) -> str:
    """A time as records keep it, to the second, in UTC where it has a zone; 0.2 kept it as text."""
    if value is None or isinstance(value, str):
        return value or ""
    time = value.to_native()
    return str((time.astimezone(UTC) if time.tzinfo else time).isoformat(timespec="seconds"))


def query_column(values: list[Any]) -> pa.Array:
    """A column of a query's result: nodes as maps, and what fits no one type as JSON."""
    natives = [_native(value) for value in values]
    try:
        return pa.array(natives)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError):
        return pa.array([_json(value) for value in natives], pa.string())


def _fitting(value: Any, kind: pa.DataType) -> Any:
    try:
        return pa.scalar(value, kind).as_py()
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError):
        return str(value) if pa.types.is_string(kind) else None


def _native(value: Any) -> Any:
    """A driver's value as Python's own."""
    if isinstance(value, neo4j.graph.Node):
        return {"labels": sorted(value.labels), **_properties(value)}
    if isinstance(value, neo4j.graph.Relationship):
        return {"type": value.type, **_properties(value)}
    if isinstance(value, neo4j.graph.Path):
        ends = [_native(node) for node in value.nodes]
        return {"nodes": ends, "relationships": [_native(link) for link in value.relationships]}
    if isinstance(value, (neo4j.time.DateTime, neo4j.time.Date, neo4j.time.Time)):
        return value.to_native()
    if isinstance(value, neo4j.time.Duration):
        return value.iso_format()
    if isinstance(value, list):
        return [_native(item) for item in value]
    if isinstance(value, dict):
        return {key: _native(item) for key, item in value.items()}
    if value is None or isinstance(value, (bool, int, float, str, bytes)):
        return value
    return str(value)


def _properties(entity: neo4j.graph.Entity) -> dict[str, Any]:
    return {key: _native(value) for key, value in entity.items()}


def _json(value: Any) -> str | None:
    return None if value is None else value if isinstance(value, str) else json.dumps(value, default=str)
