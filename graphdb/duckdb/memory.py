"""How much memory the embedded database may use."""

from __future__ import annotations

import os

from seedrank.core.errors import UsageError
from seedrank.core.numbers import parse_size, show_size
from seedrank.core.resources import usable_memory

__all__ = ["SMALLEST", "VARIABLE", "pool_size"]

VARIABLE = "SEEDRANK_STORE_MEMORY"
_MIB = 1 << 20
SMALLEST = 64 * _MIB
_LARGEST_BY_DEFAULT = 768 * _MIB
"""So much merges ten million links by URL at full speed; what does not fit is spilled to disk."""
_SMALLEST_BY_DEFAULT = 256 * _MIB


def pool_size(wanted: int | str | None = None) -> int:
    """Bytes the database may use before it spills to disk.

    Parameters
    ----------
    wanted
        Bytes, or text such as ``512M``; where it is `None`, what ``SEEDRANK_STORE_MEMORY`` says, and otherwise a
        quarter of the memory this process may use, at least 256 MiB and at most 768 MiB.
    """
    name = "the store's memory"
    if wanted is None and os.environ.get(VARIABLE):
        name, wanted = VARIABLE, os.environ[VARIABLE]
    memory = usable_memory()
    if wanted is None:
        return max(_SMALLEST_BY_DEFAULT, min(memory // 4, _LARGEST_BY_DEFAULT))
    size = parse_size(wanted, name)
    if not SMALLEST <= size <= memory:
        raise UsageError(
            f"{name} is {show_size(size)}: it must be between {show_size(SMALLEST)} and {show_size(memory)}, "
            "the memory there is",
            hint="give another size, such as {store_memory=512M}",
            fields=("store_memory",),
        )
    return size
