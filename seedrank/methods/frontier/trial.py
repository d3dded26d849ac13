"""Trials: frontier pages of known impact, to tune, learn and judge by (docs/algorithms.md §5.9)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from seedrank.core.errors import GraphError, UsageError
from seedrank.engines.native.engine import NativeEngine
from seedrank.graph import WebGraph
from seedrank.methods.frontier.problem import FrontierProblem, pose, reveal

__all__ = ["TRAIN_SHARE", "Trial", "hide", "known_later", "split"]

TRAIN_SHARE = 0.65
"""Share of the known frontier pages that is learnt and tuned on; the rest judges."""


@dataclass(frozen=True)
class Trial:
    """A problem with some frontier pages whose true impact is known."""

    problem: FrontierProblem
    """What a method may see."""
    pages: np.ndarray
    """int64: ids of frontier pages, ascending."""
    truth: np.ndarray
    """float64: their true impact; no method sees it."""


def hide(
    graph: WebGraph, crawled: np.ndarray, frontier: np.ndarray, impact: np.ndarray, share: float, rng: int
) -> Trial:
    """Make a share of the crawled pages frontier: their links and impact are hidden, their impact is the target.

    A page whose impact is unknown is not hidden: nothing could be judged by it.
    A hidden page that no other crawled page links to would not have been discovered: it is left out altogether.
    Runs in memory, on a copy of the links that stay (4 bytes each).

    Frontier pages stay frontier, and nothing is known of them.
    """
    if not 0 < share < 1:
        raise UsageError(
            f"a share of {100 * share:.6g} % cannot be hidden", hint="give more than 0 % and less than 100 %"
        )
    known = np.flatnonzero(crawled & ~np.isnan(impact))
    count = round(share * len(known))
    if not 0 < count < len(known):
        raise GraphError(
            f"{100 * share:.6g} % of {len(known):,} crawled pages of known impact is none or all",
            hint="hide another share",
        )
    hidden = np.zeros(graph.pages, bool)
    hidden[np.random.default_rng(rng).choice(known, count, replace=False)] = True
    seen = crawled & ~hidden
    revealed = reveal(graph, seen)
    engine = NativeEngine(revealed)
    discovered = engine.degrees()[0] > 0
    pages = np.flatnonzero(hidden & discovered)
    if not len(pages):
        raise GraphError("no hidden page is linked from a crawled one", hint="hide a smaller share")
    return Trial(pose(revealed, engine, seen, (frontier | hidden) & discovered, impact, graph), pages, impact[pages])


def known_later(problem: FrontierProblem, truth: np.ndarray) -> Trial:
    """A trial on the real frontier, from what became known later: `truth` per page, NaN where it is not known."""
    pages = np.flatnonzero(problem.frontier & ~np.isnan(truth))
    if not len(pages):
        raise GraphError(
            "nothing became known of any frontier page",
            hint="give impact of frontier pages, or use {hide}",
            fields=("hide",),
        )
    return Trial(problem, pages, truth[pages])


def split(count: int, rng: int, share: float = TRAIN_SHARE) -> np.ndarray:
    """Boolean per known page: in the training part, `share` of all, at random."""
    train = np.zeros(count, bool)
    train[np.random.default_rng(rng).permutation(count)[: round(share * count)]] = True
    return train
