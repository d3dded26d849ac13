"""Files and folders that appear whole or not at all."""

from __future__ import annotations

import contextlib
import os
import shutil
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
def whole_folder(path: Path) -> Iterator[Path]:
    """A folder to fill; it appears under its own name whole, or not at all. There must be none of that name yet."""
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_name(f".{path.name}.part")
    half.mkdir()
    try:
        yield half
        half.rename(path)
    except BaseException:
        shutil.rmtree(half, ignore_errors=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
