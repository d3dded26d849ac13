"""Find ω and β by the grid, on the training part of a trial, by the .632 bootstrap (docs/algorithms.md §5.9)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from seedrank.core import numbers
from seedrank.core.errors import UsageError
from seedrank.core.order import rounded
from seedrank.methods.frontier.quality import impact_shares
from seedrank.methods.frontier.scores import Scores
from seedrank.methods.frontier.trial import Trial
from seedrank.methods.frontier.walks import OMEGAS

__all__ = ["BETAS", "RESAMPLES", "Tuned", "bootstrap_share", "share_found", "tune"]

BETAS = (0.0, 1.0)
"""The paper's two settings."""
RESAMPLES = 100


@dataclass(frozen=True)
class Tuned:
    """What was found."""

    omega: float
    beta: float
    """With the largest mean score on the training part; the first of equals."""
    table: pa.Table
    """A row per grid point: ``omega``, ``beta``, ``score`` (.632 bootstrap on the training part), ``train``, ``test``
    (impact share of either part) and ``all`` (of both together)."""


def tune(
    trial: Trial,
    scores: Scores,
    train: np.ndarray,
    budget: float,
    *,
    resamples: int = RESAMPLES,
    rng: int = 1,
) -> Tuned:
    """Judge every ω and β of the grid; virtual links are made once and all ω of a β are solved together.

    `train` are the known pages that are tuned on, the rest only judges; the budget is a share of the pages, in (0, 1].
    """
    numbers.whole("resamples", resamples, 1, numbers.MOST_TIMES)
    if not 0 < budget <= 1:
        raise UsageError(
            f"a budget of {100 * budget:.6g} % cannot be tuned for", hint="give more than 0 and at most 100%"
        )
    if not train.any():
        raise UsageError("no page is left to tune on", hint="hide more pages")
    place = np.searchsorted(scores.problem.pages, trial.pages)
    rows: list[dict[str, float]] = []
    for beta in BETAS:
        grid = scores.rw_eg_grid(OMEGAS, beta)[:, place]
        for omega, found in zip(OMEGAS, grid, strict=True):
            shares = {
                name: share_found(found[part], trial.truth[part], budget)
                for name, part in (("train", train), ("test", ~train), ("all", np.ones_like(train)))
            }
            score = bootstrap_share(found[train], trial.truth[train], budget, resamples, rng)
            rows.append({"omega": float(omega), "beta": float(beta), "score": score, **shares})
    best = max(rows, key=lambda row: np.nan_to_num(row["score"], nan=-1.0))
    return Tuned(best["omega"], best["beta"], pa.Table.from_pylist(rows))


def bootstrap_share(scores: np.ndarray, truth: np.ndarray, budget: float, resamples: int, rng: int) -> float:
    """Mean over resamples of .368 · (impact share of the pages drawn) + .632 · (that of the pages not drawn)."""
    order, ideal = _order(scores), np.argsort(-truth, kind="stable")
    by_method, by_truth = truth[order], truth[ideal]
    count = len(truth)
    draw = np.random.default_rng(rng)
    total = 0.0
    for _ in range(resamples):
        drawn = np.bincount(draw.integers(0, count, count), minlength=count)
        inside = _weighted_share(by_method, drawn[order], by_truth, drawn[ideal], budget)
        left = (drawn == 0).astype(np.int64)
        outside = _weighted_share(by_method, left[order], by_truth, left[ideal], budget)
        total += 0.368 * inside + 0.632 * outside
    return total / resamples


def share_found(scores: np.ndarray, truth: np.ndarray, budget: float) -> float:
    """Impact share of the best pages by score; ties by place, a `budget` in (0, 1] rounded up to whole pages."""
    most = int(np.ceil(budget * len(truth)))
    return float(impact_shares(truth[_order(scores)], [most])[0])


def _order(scores: np.ndarray) -> np.ndarray:
    return np.argsort(-rounded(scores), kind="stable")


def _weighted_share(
    ours: np.ndarray, times: np.ndarray, best: np.ndarray, best_times: np.ndarray, budget: float
) -> float:
    """Impact share where a page stands as often as it was drawn; 0 where nothing is to be had."""
    most = int(np.ceil(budget * times.sum()))
    reached = _first(ours, times, most)
    possible = _first(best, best_times, most)
    return reached / possible if possible > 0 else 0.0


def _first(values: np.ndarray, times: np.ndarray, most: int) -> float:
    """Sum of the first `most` of values that stand `times` often each."""
    before = np.cumsum(times) - times
    return float(values @ np.clip(most - before, 0, times))
