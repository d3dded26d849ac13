"""Random webs: few pages, so that dangling and isolated pages, several components, cycles and ties are common."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from seedrank.graph import WebGraph
from tests.engines.reference import Links


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


rngs = st.integers(0, 2**32 - 1).map(np.random.default_rng)
"""Random numbers for arrays per page: shrinking those value by value teaches little."""
