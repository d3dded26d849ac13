"""Arrays that grow."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["Growing"]


class Growing:
    """An array that grows; new elements hold `fill`."""

    def __init__(self, dtype: Any, fill: int) -> None:
        self.fill = fill
        self.values: np.ndarray = np.full(0, fill, dtype)

    def reserve(self, length: int) -> np.ndarray:
        """The array, now at least so long."""
        have = len(self.values)
        if length > have:
            longer = np.empty(max(length, have + have // 2, 1024), self.values.dtype)
            longer[:have] = self.values
            longer[have:] = self.fill
            self.values = longer
        return self.values
