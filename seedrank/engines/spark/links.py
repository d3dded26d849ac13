"""Links in Spark: a table, cut into blocks either way when first asked for, and joined with itself for co-citation."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from seedrank.engines.spark.blocks import Blocks, Layout
from seedrank.graph import WebGraph
from seedrank.graphdb.spark import quiet, session, size_shuffles

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["SparkLinks", "cited_together", "per_page", "to_spark"]

LINKS_PER_PAGE = 20
"""About, to choose how many partitions a shuffle of links has before they are counted."""


class SparkLinks:
    """Links in Spark, whichever way round.

    Parameters
    ----------
    table
        ``source``, ``target``, ``weight``: each pair of different pages once.
    weighted
        Whether walks go by the weights.
    """

    def __init__(self, table: DataFrame, pages: int, *, weighted: bool, layout: Layout) -> None:
        self.table, self.pages, self.weighted, self.layout = table, pages, weighted, layout
        size_shuffles(table.sparkSession, LINKS_PER_PAGE * pages)

    @cached_property
    def degrees(self) -> tuple[np.ndarray, np.ndarray]:
        """In-degree and out-degree, int64 per page."""
        return self._counts("target"), self._counts("source")

    @cached_property
    def links(self) -> int:
        """How many there are."""
        return int(self.degrees[1].sum())

    @cached_property
    def forward(self) -> Blocks:
        """Blocks that pass values along links."""
        return self._blocks("source", "target", self.degrees[1])

    @cached_property
    def backward(self) -> Blocks:
        """Blocks that pass values against links."""
        return self._blocks("target", "source", self.degrees[0])

    def cut(self, *, apart: np.ndarray | None = None, within: np.ndarray | None = None) -> SparkLinks:
        """The links that stay when those within a site (`apart`) or between sites (`within`) are left out."""
        table = self.table
        with quiet():
            for sites, same in ((apart, False), (within, True)):
                if sites is not None:
                    table = self._sited(table, sites, same=same)
        return SparkLinks(table, self.pages, weighted=self.weighted, layout=self.layout)

    def close(self) -> None:
        """Let Spark forget the blocks that were made."""
        for name in ("forward", "backward"):
            if name in self.__dict__:
                self.__dict__.pop(name).close()

    def _sited(self, table: DataFrame, sites: np.ndarray, *, same: bool) -> DataFrame:
        """Links within a site, or all others; -1 is a site of its own for each page."""
        known = np.flatnonzero(sites >= 0)
        frame = table.sparkSession.createDataFrame(pa.table({"page": known, "site": sites[known].astype(np.int64)}))
        source, target = (
            frame.withColumnsRenamed({"page": f"{end}_page", "site": f"{end}_site"}) for end in ("source", "target")
        )
        table = table.join(source, table["source"] == source["source_page"], "left")
        table = table.join(target, table["target"] == target["target_page"], "left")
        alike = table["source_site"].eqNullSafe(table["target_site"]) & table["source_site"].isNotNull()
        return table.filter(alike if same else ~alike).select("source", "target", "weight")

    def _counts(self, end: str) -> np.ndarray:
        with quiet():
            found = self.table.groupBy(end).count().toArrow()
        counts = np.zeros(self.pages, np.int64)
        counts[found[end].to_numpy()] = found["count"].to_numpy()
        return counts

    def _blocks(self, sender: str, receiver: str, degree: np.ndarray) -> Blocks:
        named = self.table.select(
            self.table[sender].alias("sender"),
            self.table[receiver].alias("receiver"),
            self.table["weight"].cast("float").alias("weight"),
        )
        return Blocks(named, degree, weighted=self.weighted, layout=self.layout)


def per_page(frame_of: DataFrame, name: str, values: np.ndarray) -> DataFrame:
    """A vector as a table ``page``, `name` in the session of another table."""
    with quiet():
        return frame_of.sparkSession.createDataFrame(pa.table({"page": np.arange(len(values)), name: values}))


def cited_together(
    links: DataFrame, left: np.ndarray, right: np.ndarray, citing: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Source, target and count, int32, of the pairs of a left and a different right page that `citing` pages link to.

    Whether pages are left, right or citing is a boolean per page.
    """
    from pyspark.sql import functions as f

    with quiet():
        cites = links.select("source", "target").join(_pages(links, "source", citing), "source")
        to_left = cites.join(_pages(links, "target", left), "target").withColumnRenamed("target", "left")
        to_right = cites.join(_pages(links, "target", right), "target").withColumnRenamed("target", "right")
        pairs = to_left.join(to_right, "source").filter("left <> right").groupBy("left", "right")
        table = pairs.agg(f.count("source").alias("count")).toArrow()
    table = table.sort_by([("left", "ascending"), ("right", "ascending")])
    source, target, count = (table[name].to_numpy().astype(np.int32) for name in ("left", "right", "count"))
    return source, target, count


def _pages(links: DataFrame, name: str, flags: np.ndarray) -> DataFrame:
    return links.sparkSession.createDataFrame(pa.table({name: np.flatnonzero(flags)}))


def to_spark(graph: WebGraph) -> DataFrame:
    """``source``, ``target`` and ``weight`` of the links as a DataFrame."""
    source = np.repeat(np.arange(graph.pages), np.diff(graph.out_offsets))
    weight = np.ones(graph.links) if graph.weights is None else graph.weights.astype(np.float64)
    table = pa.table({"source": source, "target": graph.out_targets.astype(np.int64), "weight": weight})
    with quiet():
        return session().createDataFrame(table)
