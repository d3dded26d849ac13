"""GdsEngine: the primitives inside Neo4j; the graph stays there."""

from __future__ import annotations

import secrets
import weakref
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Unpack

import numpy as np

from seedrank.core.errors import GraphError
from seedrank.core.levels import HostWeights, Level
from seedrank.core.numbers import MOST_TIMES
from seedrank.core.progress import Progress, silent
from seedrank.engines import checks
from seedrank.engines.base import (
    Cocitation,
    Components,
    Hits,
    LinkSet,
    ShareOptions,
    Walk,
    WalkOptions,
    shares_one_by_one,
)
from seedrank.engines.gds import expansion, pairs, sums
from seedrank.engines.gds import walk as walks
from seedrank.engines.gds.catalog import Catalog, GdsStore, Projection
from seedrank.engines.gds.level_catalog import LevelCatalog
from seedrank.engines.gds.view import View
from seedrank.graphdb.store import GraphStore, gds

__all__ = ["GdsEngine"]

LINKS_PER_CALL = 1_000_000
BALLS_BY_CYPHER = 64
"""Balls that are expanded by Cypher before a projection is made for them."""
HARMONIC_RATE = 4e8
"""Pages times (pages and links) of harmonic centrality that the server does in a second: half of what was measured on
two cores with 20,000 pages and 200,000 links, since deeper graphs take longer."""


