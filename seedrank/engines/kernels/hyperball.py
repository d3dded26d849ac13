"""HyperBall: balls and harmonic centrality from a HyperLogLog counter per page.

P. Boldi, S. Vigna, "In-core computation of geometric centralities with HyperBall: a hundred billion nodes and
beyond" (2013). The counter of a page holds the pages within t hops against the links; a round joins the counters of
the pages that link to it, and only of those whose counter changed in the round before.
"""

from __future__ import annotations

import math

import numba
import numpy as np

from seedrank.engines.kernels.hashing import GOLDEN, mix

__all__ = ["grow", "start"]


@numba.njit(cache=True, nogil=True)
def start(registers: np.ndarray, counted: np.ndarray, seed: int) -> None:
    """Put each counted page alone into its counter; `registers` are uint8 (pages, m), 0, m a power of two."""
    m = registers.shape[1]
    log2m = 0
    while 1 << log2m < m:
        log2m += 1
    for page in range(len(registers)):
        if not counted[page]:
            continue
        bits = mix(np.uint64(page + 1) * GOLDEN + np.uint64(seed))
        register = bits & np.uint64(m - 1)
        bits = np.uint64(bits >> np.uint64(log2m))
        rank = 1
        while bits & np.uint64(1) == 0 and rank < 64 - log2m:
            bits = np.uint64(bits >> np.uint64(1))
            rank += 1
        registers[page, register] = rank


@numba.njit(cache=True, nogil=True)
def _size(counter: np.ndarray, powers: np.ndarray) -> float:
    """HyperLogLog's estimate: linear counting while registers are empty and the count is small."""
    m = len(counter)
    total = 0.0
    empty = 0
    for k in range(m):
        total += powers[counter[k]]
        empty += counter[k] == 0
    estimate = 0.7213 / (1.0 + 1.079 / m) * m * m / total
    if estimate <= 2.5 * m and empty:
        return m * math.log(m / empty)
    return estimate


@numba.njit(cache=True, nogil=True, parallel=True)
def grow(
    in_offsets: np.ndarray, in_sources: np.ndarray, now: np.ndarray, after: np.ndarray, changed: np.ndarray,
    changes: np.ndarray, powers: np.ndarray, sizes: np.ndarray, sums: np.ndarray, hop: int, bounds: np.ndarray,
    moved: np.ndarray,
) -> None:  # fmt: skip
    """One round: counters `now` → `after`, growth / `hop` added to `sums`, per chunk the counters that changed.

    `changed` says whose counter changed in the last round; `changes` gets the same of this one.
    """
    m = now.shape[1]
    for chunk in numba.prange(len(bounds) - 1):
        count = 0
        for page in range(bounds[chunk], bounds[chunk + 1]):
            mine = after[page]
            if changed[page]:  # else both hold the same already
                mine[:] = now[page]
            touched = False
            for i in range(in_offsets[page], in_offsets[page + 1]):
                source = in_sources[i]
                if changed[source]:
                    touched = True
                    other = now[source]
                    for k in range(m):
                        mine[k] = max(mine[k], other[k])
            grew = False
            if touched:
                was = now[page]
                for k in range(m):
                    grew |= mine[k] != was[k]
            changes[page] = grew
            if grew:
                count += 1
                size = _size(mine, powers)
                if size > sizes[page]:
                    sums[page] += (size - sizes[page]) / hop
                    sizes[page] = size
        moved[chunk] = count
