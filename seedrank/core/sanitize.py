"""Text from the web as people may see it."""

from __future__ import annotations

import re
from html import escape

__all__ = ["as_markup", "safe_link", "visible"]

_SAFE = re.compile(r"https?://[^\s\x00-\x20\x7f\"<>]+", re.IGNORECASE)


def visible(text: str) -> str:
    """Text with control characters, and those that turn the direction of writing, shown as what they are."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "replace").decode() for c in text)


def as_markup(text: str) -> str:
    """Text as HTML and SVG may hold it: `visible`, and escaped."""
    return escape(visible(text), quote=True)


def safe_link(text: str) -> str | None:
    """The URL where a link to it is safe: http and https only, nothing that is not printed."""
    return text if _SAFE.fullmatch(text) and text.isprintable() else None
