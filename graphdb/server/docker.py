"""A local Neo4j managed by seedrank as a container, where a Docker engine answers."""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from seedrank.core.errors import StoreError
from seedrank.core.progress import Advance, Progress, silent
from seedrank.graphdb.server.config import ADDRESS, USER, Server
from seedrank.graphdb.server.process import admin_failed
from seedrank.graphdb.server.versions import Line

__all__ = [
    "REPORT",
    "admin",
    "answers",
    "container_name",
    "data_bytes",
    "environment",
    "exists",
    "fetch",
    "has_gds",
    "image",
    "logs",
    "remove",
    "run",
    "running",
    "stop",
    "usable",
]

REPORT = "report"
"""Folder among an admin command's files that it may write to."""

_SECONDS_TO_STOP = 60
_GDS_LABEL = "seedrank.gds"
_log = logging.getLogger(__name__)


def image(line: Line) -> str:
    """The image: ``SEEDRANK_NEO4J_IMAGE``, by default the official one of the line."""
    return os.environ.get("SEEDRANK_NEO4J_IMAGE") or line.image


def has_gds(name: str) -> bool:
    """Whether an image brings GDS with it, as one made by ``docker/neo4j.Dockerfile`` does."""
    command = ["image", "inspect", "--format", f'{{{{index .Config.Labels "{_GDS_LABEL}"}}}}', name]
    return _docker(command, check=False).stdout.strip() == "yes"


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


def fetch(line: Line, progress: Progress = silent) -> None:
    """Pull the image where it is not there yet."""
    name = image(line)
    if _docker(["image", "inspect", name], check=False).returncode == 0:
        return
    if not answers():
        raise StoreError(
            "no Docker engine answers, and this server runs in Docker",
            hint="start Docker; `seedrank db up --wipe` starts afresh without Docker, and without the data",
        )
    with progress(f"fetching the image {name} (once), layers") as advance:
        answer = _pull(name, advance)
    if answer.returncode:
        raise StoreError(
            f"the image {name} is not here and cannot be pulled: {_last_line(answer.stdout)}",
            hint="check the network, or name an image that is here in SEEDRANK_NEO4J_IMAGE; "
            "`seedrank db up --wipe` starts afresh without Docker, and without the data",
        )


def usable(line: Line, progress: Progress = silent) -> bool:
    """Whether an engine answers and the image can be pulled; a remark says so when only the image is missing."""
    if not answers():
        return False
    try:
        fetch(line, progress)
    except StoreError as error:
        _log.warning("%s; Neo4j is fetched by Maven and runs without Docker", error.message)
        return False
    return True


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


def environment(heap: str, page_cache: str, *, gds_inside: bool = False) -> dict[str, str]:
    """Settings of a server in a container, as the image takes them: ``_`` stands for a dot, ``__`` for ``_``.

    `gds_inside` says that the image brings GDS; the official one fetches it at every start.
    """
    return {
        **({} if gds_inside else {"NEO4J_PLUGINS": '["graph-data-science"]'}),
        "NEO4J_server_memory_heap_initial__size": heap,
        "NEO4J_server_memory_heap_max__size": heap,
        "NEO4J_server_memory_pagecache_size": page_cache,
        # Without it an empty server takes half a gigabyte of disk.
        "NEO4J_db_tx__log_preallocate": "false",
        "NEO4J_dbms_security_procedures_unrestricted": "gds.*",
        "NEO4J_dbms_usage__report_enabled": "false",
    }


