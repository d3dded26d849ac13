"""Pieces of a block of bytes, and the Arrow arrays made of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from seedrank.engines.kernels.text import copy_spans

__all__ = ["Spans", "lines_of", "utf8"]


@dataclass(frozen=True)
class Spans:
    """Pieces of some bytes: piece i is ``data[starts[i]:ends[i]]``, and none where it begins at -1."""

    data: np.ndarray
    starts: np.ndarray
    ends: np.ndarray

    def __len__(self) -> int:
        return len(self.starts)

    def take(self, rows: np.ndarray) -> Spans:
        """Some of the pieces."""
        return Spans(self.data, self.starts[rows], self.ends[rows])

    def binary(self) -> pa.Array:
        """The pieces as an Arrow array of bytes, null where there is none."""
        there = self.starts >= 0
        size = int((self.ends - self.starts)[there].sum())
        out, offsets = np.empty(size, np.uint8), np.empty(len(self) + 1, np.int64)
        copy_spans(self.data, self.starts, self.ends, out, offsets)
        valid = None if there.all() else pa.py_buffer(np.packbits(there, bitorder="little"))
        buffers = [valid, pa.py_buffer(offsets), pa.py_buffer(out)]
        return pa.Array.from_buffers(pa.large_binary(), len(self), buffers)


def lines_of(text: bytes) -> pa.Array:
    """The lines of a text as bytes, without their ends."""
    data = np.frombuffer(text, np.uint8)
    ends = np.flatnonzero(data == ord("\n"))
    if not text.endswith(b"\n"):
        ends = np.append(ends, len(data))
    return Spans(data, np.append(0, ends[:-1] + 1), ends).binary()


def utf8(values: pa.Array) -> pa.Array:
    """Bytes as text, null where they are none or not UTF-8."""
    try:
        return values.cast(pa.large_string())
    except pa.ArrowInvalid:
        return pa.array([_decoded(value) for value in values.to_pylist()], pa.large_string())


def _decoded(value: bytes | None) -> str | None:
    try:
        return None if value is None else value.decode()
    except UnicodeDecodeError:
        return None
