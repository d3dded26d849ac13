"""Sketches of ball weights: for every page at once, how much its ball can weigh at most, at a stated confidence.

A page of weight w draws m exponential numbers of rate w; a ball keeps, of each, the smallest. Smallest numbers of
independent exponentials add their rates, so that each of the m is exponential with the ball's weight as rate, whatever
the ball: their sum times that weight follows the gamma distribution of shape m (Cohen 1997). A byte holds a number by
its logarithm, rounded down, which can only raise the bound.
"""

from __future__ import annotations

import math

import numba
import numpy as np

from seedrank.engines.kernels.hashing import GOLDEN, mix

__all__ = ["STEPS", "draw", "join", "total"]

STEPS = 6
"""Steps of a byte per power of two: a number is rounded down by at most 11 %, and bytes span 42 powers of two."""


@numba.njit(cache=True, nogil=True)
def draw(weight: np.ndarray, seed: int, top: float, levels: np.ndarray, first: int, last: int) -> None:
    """Fill `levels` (pages, m), uint8, of pages from `first` to `last`, for balls of no hops.

    A larger level means a smaller number, 0 means none.
    Level l ≥ 1 stands for a number of at least ``top · 2^(-l / STEPS)``; numbers above `top` count as `top`.
    """
    m = levels.shape[1]
    for page in range(first, last):
        if weight[page] > 0:
            for k in range(m):
                bits = mix(np.uint64(page * m + k + 1) * GOLDEN + np.uint64(seed))
                uniform = (np.float64(bits >> np.uint64(11)) + 0.5) * 2.0**-53
                number = -math.log(uniform) / weight[page]
                level = math.ceil(STEPS * math.log2(top / number)) if number < top else 1.0
                levels[page, k] = np.uint8(min(max(level, 1.0), 255.0))


@numba.njit(cache=True, nogil=True)
def join(
    offsets: np.ndarray, targets: np.ndarray, before: np.ndarray, after: np.ndarray, filled: np.ndarray,
    fills: np.ndarray, first: int, last: int,
) -> None:  # fmt: skip
    """One hop: a page joins its own sketch and those of the pages it links to, from `first` to `last`.

    `filled` says which sketches are not empty, `fills` gets the same afterwards: where much is covered most are empty,
    and need not be read.
    """
    m = before.shape[1]
    for page in range(first, last):
        mine, own = after[page], before[page]
        for k in range(m):
            mine[k] = own[k]
        some = filled[page]
        for i in range(offsets[page], offsets[page + 1]):
            target = targets[i]
            if filled[target]:
                some = True
                other = before[target]
                for k in range(m):
                    mine[k] = max(mine[k], other[k])
        fills[page] = some


@numba.njit(cache=True, nogil=True)
def total(levels: np.ndarray, numbers: np.ndarray, sums: np.ndarray, first: int, last: int) -> None:
    """Sum of the numbers that each sketch from `first` to `last` holds, each as small as its level allows.

    It is inf for an empty sketch.
    `numbers` has the smallest number of each of the 256 levels.
    """
    for page in range(first, last):
        row = levels[page]
        if row[0] == 0:
            sums[page] = np.inf
        else:
            some = 0.0
            for k in range(len(row)):
                some += numbers[row[k]]
            sums[page] = some
