"""What numba does otherwise here: how it saves compiled kernels, and what becomes of Ctrl-C in the meantime.

Numba reads the index of a kernel, adds a line, writes the index and then the code. Two processes that do so at once
pick the same file for different types, and whoever loads it later runs the code for the other types.

LLVM calls functions of llvmlite through ctypes, which prints an exception that is raised in them and goes on: an
interrupt that arrives there, or in the machine code before, would be lost.
"""

from __future__ import annotations

import fcntl
import functools
import logging
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

from numba.core import event
from numba.core.caching import IndexDataCacheFile
from numba.core.codegen import JitEngine

__all__ = ["heed_interrupts", "share_cache", "tell_compiling"]


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


def tell_compiling() -> None:
    """Say once, to who sits before the process, that numba compiles: the first answers take longer."""
    if sys.stderr.isatty() or "ipykernel" in sys.modules:
        event.register("numba:compile", _Told())  # type: ignore[no-untyped-call]


class _Told(event.Listener):
    said = False

    def on_start(self, event: Any) -> None:
        if not _Told.said and logging.getLogger("seedrank").isEnabledFor(logging.WARNING):
            _Told.said = True
            sys.stderr.write("compiling (once): the first answers take some seconds longer\n")

    def on_end(self, event: Any) -> None:
        """Nothing is said of it."""


def heed_interrupts() -> None:
    """Make numba hand interrupts on once LLVM is done."""
    for name in ("finalize_object", "get_function_address", "get_global_value_address"):
        setattr(JitEngine, name, _handing_on(getattr(JitEngine, name)))


def _handing_on(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(*given: Any) -> Any:
        handler = signal.getsignal(signal.SIGINT)
        if not callable(handler) or threading.current_thread() is not threading.main_thread():
            return function(*given)  # Python raises nothing there
        seen: list[Any] = []
        signal.signal(signal.SIGINT, lambda *signalled: seen.append(signalled))
        try:
            return function(*given)
        finally:
            signal.signal(signal.SIGINT, handler)
            if seen:
                handler(*seen[0])

    return call
