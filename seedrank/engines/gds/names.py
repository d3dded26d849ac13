"""Names of projections: whose they are, what graph they are of, and when they are stale.

``seedrank-kept-<graph version>-<state>-<content>`` is left on the server for the next command: `state` is a digest of
the last transaction that changed the database, so it serves as long as nothing was written there, also by hand.
``seedrank-<graph version>-<machine>-<process>-<random>`` belongs to one process and is dropped with it. What a killed
process left is dropped by the next one of the same user: at once where that process was on this machine and is gone,
elsewhere after a day.
"""

from __future__ import annotations

import os
import platform
import re
import secrets
import zlib

__all__ = ["IN_USE_MINUTES", "KEPT_MINUTES", "PREFIX", "is_kept", "is_stale", "kept", "temporary", "version_of"]

PREFIX = "seedrank-"
KEPT_MINUTES = 30
"""How long a projection serves; the next command that projects drops what is older."""

IN_USE_MINUTES = 5
"""How long one of an earlier state is left to the command that made it; where it takes longer, it makes another."""

_DAY = 24 * 60
_KEPT = re.compile(rf"{PREFIX}kept-(\w+)-(\w+)-\w+")
_TEMPORARY = re.compile(rf"{PREFIX}(\w+)-(\w+)-(\d+)-\w+")


def kept(version: str, state: str, content: str) -> str:
    """The name of a projection that stays: of a graph's version, a state of the database and a digest of the rest."""
    return f"{PREFIX}kept-{version}-{state}-{content}"


def temporary(version: str) -> str:
    """A new name for a projection of this process."""
    return f"{PREFIX}{version}-{machine()}-{os.getpid()}-{secrets.token_hex(4)}"


def is_kept(name: str) -> bool:
    """Whether a projection is one that stays."""
    return _KEPT.fullmatch(name) is not None


def version_of(name: str) -> str | None:
    """The graph's version that a name holds; `None` where the projection is not ours."""
    match = _KEPT.fullmatch(name) or _TEMPORARY.fullmatch(name)
    return None if match is None else match[1]


def is_stale(name: str, minutes: float, *, version: str, state: str) -> bool:
    """Whether a projection of an age may go, by the version of the graph and the state now; never what is not ours."""
    if match := _KEPT.fullmatch(name):
        # Of another state it serves nobody new, but the command that made it may be at work still.
        return minutes > (KEPT_MINUTES if (match[1], match[2]) == (version, state) else IN_USE_MINUTES)
    if match := _TEMPORARY.fullmatch(name):
        return minutes > _DAY or (match[2] == machine() and not _runs(int(match[3])))
    return False


def machine() -> str:
    """A short digest of this machine's name."""
    return f"{zlib.crc32(platform.node().encode()):08x}"


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True  # another user's
    return True
