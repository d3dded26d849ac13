"""Learn impact from the scores of all methods (docs/algorithms.md §5.9).

As in the paper a regression tree and an online linear model; beyond it gradient-boosted trees. Only the training part
of the known frontier pages is ever seen here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from seedrank.core.errors import GraphError, UsageError
from seedrank.methods.frontier.features import features
from seedrank.methods.frontier.model import KINDS, Linear, Model, Tree
from seedrank.methods.frontier.scores import Scores
from seedrank.methods.frontier.trial import Trial

__all__ = ["MOST_ROWS", "learn", "learn_from"]

MOST_ROWS = 200_000
"""Pages a model learns from at most, drawn at random: more change little and take minutes."""


def learn_from(trial: Trial, scores: Scores, train: np.ndarray, kind: str, names: tuple[str, ...], rng: int) -> Model:
    """A model from the training part of a trial alone."""
    return learn(features(scores, trial.pages[train], names), trial.truth[train], names, kind, rng=rng)


def learn(rows: np.ndarray, truth: np.ndarray, names: tuple[str, ...], kind: str = "tree", *, rng: int = 1) -> Model:
    """A model of impact.

    Parameters
    ----------
    rows
        float64 (pages, features) of the training pages.
    truth
        float64: their impact.
    names
        Of the features.
    kind
        ``tree`` (default): a regression tree, as the paper used on Wikipedia. ``sgd``: a linear model by stochastic
        gradient descent, as on its web crawl. ``boosting``: gradient-boosted trees.
    """
    if kind not in KINDS:
        raise UsageError(f"unknown kind of model {kind!r}", hint=f"one of {', '.join(KINDS)}")
    if len(rows) < 2 or not np.ptp(truth):
        raise GraphError(
            f"nothing can be learnt from {len(rows)} pages of equal impact", hint="give more pages whose impact differs"
        )
    draw = np.random.default_rng(rng)
    if len(rows) > MOST_ROWS:
        some = np.sort(draw.choice(len(rows), MOST_ROWS, replace=False))
        rows, truth = rows[some], truth[some]
    about = {"pages": len(rows)}
    if kind == "sgd":
        linear, importance = _linear(rows, truth, rng)
        return Model(kind, names, (linear,), 0.0, 1.0, importance, about)
    least = max(5, len(rows) // 500)
    if kind == "tree":
        from sklearn.tree import DecisionTreeRegressor

        fitted = DecisionTreeRegressor(min_samples_leaf=least, max_depth=12, random_state=rng).fit(rows, truth)
        return Model(kind, names, (_tree(fitted),), 0.0, 1.0, fitted.feature_importances_, about)
    from sklearn.ensemble import GradientBoostingRegressor

    boosted = GradientBoostingRegressor(
        n_estimators=100, learning_rate=0.1, max_depth=4, min_samples_leaf=least, subsample=0.5, random_state=rng
    ).fit(rows, truth)
    trees = tuple(_tree(tree) for tree in boosted.estimators_[:, 0])
    base = float(np.ravel(boosted.init_.constant_)[0])
    return Model(kind, names, trees, base, 0.1, boosted.feature_importances_, about)


def _tree(fitted: Any) -> Tree:
    tree = fitted.tree_
    inner = tree.children_left >= 0
    return Tree(
        np.where(inner, tree.feature, -1).astype(np.int64),
        np.where(inner, tree.threshold, 0.0),
        np.where(inner, tree.children_left, 0).astype(np.int64),
        np.where(inner, tree.children_right, 0).astype(np.int64),
        tree.value[:, 0, 0].copy(),
    )


def _linear(rows: np.ndarray, truth: np.ndarray, rng: int) -> tuple[Linear, np.ndarray]:
    """Scores have heavy tails: a linear model takes their logarithm, relative to the mean of each."""
    from sklearn.linear_model import SGDRegressor

    scale = rows.mean(axis=0)
    scale[scale <= 0] = 1.0
    logs = np.log1p(rows / scale)
    mean, spread = logs.mean(axis=0), logs.std(axis=0)
    spread[spread == 0] = 1.0
    size = float(truth.std())
    fitted = SGDRegressor(
        penalty="l2", alpha=1e-4, eta0=0.01, learning_rate="invscaling", max_iter=50, tol=1e-5, random_state=rng
    )
    # One pass after the other over the pages in random order, as an online learner sees them.
    standard = (logs - mean) / spread
    order = np.random.default_rng(rng)
    for _ in range(max(5, min(50, 200_000 // len(rows)))):
        turn = order.permutation(len(rows))
        fitted.partial_fit(standard[turn], truth[turn] / size)
    weight = fitted.coef_ * size
    total = float(np.abs(weight).sum()) or 1.0
    return Linear(scale, mean, spread, weight, float(fitted.intercept_[0]) * size), np.abs(weight) / total
