"""What Spark costs: PageRank in memory, in GDS and on Spark, and a model of a pass over the links.

    python -m benchmarks.spark                    made host graphs of four sizes, one in two layouts
    python -m benchmarks.spark --small            a hundredth of the sizes
    python -m benchmarks.spark --neo4j neo4j      GDS too, in the server of `seedrank db up`, whose database it replaces

The sizes are fitted on all but the largest, which checks the fit. A pass moves vectors and what blocks send to one
another through Spark's shuffle, whatever the size, as on a cluster. Bytes are those that Spark itself counts.
"""

from __future__ import annotations

import argparse
import math
import time
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import nnls

import seedrank
from benchmarks.host_graph import draw_links
from seedrank.core.tables import as_markdown
from seedrank.engines.native.engine import NativeEngine
from seedrank.exporters.spark import export_spark
from seedrank.graph import WebGraph
from seedrank.graphdb.arrays import ArrayStore

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

SIZES = (
    (200_000, 1_500_000, 600_000),
    (200_000, 1_500_000, 150_000),
    (200_000, 10_000_000, 2_500_000),
    (1_500_000, 20_000_000, 4_000_000),
    (2_000_000, 48_000_000, 4_000_000),
)
"""Hosts, links, and links of a block: several densities and numbers of blocks, so that each has its price; the last
checks the model."""
GDS_SIZES = 3
"""The smallest, in GDS too: larger ones take longer to load through Bolt than to measure."""
PASSES = 12
"""Over the blocks of each size; the quickest counts, which others on the machine disturbed least."""
TARGET_LINKS, TARGET_PAGES = 1e11, 2.1e9
CORES, NETWORK = 1024, 1.25e9
"""The cluster the model is asked about: 64 machines of 16 cores, 10 Gbit/s each, the driver's too."""
PER_BLOCK = 4_000_000
"""Links of a block, as `Layout` has it by default."""


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
    messages: int
    """Pages that get something from other blocks, counted once for each of them."""
    leaving: float
    """Share of links that leave their block: a block of few links sends about one message for each."""
    shuffled: float
    """Bytes of a pass."""


def measure(graph: WebGraph, per_block: int) -> Measured:
    native = NativeEngine(graph)
    native.walk(tolerance=1e-9)
    start = time.perf_counter()
    expected = native.walk(tolerance=1e-9).scores
    in_memory = time.perf_counter() - start
    with TemporaryDirectory() as folder:
        export_spark(ArrayStore(graph, "made"), Path(folder, "web.spark"))
        with seedrank.open(f"spark+parquet:{folder}/web.spark", engine="spark") as bench:
            return _in_spark(graph, bench.session.store.spark_links(), per_block, in_memory, expected)


def _in_spark(graph: WebGraph, links: DataFrame, per_block: int, in_memory: float, expected: np.ndarray) -> Measured:
    from seedrank.engines.spark.blocks import Layout
    from seedrank.engines.spark.engine import SparkEngine

    spark = links.sparkSession
    cores = spark.sparkContext.defaultParallelism
    layout = Layout(per_block=per_block, one_block=0, through_driver=0)
    start = time.perf_counter()
    with SparkEngine(links, graph.pages, layout=layout) as engine:
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
        messages, leaving = between(graph, engine._along.bounds)
        return Measured(
            graph.pages, graph.links, cores, engine._along.count, in_memory, None, whole,
            walk.iterations, seconds, messages, leaving, moved,
        )  # fmt: skip


def between(graph: WebGraph, bounds: np.ndarray) -> tuple[int, float]:
    """Messages between blocks, and the share of links that leave theirs."""
    block = np.repeat(np.arange(len(bounds) - 1), np.diff(bounds))
    source = np.repeat(block, graph.out_degree)
    leaves = source != block[graph.out_targets]
    return len(np.unique(source[leaves] * graph.pages + graph.out_targets[leaves])), float(leaves.mean())


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
    """What a pass costs, each price at least 0.

    Seconds are a + b · links / cores + c · blocks / cores, and bytes shuffled d · messages + e · pages.
    """
    work = np.array([[1.0, row.links / row.cores, row.blocks / row.cores] for row in rows])
    seconds, _ = nnls(work, np.array([row.seconds for row in rows]))
    carried = np.array([[row.messages, row.pages] for row in rows], float)
    moved, _ = nnls(carried, np.array([row.shuffled for row in rows]))
    return seconds, moved


