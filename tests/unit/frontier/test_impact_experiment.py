"""The experiment of Tran et al. 2015: which pages judge which method, and what its figure is made of."""

from __future__ import annotations

import numpy as np
import pytest

from seedrank.experiments.impact import perform
from seedrank.graph import WebGraph
from seedrank.graphdb.arrays import ArrayStore
from seedrank.methods.frontier.scores import Scores
from seedrank.methods.frontier.trial import hide, split
from seedrank.questions.experiments import ImpactExperiment
from seedrank.questions.frontier import ScoreOptions
from seedrank.session import Session

pytestmark = pytest.mark.slow

PAGES, SPLITS = 400, 3
UNTRAINED = {"random", "indegree", "pagerank", "rw", "rw-eg"}
FITTED = {"rw-tuned", "rw-eg-tuned", "learned-tree", "learned-sgd", "learned-boosting"}


def web() -> WebGraph:
    """Pages link to pages with much impact, and some to any; a few pages have no link at all."""
    draw = np.random.default_rng(8)
    clicks = np.floor(draw.lognormal(0, 2, PAGES))
    weight = (clicks + 1) * (np.arange(PAGES) % 9 > 0)
    target = draw.choice(PAGES, 6 * PAGES, p=weight / weight.sum())
    columns = {"clicks": clicks, "views": clicks + draw.integers(0, 9, PAGES)}
    return WebGraph.from_links(PAGES, np.repeat(np.arange(PAGES), 6), target, columns=columns)


@pytest.fixture(scope="module")
def experiment(tmp_path_factory):
    session = Session(ArrayStore(web(), str(tmp_path_factory.mktemp("impact") / "web")))
    question = ImpactExperiment(splits=SPLITS, quick=True, budgets=(0.05, 0.2))
    return perform(session, question).experiment


def trial_of(number):
    """What a split hides, and which part of it is fitted on."""
    graph = web()
    every = np.ones(PAGES, bool)
    trial = hide(graph, every, ~every, np.array(graph.column("clicks")), 0.35, 1 + number)
    return trial, split(len(trial.pages), 1 + number)


def plain_share(truth, scores, pages, budget):
    """Impact of the best pages by score over that of the best pages there are, by sorting."""
    order = sorted(range(len(pages)), key=lambda place: (-float(f"{scores[pages[place]]:.12g}"), pages[place]))
    most = int(np.ceil(budget * len(pages)))
    return sum(truth[place] for place in order[:most]) / sum(sorted(truth, reverse=True)[:most])


def test_methods_that_need_no_training_are_judged_on_all_hidden_pages(experiment):
    frame = experiment.tables["shares"].to_pandas()
    assert set(frame[frame.part == "all"].method) == UNTRAINED | {"ideal"}
    asked = frame[frame.asked].set_index(["split", "part", "method", "budget"])
    for number in range(SPLITS):
        trial, train = trial_of(number)
        scores = Scores(trial.problem, ScoreOptions(rng=1 + number))
        for method in UNTRAINED:
            for budget in (0.05, 0.2):
                row = asked.loc[number, "all", method, budget]
                assert row.pages == np.ceil(budget * len(trial.pages))
                assert row.share == pytest.approx(plain_share(trial.truth, scores.of(method), trial.pages, budget))
                # The comparison with what is fitted: the same pages for all.
                row, unseen = asked.loc[number, "unseen", method, budget], trial.pages[~train]
                assert row.pages == np.ceil(budget * len(unseen))
                assert row.share == pytest.approx(plain_share(trial.truth[~train], scores.of(method), unseen, budget))


def test_what_is_fitted_is_judged_on_pages_it_was_not_fitted_on_beside_all_other_methods(experiment):
    frame = experiment.tables["shares"].to_pandas()
    unseen = frame[frame.part == "unseen"]
    assert set(unseen.method) == UNTRAINED | FITTED | {"ideal"}
    summary = experiment.tables["summary"].to_pandas()
    assert {part: set(some.method) - {"ideal"} for part, some in summary.groupby("part")} == {
        "all": UNTRAINED,
        "unseen": UNTRAINED | FITTED,
    }
    for row in summary.itertuples():
        some = frame[frame.asked & (frame.part == row.part) & (frame.method == row.method)]
        assert row.share == pytest.approx(some[some.budget == row.budget].share.mean())


def test_every_point_of_the_figure_is_the_mean_over_all_splits(experiment):
    """The splits hide pages of different number, and are read off at the same shares of them."""
    assert len({len(trial_of(number)[0].pages) for number in range(SPLITS)}) > 1
    frame = experiment.tables["shares"].to_pandas()
    chart = experiment.charts[0]
    assert {series.name for series in chart.series} == UNTRAINED | FITTED
    for series in chart.series:
        part = "all" if series.name in UNTRAINED else "unseen"
        some = frame[(frame.method == series.name) & (frame.part == part) & ~frame.asked]
        assert len(series.x) == some.budget.nunique() > 20
        for x, y in zip(series.x, series.y, strict=True):
            at = some[np.isclose(some.budget, x / 100, rtol=1e-12)]
            assert sorted(at.split) == list(range(SPLITS))
            assert y == pytest.approx(at.share.mean())
    assert len({tuple(series.x) for series in chart.series}) == 1


def test_the_curve_of_a_split_is_read_off_between_whole_pages(experiment):
    frame = experiment.tables["shares"].to_pandas()
    for number in range(SPLITS):
        trial, _ = trial_of(number)
        order = Scores(trial.problem).ranked("rw")
        truth = dict(zip(trial.pages.tolist(), trial.truth.tolist(), strict=True))
        ours = [truth[page] for page in order.tolist()]
        best = sorted(ours, reverse=True)
        rows = frame[(frame.split == number) & (frame.method == "rw") & (frame.part == "all") & ~frame.asked]
        for row in rows.itertuples():
            whole, rest = int(row.budget * len(ours)), row.budget * len(ours) % 1
            found, possible = (sum(v[:whole]) + (rest * v[whole] if rest else 0) for v in (ours, best))
            assert row.share == pytest.approx(found / possible)
