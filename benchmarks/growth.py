"""How the cost of every method grows with the web: seconds, own memory, and the exponent between neighbouring sizes.

    python -m benchmarks.growth DIR --paper PAPER      1 M, 5 M and 20 M pages; 106 M from `make bench-paper`

A method is named whose time grows faster than links^1.15, or whose memory grows faster than pages and links; processor
seconds beside the others tell what other work on the machine did to them. Parts that were done are not done again; a
web whose parts are all done is removed. `--keep` writes what the estimates of `seedrank.session.estimates` go by.
"""

from __future__ import annotations

import argparse
import csv
import math
import shutil
from pathlib import Path
from typing import Any

from benchmarks.parts import PAGES, PARTS
from benchmarks.running import HEADER, line_of, make_web, run
from seedrank.core.files import whole_file

SIZES = (1_000_000, 5_000_000, 20_000_000)
TIME, MEMORY = 1.15, 1.0
"""Exponents beyond which a method is named."""
ROUNDING = 0.05
"""Of the exponent of memory: interpreter and buffers are in it."""
SHORT = 0.5
"""Seconds below which a time says little."""


def exponent(small: float, large: float, less: float, more: float) -> float:
    """How fast a cost grows from one size to the next."""
    return math.log(max(large, 1e-9) / max(small, 1e-9)) / math.log(more / less)


def show(name: str, found: list[dict[str, Any]]) -> None:
    """A line per size, and what grows too fast."""
    named = []
    for k, line in enumerate(found):
        cells = [line["seconds"], line["processor"], _held(line) / 2**30]
        if k:
            last = found[k - 1]
            time, worked = (
                exponent(last[what], line[what], last["links"], line["links"]) for what in ("seconds", "processor")
            )
            sizes = (one["pages"] + one["links"] for one in (last, line))
            memory = exponent(_held(last), _held(line), *sizes)
            cells += [time, worked, memory]
            if time > TIME and last["seconds"] > SHORT:
                named.append(f"time to {line['pages']:,} pages")
            if memory > MEMORY + ROUNDING:
                named.append(f"memory to {line['pages']:,} pages")
        print(f"{name if k == 0 else '':20} {line['pages']:>12,}", " ".join(f"{cell:8.2f}" for cell in cells))
    if named:
        print(f"{'':20} grows faster than allowed: {', '.join(named)}")


def keep(file: Path, webs: list[Path]) -> None:
    """Write the costs of all parts at all sizes as a table."""
    with whole_file(file) as half, half.open("w", encoding="utf-8", newline="") as opened:
        rows = csv.writer(opened, lineterminator="\n")
        rows.writerow(("part", "pages", "links", "seconds", "memory"))
        for name in PARTS:
            for found in (line for web in webs if (line := line_of(web, name)) is not None):
                rows.writerow((name, found["pages"], found["links"], f"{found['seconds']:.4g}", _held(found)))


def _held(line: dict[str, Any]) -> int:
    """Bytes of memory that a part took."""
    return max(line["own"] - line["before"], 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--paper", type=Path, default=None, help="folder of bench-paper; the same by default")
    parser.add_argument("--sizes", type=int, nargs="*", default=list(SIZES))
    parser.add_argument("--keep", type=Path, default=None, help="a table of costs to write: seedrank/session/costs.csv")
    options = parser.parse_args()
    webs = [options.folder / f"web-{pages}" for pages in options.sizes]
    for web, pages in zip(webs, options.sizes, strict=True):
        if missing := [name for name in PARTS if line_of(web, name) is None]:
            print(HEADER)
            if run(make_web(options.folder, pages), missing):
                shutil.rmtree(web)
    webs.append((options.paper or options.folder) / f"web-{PAGES}")
    names = ("seconds", "CPU s", "held GiB", "time^", "CPU^", "memory^")
    print(f"\n{'':20} {'pages':>12}", " ".join(f"{name:>8}" for name in names))
    for name in PARTS:
        found = [line for web in webs if (line := line_of(web, name)) is not None]
        show(name, found)
    if options.keep:
        keep(options.keep, webs)


if __name__ == "__main__":
    main()
