"""Every command that prints a table, in a real terminal of 80, 100 and 140 columns."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest
from rich.cells import cell_len

pytestmark = pytest.mark.slow

COMMANDS = {
    "stats": "stats",
    "suspicious": "stats --suspicious",
    "rank": "rank pagerank --top 5",
    "hosts": "rank harmonic --level host --top 5",
    "seeds": "seeds maxweight -k 5 --hops 2",
    "cores": "seeds cores -k 3",
    "evaluate": "seeds evaluate run:latest",
    "crawl": "crawl fpr --limit 50",
    "compare": "crawl compare fpr fpr@20 windowed-rankmass:5% bfs",
    "frontier": "frontier rw-eg --top 5",
    "tune": "frontier tune --splits 5",
    "explain": "explain FRONTIER",
    "experiment": "experiment ordering --quick",
    "tour": "tour",
    "runs": "runs",
    "show": "runs show run:latest",
    "query": 'query "MATCH (p:Page) RETURN p.url AS url, p.clicks AS clicks, p.views AS views LIMIT 3"',
}
FIRST = {
    "suspicious": "kind",
    "rank": "rank", "hosts": "rank", "seeds": "rank", "cores": "rank", "evaluate": "rank", "crawl": "rank",
    "compare": "order", "frontier": "rank", "tune": "omega", "explain": "rank", "runs": "id", "query": "url",
}  # fmt: skip
"""The first column of each, which is never cut."""
_SCRIPT = """
import json, os, shlex, sys
from seedrank.cli.main import run
for name, words in json.loads(sys.argv.pop()).items():
    print(f"<<{name}>>", flush=True)
    sys.argv = ["seedrank", "--quiet", *shlex.split(words)]
    code = run()
    print(f"<<code {code}>>" if code else "", flush=True)
os._exit(0)  # as the command does: libraries say at the end of Python what they leaked
"""
_STEERING = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


@pytest.fixture(scope="module")
def web(tmp_path_factory) -> Path:
    """A small web in an embedded store, with the name of a frontier page."""
    folder = tmp_path_factory.mktemp("widths")
    tables = "--pages web/pages.parquet --links web/links.parquet --hosts web/hosts.parquet"
    query = (
        "query \"MATCH (p:Page) WHERE p.status = 'frontier' RETURN p.url AS url LIMIT 1\" --format csv -o frontier.csv"
    )
    made = {"generate": "generate web --pages 300", "load": f"load table {tables}", "frontier": query}
    said = in_terminal(folder, made, 80)
    assert "<<code" not in said, said
    return folder


def in_terminal(folder: Path, commands: dict[str, str], width: int) -> str:
    """What commands print on a terminal of this width, one after the other in one process."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, width, 0, 0))
    process = subprocess.Popen(
        [sys.executable, "-c", _SCRIPT, json.dumps(commands)],
        cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs, close_fds=True,
        env={**{name: value for name, value in os.environ.items() if name != "COLUMNS"}, "TERM": "xterm"},
    )  # fmt: skip
    os.close(theirs)
    said = b""
    while True:
        try:
            some = os.read(ours, 1 << 16)
        except OSError:  # Linux ends the reading so when the last writer has left
            break
        if not some:
            break
        said += some
    os.close(ours)
    process.wait()
    return _STEERING.sub("", said.decode()).replace("\r\n", "\n")


@pytest.fixture(scope="module", params=[80, *(pytest.param(width, marks=pytest.mark.long) for width in (100, 140))])
def shown(request, web) -> tuple[int, dict[str, list[str]]]:
    """Lines by command."""
    page = (web / "frontier.csv").read_text().splitlines()[1].strip('"')
    commands = {name: words.replace("FRONTIER", page) for name, words in COMMANDS.items()}
    parts = re.split(r"<<(\w+)>>\n", in_terminal(web, commands, request.param))
    return request.param, {name: text.rstrip().split("\n") for name, text in zip(parts[1::2], parts[2::2], strict=True)}


@pytest.mark.parametrize("name", COMMANDS)
def test_it_fits(shown, name):
    width, said = shown
    lines = said[name]
    assert not any("<<code" in line for line in lines), lines
    assert max(map(cell_len, lines)) <= width, max(lines, key=cell_len)
    # A column that is squeezed shows one letter a line.
    assert sum(len(line.strip()) == 1 for line in lines) < 5, lines


@pytest.mark.parametrize("name", FIRST)
def test_the_first_column_is_whole(shown, name):
    _, said = shown
    heading = next((line for line in said[name] if line.split()[:1] == [FIRST[name]]), None)
    assert heading is not None, said[name]


def test_addresses_keep_their_beginning_and_orders_their_names(shown):
    _, said = shown
    for name in ("rank", "seeds", "crawl", "frontier"):
        rows = [line for line in said[name] if re.match(r"\s*\d+  ", line)]
        assert rows, said[name]
        assert all(re.search(r"https?://|  …\w", row) for row in rows), rows
    text = "\n".join(said["compare"])
    for order in ("fpr", "fpr@20", "windowed-rankmass:5%", "bfs"):
        assert re.search(rf"^{re.escape(order)}\s", text, re.M), text
