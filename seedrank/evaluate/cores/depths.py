"""What a breadth-first crawl finds at each depth: mean PageRank and number of pages, seeds against random pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa

from seedrank.core.progress import Progress
from seedrank.engines.base import Engine
from seedrank.evaluate.intervals import mean_interval

__all__ = ["DEEPEST", "Found", "by_draw", "crawls", "summary"]

DEEPEST = 15

Found = Mapping[str, np.ndarray]
"""Of one method, draws x depths: ``new``, ``cumulative`` and ``mean_pagerank`` (NaN where no page is new)."""


def crawls(
    engine: Engine,
    pagerank: np.ndarray,
    crawled: np.ndarray,
    starts: Mapping[str, Sequence[np.ndarray]],
    progress: Progress,
) -> pa.Table:
    """Crawl breadth-first from every start; only crawled pages count, as the papers' graphs have no others.

    Parameters
    ----------
    engine
        Over the whole graph.
    pagerank
        Of every page.
    crawled
        Boolean per page.
    starts
        By method: sets of pages to start from, one per draw.

    Returns
    -------
    table
        ``method``, ``draw``, ``depth`` (0 to 15), ``new`` (crawled pages first visited there), ``cumulative`` (those
        up to there), ``pagerank`` (sum of the new pages').
    """
    method, draw, depth, pages, score = [], [], [], [], []
    with progress("crawling", sum(map(len, starts.values()))) as advance:
        for name, sets in starts.items():
            for number, chosen in enumerate(sets):
                level = engine.levels(chosen, DEEPEST)
                there = (level >= 0) & crawled
                pages.append(np.bincount(level[there], minlength=DEEPEST + 1))
                score.append(np.bincount(level[there], pagerank[there], DEEPEST + 1))
                depth.append(np.arange(DEEPEST + 1))
                method += [name] * (DEEPEST + 1)
                draw += [number] * (DEEPEST + 1)
                advance(1)
    return pa.table(
        {
            "method": method,
            "draw": draw,
            "depth": np.concatenate(depth),
            "new": np.concatenate(pages),
            "cumulative": np.concatenate([np.cumsum(some) for some in pages]),
            "pagerank": np.concatenate(score),
        }
    )


def summary(table: pa.Table) -> pa.Table:
    """Per method and depth: means over draws with their 95 % interval, of new pages, of all pages so far, of PageRank.

    The mean PageRank is that of the new pages, over the draws that find some (``draws``).
    """
    rows = []
    for method in dict.fromkeys(table["method"].to_pylist()):
        found = by_draw(table, method)
        for depth in range(DEEPEST + 1):
            some = found["new"][:, depth] > 0
            if not some.any():
                continue
            row = {"method": method, "depth": depth, "draws": int(some.sum())}
            for name, values in found.items():
                mean = mean_interval(values[:, depth])
                row |= {name: mean.value, f"{name}_low": mean.low, f"{name}_high": mean.high}
            rows.append(row)
    return pa.Table.from_pylist(rows)


def by_draw(table: pa.Table, method: str) -> Found:
    """What the crawls of one method found."""
    chosen = np.flatnonzero(np.array(table["method"].to_pylist(), object) == method)
    new, cumulative, score = (
        table[name].to_numpy()[chosen].reshape(-1, DEEPEST + 1).astype(np.float64)
        for name in ("new", "cumulative", "pagerank")
    )
    with np.errstate(invalid="ignore"):
        return {"new": new, "cumulative": cumulative, "mean_pagerank": score / np.where(new > 0, new, np.nan)}
