"""Findings: what a check of a store, its runs or its caches found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Finding", "Severity"]

Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True)
class Finding:
    """Something that is not as it should be."""

    severity: Severity
    """``error``: answers may be wrong or fail; ``warning``: in the way, or half done; ``note``: harmless."""
    part: str
    """What it is in: ``store``, ``files``, ``runs``, ``cache``, ``loads``."""
    what: str
    remedy: str
    """What to do."""
    repairable: bool = False
    """Whether a repair mends it."""
