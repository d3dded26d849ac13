"""Measures, tuning, batches and explanations against what is obvious."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seedrank.core.errors import GraphError, InputError, UsageError
from seedrank.engines.native.engine import NativeEngine
from seedrank.graph import WebGraph
from seedrank.methods.crawl.orders import batch_scores
from seedrank.methods.frontier.answer import best_pages
from seedrank.methods.frontier.explain import contributions, verdicts
from seedrank.methods.frontier.problem import pose, reveal
from seedrank.methods.frontier.quality import (
    click_through,
    data_facts,
    distances,
    holds_share,
    impact_ratios,
    impact_shares,
    skew,
)
from seedrank.methods.frontier.scores import Scores
from seedrank.methods.frontier.tables import events_impact, later_impact
from seedrank.methods.frontier.trial import Trial, hide, known_later, split
from seedrank.methods.frontier.tune import bootstrap_share, tune
from seedrank.questions.frontier import FrontierQuestion, ScoreOptions, budget_of


def small():
    """0 → 3, 4; 1 → 4; 2 → 1, 5; pages 0..2 crawled with impact 4, 0, 1; 3..5 frontier with true impact 6, 0, 2."""
    graph = WebGraph.from_links(6, [0, 0, 1, 2, 2], [3, 4, 4, 1, 5])
    frontier = np.arange(6) >= 3
    problem = pose(graph, NativeEngine(graph), ~frontier, frontier, np.array([4, 0, 1, 0, 0, 0.0]))
    return Trial(problem, np.array([3, 4, 5]), np.array([6, 0, 2.0]))


def test_impact_share_by_hand():
    found = impact_shares(np.array([0, 2, 6.0]), [0, 1, 2, 3])
    np.testing.assert_allclose(found, [np.nan, 0, 2 / 8, 1])


@pytest.mark.slow
@given(st.lists(st.integers(0, 9), min_size=1, max_size=12), st.randoms())
def test_impact_share_is_that_of_plain_sums(truth, random):
    random.shuffle(truth)
    best = sorted(truth, reverse=True)
    budgets = range(1, len(truth) + 1)
    expected = [sum(truth[:k]) / sum(best[:k]) if sum(best[:k]) else np.nan for k in budgets]
    np.testing.assert_allclose(impact_shares(np.array(truth, float), list(budgets)), expected)


def test_click_through():
    found = click_through(np.array([1, 0, 3.0]), np.array([2, 0, 3.0]), [0, 1, 2, 3])
    np.testing.assert_allclose(found, [np.nan, 0.5, 0.25, 0.5])


def test_ratios_in_three_readings():
    trial = small()
    clicked = trial.problem.impact > 0
    ratio = impact_ratios(trial, trial.truth, clicked)
    assert (ratio.sources, ratio.reached, ratio.per_source) == (2, 3, 4)
    assert (ratio.mean_impact, ratio.hit_rate) == (pytest.approx(8 / 3), pytest.approx(2 / 3))
    without = impact_ratios(trial, trial.truth, trial.problem.crawled & ~clicked)
    assert (without.reached, without.mean_impact, without.hit_rate, without.per_source) == (1, 0, 0, 0)
    # Page 2 cites 1 and 5, so the unclicked page 1 reaches 5 over a virtual link.
    enriched = impact_ratios(trial, trial.truth, trial.problem.crawled & ~clicked, Scores(trial.problem).virtual_links)
    assert (enriched.reached, enriched.per_source) == (2, 2)


def test_distances_skew_and_facts():
    trial = small()
    # Page 0 holds four fifths of D's impact: 3 is one hop from it, 5 is out of reach.
    assert distances(trial) == {"1": 0.5, "2": 0, "3": 0, "more": 0.5}
    assert list(holds_share(np.array([1, 5, 0, 4.0]), 0.5)) == [1]
    assert list(holds_share(np.array([1, 5, 0, 4.0]), 0.9)) == [1, 3]
    assert skew(np.array([1, 5, 0, 4.0]), 0.9) == 0.5
    assert np.isnan(skew(np.zeros(3), 0.5))
    facts = data_facts(trial)
    assert (facts["links crawled to crawled"], facts["links crawled to frontier"]) == (1, 4)
    assert facts["share of crawled pages with impact"] == pytest.approx(2 / 3)


def test_bootstrap_is_that_of_plain_resamples():
    rng = np.random.default_rng(5)
    scores, truth = rng.random(40), np.floor(rng.lognormal(0, 1.5, 40))
    draw, total = np.random.default_rng(9), 0.0
    for _ in range(7):
        drawn = list(draw.integers(0, 40, 40))
        parts = []
        for pages in (drawn, [page for page in range(40) if page not in drawn]):
            most = int(np.ceil(0.1 * len(pages)))
            ours = sum(truth[page] for page in sorted(pages, key=lambda page: -scores[page])[:most])
            best = sum(sorted((truth[page] for page in pages), reverse=True)[:most])
            parts.append(ours / best if best else 0.0)
        total += 0.368 * parts[0] + 0.632 * parts[1]
    assert bootstrap_share(scores, truth, 0.1, 7, 9) == pytest.approx(total / 7)


def made_web(pages=200, seed=2):
    rng = np.random.default_rng(seed)
    impact = np.floor(rng.lognormal(0, 2, pages))
    graph = WebGraph.from_links(pages, rng.integers(0, pages, 6 * pages), rng.integers(0, pages, 6 * pages))
    return graph, impact


def test_tuning_takes_the_best_of_the_grid_and_never_sees_the_judged_pages():
    graph, impact = made_web()
    every = np.ones(graph.pages, bool)
    trial = hide(graph, every, ~every, impact, 0.35, 1)
    scores, train = Scores(trial.problem), split(len(trial.pages), 1)
    found = tune(trial, scores, train, 0.1, resamples=5, rng=1)
    rows = found.table.to_pylist()
    assert len(rows) == 22
    best = max(rows, key=lambda row: row["score"])
    assert (found.omega, found.beta) == (best["omega"], best["beta"])
    assert train.sum() == round(0.65 * len(trial.pages))
    blind = Trial(trial.problem, trial.pages, np.where(train, trial.truth, trial.truth[::-1] * 100))
    again = tune(blind, scores, train, 0.1, resamples=5, rng=1)
    assert again.table["score"].to_pylist() == found.table["score"].to_pylist()
    with pytest.raises(UsageError, match="budget"):
        tune(trial, scores, train, 0)


@settings(max_examples=25)
@given(seed=st.integers(0, 1000), method=st.sampled_from(["rw", "rw-eg"]))
def test_batch_scores_are_those_of_what_is_fetched(seed, method):
    graph, impact = made_web(40, seed)
    rng = np.random.default_rng(seed)
    fetched = rng.random(40) < 0.3
    found = batch_scores(graph, impact, method)(fetched)
    known = reveal(graph, fetched)
    discovered = np.zeros(40, bool)
    discovered[known.out_targets] = True
    frontier = discovered & ~fetched
    np.testing.assert_array_equal(np.isnan(found), ~frontier)
    if fetched.any() and frontier.any():
        expected = Scores(pose(known, NativeEngine(known), fetched, frontier, impact)).of(method)
        np.testing.assert_array_equal(found[frontier], expected[frontier])
        # What is not fetched is not seen.
        other = batch_scores(graph, np.where(fetched, impact, 99.0), method)(fetched)
        np.testing.assert_array_equal(other, found)


def test_batches_before_anything_is_fetched_and_of_another_method():
    graph, impact = made_web(40)
    assert np.isnan(batch_scores(graph, impact)(np.zeros(40, bool))).all()
    with pytest.raises(UsageError, match="not an order in batches"):
        batch_scores(graph, impact, "pagerank")


@settings(max_examples=25)
@given(seed=st.integers(0, 1000), omega=st.sampled_from([0.0, 0.5, 1.0]), beta=st.sampled_from([0.0, 1.0]))
def test_contributions_add_up_to_the_score(seed, omega, beta):
    graph, impact = made_web(30, seed)
    crawled = np.random.default_rng(seed).random(30) < 0.6
    crawled[:2] = True, False
    known = reveal(graph, crawled)
    problem = pose(known, NativeEngine(known), crawled, ~crawled, impact)
    scores = Scores(problem, ScoreOptions(omega=omega, beta=beta))
    page = int(problem.pages[seed % len(problem.pages)])
    ranking, teleport = contributions(scores, page)
    assert teleport == pytest.approx(0.15 / 30, abs=1e-12)
    assert teleport + ranking.scores.sum() == pytest.approx(scores.of("rw-eg")[page])
    np.testing.assert_allclose(ranking.columns["via_link"] + ranking.columns["via_co_citation"], ranking.scores)
    said = {row["method"]: row for row in verdicts(scores, page).to_pylist()}
    assert set(said) == {"indegree", "pagerank", "rw", "rw-eg"}
    assert scores.ranked("rw")[said["rw"]["place"] - 1] == page


def find(pages):
    keys = pages.keys.to_pylist()
    ids = np.array([{"u0": 0, "u2": 2}.get(key, -1) if pages.by_url else (key if key < 3 else -1) for key in keys], int)
    return ids.reshape(-1), ids >= 0


def test_events_are_summed_over_a_time(tmp_path):
    file = str(tmp_path / "events.parquet")
    times = [datetime(2024, 1, day, tzinfo=UTC) for day in (1, 2, 3, 3, 3)]
    pq.write_table(
        pa.table({"time": times, "url": ["u0", "u0", "u2", "no", "u0"], "clicks": [1.0, 2, 4, 8, None]}), file
    )
    whole, unknown = events_impact([file, file], "clicks", find, 4, None, None)
    assert (list(whole), unknown) == ([6, 0, 8, 0], 1)
    some, _ = events_impact([file], "clicks", find, 4, datetime(2024, 1, 2), datetime(2024, 1, 3))
    assert list(some) == [2, 0, 0, 0]
    with pytest.raises(InputError, match="no column 'views'"):
        events_impact([file], "views", find, 4, None, None)


def test_events_without_counts_are_views(tmp_path):
    file = str(tmp_path / "events.csv")
    (tmp_path / "events.csv").write_text("time,id\n2024-01-01,2\n2024-01-02,2\n")
    impact, _ = events_impact([file], "views", find, 3, None, None)
    assert list(impact) == [0, 0, 2]


def test_impact_known_later(tmp_path):
    (tmp_path / "later.csv").write_text("id,clicks\n2,7\n1,\n9,4\n")
    later = later_impact(str(tmp_path / "later.csv"), "clicks", find, 3)
    np.testing.assert_array_equal(later.impact, [np.nan, np.nan, 7])
    assert (list(later.named), later.unknown, later.unknown_such_as) == ([False, True, True], 1, ["9"])
    (tmp_path / "later.csv").write_text("id,visits\n2,-7\n")
    with pytest.raises(InputError, match="below 0"):
        later_impact(str(tmp_path / "later.csv"), "visits", find, 3)
    trial = known_later(small().problem, np.array([1, np.nan, 1, 3, np.nan, 5]))
    assert (list(trial.pages), list(trial.truth)) == ([3, 5], [3, 5])
    with pytest.raises(GraphError, match="nothing became known"):
        known_later(small().problem, np.full(6, np.nan))


@pytest.mark.parametrize(("text", "pages"), [(None, 200), ("7", 7), ("1%", 2), ("0.6%", 2), ("100%", 200)])
def test_budgets(text, pages):
    assert budget_of(text, 200) == pages


@pytest.mark.parametrize("text", ["0", "-1", "x", "1.5", "nan%", "inf", "201", "101%", ""])
def test_wrong_budgets(text):
    with pytest.raises(UsageError, match="budget"):
        budget_of(text, 200)


@pytest.mark.parametrize("share", [0.0, 1.0, -1.0])
def test_hiding_nothing_or_all(share):
    graph, impact = made_web(20)
    every = np.ones(20, bool)
    with pytest.raises(UsageError, match="cannot be hidden"):
        hide(graph, every, ~every, impact, share, 1)


def test_an_answer_is_limited_to_candidates_and_budget():
    trial = small()
    question = FrontierQuestion(method="indegree", budget="1")
    ranking, facts = best_pages(question, Scores(trial.problem), np.array([1, 1, 1, 1, 0, 1], bool))
    assert (list(ranking.pages), facts["budget"], facts["frontier"]) == ([3], 1, 3)
    with pytest.raises(GraphError, match="no frontier page may be chosen"):
        best_pages(question, Scores(trial.problem), np.zeros(6, bool))
