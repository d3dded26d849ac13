"""Tables as delimited text, plain, gzip or Zstandard, in batches of bounded size.

Blank lines and lines that begin with ``#`` are skipped anywhere. A block of text is parsed at once;
only where that fails the rows are searched, by halving, for the one to blame.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

import numpy as np
import pyarrow as pa
import pyarrow.csv as pa_csv

from loaders.base import Batch, Where
from loaders.columns import LinkEnds, check_rows, convert, first_failure
from loaders.compressed import MAX_ROWS, Input
from loaders.layout import Layout
from loaders.mapping import Reading
from loaders.records import Dialect, Records, records, squeeze
from loaders.sniffing import fields_of, has_header, sniff
from seedrank.core.errors import InputError

__all__ = ["read_rows", "read_text"]

_PIECE = 2 << 20
"""Bytes the parser gives a thread at a time."""


def read_text(
    begin: bytes,
    chunks: Iterator[bytes],
    file: str,
    kind: str,
    reading: Reading,
    *,
    likely: Dialect | None = None,
    columns: Sequence[str] | None = None,
    ends: LinkEnds | None = None,
) -> Iterator[Layout | Batch]:
    """Read a table: first its `Layout`, then its rows.

    Parameters
    ----------
    begin
        The file's first bytes, to sniff at.
    chunks
        All its bytes in pieces of any size.
    file
        Its name, for errors.
    kind
        Kind of table (`seedrank.core.model.TABLES`).
    reading
        What the user says about columns and values.
    likely
        How its name says that fields are divided.
    columns
        Names of the columns, where the file has no header line (`loaders.sniffing.has_header`).
    ends
        For links: whether their ends are ids.

    Raises
    ------
    InputError
        For whatever is wrong with the file, with line, column and value.
    """
    width = None if columns is None else len(columns)
    dialect = sniff(begin, likely=likely, width=width, is_header=lambda fields: reading.is_header(kind, fields))
    blocks = _blocks(chunks, dialect, file)
    block = next(blocks)
    del begin  # a block's worth of memory
    layout = _header(block, kind, dialect, reading, columns)
    line = block.where.line(0)
    if layout is None:
        layout = replace(reading.layout(kind, columns or (), file=file), header=False)
    else:
        block = block[1:]
    yield _told(layout, dialect, likely, line, columns)
    yield from _rows(chain((block,), blocks), _Reader(layout, dialect, reading, ends))


def read_rows(
    source: Input, kind: str, *, dialect: Dialect, columns: Sequence[str], ends: LinkEnds | None = None
) -> Iterator[Batch]:
    """Read a table whose format leaves nothing open: no header, known columns and separator.

    Parameters
    ----------
    source
        The file.
    dialect
        How fields are divided.
    kind, columns, ends
        As of `read_text`.
    """
    reading = Reading(None)
    layout = reading.layout(kind, columns, file=source.name)
    return _rows(_blocks(source.chunks(), dialect, source.name), _Reader(layout, dialect, reading, ends))


def _blocks(chunks: Iterator[bytes], dialect: Dialect, file: str) -> Iterator[Records]:
    """The records of a file; that it has none is an error."""
    first = next(chunks, b"")
    state = "holds only comments and blank lines" if first.strip() else "is empty"
    found = False
    whole = records(chain((first,), chunks), dialect, file)
    del first  # a block's worth of memory
    for block in whole:
        block = squeeze(block) if dialect.runs else block
        if len(block):
            found = True
            yield block
    if not found:
        raise InputError(state, file=file, hint="a table has rows")


def _rows(blocks: Iterator[Records], reader: _Reader) -> Iterator[Batch]:
    for block in blocks:
        for start in range(0, len(block), MAX_ROWS):
            yield reader.batch(block[start : start + MAX_ROWS])


def _told(layout: Layout, dialect: Dialect, likely: Dialect | None, line: int, columns: Sequence[str] | None) -> Layout:
    """The layout with how the file is read; what is not plain from its name and the options is remarked."""
    divided = f"fields divided by {dialect.name}{', perhaps quoted' if dialect.quotes else ''}"
    header = f"header in line {line}" if layout.header else "no header"
    remarks = [divided] if dialect != likely else []
    if columns is not None:
        remarks.append(header if layout.header else f"{header}, so its columns are {', '.join(columns)}")
    return replace(layout, how=f"{divided}, {header}", remark=", ".join(remarks))


def _header(
    block: Records, kind: str, dialect: Dialect, reading: Reading, columns: Sequence[str] | None
) -> Layout | None:
    """The columns that the first line names; `None` where it is no header."""
    file, line = block.where.file, block.where.line(0)
    try:
        names = [name.strip() for name in fields_of(block.line(0).decode(), dialect)]
    except UnicodeDecodeError as error:
        if columns is not None:
            return None
        raise InputError(
            "the header is not UTF-8", file=file, line=line, value=block.line(0), hint="convert the file"
        ) from error
    second = fields_of(block.line(1).decode(errors="replace"), dialect) if len(block) > 1 else None
    if not reading.is_header(kind, names) and not has_header(kind, names, second, columns):
        return None
    otherwise = f"name them with {{columns[{kind}]}} where the file has no header"
    if columns is not None:
        otherwise = "put a header above the line where it is none"
    return reading.layout(kind, names, file=file, line=line, otherwise=otherwise)


class _Reader:
    """Turns blocks of records into batches of one layout."""

    def __init__(self, layout: Layout, dialect: Dialect, reading: Reading, ends: LinkEnds | None) -> None:
        self.layout = layout
        self.dialect = dialect
        self.reading = reading
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
        check_rows(kind, rows, where, mappable=self.reading.mappable)
        return Batch(kind, rows, where, guarded=self.reading.mappable)

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
                null_values=["", *self.reading.missing],
                strings_can_be_null=True,
            ),
        )

    def _finish(self, rows: pa.RecordBatch, where: Where) -> pa.RecordBatch:
        if self.layout.kind == "links" and self.ends is not None and self.ends.type is None:
            wanted = self.ends.decide(rows)
            for name in ("source", "target"):
                rows = _replace(rows, name, convert(rows.column(name), wanted, column=name, where=where))
        for name, known in self.layout.kept.items():
            kind, flag = self.layout.type_of(name), self.layout.is_flag(name)
            if kind is not None and (flag or pa.types.is_timestamp(kind)):
                values = self.reading.convert(rows.column(known), kind, column=known, where=where, flag=flag)
                rows = _replace(rows, known, values)
            if known == "status":
                rows = _replace(rows, known, self.reading.statuses(rows.column(known)))
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
                hint=f"fields are divided by {self.dialect.name}",
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
            if name in types and field not in self.reading.missing:
                try:
                    self.reading.convert(pa.array([field]), types[name], column=column, where=where)
                except InputError as found:
                    return found
        return InputError("cannot be read", file=where.file, line=where.first, value=line, hint="check the line")


def _replace(rows: pa.RecordBatch, name: str, values: pa.Array) -> pa.RecordBatch:
    return rows.set_column(rows.schema.get_field_index(name), name, values)
