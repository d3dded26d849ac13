"""Every method at the size of Alam et al.: a web of 105,896,555 pages and about 3.74 G links, its links on disk.

    python -m benchmarks.paper DIR          or: make bench-paper PAPER=DIR

The web, then part by part (`benchmarks.running`); a part that was done is not done again, so that what was cut off goes
on. How much disk it takes is said first. 24 GiB of memory keep one direction of the links in the page cache; nothing
else should run. The paper fetched 80 M pages by FPR in less than 2 h, by windowed RankMass 5 % in about 9 h.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchmarks.parts import PAGES, PARTS, say
from benchmarks.running import GOAL, HEADER, make_web, run
from seedrank.core.errors import StoreError
from seedrank.graph import WebGraph


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("parts", nargs="*", default=list(PARTS), metavar="part", help=", ".join(PARTS))
    parser.add_argument("--pages", type=int, default=PAGES)
    options = parser.parse_intermixed_args()
    unknown = [name for name in options.parts if name not in PARTS]
    if unknown:
        parser.error(f"there is no part {unknown[0]!r}; the parts are: {', '.join(PARTS)}")
    try:
        web = make_web(options.folder, options.pages)
    except StoreError as error:
        sys.exit(str(error))
    say(str(WebGraph.open(web)))
    print(f"goal: at most {GOAL:g} × the bare reads that a method needs\n{HEADER}", flush=True)
    sys.exit(0 if run(web, options.parts) else 1)


if __name__ == "__main__":
    main()
