"""Impact of crawled pages, and the impact factor F of eq (4) (docs/algorithms.md §5.4)."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from seedrank.core.errors import GraphError, UsageError
from seedrank.graph import WebGraph
from seedrank.questions.frontier import EPSILON

__all__ = ["TRANSFORMS", "Transform", "checked_impact", "column_impact", "impact_factor", "transformed"]

Transform = Literal["linear", "log1p", "rank"]
"""What impact counts as: itself (the paper), its logarithm, its place among the crawled pages."""
TRANSFORMS: tuple[Transform, ...] = get_args(Transform)


def column_impact(graph: WebGraph, name: str, crawled: np.ndarray) -> np.ndarray:
    """float64 per page: a column, NaN where a crawled page has no value: its impact is unknown. Negative is refused."""
    if name not in graph.column_names:
        known = ", ".join(sorted(graph.column_names)) or "none"
        raise GraphError(
            "pages have no column {name} to tell their impact",
            hint="load clicks or views, or name another with {impact} (there are: {known}); "
            "indegree and pagerank need none",
            fields=("impact",),
            values={"name": repr(name), "known": known},
        )
    values = np.asarray(graph.column(name), np.float64)
    return checked_impact(np.where(crawled, values, np.nan_to_num(values)), name, crawled)


def checked_impact(impact: np.ndarray, name: str, crawled: np.ndarray) -> np.ndarray:
    """The impact itself, refused where a crawled page has less than 0 or more than any number."""
    wrong = np.flatnonzero(crawled & ~np.isnan(impact) & ~((impact >= 0) & np.isfinite(impact)))
    if len(wrong):
        raise GraphError(
            f"impact {name!r} of page {wrong[0]} is {impact[wrong[0]]:.6g}", hint="impact is 0 or more: mend the column"
        )
    return impact


def transformed(impact: np.ndarray, crawled: np.ndarray, transform: Transform = "linear") -> np.ndarray:
    """What impact counts as, 0 or more.

    ``linear`` is the paper's. With it one page of heavy-tailed clicks makes F ≈ 0 for almost all others; ``log1p`` and
    ``rank`` (the share of crawled pages with impact that have at most this impact; 0 stays 0) spread them.
    """
    if transform == "linear":
        return impact
    if transform == "log1p":
        return np.log1p(impact)
    if transform != "rank":
        raise UsageError(f"unknown transform {transform!r}", hint=f"one of {', '.join(TRANSFORMS)}")
    known = np.sort(impact[crawled & (impact > 0)])
    at_most = np.searchsorted(known, impact, side="right") / max(len(known), 1)
    return np.where(impact > 0, at_most, 0.0)


def impact_factor(
    impact: np.ndarray,
    crawled: np.ndarray,
    degree: np.ndarray,
    *,
    beta: float = 0.0,
    epsilon: float = EPSILON,
    unknown: np.ndarray | None = None,
) -> np.ndarray:
    """F of eq (4), or F′ with the number of virtual neighbours as `degree`.

    ``F_i = (I_i + ε) / max(I + ε) · (degree_i / max degree)^β`` for crawled pages, 0 for all others; maxima over the
    crawled pages, 0⁰ = 1, so that β = 0 switches the degree off.

    `impact` is transformed; pages of `unknown` impact send nothing. β is 0 for the paper's web crawl and 1 for
    Wikipedia; ε is above 0, or 0 where some impact is.
    """
    if beta < 0:
        raise UsageError(f"beta must be 0 or more, not {beta:.6g}")
    if epsilon < 0:
        raise UsageError(f"epsilon must be 0 or more, not {epsilon:.6g}")
    raised = np.where(crawled if unknown is None else crawled & ~unknown, impact + epsilon, 0.0)
    largest = raised.max()
    if largest <= 0:
        raise UsageError(
            "all impact is 0 and so is {epsilon}",
            hint="leave {epsilon} at {usual}",
            fields=("epsilon",),
            values={"usual": EPSILON},
        )
    factor = raised / largest
    if beta:
        most = max(int(degree[crawled].max(initial=0)), 1)
        factor *= (np.where(crawled, degree, 0) / most) ** beta
    return factor
