"""Sums over the pages that pages link to: one aggregation over all links, or over those of a few pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from seedrank.core.errors import GraphError
from seedrank.engines.base import Hits
from seedrank.engines.gds.catalog import Catalog
from seedrank.engines.gds.expansion import HOUR, PAGES_PER_CALL
from seedrank.engines.gds.view import View, links_to

__all__ = ["link_counts", "link_sums", "require_time_for_passes", "weighted_hits"]

PAGES_PER_SUM = 500_000
"""Pages whose sums one statement returns."""
LINKS_PER_SECOND = 500_000
"""Weighted links that the server adds up in a second: half of what was measured on two cores."""
SUMMED_PER_SECOND = 1_000_000
"""Links whose targets' weights the server adds up in a second: half of what was measured on two cores."""
FEW = 0.05
"""Share of the pages up to which their in-links are asked for one by one, instead of a pass over all links."""


def link_sums(catalog: Catalog, view: View, weight: np.ndarray) -> np.ndarray:
    """Per page: sum of `weight` over the pages it links to."""
    totals = np.zeros(catalog.pages, weight.dtype)
    more = {"weights": weight.tolist(), **(view.parameters() if view else {})}
    statement = "view_link_sums" if view else "link_sums"
    step = min(PAGES_PER_SUM, -(-catalog.pages // catalog.concurrency) or 1)
    parts = [{"lo": lo, "hi": lo + step} for lo in range(0, catalog.pages, step)]
    with catalog.progress("adding up", total=len(parts)) as advance:
        for start in range(0, len(parts), catalog.concurrency):
            now = parts[start : start + catalog.concurrency]
            for row in catalog.run_together(statement, now, **more):
                totals[np.array(row["page"], np.int64)] += np.array(row["total"], totals.dtype)
            advance(len(now))
    return totals


def require_time_for_passes(links: int, passes: int) -> float:
    """Seconds that so many sums over all links take in the database; refused where they are hours."""
    seconds = passes * links / SUMMED_PER_SECOND
    if seconds > HOUR:
        raise GraphError(
            f"{passes:,} sums over {links:,} links would take about {seconds / HOUR:.1f} hours in Neo4j",
            hint="use {engine=native}",
            fields=("engine",),
        )
    return seconds


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


def weighted_hits(catalog: Catalog, view: View, iterations: int) -> Hits:
    """HITS by weights: GDS's own knows none, so each half-step is an aggregation over all links."""
    hours = 2 * iterations * catalog.links / LINKS_PER_SECOND / HOUR
    if hours > 1:
        raise GraphError(
            f"HITS by weights over {catalog.links:,} links would take about {hours:.1f} hours in Neo4j, "
            "whose own HITS knows none",
            hint="use {engine=native}, or leave out {weights}",
            fields=("engine", "weights"),
        )
    hubs, authorities = np.ones(catalog.pages), np.zeros(catalog.pages)
    parameters = {name: value for name, value in view.parameters().items() if name != "reversed"}
    into, out = "weighted_in_sums", "weighted_out_sums"
    if view.reversed:
        into, out = out, into
    with catalog.progress("HITS by weights", total=iterations) as advance:
        for _ in range(iterations):
            authorities = _unit(_weighted_sums(catalog, into, hubs, parameters))
            hubs = _unit(_weighted_sums(catalog, out, authorities, parameters))
            advance(1)
    return Hits(hubs, authorities)


def _weighted_sums(catalog: Catalog, statement: str, values: np.ndarray, parameters: Mapping[str, Any]) -> np.ndarray:
    totals, given = np.zeros(catalog.pages), values.tolist()
    for lo in range(0, catalog.pages, PAGES_PER_SUM):
        row = catalog.run(statement, lo=lo, hi=lo + PAGES_PER_SUM, values=given, **parameters)[0]
        totals[np.array(row["page"], np.int64)] = row["total"]
    return totals


def _unit(values: np.ndarray) -> np.ndarray:
    """Divided by their L2 norm; nothing where there is nothing."""
    norm = float(np.linalg.norm(values))
    return values / norm if norm > 0 else values
