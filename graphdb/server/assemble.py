"""Fetching the server's jars with Maven, once for all servers of this user."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from importlib.resources import as_file, files
from pathlib import Path

from graphdb.server.java import find_maven
from seedrank.core.errors import InputError, StoreError
from seedrank.core.files import whole_folder
from seedrank.core.progress import Progress, silent

__all__ = ["Jars", "assemble", "data_folder", "jars_folder"]

_COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies"
_LIBRARY = "org.neo4j.gds"
_NEEDED_BYTES = 700 << 20
"""152 MB of jars, and about as much again and some in Maven's own cache."""


class Jars:
    """A folder with ``lib`` (the server) and ``plugins`` (the Graph Data Science library)."""

    def __init__(self, folder: Path) -> None:
        self.lib = folder / "lib"
        self.plugins = folder / "plugins"

    def class_path(self, conf: Path) -> str:
        """What Java is given to find everything."""
        return os.pathsep.join(f"{folder}/*" for folder in (self.plugins, conf, self.lib))


def data_folder() -> Path:
    """Where the user's data is kept: ``$XDG_DATA_HOME/seedrank``, by default ``~/.local/share/seedrank``."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "seedrank"


def jars_folder() -> Path:
    """Where the jars of this version of the project stand: another pom is another folder."""
    pom = files("graphdb.server").joinpath("pom.xml").read_bytes()
    return data_folder() / "neo4j-jars" / hashlib.sha256(pom).hexdigest()[:12]


def assemble(progress: Progress = silent, folder: Path | None = None) -> Jars:
    """The jars, fetched where they are not there yet.

    Parameters
    ----------
    progress
        Told of the two steps.
    folder
        Where they stand; `jars_folder` by default. It appears whole or not at all, so several may try at once.
    """
    folder = folder or jars_folder()
    if folder.is_dir():
        return Jars(folder)
    maven = find_maven()
    folder.parent.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(folder.parent).free
    if free < _NEEDED_BYTES:
        raise StoreError(
            f"{folder.parent} has {free >> 20:,} MiB left, and fetching Neo4j takes {_NEEDED_BYTES >> 20:,}",
            hint="make room, or set XDG_DATA_HOME to a folder on another disk",
        )
    try:
        with (
            whole_folder(folder) as half,
            as_file(files("graphdb.server").joinpath("pom.xml")) as pom,
            progress("fetching Neo4j and GDS with Maven (once)", total=2) as advance,
        ):
            for kind, target in (("exclude", "lib"), ("include", "plugins")):
                _copy(maven, pom, f"-D{kind}GroupIds={_LIBRARY}", half / target)
                advance(1)
    except InputError:
        # Another process was first.
        if not folder.is_dir():
            raise
    return Jars(folder)


def _copy(maven: str, pom: Path, choice: str, target: Path) -> None:
    command = [maven, "-B", "-ntp", "-q", "-f", str(pom), _COPY, "-DincludeScope=runtime", choice]
    command.append(f"-DoutputDirectory={target}")
    answer = subprocess.run(command, capture_output=True, text=True, check=False)
    if answer.returncode or not any(target.glob("*.jar")):
        lines = [line for line in (answer.stdout + answer.stderr).splitlines() if "ERROR" in line]
        raise StoreError(
            f"Maven could not fetch Neo4j: {lines[0] if lines else 'no jars came'}",
            hint="check the network (and Maven's settings.xml behind a proxy), then try again",
        )
