"""A native view that leaves out pages and copies nothing, for methods that rank, take pages out and rank again.

HITS runs over the links of the whole graph: a page that is gone is given no sum, so it stays at 0, and adding 0 to its
neighbours' sums changes no bit of them. Only the norms add up in other chunks, within an ulp or two. Any other
primitive makes the smaller graph when it is first asked for.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from seedrank.core.numbers import MOST_TIMES
from seedrank.core.resources import require_memory
from seedrank.engines import checks
from seedrank.engines.base import Hits
from seedrank.engines.kernels.csr import count_links_of
from seedrank.engines.native.engine import NativeEngine
from seedrank.engines.native.loops import SMALLER
from seedrank.graph import WebGraph

__all__ = ["WithoutPages"]


class WithoutPages(NativeEngine):
    """The primitives over a graph without the links of some pages, beyond those that a view before has left out."""

    def __init__(self, whole: NativeEngine, gone: np.ndarray, before: WithoutPages | None = None) -> None:
        known: np.ndarray = np.zeros(whole.pages, bool) if before is None else before._gone
        self._whole = whole
        self._gone: np.ndarray = known | gone
        self.pages = whole.pages
        # Links of the pages that go now, counted on those pages alone.
        leaving = np.flatnonzero(gone & ~known)
        lost = count_links_of(*whole._out, *whole._in, leaving, known, self._gone)
        self.links = (whole if before is None else before).links - int(lost)
        self._balls = None

    def __repr__(self) -> str:
        return f"WithoutPages({self._whole!r}, links={self.links:,})"

    @cached_property
    def graph(self) -> WebGraph:  # type: ignore[override]
        """The smaller graph, made when first asked for."""
        return self._whole._smaller(self._gone, None, None).graph

    def hits(self, iterations: int = 60) -> Hits:
        """HITS from all ones, exactly as many iterations as asked for; all 0 where there are no links."""
        iterations = checks.number_of("iterations", iterations, MOST_TIMES)
        require_memory(25 * self.pages, "HITS", SMALLER)
        return self._whole._hits(iterations, ~self._gone)

    def without(
        self,
        *,
        pages: np.ndarray | None = None,
        same_site: np.ndarray | None = None,
        between_sites: np.ndarray | None = None,
    ) -> NativeEngine:
        """A view of this view; further pages are left out alongside."""
        if pages is None or same_site is not None or between_sites is not None:
            return super().without(pages=pages, same_site=same_site, between_sites=between_sites)
        return WithoutPages(self._whole, checks.flags("pages", pages, self.pages), self)
