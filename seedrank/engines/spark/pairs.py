"""Co-citation: links joined with themselves by the page that cites."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from seedrank.graphdb.spark import quiet

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["cited_together"]


def cited_together(
    links: DataFrame, left: np.ndarray, right: np.ndarray, citing: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Source, target and count, int32, of the pairs of a left and a different right page that `citing` pages link to.

    Parameters
    ----------
    links
        ``source`` and ``target``.
    left, right, citing
        Boolean per page.
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
