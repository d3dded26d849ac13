"""A load killed at any moment, then repeated, gives the graph of an undisturbed load: from the command line."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from seedrank import graphdb
from seedrank.graphdb.store import GraphStore
from seedrank.ingest.synthetic import WebSpec, write_tables

pytestmark = pytest.mark.kill

SEEDRANK = Path(sys.executable).parent / "seedrank"
MOMENTS = (0.3, 0.5, 0.65, 0.8, 0.9, 0.97)
"""Shares of the undisturbed load's time at which it is killed: while reading, while writing, near the end."""
TRIES = 10
"""How often a moment is tried, until the load is still running when it comes."""


@pytest.fixture(scope="module")
def web(tmp_path_factory) -> Path:
    return write_tables(WebSpec(pages=6_000, rng=3), tmp_path_factory.mktemp("killed") / "web")


def load(url: str, web: Path) -> list[str]:
    files = [part for kind in ("pages", "links", "hosts", "queries", "results")
             for part in (f"--{kind}", f"{web / kind}.parquet")]  # fmt: skip
    # Small batches: in Neo4j the links then go side by side, as those of a large load do.
    return [str(SEEDRANK), "--store", url, "load", "table", *files, "--batch-size", "2000"]


def contents(store: GraphStore) -> dict[str, object]:
    """Everything a load writes, in an order that does not depend on the store."""
    pages = [row for batch in store.read_pages() for row in batch.to_pylist()]
    links = [row for batch in store.read_links(("weight", "anchors")) for row in batch.to_pylist()]
    return {
        "pages": pages,
        "links": sorted(links, key=lambda row: (row["source"], row["target"])),
        "hosts": store.read_hosts().to_pylist(),
        "queries": store.read_queries().to_pylist(),
        "results": store.read_results().to_pylist(),
        "loads": [load.state for load in store.loads()],
    }


def killed_after(seconds: float, command: list[str], environment: dict[str, str]) -> tuple[int, float]:
    """Start a command and kill it; how it ended, which is 0 where it was over before, and after how long."""
    started = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment) as running:
        try:
            running.wait(seconds)
        except subprocess.TimeoutExpired:
            running.send_signal(signal.SIGKILL)
    return running.returncode, time.monotonic() - started


def check(url: str, web: Path, wipe: Callable[[], None]) -> None:
    environment = {**os.environ}
    started = time.monotonic()
    subprocess.run(load(url, web), check=True, capture_output=True, env=environment)
    seconds = time.monotonic() - started
    store = graphdb.open_store(url, read_only=True)
    undisturbed = contents(store)
    store.close()
    assert len(undisturbed["pages"]) == 6_000
    for moment in MOMENTS:
        for _ in range(TRIES):
            wipe()
            ended, after = killed_after(seconds * moment, load(url, web), environment)
            if ended != 0:
                break
            seconds = 0.95 * after  # the machine has less to do now
        assert ended == -signal.SIGKILL, f"not killed at {moment} of {seconds:.1f} s: it ended with {ended}"
        again = subprocess.run(load(url, web), capture_output=True, text=True, env=environment)
        assert again.returncode == 0, again.stderr
        store = graphdb.open_store(url, read_only=True)
        try:
            assert contents(store) == undisturbed, f"killed after {after:.1f} of {seconds:.1f} s"
        finally:
            store.close()


def test_embedded(web, tmp_path):
    def wipe() -> None:
        for path in tmp_path.glob("web.duckdb*"):
            path.unlink()

    check(str(tmp_path / "web.duckdb"), web, wipe)


def test_neo4j(web, neo4j_store):
    check(neo4j_store.url, web, neo4j_store.wipe)
