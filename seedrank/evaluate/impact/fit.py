"""Tuning and learning on pages whose impact is known."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import numpy as np
import pyarrow as pa

from seedrank.charts.chart import Chart, Series
from seedrank.core.progress import Progress
from seedrank.evaluate.experiment import Experiment
from seedrank.evaluate.perform import perform_in_steps
from seedrank.evaluate.steps import Steps
from seedrank.frontier.answer import trial_scores
from seedrank.frontier.features import feature_names, features
from seedrank.frontier.learn import learn_from
from seedrank.frontier.model import write_model
from seedrank.frontier.quality import impact_shares
from seedrank.frontier.scores import Scores, best_first
from seedrank.frontier.trial import Trial, split
from seedrank.frontier.tune import tune
from seedrank.questions.frontier import LearnQuestion, Trying, TuneQuestion, budget_of
from seedrank.runs import Answer
from seedrank.session import Session

__all__ = ["BUDGET", "learn_model", "tune_walk"]

BUDGET = 0.05
"""Share of the pages to choose where the question names none: the paper's smaller budget on Wikipedia."""


def tune_walk(session: Session, question: TuneQuestion) -> Answer:
    """Find ω and β of RW-EG on pages whose impact is known; kept as a table with a chart."""

    def make(steps: Steps) -> Experiment:
        trial, scores = trial_scores(session, question, question.hide, question.truth)
        return _tuning(trial, scores, question, session.progress)

    return perform_in_steps(session, question, make)


def learn_model(session: Session, question: LearnQuestion) -> Answer:
    """Learn a model of impact, write it, and judge it on pages it has not seen; kept as a table with a chart."""

    def make(steps: Steps) -> Experiment:
        trial, scores = trial_scores(session, question, question.hide, question.truth)
        return _learning(trial, scores, question)

    return perform_in_steps(session, question, make)


def _tuning(trial: Trial, scores: Scores, question: TuneQuestion, progress: Progress) -> Experiment:
    """The grid of ω and β, and the best of it."""
    train = split(len(trial.pages), question.rng)
    found = tune(
        trial,
        scores,
        train,
        _budget_share(question, trial),
        resamples=question.resamples,
        rng=question.rng,
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
    return Experiment("frontier-tune", {"grid": grid, "best": best}, [chart], [], [], asdict(question))


def _learning(trial: Trial, scores: Scores, question: LearnQuestion) -> Experiment:
    """A model learnt and written, its features' importance, and its impact share on pages it has not seen."""
    train = split(len(trial.pages), question.rng)
    names = feature_names(scores, extras=question.extras)
    model = learn_from(trial, scores, train, question.kind, names, question.rng)
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
    write_model(model, Path(question.model))
    order = np.argsort(-model.importance, kind="stable")
    importance = pa.table({"feature": [names[place] for place in order], "importance": model.importance[order]})
    chart = Chart(
        "feature-importance",
        f"What the model ({question.kind}) looks at",
        "feature",
        "importance, sums to 1",
        [Series(question.kind, np.arange(len(order), dtype=np.float64), model.importance[order])],
        kind="bar",
        ticks=[names[place] for place in order],
    )
    table = pa.table({"method": list(shares), "share": list(shares.values()), "budget": [share] * len(shares)})
    return Experiment("frontier-learn", {"importance": importance, "shares": table}, [chart], [], [], asdict(question))


def _budget_share(question: Trying, trial: Trial) -> float:
    """The budget as a share of the known pages."""
    if question.budget is None:
        return BUDGET
    return budget_of(question.budget, len(trial.pages)) / len(trial.pages)
