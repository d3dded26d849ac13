"""Half-written files and folders: locked while their process lives, swept by the next one once it is dead.

Everything unfinished has a name of its own, ``STEM-xxxxxxxx.seedrank-half``, and is locked (``flock``) by the process
that writes it. The system drops the lock when the process ends, however it ends; whoever can take the lock of such a
file may remove it. A file system without locks gives none: nothing is swept there.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import secrets
import shutil
import stat
import tempfile
import time
import weakref
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

__all__ = ["SUFFIX", "TempClaim", "claim_file", "claim_folder", "folder_of", "last_change", "same_file", "sweep"]

SUFFIX = ".seedrank-half"
_HALF = re.compile(r"(.*)-[a-z0-9]{8}" + re.escape(SUFFIX), re.DOTALL)
_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"


class TempClaim:
    """A new file or folder that is this process's own until it is given up.

    Use as a context manager, or call `remove`; what was renamed away in the meantime stays.

    Parameters
    ----------
    path
        Where it is.
    lock
        The descriptor that holds its lock.
    """

    def __init__(self, path: Path, lock: int) -> None:
        self.path = path
        self._lock = lock

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.remove()

    def remove(self) -> None:
        """Remove what is still there under its name, and give up the lock."""
        if self._lock < 0:
            return
        _remove(self.path)
        os.close(self._lock)
        self._lock = -1


def claim_file(folder: Path, stem: str) -> TempClaim:
    """A new, empty file in `folder`, with the permissions the user's umask leaves."""
    return _claim(folder, stem, lambda path: os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666)))


def claim_folder(folder: Path, stem: str) -> TempClaim:
    """A new folder in `folder`, for this user only."""
    return _claim(folder, stem, lambda path: path.mkdir(0o700))


def folder_of(owner: object) -> tuple[Path, Callable[[], object]]:
    """A new temporary folder that is removed with its owner, at the end of the process, or by the function."""
    path = Path(tempfile.mkdtemp(prefix="seedrank-"))
    return path, weakref.finalize(owner, shutil.rmtree, path, ignore_errors=True)


def sweep(folder: Path) -> None:
    """Remove what dead processes of this user left unfinished in a folder; errors leave it where it is.

    Parameters
    ----------
    folder
        Where something is about to be written; only its own entries are looked at.
    """
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in list(entries):
            if half := _HALF.fullmatch(entry.name):
                with contextlib.suppress(OSError):
                    _sweep_one(Path(entry.path), half[1])


def _sweep_one(path: Path, stem: str) -> None:
    found = path.lstat()
    if found.st_uid != os.getuid() or not (stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)):
        return
    lock = _open(path)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if not same_file(path, lock):
            return
        _finish_swap(path, stem)
        _remove(path)
    finally:
        os.close(lock)


def _finish_swap(path: Path, stem: str) -> None:
    """Complete the replacement of a folder that was cut off between its two renames: nothing of it may be lost."""
    old, new, place = path / "old", path / "new", path.with_name(stem.removeprefix("."))
    if old.exists() and not os.path.lexists(place):
        (new if new.exists() else old).rename(place)


def _claim(folder: Path, stem: str, make: Callable[[Path], object]) -> TempClaim:
    while True:
        path = folder / f"{stem}-{''.join(secrets.choice(_LETTERS) for _ in range(8))}{SUFFIX}"
        try:
            make(path)
        except FileExistsError:
            continue
        try:
            lock = _open(path)
        except FileNotFoundError:
            continue  # taken for a leftover by another process: it was not locked yet
        # Without locks on this file system it is never swept either.
        with contextlib.suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_EX)
        if same_file(path, lock):
            return TempClaim(path, lock)
        os.close(lock)


def _open(path: Path) -> int:
    kind = os.O_RDONLY | os.O_DIRECTORY if path.is_dir() else os.O_RDWR
    return os.open(path, kind | os.O_NOFOLLOW | os.O_NONBLOCK)


def same_file(path: Path, descriptor: int) -> bool:
    """Whether the path still names what was opened."""
    try:
        return os.path.samestat(path.lstat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with contextlib.suppress(OSError):
            path.unlink()


def last_change(path: Path) -> float:
    """When anything in a file or folder last changed; now, where that cannot be seen."""
    try:
        inside = path.rglob("*") if path.is_dir() else ()
        return max(one.lstat().st_mtime for one in (path, *inside))
    except OSError:
        return time.time()
