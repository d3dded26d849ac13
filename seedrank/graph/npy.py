"""Arrays written to ``.npy`` files from front to end, with plain writes: a full disk is an error, not a signal."""

from __future__ import annotations

import io
from io import FileIO
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["ArrayStream", "header", "write_all"]


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
