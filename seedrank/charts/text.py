"""Text of charts: what may be shown of it, how wide it is, and lines of it."""

from __future__ import annotations

from html import escape

from seedrank.core.hostile import visible

__all__ = ["shown", "width_of", "wrapped"]

_NARROW, _WIDE = frozenset("fijlrtI.,:;'|!()[]/ -"), frozenset("mwMWGOQ@%&")


def shown(text: str) -> str:
    """Text as SVG and HTML may hold it: escaped, control characters made visible."""
    return escape(visible(text), quote=True)


def width_of(text: str, font: float) -> float:
    """About how wide a text is in Arial, or in another font of its widths, of size `font`."""
    return font * sum(map(_width, text))


def wrapped(text: str, width: float, font: float) -> list[str]:
    """Lines of at most about `width`; a word that is wider is cut."""
    lines: list[str] = []
    for word in text.split():
        if lines and width_of(f"{lines[-1]} {word}", font) <= width:
            lines[-1] += f" {word}"
        else:
            while width_of(word, font) > width and len(word) > 1:
                word = word[:-2] + "…"
            lines.append(word)
    return lines or [""]


def _width(letter: str) -> float:
    if letter in _NARROW:
        return 0.32
    if letter in _WIDE or letter > "\u1fff":
        return 0.95
    return 0.68 if letter.isupper() else 0.56