class GdsEngine:
    """The primitives by Cypher and GDS procedures; see `seedrank.engines.base.Engine`.

    Close it, or use it as a context manager: projections are then dropped, but those that `keep` leaves. It stands for
    the graph as it was when the engine was made, and says so when the graph was changed since. Views share its
    projections and are closed with it.

    Parameters
    ----------
    store
        A Neo4j store whose server has GDS.
    level
        ``host`` or ``domain``, and what a link between two of them weighs: they stand in the place of pages.
    weighted
        Whether walks and HITS go by the stored weights of links; each counts 1 otherwise.
    keep
        Whether projections that another command may use stay on the server for a while.
    """

    name = "gds"
    sketch_from = 2, expansion.SAMPLED // 4

    def __init__(
        self,
        store: GraphStore,
        *,
        level: tuple[Level, HostWeights] | None = None,
        weighted: bool = False,
        keep: bool = False,
        progress: Progress = silent,
    ) -> None:
        gds(store, "the gds engine")
        held = _narrowed(store)
        if level is None:
            catalog = Catalog(held, progress, weighted=weighted, keep=keep)
        else:
            catalog = LevelCatalog(held, *level, progress, weighted=weighted, keep=keep)
        self._setup(catalog, View())

    def _setup(self, catalog: Catalog, view: View, origin: GdsEngine | None = None) -> None:
        self._catalog = catalog
        self._view = view
        self._balls = 0
        """Balls that were asked for."""
        self._origin = origin
        """The view this one only takes pages from; its projection is filtered."""
        self.pages = checks.pages(catalog.pages)

    def __repr__(self) -> str:
        kind = "a view of " if self._view else ""
        return f"GdsEngine({kind}{self._catalog.store.url}, pages={self.pages:,})"

    def __enter__(self) -> GdsEngine:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def check_version(self) -> None:
        """Refuse to go on, or to answer, where the graph was changed since the engine was made."""
        self._catalog.check_version()

    def close(self) -> None:
        """Drop the projections of this engine and all its views, but those that stay; safe to call twice."""
        self._catalog.close()
        self.__dict__.pop("_made", None)
        self.__dict__.pop("_around", None)

    @property
    def version(self) -> str:
        """Of the graph that is asked."""
        return self._catalog.version

    @property
    def links(self) -> int:
        """Links of this view; a view is projected to know."""
        return self._made.links if self._view.cuts else self._catalog.links

    # -- degrees and walks

    def degrees(self) -> tuple[np.ndarray, np.ndarray]:
        """In-degree and out-degree, int32 per page."""
        in_degree, out_degree = self._degrees
        return in_degree.copy(), out_degree.copy()

    def links_into(self, flags: np.ndarray) -> np.ndarray:
        """int32 per page: how many flagged pages it links to."""
        flags = checks.flags("flags", flags, self.pages)
        self._catalog.check_version()
        return sums.link_counts(self._catalog, self._view, flags, self._degrees[1])

    def walk(self, link_sets: Sequence[LinkSet] = (LinkSet(),), **options: Unpack[WalkOptions]) -> Walk:
        """Fixed point of a damped walk, by PageRank; see `seedrank.engines.gds.walk`."""
        problem = checks.walk(link_sets, self.pages, **options)
        if walks.is_plain(problem):
            self._projection()  # it is walked on, and knows the degrees
        sent = walks.sends(problem.sets, self._strength)
        return walks.walk(self._catalog, self._view, self._projection, sent, problem)

    def walk_shares(
        self, shares: np.ndarray, factor: np.ndarray | None = None, **options: Unpack[ShareOptions]
    ) -> np.ndarray:
        """Walks that differ in their share only, one PageRank after the other."""
        return shares_one_by_one(self, shares, factor, **options)

    def hits(self, iterations: int = 60) -> Hits:
        """HITS from all ones, exactly as many iterations as asked for; all 0 where there are no links."""
        iterations = checks.number_of("iterations", iterations, MOST_TIMES)
        if self._catalog.weighted and self._catalog.links:
            self._catalog.check_version()
            return sums.weighted_hits(self._catalog, self._view, iterations)
        hubs, authorities = np.zeros(self.pages), np.zeros(self.pages)
        projection = self._projection()
        if projection is not None:
            threads = {"name": projection.name, "concurrency": self._catalog.concurrency}
            self._catalog.require("hits_estimate", "HITS", **threads)
            rows = self._catalog.run("hits", "HITS", iterations=iterations, **threads)
            projection.spread(rows, hubs, "hub")
            projection.spread(rows, authorities, "authority")
        return Hits(hubs, authorities)

    # -- structure

    def components(self) -> Components:
        """Strong components, numbered by smallest page, and the distinct arcs between them, sorted."""
        own = -1 - np.arange(self.pages)  # of pages that have no node
        projection = self._projection()
        if projection is not None:
            threads = {"name": projection.name, "concurrency": self._catalog.concurrency}
            self._catalog.require("scc_estimate", "strong components", **threads)
            projection.spread(self._catalog.run("scc", "strong components", **threads), own)
        _, first, inverse = np.unique(own, return_index=True, return_inverse=True)
        number = np.empty(len(first), np.int32)
        number[np.argsort(first)] = np.arange(len(first))
        component = number[inverse]
        arcs = np.empty((0, 2), np.int32) if projection is None else self._arcs(component, len(first))
        return Components(component, np.bincount(component), arcs)

    def bfs_hops(self, sources: np.ndarray, max_hops: int | None = None) -> np.ndarray:
        """Hops from the nearest source, int32 per page, -1 where not reached within `max_hops`."""
        ids = checks.page_ids("sources", sources, self.pages)
        most = self.pages if max_hops is None else checks.hops(max_hops, self.pages)
        self._catalog.check_version()
        return expansion.bfs_hops(self._catalog, self._view, ids, most)

    # -- balls

    def ball_weight(self, weight: np.ndarray, hops: int, pages: np.ndarray | None = None) -> np.ndarray:
        """Sum of `weight` over the distinct pages within `hops` of each; refused where it would take hours."""
        weight = checks.per_page("weight", weight, self.pages)
        hops = checks.hops(hops, self.pages)
        ids = np.arange(self.pages) if pages is None else checks.page_ids("pages", pages, self.pages)
        self._catalog.check_version()
        self._balls += len(ids)
        # Searches in a projection beat Cypher, making one for a few does not.
        there = self._view or "_made" in self.__dict__ or self._balls > BALLS_BY_CYPHER
        projection = self._projection() if hops and there else None
        if hops:
            expansion.require_time_for_balls(self._catalog, self._view, projection, hops, ids)
        return expansion.ball_weights(self._catalog, self._view, projection, weight, hops, ids)

    def walk_bound(self, weight: np.ndarray, hops: int) -> np.ndarray:
        """At least `ball_weight`, also as rounded: sums of max(weight, 0) over walks of at most `hops` links.

        One aggregation over all links per hop, raised by the rounding of both sums it stands between, each of at most
        `pages` numbers a hop.
        """
        own = np.maximum(checks.per_page("weight", weight, self.pages), 0.0)
        hops = checks.hops(hops, checks.MOST_STEPS + 1)  # a walk may be longer than there are pages
        if hops > checks.MOST_STEPS:
            return checks.everything(own)
        self._catalog.check_version()
        sums.require_time_for_passes(self._catalog.links, hops)
        bound = own.copy()
        for _ in range(hops):
            bound = own + sums.link_sums(self._catalog, self._view, bound)
        return np.asarray(bound * (1 + (hops + 1) * (self.pages + 1) * float(np.finfo(np.float64).eps)))

    def ball_bound(self, weight: np.ndarray, hops: int) -> np.ndarray:
        """From the pages that reach some that are drawn: `seedrank.engines.gds.expansion.sampled_bound`."""
        own = np.maximum(checks.per_page("weight", weight, self.pages), 0.0)
        hops = checks.hops(hops, self.pages)
        if hops == 0 or not own.any():
            return own
        if hops > checks.MOST_STEPS:
            return checks.everything(own)
        return expansion.sampled_bound(self._catalog, self._around._projection(), own, hops)

    # -- pairs, distances

    def cocitation(self, left: np.ndarray, right: np.ndarray, *, fan_out_cap: int | None = None) -> Cocitation:
        """Pages that link to both, for each pair of a left and a different right page (int32 arrays)."""
        left = checks.flags("left", left, self.pages)
        right = checks.flags("right", right, self.pages)
        if fan_out_cap is not None:
            fan_out_cap = min(checks.number_of("fan_out_cap", fan_out_cap), self.pages)
        return pairs.cocitation(self._catalog, self._view, left, right, fan_out_cap, self._degrees[1])

    def harmonic(self, *, exact: bool | None = None) -> tuple[np.ndarray, float]:
        """Harmonic centrality, exact whatever is asked (error 0); refuses where it would take hours."""
        hours = self.pages * (self.pages + self.links) / HARMONIC_RATE / expansion.HOUR
        if hours > 1:
            raise GraphError(
                f"harmonic centrality of {self.pages:,} pages would take about {hours:.1f} hours in Neo4j",
                hint="use {engine=native}, which estimates it",
                fields=("engine",),
            )
        scores = np.zeros(self.pages)
        projection = self._projection()
        if projection is not None:
            nodes = self.pages if projection.present is None else int(projection.present.sum())
            rows = self._catalog.run(
                "harmonic", "harmonic centrality", name=projection.name, concurrency=self._catalog.concurrency
            )
            scores = projection.spread(rows, scores) * (nodes - 1)
        return scores, 0.0

    # -- views

    def without(
        self,
        *,
        pages: np.ndarray | None = None,
        same_site: np.ndarray | None = None,
        between_sites: np.ndarray | None = None,
    ) -> GdsEngine:
        """An engine over the links that stay; projected when first asked."""
        gone = self._view.gone
        if pages is not None:
            left_out = checks.flags("pages", pages, self.pages)
            gone = left_out.copy() if gone is None else gone | left_out
        apart, within = self._view.apart, self._view.within
        if same_site is not None:
            apart = (*apart, checks.sites("same_site", same_site, self.pages))
        if between_sites is not None:
            within = (*within, checks.sites("between_sites", between_sites, self.pages))
        engine = object.__new__(GdsEngine)
        only_pages = same_site is None and between_sites is None
        view = replace(self._view, gone=gone, apart=apart, within=within)
        engine._setup(self._catalog, view, (self._origin or self) if only_pages else None)
        return engine

    def reversed(self) -> GdsEngine:
        """An engine over the same links the other way round; projected when first asked."""
        engine = object.__new__(GdsEngine)
        engine._setup(self._catalog, replace(self._view, reversed=not self._view.reversed))
        return engine

    # -- inside

    @cached_property
    def _around(self) -> GdsEngine:
        return self.reversed()

    @cached_property
    def _degrees(self) -> tuple[np.ndarray, np.ndarray]:
        self._catalog.check_version()
        in_degree, out_degree = np.zeros(self.pages, np.int32), np.zeros(self.pages, np.int32)
        if not self._view:
            for lo in range(0, self.pages, sums.PAGES_PER_SUM):
                row = self._catalog.run("degrees", lo=lo, hi=lo + sums.PAGES_PER_SUM)[0]
                page = np.array(row["page"], np.int64)
                in_degree[page], out_degree[page] = row["in"], row["out"]
            return in_degree, out_degree
        projection = self._projection()
        if projection is not None:
            for orientation, degree in (("REVERSE", in_degree), ("NATURAL", out_degree)):
                projection.spread(self._catalog.degrees(projection, orientation), degree)
        return in_degree, out_degree

    @cached_property
    def _strength(self) -> np.ndarray:
        """Per page: what its links weigh together; their number where each counts 1."""
        if not self._catalog.weighted and ("_degrees" in self.__dict__ or "_made" not in self.__dict__):
            return self._degrees[1]
        strength = np.zeros(self.pages)
        projection = self._projection()
        if projection is not None:
            weighted = self._catalog.weighted
            projection.spread(self._catalog.degrees(projection, "NATURAL", weighted=weighted), strength)
        return strength

    def _projection(self) -> Projection | None:
        """The projection of this view; `None` where it has no links."""
        self._catalog.check_version()
        if self._catalog.links == 0:
            return None
        return self._made if self._made.links else None

    @cached_property
    def _made(self) -> Projection:
        catalog, view = self._catalog, self._view
        if catalog.links == 0 or (view.gone is not None and view.gone.all()):
            return Projection("", self.pages, 0)
        if not view:
            return catalog.whole()
        if not view.cuts:
            made = catalog.whole(reversed=True)
        elif self._origin is not None:
            if self._origin._made.links == 0 or view.gone is None or not view.gone.any():
                return self._origin._made
            made = self._filtered(self._origin)
        else:
            catalog.require_projection(self.pages, catalog.links, weighted=catalog.weighted)
            # Views without some pages belong to a round of a method; those by sites are asked for by other commands.
            name, links = catalog.project(
                "project_view",
                "projecting a view",
                shared=view.gone is None,
                weighted=catalog.weighted,
                **view.parameters(),
            )
            made = Projection(name, self.pages, links)
        # A view that nobody holds any more needs no projection.
        weakref.finalize(self, catalog.drop_later, made.name).atexit = False
        return made

    def _filtered(self, origin: GdsEngine) -> Projection:
        """The projection of `origin` without the pages that are gone."""
        catalog, gone, whole = self._catalog, self._view.gone, origin._made
        assert gone is not None
        stay = ~gone
        few_stay = np.count_nonzero(stay) < np.count_nonzero(gone)
        marked = whole.nodes_of(np.flatnonzero(stay if few_stay else gone))
        catalog.require_projection(self.pages, whole.links, weighted=catalog.weighted)
        mark = f"mark_{secrets.token_hex(4)}"  # others may use the projection at the same time

        def filtered() -> tuple[str, int]:
            catalog.run("mark", name=whole.name, nodes=marked, property=mark, concurrency=catalog.concurrency)
            condition = f"n.{mark} > 0.0" if few_stay else f"n.{mark} = 0.0"
            given: dict[str, Any] = {"from": whole.name, "nodes": condition}  # `from` cannot be an argument's name
            return catalog.project("filter", "projecting a view", **given)

        name, links = catalog.written(whole.name, mark, filtered)
        return Projection(name, self.pages, links, whole.nodes, stay)

    def _arcs(self, component: np.ndarray, count: int) -> np.ndarray:
        """Distinct arcs of the condensation, sorted."""
        catalog = self._catalog
        numbers = component.tolist()
        step = max(1, LINKS_PER_CALL * self.pages // max(catalog.links, 1))
        keys = np.empty(0, np.int64)
        with catalog.progress("arcs between components", total=self.pages) as advance:
            for lo in range(0, self.pages, step):
                row = catalog.run("component_links", lo=lo, hi=lo + step, component=numbers)[0]
                source, target = np.array(row["source"], np.int64), np.array(row["target"], np.int64)
                stays = self._view.keeps(source, target)
                source, target = source[stays], target[stays]
                if self._view.reversed:
                    source, target = target, source
                found = component[source].astype(np.int64) * count + component[target]
                keys = np.union1d(keys, found)
                advance(min(step, self.pages - lo))
        return np.column_stack((keys // count, keys % count)).astype(np.int32)


def _narrowed(store: GraphStore) -> GdsStore:
    return store  # type: ignore[return-value]  # `gds` has looked
