"""Import what a question needs without what libraries bring along and no command uses, which takes as long again.

Each function does its work once in a process. Meanwhile no garbage is collected, and what was made then (modules,
classes, functions) is never looked through for any.
"""

from __future__ import annotations

import gc
import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

__all__ = ["import_library", "import_numba"]


@cache
def import_library() -> None:
    """Import seedrank's Python API; pyarrow believes that there is no pandas, until something asks for a frame.

    Before its first array pyarrow imports pandas, to know a frame when it sees one. No command takes frames;
    `to_pandas` looks again, and pyarrow knows them from then on.
    """
    with _kept():
        if "pandas" not in sys.modules:
            import pyarrow as pa

            with _hidden("pandas"):
                pa.array([0])
        import seedrank.api.open_store  # noqa: F401 - for what it imports


@cache
def import_numba() -> None:
    """Import numba, which believes that there is neither SciPy's BLAS nor cffi: no kernel uses them.

    It imports both before its first loop. Others find them from then on.
    """
    if "numba" in sys.modules:
        return
    with _kept(), _hidden("scipy.linalg", "cffi"):
        importlib.import_module("seedrank.engines.kernels")  # imports numba, after what must be set before
        from numba.core.registry import cpu_target

        cpu_target.typing_context.refresh()
        cpu_target.target_context.refresh()


@contextmanager
def _kept() -> Iterator[None]:
    """What is made meanwhile is no garbage."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


@contextmanager
def _hidden(*names: str) -> Iterator[None]:
    """Modules cannot be imported while this lasts."""

    class Hiding:
        @staticmethod
        def find_spec(name: str, path: Any = None, target: Any = None) -> None:
            if name in names:
                raise ImportError(name)

    sys.meta_path.insert(0, Hiding)
    try:
        yield
    finally:
        sys.meta_path.remove(Hiding)
