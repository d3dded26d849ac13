"""Random webs: few pages, so that dangling and isolated pages, several components, cycles and ties are common."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from seedrank.graph import WebGraph
from seedrank.graph.levels import level_in_memory
from tests.engines.reference import Links, Weights
from tests.engines.stored import host_names, page_links


@dataclass(frozen=True)
class Web:
    pages: int
    links: Links


@st.composite
def webs(draw: st.DrawFn, most: int = 30) -> Web:
    pages = draw(st.integers(1, most))
    page = st.integers(0, pages - 1)
    links = draw(st.sets(st.tuples(page, page), max_size=3 * pages))
    return Web(pages, {(a, b) for a, b in links if a != b})


@dataclass(frozen=True)
class WeightedWeb:
    pages: int
    links: Weights


magnitudes = st.floats(-6, 6).map(lambda power: float(np.float32(10.0**power)))
"""Weights from 1e-6 to 1e6, as a graph keeps them."""


@st.composite
def weighted_webs(draw: st.DrawFn, most: int = 30, weights: st.SearchStrategy[float] | None = None) -> WeightedWeb:
    """Zeros and ties among the weights, so that pages with links and nothing to send are common."""
    web = draw(webs(most))
    weight = st.sampled_from([0.0, 1.0, 2.5]) | magnitudes if weights is None else weights
    return WeightedWeb(web.pages, {link: draw(weight) for link in sorted(web.links)})


@st.composite
def farmed_webs(draw: st.DrawFn, most: int = 20) -> WeightedWeb:
    """Weights from 1e-6 to 1e6; sometimes a farm: pages that link to one target, which links back, and a way in."""
    web = draw(weighted_webs(most, magnitudes))
    target, size = web.pages, draw(st.integers(0, 12))
    boosters = range(target + 1, target + 1 + size)
    ways = [*((page, target) for page in boosters), *((target, page) for page in boosters)]
    if draw(st.booleans()):
        ways.append((0, target))
    return WeightedWeb(target + 1 + size, {**web.links, **{link: draw(magnitudes) for link in ways}})


def web_graph(
    pages: int, links: Links | Weights, host: np.ndarray | None = None, hosts: Iterable[str] = ()
) -> WebGraph:
    """The graph as an engine takes it."""
    pairs = np.array(sorted(links), np.int64).reshape(-1, 2)
    weights = np.array([links[link] for link in sorted(links)]) if isinstance(links, dict) else None
    return WebGraph.from_links(pages, pairs[:, 0], pairs[:, 1], weights=weights, host=host, host_names=hosts)


def hosts_graph(hosts: int, links: Links | Weights) -> WebGraph:
    """The same links between hosts of two pages each, made of a graph of those pages."""
    pages = web_graph(2 * hosts, page_links(hosts, links), np.repeat(np.arange(hosts), 2), host_names(hosts))
    graph = level_in_memory(pages, "host")
    return graph if isinstance(links, dict) else graph.unweighted()


rngs = st.integers(0, 2**32 - 1).map(np.random.default_rng)
"""Random numbers for arrays per page: shrinking those value by value teaches little."""
