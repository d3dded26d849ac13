"""Places along an axis: labels moved apart, and points enough to draw a curve."""

from __future__ import annotations

import numpy as np

__all__ = ["alone", "apart", "thinned"]


def apart(places: np.ndarray, gap: float) -> np.ndarray:
    """Places 0 to 1 moved as little as needed to lie `gap` from one another, in the same order.

    They leave 0 to 1 only where there is no room for all of them.
    """
    order = np.argsort(places, kind="stable")
    at = places[order]
    up, down = at.copy(), at.copy()
    for i in range(1, len(at)):
        up[i] = max(up[i], up[i - 1] + gap)
        down[-1 - i] = min(down[-1 - i], down[-i] - gap)
    # Pushed up only and pushed down only: what lies half-way keeps the gaps and the middle of a cluster.
    middle = (up + down) / 2
    for i in range(len(at)):
        middle[i] = max(middle[i], i * gap)
    for i in range(len(at)):
        middle[-1 - i] = min(middle[-1 - i], 1 - i * gap)
    moved = np.empty(len(at))
    moved[order] = middle
    return moved


def thinned(places: np.ndarray, y: np.ndarray, columns: int) -> np.ndarray:
    """Indices of points enough to draw a curve: of each column of the sheet the first, last, lowest and highest."""
    if len(y) <= 4 * columns:
        return np.arange(len(y))
    column = np.where(np.isnan(places), -1, np.nan_to_num(places) * columns).astype(np.int64)
    # A gap is a column of its own, and so is what comes back to a column later.
    edges = np.flatnonzero(np.diff(column) | np.diff(np.isnan(y))) + 1
    kept = [
        start + np.unique([0, stop - start - 1, *_ends(y[start:stop])])
        for start, stop in zip([0, *edges], [*edges, len(y)], strict=True)
    ]
    return np.concatenate(kept)


def _ends(y: np.ndarray) -> tuple[int, int]:
    return (0, 0) if np.isnan(y).all() else (int(np.nanargmin(y)), int(np.nanargmax(y)))


def alone(there: np.ndarray) -> np.ndarray:
    """Points between two gaps, which no line shows."""
    padded = np.concatenate([[False], there, [False]])
    return np.flatnonzero(there & ~padded[:-2] & ~padded[2:])
