"""Arrow tables as JSON lines and as tab-separated text, column by column; nodes, links and paths in words."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.types as types

__all__ = ["in_words", "json_lines", "tsv_lines"]

_NEEDS_ESCAPE = r'["\\\x00-\x1f\x7f]|[^\x00-\x7f]'
_NAMES = ("url", "name", "text", "id")
"""Properties that a node is called by, the first that it has."""
_NUMBERS = ("rank", "weight", "n", "clicks")
"""Properties that a link is shown with, the first that it has."""


def json_lines(table: pa.Table, rows: int = 100_000) -> Iterator[str]:
    """Blocks of text, one JSON object a line; NaN and infinity become null."""
    for start in range(0, table.num_rows, rows):
        block = table.slice(start, rows).combine_chunks()
        parts: list[pa.Array | str] = []
        for index, name in enumerate(block.column_names):
            parts.append(("{" if index == 0 else ", ") + json.dumps(name) + ": ")
            column = block.column(name)
            chunk = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
            parts.append(_json(chunk))
        joined = pc.binary_join_element_wise(*parts, pa.scalar("}"), "")
        yield "\n".join(joined.to_pylist()) + "\n"


def _json(values: pa.Array) -> pa.Array:
    kind = values.type
    if types.is_dictionary(kind):
        return _json(values.dictionary_decode())
    if types.is_boolean(kind) or types.is_integer(kind):
        text = values.cast(pa.string())
    elif types.is_floating(kind):
        text = pc.if_else(pc.is_finite(values), values, None).cast(pa.string())
    elif types.is_string(kind) or types.is_large_string(kind):
        text = _strings(values.cast(pa.string()))
    else:
        # Lists and maps: rare (members of a core, nodes of a query), so Python is good enough.
        text = pa.array([json.dumps(_plain(value), default=str) for value in values.to_pylist()], pa.string())
    return pc.fill_null(text, "null")


def _plain(value: Any) -> Any:
    """The same with null for what JSON has no number for."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list | tuple) else value


def _strings(values: pa.Array) -> pa.Array:
    quoted = pc.binary_join_element_wise('"', values, '"', "")
    hard = pc.fill_null(pc.match_substring_regex(values, _NEEDS_ESCAPE), False).to_numpy(zero_copy_only=False)
    if not hard.any():
        return quoted
    escaped = pa.array([json.dumps(value) for value in values.filter(pa.array(hard)).to_pylist()], pa.string())
    return pc.replace_with_mask(quoted, pa.array(np.asarray(hard)), escaped)


def tsv_lines(table: pa.Table, rows: int = 100_000) -> Iterator[str]:
    """Blocks of text: a header and a line per row, fields never quoted; a tab or line end in text becomes a space."""
    yield "\t".join(table.column_names) + "\n"
    for start in range(0, table.num_rows, rows):
        block = table.slice(start, rows).combine_chunks()
        joined = pc.binary_join_element_wise(*(_text(column) for column in block.columns), "\t")
        yield "\n".join(joined.to_pylist()) + "\n"


def _text(column: pa.ChunkedArray) -> pa.Array:
    values = column.combine_chunks()
    if types.is_dictionary(values.type):
        values = values.dictionary_decode()
    text = values.cast(pa.string())
    if types.is_string(values.type) or types.is_large_string(values.type):
        text = pc.replace_substring_regex(text, r"[\t\r\n]", " ")
    return pc.fill_null(text, "")


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
