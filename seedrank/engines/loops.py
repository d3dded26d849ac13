"""What every primitive does before it calls a loop: chunks of parallel work, arrays as kernels take them."""

from __future__ import annotations

import logging
from typing import Any

import numpy as np

from seedrank import kernels
from seedrank.graph import frozen
from seedrank.kernels import csr

__all__ = ["CHUNKS", "CHUNK_WORK", "SMALLER", "chunks", "indices", "ready"]

log = logging.getLogger(__name__)
_announced = False

CHUNK_WORK = 1 << 17
"""Links and pages below which a parallel loop is not worth its threads: one chunk."""
CHUNKS = 32
SMALLER = "use a machine with more memory, or a part of the graph"
"""What to do where memory does not suffice."""


def chunks(offsets: np.ndarray) -> np.ndarray:
    """Bounds of the chunks of parallel loops; they depend on the graph alone."""
    work = int(offsets[-1]) + len(offsets)
    return np.asarray(csr.even_chunks(offsets, CHUNKS if work > CHUNK_WORK else 1))


def indices(page_ids: np.ndarray) -> np.ndarray:
    """The same without a sign, so that kernels need not ask whether an index counts from the end."""
    return frozen(np.asarray(page_ids).view(np.uint32))


def ready(*needed: Any) -> None:
    """Say so, once per process, where a first call is about to compile."""
    global _announced
    if not _announced and not kernels.compiled(*needed):
        _announced = True
        log.info("compiling the loops of this question; from now on they are kept on disk")
