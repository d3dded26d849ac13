"""What `frontier tune` and `frontier learn` advise: repeated splits, intervals of paired differences."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from seedrank.core.errors import GraphError, UsageError
from seedrank.experiments.impact.fit import advise, learn_model, tune_walk
from seedrank.experiments.intervals import mean_interval
from seedrank.graphdb.arrays import ArrayStore
from seedrank.methods.frontier.features import feature_names, features
from seedrank.methods.frontier.learn import learn_from
from seedrank.methods.frontier.model import read_model
from seedrank.methods.frontier.scores import Scores
from seedrank.methods.frontier.trial import hide, split
from seedrank.methods.frontier.tune import tune
from seedrank.questions.frontier import LearnQuestion, ScoreOptions, TuneQuestion
from seedrank.session import Session
from tests.unit.frontier.test_impact_experiment import PAGES, plain_share, web

TUNE = TuneQuestion(splits=5, resamples=3, budget="20%")


def open_session(tmp_path):
    return Session(ArrayStore(web(), str(tmp_path / "web")))


def trials():
    """The trial, scores and training part of each of five splits."""
    graph = web()
    every = np.ones(PAGES, bool)
    for rng in range(1, 6):
        trial = hide(graph, every, ~every, np.array(graph.column("clicks")), 0.35, rng)
        yield trial, Scores(trial.problem, ScoreOptions(rng=rng)), split(len(trial.pages), rng), rng


def interval(values):
    low, high = scipy.stats.t.interval(0.95, len(values) - 1, np.mean(values), scipy.stats.sem(values))
    return [pytest.approx(number) for number in (np.mean(values), low, high)]


def test_the_interval_of_a_few_splits_is_students():
    for sample in np.random.default_rng(1).lognormal(0, 1, (20, 7)):
        found = mean_interval(sample)
        assert [found.value, found.low, found.high] == interval(sample)


def test_advice_is_to_use_what_is_better_for_certain_and_to_keep_the_default_otherwise():
    default = np.array([0.5, 0.6, 0.55, 0.62, 0.58])
    more, mixed = np.array([0.10, 0.12, 0.09, 0.11, 0.10]), np.array([0.1, -0.1, 0.05, -0.04, 0.0])
    better = advise(default + more, default)
    assert better["advice"] == "use"
    assert [better[name] for name in ("gain", "gain_low", "gain_high")] == interval(more)
    assert [better[name] for name in ("default_share", "default_low", "default_high")] == interval(default)
    assert advise(default + mixed, default)["advice"] == "keep"
    assert advise(default - more, default)["advice"] == "keep"
    assert advise(default, default)["advice"] == "keep"
    # A share is at most 1, whatever the interval says.
    assert advise(np.array([1, 1, 1, 1, 0.8]), default)["high"] == 1


def test_a_split_whose_judging_pages_have_no_impact_says_nothing():
    default = np.array([0.5, 0.6, np.nan, 0.55, 0.62, 0.58])
    found = advise(default + 0.1, default)
    assert (found["splits"], found["default_share"]) == (5, pytest.approx(0.57))
    with pytest.raises(GraphError, match="4 of 5 splits have impact"):
        advise(default[:5], default[:5])


@pytest.mark.slow
def test_tuning_is_judged_on_pages_it_was_not_tuned_on_and_against_the_default(tmp_path):
    run, experiment = tune_walk(open_session(tmp_path), TUNE)
    tuned, default, whole, scores_of_grid = [], [], [], []
    for trial, scores, train, rng in trials():
        found = tune(trial, scores, train, 0.2, resamples=3, rng=rng)
        scores_of_grid.append(found.table["score"].to_numpy())
        unseen, truth = trial.pages[~train], trial.truth[~train]
        best = Scores(trial.problem, ScoreOptions(omega=found.omega, beta=found.beta)).of("rw-eg")
        tuned.append(plain_share(truth, best, unseen, 0.2))
        default.append(plain_share(truth, scores.of("rw-eg"), unseen, 0.2))
        whole.append(plain_share(trial.truth, scores.of("rw-eg"), trial.pages, 0.2))
    rows = experiment.tables["splits"].to_pandas()
    np.testing.assert_allclose(rows["share"], tuned)
    np.testing.assert_allclose(rows["default"], default)
    np.testing.assert_allclose(rows["default_all"], whole)
    grid = experiment.tables["grid"].to_pandas()
    np.testing.assert_allclose(grid["score"], np.mean(scores_of_grid, axis=0))
    (advice,) = experiment.tables["advice"].to_pylist()
    mean, low, high = interval(tuned)
    assert [advice["share"], advice["low"]] == [mean, low]
    assert advice["high"] == min(high.expected, 1)
    assert [advice[name] for name in ("gain", "gain_low", "gain_high")] == interval(np.subtract(tuned, default))
    best = grid.loc[grid["score"].idxmax()]
    assert (advice["omega"], advice["beta"], advice["splits"]) == (best["omega"], best["beta"], 5)
    assert {name: run.facts[name] for name in advice} == advice
    assert "over splits of this graph" in advice["intervals"]


@pytest.mark.slow
def test_a_model_is_judged_on_pages_it_did_not_learn_from_and_against_the_default(tmp_path):
    question = LearnQuestion(splits=5, budget="20%", model=str(tmp_path / "m.json"))
    run, experiment = learn_model(open_session(tmp_path), question)
    learnt, default, whole = [], [], []
    for trial, scores, train, rng in trials():
        names, unseen, truth = feature_names(scores), trial.pages[~train], trial.truth[~train]
        model = learn_from(trial, scores, train, "tree", names, rng)
        values = np.full(PAGES, np.nan)
        values[unseen] = model.predict(features(scores, unseen, names))
        learnt.append(plain_share(truth, values, unseen, 0.2))
        default.append(plain_share(truth, scores.of("rw-eg"), unseen, 0.2))
        whole.append(plain_share(trial.truth, scores.of("rw-eg"), trial.pages, 0.2))
    shares = experiment.tables["shares"].to_pandas().set_index(["part", "method"])
    for (part, method), sample in {
        ("unseen", "learned"): learnt, ("unseen", "rw-eg"): default, ("all", "rw-eg"): whole
    }.items():  # fmt: skip
        assert list(shares.loc[part, method][["share", "low", "high"]]) == interval(sample)
    assert ("all", "learned") not in shares.index
    (advice,) = experiment.tables["advice"].to_pylist()
    assert [advice[name] for name in ("gain", "gain_low", "gain_high")] == interval(np.subtract(learnt, default))
    assert {name: run.facts[name] for name in advice} == advice
    # The model that is written has learnt from every known page of the first split.
    trial, scores, _, rng = next(trials())
    written = read_model(question.model, feature_names(scores))
    every = learn_from(trial, scores, np.ones(len(trial.pages), bool), "tree", written.features, rng)
    rows = features(scores, trial.pages, written.features)
    np.testing.assert_array_equal(written.predict(rows), every.predict(rows))


@pytest.mark.parametrize("question", [TuneQuestion, LearnQuestion])
def test_splits_are_ten_and_never_fewer_than_five(question):
    assert question().splits == 10
    with pytest.raises(UsageError, match="splits must be at least 5, not 4"):
        question(splits=4)
