"""Expansion by hops: breadth first in a projection, by Cypher on the stored graph where there is none."""

from __future__ import annotations

import time

import numpy as np

from seedrank.core.errors import GraphError
from seedrank.engines.gds.catalog import Catalog, Projection
from seedrank.engines.gds.links import links_from
from seedrank.engines.gds.view import View

__all__ = ["HOUR", "ball_weights", "bfs_hops", "require_time_for_all_balls"]

HOUR = 3_600.0
"""Seconds an answer may take by the estimate; what would take longer is refused."""
PAGES_PER_CALL = 20_000
FIRST_BALLS = 16
BALL_PAGES_PER_CALL = 1_000_000
_SAMPLE = 64
_ALWAYS = 2_000
"""Balls that are summed without asking how long it takes."""


def bfs_hops(catalog: Catalog, view: View, sources: np.ndarray, max_hops: int) -> np.ndarray:
    """Hops from the nearest source: one statement per 20,000 pages of a level."""
    level = np.full(catalog.pages, -1, np.int32)
    frontier = np.unique(sources)
    level[frontier] = 0
    hop = 0
    with catalog.progress("expanding") as advance:
        while len(frontier) and hop < max_hops:
            hop += 1
            for start in range(0, len(frontier), PAGES_PER_CALL):
                found = _targets(catalog, view, frontier[start : start + PAGES_PER_CALL])
                level[found[level[found] < 0]] = hop
                advance(min(PAGES_PER_CALL, len(frontier) - start))
            frontier = np.flatnonzero(level == hop)
    return level


def ball_weights(
    catalog: Catalog, view: View, projection: Projection | None, weight: np.ndarray, hops: int, pages: np.ndarray
) -> np.ndarray:
    """Sum of `weight` over each page's ball.

    Balls come back as ids, in calls of about a million, and are summed here: weights change with every round of a
    selection, and sending all of them for a few balls would cost more than the balls.
    """
    if hops == 0 or not len(pages):
        return np.asarray(weight[pages])
    distinct, place = np.unique(pages, return_inverse=True)
    sums = np.array(weight[distinct])
    todo = np.arange(len(distinct))
    if view and projection is None:
        return np.asarray(sums[place])
    if projection is not None and projection.present is not None:
        todo = todo[projection.present[distinct]]
    size = FIRST_BALLS
    with catalog.progress("balls", total=len(todo)) as advance:
        start = 0
        while start < len(todo):
            some = todo[start : start + size]
            found = 0
            for page, ball in _balls(catalog, projection, distinct[some], hops):
                sums[np.searchsorted(distinct, page)] = weight[ball].sum()
                found += len(ball)
            start += size
            advance(len(some))
            size = int(max(1, min(4 * size, size * BALL_PAGES_PER_CALL // max(found, 1))))
    return np.asarray(sums[place])


def require_time_for_all_balls(
    catalog: Catalog, view: View, projection: Projection | None, weight: np.ndarray, hops: int
) -> None:
    """Refuse the balls of all pages when those of a sample say that it would take hours."""
    if catalog.pages <= _ALWAYS:
        return
    sample = np.unique(np.linspace(0, catalog.pages - 1, _SAMPLE).astype(np.int64))
    ball_weights(catalog, view, projection, weight, hops, sample[:2])  # so that planning does not count
    started = time.perf_counter()
    ball_weights(catalog, view, projection, weight, hops, sample)
    seconds = (time.perf_counter() - started) * catalog.pages / len(sample)
    if seconds > HOUR:
        raise GraphError(
            f"balls of {hops} hops of all {catalog.pages:,} pages would take about {seconds / HOUR:.1f} hours in Neo4j",
            hint="use {engine=native}",
            fields=("engine",),
        )


def _targets(catalog: Catalog, view: View, pages: np.ndarray) -> np.ndarray:
    if not view:
        return np.array(catalog.run("targets", ids=pages.tolist())[0]["targets"], np.int64)
    return np.unique(links_from(catalog, view, pages)[1])


def _balls(
    catalog: Catalog, projection: Projection | None, pages: np.ndarray, hops: int
) -> list[tuple[int, np.ndarray]]:
    """Each page and the pages of its ball."""
    if projection is None:
        return [(row["page"], np.array(row["ball"], np.int64)) for row in catalog.balls(pages.tolist(), hops)]
    rows = catalog.run(
        "view_balls",
        name=projection.name,
        nodes=projection.nodes_of(pages),
        hops=hops,
        concurrency=catalog.concurrency,
    )
    of = projection.pages_of([row["node"] for row in rows])
    return [(int(page), projection.pages_of(row["ball"])) for page, row in zip(of, rows, strict=True)]
