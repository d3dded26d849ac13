"""Sums over the pages that pages link to: one aggregation over all links, or over those of a few pages."""

from __future__ import annotations

import numpy as np

from seedrank.engines.gds.catalog import Catalog
from seedrank.engines.gds.expansion import PAGES_PER_CALL
from seedrank.engines.gds.links import links_to
from seedrank.engines.gds.view import View

__all__ = ["link_counts", "link_sums"]

PAGES_PER_SUM = 500_000
"""Pages whose sums one statement returns."""
FEW = 0.05
"""Share of the pages up to which their in-links are asked for one by one, instead of a pass over all links."""


def link_sums(catalog: Catalog, view: View, weight: np.ndarray) -> np.ndarray:
    """Per page: sum of `weight` over the pages it links to."""
    totals = np.zeros(catalog.pages, weight.dtype)
    more = {"weights": weight.tolist(), **(view.parameters() if view else {})}
    statement = "view_link_sums" if view else "link_sums"
    with catalog.progress("adding up", total=catalog.pages) as advance:
        for lo in range(0, catalog.pages, PAGES_PER_SUM):
            row = catalog.run(statement, lo=lo, hi=lo + PAGES_PER_SUM, **more)[0]
            totals[np.array(row["page"], np.int64)] += np.array(row["total"], totals.dtype)
            advance(min(PAGES_PER_SUM, catalog.pages - lo))
    return totals


def link_counts(catalog: Catalog, view: View, flags: np.ndarray, out_degree: np.ndarray) -> np.ndarray:
    """Per page: how many flagged pages it links to, int32."""
    few, other = np.count_nonzero(flags), np.count_nonzero(~flags)
    if min(few, other) > FEW * catalog.pages:
        return link_sums(catalog, view, flags.astype(np.int64)).astype(np.int32)
    if other < few:
        return np.asarray(out_degree - link_counts(catalog, view, ~flags, out_degree))
    counts = np.zeros(catalog.pages, np.int32)
    pages = np.flatnonzero(flags)
    for start in range(0, len(pages), PAGES_PER_CALL):
        source, _ = links_to(catalog, view, pages[start : start + PAGES_PER_CALL])
        counts += np.bincount(source, minlength=catalog.pages).astype(np.int32)
    return counts
