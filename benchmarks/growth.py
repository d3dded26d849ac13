"""How the cost of every method grows with the web: seconds, own memory, and the exponent between neighbouring sizes.

    python -m benchmarks.growth DIR --paper PAPER      1 M, 5 M and 20 M pages; 106 M from `make bench-paper`

A method is named whose time grows faster than links^1.15, or whose memory grows faster than pages and links. Parts that
were done are not done again; a web whose parts are all done is removed.
"""

from __future__ import annotations

import argparse
import math
import shutil
from pathlib import Path
from typing import Any

from benchmarks.parts import PAGES, PARTS
from benchmarks.running import HEADER, line_of, make_web, run

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
        held = max(line["own"] - line["before"], 1)
        text = f"{name if k == 0 else '':22} {line['pages']:>12,} {line['seconds']:9.1f} {held / 2**30:8.2f}"
        if k:
            last = found[k - 1]
            time = exponent(last["seconds"], line["seconds"], last["links"], line["links"])
            size, before = (one["pages"] + one["links"] for one in (line, last))
            memory = exponent(max(last["own"] - last["before"], 1), held, before, size)
            text += f" {time:6.2f} {memory:7.2f}"
            if time > TIME and last["seconds"] > SHORT:
                named.append(f"time to {line['pages']:,} pages")
            if memory > MEMORY + ROUNDING:
                named.append(f"memory to {line['pages']:,} pages")
        print(text)
    if named:
        print(f"{'':22} grows faster than allowed: {', '.join(named)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--paper", type=Path, default=None, help="folder of bench-paper; the same by default")
    parser.add_argument("--sizes", type=int, nargs="*", default=list(SIZES))
    options = parser.parse_args()
    webs = [options.folder / f"web-{pages}" for pages in options.sizes]
    for web, pages in zip(webs, options.sizes, strict=True):
        if missing := [name for name in PARTS if line_of(web, name) is None]:
            print(HEADER)
            if run(make_web(options.folder, pages), missing):
                shutil.rmtree(web)
    webs.append((options.paper or options.folder) / f"web-{PAGES}")
    print(f"\n{'':22} {'pages':>12} {'seconds':>9} {'held GiB':>8} {'time^':>6} {'memory^':>7}")
    for name in PARTS:
        found = [line for web in webs if (line := line_of(web, name)) is not None]
        show(name, found)


if __name__ == "__main__":
    main()
