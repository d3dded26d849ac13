"""Files and folders that appear whole or not at all."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from seedrank.core.errors import InputError

__all__ = ["whole_file", "whole_folder"]


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A path to write to; the file appears under its own name whole, or not at all."""
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror})", file=str(path), hint="name another file") from error
    os.close(handle)
    half = Path(name)
    try:
        yield half
        half.chmod(0o666 & ~_umask())
        half.replace(path)
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror})", file=str(path), hint="name another file") from error
    finally:
        half.unlink(missing_ok=True)


@contextlib.contextmanager
def whole_folder(path: Path, *, replaces: str | None = None) -> Iterator[Path]:
    """A folder to fill; it appears under its own name whole, or not at all.

    Parameters
    ----------
    path
        Where it will stand. A folder that is there and not empty is refused, unless it holds the file `replaces`.
    replaces
        Name of a file by which an older folder of the same kind is known.
    """
    if path.exists() and (not path.is_dir() or any(path.iterdir())) and not (replaces and (path / replaces).exists()):
        raise InputError("is there and not empty", file=str(path), hint="name a new folder")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        aside = tempfile.TemporaryDirectory(prefix=f".{path.name}-", dir=path.parent)
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror})", file=str(path), hint="name another folder") from error
    with aside as name:
        half = Path(name) / "new"
        half.mkdir()
        yield half
        # A folder cannot be swapped for another in one step: the old one goes aside first.
        if path.exists():
            path.rename(Path(name) / "old")
        half.rename(path)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
