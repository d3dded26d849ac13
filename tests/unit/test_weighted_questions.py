"""Questions that go by the weights of links, or by some links of each page, asked of a store."""

from __future__ import annotations

import logging

import networkx as nx
import numpy as np
import pytest

import seedrank
from seedrank.core.errors import UsageError
from seedrank.engines.native.engine import NativeEngine
from seedrank.loaders.table import TableSource
from seedrank.methods.crawl import push_orders
from seedrank.methods.crawl.simulate import simulate
from tests.engines import reference

PAGES = 40
FRONTIER = range(30, PAGES)


def url(page: int) -> str:
    return f"http://h{page % 5}.example/{page}"


@pytest.fixture(scope="module")
def weights() -> reference.Weights:
    rng = np.random.default_rng(3)
    links = {(int(a), int(b)) for a, b in rng.integers(0, PAGES, (160, 2)) if a != b and a not in FRONTIER}
    return {link: float(rng.choice([0.0, 0.5, 1.0, 8.0, 100.0])) for link in sorted(links)}


@pytest.fixture
def bench(tmp_path, weights):
    rows = [f"{url(a)},{url(b)},{weight if weight != 1 else ''}" for (a, b), weight in weights.items()]
    (tmp_path / "links.csv").write_text("\n".join(["source,target,weight", *rows, ""]))
    pages = [f"{url(p)},{'frontier' if p in FRONTIER else 'crawled'},{p % 7}" for p in range(PAGES)]
    (tmp_path / "pages.csv").write_text("\n".join(["url,status,clicks", *pages, ""]))
    with seedrank.open(str(tmp_path / "web.duckdb"), create=True) as bench:
        bench.load(TableSource(pages=[str(tmp_path / "pages.csv")], links=[str(tmp_path / "links.csv")]))
        yield bench


def scores(answer) -> dict[str, float]:
    table = answer.table
    return dict(zip(table["url"].to_pylist(), table["score"].to_pylist(), strict=True))


def close(ours: dict[str, float], expected: np.ndarray) -> None:
    assert [ours[url(page)] for page in range(PAGES)] == pytest.approx(list(expected), abs=1e-10)


def walked(links) -> np.ndarray:
    return reference.walk(PAGES, links, [(1, None, None)], 0.85, None, "teleport")


def test_pagerank(bench, weights):
    graph = nx.DiGraph()
    graph.add_nodes_from(range(PAGES))
    graph.add_weighted_edges_from((a, b, weight) for (a, b), weight in weights.items() if weight)
    expected = nx.pagerank(graph, tol=1e-15, max_iter=1000)
    close(scores(bench.rank("pagerank", weights="links")), np.array([expected[page] for page in range(PAGES)]))
    close(scores(bench.rank("pagerank")), walked(set(weights)))


def test_hits(bench, weights):
    close(scores(bench.rank("hits", weights="links", iterations=9)), reference.hits(PAGES, weights, 9)[1])
    close(scores(bench.rank("hits", iterations=9)), reference.hits(PAGES, set(weights), 9)[1])


def test_caps(bench, weights):
    """The heaviest links of a page carry all it has."""
    found = scores(bench.rank("pagerank", weights="links", cap_links=2))
    capped = bench.graph.capped(2)
    sources = np.repeat(np.arange(PAGES), capped.out_degree)
    number = {page: n for n, page in enumerate(bench.graph.urls.to_pylist())}
    page_of = {n: page for page, n in number.items()}
    at = {url(page): page for page in range(PAGES)}
    kept = {
        (at[page_of[a]], at[page_of[b]]): float(weight)
        for a, b, weight in zip(sources, capped.out_targets, capped.weights, strict=True)
    }
    for page in range(PAGES):
        before = sorted((w for (a, _), w in weights.items() if a == page), reverse=True)
        after = sorted((w for (a, _), w in kept.items() if a == page and w), reverse=True)
        assert after == [w for w in before[:2] if w]
    close(found, walked(kept))
    assert scores(bench.rank("pagerank", cap_links=1000)) == pytest.approx(scores(bench.rank("pagerank")))


def test_seeds_by_pagerank(bench):
    for fields in ({}, {"weights": "links"}, {"cap_links": 1}):
        ranked = bench.rank("pagerank", **fields).table["url"].to_pylist()
        best = [row for row in ranked if int(row.split("/")[-1]) not in FRONTIER]
        assert bench.seeds("pagerank", k=5, non_pages=True, **fields).table["url"].to_pylist() == best[:5]


def test_cores(bench, weights):
    def best_authority(links) -> str:
        apart = {link: w for link, w in links.items() if link[0] % 5 != link[1] % 5}
        return url(int(np.argmax(reference.hits(PAGES, apart, 60)[1])))

    for fields, links in (({"weights": "links"}, weights), ({}, dict.fromkeys(weights, 1.0))):
        first = bench.cores(k=1, **fields).table["authorities"][0].as_py()[0]
        assert first["url"] == best_authority(links)


