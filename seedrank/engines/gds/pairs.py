"""Co-citation by Cypher, a batch of pages at a time."""

from __future__ import annotations

import numpy as np

from seedrank.core.errors import GraphError
from seedrank.engines.base import Cocitation
from seedrank.engines.gds.catalog import Catalog
from seedrank.engines.gds.expansion import HOUR, PAGES_PER_CALL
from seedrank.engines.gds.view import View, links_from

__all__ = ["cocitation"]

WEDGES_PER_SECOND = 1_000_000
"""Pairs of links of one page that the server counts in a second."""
FIRST_PAGES = 64
PAIRS_PER_CALL = 500_000


def cocitation(
    catalog: Catalog, view: View, left: np.ndarray, right: np.ndarray, cap: int | None, out_degree: np.ndarray
) -> Cocitation:
    """Pages that link to both, for each pair of a `left` and a different `right` page."""
    over = out_degree > (catalog.pages if cap is None else cap)
    # It is symmetric: the pages of the smaller set are asked for, the others are picked from the answers.
    turned = np.count_nonzero(right) < np.count_nonzero(left)
    asked, picked = (right, left) if turned else (left, right)
    pages = np.flatnonzero(asked)
    _require_time(np.where(over, 0, out_degree), len(pages))
    skip = np.flatnonzero(over).tolist()
    statement = "view_coupled" if view.reversed else "view_cocited" if view else "cocited"
    sites = {name: values for name, values in view.parameters().items() if view and name != "reversed"}
    parts = [np.empty((3, 0), np.int32)]
    size, start = FIRST_PAGES, 0
    with catalog.progress("co-citation", total=len(pages)) as advance:
        while start < len(pages):
            some = pages[start : start + size]
            row = catalog.run(statement, ids=some.tolist(), skip=skip, **sites)[0]
            found = np.array([row["source"], row["target"], row["shared"]], np.int32)
            parts.append(found[:, picked[found[1]] & (found[0] != found[1])])
            start += size
            advance(len(some))
            size = int(max(1, min(4 * size, size * PAIRS_PER_CALL // max(found.shape[1], 1))))
    source, target, shared = np.concatenate(parts, axis=1)
    if turned:
        source, target = target, source
    order = np.lexsort((target, source))
    return Cocitation(
        source[order], target[order], shared[order], int(over.sum()), _capped(catalog, view, left, right, over)
    )


def _require_time(fan_out: np.ndarray, pages: int) -> None:
    wedges = float((fan_out.astype(np.float64) ** 2).sum()) * pages / len(fan_out)
    hours = wedges / WEDGES_PER_SECOND / HOUR
    if hours > 1:
        raise GraphError(
            f"co-citation of {pages:,} pages counts about {wedges:,.0f} pairs of links: {hours:.1f} hours in Neo4j",
            hint="use {engine=native}, or leave out pages with many links ({fan_out_cap})",
            fields=("engine", "fan_out_cap"),
        )


def _capped(catalog: Catalog, view: View, left: np.ndarray, right: np.ndarray, over: np.ndarray) -> int:
    """Pairs that the pages over the cap would have counted."""
    pages = np.flatnonzero(over)
    pairs = 0
    for start in range(0, len(pages), PAGES_PER_CALL):
        some = pages[start : start + PAGES_PER_CALL]
        source, target = links_from(catalog, view, some)
        place = np.searchsorted(some, source)
        lefts, rights, both = (
            np.bincount(place[mask[target]], minlength=len(some)) for mask in (left, right, left & right)
        )
        pairs += int((lefts * rights - both).sum())
    return pairs
