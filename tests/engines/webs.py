"""Random webs: few pages, so that dangling and isolated pages, several components, cycles and ties are common."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from seedrank.graph import WebGraph
from seedrank.graph.levels import level_in_memory
from tests.engines.reference import Links
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


def web_graph(pages: int, links: Links) -> WebGraph:
    """The graph as an engine takes it."""
    pairs = np.array(sorted(links), np.int64).reshape(-1, 2)
    return WebGraph.from_links(pages, pairs[:, 0], pairs[:, 1])


def hosts_graph(hosts: int, links: Links) -> WebGraph:
    """The same links between hosts of two pages each, made of a graph of those pages."""
    pairs = np.array(sorted(page_links(hosts, links)), np.int64).reshape(-1, 2)
    pages = WebGraph.from_links(
        2 * hosts, pairs[:, 0], pairs[:, 1], host=np.repeat(np.arange(hosts), 2), host_names=host_names(hosts)
    )
    return level_in_memory(pages, "host")


rngs = st.integers(0, 2**32 - 1).map(np.random.default_rng)
"""Random numbers for arrays per page: shrinking those value by value teaches little."""