def run(server: Server) -> None:
    """Start a new container; its data is in a volume of the same name."""
    inside = has_gds(image(server.line))
    settings = {
        # The image takes the password only from here; a file keeps it off the command line.
        "NEO4J_AUTH": f"{USER}/{server.password()}",
        **environment(server.heap, server.page_cache, gds_inside=inside),
        # What the server tells clients: the ports outside, not its own inside.
        "NEO4J_server_bolt_advertised__address": f"{ADDRESS}:{server.port}",
        "NEO4J_server_http_advertised__address": f"{ADDRESS}:{server.http_port}",
    }
    name = container_name(server)
    with _env_file(settings) as file:
        ports = ["-p", f"{ADDRESS}:{server.port}:7687", "-p", f"{ADDRESS}:{server.http_port}:7474"]
        # What was fetched at an earlier start serves where it cannot be fetched at this one.
        plugins = [] if inside else ["-v", f"{name}-plugins:/plugins"]
        volumes = ["-v", f"{name}:/data", *plugins]
        _docker(["run", "-d", "--name", name, "--env-file", file, *ports, *volumes, image(server.line)])


def stop(server: Server) -> None:
    """Stop the container and remove it; its volume stays."""
    name = container_name(server)
    _docker(["stop", "-t", str(_SECONDS_TO_STOP), name], check=False)
    # With the volumes that have no name, which the image makes for its logs.
    _docker(["rm", "-f", "-v", name], check=False)


def remove(server: Server) -> None:
    """Remove the container and its data."""
    stop(server)
    _docker(["volume", "rm", "-f", container_name(server), f"{container_name(server)}-plugins"], check=False)


def logs(server: Server) -> str:
    """What the server printed."""
    answer = _docker(["logs", container_name(server)], check=False)
    return answer.stdout + answer.stderr


def data_bytes(server: Server) -> int:
    """Size of the data of a container that runs; 0 where it does not."""
    answer = _docker(["exec", container_name(server), "du", "-sk", "/data"], check=False)
    return int(answer.stdout.split()[0]) << 10 if answer.returncode == 0 else 0


def admin(server: Server, arguments: Sequence[str], mounted: Path) -> str:
    """Run ``neo4j-admin`` on the stopped server's data.

    Parameters
    ----------
    mounted
        Folder of the user's alone whose files the command reads under the same path. What it writes into its folder
        `REPORT` stays in the container.
    """
    # Inside, the command runs as a user of the image's own, who must be able to read the files. Nobody else here can:
    # the folder lies in one that is the user's alone.
    mounted.chmod(0o755)
    for file in mounted.iterdir():
        file.chmod(0o755 if file.is_dir() else 0o644)
    mounts = ["-v", f"{container_name(server)}:/data", "-v", f"{mounted}:{mounted}:ro"]
    if (mounted / REPORT).is_dir():
        mounts += ["--tmpfs", f"{mounted / REPORT}:mode=1777"]
    memory = ["-e", f"HEAP_SIZE={server.heap}"]
    answer = _docker(["run", "--rm", *memory, *mounts, image(server.line), "neo4j-admin", *arguments], check=False)
    printed = answer.stdout + answer.stderr
    if answer.returncode:
        raise admin_failed(server, arguments, printed)
    return printed


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
    command = ["docker", *arguments]
    try:
        answer = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    except OSError as error:
        answer = subprocess.CompletedProcess(command, 127, "", str(error))
    if check and answer.returncode:
        raise StoreError(
            f"docker {arguments[0]} failed: {_last_line(answer.stderr)}",
            hint="check Docker with `docker info`, and the image with `docker pull`",
        )
    return answer


def _pull(name: str, advance: Advance) -> subprocess.CompletedProcess[str]:
    """Pull an image; Docker prints a line for each layer that is there."""
    printed = []
    command = ["docker", "pull", name]
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as pull:
        assert pull.stdout is not None
        for line in pull.stdout:
            printed.append(line)
            advance("Pull complete" in line)
    return subprocess.CompletedProcess(command, pull.returncode, "".join(printed))


def _last_line(printed: str) -> str:
    """The last line that says why: Docker points to its own help after it."""
    lines = [line.strip() for line in printed.splitlines() if line.strip()]
    said = [line for line in lines if not line.startswith(("See ", "Run "))] or lines
    return said[-1] if said else "it printed nothing"