def test_crawls(bench):
    graph = bench.graph
    seeds = np.array([graph.urls.to_pylist().index(url(0))])
    for fields, links in (({}, graph.unweighted()), ({"weights": "links"}, graph), ({"cap_links": 2}, None)):
        links = graph.unweighted().capped(2) if links is None else links
        expected = simulate(links, push_orders.fpr(seeds), seeds)
        found = bench.crawl("fpr", seeds=url(0), **fields)
        assert found.table["id"].to_pylist() == expected.pages.tolist()
        assert found.table["score"].to_pylist() == expected.scores.tolist()
    # A cap leaves no page undiscovered.
    assert len(expected.pages) == len(simulate(graph, push_orders.fpr(seeds), seeds).pages)


def test_orders_side_by_side(bench):
    alone = bench.crawl("rankmass", seeds=url(0), weights="links")
    orders = bench.compare("rankmass", "bfs", seeds=url(0), weights="links").tables["orders"].to_pylist()
    assert orders[0]["pagerank"] == pytest.approx(alone.run.facts["pagerank"])
    assert orders[0]["bound"] == pytest.approx(alone.run.facts["bound"])
    assert alone.run.facts["bound"] <= alone.run.facts["rankmass"] + 1e-9


def test_frontier_walks(bench, weights):
    impact = np.array([page % 7 if page not in FRONTIER else 0 for page in range(PAGES)], float)
    factor = np.where(np.arange(PAGES) < 30, (impact + 0.001) / (impact[:30].max() + 0.001), 0)
    for fields, links in (({"weights": "links"}, weights), ({}, set(weights))):
        expected = reference.walk(PAGES, links, [(1, factor, None)], 0.85, None, "drop")
        found = scores(bench.frontier("rw", **fields))
        assert found == pytest.approx({url(page): expected[page] for page in FRONTIER}, abs=1e-10)
        plain = scores(bench.frontier("pagerank", **fields))
        expected = reference.walk(PAGES, links, [(1, None, None)], 0.85, None, "drop")
        assert plain == pytest.approx({url(page): expected[page] for page in FRONTIER}, abs=1e-10)


@pytest.mark.parametrize("fields", [{}, {"weights": "links"}, {"cap_links": 1}])
def test_what_is_sent_to_a_page_adds_up(bench, fields):
    """Nothing but the page's own share is left of its score."""
    answer = bench.explain(url(31), **fields)
    assert answer.run.facts["score"] == pytest.approx(scores(bench.frontier("rw-eg", **fields))[url(31)])
    assert answer.run.facts["teleport"] == pytest.approx(0.15 / PAGES)


def test_learning_goes_by_weights(bench):
    """The walks that a model learns from are those of the question."""
    from seedrank.methods.frontier.answer import trial_scores
    from seedrank.questions.frontier import TuneQuestion

    trial, found = trial_scores(bench.session.view(weights="links"), TuneQuestion(weights="links"))
    walk = NativeEngine(trial.problem.graph).walk(teleport=trial.problem.teleport, dangling="drop")
    np.testing.assert_allclose(found.of("pagerank"), walk.scores)
    assert trial.problem.graph.weights is not None


def test_the_store_keeps_its_weights(bench, weights):
    assert bench.stats().weighted
    assert bench.graph.weights is not None
    assert bench.session.graph.weights is None
    assert bench.session.view(weights="links").graph.weights is not None
    assert bench.session.view(weights="links") is bench.session.view(weights="links")
    assert bench.session.view(weights="links").unweighted.graph.weights is None


def test_a_load_forgets_what_was_weighed(bench, tmp_path):
    before = bench.rank("pagerank", weights="links").table.num_rows
    (tmp_path / "more.csv").write_text("source,target,weight\nhttp://h0.example/0,http://new.example/,3\n")
    bench.load(TableSource(links=[str(tmp_path / "more.csv")]))
    assert bench.rank("pagerank", weights="links").table.num_rows == before + 1


def test_scores_of_a_weighted_walk_are_written(bench):
    bench.rank("pagerank", weights="links", write="heavy")
    assert bench.session.view(weights="links").graph.column("heavy").sum() == pytest.approx(1)
    assert bench.graph.column("heavy").sum() == pytest.approx(1)


def test_links_without_weights_are_said(tmp_path, caplog):
    (tmp_path / "links.csv").write_text("source,target\nhttp://a.example/,http://b.example/\n")
    with seedrank.open(str(tmp_path / "web.duckdb"), create=True) as bench:
        bench.load(TableSource(links=[str(tmp_path / "links.csv")]))
        with caplog.at_level(logging.WARNING):
            bench.rank("pagerank", weights="links")
    assert "no link has a weight other than 1" in caplog.text


def test_what_cannot_be_asked(bench):
    with pytest.raises(UsageError, match="bfs does not use weights"):
        bench.crawl("bfs", weights="links")
    with pytest.raises(UsageError, match="indegree does not use cap_links"):
        bench.rank("indegree", cap_links=3)
    with pytest.raises(UsageError, match="weights cannot be 'pages'"):
        bench.rank("pagerank", weights="pages")
    with pytest.raises(UsageError, match="cap_links must be at least 1"):
        bench.rank("pagerank", cap_links=0)
