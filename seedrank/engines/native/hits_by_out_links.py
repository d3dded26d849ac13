"""HITS over the links as they are, without the links the other way round: one pass over them an iteration.

With authorities a, a page's hub score is the sum of a over the pages it links to; it is added at once to the next
authorities of those pages, while their numbers are in the cache. So n iterations take n + 1 passes over one direction
of the links, where sums over in-links and out-links in turn take 2 n, of twice the bytes. Two lanes add to sums of
their own: the result is the same for any number of threads.
"""

from __future__ import annotations

import numpy as np

from seedrank.engines.base import Hits
from seedrank.engines.kernels import hits
from seedrank.engines.native.loops import even_chunks, inverse_norm
from seedrank.engines.native.threads import side_by_side

__all__ = ["hits_by_out_links"]

LANES = 2
"""Each takes 8 bytes a page."""
CHUNKS = 16
"""Runs of pages in a lane, whose squares are summed apart."""

_NONE = np.empty(0)


def hits_by_out_links(
    offsets: np.ndarray, targets: np.ndarray, weights: np.ndarray | None, stays: np.ndarray, iterations: int
) -> Hits:
    """HITS from all ones; takes 32 bytes a page.

    Parameters
    ----------
    offsets, targets, weights
        Links by source as kernels take them; `weights` is `None` where each counts once.
    stays
        Boolean per page: the others have no links; empty keeps all.
    """
    pages = len(offsets) - 1
    bounds = even_chunks(offsets, LANES * CHUNKS)
    authorities, parts = np.empty(pages), np.zeros((LANES, pages))
    squares = np.empty(len(bounds) - 1)

    def walk(values: np.ndarray, scale: float, hubs: np.ndarray, spreads: bool) -> float:
        def lane(number: int) -> None:
            after = parts[number] if spreads else _NONE
            for chunk in range(number * CHUNKS, (number + 1) * CHUNKS):
                first, last = bounds[chunk], bounds[chunk + 1]
                links = offsets, targets, weights, stays
                squares[chunk] = hits.step(*links, first, last, values, scale, hubs, after)

        side_by_side(LANES, lane)
        return inverse_norm(squares)

    def next_authorities() -> float:
        def join(chunk: int) -> None:
            squares[chunk] = hits.join(parts, stays, bounds[chunk], bounds[chunk + 1], authorities)

        side_by_side(len(squares), join)
        return inverse_norm(squares)

    walk(_NONE, 1.0, _NONE, True)
    scale = next_authorities()
    for _ in range(iterations - 1):
        walk(authorities, scale, _NONE, True)
        scale = next_authorities()
    hubs = parts[0]  # empty: what was in it has been joined
    hubs *= walk(authorities, scale, hubs, False)
    authorities *= scale
    return Hits(hubs.copy(), authorities)
