"""What is known when frontier pages are ranked: D, F, the links of D, the impact of D (docs/algorithms.md §5.1)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from seedrank.core.errors import GraphError
from seedrank.engines.base import Engine
from seedrank.graph import WebGraph

__all__ = ["FrontierProblem", "pose", "reveal"]


@dataclass(frozen=True)
class FrontierProblem:
    """Crawled pages D with their links and impact, and the frontier F."""

    graph: WebGraph
    """The links of D; no other page has links."""
    engine: Engine
    """Over these links."""
    crawled: np.ndarray
    frontier: np.ndarray
    """Boolean per page: D and F. Pages in neither (missing, not yet discovered) count nowhere but in |out|."""
    impact: np.ndarray
    """float64 per page: clicks or views of crawled pages, 0 for all others."""
    unknown: np.ndarray
    """Boolean per page: crawled pages whose impact nobody knows; 0 stands there, and they are no senders of it."""
    whole: WebGraph
    """The recorded graph, with the columns of its pages."""

    @cached_property
    def pages(self) -> np.ndarray:
        """Ids of F, ascending, int64."""
        return np.flatnonzero(self.frontier)

    @cached_property
    def teleport(self) -> np.ndarray | None:
        """v: 1/n on D ∪ F; `None` where that is every page."""
        inside = self.crawled | self.frontier
        return None if inside.all() else inside.astype(np.float64)

    @cached_property
    def in_degree(self) -> np.ndarray:
        """int32 per page: crawled pages that link to it."""
        return self.engine.degrees()[0]

    @cached_property
    def out_degree(self) -> np.ndarray:
        """int32 per page: pages it links to, missing ones too."""
        return self.engine.degrees()[1]


def pose(
    graph: WebGraph,
    engine: Engine,
    crawled: np.ndarray,
    frontier: np.ndarray,
    impact: np.ndarray,
    whole: WebGraph | None = None,
) -> FrontierProblem:
    """A problem, checked.

    Of `graph` and `engine` only links of crawled pages are there (`reveal`). Impact is NaN where it is unknown, and not
    looked at where pages are not crawled. `whole` is the recorded graph, with the columns of its pages.
    """
    if not crawled.any():
        raise GraphError("no page is crawled, so nothing is known to rank the frontier by", hint="load crawled pages")
    if not frontier.any():
        raise GraphError(
            "no page is frontier: every page is crawled already",
            hint="load frontier pages; the experiment impact makes a frontier of crawled pages",
        )
    unknown = crawled & np.isnan(impact)
    known = np.where(crawled & ~unknown, impact, 0.0)
    return FrontierProblem(graph, engine, crawled, frontier, known, unknown, graph if whole is None else whole)


def reveal(graph: WebGraph, crawled: np.ndarray) -> WebGraph:
    """The graph with the links of `crawled` pages alone; the graph itself where no other page has links.

    Takes 4 bytes a link that stays (8 with weights) and 1 a link of the graph.
    """
    degree = np.where(crawled, graph.out_degree, 0)
    if int(degree.sum()) == graph.links:
        return graph
    offsets = np.zeros(graph.pages + 1, np.int64)
    np.cumsum(degree, out=offsets[1:])
    arrays = {
        "out_offsets": offsets,
        "out_targets": graph.out_targets[np.repeat(crawled, graph.out_degree)],
        "status": graph.status,
        "host": graph.host,
    }
    if graph.weights is not None:
        arrays["weights"] = graph.weights[np.repeat(crawled, graph.out_degree)]
    meta = {"pages": graph.pages, "links": int(offsets[-1]), "version": f"{graph.version}, as crawled"}
    return WebGraph(arrays, meta)
