"""The graph at a glance: its numbers, degrees, hosts and bow-tie."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse
from scipy.sparse import csgraph

from seedrank.core.model import Status
from seedrank.engines.base import Components
from seedrank.engines.native.engine import NativeEngine
from seedrank.graph import WebGraph
from seedrank.output.charts.chart import Chart, Series
from seedrank.session import Session

__all__ = ["BowTie", "bow_tie", "charts", "degree_chart"]

_PER_DECADE = 8


@dataclass(frozen=True)
class BowTie:
    """Pages by where they lie to the largest strong component (Broder et al., 2000)."""

    core: int
    """In the largest strong component."""
    into: int
    """Reach it, and are not in it."""
    out: int
    """Are reached from it."""
    tendrils: int
    """Hang on these by links in either direction, and neither reach the core nor are reached from it."""
    apart: int
    """Not connected with the core at all."""


def bow_tie(components: Components) -> BowTie:
    """The bow-tie of a graph, from its strong components and the arcs between them."""
    count = len(components.sizes)
    core = int(np.argmax(components.sizes))
    source, target = components.arcs[:, 0], components.arcs[:, 1]
    matrix = scipy.sparse.csr_array((np.ones(len(source), np.int8), (source, target)), shape=(count, count))
    after = np.zeros(count, bool)
    after[csgraph.breadth_first_order(matrix, core, return_predecessors=False)] = True
    before = np.zeros(count, bool)
    before[csgraph.breadth_first_order(matrix.T.tocsr(), core, return_predecessors=False)] = True
    _, weak = csgraph.connected_components(matrix, directed=True, connection="weak")
    near = (weak == weak[core]) & ~after & ~before
    sizes = components.sizes
    itself = int(sizes[core])
    return BowTie(
        itself,
        int(sizes[before].sum()) - itself,
        int(sizes[after].sum()) - itself,
        int(sizes[near].sum()),
        int(sizes[weak != weak[core]].sum()),
    )


def charts(session: Session) -> tuple[list[Chart], list[str]]:
    """Charts of the graph, and a sentence for each that it cannot serve."""
    graph, left_out = session.graph, []
    if not graph.pages:
        return [], ["the store holds no pages yet: fill it with `seedrank load`"]
    drawn = [degree_chart(graph)]
    if len(graph.host_names) and session.level == "page":
        drawn.append(_host_chart(graph))
    elif session.level == "page":
        left_out.append("pages per host: load URLs or a host column")
    drawn.append(_bow_tie_chart(graph))
    return drawn, left_out


def degree_chart(graph: WebGraph) -> Chart:
    """Share of pages with at least so many links in and out, both axes logarithmic."""
    crawled = graph.status == Status.CRAWLED
    series = [
        Series(name, *_at_least(values))
        for name, values in (
            ("links in, all pages", graph.in_degree),
            ("links out, crawled pages", graph.out_degree[crawled]),
        )
    ]
    return Chart(
        "degrees",
        "How many links pages have",
        "links (at least)",
        "share of pages, %",
        series,
        log_x=True,
        log_y=True,
        caption="A straight line is a power law: few pages hold most links.",
    )


def _at_least(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Degrees from 1 to the largest, evenly on a logarithmic axis, and the share of pages with as many, in %."""
    most = int(values.max(initial=0))
    if most < 1:
        return np.empty(0), np.empty(0)
    at = np.unique(
        np.rint(np.logspace(0, np.log10(most), 1 + int(_PER_DECADE * max(np.log10(most), 1)))).astype(np.int64)
    )
    ordered = np.sort(values)
    count = len(ordered) - np.searchsorted(ordered, at)
    return at.astype(np.float64), 100 * count / len(ordered)


def _host_chart(graph: WebGraph) -> Chart:
    pages = np.sort(np.bincount(graph.host[graph.host >= 0], minlength=len(graph.host_names)))[::-1]
    rank = np.unique(np.rint(np.logspace(0, np.log10(len(pages)), 60)).astype(np.int64))
    return Chart(
        "hosts",
        "How pages spread over hosts",
        "hosts, largest first",
        "pages of the host",
        [Series("", rank.astype(np.float64), pages[rank - 1].astype(np.float64))],
        log_x=len(pages) > 20,
        log_y=True,
        caption=f"{len(pages):,} hosts; the largest has {int(pages[0]):,} pages.",
    )


def _bow_tie_chart(graph: WebGraph) -> Chart:
    found = bow_tie(NativeEngine(graph).components())
    names = ("core", "into the core", "out of the core", "tendrils", "apart")
    counts = np.array([found.core, found.into, found.out, found.tendrils, found.apart], np.float64)
    return Chart(
        "bow-tie",
        "The bow-tie: where pages lie to the core of the web",
        "part",
        "pages, %",
        [Series("", np.arange(5.0), 100 * counts / graph.pages)],
        kind="bar",
        ticks=names,
        caption="The core is the largest group in which every page reaches every other by links (a strong component). "
        "A crawl that starts in the core or before it can reach the core and all that lies after it.",
    )
