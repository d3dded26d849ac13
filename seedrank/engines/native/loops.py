"""What every primitive does before it calls a loop: chunks of parallel work, arrays as kernels take them, threads."""

from __future__ import annotations

import logging
from bisect import bisect_left
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numba
import numpy as np

from seedrank.graph import frozen

__all__ = [
    "CHUNKS", "CHUNK_WORK", "HASH_SEED", "SMALLER", "chunks", "compiled", "even_chunks", "indices", "inverse_norm",
    "ready", "side_by_side",
]  # fmt: skip

log = logging.getLogger(__name__)
_announced = False

CHUNK_WORK = 1 << 17
"""Links and pages below which a parallel loop is not worth its threads: one chunk."""
CHUNKS = 32
HASH_SEED = 0x5EED
"""Of what is drawn at random where one draw serves all questions: sketches and counters."""
SMALLER = "use a machine with more memory, or a part of the graph"
"""What to do where memory does not suffice."""


def chunks(offsets: np.ndarray) -> np.ndarray:
    """Bounds of the chunks of parallel loops; they depend on the graph alone."""
    work = int(offsets[-1]) + len(offsets)
    return even_chunks(offsets, CHUNKS if work > CHUNK_WORK else 1)


def even_chunks(offsets: np.ndarray, count: int) -> np.ndarray:
    """Bounds (int64, `count` + 1) that split the pages into runs of about equal work: links and pages."""
    pages = len(offsets) - 1
    work = int(offsets[pages]) + pages

    def before(page: int) -> int:
        return int(offsets[page]) + page

    return np.array([bisect_left(range(pages), work * k // count, key=before) for k in range(count)] + [pages])


def indices(page_ids: np.ndarray) -> np.ndarray:
    """The same without a sign, so that kernels need not ask whether an index counts from the end."""
    return frozen(np.asarray(page_ids).view(np.uint32))


def inverse_norm(squares: np.ndarray) -> float:
    """1 / L2 norm from sums of squares, 0 for nothing; NumPy sums pairwise."""
    total = float(squares.sum())
    return 1.0 / total**0.5 if total > 0 else 0.0


def ready(*needed: Any) -> None:
    """Say so, once per process, where a first call is about to compile."""
    global _announced
    if not _announced and not compiled(*needed):
        _announced = True
        log.info("compiling the loops of this question; from now on they are kept on disk")


def compiled(*kernels: Any) -> bool:
    """Whether these kernels are loaded or in the cache on disk; when not, their first call takes seconds."""
    return all(kernel.signatures or _cached(kernel) for kernel in kernels)


def _cached(kernel: Any) -> bool:
    folder = Path(kernel._cache.cache_path)
    module = Path(kernel.py_func.__code__.co_filename).stem
    return any(folder.glob(f"{module}.{kernel.py_func.__qualname__}-*.nbi"))


def side_by_side(workers: int, work: Callable[[int], object]) -> None:
    """Call `work` with each number below `workers`, as many at a time as numba has threads."""
    if workers == 1 or numba.get_num_threads() == 1:
        for worker in range(workers):
            work(worker)
        return
    with ThreadPoolExecutor(numba.get_num_threads()) as pool:
        for done in [pool.submit(work, worker) for worker in range(workers)]:
            done.result()
