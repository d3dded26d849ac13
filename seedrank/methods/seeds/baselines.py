"""Baselines of Zheng et al. 2009: random pages, the best by PageRank, the most links (docs/algorithms.md §2.3)."""

from __future__ import annotations

import numpy as np

from seedrank.core.order import rounded
from seedrank.methods.seeds.coverage import CoverageProblem, Selection, cover_in_order

__all__ = ["at_random", "by_outdegree", "by_pagerank", "pages_by_pagerank", "top_of_groups"]


def at_random(problem: CoverageProblem, rng: int) -> Selection:
    """Candidates drawn uniformly without replacement in each group."""
    draw = np.random.default_rng(rng)
    keys = draw.random(problem.engine.pages)
    return cover_in_order(problem, top_of_groups(problem, keys))


def by_pagerank(problem: CoverageProblem, pagerank: np.ndarray) -> Selection:
    """The candidates with the highest PageRank, of the whole graph in the store or of each site alone."""
    return cover_in_order(problem, pages_by_pagerank(problem, pagerank))


def pages_by_pagerank(problem: CoverageProblem, pagerank: np.ndarray) -> list[np.ndarray]:
    """The same pages for each group, best first, without asking what they cover."""
    return top_of_groups(problem, rounded(pagerank))


def by_outdegree(problem: CoverageProblem) -> Selection:
    """The candidates that link to the most crawled pages; not updated as pages are covered."""
    return cover_in_order(problem, top_of_groups(problem, problem.engine.links_into(problem.crawled)))


def top_of_groups(problem: CoverageProblem, scores: np.ndarray) -> list[np.ndarray]:
    """For each group, as many candidates as its quota, by score, ties by smaller id."""
    allowed = problem.candidates & (problem.groups >= 0)
    allowed[problem.keep] = False
    pages = np.flatnonzero(allowed)
    if len(problem.quota) == 1 and len(pages) > 4 * problem.quota[0]:
        # Not all of a hundred million pages are sorted: only those that tie with the last one, or beat it.
        some, last = scores[pages], len(pages) - max(int(problem.quota[0]), 1)
        pages = pages[some >= np.partition(some, last)[last]]
    group = problem.groups[pages]
    pages = pages[np.lexsort((pages, -scores[pages].astype(np.float64), group))]
    starts = np.searchsorted(problem.groups[pages], np.arange(len(problem.quota) + 1))
    return [
        pages[start : min(start + most, stop)]
        for start, stop, most in zip(starts[:-1], starts[1:], problem.quota, strict=True)
    ]
