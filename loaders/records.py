"""Delimited text cut into blocks of whole records, each with the lines it stands on."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from seedrank.core.errors import InputError
from seedrank.engines.kernels.text import FINE, NUL, OPEN_QUOTE, compact, find_records, squeeze_spaces
from seedrank.loaders.base import Where
from seedrank.loaders.compressed import BLOCK
from seedrank.loaders.quotes import RowPattern, has_quoted, long_field
from seedrank.loaders.rejects import Rejects

__all__ = ["BOM", "CSV", "TSV", "Dialect", "Records", "cut", "cut_before", "fields_of", "records", "squeeze"]

BOM = b"\xef\xbb\xbf"
"""The byte order mark that some editors put before UTF-8."""

_MAX_LINE = 4 * BLOCK  # a longer line is no line: the file is something else


@dataclass(frozen=True)
class Dialect:
    """How fields are divided."""

    name: str
    """What divides them, for people."""
    delimiter: str
    """One ASCII character."""
    quotes: bool
    """Whether a field may be quoted (with ``"``, doubled inside) and then hold delimiters and line ends."""
    runs: bool = False
    """Whether any run of spaces and tabs divides; `squeeze` makes a `delimiter` of each."""


CSV = Dialect("commas", ",", quotes=True)
TSV = Dialect("tabs", "\t", quotes=False)


@dataclass(frozen=True)
class Records:
    """Some whole records, without the comments and blank lines that stood between them."""

    data: np.ndarray
    """Their bytes, line ends included."""
    bounds: np.ndarray
    """Where each begins and the last ends."""
    where: Where
    """Their file and lines."""
    dialect: Dialect = TSV
    """How their fields are divided."""

    def __len__(self) -> int:
        return len(self.bounds) - 1

    def __getitem__(self, rows: slice) -> Records:
        start, stop, _ = rows.indices(len(self))
        bounds = self.bounds[start : stop + 1]
        where = Where(self.where.file, self.where.line(start) if start < len(self) else 0)
        if self.where.lines is not None:
            where = Where(self.where.file, where.first, self.where.lines[start:stop])
        return Records(self.data[bounds[0] : bounds[-1]], bounds - bounds[0], where, self.dialect)

    def without(self, rows: np.ndarray) -> Records:
        """The other records."""
        keep = np.setdiff1d(np.arange(len(self)), rows)
        starts, ends = self.bounds[keep], self.bounds[keep + 1]
        bounds = np.append(0, np.cumsum(ends - starts))
        lines = self.where.first + keep if self.where.lines is None else self.where.lines[keep]
        where = Where(self.where.file, int(lines[0]) if len(lines) else self.where.first, lines)
        return Records(compact(self.data, starts, ends), bounds, where, self.dialect)

    def line(self, row: int) -> bytes:
        """The bytes of a record without its line end."""
        return self.data[self.bounds[row] : self.bounds[row + 1]].tobytes().rstrip(b"\r\n")


def records(chunks: Iterator[bytes], dialect: Dialect, file: str, rejects: Rejects | None = None) -> Iterator[Records]:
    """Cut text into blocks of records.

    Quotes are literal from the first block on that has fields with a ``"`` in front and none that ends with one too.

    Parameters
    ----------
    chunks
        The file's bytes in pieces of any size.
    dialect
        How fields are divided.
    rejects
        Takes rows with a stray quote where bad rows are tolerated.
    """
    rest = b""
    line = 1
    cutter = _Cutter(dialect, file, rejects or Rejects())
    chunk = next(chunks, b"").removeprefix(BOM)
    while chunk or rest:
        following = next(chunks, b"")
        block = np.frombuffer(rest + chunk if rest else chunk, np.uint8)
        found, used, lines, stray = cutter.cut(block, not following, line)
        while stray:
            if found is not None:
                yield found
            block, line = block[used:], line + lines
            found, used, lines, stray = cutter.cut(block, not following, line)
        if found is not None:
            yield found
        if len(block) - used > _MAX_LINE:
            raise _too_long(file, line + lines, "is this a text file?")
        rest = block[used:].tobytes()
        line += lines
        chunk = following


def fields_of(record: str, dialect: Dialect) -> list[str]:
    """The fields of a record; one that cannot be divided is one field."""
    if dialect.runs:
        return record.split()
    if not dialect.quotes:
        return record.split(dialect.delimiter)
    try:
        return next(csv.reader([record], delimiter=dialect.delimiter), [""])
    except csv.Error:
        return [record]


def squeeze(block: Records) -> Records:
    """The records with one tab for every run of spaces and tabs, none at their ends, and without blank ones."""
    data = np.empty(len(block.data) + len(block), np.uint8)
    bounds = np.zeros(len(block) + 1, np.int64)
    rows = np.empty(len(block), np.int64)
    count = squeeze_spaces(block.data, block.bounds, data, bounds, rows)
    bounds, rows = bounds[: count + 1], rows[:count]
    where = block.where
    if count < len(block):
        lines = where.first + rows if where.lines is None else where.lines[rows]
        where = Where(where.file, int(lines[0]) if count else where.first, lines)
    return Records(data[: bounds[-1]], bounds, where, block.dialect)


class _Cutter:
    """Finds the records of a file, block by block, and knows whether its quotes quote."""

    def __init__(self, dialect: Dialect, file: str, rejects: Rejects) -> None:
        self._dialect, self._file, self._rejects = dialect, file, rejects
        self._sure = not dialect.quotes
        self._width = 0
        self._pattern: RowPattern | None = None

    def cut(self, block: np.ndarray, final: bool, line: int) -> tuple[Records | None, int, int, bool]:
        """The records of a block that begins with this line, and how many bytes and lines they take.

        At last whether there is more in the block: behind a row with a stray quote.
        """
        if not len(block):
            return None, 0, 0, False
        room = int(np.count_nonzero(block == ord("\n"))) + 1
        starts, ends, lines = (np.empty(room, np.int64) for _ in range(3))
        seen = np.zeros(3, np.int64)
        count, used, used_lines, wrong, at, wrong_line = find_records(
            block, ord(self._dialect.delimiter), self._dialect.quotes, final, starts, ends, lines, seen
        )
        if wrong not in (FINE, OPEN_QUOTE):
            raise _broken(wrong, block, at, self._file, line + wrong_line)
        starts, ends, lines = starts[:count], ends[:count], lines[:count]
        if self._dialect.quotes:
            stray = self._stray(block, starts, ends, lines, (used, used_lines), wrong == OPEN_QUOTE)
            closed, spread, odd = seen > 0
            if stray is not None and not self._sure:
                closed = closed or has_quoted(block[stray[0] : stray[1]].tobytes(), self._dialect.delimiter)
            if not self._sure and not closed and (stray is not None or (odd and not spread)):
                self._dialect, self._sure = replace(self._dialect, quotes=False), True
                return self.cut(block, final, line)
            self._sure = self._sure or bool(closed or spread)
            if stray is not None:
                row = block[stray[0] : stray[1]].tobytes().partition(b"\n")[0]
                where = Where(self._file, line + stray[2])
                self._rejects.refuse(self._not_closed(block, *stray, line), where, 0, lambda _: row)
                before = ends <= stray[0]
                found = self._records(block, starts[before], ends[before], lines[before] + line)
                return found, min(stray[0] + len(row) + 1, len(block)), stray[2] + 1, True
        return self._records(block, starts, ends, lines + line), used, used_lines, False

    def _records(self, block: np.ndarray, starts: np.ndarray, ends: np.ndarray, lines: np.ndarray) -> Records | None:
        if not len(starts):
            return None
        first, count = int(lines[0]), len(starts)
        if (starts[1:] == ends[:-1]).all():
            data = block[starts[0] : ends[-1]]
            bounds = np.append(starts, ends[-1]) - starts[0]
        else:
            data = compact(block, starts, ends)
            bounds = np.zeros(count + 1, np.int64)
            np.cumsum(ends - starts, out=bounds[1:])
        consecutive = int(lines[-1]) - first == count - 1
        return Records(data, bounds, Where(self._file, first, None if consecutive else lines), self._dialect)

    def _stray(
        self,
        block: np.ndarray,
        starts: np.ndarray,
        ends: np.ndarray,
        lines: np.ndarray,
        used: tuple[int, int],
        unclosed: bool,
    ) -> tuple[int, int, int] | None:
        """Begin, end and line of the first record that a stray quote makes of several rows."""
        breaks = np.flatnonzero(block == ord("\n"))
        several = np.searchsorted(breaks, ends) - np.searchsorted(breaks, starts) > 1
        begun = len(breaks) > 0 and breaks[-1] >= used[0]
        self._learn(block, np.append(starts, used[0]) if begun else starts, breaks)
        for row in np.flatnonzero(several).tolist():
            if self._swallows(block[starts[row] : ends[row]]):
                return int(starts[row]), int(ends[row]), int(lines[row])
        rest = block[used[0] :]
        whole = len(rest) if unclosed else int(breaks[-1]) + 1 - used[0] if len(breaks) else 0
        if whole > 0 and (unclosed or len(rest) > _MAX_LINE or self._swallows(rest[:whole])):
            return used[0], len(block), used[1]
        return None

    def _learn(self, block: np.ndarray, starts: np.ndarray, breaks: np.ndarray) -> None:
        """Take the shape of rows from the second row, as far as it is on one line: the first may be a header."""
        for start in starts[:2]:
            if self._pattern is not None:
                return
            line = block[start : np.append(breaks, len(block))[np.searchsorted(breaks, start)]]
            fields = fields_of(line.tobytes().rstrip(b"\r").decode(errors="replace"), self._dialect)
            if self._width:
                fields = [*fields, *[""] * self._width][: self._width]
                self._pattern = RowPattern(fields, self._dialect.delimiter)
            self._width = len(fields)

    def _swallows(self, record: np.ndarray) -> bool:
        return self._pattern is not None and self._pattern.is_swallowed(record.tobytes())

    def _not_closed(self, block: np.ndarray, start: int, end: int, line: int, first: int) -> InputError:
        opened = long_field(block[start:end].tobytes(), self._dialect.delimiter)
        number, at, lines = opened or (0, 0, 0)
        near = block[start + at : end].tobytes().partition(b"\n")[0]
        return InputError(
            f"a quoted field is not closed in its row (field {number + 1})",
            file=self._file,
            line=first + line + lines,
            value=near,
            hint='add the missing ", or double a " that is part of the text',
        )


def _broken(wrong: int, block: np.ndarray, at: int, file: str, line: int) -> InputError:
    near = block[max(0, at - 20) : at + 20].tobytes()
    if wrong == NUL:
        return InputError("a NUL byte", file=file, line=line, value=near, hint="is this a text file?")
    return InputError(
        "a carriage return inside a line", file=file, line=line, value=near, hint="end lines with \\n or \\r\\n"
    )


def cut(chunks: Iterator[bytes], file: str, marks: bytes = b"\n") -> Iterator[bytes]:
    """Text in pieces that end after one of `marks`; the last ends where the file does."""
    rest = next(chunks, b"").removeprefix(BOM)
    for chunk in chunks:
        block = rest + chunk
        end = 1 + max(block.rfind(mark) for mark in (marks[i : i + 1] for i in range(len(marks))))
        if len(block) - end > _MAX_LINE:
            raise _too_long(file, None, "is this a text file?")
        if end:
            yield block[:end]
        rest = block[end:]
    if rest:
        yield rest


def _too_long(file: str, line: int | None, hint: str) -> InputError:
    return InputError(f"a line is longer than {_MAX_LINE >> 20} MiB", file=file, line=line, hint=hint)


def cut_before(chunks: Iterator[bytes], file: str, mark: bytes) -> Iterator[bytes]:
    """Text in pieces that end before a line that holds `mark`, the first line of a record."""
    rest = next(chunks, b"").removeprefix(BOM)
    for chunk in chunks:
        block = rest + chunk
        end = block.rfind(b"\n", 0, max(block.rfind(mark), 0)) + 1
        if len(block) - end > _MAX_LINE:
            raise InputError(f"a record is longer than {_MAX_LINE >> 20} MiB", file=file, hint="is this a text file?")
        if end:
            yield block[:end]
        rest = block[end:]
    if rest:
        yield rest
