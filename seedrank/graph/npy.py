"""Arrays in ``.npy`` files, read and written from front to end: a full disk is an error, not a signal."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from io import FileIO
from pathlib import Path
from typing import Any

import numpy as np

from seedrank.core.resources import free_memory

__all__ = ["ArrayStream", "header", "pieces", "read_ahead", "write_all"]


def header(dtype: Any, length: int) -> bytes:
    """What the file of an array begins with; equally long for every `length`, so that it can be written anew."""
    made = io.BytesIO()
    kind = np.lib.format.dtype_to_descr(np.dtype(dtype))
    np.lib.format.write_array_header_1_0(made, {"descr": kind, "fortran_order": False, "shape": (length,)})
    return made.getvalue()


class ArrayStream:
    """An array in a new file whose length is known when it is closed."""

    def __init__(self, path: Path, dtype: Any) -> None:
        self.length = 0
        self._dtype = np.dtype(dtype)
        self._file = path.open("wb", buffering=0)
        self._put(header(dtype, 0))

    def write(self, values: np.ndarray) -> None:
        """Add values."""
        self._put(np.ascontiguousarray(values, self._dtype).view(np.uint8).data)
        self.length += len(values)

    def close(self) -> None:
        """Write the length."""
        self._file.seek(0)
        self._put(header(self._dtype, self.length))
        self._file.close()

    def discard(self) -> None:
        """Let go of the file; it need not be complete."""
        self._file.close()

    def _put(self, data: bytes | memoryview) -> None:
        write_all(self._file, data)


def write_all(file: FileIO, data: bytes | memoryview) -> None:
    """Write to a file without buffer, which may take less than it is given."""
    left = memoryview(data)
    while len(left):
        left = left[file.write(left) :]


_BLOCK = 1 << 20
_LARGE = 64 << 20
"""Bytes from which it is worth asking the system."""


def pieces(array: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
    """An array piece by piece, each with its place, read and not mapped: mapped it would count as memory in use.

    The next piece is read while the last is worked on.
    """
    if not isinstance(array, np.memmap) or array.filename is None:
        yield 0, array
        return
    with Path(array.filename).open("rb") as file, ThreadPoolExecutor(1) as reader:
        file.seek(array.offset)

        def read(first: int) -> np.ndarray:
            return np.fromfile(file, array.dtype, min(_BLOCK, len(array) - first))

        coming = reader.submit(read, 0)
        for first in range(0, len(array), _BLOCK):
            piece = coming.result()
            if first + _BLOCK < len(array):
                coming = reader.submit(read, first + _BLOCK)
            yield first, piece


def read_ahead(array: np.ndarray) -> None:
    """Have the file of a mapped array read from front to end before it is read in any order, where memory holds it."""
    if not isinstance(array, np.memmap) or array.filename is None or array.nbytes < _LARGE:
        return
    free = free_memory()
    if free is None or array.nbytes > free or not hasattr(os, "posix_fadvise"):
        return
    with Path(array.filename).open("rb") as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_WILLNEED)
