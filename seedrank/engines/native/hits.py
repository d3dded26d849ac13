"""HITS by sums over in-links and out-links in turn, or, where the caches do not hold the scores, over out-links alone.

With authorities a, a page's hub score is the sum of a over the pages it links to; it is added at once to the next
authorities of those pages, while their numbers are in the cache. So n iterations take n + 1 passes over one direction
of the links, where sums over in-links and out-links in turn take 2 n, of twice the bytes. Two lanes add to sums of
their own: the result is the same for any number of threads.
"""

from __future__ import annotations

import numpy as np

from seedrank.engines.base import Hits
from seedrank.engines.kernels import csr, hits
from seedrank.engines.native.loops import CHUNK_WORK, CHUNKS, even_chunks, inverse_norm, side_by_side

__all__ = ["hits_by_both", "hits_by_out_links"]

_Links = tuple[np.ndarray, np.ndarray, np.ndarray | None]


def hits_by_both(links: _Links, back: _Links, stays: np.ndarray, iterations: int) -> Hits:
    """HITS from all ones; takes 24 bytes a page.

    Parameters
    ----------
    links, back
        Links by source and by target as kernels take them: offsets, neighbours and, where they do not count once each,
        weights.
    stays
        Boolean per page: the others have no links; empty keeps all.
    """
    pages = len(links[0]) - 1
    hubs = np.ones(pages) if len(stays) == 0 else stays.astype(np.float64)
    authorities = np.zeros(pages)
    to, of = _Halfstep(*back, stays), _Halfstep(*links, stays)
    # Each half-step divides by the norm of the last, so that dividing costs no pass of its own.
    scale = to(hubs, 1.0, authorities)
    hubs[:] = 0.0
    authorities_scale, scale = scale, of(authorities, scale, hubs)
    for _ in range(iterations - 1):
        authorities_scale = to(hubs, scale, authorities)
        scale = of(authorities, authorities_scale, hubs)
    authorities *= authorities_scale
    hubs *= scale
    return Hits(hubs, authorities)


class _Halfstep:
    """Sums over the links of one direction: pages that stay and have some, in chunks that depend on those alone."""

    def __init__(
        self, offsets: np.ndarray, neighbours: np.ndarray, weights: np.ndarray | None, stays: np.ndarray
    ) -> None:
        rows = csr.rows_in_tiles(offsets, stays)
        chunks = CHUNKS if len(neighbours) > CHUNK_WORK else 1
        self.arrays = offsets, neighbours, weights, rows, csr.cut_rows(offsets, rows, chunks)
        self.squares = np.empty(chunks)

    def __call__(self, values: np.ndarray, scale: float, sums: np.ndarray) -> float:
        """Write the sums of `scale` × `values`; returns 1 / their L2 norm, 0 for nothing."""
        hits.gather(*self.arrays, values, scale, sums, self.squares)
        return inverse_norm(self.squares)


LANES = 2
"""Each takes 8 bytes a page."""
CHUNKS_OF_LANE = 16
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
    bounds = even_chunks(offsets, LANES * CHUNKS_OF_LANE)
    authorities, parts = np.empty(pages), np.zeros((LANES, pages))
    squares = np.empty(len(bounds) - 1)

    def walk(values: np.ndarray, scale: float, hubs: np.ndarray, spreads: bool) -> float:
        def lane(number: int) -> None:
            after = parts[number] if spreads else _NONE
            for chunk in range(number * CHUNKS_OF_LANE, (number + 1) * CHUNKS_OF_LANE):
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
