"""An export: its blocks of bytes, the statement on it, and the file that it becomes."""

from __future__ import annotations

import contextlib
import gzip
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from seedrank.core.errors import UsageError, shorten
from seedrank.core.files import whole_file
from seedrank.exporters.targets import Target

__all__ = ["Export", "check_name"]


@dataclass(frozen=True)
class Export:
    """Pages of a run in the format of a target."""

    target: Target = field(repr=False)
    about: dict[str, Any]
    """Target, runs, pages, and scale and direction of the score."""
    blocks: Callable[[], Iterator[bytes]] = field(repr=False)
    """Gives the file, block by block."""

    def write(self, file: Path) -> None:
        """Write it, compressed where the name ends in ``.gz``; it appears whole or not at all.

        A format without comments gets the statement beside it, as ``FILE.about.json``; a pipe or device does not.
        """
        check_name(self.target, file)
        with contextlib.ExitStack() as stack:
            half = stack.enter_context(whole_file(file, folder=_folder(file) if self.target.watched else None))
            if not self.target.header and half != file:
                # In its place just before the file: whoever sees the file finds it.
                beside = stack.enter_context(whole_file(file.with_name(f"{file.name}.about.json")))
                beside.write_text(json.dumps(self.about, indent=2) + "\n", encoding="utf-8")
            with _opened(half, file.suffix == ".gz") as sink:
                sink.writelines(self.blocks())


def check_name(target: Target, file: Path) -> None:
    """Refuse the name of a file that the program would not take."""
    if target.suffixes and not file.name.endswith(target.suffixes):
        raise UsageError(
            f"{target.name} does not take a file called {shorten(file.name)}",
            hint=f"let its name end in {' or '.join(target.suffixes)}",
        )


def _folder(file: Path) -> Path | None:
    """Beside the folder of a file, on the same disk: a crawler that watches the folder takes whatever is in it."""
    folder = file.resolve().parent
    try:
        same = folder.stat().st_dev == folder.parent.stat().st_dev
    except OSError:
        return None
    return folder.parent if same and os.access(folder.parent, os.W_OK) else None


@contextlib.contextmanager
def _opened(path: Path, packed: bool) -> Iterator[IO[bytes] | gzip.GzipFile]:
    with path.open("wb") as raw:
        if not packed:
            yield raw
            return
        # Without name and time, so that the same pages are the same bytes.
        with gzip.GzipFile("", "wb", 6, raw, mtime=0) as sink:
            yield sink
