"""The package as it is installed: its version, the systems it runs on, and the plug-ins that came beside it."""

from __future__ import annotations

import functools
import importlib.util
import logging
import sys
from importlib.metadata import entry_points

from seedrank.core.errors import SeedrankError

__all__ = ["GROUP", "VERSION", "check_platform", "load_plugins"]


VERSION = "0.3.0"


def check_platform() -> None:
    """Refuse a system on which stores could not be locked, before anything that needs a lock is imported."""
    if sys.platform == "win32" or importlib.util.find_spec("fcntl") is None:
        raise SeedrankError(
            f"this is {sys.platform}, and only Linux and macOS are supported",
            hint="on Windows install it inside WSL",
        )


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
