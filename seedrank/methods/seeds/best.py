"""The best seeds we have: the search that looks farthest within a budget of work, beside what people do by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from seedrank.graph import WebGraph
from seedrank.methods.seeds.baselines import at_random, by_pagerank, top_of_groups
from seedrank.methods.seeds.coverage import CoverageProblem, Selection, cover_in_order
from seedrank.methods.seeds.graph_methods import SKETCH, maxweight
from seedrank.methods.seeds.preference import front_pages

__all__ = ["best", "deepest", "enough", "estimated_work", "front_page_scores"]

_SUMMED = 8
"""One page of so many has its ball summed: 1 in 4 to 1 in 25, measured on recorded webs."""
_SWEEP = 512
_SAMPLE = 32


def best(problem: CoverageProblem, pagerank: np.ndarray, fronts: np.ndarray, rng: int, work: float) -> Selection:
    """Exact greedy, or MaxWeight at the deepest depth that fits, unless front pages, PageRank or chance cover more.

    `fronts` are scores as of `front_page_scores`, and `work` is how many links the search may walk, as estimated.
    """
    depth = deepest(problem, work)
    name = "greedy" if depth == problem.hops else f"maxweight {depth}"
    found = {name: maxweight(problem, depth)}
    listed = replace(problem, candidates=problem.candidates & (fronts > 0))
    if listed.candidates.any():
        found["front pages"] = cover_in_order(listed, top_of_groups(listed, fronts))
    found["pagerank"] = by_pagerank(problem, pagerank)
    found["random"] = at_random(problem, rng)
    # The first of equals: the search was made to find the best.
    winner = max(found, key=lambda one: found[one].total)
    return replace(found[winner], compared=found, winner=winner, evaluations=found[name].evaluations)


def deepest(problem: CoverageProblem, work: float) -> int:
    """How far a search may look so that it walks no more links than `work`: two links where none fits."""
    least = min(2, problem.hops)
    fits = (depth for depth in range(problem.hops, least, -1) if estimated_work(problem, depth) <= work)
    return next(fits, least)


def estimated_work(problem: CoverageProblem, depth: int) -> float:
    """About how many links a search walks: bounds and a sketch in every round, and the balls it sums."""
    engine = problem.engine
    candidates = np.flatnonzero(problem.candidates & (problem.groups >= 0))
    rounds, walk = int(problem.quota.max(initial=0)), float(depth * engine.links)
    if not len(candidates) or not rounds:
        return 0.0
    sample = candidates[:: -(-len(candidates) // _SAMPLE)]
    _, degree = engine.degrees()
    ball = float(engine.ball_weight(degree.astype(np.float64), max(depth - 1, 0), sample).mean())
    summed = max(len(candidates) / _SUMMED, 1.0)
    if depth <= 2:
        return rounds * walk + summed * ball
    return rounds * walk * (1 + SKETCH) + summed / _SWEEP * min(walk, _SWEEP * ball)


def front_page_scores(graph: WebGraph, out_degree: np.ndarray) -> np.ndarray:
    """Per page: the pages of its host where it is the host's front page, the shortest of several; 0 for all others."""
    scores = np.zeros(graph.pages)
    pages = np.flatnonzero(front_pages(graph) & (graph.host >= 0))
    if len(pages):
        sizes = np.bincount(graph.host[graph.host >= 0], minlength=len(graph.host_names))
        # By crawled pages first: a host known in two schemes has two front pages, and only one of them was fetched.
        order = pages[np.lexsort((pages, -out_degree[pages], graph.host[pages]))]
        _, first = np.unique(graph.host[order], return_index=True)
        scores[order[first]] = sizes[graph.host[order[first]]]
    return scores


def enough(selection: Selection, share: float) -> int:
    """How many seeds, from the first on, cover this share of what all cover."""
    reached = selection.kept_value.sum() + np.cumsum(selection.gain)
    return int(np.argmax(reached >= share * reached[-1] * (1 - 1e-12))) + 1 if len(reached) else 0
