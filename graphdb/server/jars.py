"""The jars of a server: where they are, and that they are those this version of seedrank was tested with.

The list of jars has a line each, ``<sha256> <bytes> <path>``, by path. The SHA-256 of the list is kept with the line
(`seedrank.graphdb.server.versions`); the list is written beside the jars, so that a jar which differs later can be
named.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from seedrank.core.errors import StoreError
from seedrank.core.files import whole_file
from seedrank.graphdb.server.versions import Line

__all__ = ["Jars", "check", "digest", "listing"]

_LIST = "jars.txt"


class Jars:
    """A folder with ``lib`` (the server) and ``plugins`` (the Graph Data Science library)."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.lib = folder / "lib"
        self.plugins = folder / "plugins"

    def class_path(self, conf: Path) -> str:
        """What Java is given to find everything."""
        return os.pathsep.join(f"{folder}/*" for folder in (self.plugins, conf, self.lib))


def listing(jars: Jars) -> str:
    """The list of all files in ``lib`` and ``plugins``."""
    found = sorted(
        (file.relative_to(jars.folder).as_posix(), file)
        for folder in (jars.lib, jars.plugins)
        for file in folder.rglob("*")
        if not file.is_dir()
    )
    return "".join(f"{_sha256(file)} {file.stat().st_size} {path}\n" for path, file in found)


def digest(listed: str) -> str:
    """SHA-256 of a list."""
    return hashlib.sha256(listed.encode()).hexdigest()


def check(jars: Jars, line: Line) -> None:
    """Refuse jars other than those of the line, and name the first that differs where that is known."""
    listed = listing(jars)
    kept = jars.folder / _LIST
    if digest(listed) == line.jars:
        if not kept.exists():
            with whole_file(kept) as half:
                half.write_text(listed, encoding="utf-8")
        return
    before = kept.read_text(encoding="utf-8", errors="replace") if kept.exists() else ""
    if digest(before) == line.jars:
        raise StoreError(
            f"{_difference(_by_path(before), _by_path(listed))} since Neo4j was fetched into {jars.folder}",
            hint="delete that folder, and `seedrank db up` fetches it again",
        )
    raise StoreError(
        f"the jars of Neo4j {line.name} in {jars.folder} are not those that seedrank was tested with",
        hint="delete that folder, and `seedrank db up` fetches it again",
    )


def _difference(before: dict[str, str], now: dict[str, str]) -> str:
    """The first jar that differs, with how."""
    path = min(path for path in before.keys() | now.keys() if before.get(path) != now.get(path))
    if path not in now:
        return f"{path} was removed"
    return f"{path} was {'changed' if path in before else 'added'}"


def _by_path(listed: str) -> dict[str, str]:
    """What a list says of each path."""
    rows = (row.split(" ", 2) for row in listed.splitlines())
    return {path: f"{sha256} {size}" for sha256, size, path in rows}


def _sha256(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
