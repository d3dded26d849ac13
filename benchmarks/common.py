"""What several benchmarks need: runs that take turns, and recorded graphs."""

from __future__ import annotations

import gzip
import time
from collections.abc import Callable

import numpy as np
import pyarrow.csv

from benchmarks import SHARED
from seedrank.core.model import Status
from seedrank.graph import WebGraph


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


def web_notredame() -> WebGraph:
    """SNAP's crawl of nd.edu."""
    with gzip.open(SHARED / "web-NotreDame" / "web-NotreDame.txt.gz", "rt") as file:
        numbers = np.array(" ".join(line for line in file if not line.startswith("#")).split(), np.int64)
    source, target = numbers[::2], numbers[1::2]
    return WebGraph.from_links(int(max(source.max(), target.max())) + 1, source, target)


def asf_web(date: str) -> WebGraph:
    """Pages and links of asf-web-2snapshots at a date, numbered anew."""
    tab = pyarrow.csv.ParseOptions(delimiter="\t", quote_char=False)
    folder = SHARED / "asf-web-2snapshots"
    pages, links = (
        pyarrow.csv.read_csv(folder / f"{date}.{kind}.tsv.gz", parse_options=tab) for kind in ("pages", "links")
    )
    ids = pages["id"].to_numpy()
    order = np.argsort(ids)
    source, target = (order[np.searchsorted(ids, links[end].to_numpy(), sorter=order)] for end in ("source", "target"))
    hosts = pages["host"].combine_chunks().dictionary_encode()
    names = hosts.dictionary.to_pylist()
    status = np.array([Status[name.upper()] for name in pages["status"].to_pylist()], np.int8)
    return WebGraph.from_links(len(ids), source, target, status=status, host=hosts.indices.to_numpy(), host_names=names)
