"""The end of the process when the embedded database gives up: one line instead of SIGABRT."""

from __future__ import annotations

import ctypes
import os
import sys
from typing import NoReturn

__all__ = ["explain_abort"]

_TEXT = (
    b"seedrank: the embedded store gave up, most likely because its files could not be written; check the disk and run "
    b"the command again: what was committed is kept\n"
)


def _end() -> NoReturn:
    # Not by `sys.stderr`: another thread may hold it, and nothing may fail here.
    try:
        os.write(2, _TEXT)
    finally:
        os._exit(1)


_callback = ctypes.CFUNCTYPE(None)(_end)  # as long as the process


def explain_abort() -> None:
    """Say why when the database cannot go on.

    It throws where nothing can be caught (while it writes a checkpoint, or is closed), and C++ then ends the process:
    by this function, which every thread of the process ends by.
    """
    library = "libc++.1.dylib" if sys.platform == "darwin" else "libstdc++.so.6"
    try:
        set_terminate = ctypes.CDLL(library)._ZSt13set_terminatePFvvE
    except (OSError, AttributeError):
        return  # another C++ library: the process ends as before
    set_terminate.argtypes, set_terminate.restype = [ctypes.c_void_p], ctypes.c_void_p
    set_terminate(ctypes.cast(_callback, ctypes.c_void_p))
