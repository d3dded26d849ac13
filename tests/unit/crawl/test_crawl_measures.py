"""What an order is measured by, against plain loops."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from seedrank.engines.native.push_walk import push_walk
from seedrank.experiments.ordering.charts import charts
from seedrank.graph import WebGraph
from seedrank.methods.crawl.metrics import Metrics, curve, join, measured, pages_for, summary
from seedrank.methods.crawl.policy import Policy
from seedrank.methods.crawl.simulate import Budget, simulate

PAGES = 200


@pytest.fixture(scope="module")
def web() -> WebGraph:
    random = np.random.default_rng(5)
    status = np.where(random.random(PAGES) < 0.1, 1, 2)
    status[0] = 2
    return WebGraph.from_links(
        PAGES,
        random.integers(0, PAGES, 6 * PAGES),
        random.integers(0, PAGES, 6 * PAGES),
        status=status,
        host=random.integers(-1, 9, PAGES),
        host_names="abcdefghi",
        columns={
            "clicks": np.where(random.random(PAGES) < 0.5, np.nan, random.integers(0, 9, PAGES)),
            "spam": random.choice([0.0, 1.0, np.nan], PAGES, p=[0.5, 0.2, 0.3]),
        },
    )


@pytest.fixture(scope="module")
def metrics(web: WebGraph) -> Metrics:
    return Metrics.of(web, push_walk(web), web.host, np.arange(PAGES, dtype=float))


def plain_share(worth: np.ndarray, web: WebGraph, pages: list[int]) -> float:
    there = [p for p in range(PAGES) if web.status[p] != 1]
    return sum(worth[p] for p in pages if web.status[p] != 1) / sum(worth[p] for p in there)


def spam_labels(web: WebGraph, pages: list[int]) -> list[bool]:
    return [web.column("spam")[p] > 0 for p in pages if not np.isnan(web.column("spam")[p]) and web.status[p] != 1]


@pytest.mark.slow
def test_summary_and_curve(web: WebGraph, metrics: Metrics) -> None:
    crawl = simulate(web, Policy("bfs"), np.array([0]), site=web.host, budget=Budget(pages=150, host_delay=1))
    order = crawl.pages.tolist()
    assert len(order) == 150
    ranks, clicks = push_walk(web), np.nan_to_num(web.column("clicks"))
    facts = summary(metrics, crawl)
    assert facts["pagerank"] == pytest.approx(plain_share(ranks, web, order))
    assert facts["clicks"] == pytest.approx(plain_share(clicks, web, order))
    assert facts["value"] == pytest.approx(plain_share(np.arange(PAGES, dtype=float), web, order))
    shares = [plain_share(ranks, web, order[:n]) for n in range(1, 151)]
    assert facts["pagerank_area"] == pytest.approx(np.mean(shares))
    longer = summary(metrics, crawl, horizon=200)
    assert longer["pagerank_area"] == pytest.approx((sum(shares) + 50 * shares[-1]) / 200)
    assert facts["pagerank_pages_50"] == next(n for n, share in enumerate(shares, 1) if share >= 0.5)
    assert facts["missing"] == sum(web.status[p] == 1 for p in order)
    assert facts["hosts"] == len({int(web.host[p]) for p in order if web.status[p] != 1} - {-1})
    there = np.where(web.status == 1, 0.0, ranks)
    ideal = sorted(range(PAGES), key=lambda p: (-there[p], p))
    assert facts["overlap_10"] == len(set(order[:20]) & set(ideal[:20])) / 20
    for name, first in (("spam", order), ("spam_50", order[:100])):
        labels = spam_labels(web, first)
        assert 0 < len(labels) < len(first)
        assert facts[name] == pytest.approx(np.mean(labels))
        assert facts[f"{name}_labelled"] == len(labels)
    assert "overlap_1" in facts
    points = curve(metrics, crawl, points=30).to_pylist()
    assert [points[0]["pages"], points[-1]["pages"]] == [0, 150]
    for point in points[1:]:
        first = order[: point["pages"]]
        assert point["pagerank"] == pytest.approx(plain_share(ranks, web, first))
        assert point["hosts"] == len({int(web.host[p]) for p in first if web.status[p] != 1} - {-1})
        labels = spam_labels(web, first)
        assert point["spam_share"] == (pytest.approx(np.mean(labels)) if labels else None)
        assert point["spam_labelled"] == len(labels)
        assert point["hours"] == pytest.approx(crawl.times[point["pages"] - 1] / 3600)
    assert points[-1]["seconds"] == pytest.approx(crawl.seconds)


@pytest.mark.slow
def test_an_order_that_ends_early_has_no_such_page(web: WebGraph, metrics: Metrics) -> None:
    crawl = simulate(web, Policy("bfs"), np.array([0]), budget=Budget(pages=5))
    facts = summary(metrics, crawl)
    assert facts["pagerank_pages_90"] is None
    assert "overlap_50" not in facts


def test_labels_among_any_number_of_first_pages(web: WebGraph) -> None:
    trusted = np.random.default_rng(5).choice([0.0, 2.0, np.nan], PAGES)
    metrics = Metrics.of(web, push_walk(web), web.host, trusted=trusted, first=(7, 60, 150, 151))
    crawl = simulate(web, Policy("bfs"), np.array([0]), site=web.host, budget=Budget(pages=150))
    facts, points = summary(metrics, crawl), curve(metrics, crawl, points=150).to_pylist()
    assert facts["spam_first_151"] is facts["spam_first_151_labelled"] is None
    row, _ = measured(metrics, "bfs", crawl, None)
    assert row["trusted_first_151"].to_pylist() == row["trusted_first_151_labelled"].to_pylist() == [None]
    for n in (7, 60, 150):
        for name, values in (("spam", web.column("spam")), ("trusted", trusted)):
            labels = [
                values[page] > 0 for page in crawl.pages[:n] if not np.isnan(values[page]) and web.status[page] != 1
            ]
            assert facts[f"{name}_first_{n}"] == pytest.approx(np.mean(labels))
            assert facts[f"{name}_first_{n}_labelled"] == len(labels) == points[n][f"{name}_labelled"]
            assert points[n][f"{name}_share"] == pytest.approx(np.mean(labels))


def test_pages_that_nobody_labelled_say_nothing_of_spam() -> None:
    """Page 0 is not labelled, page 1 is spam; on the other web no page is labelled."""
    crawl = simulate(WebGraph.from_links(2, [0], [1]), Policy("bfs"), np.array([0]))
    labelled = WebGraph.from_links(2, [0], [1], columns={"spam": np.array([np.nan, 1.0])})
    metrics = Metrics.of(labelled, push_walk(labelled), labelled.host)
    facts = summary(metrics, crawl)
    assert (facts["spam"], facts["spam_labelled"]) == (1.0, 1)
    assert (facts["spam_10"], facts["spam_10_labelled"]) == (None, 0)
    assert curve(metrics, crawl)["spam_share"].to_pylist() == [None, None, 1.0]
    row, _ = measured(metrics, "bfs", crawl, None)
    assert row["spam_10_labelled"].to_pylist() == [0]
    assert row["spam_10"].to_pylist() == [None]
    unlabelled = WebGraph.from_links(2, [0], [1], columns={"spam": np.full(2, np.nan)})
    nothing = Metrics.of(unlabelled, push_walk(unlabelled), unlabelled.host)
    assert nothing.labels == {}
    assert "spam" not in summary(nothing, crawl)


def test_missing_pages_count_in_no_share() -> None:
    """0 links to 1, which is missing and labelled as spam, and to 2 and 3."""
    web = WebGraph.from_links(
        4, [0, 0, 0], [1, 2, 3], status=np.array([2, 1, 2, 2]), columns={"spam": np.array([0.0, 1.0, 0.0, 0.0])}
    )
    metrics = Metrics.of(web, push_walk(web), web.host, trusted=np.array([1.0, 0, 1, 1]), first=(2,))
    crawl = simulate(web, Policy("bfs"), np.array([0]))
    facts = summary(metrics, crawl)
    assert len(crawl.pages) == 4
    assert (facts["spam"], facts["spam_labelled"]) == (0.0, 3)
    assert (facts["trusted"], facts["trusted_labelled"]) == (1.0, 3)
    assert (facts["trusted_first_2"], facts["trusted_first_2_labelled"]) == (1.0, 1)


def test_pages_for() -> None:
    rises = np.array([0.0, 0.25, 0.5, 0.5, 1.0])
    assert [pages_for(rises, part) for part in (0.2, 0.5, 0.51, 1.0, 1.1)] == [1, 2, 4, 4, None]


def test_pages_for_a_curve_that_falls() -> None:
    """Worth 3, -2, 0: the curve ends at 1 of 5, and has passed that on its first page."""
    rises = np.array([0.0, 0.6, 0.2, 0.2])
    assert [pages_for(rises, part, 0.2) for part in (0.5, 0.8, 0.9)] == [1, 1, 1]
    assert pages_for(rises, 0.5, 0.0) is None
    assert pages_for(rises, 0.5, -0.2) is None


@pytest.mark.parametrize("worth", [[3, -2, 0], [1, -4, 3, 2], [-3, 2, 0], [0.1, 0.2, -0.3], [1, 1, -2], [0, 0], [-1]])
def test_pages_of_a_worth_that_may_be_negative(worth: list[float]) -> None:
    pages = len(worth)
    graph = WebGraph.from_links(pages, np.arange(pages - 1), np.arange(1, pages))
    metrics = Metrics.of(graph, push_walk(graph), graph.host, np.array(worth, float))
    crawl = simulate(graph, Policy("bfs"), np.array([0]))
    facts = summary(metrics, crawl)
    assert crawl.pages.tolist() == list(range(pages))
    final = sum(map(Fraction, map(str, worth)))
    for part in (50, 80, 90):
        reached = [
            n for n in range(1, pages + 1) if sum(map(Fraction, map(str, worth[:n]))) >= Fraction(part, 100) * final
        ]
        assert facts[f"value_pages_{part}"] == (reached[0] if final > 0 else None)
    whole = sum(map(abs, worth)) or 1
    assert facts["value"] == pytest.approx(sum(worth) / whole)
    assert facts["value_area"] == pytest.approx(sum(sum(worth[:n]) for n in range(1, pages + 1)) / whole / pages)


def test_tables_of_several_orders(web: WebGraph, metrics: Metrics) -> None:
    made = [
        measured(metrics, name, simulate(web, Policy(name), np.array([0]), budget=Budget(pages=pages)), 150)
        for name, pages in (("bfs", 5), ("other", 150))
    ]
    table = join([row for row, _ in made])
    assert table["order"].to_pylist() == ["bfs", "other"]
    assert table["overlap_10"].to_pylist()[0] is None
    assert table.column_names[0] == "order"
    drawn = charts(join([points for _, points in made]))
    assert [chart.name for chart in drawn[:2]] == ["effectiveness", "run-time"]
    assert {series.name for series in drawn[0].series} == {"bfs", "other"}
