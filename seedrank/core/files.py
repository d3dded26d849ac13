"""Files and folders that appear whole or not at all, stay whole when the power goes, and where those of a store stand.

Everything is written under a name of its own, ``STEM-xxxxxxxx.seedrank-half``, brought to disk (``fsync``) and only
then renamed; the rename is brought to disk too. The process that writes it holds its lock (``flock``), which the system
drops when the process ends, however it ends; whoever can take the lock of such a file may remove it, and the next
process that writes in the same folder does. A file system without locks gives none: nothing is swept there.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import fcntl
import hashlib
import os
import re
import secrets
import shutil
import stat
import tempfile
import time
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from seedrank.core.errors import InputError
from seedrank.core.spark_folder import SCHEME

__all__ = [
    "ANYTHING",
    "SUFFIX",
    "HalfFolder",
    "TempClaim",
    "cache_folder",
    "claim_file",
    "claim_folder",
    "folder_of",
    "last_change",
    "make_folders",
    "runs_folder",
    "same_file",
    "sweep",
    "to_disk",
    "whole_file",
    "whole_files",
    "whole_folder",
]


ANYTHING = "*"
"""For `whole_folder`: replace whatever is there, because the place is ours."""


_HERE, _EXCHANGE = -100, 2
"""``AT_FDCWD``; ``RENAME_EXCHANGE`` of Linux, which is ``RENAME_SWAP`` of macOS."""


@contextlib.contextmanager
def whole_file(path: Path, *, folder: Path | None = None) -> Iterator[Path]:
    """A path to write to; the file appears under its own name whole, or not at all.

    Parameters
    ----------
    path
        The file. Behind a link it is the file that the link leads to; a pipe or a device is written to as it is.
    folder
        Where it is until it is whole, on the same disk; beside its place by default.
    """
    if path.exists() and not path.is_file() and not path.is_dir():
        try:
            yield path
        except OSError as error:
            raise _cannot(error, path, "file") from error
        return
    if path.is_symlink():
        path = Path(os.path.realpath(path))
    folder = folder or path.parent
    try:
        sweep(folder)
        claim = claim_file(folder, f".{path.name}")
    except OSError as error:
        raise _cannot(error, path, "file") from error
    with claim:
        try:
            yield claim.path
            to_disk(claim.path)
            claim.path.replace(path)
            to_disk(path.parent)
        except OSError as error:
            raise _cannot(error, path, "file") from error


class HalfFolder:
    """A folder to fill at `path`, put in its place by `finish`, removed by `discard`.

    Parameters
    ----------
    place
        Where it will stand. A folder that is there and not empty is refused, unless it holds the file `replaces`.
    replaces
        Name of a file by which an older folder of the same kind is known; `ANYTHING` for a place that is ours.
    """

    def __init__(self, place: Path, *, replaces: str | None = None) -> None:
        self.place = place
        self._replaces = replaces
        if not self._free():
            raise InputError("is there and not empty", file=str(place), hint="name a new folder")
        try:
            make_folders(place.parent)
            sweep(place.parent)
            self._claim = claim_folder(place.parent, f".{place.name}")
            self.path = self._claim.path / "new"
            self.path.mkdir()
        except OSError as error:
            raise _cannot(error, place, "folder") from error

    def finish(self) -> None:
        """Bring everything to disk and put the folder in its place."""
        try:
            _tree_to_disk(self.path)
            replaced = self._replaces is not None and os.path.lexists(self.place) and self._free()
            if not (replaced and _swap(self.path, self.place)):
                if replaced:
                    # Where the system cannot swap two folders in one step, the old one goes aside first. Should this
                    # end between the two steps, the next process to write here completes it.
                    self.place.rename(self._claim.path / "old")
                self.path.rename(self.place)
            to_disk(self.place.parent)
        except OSError as error:
            raise _cannot(error, self.place, "folder") from error
        self.discard()

    def discard(self) -> None:
        """Remove what is not in its place; after `finish` that is what was replaced."""
        self._claim.remove()

    def _free(self) -> bool:
        if self._replaces == ANYTHING or not os.path.lexists(self.place):
            return True
        if not self.place.is_dir():
            return False
        return not any(self.place.iterdir()) or bool(self._replaces and (self.place / self._replaces).exists())


@contextlib.contextmanager
def whole_folder(path: Path, *, replaces: str | None = None) -> Iterator[Path]:
    """A folder to fill; it appears under its own name whole, or not at all.

    Parameters
    ----------
    path, replaces
        As of `HalfFolder`.
    """
    half = HalfFolder(path, replaces=replaces)
    try:
        with _disk_named(path):
            yield half.path
        half.finish()
    finally:
        half.discard()


@contextlib.contextmanager
def whole_files(folder: Path) -> Iterator[Path]:
    """A folder to fill with files that appear in `folder` together, beside those that are there, or not at all.

    A new or empty folder appears in one step. Into one that holds files already they are renamed one after the other,
    once all of them are on disk: nothing but the end of the process can come between.
    """
    folder = folder.resolve()
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir()) and not _in_use(folder)):
        with whole_folder(folder) as half:
            yield half
        return
    try:
        sweep(folder)
        claim = claim_folder(folder, ".files")
    except OSError as error:
        raise _cannot(error, folder, "folder") from error
    with claim:
        with _disk_named(folder):
            yield claim.path
        try:
            _tree_to_disk(claim.path)
            for path in sorted(claim.path.iterdir()):
                path.replace(folder / path.name)
            to_disk(folder)
        except OSError as error:
            raise _cannot(error, folder, "folder") from error


def make_folders(path: Path) -> None:
    """Make a folder and those above it, and bring their names to disk: what is put there could be lost with them."""
    missing = []
    for folder in (path, *path.parents):
        if folder.exists():
            break
        missing.append(folder)
    path.mkdir(parents=True, exist_ok=True)
    for folder in reversed(missing):
        to_disk(folder.parent)


def to_disk(path: Path) -> None:
    """Wait until a file, or the list of names in a folder, is on disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        # Some file systems keep no list of names that could be waited for.
        if error.errno not in (errno.EINVAL, errno.ENOTSUP) or not path.is_dir():
            raise
    finally:
        os.close(descriptor)


