"""Finding Java and Maven, with how to get them where they are missing."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

from seedrank.core.errors import StoreError

__all__ = ["find_java", "find_maven"]

_VERSIONS = (17, 21)
_HOW = "install it (Debian, Ubuntu: apt install openjdk-17-jdk-headless; macOS: brew install openjdk@21), set JAVA_HOME"


def find_java() -> str:
    """The ``java`` of ``JAVA_HOME``, else of the path; Neo4j 5.26 runs on Java 17 and 21."""
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home) / "bin" / "java") if home else shutil.which("java")
    if java is None:
        raise StoreError("there is no Java, and Neo4j needs Java 17 or 21", hint=_HOW)
    try:
        answer = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        raise StoreError(f"{java} does not run, and Neo4j needs Java 17 or 21", hint=_HOW) from error
    found = re.search(r'version "(?:1\.)?(\d+)', answer.stderr + answer.stdout)
    version = int(found[1]) if found else 0
    if version not in _VERSIONS:
        raise StoreError(f"{java} is Java {version or 'of an unknown version'}, and Neo4j needs 17 or 21", hint=_HOW)
    return java


def find_maven() -> str:
    """The ``mvn`` of the path, which fetches the server once."""
    maven = shutil.which("mvn")
    if maven is None:
        raise StoreError(
            "there is no Maven (mvn), which fetches Neo4j where Docker cannot",
            hint="install it (Debian, Ubuntu: apt install maven; macOS: brew install maven), or start Docker",
        )
    return maven
