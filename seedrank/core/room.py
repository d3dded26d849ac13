"""How much room there is: memory that may still be taken, and space on a disk."""

from __future__ import annotations

import shutil
from pathlib import Path

from seedrank.core.errors import StoreError
from seedrank.core.sizes import show_size

__all__ = ["free_disk", "free_memory", "require_disk"]

_CGROUPS = (
    ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
    ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"),
)


def free_memory() -> int | None:
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


def _number(path: str) -> int | None:
    try:
        return int(Path(path).read_text(encoding="ascii"))
    except (OSError, ValueError):  # not there, or "max"
        return None
