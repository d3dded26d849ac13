"""What a question is said to cost before it is asked."""

from __future__ import annotations

import pytest

from seedrank.graph import WebGraph
from seedrank.graphdb.arrays import ArrayStore
from seedrank.ingest.synthetic import WebSpec, write_graph
from seedrank.methods.crawl.methods import CRAWL
from seedrank.methods.frontier.methods import FRONTIER
from seedrank.methods.rank.methods import RANK
from seedrank.methods.seeds.methods import SEEDS
from seedrank.questions.crawl import CrawlQuestion
from seedrank.questions.graph import StatsQuestion
from seedrank.questions.rank import RankQuestion
from seedrank.questions.seeds import CoreQuestion, SeedQuestion
from seedrank.session import Session
from seedrank.session.estimates import _PARTS, Estimate, _measured, cost_of, estimate

SIZES = (1_000_000, 5_000_000, 20_000_000)


@pytest.fixture
def graph(tmp_path):
    write_graph(WebSpec(1_000, rng=3), tmp_path / "web")
    return WebGraph.open(tmp_path / "web")


@pytest.fixture
def session(graph):
    return Session(ArrayStore(graph, "web"))


def seconds(session, question) -> float:
    found = estimate(session, question)
    assert found is not None
    return found.seconds


def test_every_part_of_every_question_was_measured_at_several_sizes():
    questions = {StatsQuestion().words: StatsQuestion(), CoreQuestion().words: CoreQuestion()}
    for family in (RANK, SEEDS, CRAWL, FRONTIER):
        questions |= {one.words: one for one in map(family.example, family.names)}
    assert set(_PARTS) <= set(questions)
    for words, parts in _PARTS.items():
        for name in parts(questions[words], 1_000):
            assert len(_measured()[name][0]) >= len(SIZES), f"{words} is made of {name}"


@pytest.mark.parametrize("part", _measured())
def test_what_was_measured_is_told_and_sizes_between_lie_between(part):
    sizes, times, memory = _measured()[part]
    for size, time, held in zip(sizes, times, memory, strict=True):
        assert cost_of(part, int(size)) == Estimate(pytest.approx(time), round(held))
    for k in range(len(sizes) - 1):
        low, high = sorted(times[k : k + 2])
        assert low <= cost_of(part, int(sizes[k] + sizes[k + 1]) // 2).seconds <= high
    assert cost_of(part, int(2 * sizes[-1])).seconds == pytest.approx(2 * times[-1])
    assert cost_of(part, int(sizes[0]) // 10).seconds == pytest.approx(times[0] / 10, rel=1e-6)


def test_more_work_is_said_to_take_longer(session):
    hits = RankQuestion(method="hits")
    assert seconds(session, RankQuestion(method="hits", iterations=120)) == pytest.approx(2 * seconds(session, hits))
    assert seconds(session, RankQuestion(damping=0.99)) > 10 * seconds(session, RankQuestion())
    few, many = (SeedQuestion(method="maxweight", k=k) for k in (5, 50))
    assert seconds(session, many) > seconds(session, few)
    assert seconds(session, CoreQuestion(k=20)) == pytest.approx(2 * seconds(session, CoreQuestion(k=10)))
    assert seconds(session, CrawlQuestion(limit=10)) < seconds(session, CrawlQuestion())


def test_links_into_pages_are_counted_where_they_are_still_to_be_made(graph, session):
    before = seconds(session, RankQuestion())
    assert not graph.transposed
    len(graph.in_sources)
    assert seconds(session, RankQuestion()) < before


@pytest.mark.parametrize(
    "question",
    [
        RankQuestion(method="harmonic"),
        RankQuestion(level="host"),
        StatsQuestion(distances=True),
        SeedQuestion(certify=True),
    ],
    ids=lambda question: question.words,
)
def test_what_nobody_measured_is_not_told(session, question):
    assert estimate(session, question) is None


def test_another_engine_is_not_told_of(graph):
    assert estimate(Session(ArrayStore(graph, "web"), engine="spark"), RankQuestion()) is None


@pytest.mark.parametrize(
    ("cost", "text"),
    [
        (Estimate(75, 2**29), "about 75 s and 512 MiB of memory"),
        (Estimate(600, 2**30), "about 10 min and 1 GiB of memory"),
        (Estimate(9_000, 3 * 2**30), "about 2.5 h and 3 GiB of memory"),
    ],
)
def test_costs_in_words(cost, text):
    assert str(cost) == text
