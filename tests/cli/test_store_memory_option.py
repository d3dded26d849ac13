"""``--store-memory`` before and after the command, and its variable."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

SEEDRANK = str(Path(sys.executable).parent / "seedrank")


def run(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [SEEDRANK, *arguments], capture_output=True, text=True, cwd=folder, env={**os.environ, **environment}
    )


@pytest.fixture
def links(tmp_path: Path) -> Path:
    (tmp_path / "links.tsv").write_text("source\ttarget\n1\t2\n2\t3\n")
    return tmp_path


def test_it_is_taken_before_and_after(links: Path) -> None:
    loaded = run(links, "--store-memory", "128M", "load", "table", "--links", "links.tsv")
    assert loaded.returncode == 0, loaded.stderr
    asked = run(links, "query", "MATCH (p:Page) RETURN count(*) AS n", "--store-memory", "64MiB", "--format", "json")
    assert asked.returncode == 0, asked.stderr
    assert '"n": 3' in asked.stdout


def test_it_is_checked(links: Path) -> None:
    for size, said in (("7", "must be between"), ("much", "is not a size")):
        refused = run(links, "load", "table", "--links", "links.tsv", "--store-memory", size)
        assert refused.returncode == 2
        assert said in refused.stderr
        assert refused.stderr.count("\n") == 1
    refused = run(links, "load", "table", "--links", "links.tsv", SEEDRANK_STORE_MEMORY="1K")
    assert refused.returncode == 2
    assert "SEEDRANK_STORE_MEMORY is 1 KiB: it must be between" in refused.stderr
    assert not (links / "web.duckdb").exists()
