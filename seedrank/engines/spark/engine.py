"""SparkEngine: the primitives on Apache Spark; the links stay there."""

from __future__ import annotations

import copy
import functools
import logging
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar, Unpack

import numpy as np

from seedrank.core.errors import GraphError
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
from seedrank.engines.native import walks
from seedrank.engines.spark import structure
from seedrank.engines.spark.block_tasks import TOTAL, totals
from seedrank.engines.spark.blocks import Blocks, Layout
from seedrank.engines.spark.links import SparkLinks, cited_together
from seedrank.engines.spark.walk import Solver
from seedrank.graph import MAX_PAGES, WebGraph
from seedrank.graphdb.spark import followed

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["SparkEngine"]

log = logging.getLogger(__name__)

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")

MOST_BALLS = 10_000
"""Balls that are expanded when asked for: 64 in a pass over the links for each hop."""


def _followed(
    title: str,
) -> Callable[
    [Callable[Concatenate[SparkEngine, _Arguments], _Result]], Callable[Concatenate[SparkEngine, _Arguments], _Result]
]:
    """A primitive whose jobs are one stage of progress."""

    def wrap(
        primitive: Callable[Concatenate[SparkEngine, _Arguments], _Result],
    ) -> Callable[Concatenate[SparkEngine, _Arguments], _Result]:
        @functools.wraps(primitive)
        def run(self: SparkEngine, /, *arguments: _Arguments.args, **options: _Arguments.kwargs) -> _Result:
            with followed(self._links.table.sparkSession, title, self._progress):
                return primitive(self, *arguments, **options)

        return run

    return wrap


