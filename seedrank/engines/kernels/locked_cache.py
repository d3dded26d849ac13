"""One cache of compiled kernels for processes that compile at the same time.

Numba reads the index of a kernel, adds a line, writes the index and then the code. Two processes that do so at once
pick the same file for different types, and whoever loads it later runs the code for the other types.
"""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

from numba.core.caching import IndexDataCacheFile

__all__ = ["share_cache"]


def share_cache() -> None:
    """Make numba save one kernel at a time, and never under a name that an older index may know."""
    IndexDataCacheFile.save = _save  # type: ignore[method-assign]


def _save(self: Any, key: Any, data: Any) -> None:
    with _locked(self._cache_path):
        overloads = self._load_index()
        name = overloads.get(key) or next(
            name for name in map(self._data_name, count(1)) if not Path(self._data_path(name)).exists()
        )
        self._save_data(name, data)  # first: an index names only what is there
        self._save_index({**overloads, key: name})


@contextmanager
def _locked(folder: str) -> Iterator[None]:
    with (Path(folder) / "seedrank.lock").open("ab") as lock:
        with suppress(OSError):  # a file system without locks: as numba has it
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
