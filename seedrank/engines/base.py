"""The engine protocol: the few primitives every method is written on.

Each takes and returns NumPy arrays indexed by page id. A method is written once, on this protocol, and runs on
every engine; `tests/engines` holds both engines to one slow reference.

An engine over links with weights walks by them: `walk`, `walk_shares` and `hits` send over a link in proportion to its
weight, and a page whose links all weigh 0 is dangling. All other primitives ask which links there are, whatever they
weigh: degrees, components, levels, balls and their bounds, co-citation, harmonic centrality. Views keep the weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypedDict, Unpack

import numpy as np

__all__ = [
    "Cocitation", "Components", "Dangling", "Engine", "Hits", "LinkSet", "ShareOptions", "Walk", "WalkOptions",
    "shares_one_by_one",
]  # fmt: skip

Dangling = Literal["uniform", "teleport", "drop"]
"""Where the score of pages without links goes: evenly to all pages, to the teleport vector, nowhere."""


@dataclass(frozen=True)
class LinkSet:
    """One set of weighted links of a walk."""

    share: float = 1.0
    """Share of the walk that goes over this set (ω and 1-ω of RW-EG); shares of all sets sum to at most 1."""
    factor: np.ndarray | None = None
    """Per page: what the page's score is multiplied with before it is sent (F of RW); 1 when `None`."""
    links: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None
    """``(source, target, weight)`` arrays; the graph's own links, with their weights where the engine has them, when
    `None`. A page sends over its links in proportion to their weights."""


class ShareOptions(TypedDict, total=False):
    """How to walk, where the score of dangling pages is dropped."""

    damping: float
    """In (0, 1). Default 0.85."""
    teleport: np.ndarray | None
    """Non-negative per page, divided by its sum; uniform by default."""
    tolerance: float
    """L1 change at which to stop. Default 1e-12."""
    max_iterations: int | None
    """Most iterations; by default more than plain iteration needs at this damping, and at most a million."""


class WalkOptions(ShareOptions, total=False):
    """How to walk."""

    dangling: Dangling
    """Where the score of dangling pages goes. Default ``teleport``."""


@dataclass(frozen=True)
class Walk:
    """Result of `Engine.walk`."""

    scores: np.ndarray
    """float64 per page; sums to 1 for PageRank with dangling mass kept, otherwise to less."""
    iterations: int
    residual: float
    """L1 change of the last iteration, an upper bound of the L1 error up to damping / (1 - damping)."""
    converged: bool


@dataclass(frozen=True)
class Hits:
    """Result of `Engine.hits`: L2-normalised hub and authority scores, float64 per page."""

    hubs: np.ndarray
    authorities: np.ndarray


@dataclass(frozen=True)
class Components:
    """Strong components and the arcs between them.

    Components are numbered by their smallest page id, ascending, so every engine numbers them alike.
    """

    component: np.ndarray
    """int32 per page."""
    sizes: np.ndarray
    """int64 per component: pages in it."""
    arcs: np.ndarray
    """int32, (k, 2): distinct arcs of the condensation, sorted."""


@dataclass(frozen=True)
class Cocitation:
    """Counts of shared in-links between pages of two sets, by source, then target."""

    source: np.ndarray
    target: np.ndarray
    count: np.ndarray
    """int32: pages that link to both."""
    capped_pages: int
    """Citing pages whose fan-out was over the cap and that were left out."""
    capped_pairs: int
    """Pairs those pages would have counted."""


