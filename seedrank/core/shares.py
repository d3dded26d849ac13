"""Shares as people write them."""

from __future__ import annotations

from seedrank.core.errors import UsageError

__all__ = ["share_of"]


def share_of(text: str) -> float:
    """A share written like ``35%`` or ``0.35``."""
    try:
        return float(text.removesuffix("%")) / 100 if text.endswith("%") else float(text)
    except ValueError:
        raise UsageError(f"{text!r} is no share", hint="write it like 5%") from None
