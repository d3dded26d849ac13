"""How a store's file is replaced: one writer at a time, into a copy that is synced and then renamed over the store.

    web.duckdb            the store; whoever has it open keeps the state they opened
    web.duckdb.lock       held (``flock``) by the one writer, and removed by it
    web.duckdb.writing    the copy being written

A database that is written in place can be destroyed by a power cut; a renamed file is there as it was, or as it is.
What a killed writer leaves behind is not locked any more: the next writer takes it over, readers do not look at it.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import shutil
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from seedrank.core.errors import StoreBusy, StoreError
from seedrank.core.files import same_file, to_disk
from seedrank.core.resources import require_disk

__all__ = ["WriteLock", "is_locked", "left_over"]

_LOCK, _COPY, _LOG = ".lock", ".writing", ".wal"
_POLL = 0.05
_NO_RANGE_COPY = (errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL, errno.EXDEV, errno.EPERM)


class WriteLock:
    """The right to write a store, from its making to `release`; use it as a context manager.

    Parameters
    ----------
    path
        The store. A link is followed: what it leads to is written.
    wait
        Seconds to wait for another writer before giving up.
    """

    def __init__(self, path: Path, wait: float = 0.0) -> None:
        self.path = path.resolve()
        self._descriptor = _take(self.path, path, wait)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    def release(self) -> None:
        """Let the next writer in; safe to call twice."""
        if self._descriptor < 0:
            return
        # Removed while it is held: who waits for it sees that it is gone, and makes a new one.
        with contextlib.suppress(OSError):
            _beside(self.path, _LOCK).unlink()
        os.close(self._descriptor)
        self._descriptor = -1

    def tidy(self) -> None:
        """Remove what a killed writer left; the lock goes when it is released."""
        with _explained(self.path):
            _remove(_beside(self.path, _COPY))

    @contextlib.contextmanager
    def copy(self, more: int = 0) -> Iterator[Path]:
        """A copy of the store to write into, which then takes its place; on failure it is removed.

        Where there is no store yet, nothing is at the path that is given. The database must have completed and closed
        its file when the context ends.

        Parameters
        ----------
        more
            About how many bytes will be added.
        """
        copy = _beside(self.path, _COPY)
        try:
            with _explained(self.path):
                _remove(copy)
                before = self.path.stat() if self.path.exists() else None
                _refuse_log(self.path)
                size = 0 if before is None else before.st_size
                require_disk(size + more, self.path.parent, f"writing {self.path.name}")
                if size:
                    _copy_file(self.path, copy)
            yield copy
            with _explained(self.path):
                if _beside(copy, _LOG).exists():
                    raise StoreError(f"{self.path}: the database did not complete its file", hint="run it again")
                if before is not None:
                    _keep_owner(copy, before)
                to_disk(copy)
                copy.replace(self.path)
                to_disk(self.path.parent)
        finally:
            with contextlib.suppress(OSError):
                _remove(copy)


def is_locked(path: Path) -> bool:
    """Whether a writer is at work on a store; also where that cannot be told."""
    try:
        descriptor = os.open(_beside(path.resolve(), _LOCK), os.O_RDONLY | os.O_NOFOLLOW)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(descriptor)
    return False


def left_over(path: Path) -> list[Path]:
    """Files that a killed writer left beside a store that is not locked."""
    path = path.resolve()
    beside = (_beside(path, _COPY), _beside(path, _COPY + _LOG), _beside(path, _LOCK))
    return [file for file in beside if file.exists()]


def _take(path: Path, named: Path, wait: float) -> int:
    """The descriptor that holds the lock."""
    place, until = _beside(path, _LOCK), time.monotonic() + wait
    while True:
        try:
            descriptor = os.open(place, os.O_CREAT | os.O_RDONLY | os.O_NOFOLLOW, 0o666)
        except FileNotFoundError:
            raise StoreError(
                f"{named}: its folder does not exist", hint=f"make the folder {path.parent} first"
            ) from None
        except PermissionError:
            raise StoreError(
                f"{named} may not be written by you", hint=f"its folder {path.parent} must be writable too"
            ) from None
        except OSError as error:
            raise _failed(named, error) from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            left = until - time.monotonic()
            if left <= 0:
                raise StoreBusy(
                    "{path} is being written by another command",
                    hint="run it again when that is done, or wait for it: {wait=60}",
                    fields=("wait",),
                    values={"path": named},
                ) from None
            time.sleep(min(_POLL, left))
            continue
        except BaseException as error:
            os.close(descriptor)
            if isinstance(error, OSError):
                raise _failed(named, error) from error
            raise
        if same_file(place, descriptor):
            return descriptor
        os.close(descriptor)


def _copy_file(source: Path, target: Path) -> None:
    """Copy by reference where the file system shares blocks (btrfs, XFS), and otherwise byte by byte."""
    if hasattr(os, "copy_file_range"):
        with source.open("rb") as given, target.open("wb") as taken:
            try:
                while os.copy_file_range(given.fileno(), taken.fileno(), 1 << 30):
                    pass
                return
            except OSError as error:
                if error.errno not in _NO_RANGE_COPY:
                    raise
    shutil.copyfile(source, target)


def _refuse_log(path: Path) -> None:
    """Refuse a store with changes that another program has not completed: a copy of the file would lose them."""
    log = _beside(path, _LOG)
    if log.exists():
        raise StoreError(
            f"{path} has changes by another program that are only in {log.name}",
            hint="open it with that program and run CHECKPOINT",
        )


def _keep_owner(copy: Path, before: os.stat_result) -> None:
    with contextlib.suppress(OSError):
        os.chown(copy, before.st_uid, before.st_gid)
    copy.chmod(stat.S_IMODE(before.st_mode))


def _remove(copy: Path) -> None:
    for file in (copy, _beside(copy, _LOG)):
        file.unlink(missing_ok=True)


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


@contextlib.contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise _failed(path, error) from error


def _failed(path: Path, error: OSError) -> StoreError:
    full = error.errno in (errno.ENOSPC, errno.EDQUOT)
    hint = "make room on the disk and run it again: what was there before is safe" if full else None
    return StoreError(f"{path} could not be written: {error.strerror or error}", hint=hint)
