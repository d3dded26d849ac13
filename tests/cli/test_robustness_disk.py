"""Disks that are full or broken."""

from __future__ import annotations

import errno
import signal
from pathlib import Path

import pytest

from tests.cli.shells import shell

pytestmark = pytest.mark.kill

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def web(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("disk")
    if shell(f"cc -shared -fPIC -o failing.so {HERE / 'failing.c'} -ldl", folder).returncode:
        pytest.skip("no C compiler here")
    (folder / "links.csv").write_text("source,target\nhttp://a.example/,http://b.example/\n")
    done = shell("S load table --links links.csv && mkdir full && S rank pagerank", folder)
    assert done.returncode == 0, done.stderr
    return folder


def failing(line: str, folder: Path, path: str, number: int) -> tuple[int, str]:
    done = shell(f"LD_PRELOAD=./failing.so FAIL_PATH={path} FAIL_WITH={number} S -q {line}", folder)
    return done.returncode, done.stderr


@pytest.mark.parametrize("command", ["rank pagerank --write score", "seeds outdegree --save"])
def test_a_broken_disk_does_not_abort_the_process(web, command):
    code, said = failing(command, web, ".writing", errno.EIO)
    assert code != 128 + signal.SIGABRT, said
    assert code == 1, said
    assert "Input/output error" in said
    assert said.count("\n") == 1, said
    assert shell("S -q rank pagerank", web).returncode == 0


@pytest.mark.parametrize(
    "command",
    [
        "rank pagerank -o full/x.csv",
        "rank pagerank -o full/x.json",
        "rank pagerank -o full/x.parquet",
        "rank pagerank -o full/x.txt",
        "stats -o full/x.json",
        "export nutch-seeds -o full/x.txt",
        "export scrapy -o full/x.jsonl",
        "export urls -o full/x.txt.gz",
        "report -o full/report.html",
        "export csv full/graph",
        "export parquet full/graph",
        "generate full/web --pages 1000",
        "generate --graph full/arrays --pages 1000",
        "crawl compare bfs fpr --into full/figures",
        "load table --links links.csv --spool full --store other.duckdb",
        "load table --links links.csv --graph full/arrays",
    ],
)
def test_a_full_disk_is_one_line(web, command):
    code, said = failing(command, web, "/full/", errno.ENOSPC)
    assert code == 1, said
    assert said.count("\n") == 1, said
    assert "No space left on device" in said or "is full" in said
    assert not [path for path in (web / "full").iterdir() if path.name != "figures"], said


def test_an_answer_that_cannot_be_kept_is_one_line(web):
    code, said = failing("rank pagerank", web, "/runs/", errno.ENOSPC)
    assert code == 1, said
    assert said.count("\n") == 1, said
    assert "No space left on device" in said
