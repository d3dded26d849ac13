"""Reach the fixed point of slow walks sooner, by reduced rank extrapolation (Sidi 1991).

Close to damping 1 each step of a walk takes off little of what is left, and most of that the same way each time. From
the last steps a combination is taken whose next step would move least. Where that turns out to move more, the walk goes
on from where it was: so it is never slower than the plain one by more than a step in each `STEPS`.
"""

from __future__ import annotations

import numpy as np

__all__ = ["CLOSE", "STEPS", "Extrapolation", "memory_of"]

CLOSE = 0.95
"""Damping above which walks are extrapolated: up to it plain steps are few enough."""
STEPS = 12
"""Steps that a combination is taken from."""
_CHUNK = 1 << 16


def memory_of(pages: int) -> int:
    """Bytes that an extrapolated walk takes beside the plain one."""
    return 8 * (STEPS + 3) * pages


class Extrapolation:
    """What the last steps of a walk were, and where they lead.

    Parameters
    ----------
    weight
        How much each place of the vector counts in the length of a step; all alike when `None`.
    """

    def __init__(self, weight: np.ndarray | None = None) -> None:
        self._weight = weight
        self._steps: list[np.ndarray] = []
        self._before: tuple[np.ndarray, float] | None = None

    def after(self, x: np.ndarray, moved: float) -> np.ndarray | None:
        """Where to go on from after a step to `x` that moved so much; from `x` itself when `None`."""
        if self._before is not None:
            plain, least = self._before
            self._before = None
            if not moved <= least:
                return plain
        self._steps.append(x.copy())
        if len(self._steps) <= STEPS:
            return None
        share = self._shares()
        found = None
        if share is not None:
            self._before = self._steps[-1], moved
            found = np.zeros_like(x)
            for one, step in zip(share, self._steps[1:], strict=True):
                found += one * step
        self._steps.clear()
        return found

    def _shares(self) -> np.ndarray | None:
        """Shares of the steps, summing to 1, whose combined change is shortest; `None` where rounding hides them."""
        product = np.zeros((STEPS, STEPS))
        for first in range(0, len(self._steps[0]), _CHUNK):
            part = np.diff([step[first : first + _CHUNK] for step in self._steps], axis=0)
            product += (part if self._weight is None else part * self._weight[first : first + _CHUNK]) @ part.T
        scale = np.trace(product)
        if not 0 < scale < np.inf:
            return None
        product = product / scale + 1e-15 * np.eye(STEPS)
        share = np.linalg.solve(product, np.ones(STEPS))
        share = share / share.sum()
        return share if np.isfinite(share).all() else None
