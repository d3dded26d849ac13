"""Fetching a server's jars with Maven, once for all servers of this user."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

import platformdirs

from seedrank.core.errors import InputError, StoreError
from seedrank.core.files import whole_folder
from seedrank.core.progress import Advance, Progress, silent
from seedrank.graphdb.server.jars import Jars, check, digest, listing
from seedrank.graphdb.server.java import find_java, find_maven
from seedrank.graphdb.server.versions import Line

__all__ = ["assemble", "data_folder", "jars_folder"]

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
