"""Arrow tables as JSON lines, column by column: no Python per row."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

__all__ = ["lines"]

_NEEDS_ESCAPE = r'["\\\x00-\x1f\x7f]|[^\x00-\x7f]'


def lines(table: pa.Table, rows: int = 100_000) -> Iterator[str]:
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
    if pa.types.is_dictionary(kind):
        return _json(values.dictionary_decode())
    if pa.types.is_boolean(kind) or pa.types.is_integer(kind):
        text = values.cast(pa.string())
    elif pa.types.is_floating(kind):
        text = pc.if_else(pc.is_finite(values), values, None).cast(pa.string())
    elif pa.types.is_string(kind) or pa.types.is_large_string(kind):
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
