"""How central pages and hosts are: PageRank, HITS, degrees, harmonic centrality, on the engine's primitives."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from seedrank.core.order import order
from seedrank.engines.base import Dangling, Engine
from seedrank.runs import Ranking

__all__ = [
    "Centrality", "centrality", "harmonic", "hits", "indegree", "outdegree", "pagerank",
]  # fmt: skip


@dataclass(frozen=True)
class Centrality:
    """Scores of all pages or hosts, with facts about them."""

    scores: np.ndarray
    """float64 per page."""
    columns: dict[str, np.ndarray]
    """Further columns of the method, per page."""
    facts: dict[str, float]
    """Iterations, error and so on, for the run record."""
    pages: np.ndarray | None = None
    """The pages of the answer in their order; all by score when `None`."""

    def ranking(self) -> Ranking:
        """The pages, best first; ties by the rule."""
        pages = order(self.scores) if self.pages is None else self.pages
        return Ranking(pages, self.scores[pages], {name: values[pages] for name, values in self.columns.items()})


def pagerank(
    engine: Engine, damping: float = 0.85, dangling: Dangling = "teleport", trust: np.ndarray | None = None
) -> Centrality:
    """PageRank of every page.

    A walk begins anew at pages by their `trust`, all alike when `None`.
    """
    walk = engine.walk(damping=damping, dangling=dangling, teleport=trust)
    return Centrality(walk.scores, {}, {"iterations": walk.iterations, "residual": walk.residual})


def hits(engine: Engine, iterations: int = 60) -> Centrality:
    """Authority of every page after exactly this many iterations of HITS, with columns ``hub`` and ``authority``."""
    found = engine.hits(iterations)
    return Centrality(found.authorities, {"hub": found.hubs, "authority": found.authorities}, {})


def indegree(engine: Engine) -> Centrality:
    """How many distinct pages link to each page."""
    return Centrality(engine.degrees()[0].astype(np.float64), {}, {})


def outdegree(engine: Engine) -> Centrality:
    """How many distinct pages each page links to."""
    return Centrality(engine.degrees()[1].astype(np.float64), {}, {})


def harmonic(engine: Engine) -> Centrality:
    """Harmonic centrality of every page, and the relative standard error where it is estimated."""
    scores, error = engine.harmonic()
    return Centrality(scores, {}, {"relative_standard_error": error})


def centrality(engine: Engine, damping: float = 0.85, dangling: Dangling = "teleport") -> Centrality:
    """Harmonic centrality and PageRank of every page with its positions by both, as Common Crawl publishes them.

    The score is the harmonic centrality; columns are those of `seedrank.loaders.cc_files.RANKS`.
    """
    near, walked = harmonic(engine), pagerank(engine, damping, dangling)
    columns = {
        "harmonicc_pos": _positions(near.scores),
        "harmonicc_val": near.scores,
        "pr_pos": _positions(walked.scores),
        "pr_val": walked.scores,
    }
    return Centrality(near.scores, columns, {**walked.facts, **near.facts})


def _positions(scores: np.ndarray) -> np.ndarray:
    """Place of each page by score, from 1; ties by the rule."""
    places = np.empty(len(scores), np.int64)
    places[order(scores)] = np.arange(1, len(scores) + 1)
    return places
