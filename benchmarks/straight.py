"""Files straight to arrays, and links turned round on disk: what `benchmarks.load graph` measures, one by one."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

_BLOCK = 1 << 22


def timed(work: Callable[[], object]) -> dict[str, float]:
    """Seconds, and those of the processor: on a busy machine they say more."""
    start, busy = time.perf_counter(), time.process_time()
    work()
    return {"seconds": time.perf_counter() - start, "processor": time.process_time() - busy}


def load(folder: Path, pages: str = "pages") -> dict[str, float]:
    import seedrank
    from seedrank.loaders.table import TableSource

    source = TableSource(pages=[f"{folder}/{pages}.parquet"], links=[f"{folder}/links.parquet"])
    return timed(lambda: seedrank.load_graph(source, folder / f"{pages}-graph", spool=folder))


def same(folder: Path) -> dict[str, float]:
    """Whether the arrays are those that were read back from the embedded store."""
    from seedrank.graph import WebGraph

    straight, stored = WebGraph.open(folder / "pages-graph"), WebGraph.open(folder / "pages.duckdb.seedrank" / "graph")
    names = ("out_offsets", "out_targets", "status", "host", "source_id")
    return {"same": all(np.array_equal(getattr(straight, name), getattr(stored, name)) for name in names)}


def small(folder: Path) -> dict[str, float]:
    """Compile the kernels, so that no measurement pays for it."""
    load(folder, "url_pages")
    load(folder)
    return turn(folder, 1 << 20)


def bare_read_and_write(folder: Path) -> dict[str, float]:
    """The links read once and written once, block by block, to disk."""
    block = memoryview(bytearray(_BLOCK))

    def copy() -> None:
        with (
            (folder / "pages-graph" / "out_targets.npy").open("rb", buffering=0) as source,
            (folder / "copy").open("wb", buffering=0) as target,
        ):
            while count := source.readinto(block):
                target.write(block[:count])
            os.fsync(target.fileno())

    found = timed(copy)
    (folder / "copy").unlink()
    return found


def turn(folder: Path, limit: int) -> dict[str, float]:
    """Links the other way round within a limit of memory, on a graph that has none yet."""
    from seedrank.graph import WebGraph, frozen, transpose

    copied = Path(shutil.copytree(folder / "pages-graph", folder / "turned", copy_function=os.link))
    graph = WebGraph.open(copied)
    transpose.fits_memory = lambda needed: False
    transpose._limit = lambda: limit
    warm = WebGraph.from_links(3, [0, 1], [1, 2])
    piece, fill = np.zeros(1, np.int32), np.zeros(1, np.int64)
    transpose.count_targets_from(piece, 0, fill)  # loads the loops
    transpose.place_sources(frozen(warm.out_offsets), 0, 0, piece, 0, fill, 0, piece.copy())
    found = timed(lambda: graph.in_sources)
    shutil.rmtree(copied)
    return {**found, "links": graph.links}
