"""A cluster of Spark on loopback: a master and workers, each a process of its own."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from seedrank.graphdb.server import free_port

_ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Cluster:
    """A master's URL, and the processes of its workers."""

    master: str
    workers: list[subprocess.Popen[bytes]]
    environment: dict[str, str]

    def kill(self, worker: int) -> None:
        """End a worker and what it runs, as when its machine fails."""
        end(self.workers[worker], signal.SIGKILL)


@contextlib.contextmanager
def cluster(folder: Path, workers: int = 2) -> Iterator[Cluster]:
    """A master and workers with a core and 1 GiB each, all bound to loopback; ended at the end."""
    environment = {
        **os.environ,
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_LOCAL_DIRS": str(folder / "local"),
        "SPARK_WORKER_DIR": str(folder / "work"),
        "SPARK_DAEMON_MEMORY": "256m",
        "PYSPARK_PYTHON": sys.executable,
        "PYTHONPATH": str(_ROOT),
    }
    port, page = free_port(), free_port()
    started = []

    def start(name: str, *arguments: str) -> subprocess.Popen[bytes]:
        program = Path(sys.executable).with_name("spark-class")
        with (folder / f"{name}.log").open("wb") as log:
            made = subprocess.Popen(
                [str(program), *arguments], stdout=log, stderr=log, env=environment, start_new_session=True, cwd=folder
            )
        started.append(made)
        return made

    master = f"spark://127.0.0.1:{port}"
    try:
        start(
            "master", "org.apache.spark.deploy.master.Master",
            "--host", "127.0.0.1", "--port", str(port), "--webui-port", str(page),
        )  # fmt: skip
        made = [
            start(
                f"worker{k}", "org.apache.spark.deploy.worker.Worker",
                "--host", "127.0.0.1", "--cores", "1", "--memory", "1g", "--webui-port", str(free_port()), master,
            )
            for k in range(workers)
        ]  # fmt: skip
        _wait_for(page, workers)
        yield Cluster(master, made, environment)
    finally:
        for one in started:
            end(one, signal.SIGTERM)


def end(process: subprocess.Popen[bytes], how: signal.Signals) -> None:
    """End a process that was started here, and its children: they are a group of their own."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, how)
    try:
        process.wait(30)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(30)


def _wait_for(page: int, workers: int) -> None:
    """Until the master knows of all workers."""
    until = time.monotonic() + 240
    while time.monotonic() < until:
        with contextlib.suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{page}/json/", timeout=5) as said:
            if said.read().count(b'"ALIVE"') > workers:  # the master is one too
                return
        time.sleep(0.5)
    pytest.fail("Spark's master did not hear of its workers in four minutes")
