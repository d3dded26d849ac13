"""Which method ranks the frontier best on hidden pages, and the walk in which every host begins alike."""

from __future__ import annotations

import numpy as np
import pytest

from seedrank.core.model import Status
from seedrank.engines.native.engine import NativeEngine
from seedrank.graph import WebGraph
from seedrank.methods.frontier import tried
from seedrank.methods.frontier.problem import pose
from seedrank.methods.frontier.quality import impact_shares
from seedrank.methods.frontier.scores import Scores
from seedrank.methods.frontier.trial import hide
from seedrank.methods.frontier.tried import TRIED, shares_of


def web(rng: int, pages: int = 600) -> tuple[WebGraph, np.ndarray]:
    """Pages that link at random, and more to those with impact: pages of impact link to pages of impact."""
    draw = np.random.default_rng(rng)
    impact = np.where(draw.random(pages) < 0.3, draw.integers(1, 100, pages), 0).astype(float)
    source = draw.integers(0, pages, 12 * pages)
    liked, others = (weight / weight.sum() for weight in (impact + 0.01, (impact == 0) + 0.01))
    target = np.where(
        impact[source] > 0,
        draw.choice(pages, len(source), p=liked),
        draw.choice(pages, len(source), p=others),
    )
    return WebGraph.from_links(pages, source, target, status=[Status.CRAWLED] * pages), impact


def test_methods_are_judged_on_the_same_pages_best_first():
    graph, impact = web(1)
    every, none = np.ones(graph.pages, bool), np.zeros(graph.pages, bool)
    trial = hide(graph, every, none, impact, 0.35, 1)
    found = shares_of(trial, Scores(trial.problem))
    assert set(found) == set(TRIED)
    assert list(found.values()) == sorted(found.values(), reverse=True)
    assert found["rw"] > found["pagerank"]
    assert all(0 <= share <= 1 for share in found.values())


def test_the_judged_half_is_not_learnt_from(monkeypatch):
    graph, impact = web(2)
    every, none = np.ones(graph.pages, bool), np.zeros(graph.pages, bool)
    trial = hide(graph, every, none, impact, 0.35, 1)
    seen = {}
    kept_learn, kept_shares = tried.learn_from, impact_shares

    def learn(trial, scores, train, *more):
        seen["learnt"] = train
        return kept_learn(trial, scores, train, *more)

    def judge(truth, budgets):
        seen["judged"] = len(truth)
        return kept_shares(truth, budgets)

    monkeypatch.setattr(tried, "learn_from", learn)
    monkeypatch.setattr(tried, "impact_shares", judge)
    tried.shares_of(trial, Scores(trial.problem))
    assert seen["judged"] + int(seen["learnt"].sum()) == len(trial.pages)


def test_a_host_of_many_pages_is_trusted_like_any_other():
    """Ten pages of one host link to page 20, one page of another host to page 21: PageRank prefers the first."""
    source, target = np.arange(11), np.array([20] * 10 + [21])
    host = [0] * 10 + [1] * 10 + [2, 3]
    status = [Status.CRAWLED] * 11 + [Status.CRAWLED] * 9 + [Status.FRONTIER] * 2
    names = [f"h{number}.example" for number in range(4)]
    graph = WebGraph.from_links(22, source, target, status=status, host=host, host_names=names)
    crawled = np.array([one == Status.CRAWLED for one in status])
    problem = pose(graph, NativeEngine(graph), crawled, ~crawled, np.zeros(22))
    scores = Scores(problem)
    plain, trusted = scores.of("pagerank"), scores.of("trust")
    assert plain[20] / plain[21] == pytest.approx((1 + 0.85 * 10) / (1 + 0.85))
    # The host of ten pages begins with as much as the other, which has ten pages too, one of them linking.
    assert trusted[20] / trusted[21] == pytest.approx(np.sqrt(plain[20] / plain[21] * 10))
    alone = WebGraph.from_links(22, source, target, status=status)
    scores = Scores(pose(alone, NativeEngine(alone), crawled, ~crawled, np.zeros(22)))
    assert scores.of("trust").tolist() == scores.of("pagerank").tolist()
