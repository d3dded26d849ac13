"""A damped walk by pushing along out-links: no transpose, 16 bytes a page beside the mapped links.

For RankMass, and for PageRank of graphs whose in-links do not fit into memory.


Every page holds a residual; a sweep pushes them one after the other, in place (Gauss-Seidel), until no page holds more
than its part of the tolerance, over links in proportion to their weights where the graph has some. What pages
without links hold is dropped and the result scaled to sum 1, which is the
fixed point with dangling mass spread like the teleport vector (`seedrank.engines.native.walks` has the proof).
"""

from __future__ import annotations

import numpy as np

from seedrank.core.progress import Progress, silent
from seedrank.engines.kernels.push import Links, sweep
from seedrank.graph import WebGraph, frozen

__all__ = ["push_walk"]

_FINE, _COARSE = 1e-13, 1e-7
_MANY_LINKS = 200_000_000
"""Links beyond which the coarse tolerance is the default: the top of the ranking is what is asked for then."""
_SLICE = 1 << 22


def push_walk(
    graph: WebGraph,
    *,
    trust: np.ndarray | None = None,
    damping: float = 0.85,
    tolerance: float | None = None,
    progress: Progress = silent,
) -> np.ndarray:
    """Scores of all pages, float64, sum 1: PageRank, or RankMass of trusted pages.

    Parameters
    ----------
    graph
        The graph; its out-links are read once per sweep, fewer and fewer of them in some 90 sweeps.
    trust
        Pages where the walk begins anew (RankMass): links count only where the crawler sees them, on crawled pages.
        Every page alike, and all links, when `None`.
    damping
        In (0, 1).
    tolerance
        L1 error at which to stop; 1e-13 by default, 1e-7 for graphs of more than 200 million links.
    """
    pages = graph.pages
    if tolerance is None:
        tolerance = _COARSE if graph.links > _MANY_LINKS else _FINE
    links = _links(graph, of_crawled=trust is not None)
    residual, estimate = np.full(pages, 1.0 / max(pages, 1) if trust is None else 0.0), np.zeros(pages)
    if trust is not None:
        residual[trust] = 1.0 / len(trust)
    everything, nowhere, no_rows = np.empty(0, np.uint32), np.empty(0, np.uint32), np.empty(0, np.int64)
    least = tolerance * (1 - damping) / max(pages, 1)
    with progress("PageRank by pushing, pages per sweep") as advance:
        pushed = 1.0
        while pushed > 0:
            pushed = 0.0
            for first in range(0, pages, _SLICE):
                last = min(first + _SLICE, pages)
                pushed += sweep(links, everything, first, last, residual, estimate, damping, least, nowhere, no_rows, 1)
                advance(last - first)
    estimate += residual
    estimate /= estimate.sum() or 1.0
    return estimate


def _links(graph: WebGraph, *, of_crawled: bool) -> Links:
    """The links as the kernel takes them; with `of_crawled` those of crawled pages alone."""
    return Links(
        offsets=frozen(np.ascontiguousarray(graph.out_offsets, np.int64)),
        targets=frozen(np.asarray(graph.out_targets).view(np.uint32)),
        weights=frozen(np.empty(0, np.float32) if graph.weights is None else graph.weights),
        status=frozen(np.ascontiguousarray(graph.status if of_crawled else np.empty(0, np.int8), np.int8)),
        site=frozen(np.empty(0, np.int32)),
        capped=frozen(np.empty(0, np.int32)),
        sizes=frozen(np.empty(0, np.float32)),
    )
