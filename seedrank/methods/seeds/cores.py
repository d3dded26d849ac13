"""Seeds from HITS cores, one from each dense hub-authority core (Daneshpajouh et al. 2008; docs/algorithms.md §3).

Links within a site go, HITS ranks what is left, a core grows around the best authority, gives a seed and is taken out;
then again. Weights of links go into HITS alone: a core grows over all links. HITS and the shrinking graph are the
engine's; a core grows one page at a time, so that it is grown over the links in memory, whichever engine ranks. Memory
beyond the engine's: 16 bytes a page and 8 a link for the graph without links within a site, and 49 a page while a core
grows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from seedrank.core.errors import GraphError
from seedrank.core.order import rounded
from seedrank.engines.base import Engine, Hits
from seedrank.engines.choose import noted_with
from seedrank.engines.kernels import core_growth as kernel
from seedrank.engines.native.engine import NativeEngine
from seedrank.engines.spark_choice import brought_here
from seedrank.graph import WebGraph, frozen
from seedrank.questions.seeds import CoreQuestion

__all__ = ["Core", "extract", "find", "prune", "sized_rounds"]

_RULES = {
    "close": kernel.CLOSE,
    "stop-first": kernel.STOP,
    "skip-violators": kernel.SKIP,
    "literal": kernel.LITERAL,
}
_NO_CAP = 2**31 - 1


@dataclass(frozen=True)
class Core:
    """A core and its seed."""

    hubs: np.ndarray
    authorities: np.ndarray
    """Page ids, int64, in the order they joined."""
    hub_scores: np.ndarray
    authority_scores: np.ndarray
    """HITS scores of those when the core was taken, float64."""
    links: int
    """From hubs to authorities."""
    seed: int
    """Page id: one of the hubs."""

    @property
    def density(self) -> float:
        """Per cent of the possible links from hubs to authorities that are there."""
        return 100.0 * self.links / (len(self.hubs) * len(self.authorities))

    @property
    def seed_score(self) -> float:
        """Hub score of the seed."""
        return float(self.hub_scores[self.hubs == self.seed][0])

    @property
    def members(self) -> np.ndarray:
        """Hubs and authorities, each page once, ascending."""
        return np.union1d(self.hubs, self.authorities)


def prune(engine: Engine, graph: WebGraph, sites: np.ndarray | None) -> tuple[Engine, WebGraph]:
    """Leave out links within a site.

    Parameters
    ----------
    engine
        Where HITS is to run, over the whole graph.
    sites
        Site of each page; `None` leaves every link in.

    Returns
    -------
    engine, graph
        Over the links that stay. On the native engine they share one copy.
    """
    if sites is None:
        return engine, graph if graph.has_links else brought_here(engine)
    if (sites < 0).all():
        raise GraphError(
            "no page has a host, so links within a site cannot be recognised",
            hint="load URLs or a host column, or give {keep_same_site=True}",
            fields=("keep_same_site",),
        )
    if not graph.has_links:
        # A core grows link by link: HITS stays in Spark, the links that count come here.
        view = engine.without(same_site=sites)
        return view, brought_here(view)
    pruned = NativeEngine(graph).without(same_site=sites)
    if engine.name == "native":
        return noted_with(engine, pruned), pruned.graph
    return engine.without(same_site=sites), pruned.graph


def find(question: CoreQuestion, engine: Engine, graph: WebGraph) -> Iterator[Core]:
    """Cores, one after the other, until there are `question.k` or no link is left."""
    draw = np.random.default_rng(question.rng)
    gone = np.zeros(engine.pages, bool)
    for n in range(question.k):
        if not engine.links:
            return
        hits = engine.hits(question.iterations)
        if not hits.authorities.any():
            return  # what is left weighs nothing
        hubs, authorities, links = extract(graph, gone, hits, question)
        seed = _best(hits.hubs, hubs) if question.pick == "best-hub" else int(draw.choice(np.sort(hubs)))
        yield Core(hubs, authorities, hits.hubs[hubs], hits.authorities[authorities], links, seed)
        if n + 1 < question.k:
            leaving = np.zeros(engine.pages, bool)
            leaving[hubs] = leaving[authorities] = True
            gone |= leaving
            engine = engine.without(pages=leaving)


def extract(graph: WebGraph, gone: np.ndarray, hits: Hits, rule: CoreQuestion) -> tuple[np.ndarray, np.ndarray, int]:
    """One core: its hubs and authorities, in the order they joined, and the links between them.

    Parameters
    ----------
    graph
        Links, those of pages that are gone included.
    gone
        Boolean per page: taken out before.
    hits
        Scores over the links that are left; some authority is above 0.
    """
    links, first = _both_ways(graph), _best(hits.authorities)
    h, a = hits.hubs, hits.authorities
    if rule.core == "size":
        size, step = min(rule.size, 2 * graph.pages), min(rule.step, graph.pages)
        hubs, authorities, rounds = kernel.sized_core(*links, gone, h, a, kernel.POWERS, first, size, step)
        return hubs, authorities, int(rounds[-1, 2])
    cap, violator = _NO_CAP if rule.cap is None else min(rule.cap, _NO_CAP), _RULES[rule.violator]
    hubs, authorities, count = kernel.dense_core(
        *links, gone, h, a, kernel.POWERS, first, float(rule.density), cap, violator
    )
    return hubs, authorities, int(count)


def sized_rounds(engine: Engine, graph: WebGraph, size: int, iterations: int, count: int) -> Iterator[np.ndarray]:
    """The first `count` cores by size, pair by pair.

    Yields
    ------
    rounds
        int64, rounds x 3: hubs, authorities and links between them after each pair.
    """
    gone = np.zeros(engine.pages, bool)
    for _ in range(count):
        if not engine.links:
            return
        hits = engine.hits(iterations)
        if not hits.authorities.any():
            return
        h, a, first = hits.hubs, hits.authorities, _best(hits.authorities)
        hubs, authorities, rounds = kernel.sized_core(
            *_both_ways(graph), gone, h, a, kernel.POWERS, first, min(size, 2 * graph.pages), 1
        )
        yield rounds
        leaving = np.zeros(engine.pages, bool)
        leaving[hubs] = leaving[authorities] = True
        gone |= leaving
        engine = engine.without(pages=leaving)


def _best(scores: np.ndarray, pages: np.ndarray | None = None) -> int:
    """The page with the best score, ties by smaller id: of `pages`, or of all."""
    some = scores if pages is None else scores[pages]
    # Only what is within the tie rule's ten digits of the best is rounded: rounding all would cost a second a round.
    near = np.flatnonzero(some >= some.max() * (1 - 1e-8))
    ids = near if pages is None else pages[near]
    ties = rounded(some[near])
    return int(ids[ties == ties.max()].min())


def _both_ways(graph: WebGraph) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Links out and in, as kernels take them."""
    return frozen(graph.out_offsets), frozen(graph.out_targets), frozen(graph.in_offsets), frozen(graph.in_sources)
