"""Expansion by hops: breadth first in a projection, by Cypher on the stored graph where there is none."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
from scipy.special import betaincinv

from seedrank.core.errors import GraphError
from seedrank.engines.gds.catalog import Catalog, Projection
from seedrank.engines.gds.view import View, links_from

__all__ = ["HOUR", "SAMPLED", "ball_weights", "bfs_hops", "require_time_for_balls", "sampled_bound"]

HOUR = 3_600.0
"""Seconds an answer may take by the estimate; what would take longer is refused."""
PAGES_PER_CALL = 20_000
FIRST_BALLS = 16
BALL_PAGES_PER_CALL = 1_000_000
SAMPLED = 2_048
"""Pages whose balls a bound of all balls is made from."""
_FIVE_DEVIATIONS = 2.9e-7
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
    if projection is not None or not view:
        for page, ball in _balls(catalog, projection, distinct, hops):
            sums[np.searchsorted(distinct, page)] = weight[ball].sum()
    return np.asarray(sums[place])


def sampled_bound(catalog: Catalog, around: Projection | None, weight: np.ndarray, hops: int) -> np.ndarray:
    """At least the weight of each page's ball, at five standard deviations.

    Pages are drawn in proportion to their weight, and found from whichever pages have them in their balls: a ball with
    a tenth of the weight has about a tenth of them. The bound is the largest share that makes so few of them no rarer
    than five standard deviations do (Clopper and Pearson).

    Parameters
    ----------
    catalog
        Of the graph.
    around
        A projection whose links point the other way; `None` where there are no links.
    weight
        Not negative, and some of it above 0.
    hops
        Of the balls.
    """
    whole = float(weight.sum())
    drawn = np.random.default_rng(0).choice(catalog.pages, SAMPLED, p=weight / whole)
    distinct, times = np.unique(drawn, return_counts=True)
    hits = np.bincount(distinct, times, catalog.pages)
    if around is not None:
        for page, ball in _balls(catalog, around, distinct, hops):
            hits[ball] += times[np.searchsorted(distinct, page)] * (ball != page)
    share = betaincinv(hits + 1, np.maximum(SAMPLED - hits, 0.5), 1 - _FIVE_DEVIATIONS)
    bound = whole * np.where(hits < SAMPLED, share, 1.0)
    return np.asarray(np.maximum(bound, weight) * (1 + 2 * catalog.pages * float(np.finfo(np.float64).eps)))


def require_time_for_balls(
    catalog: Catalog, view: View, projection: Projection | None, hops: int, pages: np.ndarray
) -> None:
    """Refuse the balls of many pages when those of a sample say that it would take hours."""
    if len(pages) <= _ALWAYS:
        return
    sample = pages[np.unique(np.linspace(0, len(pages) - 1, _SAMPLE).astype(np.int64))]
    weight = np.zeros(catalog.pages)
    ball_weights(catalog, view, projection, weight, hops, sample[:2])  # so that planning does not count
    started = time.perf_counter()
    ball_weights(catalog, view, projection, weight, hops, sample)
    seconds = (time.perf_counter() - started) * len(pages) / len(sample)
    if seconds > HOUR:
        raise GraphError(
            f"balls of {hops} hops of {len(pages):,} pages would take about {seconds / HOUR:.1f} hours in Neo4j",
            hint="use {engine=native}",
            fields=("engine",),
        )


def _targets(catalog: Catalog, view: View, pages: np.ndarray) -> np.ndarray:
    if not view:
        return np.array(catalog.run("targets", ids=pages.tolist())[0]["targets"], np.int64)
    return np.unique(links_from(catalog, view, pages)[1])


def _balls(
    catalog: Catalog, projection: Projection | None, pages: np.ndarray, hops: int
) -> Iterator[tuple[int, np.ndarray]]:
    """Each of some distinct pages and the pages of its ball, of calls with about a million of them."""
    if projection is not None and projection.present is not None:
        pages = pages[projection.present[pages]]
    size, start = FIRST_BALLS, 0
    with catalog.progress("balls", total=len(pages)) as advance:
        while start < len(pages):
            some = pages[start : start + size]
            found = 0
            for page, ball in _called(catalog, projection, some, hops):
                found += len(ball)
                yield page, ball
            start += size
            advance(len(some))
            size = int(max(1, min(4 * size, size * BALL_PAGES_PER_CALL // max(found, 1))))


def _called(
    catalog: Catalog, projection: Projection | None, pages: np.ndarray, hops: int
) -> Iterator[tuple[int, np.ndarray]]:
    """The balls of one call: as many searches at a time as the server has threads, each in one of them."""
    if projection is None:
        for row in catalog.balls(pages.tolist(), hops):
            yield row["page"], np.array(row["ball"], np.int64)
        return
    parts = [{"nodes": projection.nodes_of(part)} for part in _dealt(pages, catalog.concurrency)]
    rows = catalog.run_together("view_balls", parts, name=projection.name, hops=hops)
    of = projection.pages_of([row["node"] for row in rows])
    for page, row in zip(of, rows, strict=True):
        yield int(page), projection.pages_of(row["ball"])


def _dealt(pages: np.ndarray, hands: int) -> list[np.ndarray]:
    """Pages in turn to each hand: neighbours have balls of one size."""
    return [pages[hand::hands] for hand in range(min(hands, len(pages)))]
