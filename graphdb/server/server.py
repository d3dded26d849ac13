"""`up`, `down` and `status` of a local Neo4j managed by seedrank, in a container or as a process."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from seedrank.core.errors import StoreError
from seedrank.core.progress import Progress, silent
from seedrank.graphdb import LOCAL
from seedrank.graphdb.neo4j import Neo4jStore, open_store
from seedrank.graphdb.server import docker, process
from seedrank.graphdb.server.assemble import assemble
from seedrank.graphdb.server.config import ADDRESS, USER, Server, check_port
from seedrank.graphdb.server.versions import FIRST, LINES
from seedrank.graphdb.store import HasGds

__all__ = ["Status", "admin", "connect", "down", "is_running", "local", "login", "running", "status", "up"]


_SECONDS_TO_START = 240.0
_NEEDED_BYTES = 1 << 30


@dataclass(frozen=True)
class Status:
    """What is known of a server."""

    running: bool
    line: str
    """Of Neo4j: 5.26 or 2026.01."""
    kind: str
    """``java``, ``docker``, or nothing where it was never started."""
    url: str
    browser: str
    version: str
    """Of Neo4j, empty when it does not answer."""
    gds: str
    """Of the Graph Data Science library, empty when it does not answer."""
    gds_problem: str
    """Why the library cannot be used; empty where it can, and when the server does not answer."""
    bytes: int
    """Size of its data; 0 of a container that is stopped."""
    password_file: Path
    log: Path


def up(server: Server, progress: Progress = silent, *, wipe: bool = False, use_docker: bool | None = None) -> Server:
    """Start a server and wait until it answers; does nothing where it runs.

    Parameters
    ----------
    wipe
        Delete its data first; it also gets a new password.
    use_docker
        Whether to run it in a container; by default as it ran last, else where a Docker engine answers and the image
        can be pulled.

    Returns
    -------
    Server
        The server with the ports it listens on.
    """
    if wipe:
        _delete(server)
    elif is_running(server):
        started = server.as_started()
        _wait(started, progress)
        return started
    if use_docker is None:
        kind = server.state().get("kind")
        use_docker = kind == "docker" if kind else docker.usable(server.line, progress)
    server.check_folder()
    server.home.mkdir(mode=0o700, parents=True, exist_ok=True)
    _check_space(server.home)
    check_port(server.port)
    check_port(server.http_port)
    if use_docker:
        _start_container(server, progress)
    else:
        _start_process(server, progress)
    _wait(server, progress)
    return server


def down(server: Server) -> bool:
    """Stop a server; returns whether it ran."""
    if not is_running(server):
        return False
    state = server.state()
    if state.get("kind") == "docker":
        _keep_log(server)
        docker.stop(server)
    else:
        process.stop(state["pid"])
    return True


def status(server: Server) -> Status:
    """What is known of a server, without starting it."""
    server = server.as_started()
    version = gds = problem = ""
    running = is_running(server)
    kind = str(server.state().get("kind", ""))
    if running:
        _keep_log(server)
        with contextlib.suppress(StoreError), connect(server) as store:
            version = str(store.query("CALL dbms.components() YIELD versions RETURN versions[0] AS v")["v"][0])
            gds, problem = (store.gds_version(), "") if isinstance(store, HasGds) else ("", store.gds_problem)
    return Status(
        running=running,
        line=server.neo4j,
        kind=kind,
        url=server.url,
        browser=server.browser,
        version=version,
        gds=gds,
        gds_problem=problem,
        bytes=docker.data_bytes(server) if kind == "docker" else _size(server.data),
        password_file=server.password_file,
        log=server.log,
    )


def is_running(server: Server) -> bool:
    """Whether the server of this folder runs, answering or not."""
    state = server.state()
    if state.get("kind") == "docker":
        return docker.running(server)
    return "pid" in state and process.is_ours(state["pid"], server.home)


def connect(server: Server, *, patience: float = 0.0) -> Neo4jStore:
    """Open the store of a local Neo4j managed by seedrank, with its own password."""
    return open_store(server.url, auth=(USER, server.password()), patience=patience)


def admin(server: Server, arguments: Sequence[str], *, files: Path) -> str:
    """Run ``neo4j-admin`` for a local Neo4j managed by seedrank that is stopped; returns what it printed.

    Parameters
    ----------
    arguments
        Such as ``["database", "import", "full", "neo4j", …]``.
    files
        Folder with files the command reads.
    """
    if is_running(server):
        raise StoreError(f"the server in {server.home} runs", hint="stop it first with `seedrank db down`")
    if server.state().get("kind") == "docker":
        return docker.admin(server, arguments, files)
    return process.admin(server, assemble(server.line), arguments)


def _start_process(server: Server, progress: Progress) -> None:
    jars = assemble(server.line, progress)
    server.write_conf(jars)
    if not (server.data / "databases").exists():
        server.make_password()
        # The password goes to the tool in a file of arguments: a command line is seen by everyone on the machine.
        with tempfile.NamedTemporaryFile("w", dir=server.home, prefix=".initial-") as arguments:
            arguments.write(server.password() + "\n")
            arguments.flush()
            process.admin(server, jars, ["dbms", "set-initial-password", f"@{arguments.name}"], heap="256m")
    server.password()
    server.keep_state(kind="java", pid=process.start(server, jars))


def _start_container(server: Server, progress: Progress) -> None:
    docker.fetch(server.line, progress)
    if not server.password_file.exists():
        # A volume with another password would not open with this one.
        docker.remove(server)
        server.make_password()
    elif docker.exists(server):
        docker.stop(server)
    server.log.parent.mkdir(parents=True, exist_ok=True)
    docker.run(server)
    server.keep_state(kind="docker", container=docker.container_name(server))


def _wait(server: Server, progress: Progress) -> None:
    """Wait until the server answers a query, or has ended."""
    started = time.monotonic()
    seconds = 0
    with progress(f"starting Neo4j {server.neo4j}, seconds") as advance:
        while True:
            try:
                connect(server).close()
            except StoreError as error:
                failure = error
            else:
                return
            if not is_running(server):
                raise StoreError(f"Neo4j ended while it started: {_why(server)}", hint=f"see {server.log}")
            passed = int(time.monotonic() - started)
            if passed > _SECONDS_TO_START:
                _keep_log(server)
                raise StoreError(
                    f"Neo4j does not answer after {_SECONDS_TO_START:.0f} s: {failure.message}",
                    hint=f"see {server.log}",
                )
            advance(passed - seconds)
            seconds = passed
            time.sleep(0.5)


def _why(server: Server) -> str:
    _keep_log(server)
    return process.last_error(server.log)


def _keep_log(server: Server) -> None:
    """Copy what a container has printed to where a process writes its log."""
    if server.state().get("kind") == "docker":
        server.log.write_text(docker.logs(server), encoding="utf-8")


def _size(folder: Path) -> int:
    size = 0
    for place, _, files in os.walk(folder):
        for name in files:
            with contextlib.suppress(FileNotFoundError):  # a server that runs deletes logs and the like
                size += (Path(place) / name).stat().st_size
    return size


def _delete(server: Server) -> None:
    """Stop the server and delete its data and password, and nothing that is not ours."""
    down(server)
    if server.state().get("kind") == "docker":
        docker.remove(server)
    if server.state():
        shutil.rmtree(server.data, ignore_errors=True)
        server.password_file.unlink(missing_ok=True)
        (server.home / "server.json").unlink()


def _check_space(folder: Path) -> None:
    free = shutil.disk_usage(folder).free
    if free < _NEEDED_BYTES:
        raise StoreError(
            f"{folder} has {free >> 20:,} MiB left, and a server needs {_NEEDED_BYTES >> 20:,}",
            hint="make room, or set XDG_DATA_HOME to a folder on another disk",
        )


_HOSTS = (ADDRESS, "localhost")
_NOT_ENCRYPTED = ("neo4j", "bolt")
_BOLT_PORT = 7687


def local(neo4j: str | None = None) -> Server:
    """The server of a line of Neo4j, with the settings it was last started with.

    Parameters
    ----------
    neo4j
        The line; by default the one that runs, else the one started last, else 5.26. While another runs it is refused.
    """
    live = _live()
    if neo4j is None:
        return live or max(_servers(), key=lambda server: (server.state().get("started", 0), server.neo4j == FIRST))
    if live is not None and live.neo4j != neo4j:
        raise StoreError(
            f"Neo4j {live.neo4j} is running, and one line runs at a time", hint="stop it with `seedrank db down`"
        )
    return Server(neo4j=neo4j).as_started()


def running() -> Server:
    """The server that runs, whichever line it is of."""
    live = _live()
    if live is None:
        raise StoreError(
            "no local Neo4j is running", hint=f"`seedrank db up` starts one (a file of that name is ./{LOCAL})"
        )
    return live


def login(url: str) -> tuple[str, str] | None:
    """User and password for a URL that is the local server's; `None` for any other."""
    address = urlsplit(url)
    if address.scheme.lower() not in _NOT_ENCRYPTED or address.hostname not in _HOSTS:
        return None
    try:
        port = address.port or _BOLT_PORT
    except ValueError:
        return None  # the driver says what is wrong with it
    live = _live()
    return (USER, live.password()) if live is not None and live.port == port else None


def _live() -> Server | None:
    return next((server for server in _servers() if is_running(server)), None)


def _servers() -> list[Server]:
    return [Server(neo4j=name).as_started() for name in LINES]
