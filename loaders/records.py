"""Delimited text cut into blocks of whole records, each with the lines it stands on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from loaders.base import Where
from loaders.compressed import BLOCK
from seedrank.core.errors import InputError
from seedrank.kernels.text import BARE_RETURN, FINE, NUL, OPEN_QUOTE, compact, find_records, squeeze_spaces

__all__ = ["BOM", "CSV", "TSV", "Dialect", "Records", "cut", "cut_before", "records", "squeeze"]

BOM = b"\xef\xbb\xbf"
"""The byte order mark that some editors put before UTF-8."""

_MAX_LINE = 4 * BLOCK  # a longer line is no line: the file is something else


@dataclass(frozen=True)
class Dialect:
    """How fields are divided.

    Parameters
    ----------
    name
        What divides them, for people.
    delimiter
        One ASCII character.
    quotes
        Whether a field may be quoted (with ``"``, doubled inside) and then hold delimiters and line ends.
    runs
        Whether any run of spaces and tabs divides; `squeeze` makes a `delimiter` of each.
    """

    name: str
    delimiter: str
    quotes: bool
    runs: bool = False


CSV = Dialect("commas", ",", quotes=True)
TSV = Dialect("tabs", "\t", quotes=False)


@dataclass(frozen=True)
class Records:
    """Some whole records, without the comments and blank lines that stood between them.

    Parameters
    ----------
    data
        Their bytes, line ends included.
    bounds
        Where each begins and the last ends.
    where
        Their file and lines.
    """

    data: np.ndarray
    bounds: np.ndarray
    where: Where

    def __len__(self) -> int:
        return len(self.bounds) - 1

    def __getitem__(self, rows: slice) -> Records:
        start, stop, _ = rows.indices(len(self))
        bounds = self.bounds[start : stop + 1]
        where = Where(self.where.file, self.where.line(start) if start < len(self) else 0)
        if self.where.lines is not None:
            where = Where(self.where.file, where.first, self.where.lines[start:stop])
        return Records(self.data[bounds[0] : bounds[-1]], bounds - bounds[0], where)

    def line(self, row: int) -> bytes:
        """The bytes of a record without its line end."""
        return self.data[self.bounds[row] : self.bounds[row + 1]].tobytes().rstrip(b"\r\n")


def records(chunks: Iterator[bytes], dialect: Dialect, file: str) -> Iterator[Records]:
    """Cut text into blocks of records.

    Parameters
    ----------
    chunks
        The file's bytes in pieces of any size.
    dialect
        How fields are divided.
    file
        Name of the file, for errors.
    """
    rest = b""
    line = 1
    chunk = next(chunks, b"").removeprefix(BOM)
    while chunk or rest:
        following = next(chunks, b"")
        block = np.frombuffer(rest + chunk if rest else chunk, np.uint8)
        found, used, lines = _find(block, dialect, not following, line, file)
        if found is not None:
            yield found
        if len(block) - used > _MAX_LINE:
            raise _too_long(file, line + lines, 'is a " left open?' if dialect.quotes else "is this a text file?")
        rest = block[used:].tobytes()
        line += lines
        chunk = following


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
    return Records(data[: bounds[-1]], bounds, where)


def _find(block: np.ndarray, dialect: Dialect, final: bool, line: int, file: str) -> tuple[Records | None, int, int]:
    room = int(np.count_nonzero(block == ord("\n"))) + 1
    starts, ends, lines = (np.empty(room, np.int64) for _ in range(3))
    count, used, used_lines, wrong, at, wrong_line = find_records(
        block, ord(dialect.delimiter), dialect.quotes, final, starts, ends, lines
    )
    if wrong != FINE:
        raise _broken(wrong, block, at, file, line + wrong_line)
    if not count:
        return None, used, used_lines
    starts, ends, lines = starts[:count], ends[:count], lines[:count] + line
    first = int(lines[0])
    if (starts[1:] == ends[:-1]).all():
        data = block[starts[0] : ends[-1]]
        bounds = np.append(starts, ends[-1]) - starts[0]
    else:
        data = compact(block, starts, ends)
        bounds = np.zeros(count + 1, np.int64)
        np.cumsum(ends - starts, out=bounds[1:])
    consecutive = int(lines[-1]) - first == count - 1
    return Records(data, bounds, Where(file, first, None if consecutive else lines)), used, used_lines


def _broken(wrong: int, block: np.ndarray, at: int, file: str, line: int) -> InputError:
    near = block[max(0, at - 20) : at + 20].tobytes()
    if wrong == NUL:
        return InputError("a NUL byte", file=file, line=line, value=near, hint="is this a text file?")
    if wrong == BARE_RETURN:
        return InputError(
            "a carriage return inside a line", file=file, line=line, value=near, hint="end lines with \\n or \\r\\n"
        )
    assert wrong == OPEN_QUOTE
    near = block[at : at + 60].tobytes()
    return InputError("a quoted field is not closed", file=file, line=line, value=near, hint='add the missing "')


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
