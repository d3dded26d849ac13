"""Tables as delimited text, plain, gzip or Zstandard, in batches of bounded size.

Blank lines and lines that begin with ``#`` are skipped anywhere. A block of text is parsed at once;
only where that fails the rows are searched, by halving, for the one to blame.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv

from seedrank.core.errors import InputError
from seedrank.core.model import TABLES
from seedrank.loaders.base import Batch, Where
from seedrank.loaders.columns import LinkEnds, check_rows, convert, first_failure
from seedrank.loaders.compressed import MAX_ROWS, Input
from seedrank.loaders.layout import Layout
from seedrank.loaders.lines import truth
from seedrank.loaders.mapping import Reading
from seedrank.loaders.quotes import long_field
from seedrank.loaders.records import Dialect, Records, fields_of, records, squeeze
from seedrank.loaders.rejects import Rejects, Sieve
from seedrank.loaders.sniffing import has_header, sniff

__all__ = ["read_rows", "read_text"]

_FREE_TEXT = ("anchor", "query")
"""Known columns that may hold line breaks, as columns of the user's own may."""
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
    reading
        What the user says about columns and values.
    likely
        How its name says that fields are divided.
    columns
        Names of the columns, where the file has no header line (`seedrank.loaders.sniffing.has_header`).
    ends
        For links: whether their ends are ids.

    Raises
    ------
    InputError
        For whatever is wrong with the file, with line, column and value.
    """
    width = None if columns is None else len(columns)
    dialect = sniff(begin, likely=likely, width=width, is_header=lambda fields: reading.is_header(kind, fields))
    blocks = _blocks(chunks, dialect, file, reading.rejects)
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
    source: Input,
    kind: str,
    *,
    dialect: Dialect,
    columns: Sequence[str],
    ends: LinkEnds | None = None,
    rejects: Rejects | None = None,
) -> Iterator[Batch]:
    """Read a table whose format leaves nothing open: no header, known columns and separator.

    Parameters
    ----------
    dialect
        How fields are divided.
    kind, columns, ends
        As of `read_text`.
    rejects
        Takes bad rows where some are tolerated.
    """
    reading = Reading(None, rejects)
    layout = reading.layout(kind, columns, file=source.name)
    return _rows(
        _blocks(source.chunks(), dialect, source.name, reading.rejects), _Reader(layout, dialect, reading, ends)
    )


def _blocks(chunks: Iterator[bytes], dialect: Dialect, file: str, rejects: Rejects) -> Iterator[Records]:
    """The records of a file; that it has none is an error."""
    first = next(chunks, b"")
    state = "holds only comments and blank lines" if first.strip() else "is empty"
    found = False
    whole = records(chain((first,), chunks), dialect, file, rejects)
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
            batch = reader.batch(block[start : start + MAX_ROWS])
            if batch.rows.num_rows:
                yield batch


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
        kind, types = self.layout.kind, self._types()
        read = types
        try:
            table = self._parse(block, types)
        except (pa.ArrowException, UnicodeError) as error:
            if not self.reading.rejects.tolerant:
                raise self._blame(block, types, error) from error
            read = dict.fromkeys(types, pa.binary())
            block, table = self._whole_rows(block, read)
        where = block.where
        if table.num_rows != len(block):
            raise where.error(0, "rows and lines do not agree", "check the quotes")
        table = table.rename_columns(list(self.layout.kept.values()))
        if not table.num_rows:
            return Batch(kind, pa.RecordBatch.from_pylist([], table.schema), where)
        rows = table.combine_chunks().to_batches()[0]
        sieve = Sieve(self.reading.rejects, where, block.line)
        for name, known in self.layout.kept.items() if read is not types else ():
            values = rows.column(known)
            values = self.reading.convert(values, types[name], column=known, where=where, sieve=sieve)
            rows = _replace(rows, known, values)
        self._check_lines(block, rows, sieve)
        rows = self._finish(rows, where, sieve)
        check_rows(kind, rows, where, mappable=self.reading.mappable, sieve=sieve)
        return Batch(kind, rows, where, guarded=self.reading.mappable).filter(sieve.keep(rows.num_rows))

    def _whole_rows(self, block: Records, types: dict[str, pa.DataType]) -> tuple[Records, pa.Table]:
        """The rows that have all fields, as bytes; the others are rejected."""
        wrong: list[int] = []

        def skip(row: pa_csv.InvalidRow) -> str:
            wrong.append(row.number - 1)
            return "skip"

        table = self._parse(block, types, skip)
        for row in wrong:
            error = self._diagnose(block, row, types)
            self.reading.rejects.refuse(error, block.where, row, block.line)
        return (block.without(np.array(wrong)) if wrong else block), table

    def _types(self) -> dict[str, pa.DataType]:
        """How the parser reads the kept columns; times and flags are made of text afterwards."""
        types = {}
        for name, known in self.layout.kept.items():
            kind = self.layout.type_of(name) or pa.string()
            if known in ("source", "target") and self.ends is not None:
                kind = self.ends.type or pa.string()
            types[name] = pa.string() if pa.types.is_timestamp(kind) or self.layout.is_flag(name) else kind
        return types

    def _parse(
        self, block: Records, types: dict[str, pa.DataType], skip: Callable[[pa_csv.InvalidRow], str] | None = None
    ) -> pa.Table:
        longest = int(np.diff(block.bounds).max())
        return pa_csv.read_csv(
            pa.BufferReader(pa.py_buffer(block.data)),
            read_options=pa_csv.ReadOptions(
                column_names=self.layout.names, block_size=max(_PIECE, 2 * longest), use_threads=skip is None
            ),
            parse_options=pa_csv.ParseOptions(
                delimiter=self.dialect.delimiter,
                quote_char='"' if block.dialect.quotes else False,
                newlines_in_values=_spreads(block),
                invalid_row_handler=skip,
            ),
            convert_options=pa_csv.ConvertOptions(
                column_types=types,
                include_columns=list(types),
                null_values=["", *self.reading.missing],
                strings_can_be_null=True,
            ),
        )

    def _finish(self, rows: pa.RecordBatch, where: Where, sieve: Sieve) -> pa.RecordBatch:
        if self.layout.kind == "links" and self.ends is not None and self.ends.type is None:
            wanted = self.ends.decide(rows)
            for name in ("source", "target"):
                values = convert(rows.column(name), wanted, column=name, where=where, sieve=sieve)
                rows = _replace(rows, name, values)
        for name, known in self.layout.kept.items():
            kind, flag = self.layout.type_of(name), self.layout.is_flag(name)
            if kind is not None and (flag or pa.types.is_timestamp(kind)):
                values = rows.column(known)
                values = self.reading.convert(values, kind, column=known, where=where, flag=flag, sieve=sieve)
                rows = _replace(rows, known, values)
            if known == "status":
                rows = _replace(rows, known, self.reading.statuses(rows.column(known)))
        return rows

    def _check_lines(self, block: Records, rows: pa.RecordBatch, sieve: Sieve) -> None:
        """Refuse a line break in a column that holds an address or a word."""
        if not _spreads(block):
            return
        for name in self._one_line():
            values = rows.column(name)
            if pa.types.is_string(values.type):
                broken = truth(pc.match_substring_regex(values, r"[\r\n]"))
                sieve.refuse(broken, partial(self._line_break, block, column=name))

    def _one_line(self) -> list[str]:
        """Kept columns, by their names in the table, whose values stand on one line."""
        known = TABLES[self.layout.kind]
        return [name for name in self.layout.kept.values() if known.column(name) and name not in _FREE_TEXT]

    def _line_break(self, block: Records, row: int, column: str) -> InputError:
        place = [self.layout.kept.get(name) for name in self.layout.names].index(column)
        line = block.line(row)
        _, at, lines = long_field(line, self.dialect.delimiter, place) or (place, 0, 0)
        begun = Where(block.where.file, block.where.line(row) + lines)
        return begun.error(0, "holds a line break", 'is a " left open?', column=column, value=line[at:])

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
        return self._diagnose(block, row, types)

    def _diagnose(self, block: Records, row: int, types: dict[str, pa.DataType]) -> InputError:
        line, where = block.line(row), Where(block.where.file, block.where.line(row))
        wrong = partial(where.error, 0)
        names, one_line = self.layout.names, self._one_line()
        # Bytes that are no UTF-8 survive as lone surrogates, so that they can be found in their field.
        fields = fields_of(line.decode(errors="surrogateescape"), block.dialect)
        if len(fields) != len(names):
            message = f"{len(fields)} fields instead of {len(names)} ({', '.join(names)})"
            return wrong(message, f"fields are divided by {self.dialect.name}", value=line)
        for name, field in zip(names, fields, strict=True):
            column = self.layout.kept.get(name, name)
            try:
                field.encode()
            except UnicodeEncodeError:
                raw = field.encode(errors="surrogateescape")
                return wrong("is not UTF-8", "convert the file", column=column, value=raw)
            if column in one_line and "\n" in field:
                return self._line_break(block, row, column)
            if name in types and field not in self.reading.missing:
                try:
                    self.reading.convert(pa.array([field]), types[name], column=column, where=where)
                except InputError as found:
                    return found
        return wrong("cannot be read", "check the line", value=line)


def _spreads(block: Records) -> bool:
    """Whether a record stands on several lines."""
    return bool(block.dialect.quotes and np.count_nonzero(block.data == ord("\n")) > len(block))


def _replace(rows: pa.RecordBatch, name: str, values: pa.Array) -> pa.RecordBatch:
    return rows.set_column(rows.schema.get_field_index(name), name, values)
