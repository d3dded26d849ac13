"""Columns put together from parts that each cover some owners."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyarrow as pa

__all__ = ["assemble", "gather"]


def gather(parts: list[tuple[np.ndarray, pa.Array]], kind: pa.DataType) -> tuple[np.ndarray, pa.Array]:
    """Parts of a column as one, by ascending owner."""
    owners = np.concatenate([np.zeros(0, np.int64), *(part for part, _ in parts)])
    values = pa.concat_arrays([pa.nulls(0, kind), *(part.cast(kind) for _, part in parts)])
    if (np.diff(owners) < 0).any():
        order = np.argsort(owners)
        owners, values = owners[order], values.take(pa.array(order))
    return owners, values


def assemble(columns: Mapping[str, tuple[np.ndarray, pa.Array]], owners: np.ndarray) -> dict[str, pa.Array]:
    """Columns with a row per owner.

    Parameters
    ----------
    columns
        Ascending owners and their values, by name.
    owners
        Ascending; all that any column has and perhaps more. Null where a column does not have one.
    """
    table = {}
    for name, (having, values) in columns.items():
        at = np.searchsorted(having, owners)
        there = np.append(having, -1)[at] == owners
        table[name] = values.take(pa.array(at, mask=~there))
    return table