def _swap(path: Path, other: Path) -> bool:
    """Let two paths change places in one step; false where the system or the file system has no such call."""
    library, names = ctypes.CDLL(None), (os.fsencode(path), os.fsencode(other))
    if hasattr(library, "renameat2"):  # Linux
        return bool(library.renameat2(_HERE, names[0], _HERE, names[1], _EXCHANGE) == 0)
    return hasattr(library, "renamex_np") and bool(library.renamex_np(*names, _EXCHANGE) == 0)  # macOS


def _tree_to_disk(folder: Path) -> None:
    for path in (*folder.rglob("*"), folder):
        to_disk(path)


def _in_use(folder: Path) -> bool:
    """Whether another folder must not take its place: a shell stands in it, or a disk is mounted there."""
    return folder == Path.cwd() or folder.is_mount()


@contextlib.contextmanager
def _disk_named(folder: Path) -> Iterator[None]:
    """Say of a full or broken disk which folder was to be filled: libraries that write files do not."""
    try:
        yield
    except OSError as error:
        if error.errno not in (*_FULL, errno.EIO):
            raise
        raise _cannot(error, folder, "folder") from error


def _cannot(error: OSError, path: Path, kind: str) -> InputError:
    if isinstance(error, FileNotFoundError) and not path.parent.exists():
        return InputError(
            "cannot be written (folder {folder} does not exist)",
            file=str(path),
            hint="make the folder first",
            values={"folder": str(path.parent)},
        )
    reason = os.strerror(error.errno) if error.errno else error.strerror or error
    hint = "make room on that disk" if error.errno in _FULL else f"name another {kind}"
    return InputError(f"cannot be written ({reason})", file=str(path), hint=hint)


def cache_folder(url: str, database: str = "") -> Path:
    """Where the arrays of the graph are kept, and what else can be made again.

    Parameters
    ----------
    url, database
        The store, and which database of its server it is; empty for the default one.
    """
    return _folder(url, database, "XDG_CACHE_HOME", ".cache")


def runs_folder(url: str, database: str = "") -> Path:
    """Where answers are kept; the parameters are those of `cache_folder`."""
    return _folder(url, database, "XDG_DATA_HOME", ".local/share") / "runs"


def _folder(url: str, database: str, variable: str, default: str) -> Path:
    """Beside a store that is a path; for a server, in the user's folder, by a digest of its URL and database."""
    if "://" not in url:
        return Path(f"{url.removeprefix(SCHEME)}.seedrank")
    base = Path(os.environ.get(variable) or Path.home() / default)
    # The default database goes by the URL alone.
    place = f"{url} {database}" if database else url
    return base / "seedrank" / hashlib.sha256(place.encode()).hexdigest()[:16]


# -- what is half-written

_FULL = (errno.ENOSPC, errno.EDQUOT)
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
