"""Which Arrow types the databases keep for columns of pages and hosts."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from seedrank.core.errors import StoreError

__all__ = ["KEPT", "score_column", "stored_type"]

KEPT = (pa.bool_(), pa.int64(), pa.float64(), pa.string(), pa.date32(), pa.timestamp("us"))


def stored_type(name: str, kind: pa.DataType) -> pa.DataType:
    """The type in which a database keeps a column of this type."""
    for fits, kept in (
        (pa.types.is_boolean, pa.bool_()),
        (pa.types.is_integer, pa.int64()),
        (pa.types.is_floating, pa.float64()),
        (pa.types.is_string, pa.string()),
        (pa.types.is_large_string, pa.string()),
        (pa.types.is_null, pa.string()),
        (pa.types.is_date, pa.date32()),
        (pa.types.is_timestamp, pa.timestamp("us")),
    ):
        if fits(kind):
            return kept
    if pa.types.is_dictionary(kind):
        return stored_type(name, kind.value_type)
    raise StoreError(
        f"column {name!r} holds {kind}, which the store cannot keep",
        hint="leave it out, or turn it into numbers, text, dates or true/false",
    )


def score_column(values: np.ndarray | pa.Array) -> pa.Array:
    """Scores as a database keeps them: whole numbers stay whole, and NaN is no value."""
    if isinstance(values, pa.Array):
        return values
    kind = pa.int64() if np.issubdtype(values.dtype, np.integer) else pa.float64()
    return pa.array(values, kind, from_pandas=True)
