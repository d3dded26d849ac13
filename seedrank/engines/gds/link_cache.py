"""Links of the graph that an engine has read, for sums over balls and over all links.

A pass of Cypher over all links costs the server as much as reading them, and a selection makes dozens of passes and
sums thousands of balls that share most of their links. So the links are read once, where they are not too many, and
summed here; above that, statements on the server do the work (`seedrank.engines.gds.sums`, `.expansion`).
"""

from __future__ import annotations

import numpy as np

from seedrank.core.progress import Progress
from seedrank.engines import memory
from seedrank.engines.gds.catalog import Catalog
from seedrank.engines.gds.view import View
from seedrank.engines.native.engine import NativeEngine
from seedrank.graph import WebGraph

__all__ = ["MOST_LINKS", "Held"]

MOST_LINKS = 50_000_000
"""Links that are read at most: 0.4 GB with both directions."""
LINKS_PER_BALL = 2_000
"""Links that are read in about the time the server takes for one ball: an estimate, from milliseconds a ball."""
_BYTES_PER_LINK = 40
"""While they are put in order."""


class Held:
    """The links of a catalog's graph, read when it pays; shared by an engine and its views."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._whole: NativeEngine | None = None
        self._last: tuple[View, NativeEngine] | None = None
        self._balls = 0

    def for_passes(self, view: View) -> NativeEngine | None:
        """The view's links in memory, for a sum over all of them; `None` where they are too many."""
        if self._whole is None:
            links, free = self._catalog.links, memory.free_memory()
            if links > MOST_LINKS or (free is not None and _BYTES_PER_LINK * links > free):
                return None
            self._whole = NativeEngine(_read(self._catalog, self._catalog.progress))
        return self._viewed(self._whole, view)

    def for_balls(self, view: View, count: int) -> NativeEngine | None:
        """The view's links in memory, for `count` more balls; `None` while the server's balls cost less."""
        self._balls += count
        if self._whole is None and self._catalog.links > LINKS_PER_BALL * self._balls:
            return None
        return self.for_passes(view)

    def if_read(self, view: View) -> NativeEngine | None:
        """The view's links where they are in memory already."""
        return None if self._whole is None else self._viewed(self._whole, view)

    def _viewed(self, whole: NativeEngine, view: View) -> NativeEngine:
        if not view:
            return whole
        if self._last is None or self._last[0] is not view:
            self._last = view, _view_of(whole, view)
        return self._last[1]


def _read(catalog: Catalog, progress: Progress) -> WebGraph:
    parts = []
    with progress("reading links", total=catalog.links) as advance:
        for source, target in catalog.all_links():
            parts.append((source, target))
            advance(len(source))
    nothing = np.empty(0, np.int64)
    source, target = (np.concatenate(ends) for ends in zip((nothing, nothing), *parts, strict=True))
    return WebGraph.from_links(catalog.pages, source, target)


def _view_of(whole: NativeEngine, view: View) -> NativeEngine:
    if view.gone is not None:
        whole = whole.without(pages=view.gone)
    for site in view.apart:
        whole = whole.without(same_site=site)
    for site in view.within:
        whole = whole.without(between_sites=site)
    return whole.reversed() if view.reversed else whole