def report(rows: list[Measured]) -> None:
    heads = ["links", "hosts", "blocks", "native", "GDS", "Spark", "passes", "s/pass", "messages", "leaving", "MB/pass"]
    cells = [
        (
            *(f"{row.links:,}", f"{row.pages:,}", row.blocks, f"{row.native:.2f} s"),
            *("–" if row.gds is None else f"{row.gds:.1f} s", f"{row.spark:.1f} s", row.passes, f"{row.seconds:.2f}"),
            *(f"{row.messages:,}", f"{row.leaving:.0%}", f"{row.shuffled / 1e6:.1f}"),
        )
        for row in rows
    ]
    print("\n".join(as_markdown(heads, cells, right=range(len(heads)))))
    seconds, moved = fit(rows[:-1])
    last = rows[-1]
    told = seconds @ [1.0, last.links / last.cores, last.blocks / last.cores], moved @ [last.messages, last.pages]
    print(f"\nseconds = {seconds[0]:.3g} + {seconds[1]:.3g} · links / cores + {seconds[2]:.3g} · blocks / cores")
    print(f"bytes = {moved[0]:.3g} · messages + {moved[1]:.3g} · pages")
    print(f"check at {last.links:,} links: {told[0]:.2f} s told, {last.seconds:.2f} s measured; ", end="")
    print(f"{told[1] / 1e6:.1f} MB told, {last.shuffled / 1e6:.1f} MB measured")
    blocks = TARGET_LINKS / PER_BLOCK
    compute = seconds @ [1.0, TARGET_LINKS / CORES, blocks / CORES]
    machines = CORES // 16
    # So many blocks share few pages: every link that leaves its block is taken for a message, more than there can be.
    moving = (moved @ [last.leaving * TARGET_LINKS, TARGET_PAGES]) / (machines * NETWORK)
    driver = 4 * 8 * TARGET_PAGES / NETWORK
    hours = (compute + moving + driver) / 3600
    most = math.ceil(math.log(1e-9) / math.log(0.85))
    print(
        f"10^11 links and {TARGET_PAGES:.2g} pages in {blocks:,.0f} blocks on {machines} machines of 16 cores, a pass: "
        f"{compute:.0f} s of work, {moving:.0f} s of shuffle, {driver:.0f} s to and from the driver; "
        f"PageRank: {last.passes * hours:.1f} h in {last.passes} passes, {most * hours:.1f} h in the {most} that power "
        "iteration needs"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--neo4j")
    given = parser.parse_args()
    divide = 100 if given.small else 1
    sizes = [tuple(number // divide for number in size) for size in SIZES]
    measure(made(*sizes[0][:2]), sizes[0][2])  # Java compiles what it runs often: the first graph would pay for all
    rows = []
    for pages, links, per_block in sizes:
        rows.append(measure(made(pages, links), per_block))
        print(rows[-1], flush=True)
    report(rows)
    if given.neo4j is not None:
        # A server of the same machine would disturb the passes: it comes last.
        for number, (pages, links, _) in enumerate(sizes[:GDS_SIZES]):
            rows[number] = replace(rows[number], gds=in_gds(made(pages, links), given.neo4j))
            print(rows[number], flush=True)
        report(rows)


def made(pages: int, links: int) -> WebGraph:
    """A graph of hosts; the same numbers give the same one."""
    ends = np.concatenate(list(draw_links(np.random.default_rng(0), pages, links)))
    return WebGraph.from_links(pages, ends[:, 0], ends[:, 1])


if __name__ == "__main__":
    main()
