"""Ctrl-C while numba loads or compiles a kernel.

LLVM then calls functions of llvmlite through ctypes, which prints an exception that is raised in them and goes on: an
interrupt that arrives there, or in the machine code before, would be lost.
"""

from __future__ import annotations

import functools
import signal
import threading
from collections.abc import Callable
from typing import Any

from numba.core.codegen import JitEngine

__all__ = ["heed_interrupts"]


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