class Engine(Protocol):
    """The primitives. Pages are 0 … pages-1; every array argument and result is indexed by page id."""

    name: str

    @property
    def sketch_from(self) -> tuple[int, int]:
        """Hops, and balls of them, from which `ball_bound` costs less than summing the balls."""

    @property
    def pages(self) -> int:
        """Pages of the graph; a view has all of them."""

    @property
    def links(self) -> int:
        """Links of this view; counted when first asked for where that takes work."""

    def degrees(self) -> tuple[np.ndarray, np.ndarray]:
        """In-degree and out-degree, int32 per page: distinct neighbours."""

    def links_into(self, flags: np.ndarray) -> np.ndarray:
        """int32 per page: how many flagged pages it links to; `flags` is a boolean per page."""

    def walk(self, link_sets: Sequence[LinkSet] = (LinkSet(),), **options: Unpack[WalkOptions]) -> Walk:
        """Fixed point of ``x = damping · Σ_sets share · Mᵀ(factor · x) + (1 - damping) · teleport``.

        M has a row per page with the weights of its links divided by their sum. PageRank is the plain case:
        one set, no factor. A page is dangling when it sends over no link in any set.
        """

    def walk_shares(
        self, shares: np.ndarray, factor: np.ndarray | None = None, **options: Unpack[ShareOptions]
    ) -> np.ndarray:
        """Walks over the graph's own links that differ in their share only, dangling score dropped.

        float64 (shares, pages): row k is ``walk([LinkSet(shares[k], factor)], dangling="drop").scores``. An engine that
        can computes all of them in one go, for the cost of a few.
        """

    def hits(self, iterations: int = 60) -> Hits:
        """Kleinberg's HITS over the links of this view: authorities from hubs, then hubs from the new authorities.

        A link counts as often as it weighs.
        """

    def components(self) -> Components:
        """Strong components."""

    def bfs_hops(self, sources: np.ndarray, max_hops: int | None = None) -> np.ndarray:
        """int32 per page: hops from the nearest source along links, -1 where not reached within `max_hops`."""

    def ball_weight(self, weight: np.ndarray, hops: int, pages: np.ndarray | None = None) -> np.ndarray:
        """float64: sum of `weight` over the distinct pages within `hops` of each of `pages` (itself included).

        `pages` = `None` means all pages; engines that would take hours for it refuse with an estimate.
        """

    def walk_bound(self, weight: np.ndarray, hops: int) -> np.ndarray:
        """float64 per page, at least `ball_weight`: sums of max(weight, 0) over walks of at most `hops` links.

        Every walk end counts as often as it is reached, so it costs one sparse product per hop.
        """

    def ball_bound(self, weight: np.ndarray, hops: int) -> np.ndarray:
        """float64 per page: at least the sum of max(weight, 0) over the distinct pages within `hops`.

        Each page's bound holds at five standard deviations: it is exceeded with a probability of at most 2.9e-7.
        Far tighter than `walk_bound` where balls are large; engines without sketches give that one.
        """

    def cocitation(self, left: np.ndarray, right: np.ndarray, *, fan_out_cap: int | None = None) -> Cocitation:
        """For each pair of a page of `left` and a different page of `right`: how many pages link to both.

        Parameters
        ----------
        left, right
            Boolean per page.
        fan_out_cap
            Citing pages with more links than this are left out and counted; no cap when `None`.
        """

    def harmonic(self, *, exact: bool | None = None) -> tuple[np.ndarray, float]:
        """Σ 1/d(u, v) over pages u ≠ v that reach v, float64 per page, and the relative standard error.

        Exact (error 0) on small graphs or when asked; otherwise by HyperBall counters.
        """

    def without(
        self,
        *,
        pages: np.ndarray | None = None,
        same_site: np.ndarray | None = None,
        between_sites: np.ndarray | None = None,
    ) -> Engine:
        """A view that leaves out links: of given pages, within a site, or between sites.

        Pages keep their ids; nothing is copied beyond the links that stay.

        Parameters
        ----------
        pages
            Boolean per page: links of these go.
        same_site
            Site number of each page, -1 for none (never the same as another -1): links within a site go.
        between_sites
            The same: links between two sites go, and so do all links of pages without a site.
        """

    def reversed(self) -> Engine:
        """A view whose links point the other way: from each page to those that link to it."""


def shares_one_by_one(
    engine: Engine, shares: np.ndarray, factor: np.ndarray | None, **options: Unpack[ShareOptions]
) -> np.ndarray:
    """`Engine.walk_shares` by an engine that walks for one share at a time."""
    rows = [engine.walk([LinkSet(float(share), factor)], dangling="drop", **options).scores for share in shares]
    return np.array(rows).reshape(len(rows), engine.pages)
