"""What a killed command left is gone after the next one."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

SEEDRANK = Path(sys.executable).parent / "seedrank"


def test_the_spool_of_a_killed_load(seedrank, tmp_path, monkeypatch):
    spool = tmp_path / "tmp"
    spool.mkdir()
    command = [str(SEEDRANK), "--store", "web.duckdb", "load", "table", "--links", "-", "--spool", str(spool)]
    running = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        while not any(spool.iterdir()):
            assert running.poll() is None
            time.sleep(0.05)
        running.kill()
        running.wait()
    finally:
        assert running.stdin is not None
        running.stdin.close()
    assert len(list(spool.glob("seedrank-spool-*"))) == 1

    (tmp_path / "links.csv").write_text("source,target\nhttp://a.example/,http://b.example/\n")
    said = seedrank("--store", "web.duckdb", "load", "table", "--links", "links.csv", "--spool", os.fspath(spool))
    assert said.code == 0, said.err
    assert list(spool.iterdir()) == []
