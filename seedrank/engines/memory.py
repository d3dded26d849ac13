"""How much memory there is, and a refusal before work starts that would not fit."""

from __future__ import annotations

from seedrank.core.errors import TooLarge
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
        raise TooLarge(f"{what} needs about {_size(needed)} of memory and {_size(there)} are free", hint=hint)


def _size(count: int) -> str:
    return f"{count / 2**30:.1f} GiB" if count >= 2**30 else f"{max(count, 0) / 2**20:.0f} MiB"
