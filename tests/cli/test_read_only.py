"""A store on a read-only mount answers: graph and parts in memory, and a word that the answer is not kept."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

SEEDRANK = Path(sys.executable).parent / "seedrank"
MOUNT = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && cd "$0" && shift 0 && exec "$@"'


def read_only(folder: Path, *command: object) -> subprocess.CompletedProcess[str]:
    """Run a command where a folder cannot be written: mounted so for root, whom permissions do not hold."""
    words = [str(SEEDRANK), *map(str, command)]
    if os.getuid() == 0:
        if shutil.which("unshare") is None or subprocess.run(["unshare", "-m", "true"], check=False).returncode:
            pytest.skip("no mounts can be made here")
        return subprocess.run(["unshare", "-m", "sh", "-c", MOUNT, str(folder), *words], capture_output=True, text=True)
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        return subprocess.run(words, cwd=folder, capture_output=True, text=True)
    finally:
        for path in [folder, *folder.rglob("*")]:
            path.chmod(0o755 if path.is_dir() else 0o644)


@pytest.fixture
def web(seedrank, tmp_path) -> Path:
    folder = tmp_path / "mounted"
    folder.mkdir()
    links = "".join(f"http://a.example/{n},http://a.example/{n * 7 % 30}\n" for n in range(1, 30))
    (tmp_path / "links.csv").write_text(f"source,target\n{links}")
    assert seedrank("--store", folder / "web.duckdb", "load", "table", "--links", tmp_path / "links.csv").code == 0
    return folder


@pytest.mark.parametrize("cache", ["none", "whole", "damaged"])
def test_questions_are_answered(cache, web, seedrank):
    kept = web / "web.duckdb.seedrank" / "graph"
    if cache != "none":
        assert seedrank("--store", web / "web.duckdb", "rank", "indegree").code == 0
    if cache == "damaged":
        data = bytearray((kept / "out_targets.npy").read_bytes())
        data[-1] ^= 0xFF
        (kept / "out_targets.npy").write_bytes(data)
    done = read_only(web, "--store", "web.duckdb", "rank", "pagerank")
    assert done.returncode == 0, done.stderr
    assert "this answer is not kept" in done.stderr
    assert ("the graph cannot be kept" in done.stderr) == (cache != "whole")
    assert seedrank("--store", web / "web.duckdb", "rank", "pagerank").out == done.stdout


def test_a_folder_of_arrays_is_read(web, seedrank):
    assert seedrank("generate", "--graph", web / "arrays", "--pages", 100).code == 0
    done = read_only(web, "--store", "arrays", "rank", "hits")
    assert done.returncode == 0, done.stderr
    assert seedrank("--store", web / "arrays", "rank", "hits").out == done.stdout
