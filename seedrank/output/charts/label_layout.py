"""Room for text: how wide it is, lines of it, and labels moved apart."""

from __future__ import annotations

import numpy as np

__all__ = ["spread", "text_width", "wrap"]

_NARROW, _WIDE = frozenset("fijlrtI.,:;'|!()[]/ -"), frozenset("mwMWGOQ@%&")


def text_width(text: str, font: float) -> float:
    """About how wide a text is in Arial, or in another font of its widths, of size `font`."""
    return font * sum(map(_letter_width, text))


def _letter_width(letter: str) -> float:
    if letter in _NARROW:
        return 0.32
    if letter in _WIDE or letter > "\u1fff":
        return 0.95
    return 0.68 if letter.isupper() else 0.56


def wrap(text: str, width: float, font: float) -> list[str]:
    """Lines of at most about `width`; a word that is wider is cut."""
    lines: list[str] = []
    for word in text.split():
        if lines and text_width(f"{lines[-1]} {word}", font) <= width:
            lines[-1] += f" {word}"
        else:
            while text_width(word, font) > width and len(word) > 1:
                word = word[:-2] + "…"
            lines.append(word)
    return lines or [""]


def spread(positions: np.ndarray, gap: float) -> np.ndarray:
    """Positions 0 to 1 moved as little as needed to lie `gap` from one another, in the same order.

    They leave 0 to 1 only where there is no room for all of them.
    """
    order = np.argsort(positions, kind="stable")
    steps = gap * np.arange(len(order))
    ascending = positions[order] - steps
    # Pushed up only and pushed down only: what lies half-way keeps the gaps and the middle of a cluster.
    middle = (np.maximum.accumulate(ascending) + np.minimum.accumulate(ascending[::-1])[::-1]) / 2
    moved = np.empty(len(order))
    moved[order] = np.minimum(np.maximum(middle, 0.0), 1.0 - steps[-1:]) + steps
    return moved
