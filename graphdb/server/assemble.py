"""The jars of a server: fetched with Maven, once for all servers of this user, and those that seedrank was tested with.

The list of jars has a line each, ``<sha256> <bytes> <path>``, by path. The SHA-256 of the list is kept with the line
(`seedrank.graphdb.server.versions`); the list is written beside the jars, so that a jar which differs later can be
named.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

import platformdirs

from seedrank.core.errors import InputError, StoreError
from seedrank.core.files import whole_file, whole_folder
from seedrank.core.progress import Advance, Progress, silent
from seedrank.graphdb.server.java import find_java, find_maven
from seedrank.graphdb.server.versions import Line

__all__ = ["Jars", "assemble", "check", "data_folder", "digest", "jars_folder", "listing"]


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


_COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy-dependencies"
_LIBRARY = "org.neo4j.gds"
_NEEDED_BYTES = 700 << 20
"""150 to 180 MB of jars, and about as much again and some in Maven's own cache."""


def data_folder() -> Path:
    """Where the user's data is kept: where the system wants it, on Linux ``$XDG_DATA_HOME/seedrank``."""
    return platformdirs.user_data_path("seedrank", appauthor=False)


def jars_folder(line: Line) -> Path:
    """Where the jars of a line are: another pom is another folder."""
    return data_folder() / "neo4j-jars" / hashlib.sha256(line.pom()).hexdigest()[:12]


def assemble(line: Line, progress: Progress = silent, folder: Path | None = None) -> Jars:
    """The jars of a line, fetched where they are not there yet, and checked.

    Parameters
    ----------
    folder
        Where they go; `jars_folder` by default. It appears whole or not at all, so several may try at once.
    """
    folder = folder or jars_folder(line)
    if not folder.is_dir():
        _fetch(line, progress, folder)
    jars = Jars(folder)
    # About a third of a second: cheaper than telling for sure that nothing was changed.
    check(jars, line)
    return jars


def _fetch(line: Line, progress: Progress, folder: Path) -> None:
    maven, environment = find_maven(line), find_java(line).maven_environment()
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
            tempfile.NamedTemporaryFile(prefix="seedrank-", suffix=".xml") as pom,
            progress(f"fetching Neo4j {line.name} and GDS with Maven (once), files") as advance,
        ):
            pom.write(line.pom())
            pom.flush()
            for kind, target in (("exclude", "lib"), ("include", "plugins")):
                command = [maven, "-B", "-f", pom.name, _COPY, "-DincludeScope=runtime"]
                command += [f"-D{kind}GroupIds={_LIBRARY}", f"-DoutputDirectory={half / target}"]
                _run(command, environment, half / target, advance)
            if digest(listing(Jars(half))) != line.jars:
                raise StoreError(
                    f"what Maven fetched for Neo4j {line.name} is not what seedrank was tested with",
                    hint="check the repository that Maven uses: a mirror of it may differ",
                )
    except InputError:
        # Another process was first.
        if not folder.is_dir():
            raise


def _run(command: list[str], environment: Mapping[str, str], target: Path, advance: Advance) -> None:
    """Run Maven, which prints a line for each file that it downloads."""
    failures = []
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as maven:
        assert maven.stdout is not None
        for line in maven.stdout:
            if "Downloaded from" in line or "Copying " in line:
                advance(1)
            elif "ERROR" in line:
                failures.append(line.strip())
    if maven.returncode or not any(target.glob("*.jar")):
        said = failures[0] if failures else "no jars came"
        hint = "check the network (and Maven's settings.xml behind a proxy), then try again"
        if "PKIX" in said:
            hint = "name a trust store with your certificate authority: MAVEN_OPTS=-Djavax.net.ssl.trustStore=FILE"
        raise StoreError(f"Maven could not fetch Neo4j: {said}", hint=hint)
