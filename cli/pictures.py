"""Rows of nodes, links and paths in words: what a table, CSV and TSV have room for."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.types as types

__all__ = ["in_words"]

_NAMES = ("url", "name", "text", "id")
"""Properties that a node is called by, the first that it has."""
_NUMBERS = ("rank", "weight", "n", "clicks")
"""Properties that a link is shown with, the first that it has."""


def in_words(table: pa.Table) -> pa.Table:
    """`table` with a node as its address or name, a link as its type and number, a path as its nodes."""
    for place, field in enumerate(table.schema):
        if types.is_struct(field.type):
            words = pa.array([_word(value) for value in table.column(place).to_pylist()], pa.string())
            table = table.set_column(place, field.name, words)
    return table


def _word(value: dict[str, Any] | None) -> str | None:
    if value is None:
        return None
    if isinstance(value.get("nodes"), list) and "relationships" in value:
        return " -> ".join(str(_word(node)) for node in value["nodes"])
    kind = None if "labels" in value else value.get("type")
    if kind is not None:
        number = next((value[name] for name in _NUMBERS if value.get(name) is not None), None)
        return str(kind) if number is None else f"{kind} {number:g}"
    return next((str(value[name]) for name in _NAMES if value.get(name) is not None), None)
