"""The numba loops, and nothing else: NumPy arrays in, NumPy arrays out, no Python objects inside.

Kernels are compiled on first use and cached on disk (`cache=True`); results do not depend on the number of threads:
a parallel loop runs over chunks that the graph alone fixes, or over workers that share no result.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

__all__ = ["compiled"]

# Threads that wait for each other go to sleep: on a machine with other work, spinning costs a millisecond at the end of
# every loop, which is a hundred times what waking them costs. Read by OpenMP when numba first loads it.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")


def compiled(*kernels: Any) -> bool:
    """Whether these kernels are loaded or in the cache on disk; when not, their first call takes seconds."""
    return all(kernel.signatures or _cached(kernel) for kernel in kernels)


def _cached(kernel: Any) -> bool:
    folder = Path(kernel._cache.cache_path)
    module = Path(kernel.py_func.__code__.co_filename).stem
    return any(folder.glob(f"{module}.{kernel.py_func.__qualname__}-*.nbi"))
