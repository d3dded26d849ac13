"""Workers that start with an empty cache of kernels share the work: each kernel is compiled by one of them."""

from __future__ import annotations

import fcntl
from pathlib import Path
from typing import Any

from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher

__all__ = ["compile_once"]

_compile = Dispatcher.compile


def compile_once() -> None:
    """Let a process that wants a kernel wait for the one that compiles it, and load what that saved."""
    Dispatcher.compile = _waiting


def _waiting(self: Any, signature: Any) -> Any:
    folder = Path(self._cache.cache_path or "/nowhere")  # kernels that are not cached name no folder
    if not folder.is_dir() or tuple(getattr(signature, "args", signature)) in self.overloads:
        return _compile(self, signature)
    # First the lock of this process: its threads then ask for those of the files in the order of calls, as all do.
    with global_compiler_lock, (folder / f"{self.py_func.__name__}.compiling").open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return _compile(self, signature)
