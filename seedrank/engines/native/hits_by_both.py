"""HITS by sums over in-links and out-links in turn: for graphs whose scores the caches hold."""

from __future__ import annotations

import numpy as np

from seedrank.engines.base import Hits
from seedrank.engines.kernels import csr, hits
from seedrank.engines.native.loops import CHUNK_WORK, CHUNKS, inverse_norm

__all__ = ["hits_by_both"]

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
