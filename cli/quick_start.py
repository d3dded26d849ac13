"""Leave out what libraries import at their start and no command needs: together longer than a small question takes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["leave_out_blas", "leave_out_pandas"]


def leave_out_pandas() -> None:
    """Let pyarrow believe that there is no pandas, until something asks for a frame.

    Before its first array it imports pandas, to know a frame when it sees one. No command takes frames; `to_pandas`
    looks again, and pyarrow knows them from then on.
    """
    if "pandas" in sys.modules:
        return
    import pyarrow as pa

    with _hidden("pandas"):
        pa.array([0])


def leave_out_blas() -> None:
    """Let numba believe that there is neither SciPy's BLAS nor cffi, which no kernel uses.

    It imports both before its first loop. Others find them from then on.
    """
    if "numba" in sys.modules:
        return
    import seedrank.kernels  # noqa: F401 - what is set before numba is imported

    with _hidden("scipy.linalg", "cffi"):
        from numba.core.registry import cpu_target

        cpu_target.typing_context.refresh()
        cpu_target.target_context.refresh()


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