class SparkEngine:
    """The primitives by passes over blocks of links in Spark; see `seedrank.engines.base.Engine`.

    Vectors with a value per page are the driver's, 8 bytes a page each, so at most 2³¹ - 1 pages. Close it, or use it
    as a context manager: Spark then forgets the blocks. Views share them and are closed with it.

    Parameters
    ----------
    links
        ``source``, ``target`` and ``weight``: each pair of different pages once.
    weighted
        Whether walks and HITS go by the weights; each link counts 1 otherwise.
    most_native
        Links up to which the driver finds strong components itself, once the pages that are in none are left out.
    """

    name = "spark"
    sketch_from = 3, 4_096

    def __init__(
        self,
        links: DataFrame,
        pages: int,
        *,
        weighted: bool = False,
        layout: Layout | None = None,
        most_native: int = structure.MOST_NATIVE,
        progress: Progress = silent,
    ) -> None:
        self.pages = checks.pages(pages)
        if pages > MAX_PAGES:
            raise GraphError(
                f"{pages:,} pages are more than the {MAX_PAGES:,} that a vector in the driver can have",
                hint="ask about hosts instead",
            )
        self._links = SparkLinks(links, pages, weighted=weighted, layout=layout or Layout())
        self._made = [self._links]
        """Links of this engine and of all views made of it."""
        self._gone: np.ndarray | None = None
        self._turned = False
        self._most_native = most_native
        self._progress = progress

    def __repr__(self) -> str:
        return f"SparkEngine(pages={self.pages:,})"

    def __enter__(self) -> SparkEngine:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Let Spark forget the blocks of this engine and its views; safe to call twice."""
        for links in self._made:
            links.close()

    @property
    def links(self) -> int:
        """Links of this view; counted when first asked for."""
        with followed(self._links.table.sparkSession, "counting links in Spark", self._progress):
            return self._links.links if self._gone is None else int(self._degrees[1].sum())

    # -- degrees and walks

    @_followed("counting links in Spark")
    def degrees(self) -> tuple[np.ndarray, np.ndarray]:
        """In-degree and out-degree, int32 per page."""
        into, out = self._degrees
        return into.astype(np.int32), out.astype(np.int32)

    @_followed("counting links in Spark")
    def links_into(self, flags: np.ndarray) -> np.ndarray:
        """int32 per page: how many flagged pages it links to."""
        flags = checks.flags("flags", flags, self.pages)
        return self._totals(self._against, flags.astype(np.float64)).astype(np.int32)

    @_followed("walking in Spark")
    def walk(self, link_sets: Sequence[LinkSet] = (LinkSet(),), **options: Unpack[WalkOptions]) -> Walk:
        """Fixed point of a damped walk, block by block; see `seedrank.engines.spark.walk`."""
        problem = checks.walk(link_sets, self.pages, **options)
        solver = Solver(self._along, self._stays, self._strength, problem)
        return walks.with_dangling(solver, ~solver.sends, problem)

    def walk_shares(
        self, shares: np.ndarray, factor: np.ndarray | None = None, **options: Unpack[ShareOptions]
    ) -> np.ndarray:
        """Walks that differ in their share only, one after the other."""
        return shares_one_by_one(self, shares, factor, **options)

    @_followed("HITS in Spark")
    def hits(self, iterations: int = 60) -> Hits:
        """HITS from all ones, exactly as many iterations as asked for; all 0 where there are no links."""
        iterations = checks.number_of("iterations", iterations, MOST_TIMES)
        hubs, authorities = self._stays.astype(np.float64), np.zeros(self.pages)
        for iteration in range(1, iterations + 1):
            authorities = _unit(self._totals(self._along, hubs, weighted=True))
            hubs = _unit(self._totals(self._against, authorities, weighted=True))
            log.info("HITS: iteration %d of %d", iteration, iterations)
        return Hits(hubs, authorities)

    # -- structure

    @_followed("components in Spark")
    def components(self) -> Components:
        """Strong components, numbered by smallest page, and the distinct arcs between them, sorted."""
        label = structure.strong(self._links, self._stays, self._most_native)
        found = structure.condensed(self._links, self._stays, label)
        if not self._turned:
            return found
        arcs = found.arcs[:, ::-1]
        return Components(found.component, found.sizes, arcs[np.lexsort((arcs[:, 1], arcs[:, 0]))])

    @_followed("levels in Spark")
    def bfs_hops(self, sources: np.ndarray, max_hops: int | None = None) -> np.ndarray:
        """Hops from the nearest source, int32 per page, -1 where not reached within `max_hops`."""
        ids = checks.page_ids("sources", sources, self.pages)
        most = self.pages if max_hops is None else checks.hops(max_hops, self.pages)
        return structure.hops(self._along, ids, self._stays, most)

    # -- balls

    @_followed("balls in Spark")
    def ball_weight(self, weight: np.ndarray, hops: int, pages: np.ndarray | None = None) -> np.ndarray:
        """Sum of `weight` over the distinct pages within `hops` of each; refused for more than 10,000 pages."""
        weight = checks.per_page("weight", weight, self.pages)
        hops = checks.hops(hops, self.pages)
        ids = checks.page_ids("pages", np.arange(self.pages) if pages is None else pages, self.pages)
        if len(ids) > MOST_BALLS:
            passes = -(-len(ids) // structure.AT_ONCE)
            raise GraphError(
                f"balls of {len(ids):,} pages take {passes:,} passes over all links in Spark for each hop",
                hint="use {engine=native} where the graph fits into memory, or a method that needs few balls: "
                "maxweight, maxout, pagerank",
                fields=("engine",),
            )
        return structure.ball_weights(self._along, self._stays, weight, hops, ids)

    @_followed("bounding balls in Spark")
    def walk_bound(self, weight: np.ndarray, hops: int) -> np.ndarray:
        """At least `ball_weight`, also as rounded: sums of max(weight, 0) over walks of at most `hops` links.

        Raised by the rounding of both sums it stands between, each of at most `pages` numbers a hop.
        """
        own = np.maximum(checks.per_page("weight", weight, self.pages), 0.0)
        hops = checks.hops(hops, checks.MOST_STEPS + 1)  # a walk may be longer than there are pages
        if hops > checks.MOST_STEPS:
            return checks.everything(own)
        bound = own.copy()
        for _ in range(hops):
            bound = own + self._totals(self._against, bound)
        return np.asarray(bound * (1 + (hops + 1) * (self.pages + 1) * float(np.finfo(np.float64).eps)))

    def ball_bound(self, weight: np.ndarray, hops: int) -> np.ndarray:
        """The walk bound: there are no sketches in Spark."""
        return self.walk_bound(weight, hops)

    # -- pairs, distances

    @_followed("co-citation in Spark")
    def cocitation(self, left: np.ndarray, right: np.ndarray, *, fan_out_cap: int | None = None) -> Cocitation:
        """Pages that link to both, for each pair of a left and a different right page (int32 arrays)."""
        left = checks.flags("left", left, self.pages)
        right = checks.flags("right", right, self.pages)
        over = np.zeros(self.pages, bool)
        if fan_out_cap is not None:
            over = self._degrees[1] > checks.number_of("fan_out_cap", fan_out_cap)
        stays, capped = self._stays, 0
        if over.any():
            lefts, rights, both = (
                self.links_into(flags)[over].astype(np.int64) for flags in (left, right, left & right)
            )
            capped = int((lefts * rights - both).sum())
        if not self._links.links:
            nothing = np.empty(0, np.int32)
            found = nothing, nothing, nothing
        else:
            found = cited_together(self._table, left & stays, right & stays, stays & ~over)
        return Cocitation(*found, int(over.sum()), capped)

    @_followed("harmonic centrality in Spark")
    def harmonic(self, *, exact: bool | None = None) -> tuple[np.ndarray, float]:
        """Harmonic centrality, exact whatever is asked (error 0); refused for more than 10,000 pages."""
        if self.pages > MOST_BALLS:
            raise GraphError(
                f"harmonic centrality of {self.pages:,} pages needs the balls of all pages, which Spark would take "
                "days for",
                hint="use {engine=native}, which estimates it, where the graph fits into memory; or rank by pagerank",
                fields=("engine",),
            )
        return structure.harmonic(self._along, self._stays), 0.0

    # -- views

    def without(
        self,
        *,
        pages: np.ndarray | None = None,
        same_site: np.ndarray | None = None,
        between_sites: np.ndarray | None = None,
    ) -> SparkEngine:
        """An engine over the links that stay: without pages nothing is made, without sites when first asked."""
        view = self._copy()
        if pages is not None:
            gone = checks.flags("pages", pages, self.pages)
            view._gone = gone.copy() if self._gone is None else self._gone | gone
        if same_site is not None or between_sites is not None:
            apart = None if same_site is None else checks.sites("same_site", same_site, self.pages)
            within = None if between_sites is None else checks.sites("between_sites", between_sites, self.pages)
            view._links = self._links.cut(apart=apart, within=within)
            self._made.append(view._links)
        return view

    def reversed(self) -> SparkEngine:
        """An engine over the same links the other way round; nothing is copied."""
        view = self._copy()
        view._turned = not self._turned
        return view

    @_followed("reading links from Spark")
    def to_memory(self) -> WebGraph:
        """The links of this view as a graph in memory, 40 bytes a link while it is made."""
        table = self._table.select("source", "target", "weight").toArrow()
        source, target, weight = (table[name].to_numpy() for name in ("source", "target", "weight"))
        stays = self._stays[source] & self._stays[target]
        weights = weight[stays] if self._links.weighted else None
        return WebGraph.from_links(self.pages, source[stays], target[stays], weights=weights)

    # -- inside

    def _copy(self) -> SparkEngine:
        """The same engine, with nothing worked out."""
        view = copy.copy(self)
        for name in ("_degrees", "_strength"):
            view.__dict__.pop(name, None)
        return view

    @property
    def _along(self) -> Blocks:
        """Blocks that pass values along the links of this view."""
        return self._links.backward if self._turned else self._links.forward

    @property
    def _against(self) -> Blocks:
        return self._links.forward if self._turned else self._links.backward

    @property
    def _table(self) -> DataFrame:
        """``source`` and ``target`` of the links of this view; those of pages that are gone are still there."""
        table = self._links.table
        if not self._turned:
            return table
        from pyspark.sql import functions as f

        # Spark renames one column after the other: two that change names would both be called the same on the way.
        turned = {"source": "target", "target": "source"}
        return table.select(*(f.col(turned.get(name, name)).alias(name) for name in table.columns))

    @property
    def _stays(self) -> np.ndarray:
        return np.ones(self.pages, bool) if self._gone is None else ~self._gone

    @cached_property
    def _degrees(self) -> tuple[np.ndarray, np.ndarray]:
        """In-degree and out-degree, int64 per page."""
        if self._gone is None:
            into, out = self._links.degrees
            return (out, into) if self._turned else (into, out)
        stays = self._stays.astype(np.float64)
        into, out = (self._totals(blocks, stays).astype(np.int64) for blocks in (self._along, self._against))
        return into, out

    @cached_property
    def _strength(self) -> np.ndarray:
        """Per page: what its links weigh together; their number where each counts 1."""
        if not self._links.weighted:
            return self._degrees[1].astype(np.float64)
        return self._totals(self._against, self._stays.astype(np.float64), weighted=True)

    def _totals(self, blocks: Blocks, x: np.ndarray, *, weighted: bool = False) -> np.ndarray:
        """Per page: the sum over the links that blocks pass values along; pages that are gone take no part."""
        stays = self._stays
        step = partial(totals, weighted=weighted and self._links.weighted)
        found = blocks.run(step, TOTAL, np.zeros(self.pages), np.where(stays, x, 0.0))
        return np.where(stays, found.own + found.received, 0.0)


def _unit(vector: np.ndarray) -> np.ndarray:
    """Divided by its length; all 0 stays all 0."""
    length = float(np.sqrt(np.square(vector).sum()))
    return vector / length if length > 0 else vector
