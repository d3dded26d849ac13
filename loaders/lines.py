"""Lines of logs and lists: blocks of bounded size, with what is no line of text left out and counted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.engines.kernels.lines import NOT_TEXT, NUL, TOO_LONG, check_lines, split_lines
from seedrank.engines.kernels.text import copy_spans
from seedrank.loaders.base import Where
from seedrank.loaders.compressed import MAX_ROWS, Input
from seedrank.loaders.rejects import Rejects

__all__ = ["LONGEST", "REASONS", "Lines", "blocks", "first_rows", "leave_out", "lines", "truth"]

LONGEST = 1 << 20
"""Bytes of a line at most."""

REASONS = {NUL: "a NUL byte", NOT_TEXT: "is not UTF-8", TOO_LONG: f"is longer than {LONGEST >> 20} MiB"}
"""Why a line is no text."""

_PIECE = 4 << 20
_BOM = b"\xef\xbb\xbf"
_LF = ord("\n")


@dataclass(frozen=True)
class Lines:
    """Some lines of a file."""

    data: np.ndarray
    """Bytes that hold them."""
    starts: np.ndarray
    ends: np.ndarray
    """Where each begins and ends, its line end excluded."""
    numbers: np.ndarray
    """1-based number of each in its file."""
    file: str

    def __len__(self) -> int:
        return len(self.starts)

    def take(self, rows: np.ndarray | slice) -> Lines:
        """Some of the lines: by number, or where a boolean is true."""
        return Lines(self.data, self.starts[rows], self.ends[rows], self.numbers[rows], self.file)

    def where(self) -> Where:
        """The place of the lines."""
        return Where(self.file, int(self.numbers[0]) if len(self) else 1, self.numbers)

    def line(self, row: int) -> bytes:
        """The bytes of a line."""
        return self.data[self.starts[row] : self.ends[row]].tobytes()

    def split(self, separator: str, room: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Fields of the lines: begin and end of each, (room, lines), and how many each line has."""
        begins, stops = np.empty((room, len(self)), np.int64), np.empty((room, len(self)), np.int64)
        return begins, stops, split_lines(self.data, self.starts, self.ends, ord(separator), begins, stops)

    def text(self, begins: np.ndarray, stops: np.ndarray) -> pa.Array:
        """Spans of the lines as strings."""
        out, offsets = np.empty(int((stops - begins).sum()), np.uint8), np.empty(len(begins) + 1, np.int32)
        copy_spans(self.data, begins, stops, out, offsets)
        return pa.Array.from_buffers(pa.string(), len(begins), [None, pa.py_buffer(offsets), pa.py_buffer(out)])


def blocks(source: Input) -> Iterator[tuple[Lines, np.ndarray]]:
    """All lines of a file, `MAX_ROWS` at most at a time, and what each is (`seedrank.engines.kernels.lines`).

    Of a line that is too long only the beginning is kept in memory.
    """
    line = 1
    for piece in _pieces(source.chunks()):
        data = np.frombuffer(piece, np.uint8)
        ends = np.flatnonzero(data == _LF)
        if not len(ends) or ends[-1] != len(data) - 1:
            ends = np.append(ends, len(data))
        starts = np.append(0, ends[:-1] + 1)
        for at in range(0, len(ends), MAX_ROWS):
            part = slice(at, at + MAX_ROWS)
            numbers = np.arange(line + at, line + at + len(starts[part]))
            some = Lines(data, starts[part], ends[part], numbers, source.name)
            yield some, check_lines(data, some.starts, some.ends, LONGEST)
        line += len(ends)


def lines(source: Input, broken: Rejects) -> Iterator[Lines]:
    """Lines of text that are not blank, `MAX_ROWS` at most at a time; what is no text is left out and counted."""
    for some, states in blocks(source):
        good = leave_out(some, {reason: states == state for state, reason in REASONS.items()}, broken)
        good &= some.ends > some.starts
        if good.any():
            yield some if good.all() else some.take(good)


def leave_out(some: Lines, wrong: Mapping[str, np.ndarray], broken: Rejects) -> np.ndarray:
    """Count lines as broken, each with the first reason that is true of it; whether each is not."""
    good = np.ones(len(some), np.bool_)
    # The first line comes first: it is the error where the load is strict.
    for reason, those in sorted(wrong.items(), key=lambda item: _first_true(item[1])):
        broken.add(reason, some.where(), np.flatnonzero(those & good), some.line)
        good &= ~those
    return good


def _first_true(values: np.ndarray) -> int:
    return int(np.argmax(values)) if values.any() else len(values)


def truth(values: pa.Array) -> np.ndarray:
    """Booleans of Arrow's as NumPy's; null is false."""
    found: np.ndarray = pc.fill_null(values, False).to_numpy(zero_copy_only=False)
    return found


def first_rows(values: pa.Array) -> np.ndarray:
    """Where each distinct value stands first, in this order."""
    _, first = np.unique(values.dictionary_encode().indices.to_numpy(), return_index=True)
    return first


def _pieces(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Text in pieces of whole lines, each about `_PIECE`; of lines that are too long some of the rest is missing."""
    rest = b""
    chunk = next(chunks, b"").removeprefix(_BOM)
    while chunk:
        for at in range(0, len(chunk), _PIECE):
            part = chunk[at : at + _PIECE]
            end = part.rfind(b"\n") + 1
            if end:
                yield rest + part[:end]
                rest = part[end:]
            else:
                rest += part
            rest = rest[: LONGEST + 2]
        chunk = next(chunks, b"")
    if rest:
        yield rest
