"""RW and RW-EG as scores of a crawl in batches: rank, fetch, discover, rank again (docs/algorithms.md §4.4)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from seedrank.core.errors import UsageError
from seedrank.core.model import Status
from seedrank.engines.native.engine import NativeEngine
from seedrank.graph import WebGraph
from seedrank.methods.frontier.problem import pose, reveal
from seedrank.methods.frontier.scores import Scores
from seedrank.questions.frontier import ScoreOptions

__all__ = ["batch_scores"]


def batch_scores(
    graph: WebGraph, impact: np.ndarray, method: str = "rw-eg", options: ScoreOptions | None = None
) -> Callable[[np.ndarray], np.ndarray]:
    """A function from what is fetched to the scores of what could be fetched next.

    Fetched pages are D: they show their links and their impact. Discovered pages that are not fetched are F. Each call
    takes a copy of the links of the fetched pages (4 bytes each), the in-links made of it, and 12 bytes a virtual link.

    Parameters
    ----------
    graph
        The whole recorded graph; only links of fetched pages are looked at.
    impact
        float64 per page; only that of fetched pages is looked at.
    method
        ``rw`` or ``rw-eg``.

    Returns
    -------
    callable
        Takes a boolean per page (fetched), gives float64 per page: scores of F, NaN for every other page.
    """
    if method not in ("rw", "rw-eg"):
        raise UsageError(f"{method!r} is not an order in batches", hint="rw or rw-eg")

    def scores(fetched: np.ndarray) -> np.ndarray:
        found = np.full(graph.pages, np.nan)
        # A page whose links were never recorded shows none when it is fetched.
        known = reveal(graph, fetched & (graph.status == Status.CRAWLED))
        engine = NativeEngine(known)
        frontier = (engine.degrees()[0] > 0) & ~fetched
        if fetched.any() and frontier.any():
            values = Scores(pose(known, engine, fetched, frontier, impact), options).of(method)
            found[frontier] = values[frontier]
        return found

    return scores
