"""The nearest of some names to one that nobody knows, whatever its case."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

__all__ = ["nearest", "suggestion"]

_ALIKE = 0.61
"""How alike two names are at least: `finest` is not meant for `best`."""
_LISTED = 40
"""Names that are all told; of more, the first of them."""


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The name that was probably meant, `None` where none is near."""
    plain = {_plain(one): one for one in known}
    near = difflib.get_close_matches(_plain(str(name)), plain, 1, _ALIKE)
    return plain[near[0]] if near else None


def suggestion(name: str, known: Iterable[str]) -> str:
    """What to do about an unknown name: the one that was meant, else all there are."""
    known = list(known)
    near = nearest(name, known)
    more = ", …" if len(known) > _LISTED else ""
    return f"did you mean {near}?" if near else f"one of {', '.join(known[:_LISTED])}{more}"


def _plain(name: str) -> str:
    return name.lower().replace("_", "-")
