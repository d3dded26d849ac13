"""What a graph is like, at a glance: the first thing people ask."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, Self

import numpy as np

from seedrank.core.levels import PLURAL, Level, stored_level
from seedrank.core.model import Status
from seedrank.core.tables import Sheet, as_html, as_text, pairs
from seedrank.engines.kernels.assemble import count_inter
from seedrank.engines.native.engine import NativeEngine
from seedrank.graph import WebGraph
from seedrank.graph.levels import site_of
from seedrank.graphdb.store import GraphStore

__all__ = ["Degrees", "Distances", "Stats", "measure"]


@dataclass(frozen=True)
class Degrees:
    """Quantiles of a degree over all pages of a kind."""

    mean: float
    median: int
    p90: int
    p99: int
    max: int


@dataclass(frozen=True)
class Distances:
    """How far crawled pages are from each other, in links, over ordered pairs of two of them."""

    method: Literal["all searches", "sampled searches", "hyperball"]
    """``all searches`` (exact), ``sampled searches`` or ``hyperball``."""
    n: int
    unit: str
    """What intervals are over; an exact number is its own interval."""
    mean: float | None
    mean_low: float | None
    mean_high: float | None
    """Mean distance over reachable pairs with its 95 % interval; `None` where no pair is reachable."""
    effective_diameter: float | None
    """Distance within which 90 % of the reachable pairs lie, between whole numbers by interpolation."""
    reachable: float | None
    reachable_low: float | None
    reachable_high: float | None
    """Share of the pairs that are reachable, with its interval; `None` where there is no pair."""


@dataclass(frozen=True)
class Stats:
    """Counts and shapes of a graph."""

    store: str
    version: str
    pages: int
    crawled: int
    frontier: int
    missing: int
    links: int
    inter_site_links: int | None
    """Links between pages of different sites; `None` where no page has a host, and so there are no sites."""
    hosts: int
    sites: int
    pages_with_url: int
    pages_with_host: int
    dangling: int
    """Crawled pages without links."""
    isolated: int
    """Pages without links in either direction."""
    out_degree: Degrees
    """Over crawled pages."""
    in_degree: Degrees
    """Over all pages."""
    components: int
    """Strong components."""
    largest_component: int
    weighted: bool
    """Whether some link has a weight other than 1."""
    queries: int
    results: int
    columns: dict[str, int]
    """Pages with a value, per column."""
    loads: list[dict[str, Any]]
    runs: int
    distances: Distances | None = None
    """Measured only when asked for."""
    level: Level = "page"
    """What a node is, called a page here: a page, a host or a domain."""

    def plain(self) -> dict[str, Any]:
        """As JSON has it."""
        return asdict(self)

    def __repr__(self) -> str:
        return as_text(self._heading(), self._sheets())

    def _repr_html_(self) -> str:
        """The numbers in a few tables, as a notebook shows them."""
        return as_html(self._heading(), self._sheets())

    def _heading(self) -> str:
        return f"{self.store}, version {self.version}"

    def _sheets(self) -> list[Sheet]:
        nodes = PLURAL[self.level]
        counts = {
            nodes: self.pages,
            **{name: getattr(self, name) for name in ("crawled", "frontier", "missing", "dangling", "isolated")},
            "links": self.links,
            **({} if self.inter_site_links is None else {"links between sites": self.inter_site_links}),
            **({} if self.level == "host" or not self.hosts else {"hosts": self.hosts}),
            **({"sites": self.sites} if self.sites else {}),
            "strong components": self.components,
            "largest component": self.largest_component,
            "queries": self.queries,
            "runs": self.runs,
        }
        degrees = [(name, *vars(one).values()) for name, one in (("out", self.out_degree), ("in", self.in_degree))]
        sheets = [pairs(counts), Sheet(("degree", *vars(self.in_degree)), degrees)]
        if self.columns:
            sheets.append(pairs(self.columns, names=("column", f"{nodes} with a value")))
        if self.loads:
            names = ("source", "state", "started")
            sheets.append(Sheet(("load", *names[1:]), [[load[name] for name in names] for load in self.loads]))
        return sheets if self.distances is None else [*sheets, pairs(vars(self.distances), "distances")]

    @classmethod
    def read(cls, plain: Mapping[str, Any]) -> Self:
        """From what `plain` gave."""
        degrees = {name: Degrees(**plain[name]) for name in ("out_degree", "in_degree")}
        distances = None if plain["distances"] is None else Distances(**plain["distances"])
        return cls(**{**plain, **degrees, "distances": distances})


def measure(
    store: GraphStore,
    graph: WebGraph,
    *,
    site: Literal["host", "domain"] = "host",
    runs: int = 0,
    level: Level | None = None,
) -> Stats:
    """Measure a graph.

    Parameters
    ----------
    store
        For what only the database knows: loads, queries.
    graph
        The store's graph, or that of its hosts or domains.
    site
        What counts as a site.
    runs
        Answers kept for the store.
    level
        What a node of `graph` is; what the store holds when `None`.
    """
    counts = store.counts()
    status = np.bincount(graph.status, minlength=3)
    crawled = graph.status == Status.CRAWLED
    sites = site_of(graph, site)
    components = NativeEngine(graph).component_sizes() if graph.pages else np.empty(0, np.int64)
    loads = store.loads()
    urls = graph.urls
    return Stats(
        store=store.url,
        version=graph.version,
        pages=graph.pages,
        crawled=int(status[Status.CRAWLED]),
        frontier=int(status[Status.FRONTIER]),
        missing=int(status[Status.MISSING]),
        links=graph.links,
        inter_site_links=int(count_inter(graph.out_offsets, graph.out_targets, sites)) if (sites >= 0).any() else None,
        hosts=len(graph.host_names),
        sites=int(np.count_nonzero(np.bincount(sites[sites >= 0]))),
        pages_with_url=0 if urls is None else graph.pages - urls.null_count,
        pages_with_host=int((graph.host >= 0).sum()),
        dangling=int((crawled & (graph.out_degree == 0)).sum()),
        isolated=int(((graph.out_degree == 0) & (graph.in_degree == 0)).sum()),
        out_degree=_degrees(graph.out_degree[crawled]),
        in_degree=_degrees(graph.in_degree),
        components=len(components),
        largest_component=int(components.max(initial=0)),
        weighted=graph.weights is not None,
        queries=counts.queries,
        results=counts.results,
        columns=_filled(graph),
        loads=[
            {"source": load.source, "state": load.state, "started": load.started, "counts": load.counts}
            for load in loads
        ],
        runs=runs,
        level=level or stored_level(loads) or "page",
    )


def _degrees(values: np.ndarray) -> Degrees:
    if not len(values):
        return Degrees(0.0, 0, 0, 0, 0)
    median, p90, p99 = np.quantile(values, [0.5, 0.9, 0.99], method="inverted_cdf")
    return Degrees(float(values.mean()), int(median), int(p90), int(p99), int(values.max()))


def _filled(graph: WebGraph) -> dict[str, int]:
    filled = {}
    for name in sorted(graph.column_names):
        if name in graph.text_names:
            filled[name] = graph.pages - graph.text(name).null_count
        else:
            filled[name] = int((~np.isnan(graph.column(name))).sum())
    return filled
