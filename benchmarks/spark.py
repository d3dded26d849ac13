"""What Spark costs: PageRank in memory, in GDS and on Spark, and a model of a pass over the links.

    python -m benchmarks.spark                    made host graphs of four sizes, on this machine's cores
    python -m benchmarks.spark --small            a hundredth of the sizes
    python -m benchmarks.spark --neo4j neo4j      GDS too, in the server of `seedrank db up`, whose database it replaces

The sizes are fitted on all but the largest, which checks the fit. A pass moves vectors and what blocks send to one
another through Spark's shuffle, whatever the size, as on a cluster. Bytes are those that Spark itself counts.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import nnls

import seedrank
from benchmarks.host_graph import draw_links
from seedrank.engines.native import NativeEngine
from seedrank.graph import WebGraph

SIZES = ((200_000, 1_000_000), (100_000, 4_000_000), (1_000_000, 8_000_000), (1_500_000, 20_000_000))
"""Hosts and links, of several densities, so that each has its price; the last checks the model."""
PASSES = 8
"""Over the blocks of each size; the quickest counts, which others on the machine disturbed least."""
TARGET_LINKS, TARGET_PAGES = 1e11, 2.1e9
CORES, NETWORK = 1024, 1.25e9
"""The cluster the model is asked about: 64 machines of 16 cores, 10 Gbit/s each, the driver's too."""


@dataclass(frozen=True)
class Measured:
    """One size."""

    pages: int
    links: int
    cores: int
    blocks: int
    native: float
    gds: float | None
    spark: float
    passes: int
    seconds: float
    """Of the quickest pass, once the blocks are made."""
    shuffled: float
    """Bytes of a pass."""


def measure(graph: WebGraph) -> Measured:
    from graphdb.spark import session
    from seedrank.engines.spark.blocks import Layout
    from seedrank.engines.spark.engine import SparkEngine
    from seedrank.engines.spark.from_memory import to_spark

    native = NativeEngine(graph)
    native.walk(tolerance=1e-9)
    start = time.perf_counter()
    expected = native.walk(tolerance=1e-9).scores
    in_memory = time.perf_counter() - start
    spark = session()
    cores = spark.sparkContext.defaultParallelism
    layout = Layout(per_block=max(1, graph.links // (2 * cores)), one_block=0, through_driver=0)
    start = time.perf_counter()
    with SparkEngine(to_spark(graph), graph.pages, layout=layout) as engine:
        walk = engine.walk(tolerance=1e-9)
        whole = time.perf_counter() - start
        assert np.abs(walk.scores - expected).sum() < 1e-8
        x = np.random.default_rng(0).random(graph.pages)  # as scores: nothing that packs well
        before, took = shuffled(spark), []
        for _ in range(PASSES):
            start = time.perf_counter()
            engine._totals(engine._along, x)
            took.append(time.perf_counter() - start)
        seconds, moved = min(took), (shuffled(spark) - before) / PASSES
        return Measured(
            graph.pages, graph.links, cores, engine._along.count, in_memory, None, whole,
            walk.iterations, seconds, moved,
        )  # fmt: skip


def shuffled(spark) -> int:
    """Bytes that all stages so far have written for others to read."""
    store = spark.sparkContext._jsc.sc().statusStore()
    stages = store.stageList(None, False, False, spark.sparkContext._gateway.new_array(spark._jvm.double, 0), None)
    return sum(stages.apply(k).shuffleWriteBytes() for k in range(stages.size()))


def in_gds(graph: WebGraph, neo4j: str) -> float:
    """Seconds of PageRank in GDS, its projection included."""
    import pandas as pd

    from seedrank.engines.gds import GdsEngine

    source = np.repeat(np.arange(graph.pages), graph.out_degree)
    ends = {"source": source, "target": graph.out_targets}
    with seedrank.open(neo4j) as bench:
        bench.session.store.wipe()
        links = pd.DataFrame({name: [f"http://h{k}.example/" for k in at] for name, at in ends.items()})
        bench.load(links=links, bulk=True)
        start = time.perf_counter()
        with GdsEngine(bench.session.store) as engine:
            engine.walk(tolerance=1e-9)
        return time.perf_counter() - start


def fit(rows: list[Measured]) -> tuple[np.ndarray, np.ndarray]:
    """Seconds of a pass as a + b · links / cores, and bytes shuffled as c · links + d · pages, each ≥ 0."""
    seconds, _ = nnls(np.array([[1.0, row.links / row.cores] for row in rows]), np.array([row.seconds for row in rows]))
    moved, _ = nnls(np.array([[row.links, row.pages] for row in rows], float), np.array([row.shuffled for row in rows]))
    return seconds, moved


def report(rows: list[Measured]) -> None:
    print("| links | hosts | blocks | native | GDS | Spark | passes | s a pass | MB shuffled a pass |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for row in rows:
        gds = "–" if row.gds is None else f"{row.gds:.1f} s"
        print(
            f"| {row.links:,} | {row.pages:,} | {row.blocks} | {row.native:.3f} s | {gds} | {row.spark:.1f} s "
            f"| {row.passes} | {row.seconds:.2f} | {row.shuffled / 1e6:.1f} |"
        )
    seconds, moved = fit(rows[:-1])
    last = rows[-1]
    told = seconds @ [1.0, last.links / last.cores], moved @ [last.links, last.pages]
    print(f"\nseconds = {seconds[0]:.3g} + {seconds[1]:.3g} · links / cores")
    print(f"bytes = {moved[0]:.3g} · links + {moved[1]:.3g} · pages")
    print(f"check at {last.links:,} links: {told[0]:.2f} s told, {last.seconds:.2f} s measured; ", end="")
    print(f"{told[1] / 1e6:.1f} MB told, {last.shuffled / 1e6:.1f} MB measured")
    compute = seconds[0] + seconds[1] * TARGET_LINKS / CORES
    machines = CORES // 16
    moving = (moved @ [TARGET_LINKS, TARGET_PAGES]) / (machines * NETWORK)
    driver = 4 * 8 * TARGET_PAGES / NETWORK
    hours = last.passes * (compute + moving + driver) / 3600
    print(
        f"10^11 links and {TARGET_PAGES:.2g} pages on {machines} machines of 16 cores: {compute:.0f} s of work, ",
        end="",
    )
    print(f"{moving:.0f} s of shuffle and {driver:.0f} s to and from the driver a pass; {hours:.1f} h of PageRank")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--neo4j")
    given = parser.parse_args()
    divide = 100 if given.small else 1
    sizes = [(pages // divide, links // divide) for pages, links in SIZES]
    rows = []
    for pages, links in sizes:
        rows.append(measure(made(pages, links)))
        print(rows[-1], flush=True)
    report(rows)
    if given.neo4j is not None:
        # A server of the same machine would disturb the passes: it comes last.
        for number, (pages, links) in enumerate(sizes):
            rows[number] = replace(rows[number], gds=in_gds(made(pages, links), given.neo4j))
            print(rows[number], flush=True)
        report(rows)


def made(pages: int, links: int) -> WebGraph:
    """A graph of hosts; the same numbers give the same one."""
    ends = np.concatenate(list(draw_links(np.random.default_rng(0), pages, links)))
    return WebGraph.from_links(pages, ends[:, 0], ends[:, 1])


if __name__ == "__main__":
    main()
