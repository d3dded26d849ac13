"""A managed server without a server: settings, ports, Java and Maven, and what is said when they are wrong."""

from __future__ import annotations

import os
import re
import socket
import stat
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from seedrank.core.errors import StoreError, UsageError
from seedrank.graphdb.server import Server, docker, down, is_running, process, status, up
from seedrank.graphdb.server.assemble import Jars, assemble, digest, jars_folder, listing
from seedrank.graphdb.server.bulk import bulk_load
from seedrank.graphdb.server.config import check_port, free_port
from seedrank.graphdb.server.versions import LINES

FAKE_JAVA = """#!/bin/sh
case "$*" in
  -version) echo 'openjdk version "{version}" 2025-01-01' >&2 ;;
  *AdminTool*) echo "$@" > "{folder}/admin-arguments"; cat "${{@#@}}" > /dev/null 2>&1; exit {admin} ;;
  *) echo 'INFO  Starting...'; echo 'ERROR Failed to start Neo4j: the disk is on fire'; exit 3 ;;
esac
"""

FAKE_DOCKER = """#!/bin/sh
echo "$@" >> "{folder}/docker-calls"
case "$*" in
  info*) {info} ;;
  image*) exit {missing} ;;
  pull*) echo 'Error response from daemon: no such host' >&2; exit 1 ;;
  *neo4j-admin*) echo 'ERROR the files are odd'; exit 70 ;;
  run*) cp "$(echo "$*" | sed 's/.*--env-file \\([^ ]*\\).*/\\1/')" "{folder}/env"; exit 125 ;;
  *) exit 1 ;;
esac
"""


@pytest.fixture
def server(tmp_path: Path) -> Server:
    return Server(tmp_path / "home", port=free_port(), http_port=free_port(), heap="1g")


def fake_java(folder: Path, monkeypatch: pytest.MonkeyPatch, version: str = "17.0.2", admin: int = 0) -> None:
    """A program in place of Java, and two files in place of the jars."""
    java = folder / "java" / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(FAKE_JAVA.format(version=version, folder=folder, admin=admin))
    java.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(folder / "java"))
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "data"))
    jars = Jars(jars_folder(LINES["5.26"]))
    for kind in (jars.lib, jars.plugins):
        kind.mkdir(parents=True)
        (kind / "some.jar").write_bytes(b"jar")
    monkeypatch.setitem(LINES, "5.26", replace(LINES["5.26"], jars=digest(listing(jars))))  # type: ignore[arg-type]


def fake_docker(folder: Path, monkeypatch: pytest.MonkeyPatch, *, engine: bool = True, has_image: bool = True) -> Path:
    """A program in place of Docker; returns the list of what it was asked."""
    program = folder / "bin" / "docker"
    program.parent.mkdir()
    info = "echo 28.0" if engine else "exit 1"
    program.write_text(FAKE_DOCKER.format(folder=folder, info=info, missing=0 if has_image else 1))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    return folder / "docker-calls"


