"""How good a choice of frontier pages is, and what the data are like (docs/algorithms.md §5.2, §5.9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from seedrank.methods.frontier.enrich import VirtualLinks
from seedrank.methods.frontier.problem import FrontierProblem
from seedrank.methods.frontier.trial import Trial

__all__ = [
    "Ratio", "click_through", "data_facts", "distances", "holds_share", "impact_ratios", "impact_shares",
    "means_of_first", "skew", "sums_of_first",
]  # fmt: skip

HOPS = 3
"""Distances told apart; farther is "more"."""


def sums_of_first(values: np.ndarray, budgets: Sequence[float] | np.ndarray) -> np.ndarray:
    """Sum of the first ℓ values, float64 per budget ℓ; of an ℓ between whole numbers the next value counts in part."""
    total = np.concatenate(([0.0], np.cumsum(values)))
    return np.asarray(np.interp(budgets, np.arange(len(total)), total))


def means_of_first(values: np.ndarray, budgets: Sequence[float] | np.ndarray) -> np.ndarray:
    """Mean of the first ℓ values, float64 per budget ℓ; NaN of none."""
    with np.errstate(invalid="ignore"):
        return np.asarray(sums_of_first(values, budgets) / np.asarray(budgets))


def impact_shares(truth_in_order: np.ndarray, budgets: Sequence[float] | np.ndarray) -> np.ndarray:
    """Impact of the first ℓ pages of an order over that of the best ℓ pages; float64 per budget ℓ.

    Budgets go from 0 to the number of pages, whole or not; the share of nothing is NaN.
    """
    best = np.sort(truth_in_order)[::-1]
    with np.errstate(invalid="ignore"):
        return np.asarray(sums_of_first(truth_in_order, budgets) / sums_of_first(best, budgets))


def click_through(clicks: np.ndarray, views: np.ndarray, budgets: Sequence[float] | np.ndarray) -> np.ndarray:
    """Mean of clicks / views over the first ℓ pages of an order, 0 for a page without views; float64 per budget ℓ."""
    return means_of_first(np.divide(clicks, views, out=np.zeros(len(clicks)), where=views > 0), budgets)


@dataclass(frozen=True)
class Ratio:
    """Impact that pages X lead to on the frontier, in the three readings of eqs (1) and (2)."""

    sources: int
    reached: int
    """|X| and |L(X→F)|, of frontier pages whose impact is known."""
    mean_impact: float
    """I(L) / |L|."""
    hit_rate: float
    """Share of L with any impact."""
    per_source: float
    """I(L) / |X|."""


def impact_ratios(trial: Trial, truth: np.ndarray, sources: np.ndarray, virtual: VirtualLinks | None = None) -> Ratio:
    """Ratios of the pages `sources` over their links and, with `virtual`, the enriched graph.

    `truth` is what the known pages earn: the trial's own impact, or another.
    """
    problem = trial.problem
    reached = np.zeros(problem.engine.pages, bool)
    if sources.any():
        reached = problem.engine.bfs_hops(np.flatnonzero(sources), 1) == 1
    if virtual is not None:
        reached[virtual.target[sources[virtual.source]]] = True
    earned = truth[reached[trial.pages]]
    count, total = int(sources.sum()), float(earned.sum())
    return Ratio(
        count,
        len(earned),
        total / len(earned) if len(earned) else float("nan"),
        float((earned > 0).mean()) if len(earned) else float("nan"),
        total / count if count else float("nan"),
    )


def holds_share(impact: np.ndarray, share: float) -> np.ndarray:
    """int64: the fewest pages (largest first) that together hold `share` of all impact."""
    order = np.argsort(-impact, kind="stable")
    total = np.cumsum(impact[order])
    if not len(total) or total[-1] <= 0:
        return np.empty(0, np.int64)
    return order[: int(np.searchsorted(total, share * total[-1] * (1 - 1e-12))) + 1]


def skew(impact: np.ndarray, share: float) -> float:
    """Share of the pages that holds `share` of the impact; NaN where there is none."""
    found = holds_share(impact, share)
    return len(found) / len(impact) if len(found) else float("nan")


def distances(trial: Trial) -> dict[str, float]:
    """How far frontier pages with impact are from crawled ones that hold half of it: share by hops."""
    problem = trial.problem
    crawled = np.flatnonzero(problem.crawled)
    high = crawled[holds_share(problem.impact[crawled], 0.5)]
    wanted = trial.pages[trial.truth > 0]
    names = [*(f"{hops}" for hops in range(1, HOPS + 1)), "more"]
    if not len(high) or not len(wanted):
        return dict.fromkeys(names, float("nan"))
    hops = problem.engine.bfs_hops(high, HOPS)[wanted]
    counts = [float((hops == step).mean()) for step in range(1, HOPS + 1)]
    return dict(zip(names, [*counts, float((hops < 0).mean())], strict=True))


def data_facts(trial: Trial) -> dict[str, float]:
    """Facts of Table 1: sizes of D and F, links between them, shares with impact, how uneven it is."""
    problem: FrontierProblem = trial.problem
    into_crawled, into_frontier = (
        int(problem.engine.links_into(flags).sum()) for flags in (problem.crawled, problem.frontier)
    )
    known = problem.impact[problem.crawled & ~problem.unknown]
    return {
        "crawled pages": float(problem.crawled.sum()),
        "frontier pages": float(problem.frontier.sum()),
        "frontier pages with known impact": float(len(trial.pages)),
        "links crawled to crawled": float(into_crawled),
        "links crawled to frontier": float(into_frontier),
        "share of crawled pages with impact": float((known > 0).mean()),
        "share of known frontier pages with impact": float((trial.truth > 0).mean()),
        "share of crawled pages that holds 50 % of impact": skew(known, 0.5),
        "share of crawled pages that holds 90 % of impact": skew(known, 0.9),
        "share of known frontier pages that holds 50 % of impact": skew(trial.truth, 0.5),
        "share of known frontier pages that holds 90 % of impact": skew(trial.truth, 0.9),
    }
