"""Tuning and learning on pages whose impact is known: judged split by split against the default, with advice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pyarrow as pa

from seedrank.core.errors import GraphError
from seedrank.experiments.checkpoints import Steps
from seedrank.experiments.impact.split import ALL, UNSEEN, Split, contents, setting_of
from seedrank.experiments.intervals import FEWEST, Interval, mean_interval
from seedrank.experiments.perform import perform_in_steps
from seedrank.methods.frontier.features import feature_names, features
from seedrank.methods.frontier.learn import learn_from
from seedrank.methods.frontier.model import Model, write_model
from seedrank.methods.frontier.trial import Trial
from seedrank.methods.frontier.tune import share_found, tune
from seedrank.output.charts.chart import Chart, Series
from seedrank.questions.frontier import LearnQuestion, Trying, TuneQuestion, budget_of
from seedrank.runs import Answer
from seedrank.runs.experiment import Experiment
from seedrank.runs.facts import AdviceFacts
from seedrank.session import Session

__all__ = ["BUDGET", "DEFAULT", "advise", "learn_model", "tune_walk"]

BUDGET = 0.05
"""Share of the pages to choose where the question names none: the paper's smaller budget on Wikipedia."""
DEFAULT = "rw-eg"
"""The method that a model has to beat: that of a question about the frontier where nobody says otherwise."""


def tune_walk(session: Session, question: TuneQuestion) -> Answer:
    """Find ω and β of RW-EG on pages whose impact is known, and judge them against the default.

    Kept as tables with a chart: the ``grid`` (means over splits), what each of the ``splits`` chose and found, and the
    ``advice``. The advised ω and β have the best mean score over all splits. Their share is that of the choices of the
    splits, each on the pages it was not tuned on: no page judges what it helped to choose.
    """

    def make(steps: Steps) -> Experiment:
        grids = _of_splits(session, question, steps, lambda split: _grid(split, question))
        return _tuning(session, question, grids)

    return perform_in_steps(session, question, make, _told, sha256=contents(question))


def learn_model(session: Session, question: LearnQuestion) -> Answer:
    """Learn a model of impact, write it, and judge its kind against the default; kept as tables with a chart.

    In every split a model learns from one part of the known pages and is judged on the other. The model that is written
    has learnt from all known pages of the first split.
    """

    def make(steps: Steps) -> Experiment:
        shares = _of_splits(session, question, steps, lambda split: _found(split, question))
        return _learning(session, question, shares)

    return perform_in_steps(session, question, make, _told, sha256=contents(question))


def _of_splits(session: Session, question: Trying, steps: Steps, make: Callable[[Split], pa.Table]) -> pa.Table:
    """What `make` finds on every split, kept as it comes."""
    parts = []
    with session.progress("splits", total=question.splits) as advance:
        for number in range(question.splits):
            split = Split(session, question, number)
            parts.append(steps.table(f"split-{number}", lambda split=split: make(split)))  # type: ignore[misc]
            advance(1)
    return pa.concat_tables(parts)


def _grid(split: Split, question: TuneQuestion) -> pa.Table:
    """The grid of a split, with its best point marked."""
    budget = _budget_share(question, split.trial)
    found = tune(split.trial, split.scores, split.train, budget, resamples=question.resamples, rng=split.rng)
    grid = found.table
    best = (grid["omega"].to_numpy() == found.omega) & (grid["beta"].to_numpy() == found.beta)
    grid = grid.append_column("best", pa.array(best))
    return grid.append_column("split", pa.array(np.full(grid.num_rows, split.number)))


def _tuning(session: Session, question: TuneQuestion, grids: pa.Table) -> Experiment:
    """Means of the grid over splits, what each split chose, and what to do."""
    setting = setting_of(session, question)
    frame = grids.to_pandas()
    means = frame.groupby(["omega", "beta"], sort=False)[["score", "train", "test", "all"]].mean().reset_index()
    pick = means.loc[means["score"].idxmax()]
    chosen = frame[frame["best"]].set_index("split")
    usual = frame[(frame["omega"] == question.omega) & (frame["beta"] == question.beta)].set_index("split")
    splits = chosen[["omega", "beta"]].assign(
        share=chosen["test"], default=usual["test"], gain=chosen["test"] - usual["test"], default_all=usual["all"]
    )
    advice = advise(np.asarray(splits["share"]), np.asarray(splits["default"]))
    advice |= {"omega": float(pick["omega"]), "beta": float(pick["beta"])}
    advice |= {"default_omega": question.omega, "default_beta": question.beta}
    if (advice["omega"], advice["beta"]) == (question.omega, question.beta):
        advice["advice"] = "keep"
    series = [
        Series(f"β = {beta:g}, {part}", np.asarray(rows["omega"]), np.asarray(rows[part]))
        for beta, rows in means.groupby("beta")
        for part in ("score", "test")
    ]
    chart = Chart(
        "share-by-omega", "Impact share of RW-EG by ω", "ω, share of the links", "impact share of the ideal choice",
        series,
        caption=f"Means over {question.splits} splits. score: .632 bootstrap on the training part; test: pages not "
        f"tuned on. Best: ω = {pick['omega']:g}, β = {pick['beta']:g}.",
    )  # fmt: skip
    tables = {
        "grid": pa.Table.from_pandas(means, preserve_index=False),
        "splits": pa.Table.from_pandas(splits.reset_index(), preserve_index=False),
        "advice": pa.Table.from_pylist([advice]),
    }
    return Experiment("frontier-tune", tables, [chart], [], setting.left_out, asdict(question), setting.about)


