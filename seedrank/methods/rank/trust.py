"""Trust and spam: walks that restart in a set of pages somebody vouches for or warns of."""

from __future__ import annotations

import numpy as np

from seedrank.core.order import rounded
from seedrank.engines.base import Dangling, Engine
from seedrank.methods.rank.centrality import Centrality

__all__ = ["distrust", "spam_mass", "trust"]


def trust(engine: Engine, trusted: np.ndarray, damping: float = 0.85, dangling: Dangling = "teleport") -> Centrality:
    """TrustRank: a walk over the links that restarts in the trusted set."""
    return _walked(engine, trusted, damping, dangling)


def distrust(engine: Engine, bad: np.ndarray, damping: float = 0.85, dangling: Dangling = "teleport") -> Centrality:
    """Anti-TrustRank: a walk against the links that restarts in the bad set; who links to bad pages is distrusted.

    The walk goes against the links; `dangling` says where the score of pages goes that no page links to.
    """
    return _walked(engine.reversed(), bad, damping, dangling)


def spam_mass(
    engine: Engine,
    trusted: np.ndarray,
    damping: float = 0.85,
    good_share: float = 0.85,
    min_pagerank: float = 1.0,
) -> Centrality:
    """Relative spam mass: the share of a page's PageRank that does not come from the trusted set.

    Both PageRanks are linear: what pages without links hold is lost. Columns are ``mass`` (the absolute mass) and
    ``pagerank``, both in units of the PageRank of a page without in-links.

    γ, the share of pages that are good, is the mass of the teleport to the trusted core. Pages with less PageRank than
    `min_pagerank`, in those units, are left out of the answer.
    """
    whole = engine.walk(damping=damping, dangling="drop")
    good = engine.walk(damping=damping, dangling="drop", teleport=trusted)
    scale = engine.pages / (1 - damping)
    pagerank, mass = scale * whole.scores, scale * (whole.scores - good_share * good.scores)
    relative = mass / pagerank
    kept = np.flatnonzero(rounded(pagerank) >= min_pagerank)
    # Most pages that no trusted page reaches tie at 1: those with the most mass go first.
    ids = kept[np.lexsort((-rounded(mass[kept]), -rounded(relative[kept])))]
    facts = {"iterations": whole.iterations + good.iterations, "residual": max(whole.residual, good.residual)}
    return Centrality(relative, {"mass": mass, "pagerank": pagerank}, facts, ids)


def _walked(engine: Engine, start: np.ndarray, damping: float, dangling: Dangling) -> Centrality:
    walk = engine.walk(damping=damping, dangling=dangling, teleport=start)
    return Centrality(walk.scores, {}, {"iterations": walk.iterations, "residual": walk.residual})
