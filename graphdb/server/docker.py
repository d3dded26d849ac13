"""A server of ours as a container, where a Docker engine answers."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from graphdb.server.config import ADDRESS, USER, Server
from seedrank.core.errors import StoreError

__all__ = ["admin", "answers", "container_name", "exists", "image", "logs", "remove", "run", "running", "stop"]

_SECONDS_TO_STOP = 60


def image() -> str:
    """The image: ``SEEDRANK_NEO4J_IMAGE``, by default Neo4j 5.26 Community."""
    return os.environ.get("SEEDRANK_NEO4J_IMAGE") or "neo4j:5.26-community"


def answers() -> bool:
    """Whether a Docker engine answers, within a few seconds."""
    if shutil.which("docker") is None:
        return False
    try:
        command = ["docker", "info", "--format", "{{.ServerVersion}}"]
        answer = subprocess.run(command, capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.SubprocessError):
        return False
    return answer.returncode == 0 and bool(answer.stdout.strip())


def container_name(server: Server) -> str:
    """Name of the container and of its volume: one per folder."""
    return f"seedrank-neo4j-{hashlib.sha256(str(server.home).encode()).hexdigest()[:8]}"


def exists(server: Server) -> bool:
    """Whether the container is there, running or not."""
    return _docker(["container", "inspect", container_name(server)], check=False).returncode == 0


def running(server: Server) -> bool:
    """Whether the container runs."""
    command = ["container", "inspect", "--format", "{{.State.Running}}", container_name(server)]
    return _docker(command, check=False).stdout.strip() == "true"


def run(server: Server) -> None:
    """Start a new container; its data is in a volume of the same name."""
    settings = {
        # The image takes the password only from here; a file keeps it off the command line.
        "NEO4J_AUTH": f"{USER}/{server.password()}",
        "NEO4J_PLUGINS": '["graph-data-science"]',
        "NEO4J_server_memory_heap_initial__size": server.heap,
        "NEO4J_server_memory_heap_max__size": server.heap,
        "NEO4J_server_memory_pagecache_size": server.page_cache,
        # What the server tells clients: the ports outside, not its own inside.
        "NEO4J_server_bolt_advertised__address": f"{ADDRESS}:{server.port}",
        "NEO4J_server_http_advertised__address": f"{ADDRESS}:{server.http_port}",
        "NEO4J_dbms_usage__report_enabled": "false",
    }
    name = container_name(server)
    with _env_file(settings) as file:
        ports = ["-p", f"{ADDRESS}:{server.port}:7687", "-p", f"{ADDRESS}:{server.http_port}:7474"]
        volumes = ["-v", f"{name}:/data", "-v", f"{name}-plugins:/plugins"]
        _docker(["run", "-d", "--name", name, "--env-file", file, *ports, *volumes, image()])


def stop(server: Server) -> None:
    """Stop the container and remove it; its volume stays."""
    name = container_name(server)
    _docker(["stop", "-t", str(_SECONDS_TO_STOP), name], check=False)
    _docker(["rm", "-f", name], check=False)


def remove(server: Server) -> None:
    """Remove the container and its data."""
    stop(server)
    _docker(["volume", "rm", "-f", container_name(server), f"{container_name(server)}-plugins"], check=False)


def logs(server: Server) -> str:
    """What the server printed."""
    answer = _docker(["logs", container_name(server)], check=False)
    return answer.stdout + answer.stderr


def admin(server: Server, arguments: Sequence[str], mounted: Path) -> str:
    """Run ``neo4j-admin`` on the stopped server's data; `mounted` is a folder it sees under the same path."""
    mounts = ["-v", f"{container_name(server)}:/data", "-v", f"{mounted}:{mounted}:ro"]
    return _docker(["run", "--rm", *mounts, image(), "neo4j-admin", *arguments]).stdout


@contextlib.contextmanager
def _env_file(settings: Mapping[str, str]) -> Iterator[str]:
    """A file of settings only we can read, for as long as it is needed."""
    handle, name = tempfile.mkstemp(prefix="seedrank-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.writelines(f"{key}={value}\n" for key, value in settings.items())
        yield name
    finally:
        Path(name).unlink()


def _docker(arguments: Sequence[str], *, check: bool = True) -> subprocess.CompletedProcess[str]:
    answer = subprocess.run(["docker", *arguments], capture_output=True, text=True, check=False)
    if check and answer.returncode:
        lines = [line for line in answer.stderr.splitlines() if line.strip()] or ["it said nothing"]
        raise StoreError(
            f"docker {arguments[0]} failed: {lines[-1]}",
            hint="check Docker with `docker info`; without an engine the server is fetched by Maven",
        )
    return answer
