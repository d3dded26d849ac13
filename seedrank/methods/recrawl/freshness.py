"""What fetches are worth: how much of the time a copy is fresh, and what a fetch now would gain."""

from __future__ import annotations

import numpy as np

__all__ = ["at_fixed_intervals", "at_random_intervals", "value_of_fetch"]


def at_fixed_intervals(fetches: np.ndarray, changes: np.ndarray) -> np.ndarray:
    """Share of the time in which a copy is fresh that is fetched at fixed intervals (Cho and Garcia-Molina 2003).

    Parameters
    ----------
    fetches, changes
        A day; a page that is never fetched again is never fresh.
    """
    some = fetches > 0
    between = changes / np.where(some, fetches, 1.0)
    return np.where(some, -np.expm1(-between) / np.maximum(between, 1e-300), 0.0)


def at_random_intervals(fetches: np.ndarray, changes: np.ndarray) -> np.ndarray:
    """The same of a copy that is fetched at random intervals (Azar et al. 2018)."""
    return fetches / (fetches + changes)


def value_of_fetch(weight: np.ndarray, changes: np.ndarray, days: np.ndarray) -> np.ndarray:
    """What a fetch so many days after the last one is worth: ``w/Δ · (1 - e^{-Δτ}(1 + Δτ))``."""
    y = changes * days
    return weight / changes * np.where(y < 1e-4, y * y / 2, -np.expm1(-y) - y * np.exp(-y))
