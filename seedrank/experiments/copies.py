"""Pages that are copies of others, with the same links and the same measure: they count one thing several times."""

from __future__ import annotations

import numpy as np

from seedrank.graph import WebGraph

__all__ = ["copied_share", "remark_on_copies"]

MOST = 0.5
"""Share of copies from which on a result is remarked on."""


def copied_share(graph: WebGraph, measure: np.ndarray) -> float:
    """Share of the pages with links and a known measure that have both in common with another page.

    Sets of links are compared by two sums of random numbers, one a page, so no page is compared with another.
    """
    numbers = np.random.default_rng(0).integers(1, 2**63, graph.pages, np.uint64)
    sums = np.zeros(graph.links + 1, np.uint64)
    np.cumsum(numbers[graph.out_targets], out=sums[1:])
    of_page = sums[graph.out_offsets[1:]] - sums[graph.out_offsets[:-1]]
    compared = np.flatnonzero((graph.out_degree > 0) & ~np.isnan(measure))
    if not len(compared):
        return 0.0
    keys = np.stack([of_page[compared], measure[compared].astype(np.float64).view(np.uint64)], axis=1)
    _, of, counts = np.unique(keys, axis=0, return_inverse=True, return_counts=True)
    return float((counts[of.ravel()] > 1).mean())


def remark_on_copies(graph: WebGraph, measure: np.ndarray) -> str:
    """What a reader must know where most pages are copies; empty elsewhere."""
    share = copied_share(graph, measure)
    if share < MOST:
        return ""
    return (
        f"{100 * share:.0f} % of the pages with links have the links and the value of another page: most are copies, "
        "which make any method look better than it is; load each once before you believe a difference"
    )
