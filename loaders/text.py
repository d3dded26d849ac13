"""Tables as delimited text: CSV and TSV, plain, gzip or Zstandard, in batches of bounded size.

Blank lines and lines that begin with ``#`` are skipped anywhere. A block of text is parsed at once;
only where that fails the rows are searched, by halving, for the one to blame.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv

from loaders.base import Batch, Where
from loaders.columns import Layout, LinkEnds, check_rows, convert, first_failure
from loaders.compressed import MAX_ROWS, Input
from loaders.records import CSV, TSV, Dialect, Records, records
from seedrank.core.errors import InputError

__all__ = ["fields_of", "read_text", "sniff"]

_PIECE = 2 << 20
"""Bytes the parser gives a thread at a time."""

_MARKS = {TSV.delimiter: "tabs", CSV.delimiter: "commas", " ": "spaces"}


def sniff(head: bytes) -> Dialect:
    """The dialect of a text by its first line (blank ones and comments apart): a tab means TSV, else a comma CSV."""
    for line in head.splitlines():
        if line and not line.startswith(b"#"):
            return CSV if b"\t" not in line and b"," in line else TSV
    return TSV


def read_text(
    source: Input,
    kind: str,
    *,
    dialect: Dialect | None = None,
    columns: Sequence[str] | None = None,
    ends: LinkEnds | None = None,
) -> Iterator[Layout | Batch]:
    """Read a table: first its `Layout`, then its rows.

    Parameters
    ----------
    source
        The file.
    kind
        Kind of table (`seedrank.core.model.TABLES`).
    dialect
        How fields are divided; sniffed by default.
    columns
        Names of the columns, where the file has no header line.
    ends
        For links: whether their ends are ids.

    Raises
    ------
    InputError
        For whatever is wrong with the file, with line, column and value.
    """
    chunks = source.chunks()
    first = next(chunks, b"")
    if first.startswith(b"PAR1"):
        raise InputError("is Parquet, not text", file=source.name, hint="give the file the suffix .parquet")
    dialect = dialect or sniff(first[: 1 << 20])
    blocks = records(_again(first, chunks), dialect, source.name)
    block = next(blocks, None)
    if block is None:
        state = "holds only comments and blank lines" if first.strip() else "is empty"
        raise InputError(state, file=source.name, hint="a table has a header line and rows")
    del first  # a block's worth of memory
    if columns is None:
        layout = _header(block, kind, dialect)
        block = block[1:]
    else:
        layout = Layout.of(kind, columns)
    yield layout
    reader = _Reader(layout, dialect, ends)
    while block is not None:
        for start in range(0, len(block), MAX_ROWS):
            yield reader.batch(block[start : start + MAX_ROWS])
        block = next(blocks, None)


def _again(first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    yield first
    yield from rest


def _header(block: Records, kind: str, dialect: Dialect) -> Layout:
    where = block.where
    try:
        names = [name.strip() for name in fields_of(block.line(0).decode(), dialect)]
    except UnicodeDecodeError as error:
        raise InputError(
            "the header is not UTF-8", file=where.file, line=where.line(0), value=block.line(0), hint="convert the file"
        ) from error
    return Layout.of(kind, names, file=where.file, line=where.line(0))


def fields_of(record: str, dialect: Dialect) -> list[str]:
    """The fields of a record; one that cannot be divided is one field."""
    if not dialect.quotes:
        return record.split(dialect.delimiter)
    try:
        return next(csv.reader([record], delimiter=dialect.delimiter), [""])
    except csv.Error:
        return [record]


class _Reader:
    """Turns blocks of records into batches of one layout."""

    def __init__(self, layout: Layout, dialect: Dialect, ends: LinkEnds | None) -> None:
        self.layout = layout
        self.dialect = dialect
        self.ends = ends

    def batch(self, block: Records) -> Batch:
        kind, where = self.layout.kind, block.where
        types = self._types()
        try:
            table = self._parse(block, types)
        except (pa.ArrowException, UnicodeError) as error:
            raise self._blame(block, types, error) from error
        if table.num_rows != len(block):
            raise InputError(
                "rows and lines do not agree", file=where.file, line=where.line(0), hint="check the quotes"
            )
        rows = table.rename_columns(list(self.layout.kept.values())).combine_chunks().to_batches()[0]
        rows = self._finish(rows, where)
        check_rows(kind, rows, where)
        return Batch(kind, rows, where)

    def _types(self) -> dict[str, pa.DataType]:
        """How the parser reads the kept columns; times and flags are made of text afterwards."""
        types = {}
        for name, known in self.layout.kept.items():
            kind = self.layout.type_of(name) or pa.string()
            if known in ("source", "target") and self.ends is not None:
                kind = self.ends.type or pa.string()
            types[name] = pa.string() if pa.types.is_timestamp(kind) or self.layout.is_flag(name) else kind
        return types

    def _parse(self, block: Records, types: dict[str, pa.DataType]) -> pa.Table:
        longest = int(np.diff(block.bounds).max())
        return pa_csv.read_csv(
            pa.BufferReader(pa.py_buffer(block.data)),
            read_options=pa_csv.ReadOptions(
                column_names=self.layout.names, block_size=max(_PIECE, 2 * longest), use_threads=True
            ),
            parse_options=pa_csv.ParseOptions(
                delimiter=self.dialect.delimiter,
                quote_char='"' if self.dialect.quotes else False,
                newlines_in_values=self.dialect.quotes and block.where.lines is not None,
            ),
            convert_options=pa_csv.ConvertOptions(
                column_types=types,
                include_columns=list(types),
                null_values=[""],
                strings_can_be_null=True,
            ),
        )

    def _finish(self, rows: pa.RecordBatch, where: Where) -> pa.RecordBatch:
        if self.layout.kind == "links" and self.ends is not None and self.ends.type is None:
            wanted = self.ends.decide(rows)
            for name in ("source", "target"):
                rows = _replace(rows, name, convert(rows.column(name), wanted, column=name, where=where))
        if self.layout.kind == "events":
            rows = _replace(rows, "time", convert(rows.column("time"), pa.timestamp("us"), column="time", where=where))
        for name, known in self.layout.kept.items():
            kind = self.layout.type_of(name)
            if kind is not None and self.layout.is_flag(name):
                values = convert(rows.column(known), kind, column=known, where=where, flag=True)
                rows = _replace(rows, known, values)
        return rows

    def _blame(self, block: Records, types: dict[str, pa.DataType], error: Exception) -> InputError:
        def passes(start: int, stop: int) -> bool:
            try:
                self._parse(block[start:stop], types)
            except (pa.ArrowException, UnicodeError):
                return False
            return True

        row = first_failure(len(block), passes)
        if row == len(block):
            return InputError(f"cannot be read ({error})", file=block.where.file, line=block.where.line(0))
        return self._diagnose(block.line(row), Where(block.where.file, block.where.line(row)), types)

    def _diagnose(self, line: bytes, where: Where, types: dict[str, pa.DataType]) -> InputError:
        names = self.layout.names
        # Bytes that are no UTF-8 survive as lone surrogates, so that they can be found in their field.
        fields = fields_of(line.decode(errors="surrogateescape"), self.dialect)
        if len(fields) != len(names):
            return InputError(
                f"{len(fields)} fields instead of {len(names)} ({', '.join(names)})",
                file=where.file,
                line=where.first,
                value=line,
                hint=f"fields are divided by {_MARKS.get(self.dialect.delimiter, repr(self.dialect.delimiter))}",
            )
        for name, field in zip(names, fields, strict=True):
            column = self.layout.kept.get(name, name)
            try:
                field.encode()
            except UnicodeEncodeError:
                raw = field.encode(errors="surrogateescape")
                return InputError(
                    "is not UTF-8", file=where.file, line=where.first, column=column, value=raw, hint="convert the file"
                )
            if name in types:
                try:
                    convert(pa.array([field]), types[name], column=column, where=where)
                except InputError as found:
                    return found
        return InputError("cannot be read", file=where.file, line=where.first, value=line, hint="check the line")


def _replace(rows: pa.RecordBatch, name: str, values: pa.Array) -> pa.RecordBatch:
    return rows.set_column(rows.schema.get_field_index(name), name, values)
