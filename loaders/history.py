"""Past crawls, for the rate of unique pages: a table ``host``, ``fetched`` (new pages), ``unique`` (no duplicates)."""

from __future__ import annotations

import pyarrow as pa

from seedrank.core.errors import InputError
from seedrank.loaders.base import Where
from seedrank.loaders.columns import convert
from seedrank.loaders.table import TableSource

__all__ = ["read_history"]

_NEXT = "a table with columns host, fetched (new pages) and unique (those that were no duplicates)"


def read_history(file: str) -> dict[str, tuple[float, float]]:
    """Host -> (new pages fetched, unique among them); rows of one host add up."""
    history: dict[str, tuple[float, float]] = {}
    for batch in TableSource(hosts=[file]).batches():
        for name in ("fetched", "unique"):
            if name not in batch.rows.schema.names:
                raise InputError(f"has no column {name}", file=file, hint=_NEXT)
        columns = [batch.rows.column("host").to_pylist()]
        for name in ("fetched", "unique"):
            numbers = convert(batch.rows.column(name), pa.float64(), column=name, where=batch.where)
            columns.append(numbers.fill_null(0.0).to_pylist())
        for row, (host, fetched, unique) in enumerate(zip(*columns, strict=True)):
            if not 0 <= unique <= fetched:
                raise _wrong(batch.where, row, unique)
            before = history.get(host, (0.0, 0.0))
            history[host] = (before[0] + fetched, before[1] + unique)
    return history


def _wrong(where: Where, row: int, unique: float) -> InputError:
    return InputError(
        "more unique pages than were fetched",
        file=where.file,
        line=where.line(row),
        column="unique",
        value=unique,
        hint=_NEXT,
    )
