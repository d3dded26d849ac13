"""Whether the links of a store that Spark reads fit into memory, and the engine on Spark."""

from __future__ import annotations

import logging
from collections.abc import Callable

from seedrank.core import resources
from seedrank.core.errors import GraphError
from seedrank.core.levels import HostWeights, Level
from seedrank.core.progress import Progress
from seedrank.engines.base import Engine
from seedrank.graph import WebGraph
from seedrank.graphdb.store import GraphStore, HasSpark

__all__ = ["brought_here", "native_bytes", "spark_engine", "stays_in_spark"]

log = logging.getLogger(__name__)

PER_LINK, PER_PAGE = 16, 120
"""Bytes in memory: both ways round with weights, and what a walk takes; offsets, names and a few vectors."""


def native_bytes(pages: int, links: int) -> int:
    """What the native engine takes for a graph, about, when everything that it may need is in memory."""
    return PER_LINK * links + PER_PAGE * pages


def stays_in_spark(store: GraphStore, engine: str) -> bool:
    """Whether questions are answered in Spark: where that is said, or ``auto`` finds no room for the links.

    A graph that fits is always answered in memory: it is hundreds of times as fast. Says from which size on it is not.
    """
    if not isinstance(store, HasSpark) or engine not in ("auto", "spark"):
        return False
    if engine == "spark":
        return True
    counts = store.counts()
    needed, there = native_bytes(counts.pages, counts.links), resources.free_memory()
    if there is None or needed <= there:
        if there is not None:
            most = int(counts.links * there / max(needed, 1))
            log.info(
                "the graph fits into memory: it is asked here, not in Spark; that would begin at about %s links",
                f"{most:,}",
            )
        return False
    log.info(
        "the graph needs about %.1f GiB of memory and %.1f GiB are free: it is asked in Spark",
        needed / 2**30, there / 2**30,
    )  # fmt: skip
    return True


def spark_engine(
    load: Callable[[], WebGraph],
    store: GraphStore,
    *,
    level: tuple[Level, HostWeights] | None,
    weighted: bool,
    progress: Progress,
) -> Engine:
    """The engine on Spark, over the links of a store that Spark reads, or over those of a graph in memory."""
    from seedrank.engines.spark.engine import SparkEngine
    from seedrank.engines.spark.links import to_spark

    if not isinstance(store, HasSpark):
        graph = load()
        return SparkEngine(to_spark(graph), graph.pages, weighted=weighted, progress=progress)
    if level is not None:
        raise GraphError(
            f"{level[0]}s are made of pages in memory, and these links stay in Spark",
            hint="write a folder of them where the graph fits, or take Common Crawl's host graph; or use "
            "{engine=native}",
            fields=("engine",),
        )
    return SparkEngine(store.spark_links(), store.counts().pages, weighted=weighted, progress=progress)


def brought_here(engine: Engine) -> WebGraph:
    """The links of an engine on Spark in this process's memory; refused where they do not fit."""
    from seedrank.engines.choose import ChoosingEngine
    from seedrank.engines.spark.engine import SparkEngine

    there = engine.engine_at("elsewhere") if isinstance(engine, ChoosingEngine) else engine
    assert isinstance(there, SparkEngine)
    resources.require_memory(
        40 * there.links, f"{there.links:,} links between sites, which a core grows over",
        "use a machine with more memory for the driver",
    )  # fmt: skip
    return there.to_memory()
