"""What a breadth-first crawl finds at each depth: mean PageRank and number of pages, seeds against random pages."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from seedrank.core.model import Status
from seedrank.core.progress import Progress
from seedrank.engines.base import Engine
from seedrank.experiments.intervals import mean_interval
from seedrank.graph import WebGraph

__all__ = ["DEEPEST", "Found", "by_draw", "crawls", "summary"]

DEEPEST = 15

Found = Mapping[str, np.ndarray]
"""Of one method, draws x depths: ``new``, ``cumulative`` and ``mean_pagerank`` (NaN where no page is new)."""


def crawls(
    engine: Engine,
    graph: WebGraph,
    pagerank: np.ndarray,
    starts: Mapping[str, Sequence[np.ndarray]],
    progress: Progress,
) -> pa.Table:
    """Crawl breadth-first over the crawled pages from every start; pages that were never crawled do not count.

    Returns
    -------
    table
        ``method``, ``draw``, ``depth`` (0 to 15), ``new`` (pages first visited there), ``cumulative`` (pages visited up
        to there), ``pagerank`` (sum over the new ones).
    """
    crawled = graph.status == Status.CRAWLED
    if graph.out_degree[~crawled].any():
        # A crawl learns no links of a page it cannot fetch.
        engine = engine.without(pages=~crawled)
    every = np.arange(DEEPEST + 1)
    parts = []
    with progress("crawling", sum(map(len, starts.values()))) as advance:
        for name, sets in starts.items():
            for number, chosen in enumerate(sets):
                level = engine.bfs_hops(chosen, DEEPEST)
                there = (level >= 0) & crawled
                new = np.bincount(level[there], minlength=DEEPEST + 1)
                score = np.bincount(level[there], pagerank[there], DEEPEST + 1)
                columns = {"depth": every, "new": new, "cumulative": np.cumsum(new), "pagerank": score}
                parts.append(pa.table({"method": [name] * len(every), "draw": [number] * len(every), **columns}))
                advance(1)
    return pa.concat_tables(parts)


def summary(table: pa.Table) -> pa.Table:
    """Per method and depth: means over draws with their 95 % intervals, to the last depth at which any finds a page.

    Of ``new`` and ``cumulative`` pages, and of ``mean_pagerank`` of the new ones, which is over the draws that find a
    page there (``draws``), null where none does.
    """
    last = int(table["depth"].to_numpy()[table["new"].to_numpy() > 0].max(initial=0))
    rows = []
    for method in dict.fromkeys(table["method"].to_pylist()):
        found = by_draw(table, method)
        for depth in range(last + 1):
            row: dict[str, Any] = {"method": method, "depth": depth, "draws": int((found["new"][:, depth] > 0).sum())}
            for name, values in found.items():
                mean = mean_interval(values[:, depth])
                row |= {name: mean.value, f"{name}_low": mean.low, f"{name}_high": mean.high}
            rows.append({name: None if _is_none(value) else value for name, value in row.items()})
    return pa.Table.from_pylist(rows)


def _is_none(value: Any) -> bool:
    return isinstance(value, float) and math.isnan(value)


def by_draw(table: pa.Table, method: str) -> Found:
    """What the crawls of one method found."""
    chosen = np.flatnonzero(np.array(table["method"].to_pylist(), object) == method)
    new, cumulative, score = (
        table[name].to_numpy()[chosen].reshape(-1, DEEPEST + 1).astype(np.float64)
        for name in ("new", "cumulative", "pagerank")
    )
    with np.errstate(invalid="ignore"):
        return {"new": new, "cumulative": cumulative, "mean_pagerank": score / np.where(new > 0, new, np.nan)}
