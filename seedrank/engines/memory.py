"""How much memory there is, and a refusal before work starts that would not fit."""

from __future__ import annotations

from seedrank.core.errors import TooLarge
from seedrank.core.numbers import show_size
from seedrank.core.resources import free_memory

__all__ = ["free_memory", "require"]

_NOT_WORTH_ASKING = 64 * 2**20
"""Bytes that are there, or nothing works: small graphs do not pay for the question."""


def require(needed: int, what: str, hint: str) -> None:
    """Refuse `what` when it needs more bytes than there are."""
    if needed < _NOT_WORTH_ASKING:
        return
    there = free_memory()
    if there is not None and needed > there:
        raise TooLarge(
            f"{what} needs about {show_size(needed)} of memory and {show_size(max(there, 0))} are free", hint=hint
        )
