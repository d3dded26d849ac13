"""How much memory the embedded database may use."""

from __future__ import annotations

import os
from pathlib import Path

from seedrank.core.errors import UsageError
from seedrank.core.sizes import parse_size, show_size

__all__ = ["SMALLEST", "VARIABLE", "pool_size"]

VARIABLE = "SEEDRANK_STORE_MEMORY"
_MIB = 1 << 20
SMALLEST = 64 * _MIB
_LARGEST_BY_DEFAULT = 4096 * _MIB
_SMALLEST_BY_DEFAULT = 256 * _MIB

_UNLIMITED = 1 << 60
"""Version 1 of control groups writes a number near 2^63 where there is no limit."""


def pool_size(wanted: int | str | None = None) -> int:
    """Bytes the database may keep of its file and of tables under way.

    Parameters
    ----------
    wanted
        Bytes, or text such as ``512M``; where it is `None`, what ``SEEDRANK_STORE_MEMORY`` says, and otherwise a
        quarter of the memory this process may use, at least 256 MiB and at most 4 GiB.
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


def usable_memory() -> int:
    """Bytes of memory: the machine's, or fewer where the control groups (a container) of this process allow fewer."""
    machine = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return min([machine, *container_limits()])


def container_limits(root: Path = Path("/sys/fs/cgroup"), process: Path = Path("/proc/self/cgroup")) -> list[int]:
    """The memory limits of the control groups this process is in, of both versions.

    Parameters
    ----------
    root
        Where the control groups are mounted.
    process
        The file that names this process's groups.
    """
    try:
        lines = process.read_text().splitlines()
    except OSError:
        return []
    limits = []
    for line in lines:
        _, controllers, group = line.split(":", 2)
        if not controllers:
            folder, file = root, "memory.max"
        elif "memory" in controllers.split(","):
            folder, file = root / "memory", "memory.limit_in_bytes"
        else:
            continue
        # A limit of any group above holds too. In a container the group's path may be the host's, and is not there.
        below = folder / group.strip("/")
        limits += [_limit(step / file) for step in (below, *below.parents) if step.is_relative_to(folder)]
    return [limit for limit in limits if limit < _UNLIMITED]


def _limit(file: Path) -> int:
    try:
        text = file.read_text().strip()
    except OSError:
        return _UNLIMITED
    return int(text) if text.isdigit() else _UNLIMITED
