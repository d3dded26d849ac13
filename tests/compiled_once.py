"""Workers that start with an empty cache of kernels share the work: each kernel is compiled by one of them."""

from __future__ import annotations

import fcntl
from pathlib import Path
from typing import Any

from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher

__all__ = ["compile_once"]

_compile = Dispatcher.compile
_under_way: set[str] = set()
"""Kernels whose lock this process holds: one that is compiled for another type meanwhile needs no second one."""


def compile_once() -> None:
    """Let a process that wants a kernel wait for the one that compiles it, and load what that saved."""
    Dispatcher.compile = _waiting


def _waiting(self: Any, signature: Any) -> Any:
    folder = Path(self._cache.cache_path or "/nowhere")  # kernels that are not cached name no folder
    name = f"{self.py_func.__module__}.{self.py_func.__qualname__}"
    known = tuple(getattr(signature, "args", signature)) in self.overloads
    if known or name in _under_way or not folder.is_dir():
        return _compile(self, signature)
    # First the lock of this process: its threads then ask for those of the files in the order of calls, as all do.
    with global_compiler_lock, (folder / f"{name}.compiling").open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        _under_way.add(name)
        try:
            return _compile(self, signature)
        finally:
            _under_way.discard(name)
