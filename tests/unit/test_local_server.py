"""The local server of `seedrank db`: which line it is of, its folder, and who may log in; without a server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import seedrank
from seedrank import graphdb
from seedrank.core.errors import StoreError, UsageError
from seedrank.graphdb.server import Server, down, free_port, is_running, local, login, running, status, up
from seedrank.graphdb.server.versions import LINES
from seedrank.graphdb.store import gds

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of the user's data, and no password in the environment."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("NEO4J_PASSWORD", raising=False)
    return tmp_path / "seedrank"


@pytest.fixture
def start() -> Iterator[Callable[..., Server]]:
    """Makes a server look as if it ran: a process with its command line, a password and a state."""
    processes = []

    def start(**settings: object) -> Server:
        server = Server(**settings)  # type: ignore[arg-type]
        server.home.mkdir(parents=True, exist_ok=True)
        server.make_password()
        arguments = [f"--home-dir={server.home}", f"--config-dir={server.conf}"]
        process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)", *arguments])
        processes.append(process)
        server.keep_state(kind="java", pid=process.pid)
        return server

    yield start
    for process in processes:
        process.kill()
        process.wait()


@pytest.fixture
def command(folder: Path) -> Run:
    def command(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        line = [sys.executable, "-m", "seedrank.cli.main", *arguments]
        return subprocess.run(line, capture_output=True, text=True, env={**os.environ, **environment})

    return command


def test_each_line_has_a_folder(folder):
    assert Server().home == Server(neo4j="5.26").home == folder / "neo4j"
    assert Server(neo4j="2026.01").home == folder / "neo4j-2026.01"
    with pytest.raises(UsageError, match=r"unknown Neo4j version '4\.4'; choose 5\.26 or 2026\.01"):
        Server(neo4j="4.4")


def test_the_line_is_the_one_used_last(start):
    assert local().neo4j == "5.26"
    assert local("2026.01").neo4j == "2026.01"
    for neo4j, port in (("2026.01", 7787), ("5.26", 7687), ("2026.01", 7787)):
        down(start(neo4j=neo4j, port=port))
        assert (local().neo4j, local().port) == (neo4j, port)


def test_one_line_runs_at_a_time(start):
    server = start(neo4j="2026.01")
    assert local() == local("2026.01") == running() == server
    with pytest.raises(
        StoreError, match=r"^Neo4j 2026\.01 is running, and one line .*; stop it with `seedrank db down`$"
    ):
        local("5.26")
    # The name of one folder begins like that of the other.
    Server().home.mkdir(parents=True)
    Server().keep_state(kind="java", pid=server.state()["pid"])
    assert not is_running(Server())
    assert down(local())
    assert local("5.26").neo4j == "5.26"


@pytest.mark.parametrize(
    ("state", "neo4j", "wrote"),
    [({"neo4j": "5.26"}, "2026.01", "5.26"), ({}, "2026.01", "5.26"), ({"neo4j": "2026.01"}, "5.26", "2026.01")],
)
def test_a_folder_of_another_line_is_refused(tmp_path, state, neo4j, wrote):
    """Also one whose state is gone."""
    server = Server(tmp_path / "server", neo4j=neo4j)
    server.data.mkdir(parents=True)
    (server.data / "databases").mkdir()
    if state:
        (server.home / "server.json").write_text(json.dumps({"kind": "java", "pid": 1, **state}))
    with pytest.raises(StoreError, match=rf"was written by Neo4j {wrote}, and Neo4j {neo4j} does not open it; "):
        up(server, use_docker=False)
    assert server.state().get("neo4j") == state.get("neo4j")


def test_the_password_is_found_for_the_url_of_the_local_server_only(start):
    assert login("neo4j://127.0.0.1:7687") is None
    server = start(port=7688)
    mine = ("neo4j", server.password())
    assert login(server.url) == login("bolt://localhost:7688") == login("NEO4J://LOCALHOST:7688/") == mine
    for url in (
        "neo4j://127.0.0.1:7687",
        "neo4j://localhost",
        "neo4j+s://localhost:7688",
        "neo4j://example.org:7688",
        "neo4j://localhost:x",
    ):
        assert login(url) is None, url


def test_a_store_called_neo4j_needs_a_server_and_a_path_does_not(tmp_path, monkeypatch, start):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StoreError, match=r"no local Neo4j is running; `seedrank db up` starts one .* \./neo4j"):
        graphdb.open_store("neo4j")
    for name in ("./neo4j", Path("neo4j")):
        with seedrank.open(name, create=True) as bench:
            assert bench.stats().pages == 0
    # The word goes to the server that runs; this one does not answer.
    server = start(port=free_port())
    with pytest.raises(StoreError, match=rf"no Neo4j server answers at {server.url}"):
        graphdb.open_store("neo4j")


def test_the_environment_holds_before_the_folder(start, monkeypatch):
    server = start(port=free_port())
    assert graphdb._login(server.url) == (server.url, ("neo4j", server.password()))
    monkeypatch.setenv("NEO4J_PASSWORD", "of-another-user")
    assert graphdb._login(server.url) == (server.url, None)
    assert graphdb._login("neo4j") == (server.url, ("neo4j", server.password()))


@pytest.mark.slow
def test_lines_for_a_shell(start, command, tmp_path):
    refused = command("db", "env")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "no local Neo4j is running" in refused.stderr
    server = start(home=tmp_path / "seedrank" / "neo4j")
    printed = command("db", "env")
    assert server.password() not in printed.stdout
    shell = 'eval "$LINES_"; echo "$NEO4J_URI $NEO4J_USERNAME $NEO4J_PASSWORD"'
    told = subprocess.run(["sh", "-c", shell], env={"LINES_": printed.stdout, "PATH": os.environ["PATH"]}, text=True,
                          capture_output=True, check=True).stdout  # fmt: skip
    assert told.split() == [server.url, "neo4j", server.password()]


def test_a_folder_with_spaces_and_quotes_is_quoted(tmp_path):
    server = Server(tmp_path / "o'clock $HOME")
    server.home.mkdir()
    server.make_password()
    shell = "\n".join([*server.environment(), 'echo "$NEO4J_PASSWORD"'])
    told = subprocess.run(["sh", "-c", shell], text=True, capture_output=True, check=True).stdout
    assert told.strip() == server.password()


@pytest.mark.slow
def test_a_second_line_names_db_down(start, command):
    start(neo4j="2026.01")
    refused = command("db", "up", "--neo4j", "5.26")
    assert refused.returncode == 1
    assert refused.stderr == (
        "seedrank: Neo4j 2026.01 is running, and one line runs at a time; stop it with `seedrank db down`\n"
    )


@pytest.mark.parametrize("setting", [("--heap", "8g"), ("--port", "7999")])
def test_settings_of_a_server_that_runs_are_not_ignored(start, command, setting):
    start(port=free_port(), heap="512m")
    refused = command("db", "up", *setting)
    assert refused.returncode == 1
    assert "Neo4j 5.26 runs already, with --heap 512m and --port" in refused.stderr
    assert "`seedrank db down`" in refused.stderr


def test_files_that_a_server_deletes_meanwhile_have_no_size():
    server = Server()
    place = server.data / "transactions"
    place.mkdir(parents=True)
    (place / "stays").write_bytes(b"12345")
    done = threading.Event()

    def rotate() -> None:
        while not done.is_set():
            for number in range(50):
                (place / str(number)).touch()
            for number in range(50):
                (place / str(number)).unlink()

    writer = threading.Thread(target=rotate)
    writer.start()
    try:
        assert {status(server).bytes for _ in range(100)} == {5}
    finally:
        done.set()
        writer.join()


def test_the_url_of_a_server_that_is_down_says_how_to_start_it(command):
    refused = command("--store", f"neo4j://127.0.0.1:{free_port()}", "stats", NEO4J_PASSWORD="")
    assert refused.returncode == 1
    assert "needs a password; set NEO4J_PASSWORD" in refused.stderr
    assert "`seedrank db up`" in refused.stderr


def test_a_server_without_gds_says_why():
    class Store:
        url = "neo4j://localhost:7687"
        gds_problem = "the server has no GDS: it could not be fetched"

    with pytest.raises(StoreError) as caught:
        gds(Store(), "the gds engine")  # type: ignore[arg-type]
    assert str(caught.value).startswith(
        "neo4j://localhost:7687: the server has no GDS: it could not be fetched; the gds engine needs Neo4j with GDS; "
    )


def test_the_command_line_offers_every_line():
    from seedrank.cli.db import Line

    assert [line.value for line in Line] == list(LINES)
