"""Numbers that look random, made of others (SplitMix64)."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

__all__ = ["GOLDEN", "mix"]

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
"""What is added from one number to the next."""
_M1, _M2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31 = np.uint64(27), np.uint64(30), np.uint64(31)


@numba.njit(cache=True, nogil=True)
def mix(x: Any) -> Any:
    """64 bits of which each depends on all of `x`, a uint64."""
    x = (x ^ (x >> _S30)) * _M1
    x = (x ^ (x >> _S27)) * _M2
    return x ^ (x >> _S31)
