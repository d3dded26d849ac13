"""Tables as Parquet, in batches of bounded size."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from seedrank.core.errors import InputError
from seedrank.loaders.base import Batch, Where
from seedrank.loaders.columns import LinkEnds, check_rows
from seedrank.loaders.compressed import MAX_ROWS, Input
from seedrank.loaders.layout import Layout
from seedrank.loaders.mapping import Reading
from seedrank.loaders.rejects import Sieve

__all__ = ["check_types", "read_parquet", "typed_batch"]

_ROWS_WITH_TEXT = MAX_ROWS // 4


def read_parquet(
    source: Input, kind: str, reading: Reading, *, ends: LinkEnds | None = None
) -> Iterator[Layout | Batch]:
    """Read a table: first its `Layout`, then its rows. Integer ends of links are ids; the row number is the line.

    Raises
    ------
    InputError
        For whatever is wrong with the file, with row, column and value.
    """
    source.check()
    row = 1
    try:
        # Arrow takes no name that is not UTF-8.
        with (
            Path(source.name).open("rb") as raw,
            # What is buffered ahead is kept until the end of the file.
            pq.ParquetFile(raw if source.title != source.name else source.name, pre_buffer=False) as file,
        ):
            layout = reading.layout(kind, file.schema_arrow.names, file=source.name)
            fields = [file.schema_arrow.field(name) for name in layout.kept]
            check_types(fields, source.name)
            yield replace(layout, how="Parquet")
            plain = all(pa.types.is_primitive(field.type) for field in fields)
            for rows in file.iter_batches(MAX_ROWS if plain else _ROWS_WITH_TEXT, columns=list(layout.kept)):
                where = Where(source.name, row)
                batch = typed_batch(layout, rows.select(list(layout.kept)), where, ends, reading)
                row += rows.num_rows
                yield batch
    except (pa.ArrowException, OSError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(
            f"cannot be read as Parquet ({reason})", file=source.name, hint="is the file complete, is it Parquet?"
        ) from error


def check_types(fields: list[pa.Field], file: str) -> None:
    """Refuse columns that hold lists or structures."""
    for field in fields:
        if pa.types.is_nested(field.type):
            raise InputError(
                f"holds {field.type}",
                file=file,
                column=field.name,
                hint="columns hold numbers, booleans, times or text",
            )


def typed_batch(
    layout: Layout,
    rows: pa.RecordBatch,
    where: Where,
    ends: LinkEnds | None,
    reading: Reading,
    sieve: Sieve | None = None,
) -> Batch:
    """Rows whose types are known, as a batch of their kind of table; bad rows go into the sieve."""
    sieve = sieve or Sieve(
        reading.rejects, where, lambda row: json.dumps(rows.slice(row, 1).to_pylist()[0], default=str)
    )
    columns: dict[str, pa.Array] = {}
    for name, known in layout.kept.items():
        values = rows.column(name)
        if pa.types.is_dictionary(values.type):
            values = values.dictionary_decode()
        values = reading.without_missing(values)
        wanted = layout.type_of(name)
        if known in ("source", "target") and ends is not None:
            if ends.type is None:
                ends.decide(rows.rename_columns(list(layout.kept.values())))
            wanted = ends.type
        if wanted is None:
            wanted = pa.string() if pa.types.is_large_string(values.type) else values.type
        columns[known] = reading.convert(
            values, wanted, column=known, where=where, flag=layout.is_flag(name), sieve=sieve
        )
        if known == "status":
            columns[known] = reading.statuses(columns[known])
    table = pa.RecordBatch.from_pydict(columns)
    check_rows(layout.kind, table, where, mappable=reading.mappable, sieve=sieve)
    return Batch(layout.kind, table, where, typed=True).filter(sieve.keep(table.num_rows))
