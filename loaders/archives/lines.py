"""Text of an index in blocks of lines, as Arrow strings."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.loaders.compressed import MAX_ROWS, Input
from seedrank.loaders.records import cut

__all__ = ["lines_of"]

_NOT_ASCII = re.compile(rb"[\x80-\xff]")


def lines_of(source: Input) -> Iterator[tuple[int, pa.Array]]:
    """The lines of a file, without white space around them, some at a time.

    Bytes that are no UTF-8 are written as URLs write them (``%E9``), and so is all that is not ASCII in their block.

    Yields
    ------
    tuple
        1-based number of the first line, and the lines (large_string).
    """
    number = 1
    for block in cut(source.chunks(), source.name):
        data = np.frombuffer(_as_utf8(block), np.uint8)
        ends = np.flatnonzero(data == ord("\n")) + 1
        if not len(ends) or ends[-1] < len(data):
            ends = np.append(ends, len(data))
        bounds = np.append(0, ends)
        buffers = [None, pa.py_buffer(bounds), pa.py_buffer(data)]
        lines = pa.Array.from_buffers(pa.large_string(), len(ends), buffers)
        for start in range(0, len(lines), MAX_ROWS):
            some = lines[start : start + MAX_ROWS]
            yield number, pc.ascii_trim_whitespace(some)
            number += len(some)


def _as_utf8(block: bytes) -> bytes:
    try:
        block.decode()
    except UnicodeDecodeError:
        return _NOT_ASCII.sub(lambda byte: b"%%%02X" % byte[0][0], block)
    return block
