"""The native engine: every primitive in memory, over a WebGraph, by the loops of `seedrank.engines.kernels`.

A graph with weights is walked by them; take its `unweighted` twin for plain walks. Results are the same, bit for bit,
for any number of threads. Beyond the graph (8 bytes a page and 4 a link for either direction, 8 with weights) the
primitives take, in bytes:

    degrees       8 a page each way
    walk          40 a page and 8 more per lane (1, 4 or 2), 72 by component; 20 a link of given link sets
    walk_shares   24 a page and 16 a page and share
    hits          24 a page; 32 over out-links alone
    components    28 a page, 12 per arc of the condensation
    bfs_hops      8 a page
    ball_weight   8 a page and thread, 8 per answer; many balls of three hops or more 205 a page and thread
    walk_bound    32 a page
    ball_bound    2 · 128 + 32 a page
    cocitation    4.2 a page and thread, 16 Mi a thread, 12 per pair of the answer
    harmonic      exact 8 a page and thread; HyperBall 2 · 128 + 18 a page
    distances     8 a page and thread
    neighbourhood 2 · 32 + 18 a page
    without       8 a page, 4 per link that stays, 8 with weights
    reversed      nothing
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, wraps
from typing import Any, ParamSpec, TypeVar, Unpack

import numba
import numpy as np

from seedrank.core.numbers import MOST_TIMES
from seedrank.core.resources import require_memory
from seedrank.engines import checks
from seedrank.engines.base import Cocitation, Components, Hits, LinkSet, Walk, WalkOptions, shares_one_by_one
from seedrank.engines.extrapolate import CLOSE
from seedrank.engines.kernels import balls, breadth_first, components, csr, hits, hyperball
from seedrank.engines.kernels import cocitation as pair_kernels
from seedrank.engines.kernels import walk as walk_kernels
from seedrank.engines.native import pairs, walks
from seedrank.engines.native.balls import BallScratch, at_once, balls_by_radius, one_by_one, sketched, walk_sums
from seedrank.engines.native.hits import hits_by_both, hits_by_out_links
from seedrank.engines.native.loops import CHUNK_WORK, HASH_SEED, SMALLER, chunks, indices, ready
from seedrank.graph import WebGraph, frozen
from seedrank.graph.npy import read_ahead
from seedrank.graph.transpose import memory_taken

__all__ = ["NativeEngine"]

_P = ParamSpec("_P")
_R = TypeVar("_R")

EXACT_HARMONIC_PAGES = 5_000
"""Up to this many pages harmonic centrality is exact unless asked otherwise: seconds at most."""
REGISTERS = 128
"""Registers (bytes) of a HyperBall counter; the relative standard error is 1.04 / √REGISTERS = 9.2 %."""
FEW_REGISTERS = 32
"""Registers of a counter where all counters are summed, and several estimates are made; 18.4 % each."""
OUT_LINKS_ALONE = 1 << 24
"""Links and pages from which HITS does without in-links: where scores are larger than the caches that takes up to half
the time less, and in-links need not be made; below, either way takes as long."""
PROBE = 8
"""Balls summed one by one, to learn how large the others will be."""
BIT_PARALLEL_FROM = 500
"""Pages a ball must hold on average for many at once to be cheaper."""


def _in_threads(primitive: Callable[_P, _R]) -> Callable[_P, _R]:
    """Run a primitive in one thread where the graph is small: waking the others would cost more than the work."""

    @wraps(primitive)
    def run(*args: _P.args, **options: _P.kwargs) -> _R:
        there = numba.get_num_threads()
        engine = args[0]
        assert isinstance(engine, NativeEngine)
        if engine.pages + engine.links < CHUNK_WORK:
            numba.set_num_threads(1)
        try:
            return primitive(*args, **options)
        finally:
            numba.set_num_threads(there)

    return run


class NativeEngine:
    """The primitives over a graph in memory; see `seedrank.engines.base.Engine`.

    One thread at a time may call an engine: balls reuse its scratch arrays.
    """

    name = "native"
    sketch_from = 3, 4_096

    def __init__(self, graph: WebGraph) -> None:
        self.graph = graph
        self.pages = checks.pages(graph.pages)
        self.links = graph.links
        self._balls: BallScratch | None = None

    def __repr__(self) -> str:
        return f"NativeEngine({self.graph!r})"

    # -- degrees and walks

    def degrees(self) -> tuple[np.ndarray, np.ndarray]:
        """In-degree and out-degree, int32 per page."""
        if not self.graph.transposed:
            ready(csr.count_targets)
        return self.graph.in_degree, self.graph.out_degree

    @_in_threads
    def links_into(self, flags: np.ndarray) -> np.ndarray:
        """How many flagged pages each page links to, int32."""
        flags = checks.flags("flags", flags, self.pages)
        ready(csr.count_into)
        counts = np.empty(self.pages, np.int32)
        csr.count_into(*self._out, frozen(flags), counts)
        return counts

    def walk(self, link_sets: Sequence[LinkSet] = (LinkSet(),), **options: Unpack[WalkOptions]) -> Walk:
        """Fixed point of a damped walk: Gauss-Seidel over own links, power iteration where links are given."""
        problem = checks.walk(link_sets, self.pages, **options)
        needed = walks.memory_of(self.pages, self.links, problem.damping) + self._in_links_size()
        require_memory(needed, "a walk", SMALLER)
        given = [one for one in problem.sets if one.links is not None]
        ready(walk_kernels.scores, walk_kernels.add_weighted if given else walk_kernels.sweep)
        if not given:
            return walks.one_set(self._own_links, problem)
        require_memory(20 * sum(len(one.links[0]) for one in given if one.links), "a walk over given links", SMALLER)
        own = self._own_links if len(given) < len(problem.sets) else None
        return walks.several_sets(own, self.pages, problem)

    @_in_threads
    def walk_shares(
        self,
        shares: np.ndarray,
        factor: np.ndarray | None = None,
        *,
        damping: float = 0.85,
        teleport: np.ndarray | None = None,
        tolerance: float = 1e-12,
        max_iterations: int | None = None,
    ) -> np.ndarray:
        """Walks that differ in their share only, float64 (shares, pages), five side by side in each sweep."""
        damping = checks.damping_in_range(damping)
        sets = [checks.link_sets([LinkSet(float(share), factor)], self.pages, damping)[0] for share in shares]
        v = checks.unit_teleport(teleport, self.pages)
        tolerance = checks.positive_tolerance(tolerance)
        if damping > CLOSE:  # these take too many steps to take them side by side
            return shares_one_by_one(
                self, shares, factor,
                damping=damping, teleport=teleport, tolerance=tolerance, max_iterations=max_iterations,
            )  # fmt: skip
        most = checks.most_steps(max_iterations, sets, damping, tolerance)
        require_memory(
            (16 * (len(sets) + 5) + 24) * self.pages + self._in_links_size(), f"{len(sets)} walks at once", SMALLER
        )
        ready(walk_kernels.sweep_shares, walk_kernels.scores_of_shares)
        return walks.shares_at_once(self._own_links, sets, damping, v, tolerance, most)

    def hits(self, iterations: int = 60) -> Hits:
        """HITS from all ones, exactly as many iterations as asked for; all 0 where there are no links."""
        iterations = checks.number_of("iterations", iterations, MOST_TIMES)
        if not self._out_links_alone:
            require_memory(24 * self.pages + self._in_links_size(), "HITS", SMALLER)
        return self._hits(iterations, np.empty(0, np.bool_))

    @_in_threads
    def _hits(self, iterations: int, stays: np.ndarray) -> Hits:
        """HITS as if pages that do not stay had no links; an empty array keeps all."""
        if self._out_links_alone:
            require_memory(32 * self.pages, "HITS", SMALLER)
            ready(hits.step)
            return hits_by_out_links(*self._out, self._weights, stays, iterations)
        ready(hits.gather)
        links, back = (*self._out, self._weights), (*self._in, self._in_weights)
        return hits_by_both(links, back, stays, iterations)

    # -- structure

    def components(self) -> Components:
        """Strong components, numbered by smallest page, and the distinct arcs between them, sorted."""
        ready(components.condense)
        component = self._strong()
        count = components.number(component)
        starts, members = csr.group(component, count)
        offsets, arcs = components.condense(*self._out, component, starts, members)
        # Transposed twice, arcs are in order: two passes instead of a sort.
        back = np.empty_like(arcs)
        back_offsets = csr.transpose(offsets, arcs, count, back)
        csr.transpose(back_offsets, back, count, arcs)
        sources = np.repeat(np.arange(count, dtype=np.int32), np.diff(offsets))
        return Components(component, np.diff(starts), np.column_stack((sources, arcs)))

    def component_sizes(self) -> np.ndarray:
        """int64: how many pages each strong component has, in any order; cheaper than `components`."""
        sizes = np.bincount(self._strong(), minlength=1)
        return sizes[sizes > 0]

    def _strong(self) -> np.ndarray:
        """A label per page, the same for pages of one strong component."""
        require_memory(28 * self.pages, "strong components", SMALLER)
        ready(components.strong)
        read_ahead(self.graph.out_targets)  # the search jumps through the links
        return np.asarray(components.strong(*self._out))

    def bfs_hops(self, sources: np.ndarray, max_hops: int | None = None) -> np.ndarray:
        """Hops from the nearest source, int32 per page, -1 where not reached within `max_hops`."""
        ids = checks.page_ids("sources", sources, self.pages)
        most = self.pages if max_hops is None else checks.hops(max_hops, self.pages)
        ready(breadth_first.hops)
        return np.asarray(breadth_first.hops(*self._out, frozen(ids), most))

    # -- balls

    @_in_threads
    def ball_weight(self, weight: np.ndarray, hops: int, pages: np.ndarray | None = None) -> np.ndarray:
        """Sum of `weight` over the distinct pages within `hops` of each of `pages` (all when `None`)."""
        weight = checks.per_page("weight", weight, self.pages)
        hops = checks.hops(hops, self.pages)
        ids = checks.page_ids("pages", np.arange(self.pages) if pages is None else pages, self.pages).astype(np.int32)
        probe = min(PROBE, len(ids))
        sums = np.empty(len(ids))
        scratch = self._ball_scratch
        walked = one_by_one(self._out, weight, hops, ids[:probe], scratch(probe), sums[:probe])
        if probe < len(ids):
            rest, their_sums = ids[probe:], sums[probe:]
            if hops > 2 and walked > PROBE * BIT_PARALLEL_FROM:
                their_sums[:] = at_once(self._out, lambda: self._in, weight, hops, rest)
            else:
                one_by_one(self._out, weight, hops, rest, scratch(len(rest)), their_sums)
        return sums

    @_in_threads
    def walk_bound(self, weight: np.ndarray, hops: int) -> np.ndarray:
        """At least `ball_weight`, also as rounded: sums of max(weight, 0) over walks of at most `hops` links.

        A sum of k numbers is off by at most k ulp of the sum of their sizes, so the bound is raised by
        that for both sums it stands between: pages + hops · (largest out-degree + 1) ulp, 1e-9 at five million pages.
        """
        own = checks.per_page("weight", weight, self.pages)
        if own.min() < 0:
            own = np.maximum(own, 0.0)
        hops = checks.hops(hops, checks.MOST_STEPS + 1)  # a walk may be longer than there are pages
        if hops > checks.MOST_STEPS:
            return checks.everything(own)
        require_memory(24 * self.pages, "a walk bound", SMALLER)
        bound = walk_sums(self._out, own, hops)
        roundings = self.pages + hops * (int(self.graph.out_degree.max()) + 1)
        bound *= 1.0 + roundings * float(np.finfo(np.float64).eps)
        return bound

    @_in_threads
    def ball_bound(self, weight: np.ndarray, hops: int) -> np.ndarray:
        """At least the positive weight of each ball at five standard deviations, from sketches of 128 bytes a page."""
        positive = np.maximum(checks.per_page("weight", weight, self.pages), 0.0)
        hops = checks.hops(hops, self.pages)
        whole = float(positive.sum())
        if whole == 0:
            return np.zeros(self.pages)
        if hops > checks.MOST_STEPS:
            return checks.everything(positive)
        return sketched(self._out, positive, hops)

    # -- pairs, distances

    @_in_threads
    def cocitation(self, left: np.ndarray, right: np.ndarray, *, fan_out_cap: int | None = None) -> Cocitation:
        """Pages that link to both, for each pair of a left and a different right page (int32 arrays)."""
        left = checks.flags("left", left, self.pages)
        right = checks.flags("right", right, self.pages)
        if fan_out_cap is not None:
            fan_out_cap = min(checks.number_of("fan_out_cap", fan_out_cap), self.pages)
        ready(pair_kernels.count_shared)
        return pairs.count_pairs(self._in, self._out, frozen(left), frozen(right), fan_out_cap)

    @_in_threads
    def harmonic(self, *, exact: bool | None = None) -> tuple[np.ndarray, float]:
        """Harmonic centrality and its relative standard error: 0, or 9.2 % by HyperBall."""
        if exact is None:
            exact = self.pages <= EXACT_HARMONIC_PAGES
        sums = np.zeros(self.pages)
        if exact:
            ready(balls.harmonic)
            first, stamps, queues = self._ball_scratch(self.pages)
            balls.harmonic(*self._in, first, stamps, queues, sums)
            return sums, 0.0
        require_memory(
            (2 * REGISTERS + 18) * self.pages + self._in_links_size(), "harmonic centrality by HyperBall", SMALLER
        )
        ready(hyperball.start, hyperball.grow)
        everything = np.ones(self.pages, np.bool_)
        *_, (_, sums) = balls_by_radius(self._in, self._in_bounds, everything, REGISTERS, HASH_SEED)
        return sums, 1.04 / REGISTERS**0.5

    @_in_threads
    def distances(self, sources: np.ndarray, counted: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Distances from each of `sources` (distinct) to the `counted` pages it reaches, other than itself.

        Returns
        -------
        reached, sums, at
            int64: pages and sum of distances, per source; and all pairs of them at distance 1, 2, ….
        """
        ids = checks.page_ids("sources", sources, self.pages).astype(np.int32)
        counted = checks.flags("counted", counted, self.pages)
        ready(breadth_first.search)
        first, stamps, queues = self._ball_scratch(len(ids))
        reached, sums = np.zeros(len(ids), np.int64), np.zeros(len(ids), np.int64)
        # Zeros that nobody touches take no memory: of the columns only those of distances that occur are.
        at, depths = np.zeros((len(stamps), self.pages), np.int64), np.zeros(len(stamps), np.int64)
        breadth_first.search(
            *self._out, frozen(counted), indices(ids), first, stamps, queues, reached, sums, at, depths
        )
        return reached, sums, at[:, : depths.max(initial=0)].sum(axis=0)

    @_in_threads
    def neighbourhood(self, counted: np.ndarray, seed: int) -> np.ndarray:
        """Ordered pairs of `counted` pages (of each with itself too) within 0, 1, 2 … links, by HyperBall, float64.

        Both ends are counted pages; a path may lead over any page. Another `seed` gives an independent estimate.
        """
        counted = checks.flags("counted", counted, self.pages)
        require_memory((2 * FEW_REGISTERS + 18) * self.pages + self._in_links_size(), "distances by HyperBall", SMALLER)
        ready(hyperball.start, hyperball.grow)
        rounds = balls_by_radius(self._in, self._in_bounds, frozen(counted), FEW_REGISTERS, seed)
        return np.array([float(sizes[counted].sum()) for sizes, _ in rounds])

    # -- views

    @_in_threads
    def without(
        self,
        *,
        pages: np.ndarray | None = None,
        same_site: np.ndarray | None = None,
        between_sites: np.ndarray | None = None,
    ) -> NativeEngine:
        """An engine over the links that stay when links of `pages`, within a site or between sites are left out."""
        left_out = np.empty(0, np.bool_) if pages is None else checks.flags("pages", pages, self.pages)
        require_memory(8 * self.pages, "a view", SMALLER)
        only_pages = pages is not None and same_site is None and between_sites is None
        if only_pages and ("_in" in self.__dict__ or self.graph.transposed):
            from seedrank.engines.native.without_pages import WithoutPages

            return WithoutPages(self, left_out)
        return self._smaller(left_out, same_site, between_sites)

    def _smaller(
        self, left_out: np.ndarray, same_site: np.ndarray | None, between_sites: np.ndarray | None
    ) -> NativeEngine:
        """The same over a copy of the links that stay."""
        none = np.empty(0, np.int32)
        site = none if same_site is None else checks.sites("same_site", same_site, self.pages)
        between = none if between_sites is None else checks.sites("between_sites", between_sites, self.pages)
        ready(csr.count_kept, csr.fill_kept)
        masks = frozen(left_out), frozen(site), frozen(between)
        offsets = np.zeros(self.pages + 1, np.int64)
        csr.count_kept(*self._out, *masks, offsets[1:])
        np.cumsum(offsets, out=offsets)
        links = int(offsets[-1])
        require_memory((4 if self._weights is None else 8) * links, f"a view with {links:,} links", SMALLER)
        targets = np.empty(links, np.int32)
        weights = None if self._weights is None else np.empty(links, np.float32)
        csr.fill_kept(*self._out, *masks, offsets, targets, self._weights, weights)
        arrays = {
            "out_offsets": offsets,
            "out_targets": targets,
            "status": self.graph.status,
            "host": self.graph.host,
        }
        if weights is not None:
            arrays["weights"] = weights
        return NativeEngine(
            WebGraph(arrays, {"pages": self.pages, "links": links, "version": f"{self.graph.version}, a view"})
        )

    def reversed(self) -> NativeEngine:
        """An engine over the same links the other way round; they are not copied."""
        require_memory(self._in_links_size(), "links the other way round", SMALLER)
        ready(csr.transpose)
        graph = self.graph
        arrays: dict[str, Any] = {
            "out_offsets": graph.in_offsets,
            "out_targets": graph.in_sources,
            "in_offsets": graph.out_offsets,
            "in_sources": graph.out_targets,
            "status": graph.status,
            "host": graph.host,
        }
        if graph.weights is not None:
            arrays |= {"weights": graph.in_weights, "in_weights": graph.weights}
        version = f"{graph.version}, reversed"
        return NativeEngine(WebGraph(arrays, {"pages": self.pages, "links": self.links, "version": version}))

    # -- inside

    @cached_property
    def _out(self) -> tuple[np.ndarray, np.ndarray]:
        return frozen(self.graph.out_offsets), indices(self.graph.out_targets)

    @cached_property
    def _in(self) -> tuple[np.ndarray, np.ndarray]:
        ready(csr.transpose)
        return frozen(self.graph.in_offsets), indices(self.graph.in_sources)

    @property
    def _out_links_alone(self) -> bool:
        """Whether HITS does without in-links."""
        return self.pages + self.links >= OUT_LINKS_ALONE

    @cached_property
    def _weights(self) -> np.ndarray | None:
        """Weights by source; `None` where every weight is 1."""
        return None if self.graph.weights is None else frozen(self.graph.weights)

    @cached_property
    def _in_weights(self) -> np.ndarray | None:
        return None if self.graph.in_weights is None else frozen(self.graph.in_weights)

    @cached_property
    def _in_bounds(self) -> np.ndarray:
        return chunks(self._in[0])

    @cached_property
    def _own_links(self) -> walks.OwnLinks:
        weighted = self._weights is not None
        strength = frozen(self.graph.strength if weighted else self.graph.out_degree)
        return walks.OwnLinks(*self._in, self._in_weights, strength, self._in_bounds)

    def _in_links_size(self) -> int:
        """Bytes the in-links will take; 0 once they are there, in memory or in files."""
        in_files = self.graph.folder is not None and self.graph.transposed and self.graph.weights is None
        if "_in" in self.__dict__ or in_files:
            return 0
        needed = (4 if self.graph.weights is None else 8) * self.links + 24 * self.pages
        return needed if self.graph.folder is None else memory_taken(needed)

    def _ball_scratch(self, count: int) -> tuple[int, np.ndarray, np.ndarray]:
        """A first stamp for `count` balls, stamps and queues, a row per worker."""
        # A few balls are not worth waking threads for.
        workers = numba.get_num_threads() if count > balls.RUN else 1
        if self._balls is None or not self._balls.serves(workers, count):
            require_memory(8 * self.pages * workers, "balls of pages", SMALLER)
            self._balls = BallScratch(workers, self.pages)
        return self._balls.take(workers, count)
