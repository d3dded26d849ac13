"""How much room there is, in memory and on a disk, and a refusal before work starts that would not fit."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from seedrank.core.errors import StoreError, TooLarge
from seedrank.core.numbers import show_size

__all__ = ["container_limits", "free_disk", "free_memory", "require_disk", "require_memory", "usable_memory"]

_UNLIMITED = 1 << 60
"""Version 1 of control groups writes a number near 2^63 where there is no limit."""
_NOT_WORTH_ASKING = 64 * 2**20
"""Bytes that are there, or nothing works: small graphs do not pay for the question."""
_GROUPS, _PROCESS = Path("/sys/fs/cgroup"), Path("/proc/self/cgroup")


def usable_memory() -> int:
    """Bytes of memory: the machine's, or fewer where the control groups (a container) of this process allow fewer."""
    machine = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return min([machine, *container_limits()])


def free_memory(root: Path = _GROUPS, process: Path = _PROCESS) -> int | None:
    """Bytes this process may still take: of the machine and of its control groups; `None` where nothing tells.

    What the system keeps of files and can give back at once counts as free.

    Parameters
    ----------
    root, process
        As of `container_limits`.
    """
    free = [max(0, limit - used) for limit, used in _groups(root, process) if used is not None]
    try:
        with Path("/proc/meminfo").open(encoding="ascii") as lines:
            free += [int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")]
    except OSError:
        pass
    return min(free, default=None)


def container_limits(root: Path = _GROUPS, process: Path = _PROCESS) -> list[int]:
    """The memory limits of the control groups this process is in, of both versions.

    Parameters
    ----------
    root
        Where the control groups are mounted.
    process
        The file that names this process's groups.
    """
    return [limit for limit, _ in _groups(root, process)]


def free_disk(folder: Path) -> int:
    """Bytes that may still be written where a folder is, or will be."""
    folder = folder.resolve()
    return shutil.disk_usage(next(one for one in (folder, *folder.parents) if one.exists())).free


def require_disk(needed: int, folder: Path, what: str) -> None:
    """Refuse `what` when it needs more bytes than the disk of a folder has left."""
    there = free_disk(folder)
    if needed > there:
        raise StoreError(
            f"{what} needs {show_size(needed)} of disk at {{folder}}, and {show_size(there)} are free",
            hint="make room, or use a folder on another disk",
            values={"folder": folder},
        )


def require_memory(needed: int, what: str, hint: str) -> None:
    """Refuse `what` when it needs more bytes than there are."""
    if needed < _NOT_WORTH_ASKING:
        return
    there = free_memory()
    if there is not None and needed > there:
        raise TooLarge(
            f"{what} needs about {show_size(needed)} of memory and {show_size(max(there, 0))} are free", hint=hint
        )


def _groups(root: Path, process: Path) -> Iterator[tuple[int, int | None]]:
    """Limit and use of each control group that has a limit: of this process, and of those above, which hold too."""
    try:
        lines = process.read_text().splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, group = line.split(":", 2)
        if not controllers:
            folder, files, cache = root, ("memory.max", "memory.current"), "inactive_file"
        elif "memory" in controllers.split(","):
            files, cache = ("memory.limit_in_bytes", "memory.usage_in_bytes"), "total_inactive_file"
            folder = root / "memory"
        else:
            continue
        # In a container the group's path may be the host's, and is not there.
        below = folder / group.strip("/")
        for step in (below, *below.parents):
            limit, used = (_number(step / file) for file in files)
            if step.is_relative_to(folder) and limit is not None and limit < _UNLIMITED:
                yield limit, None if used is None else used - _reclaimable(step / "memory.stat", cache)


def _reclaimable(file: Path, name: str) -> int:
    """Bytes of files that were read or written once and that the system drops first."""
    try:
        rows = (line.split() for line in file.read_text().splitlines())
        return next((int(row[1]) for row in rows if row[0] == name), 0)
    except (OSError, ValueError, IndexError):
        return 0


def _number(path: Path) -> int | None:
    try:
        return int(path.read_text())
    except (OSError, ValueError):  # not there, or "max"
        return None
