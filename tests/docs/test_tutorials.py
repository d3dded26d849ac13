"""The tutorials run as they stand: every command line in a shell of its own, and every line shown comes out.

Real data is in the folder that ``SEEDRANK_DATA`` names; a page whose data is absent is skipped with the reason.
"""

from __future__ import annotations

import fcntl
import gzip
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import threading
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.conftest import data_folder

ROOT = Path(__file__).resolve().parents[2]
PAGES = {page.stem: page for page in sorted((ROOT / "docs" / "tutorials").glob("*.md"))}
BIN = Path(sys.executable).parent
COLUMNS = 100
_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_STEERING = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def blocks(page: Path) -> list[tuple[str, str]]:
    """The language and the text of each block, in order."""
    return [(found[1], found[2]) for found in _BLOCK.finditer(page.read_text(encoding="utf-8"))]


def terminal(line: str, folder: Path) -> tuple[int, str]:
    """Run a line with its output on a terminal of 100 columns: the exit code, and what it printed and remarked."""
    main, other = pty.openpty()
    fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 50, COLUMNS, 0, 0))
    environment = {
        **os.environ,
        "PATH": f"{BIN}:{os.environ['PATH']}",
        "SEEDRANK_DATA": str(data_folder()),
        "TERM": "xterm",
        "NO_COLOR": "1",
    }
    environment.pop("COLUMNS", None)
    process = subprocess.Popen(
        ["bash", "-c", line],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=other,
        stderr=subprocess.PIPE,
    )
    os.close(other)
    printed: list[bytes] = []
    reader = threading.Thread(target=_read, args=(main, printed))
    reader.start()
    remarks = process.communicate()[1]
    reader.join()
    os.close(main)
    return process.returncode, _STEERING.sub("", b"".join([*printed, remarks]).decode().replace("\r\n", "\n"))


def _read(descriptor: int, into: list[bytes]) -> None:
    try:
        while data := os.read(descriptor, 1 << 16):
            into.append(data)
    except OSError:  # Linux says so that the other end is closed
        pass


# -- what each page leaves behind


def _lines(path: Path) -> list[str]:
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [line for line in data.decode().splitlines() if not line.startswith("#")]


def _match(lines: list[str], count: int, pattern: str) -> None:
    assert len(lines) == count
    for line in lines:
        assert re.fullmatch(pattern, line), line


def _nutch(folder: Path) -> None:
    _match(_lines(folder / "urls" / "seeds.txt"), 1, r"http://nutch\.apache\.org/\tnutch\.score=0\.999999")
    next_ = _lines(folder / "urls" / "next.txt")
    _match(next_, 200, r"https?://\S+\tnutch\.score=0\.\d+\tnutch\.fetchInterval=604800")


def _search_logs(folder: Path) -> None:
    _match(_lines(folder / "most-clicked.txt"), 100, r"http://\S+")
    _match(_lines(folder / "entries.csv")[1:], 5, r'\d,\d+,,"http://www\.semicomplete\.com/\S*"\S*')


def _web_archive(folder: Path) -> None:
    action = folder / "job" / "action"
    assert [path.name for path in action.iterdir()] == ["next.schedule"]
    _match(_lines(action / "next.schedule"), 100, r"F\+ http://www\.archive\.org/\S*")
    seeds = _lines(folder / "crawl-config.yaml")
    assert seeds[0] == "seeds:"
    _match(seeds[1:], 50, r'  - url: "http://www\.archive\.org/\S*"')


def _webgraph(folder: Path) -> None:
    _match(_lines(folder / "seeds.csv")[1:], 10, r"\d+,\d+,\d+,,,\S+")
    _match(_lines(folder / "ranks.txt.gz"), 5, r"\d\t[\d.]+\t\d\t[\d.]+\t[a-z.]+")


def _spam(folder: Path) -> None:
    spam = {line.strip('"') for line in _lines(folder / "spam-hosts.csv")[1:]}
    clean = _lines(folder / "clean.txt")
    _match(clean, 316, r"https?://\S+")
    assert len(spam) == 12
    assert not spam & {urlsplit(url).hostname for url in clean}


def _quality(folder: Path) -> None:
    requests = [json.loads(line) for line in _lines(folder / "requests.jsonl")]
    assert [request["priority"] for request in requests] == list(range(17, 0, -1))
    assert all(request["url"].startswith("https://en.wikipedia.org/wiki/") for request in requests)
    assert (folder / "measured" / "impact-summary.csv").is_file()


OUTCOMES: dict[str, Callable[[Path], None]] = {
    "nutch": _nutch,
    "search-logs": _search_logs,
    "web-archive": _web_archive,
    "webgraph": _webgraph,
    "spam": _spam,
    "quality": _quality,
}


# -- tests


@pytest.mark.docs
@pytest.mark.parametrize(
    "code", ["from benchmarks.common import SHARED", "from docs.reproduction.__main__ import DATA"]
)
def test_one_variable_names_the_folder_of_real_graphs(tmp_path, monkeypatch, code):
    name = code.split()[-1]
    for given, expected in ((str(tmp_path), tmp_path), ("", ROOT.parent / "shared" / "data")):
        monkeypatch.setenv("SEEDRANK_DATA", given)
        told = subprocess.run(
            [sys.executable, "-c", f"{code}; print({name})"], cwd=ROOT, capture_output=True, text=True
        )
        assert told.returncode == 0, told.stderr
        assert Path(told.stdout.strip()).resolve() == data_folder() == expected.resolve()


def test_every_tutorial_has_an_outcome():
    assert set(PAGES) == set(OUTCOMES)


@pytest.mark.docs
@pytest.mark.parametrize("name", PAGES)
def test_a_tutorial_runs(name, shared_data, tmp_path):
    text = PAGES[name].read_text(encoding="utf-8")
    for folder in sorted(set(re.findall(r"\$SEEDRANK_DATA/([\w-]+)", text))):
        shared_data(folder)
    printed = ""
    for language, block in blocks(PAGES[name]):
        if language == "sh":
            printed = ""
            for line in block.replace("\\\n", " ").strip().splitlines():
                code, told = terminal(line, tmp_path)
                assert code == 0, f"{line}\n{told}"
                printed += told
        elif language == "":
            # How wide a column is depends on how long the command took.
            known = [" ".join(line.split()) for line in printed.splitlines()]
            for line in block.splitlines():
                shown = " ".join(line.split())
                assert shown in known or shown == "…", f"{name}.md shows a line that does not come out: {line}"
    OUTCOMES[name](tmp_path)
