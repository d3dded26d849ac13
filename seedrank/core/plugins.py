"""Plug-ins that are installed: packages that name a module of theirs under ``seedrank.methods``."""

from __future__ import annotations

import functools
import logging
from importlib.metadata import entry_points

__all__ = ["GROUP", "load_plugins"]

log = logging.getLogger(__name__)

GROUP = "seedrank.methods"
"""Of entry points; what they name is imported, and registers what it has (`seedrank.api.plugins`)."""


@functools.cache
def load_plugins() -> None:
    """Import every installed plug-in, once; one that cannot be imported is told and left out."""
    for one in entry_points(group=GROUP):
        try:
            one.load()
        except Exception as error:  # whatever a stranger's module does, seedrank itself works
            reason = str(error).partition("\n")[0]
            log.warning("the plug-in %s is left out: %s (%s: %s)", one.name, one.value, type(error).__name__, reason)
