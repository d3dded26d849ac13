"""Text from the web as people may see it."""

from __future__ import annotations

from html import escape

__all__ = ["as_markup", "visible"]


def visible(text: str) -> str:
    """Text with control characters, and those that turn the direction of writing, shown as what they are."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "replace").decode() for c in text)


def as_markup(text: str) -> str:
    """Text as HTML and SVG may hold it: `visible`, and escaped."""
    return escape(visible(text), quote=True)
