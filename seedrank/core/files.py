"""Files and folders that appear whole or not at all, stay whole when the power goes, and where those of a store stand.

Everything is written under a name of its own, brought to disk (``fsync``) and only then renamed; the rename is brought
to disk too. What a dead process left half-written is swept by the next one that writes in the same folder.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

from seedrank.core.errors import InputError
from seedrank.core.spark_folder import SCHEME
from seedrank.core.temp_files import claim_file, claim_folder, sweep

__all__ = [
    "ANYTHING",
    "HalfFolder",
    "cache_folder",
    "make_folders",
    "runs_folder",
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


def _cannot(error: OSError, path: Path, kind: str) -> InputError:
    if isinstance(error, FileNotFoundError) and not path.parent.exists():
        return InputError(
            "cannot be written (folder {folder} does not exist)",
            file=str(path),
            hint="make the folder first",
            values={"folder": str(path.parent)},
        )
    return InputError(f"cannot be written ({error.strerror or error})", file=str(path), hint=f"name another {kind}")


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