def test_defaults_are_neo4js_ports_in_the_users_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    server = Server()
    assert (server.home, server.url) == (tmp_path / "seedrank" / "neo4j", "neo4j://127.0.0.1:7687")
    assert server.browser == "http://127.0.0.1:7474/browser/"
    assert Server(port=17687).http_port == 17474


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"port": 80}, "port 80 cannot"),
        ({"port": 70_000}, "port 70000 cannot"),
        ({"port": 1100}, "HTTP port 887 cannot"),
        ({"heap": "2"}, "'2' is not a size of the heap; write it like"),
        ({"heap": "-Xmx"}, "not a size of the heap"),
        ({"page_cache": "1g -Dx"}, "not a size of the page cache"),
    ],
)
def test_settings_that_cannot_be(wrong: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        Server(**wrong)  # type: ignore[arg-type]


def test_the_password_is_random_and_for_the_user_only(server: Server) -> None:
    server.home.mkdir()
    server.make_password()
    first = server.password()
    # Nothing a shell, a URL or neo4j-admin would take for something else, such as a "-" in front.
    assert re.fullmatch(r"[0-9a-f]{32}", first)
    assert stat.S_IMODE(server.password_file.stat().st_mode) == 0o600
    server.make_password()
    assert server.password() != first
    server.password_file.unlink()
    with pytest.raises(StoreError, match="--wipe"):
        server.password()


def test_settings_listen_on_loopback_only(server: Server, tmp_path: Path) -> None:
    server.write_conf(Jars(tmp_path))
    conf = server.conf / "neo4j.conf"
    written = conf.read_text()
    conf.write_text(written + "# of ours\ndb.logs.query.enabled=INFO\nserver.memory.heap.max_size=64g\n")
    for _ in range(2):
        server.write_conf(Jars(tmp_path))
        assert conf.read_text() == written + "# of ours\ndb.logs.query.enabled=INFO\n"
    text = (server.conf / "neo4j.conf").read_text()
    lines = dict(line.split("=", 1) for line in text.splitlines() if line[0] != "#")
    addresses = [value for name, value in lines.items() if name.endswith("listen_address")]
    assert len(addresses) == 3 and all(value.startswith("127.0.0.1") for value in addresses)
    assert lines["server.bolt.advertised_address"] == f"127.0.0.1:{server.port}"


def test_a_taken_port(server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fake_java(tmp_path, monkeypatch)
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", server.port))
        sock.listen()
        with pytest.raises(StoreError, match=f"port {server.port} is taken.*choose another with port"):
            up(server, use_docker=False)
    check_port(server.port)


def test_maven_that_fails_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    maven = tmp_path / "bin" / "mvn"
    maven.parent.mkdir()
    maven.write_text("#!/bin/sh\necho '[ERROR] Could not resolve dependencies'; exit 1\n")
    maven.chmod(0o755)
    monkeypatch.setenv("PATH", f"{maven.parent}:{os.environ['PATH']}")
    with pytest.raises(StoreError, match=r"could not fetch Neo4j: .*resolve dependencies; check the network"):
        assemble(LINES["5.26"], folder=tmp_path / "jars" / "abc")
    assert list((tmp_path / "jars").iterdir()) == []


def test_a_server_that_dies_while_it_starts(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_java(tmp_path, monkeypatch)
    with pytest.raises(StoreError, match=r"ended while it started: ERROR .*the disk is on fire; see .*console\.log"):
        up(server, use_docker=False)
    assert not is_running(server)
    assert server.password() not in (tmp_path / "admin-arguments").read_text()
    assert not list(server.home.glob(".initial-*"))
    assert status(server).running is False


def test_an_admin_command_that_fails(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_java(tmp_path, monkeypatch, admin=1)
    with pytest.raises(StoreError, match=r"neo4j-admin dbms set-initial-password @\S+ failed"):
        up(server, use_docker=False)


def test_only_a_process_of_this_folder_is_ours(server: Server) -> None:
    """After a restart of the machine the number in the file may be anyone's."""
    server.home.mkdir()
    other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    try:
        server.keep_state(kind="java", pid=other.pid)
        assert not is_running(server)
        assert down(server) is False
        assert other.poll() is None
    finally:
        other.kill()
        other.wait()
    server.keep_state(kind="java", pid=2**22 - 1)
    assert not is_running(server)


@pytest.mark.slow
def test_stop_ends_what_does_not_listen() -> None:
    deaf = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import signal, time; signal.signal(15, signal.SIG_IGN); print(1, flush=True); time.sleep(60)",
        ],
        stdout=subprocess.PIPE,
    )
    assert deaf.stdout is not None and deaf.stdout.readline()
    started = time.monotonic()
    process.stop(deaf.pid, seconds=0.3)
    assert not process.alive(deaf.pid)
    assert time.monotonic() - started < 30
    deaf.stdout.close()
    deaf.returncode = -9


def test_the_line_that_says_why(tmp_path: Path) -> None:
    log = tmp_path / "log"
    assert process.last_error(log) == "it left no log"
    log.write_text("")
    assert process.last_error(log) == "it printed nothing"
    log.write_text("INFO one\nINFO two\n")
    assert process.last_error(log) == "INFO two"
    log.write_text("ERROR first\nx.Exception: y\nCaused by: a\n  Caused by: root\n at z\n")
    assert process.last_error(log) == "Caused by: root"


def test_bulk_only_into_a_server_of_ours(server: Server) -> None:
    with pytest.raises(StoreError, match=r"no server that seedrank manages.*leave out bulk"):
        bulk_load(server, None, None)  # type: ignore[arg-type]


def test_an_image_that_cannot_be_pulled_leaves_the_way_by_maven(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    fake_java(tmp_path, monkeypatch)
    fake_docker(tmp_path, monkeypatch, has_image=False)
    monkeypatch.setenv("SEEDRANK_NEO4J_IMAGE", "neo4j:none")
    with pytest.raises(StoreError, match="the disk is on fire"):
        up(server)
    assert server.state()["kind"] == "java"
    [remark] = [record.getMessage() for record in caplog.records if record.name == "seedrank.graphdb.server.docker"]
    assert re.search(r"image neo4j:none is not here and cannot be pulled: .*no such host; .*by Maven", remark)


@pytest.mark.parametrize(
    ("engine", "said"),
    [
        (True, r"cannot be pulled: .*no such host; check the network.*--wipe"),
        (False, r"no Docker engine.*start Docker"),
    ],
)
def test_data_in_a_volume_is_not_left_for_an_empty_server(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engine: bool, said: str
) -> None:
    """What ran in Docker runs there again or not at all: the data is there."""
    fake_docker(tmp_path, monkeypatch, engine=engine, has_image=False)
    server.home.mkdir()
    server.make_password()
    server.keep_state(kind="docker", container=docker.container_name(server))
    password = server.password()
    with pytest.raises(StoreError, match=said):
        up(server)
    assert server.password() == password


def test_dockers_command_line_does_not_show_the_password(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = fake_docker(tmp_path, monkeypatch)
    with pytest.raises(StoreError, match="docker run failed: it printed nothing; check Docker"):
        up(server)
    assert server.password() not in calls.read_text()
    ports = re.findall(r"-p (\S+)", calls.read_text())
    assert ports == [f"127.0.0.1:{server.port}:7687", f"127.0.0.1:{server.http_port}:7474"]
    assert f"NEO4J_AUTH=neo4j/{server.password()}\n" in (tmp_path / "env").read_text()
    [file] = re.findall(r"--env-file (\S+)", calls.read_text())
    assert not Path(file).exists()


def test_an_admin_command_that_fails_in_docker(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = fake_docker(tmp_path, monkeypatch)
    folder = server.home / "import"
    folder.mkdir(parents=True, mode=0o700)
    (folder / "Page.csv").touch(0o600)
    (folder / docker.REPORT).mkdir()
    server.log.parent.mkdir()
    with pytest.raises(
        StoreError, match=r"neo4j-admin database import full failed: ERROR the files are odd; see .*log"
    ):
        docker.admin(server, ["database", "import", "full", "neo4j"], folder)
    # The image's own user reads the files; what it writes stays in the container.
    assert f"-v {folder}:{folder}:ro" in calls.read_text()
    assert f"--tmpfs {folder / docker.REPORT}:mode=1777" in calls.read_text()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o755
    assert stat.S_IMODE((folder / "Page.csv").stat().st_mode) == 0o644


def test_a_server_in_docker_without_docker(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    server.home.mkdir()
    server.make_password()
    server.keep_state(kind="docker", container=docker.container_name(server))
    assert status(server).running is False
    assert down(server) is False
    with pytest.raises(StoreError, match=r"no Docker engine answers.*start Docker"):
        up(server)
