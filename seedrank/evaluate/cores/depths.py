"""What a breadth-first crawl finds at each depth: mean PageRank and number of pages, seeds against random pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa

from seedrank.core.progress import Progress
from seedrank.engines.base import Engine
from seedrank.evaluate.intervals import mean_interval

__all__ = ["DEEPEST", "by_draw", "crawls", "summary"]

DEEPEST = 15


def crawls(
    engine: Engine, pagerank: np.ndarray, starts: Mapping[str, Sequence[np.ndarray]], progress: Progress
) -> pa.Table:
    """Crawl breadth-first from every start.

    Parameters
    ----------
    engine
        Over the whole graph.
    pagerank
        Of every page.
    starts
        By method: sets of pages to start from, one per draw.

    Returns
    -------
    table
        ``method``, ``draw``, ``depth`` (0 to 15), ``pages`` first visited there, ``pagerank`` (sum of theirs).
    """
    method, draw, depth, pages, score = [], [], [], [], []
    with progress("crawling", sum(map(len, starts.values()))) as advance:
        for name, sets in starts.items():
            for number, chosen in enumerate(sets):
                level = engine.levels(chosen, DEEPEST)
                there = level >= 0
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
            "pages": np.concatenate(pages),
            "pagerank": np.concatenate(score),
        }
    )


def summary(table: pa.Table) -> pa.Table:
    """Per method and depth: means over draws with their 95 % interval, of ``pages`` and of ``mean_pagerank``.

    The mean PageRank at a depth is over the draws that find a page there (``draws``).
    """
    rows = []
    for method in _methods(table):
        pages, score = by_draw(table, method)
        for depth in range(DEEPEST + 1):
            found = pages[:, depth] > 0
            if not found.any():
                continue
            count, mean = (
                mean_interval(pages[:, depth].astype(float)),
                mean_interval(score[found, depth] / pages[found, depth]),
            )
            rows.append(
                {"method": method, "depth": depth, "draws": int(found.sum()),
                 "pages": count.value, "pages_low": count.low, "pages_high": count.high,
                 "mean_pagerank": mean.value, "mean_pagerank_low": mean.low, "mean_pagerank_high": mean.high}
            )  # fmt: skip
    return pa.Table.from_pylist(rows)


def by_draw(table: pa.Table, method: str) -> tuple[np.ndarray, np.ndarray]:
    """Pages and sums of PageRank: draws x depths."""
    chosen = np.flatnonzero(np.array(table["method"].to_pylist(), object) == method)
    pages, score = (table[name].to_numpy()[chosen].reshape(-1, DEEPEST + 1) for name in ("pages", "pagerank"))
    return pages, score


def _methods(table: pa.Table) -> list[str]:
    return list(dict.fromkeys(table["method"].to_pylist()))