def _found(split: Split, question: LearnQuestion) -> pa.Table:
    """Impact shares of a model and of methods that need none, by part of the known pages."""
    scores, budget = split.scores, _budget_share(question, split.trial)
    names = feature_names(scores, extras=question.extras)
    rows = []
    for part, pages in split.judging.items():
        judged = {name: scores.of(name)[pages] for name in ("pagerank", "rw", DEFAULT)}
        if part == UNSEEN:
            model = split.learnt(question.kind, names)
            judged = {"learned": model.predict(features(scores, pages, names)), **judged}
        for method, values in judged.items():
            share = share_found(values, split.truth[pages], budget)
            rows.append({"split": split.number, "method": method, "part": part, "share": share, "budget": budget})
    return pa.Table.from_pylist(rows)


def _learning(session: Session, question: LearnQuestion, shares: pa.Table) -> Experiment:
    """A model learnt and written, its features' importance, the shares of its kind, and what to do."""
    setting = setting_of(session, question)
    frame = shares.to_pandas()
    unseen = frame[frame["part"] == UNSEEN].pivot(index="split", columns="method", values="share")
    advice = advise(np.asarray(unseen["learned"]), np.asarray(unseen[DEFAULT])) | {"model": question.model}
    rows = []
    for (part, method), some in frame.groupby(["part", "method"], sort=False):
        values = np.asarray(some["share"])
        found = share_interval(values[np.isfinite(values)])
        # All known pages of a real frontier are the same in every split: what is measured on them has no interval.
        known = question.truth is None or part == UNSEEN
        low, high = (found.low, found.high) if known else (float("nan"), float("nan"))
        row = {"part": part, "method": method, "share": found.value, "low": low, "high": high}
        rows.append(row | {"budget": float(some["budget"].mean())})
    rows.sort(key=lambda row: row["part"] == ALL)
    model = _written(session, question, {row["method"]: row["share"] for row in rows if row["part"] == UNSEEN})
    order = np.argsort(-model.importance, kind="stable")
    names = [model.features[place] for place in order]
    chart = Chart(
        "feature-importance", f"What the model ({question.kind}) looks at", "feature", "importance, sums to 1",
        [Series(question.kind, np.arange(len(order), dtype=np.float64), model.importance[order])], kind="bar",
        ticks=names,
    )  # fmt: skip
    tables = {
        "importance": pa.table({"feature": names, "importance": model.importance[order]}),
        "shares": pa.Table.from_pylist(rows),
        "splits": shares,
        "advice": pa.Table.from_pylist([advice]),
    }
    return Experiment("frontier-learn", tables, [chart], [], setting.left_out, asdict(question), setting.about)


def _written(session: Session, question: LearnQuestion, shares: dict[str, float]) -> Model:
    """A model of all known pages of the first split, written with what models of its kind have reached."""
    first = Split(session, question, 0)
    names, every = feature_names(first.scores, extras=question.extras), np.ones(len(first.trial.pages), bool)
    model = learn_from(first.trial, first.scores, every, question.kind, names, first.rng)
    budget = _budget_share(question, first.trial)
    model.about.update({"impact": question.impact, "shares on unseen pages": shares, "budget": budget})
    write_model(model, Path(question.model))
    return model


def _told(experiment: Experiment) -> AdviceFacts:
    """The advice as facts of the run."""
    advice: AdviceFacts = experiment.tables["advice"].to_pylist()[0]
    return advice


def _budget_share(question: Trying, trial: Trial) -> float:
    """The budget as a share of the known pages."""
    if question.budget is None:
        return BUDGET
    pages = budget_of(question.budget, len(trial.pages))
    # A share stays one: rounded to whole pages of all, it would be another share of the part that judges.
    share = question.budget.endswith("%")
    return float(question.budget.removesuffix("%")) / 100 if share else pages / len(trial.pages)


def advise(fitted: np.ndarray, default: np.ndarray) -> AdviceFacts:
    """The shares of both with their intervals, that of their difference, and what follows.

    The advice is to ``use`` what was fitted where the whole interval of the difference is above 0, otherwise to
    ``keep`` the default. A split whose judging pages have no impact has no share and is left out.

    Both have shares on the same pages, that nothing was fitted on.
    """
    told = np.isfinite(fitted) & np.isfinite(default)
    if told.sum() < FEWEST:
        raise GraphError(
            f"{told.sum()} of {len(told)} splits have impact among the pages that judge, too few to advise",
            hint="hide more pages with {hide}, or try more {splits}",
            fields=("hide", "splits"),
        )
    share, usual = share_interval(fitted[told]), share_interval(default[told])
    gain = mean_interval(fitted[told] - default[told])
    return {
        "advice": "use" if gain.low > 0 else "keep",
        "share": share.value,
        "low": share.low,
        "high": share.high,
        "default_share": usual.value,
        "default_low": usual.low,
        "default_high": usual.high,
        "gain": gain.value,
        "gain_low": gain.low,
        "gain_high": gain.high,
        "splits": int(told.sum()),
        "intervals": "95 %, over splits of this graph",
    }


def share_interval(shares: np.ndarray) -> Interval:
    """Interval of a mean share; its ends are shares too, from 0 to 1."""
    found = mean_interval(shares)
    return Interval(found.value, max(found.low, 0.0), min(found.high, 1.0))
