"""What several benchmarks need: runs that take turns, and cnr-2000."""

from __future__ import annotations

import gzip
import os
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from seedrank.graph import WebGraph

SHARED = Path(os.environ.get("SEEDRANK_DATA") or Path(__file__).resolve().parents[2] / "shared" / "data")
"""The folder of real graphs."""


def race(repeats: int, runners: dict[str, Callable[[], object]]) -> dict[str, float]:
    """Seconds of the fastest run of each, after one run of each that does not count; they take turns."""
    best = dict.fromkeys(runners, float("inf"))
    for repeat in range(repeats + 1):
        for name, run in runners.items():
            start = time.perf_counter()
            run()
            if repeat:
                best[name] = min(best[name], time.perf_counter() - start)
    return best


def cnr_2000() -> WebGraph:
    """LAW's crawl of cnr.it, without hosts."""
    with gzip.open(SHARED / "cnr-2000" / "cnr-2000.graph-txt.gz", "rb") as file:
        pages = int(file.readline())
        rows = file.read().split(b"\n")[:pages]
    targets = np.array(b" ".join(rows).split(), np.int64)
    counts = np.fromiter((len(row.split()) for row in rows), np.int64, pages)
    return WebGraph.from_links(pages, np.repeat(np.arange(pages), counts), targets)
