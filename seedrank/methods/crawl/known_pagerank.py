"""PageRank of what a crawler knows so far: the score of the batch order ``pagerank``."""

from __future__ import annotations

import numpy as np

from seedrank.engines.kernels.push import sweep
from seedrank.graph import WebGraph
from seedrank.methods.crawl.policy import links_of

__all__ = ["known_pagerank"]


def known_pagerank(
    graph: WebGraph, fetched: np.ndarray, discovered: np.ndarray, *, damping: float = 0.85, tolerance: float = 1e-13
) -> tuple[np.ndarray, np.ndarray]:
    """IR of Cho, Garcia-Molina and Page: (1-d) + d Σ IR(q) / c_q over the known graph; pages without links link to all.

    Parameters
    ----------
    fetched, discovered
        Pages whose links are known, and other known pages; at least one in all.
    damping
        d.
    tolerance
        What a page holds below this is not pushed.

    Returns
    -------
    fetched, discovered
        float64 for each page of both; the mean over all known pages is 1.
    """
    known = len(fetched) + len(discovered)
    residual, estimate = np.zeros(graph.pages), np.zeros(graph.pages)
    residual[fetched] = residual[discovered] = 1.0
    links, nowhere, no_rows = links_of(graph), np.empty(0, np.uint32), np.empty(0, np.int64)
    while sweep(links, fetched, 0, len(fetched), residual, estimate, damping, tolerance, nowhere, no_rows, 1) > 0:
        pass
    estimate += residual
    scale = known / (estimate[fetched].sum() + estimate[discovered].sum())
    return estimate[fetched] * scale, estimate[discovered] * scale
