"""How much memory there is, and a refusal before work starts that would not fit."""

from __future__ import annotations

from pathlib import Path

from seedrank.core.errors import TooLarge

__all__ = ["available", "require"]

_CGROUPS = (
    ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
    ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"),
)

_NOT_WORTH_ASKING = 64 * 2**20
"""Bytes that are there, or nothing works: small graphs do not pay for the question."""


def available() -> int | None:
    """Bytes this process may still take: of the machine and of its control group; `None` where nothing tells."""
    free = [
        limit - used
        for limit, used in ((_number(limit), _number(used)) for limit, used in _CGROUPS)
        if limit is not None and used is not None
    ]
    try:
        with Path("/proc/meminfo").open(encoding="ascii") as lines:
            free += [int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")]
    except OSError:
        pass
    return min(free, default=None)


def require(needed: int, what: str, hint: str) -> None:
    """Refuse `what` when it needs more bytes than there are."""
    if needed < _NOT_WORTH_ASKING:
        return
    there = available()
    if there is not None and needed > there:
        raise TooLarge(f"{what} needs about {_size(needed)} of memory and {_size(there)} are free", hint=hint)


def _number(path: str) -> int | None:
    try:
        return int(Path(path).read_text(encoding="ascii"))
    except (OSError, ValueError):  # not there, or "max"
        return None


def _size(count: int) -> str:
    return f"{count / 2**30:.1f} GiB" if count >= 2**30 else f"{max(count, 0) / 2**20:.0f} MiB"
