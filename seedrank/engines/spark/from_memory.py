"""Links of a graph in memory, handed to Spark: for a graph that fits, to try Spark or to compare with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from seedrank.graph import WebGraph
from seedrank.graphdb.spark import quiet, session

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["to_spark"]


def to_spark(graph: WebGraph) -> DataFrame:
    """``source``, ``target`` and ``weight`` of the links as a DataFrame."""
    source = np.repeat(np.arange(graph.pages), np.diff(graph.out_offsets))
    weight = np.ones(graph.links) if graph.weights is None else graph.weights.astype(np.float64)
    table = pa.table({"source": source, "target": graph.out_targets.astype(np.int64), "weight": weight})
    with quiet():
        return session().createDataFrame(table)
