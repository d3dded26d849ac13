"""Tuning and learning on a trial, with what came out as tables and charts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from seedrank.charts.chart import Chart, Series
from seedrank.core.progress import Progress
from seedrank.evaluate.experiment import Experiment
from seedrank.frontier.ask import FrontierQuestion, budget_of
from seedrank.frontier.features import feature_names, features
from seedrank.frontier.learn import learn
from seedrank.frontier.measures import impact_shares
from seedrank.frontier.model import Model, write_model
from seedrank.frontier.scores import Scores, best_first
from seedrank.frontier.trial import Trial, split
from seedrank.frontier.tune import tune

__all__ = ["BUDGET", "learning", "learnt", "tuning"]

BUDGET = 0.05
"""Share of the pages to choose where the question names none: the paper's smaller budget on Wikipedia."""


def learnt(trial: Trial, scores: Scores, train: np.ndarray, kind: str, names: tuple[str, ...], rng: int) -> Model:
    """A model from the training part of a trial alone."""
    rows = features(scores, trial.pages[train], names)
    return learn(rows, trial.truth[train], names, kind, rng=rng)


def tuning(
    trial: Trial,
    scores: Scores,
    question: FrontierQuestion,
    resamples: int,
    progress: Progress,
    parameters: Mapping[str, Any],
) -> Experiment:
    """The grid of ω and β, and the best of it."""
    train = split(len(trial.pages), question.options.rng)
    found = tune(
        trial,
        scores,
        train,
        _budget_share(question, trial),
        resamples=resamples,
        rng=question.options.rng,
        progress=progress,
    )
    grid = found.table
    series = []
    for beta in np.unique(grid["beta"].to_numpy()):
        rows = grid.filter(pa.array(grid["beta"].to_numpy() == beta))
        series += [
            Series(f"β = {beta:g}, {part}", rows["omega"].to_numpy(), rows[part].to_numpy())
            for part in ("score", "test")
        ]
    chart = Chart(
        "share-by-omega",
        "Impact share of RW-EG by ω",
        "ω, share of the links",
        "impact share of the ideal choice",
        series,
        caption=f"score: .632 bootstrap on the training part; test: pages not tuned on. Best: ω = {found.omega:g}, "
        f"β = {found.beta:g}.",
    )
    best = pa.table({"omega": [found.omega], "beta": [found.beta]})
    return Experiment("frontier-tune", {"grid": grid, "best": best}, [chart], [], [], parameters)


def learning(
    trial: Trial,
    scores: Scores,
    question: FrontierQuestion,
    kind: str,
    extras: bool,
    file: str,
    parameters: Mapping[str, Any],
) -> Experiment:
    """A model learnt and written, its features' importance, and its impact share on pages it has not seen."""
    train = split(len(trial.pages), question.options.rng)
    names = feature_names(scores, extras=extras)
    model = learnt(trial, scores, train, kind, names, question.options.rng)
    share = _budget_share(question, trial)
    tested = trial.pages[~train]
    judged = {"learned": model.predict(features(scores, tested, names))}
    judged |= {name: scores.of(name)[tested] for name in names if name in ("pagerank", "rw", "rw-eg")}
    truth = trial.truth[~train]
    most = [int(np.ceil(share * len(tested)))]
    shares = {
        name: float(impact_shares(truth[best_first(values, np.arange(len(tested)))], most)[0])
        for name, values in judged.items()
    }
    model.about.update({"impact": question.impact, "shares on unseen pages": shares, "budget": share})
    write_model(model, Path(file))
    order = np.argsort(-model.importance, kind="stable")
    importance = pa.table({"feature": [names[place] for place in order], "importance": model.importance[order]})
    chart = Chart(
        "feature-importance",
        f"What the model ({kind}) looks at",
        "feature",
        "importance, sums to 1",
        [Series(kind, np.arange(len(order), dtype=np.float64), model.importance[order])],
        kind="bar",
        ticks=[names[place] for place in order],
    )
    table = pa.table({"method": list(shares), "share": list(shares.values()), "budget": [share] * len(shares)})
    return Experiment("frontier-learn", {"importance": importance, "shares": table}, [chart], [], [], parameters)


def _budget_share(question: FrontierQuestion, trial: Trial) -> float:
    """The budget as a share of the known pages."""
    if question.budget is None:
        return BUDGET
    return budget_of(question.budget, len(trial.pages)) / len(trial.pages)
