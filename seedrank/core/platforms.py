"""Where seedrank runs: systems that lock files as POSIX does."""

from __future__ import annotations

import importlib.util
import sys

from seedrank.core.errors import SeedrankError

__all__ = ["check_platform"]


def check_platform() -> None:
    """Refuse a system on which stores could not be locked, before anything that needs a lock is imported."""
    if sys.platform == "win32" or importlib.util.find_spec("fcntl") is None:
        raise SeedrankError(
            f"this is {sys.platform}, and only Linux and macOS are supported",
            hint="on Windows install it inside WSL",
        )
