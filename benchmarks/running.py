"""Run parts on a made web: seconds, own memory, and the links read against a bare read of their file.

    python -m benchmarks.running WEB PART      one part of a web that `benchmarks.paper` or `benchmarks.growth` made

Each part runs in a process of its own. Before it the file of the links that it goes over is read from front to end,
once, bare and from the disk: the limit, and the same start for all. Its line is kept in WEB.parts and not made again;
what other parts need of its answer is beside it.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.parts import FETCHED, LINKS, PAGES, PARTS, Part, Task, lines, own_memory, say
from seedrank.core.files import whole_file
from seedrank.core.resources import require_disk
from seedrank.graph import WebGraph
from seedrank.ingest.synthetic import WebSpec, write_graph

INTER_HOST = 136_730_188 / LINKS
GOAL = 3.0
"""Times the bare reads that a method needs."""
HEADER = " ".join(
    [" " * 20]
    + [f"{name:>8}" for name in ("seconds", "CPU s", "own GiB", "needs GB", "disk GB", "GB/s", "bare", "× bare")]
)
"""Of links: GB that a method needs, GB that came from the disk, needed GB a second, the same of a bare read."""


def read_from_disk() -> int:
    """Bytes that this process had the disk read, also by touching mapped files."""
    with Path("/proc/self/io").open(encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("read_bytes"))


@contextmanager
def watched(most: dict[str, int]) -> Iterator[None]:
    """Notes the most memory the process has while this lasts."""
    done = threading.Event()

    def watch() -> None:
        while not done.wait(0.02):
            most["own"] = max(most["own"], own_memory())

    most["own"] = own_memory()
    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


def bare_read(path: Path) -> float:
    """Seconds of reading a file from front to end, from the disk."""
    buffer = bytearray(8 << 20)
    with path.open("rb", buffering=0) as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        started = time.perf_counter()
        while file.readinto(buffer):
            pass
        return time.perf_counter() - started


def perform(web: Path, name: str) -> dict[str, Any]:
    """Run a part here; its line."""
    part = PARTS[name]
    compile_for(part, web)
    bare = bare_read(web / f"{part.over}.npy")
    graph = WebGraph.open(web)
    task = Task(graph, _kept(web))
    task.work.mkdir(exist_ok=True)
    most, before, read = {"own": 0}, own_memory(), read_from_disk()
    with watched(most):
        started, worked = time.perf_counter(), time.process_time()
        needed, facts = part.run(task)
        seconds, worked = time.perf_counter() - started, time.process_time() - worked
    return {
        "part": name,
        "pages": graph.pages,
        "links": graph.links,
        "seconds": seconds,
        "processor": worked,
        "own": most["own"],
        "before": before,
        "needed": needed,
        "read": read_from_disk() - read,
        "bare": 4 * graph.links / bare,
        "facts": facts,
    }


def compile_for(part: Part, web: Path) -> None:
    """Compile the loops of a part on a small web, whose answers are thrown away."""
    place = web.with_name(f"{web.name}.small")
    if not place.exists():
        write_graph(WebSpec(2_000, rng=2, crawled=1.0, inter_host=INTER_HOST), place)
    task = Task(WebGraph.open(place), _kept(place))
    task.work.mkdir(exist_ok=True)
    for needed in (PARTS["pagerank by pushing"], PARTS["fpr"], PARTS["pagerank"], part):
        needed.run(task)


def _kept(web: Path) -> Path:
    """Where lines and answers of a web are."""
    return web.with_name(f"{web.name}.parts")


def line_of(web: Path, name: str) -> dict[str, Any] | None:
    """The line of a part that ran before."""
    path = _kept(web) / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None


def run(web: Path, names: list[str]) -> bool:
    """Run the parts that have no line yet, each in a process of its own; whether all have one then."""
    well = True
    for name in names:
        if line_of(web, name) is None:
            say(f"{name}, {web.name}")
            command = [sys.executable, "-m", "benchmarks.running", str(web), name]
            ended = subprocess.run(command, check=False).returncode
            if ended or line_of(web, name) is None:
                say(f"{name} did not come to its end (status {ended})")
                well = False
                continue
        found = line_of(web, name)
        assert found is not None
        print(row(found), flush=True)
    return well


def row(found: dict[str, Any]) -> str:
    """A line of the table."""
    seconds, needed, bare = found["seconds"], found["needed"], found["bare"]
    numbers = [seconds, found["processor"], found["own"] / 2**30, needed / 1e9, found["read"] / 1e9]
    numbers += [needed / seconds / 1e9, bare / 1e9, seconds * bare / needed] if needed else []
    missed = " missed" if needed and numbers[-1] > GOAL else ""
    return " ".join([f"{found['part']:20}", *(f"{number:8.2f}" for number in numbers)]) + missed


def disk_for(pages: int, links: int) -> dict[str, int]:
    """Bytes of disk that the parts of a web take."""
    columns = 4 * 4 + 4 + 1  # clicks, views, spam, bytes; host; status
    return {
        "web": 4 * links + (8 + columns) * pages,
        "links the other way round": 4 * links + 8 * pages,
        "answers that later parts need": 8 * pages + 4 * round(FETCHED / PAGES * pages),
    }


def make_web(folder: Path, pages: int) -> Path:
    """The folder of a web of a number of pages, made where it is not there; refused where the disk has no room."""
    web = folder / f"web-{pages}"
    needed = disk_for(pages, round(pages * LINKS / PAGES))
    held = sum(file.stat().st_blocks * 512 for file in folder.glob(f"web-{pages}*/**/*") if file.is_file())
    parts = ", ".join(f"{name} {size / 1e9:.1f} GB" for name, size in needed.items())
    say(f"{pages:,} pages take {sum(needed.values()) / 1e9:.1f} GB of disk ({parts}); {held / 1e9:.1f} GB are there")
    folder.mkdir(parents=True, exist_ok=True)
    require_disk(max(sum(needed.values()) - held, 0), folder, "every method on this web")
    if not (web / "graph.json").is_file():
        started = time.perf_counter()
        spec = WebSpec(pages, rng=2, links_per_page=LINKS / PAGES, crawled=1.0, inter_host=INTER_HOST)
        write_graph(spec, web, progress=lines)
        say(f"made {web} in {(time.perf_counter() - started) / 60:.1f} min")
    return web


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("web", type=Path)
    parser.add_argument("part", choices=list(PARTS))
    given = parser.parse_args()
    found = perform(given.web, given.part)
    with whole_file(_kept(given.web) / f"{given.part}.json") as half:
        half.write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main()
