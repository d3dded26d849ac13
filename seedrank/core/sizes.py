"""Sizes of memory as people write them."""

from __future__ import annotations

import re

from seedrank.core.errors import UsageError, shorten

__all__ = ["parse_size", "show_size"]

_SIZE = re.compile(r"(\d{1,19})(?:\.(\d{1,6}))?\s*(?:([KMGT])(?:i?B)?|B)?", re.IGNORECASE | re.ASCII)
_FACTOR = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def parse_size(text: int | str, name: str) -> int:
    """Bytes of a size such as ``512M``, ``1G``, ``1.5GiB`` or a plain number of bytes.

    Parameters
    ----------
    text
        The size; all units are powers of 1,024.
    name
        What it is the size of, for the error.
    """
    if isinstance(text, int):
        return text
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise UsageError(
            f"{name}: {shorten(text)} is not a size", hint="write bytes or a unit, such as 512M, 1G or 1GiB"
        )
    whole, part, unit = match.groups()
    factor = _FACTOR[(unit or "").upper()]
    return int(whole) * factor + int(float(f"0.{part or 0}") * factor)


def show_size(size: int) -> str:
    """A size for people: ``256 MiB``."""
    for unit, factor in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if size >= factor:
            return f"{size / factor:.4g} {unit}"
    return f"{size} bytes"
