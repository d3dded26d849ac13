"""Arrow tables as tab-separated text, column by column: no Python per row."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc

__all__ = ["lines"]


def lines(table: pa.Table, rows: int = 100_000) -> Iterator[str]:
    """Blocks of text: a header and a line per row, fields never quoted; a tab or line end in text becomes a space."""
    yield "\t".join(table.column_names) + "\n"
    for start in range(0, table.num_rows, rows):
        block = table.slice(start, rows).combine_chunks()
        joined = pc.binary_join_element_wise(*(_text(column) for column in block.columns), "\t")
        yield "\n".join(joined.to_pylist()) + "\n"


def _text(column: pa.ChunkedArray) -> pa.Array:
    values = column.combine_chunks()
    if pa.types.is_dictionary(values.type):
        values = values.dictionary_decode()
    text = values.cast(pa.string())
    if pa.types.is_string(values.type) or pa.types.is_large_string(values.type):
        text = pc.replace_substring_regex(text, r"[\t\r\n]", " ")
    return pc.fill_null(text, "")
