"""Passes over one block of links, as a task of a cluster runs them: in one thread, links sorted by where they lead.

`offsets` and `senders` are CSR by receiver: the links into receiver r come from ``senders[offsets[r]:offsets[r + 1]]``.
Weights are `None` where every link counts 1; numba compiles a kernel for each of the two.
"""

from __future__ import annotations

import numba
import numpy as np

__all__ = ["gather_bits", "gather_least", "gather_sums", "lower", "relax"]


@numba.njit(cache=True, nogil=True)
def _received(offsets: np.ndarray, senders: np.ndarray, weights: np.ndarray | None, x: np.ndarray, row: int) -> float:
    """The sum of what the senders of a receiver have, times the weight of the link."""
    total = 0.0
    if weights is None:
        for i in range(offsets[row], offsets[row + 1]):
            total += x[senders[i]]
    else:
        for i in range(offsets[row], offsets[row + 1]):
            total += weights[i] * x[senders[i]]
    return total


@numba.njit(cache=True, nogil=True)
def gather_sums(
    offsets: np.ndarray, senders: np.ndarray, weights: np.ndarray | None, x: np.ndarray, sums: np.ndarray
) -> None:
    """Per receiver: the sum of what its senders have, times the weight of the link."""
    for row in range(len(offsets) - 1):
        sums[row] = _received(offsets, senders, weights, x, row)


@numba.njit(cache=True, nogil=True)
def gather_bits(offsets: np.ndarray, senders: np.ndarray, x: np.ndarray, bits: np.ndarray) -> None:
    """Per receiver: the bits that any of its senders has."""
    for row in range(len(offsets) - 1):
        found = np.uint64(0)
        for i in range(offsets[row], offsets[row + 1]):
            found |= x[senders[i]]
        bits[row] = found


@numba.njit(cache=True, nogil=True)
def gather_least(
    offsets: np.ndarray, senders: np.ndarray, labels: np.ndarray, step: int, most: int, nothing: int, least: np.ndarray
) -> None:
    """Per receiver: the smallest label of its senders plus `step`; `nothing` where that is more than `most`."""
    for row in range(len(offsets) - 1):
        found = nothing
        for i in range(offsets[row], offsets[row + 1]):
            label = labels[senders[i]]
            if label + step <= most and label + step < found:
                found = label + step
        least[row] = found


@numba.njit(cache=True, nogil=True)
def lower(
    offsets: np.ndarray, senders: np.ndarray, alive: np.ndarray, step: int, most: int, labels: np.ndarray
) -> None:
    """Give each receiver that is alive the smallest label of its senders plus `step`, up to `most`."""
    changed = True
    while changed:
        changed = False
        for row in range(len(offsets) - 1):
            if not alive[row]:
                continue
            found = labels[row]
            for i in range(offsets[row], offsets[row + 1]):
                label = labels[senders[i]]
                if label + step <= most and label + step < found:
                    found = label + step
            if found < labels[row]:
                labels[row] = found
                changed = True


@numba.njit(cache=True, nogil=True)
def relax(
    offsets: np.ndarray, senders: np.ndarray, weights: np.ndarray | None, coefficient: np.ndarray, base: np.ndarray,
    damping: float, tolerance: float, most: int, x: np.ndarray, sent: np.ndarray,
) -> float:  # fmt: skip
    """Solve ``x = base + damping · P x`` within the block by Gauss-Seidel, in place from the `x` that is there.

    `coefficient` is what share of its score a page sends per unit of weight; `sent` gets coefficient · x. Stops where a
    sweep moves at most `tolerance` (L1), or after `most` sweeps. Returns the L1 norm of the residual of `x`.
    """
    rows = len(offsets) - 1
    for page in range(rows):
        sent[page] = coefficient[page] * x[page]
    for _ in range(most):
        moved = 0.0
        for page in range(rows):
            total = _received(offsets, senders, weights, sent, page)
            value = base[page] + damping * total
            moved += abs(value - x[page])
            x[page] = value
            sent[page] = coefficient[page] * value
        if moved <= tolerance:
            break
    residual = 0.0
    for page in range(rows):
        total = _received(offsets, senders, weights, sent, page)
        residual += abs(base[page] + damping * total - x[page])
    return residual
