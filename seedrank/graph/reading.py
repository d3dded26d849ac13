"""Arrays of files, read from front to end."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from seedrank.core.resources import free_memory

__all__ = ["pieces", "read_ahead"]

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
