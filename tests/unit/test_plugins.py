"""Methods and formats of a user's own: registered, asked by name or as functions, and refused in one line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import seedrank
from seedrank.core.errors import GraphError, SeedrankError, UsageError
from seedrank.exporters import targets
from seedrank.loaders import formats
from seedrank.methods.crawl.methods import CRAWL
from seedrank.methods.frontier.methods import FRONTIER
from seedrank.methods.seeds.methods import SEEDS

PAGES = pd.DataFrame(
    {
        "url": [f"https://{host}.example/{n}" for host in "ab" for n in range(6)],
        "status": (["crawled"] * 5 + ["frontier"]) * 2,
        "clicks": np.arange(12.0),
        "title": [f"page {n}" for n in range(12)],
    }
)
LINKS = pd.DataFrame(
    [(PAGES.url[source], PAGES.url[(source * 5 + step) % 12]) for source in range(12) for step in (1, 2, 4)],
    columns=["source", "target"],
)


@pytest.fixture
def bench(tmp_path):
    with seedrank.open(tmp_path / "x.duckdb", create=True) as made:
        made.load(pages=PAGES, links=LINKS)
        yield made


@pytest.fixture(autouse=True)
def forgotten():
    """What a test registers is gone after it."""
    yield
    for family in (CRAWL, SEEDS, FRONTIER):
        family._registered.clear()
    for known in (formats.FORMATS, targets.TARGETS):
        for name in [name for name, one in known.items() if one.own]:
            del known[name]


def test_an_order_is_asked_about_what_is_known_every_batch(bench):
    asked = []

    @seedrank.crawl_order("most-clicked", batch=2)
    def score(known, fetched, clicks, engine, rng, seeds, title, missing=3):
        asked.append((known.tolist(), fetched.tolist()))
        assert (len(clicks), engine.pages, seeds.tolist(), title[0], missing) == (12, 12, [0], "page 0", 3)
        assert rng.random() < 1
        return clicks[known]

    found = bench.crawl(score, seeds="https://a.example/0").ranking
    assert asked[0] == ([0], [])
    # In every batch of two the best known page comes first; then the best of what was known at its beginning.
    held = {0}
    for known, fetched in asked:
        assert set(known) == held - set(fetched)
        batch = found.pages[len(fetched) : len(fetched) + 2].tolist()
        best = sorted(known, key=lambda page: -page)[: len(batch)]
        assert batch[: len(best)] == best
        for page in batch:
            links = bench.graph.out_targets[slice(*bench.graph.out_offsets[page : page + 2])]
            held |= {page, *(links.tolist() if page % 6 < 5 else ())}  # pages of the frontier show no links
    assert sorted(found.pages.tolist()) == list(range(12))
    again = bench.crawl("most-clicked", seeds="https://a.example/0").ranking
    assert np.array_equal(again.pages, found.pages)


def test_what_a_batch_discovers_comes_after_scores_below_0(bench):
    @seedrank.crawl_order("backwards", batch=3)
    def score(known):
        return -10.0 - known

    found = bench.crawl(score, seeds=["https://a.example/0", "https://a.example/1"]).ranking
    assert found.pages[:2].tolist() == [0, 1]
    assert found.scores[:2].tolist() == [-10.0, -11.0]
    assert np.isnan(found.scores[2])  # found by the first two: nobody was asked about it yet


def test_seeds_are_chosen_among_candidates_of_every_site(bench):
    @seedrank.seed_method("most-links")
    def choose(graph, candidates, k):
        return candidates[np.argsort(-graph.out_degree[candidates], kind="stable")[:k]]

    most = np.argsort(-np.where(bench.graph.status == 2, bench.graph.out_degree, -1), kind="stable")[:3]
    assert bench.seeds(choose, k=3).ranking.pages.tolist() == most.tolist()
    of_sites = bench.seeds("most-links", k=2, per_site=True).frame()
    assert of_sites["host"].value_counts().to_dict() == {"a.example": 2, "b.example": 2}
    kept = bench.seeds("most-links", k=3, keep=PAGES.url[int(most[0])]).ranking.pages
    assert most[0] not in kept


def test_a_frontier_method_knows_columns_of_crawled_pages_alone(bench):
    @seedrank.frontier_method("mine")
    def rank(problem, clicks, graph):
        assert np.isnan(clicks[problem.frontier]).all() and not np.isnan(clicks[problem.crawled]).any()
        assert graph is problem.graph and problem.impact[3] == 3
        return -problem.frontier

    assert bench.frontier(rank, budget="2").ranking.pages.tolist() == [5, 11]


def test_registered_methods_stand_beside_the_others(bench):
    @seedrank.crawl_order("known-last")
    def score(known):
        return known

    @seedrank.seed_method("first-pages")
    def choose(candidates, k):
        return list(candidates[:k])

    compared = bench.compare("bfs", score, seeds="first-pages:2")
    assert compared.tables["orders"]["order"].to_pylist() == ["bfs", "known-last"]
    run = bench.answer("run:latest").run
    assert run.question.orders == ("bfs", "known-last")


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda known: 1, "bad gives an array of shape (); give one number per page of known"),
        (lambda known: known[:0], "bad gives 0 scores for 1 pages; give one number per page of known"),
        (lambda known: ["x"], "give one number per page of known"),
        (lambda known: known / 0.0 * 0, "bad gives no number for 1 of 1 pages; fill them"),
        (lambda known, clikcs: known, "bad asks for clikcs, and pages have no such column; did you mean clicks?"),
        (lambda known: known.nothing, "bad failed: AttributeError: "),
    ],
)
@pytest.mark.filterwarnings("ignore:.* encountered:RuntimeWarning")
def test_what_an_order_does_wrong_is_one_line(bench, function, message):
    seedrank.crawl_order("bad")(function)
    with pytest.raises(SeedrankError) as told:
        bench.crawl("bad", seeds="https://a.example/0")
    assert message.replace("of shape ()", "of shape () for 1 pages") in str(told.value)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda candidates, k: candidates, "gives 10 seeds where 2 were asked for"),
        (lambda candidates, k: [0, 0], "gives a page twice"),
        (lambda candidates, k: [5], "gives page 5, which is no candidate"),
        (lambda candidates, k: [0.5], "give ids of candidates, an array of whole numbers"),
        (lambda candidates, k: 3, "gives 3; give ids of candidates"),
    ],
)
def test_what_a_seed_method_does_wrong_is_one_line(bench, function, message):
    seedrank.seed_method("bad")(function)
    with pytest.raises(SeedrankError) as told:
        bench.seeds("bad", k=2)
    assert message in str(told.value)


def test_names_and_functions_that_cannot_be_registered_are_refused():
    for name in ("Mine", "my order", "", "a--b", "fpr@2", 3):
        with pytest.raises(UsageError, match="cannot be a name; write it like degree-discount"):
            seedrank.crawl_order(name)(lambda known: known)
    with pytest.raises(UsageError, match="crawl has a method fpr; choose another name"):
        seedrank.crawl_order("fpr")(lambda known: known)
    with pytest.raises(UsageError, match="seeds has a command evaluate; choose another name"):
        seedrank.seed_method("evaluate")(lambda candidates, k: candidates[:k])
    with pytest.raises(UsageError, match=r"mine declares \*known, which has no name"):
        seedrank.crawl_order("mine")(lambda *known: known)
    with pytest.raises(UsageError, match=r"batch .0. is not a number of pages"):
        seedrank.crawl_order("mine", batch=0)
    with pytest.raises(UsageError, match="there is a format warc"):
        seedrank.loader("warc")(lambda files: {})
    with pytest.raises(UsageError, match="there is a target urls"):
        seedrank.exporter("urls")(lambda url: url)


def test_a_function_that_nobody_registered_is_told(bench):
    def mine(known):
        return known

    with pytest.raises(UsageError, match="mine is not registered as a method of crawl; decorate it first"):
        bench.crawl(mine)
    with pytest.raises(UsageError, match=r"unknown order .mine.; one of fpr, "):
        bench.crawl("mine")


def test_a_method_registered_again_takes_the_place_of_the_first(bench):
    for sign in (1, -1):
        seedrank.crawl_order("mine")(lambda known, sign=sign: sign * known)
    assert CRAWL.names.count("mine") == 1
    seeds = ["https://a.example/0", "https://a.example/1"]
    assert bench.crawl("mine", seeds=seeds, limit=2).ranking.pages.tolist() == [0, 1]


def test_a_format_of_ones_own_is_loaded_and_exported(tmp_path):
    @seedrank.loader("arrows")
    def read(files, arrow="->"):
        """Lines such as a -> b."""
        rows = [line.split(arrow) for file in files for line in Path(file).read_text().splitlines()]
        return {"links": pd.DataFrame(rows, columns=["source", "target"]).map(lambda name: f"http://{name.strip()}/")}

    @seedrank.exporter("numbered")
    def write(rank, url, clicks_of=None):
        return (f"{place}\t{one}\n" for place, one in zip(rank, url, strict=True))

    (tmp_path / "web.txt").write_text("a => b\nb => a\n")
    with seedrank.open(tmp_path / "x.duckdb", create=True) as bench:
        bench.load(tmp_path / "web.txt", format="arrows", arrow="=>")
        assert sorted(bench.graph.urls.to_pylist()) == ["http://a/", "http://b/"]
        bench.rank("pagerank")
        bench.export("numbered", file=tmp_path / "out.txt")
        assert (tmp_path / "out.txt").read_text() == "1\thttp://a/\n2\thttp://b/\n"
        with pytest.raises(SeedrankError, match="arrows failed: FileNotFoundError"):
            bench.load(tmp_path / "none.txt", format="arrows")


def test_what_formats_do_wrong_is_one_line(bench, tmp_path):
    bench.rank("pagerank")
    seedrank.loader("nothing")(lambda files: 3)
    seedrank.loader("broken")(lambda files: files[9])
    seedrank.exporter("broken")(lambda url: [3])
    seedrank.exporter("asks")(lambda url, lkes: [])
    with pytest.raises(SeedrankError, match="nothing gives 3; give frames by kind, such as"):
        bench.load("x", format="nothing")
    with pytest.raises(SeedrankError, match="broken failed: IndexError: 'list index out of range'"):
        bench.load("x", format="broken")
    with pytest.raises(SeedrankError, match="broken failed: AttributeError"):
        bench.export("broken", file=tmp_path / "out.txt")
    with pytest.raises(GraphError, match="asks asks for lkes, and pages have no such column"):
        bench.export("asks", file=tmp_path / "out.txt")
    assert not (tmp_path / "out.txt").exists()


@pytest.mark.slow
def test_a_frontier_method_is_judged_beside_the_others(tmp_path):
    draw = np.random.default_rng(5)
    pages, clicks = 300, draw.pareto(1.0, 300).round() + 1
    url = np.array([f"https://h{page % 9}.example/{page}" for page in range(pages)])
    links = draw.integers(0, pages, (2, 8 * pages))
    with seedrank.open(tmp_path / "x.duckdb", create=True) as bench:
        bench.load(
            pages=pd.DataFrame({"url": url, "status": "crawled", "clicks": clicks}),
            links=pd.DataFrame({"source": url[links[0]], "target": url[links[1]]}),
        )

        @seedrank.frontier_method("oracle")
        def rank(problem):
            return clicks[problem.frontier]

        seedrank.frontier_method("worst")(lambda problem: -clicks[problem.frontier])
        found = bench.experiment(
            "impact", methods=[rank, "worst"], baseline="indegree", budgets=[0.2], splits=6, quick=True
        ).experiment
        shares = found.tables["summary"].to_pandas().query("part == 'all'").set_index("method")["share"]
        assert shares["oracle"] == pytest.approx(shares["ideal"]) == pytest.approx(1)
        own = {claim.key: claim for claim in found.claims if claim.key.endswith(" over indegree") and not claim.part}
        assert own["oracle over indegree"].outcome == "holds by construction"  # the hosts are examples
        assert own["worst over indegree"].outcome == "does not hold"
        assert own["oracle over indegree"].value == pytest.approx(100 * (1 - shares["indegree"]))
        with pytest.raises(UsageError, match="rw is judged anyway; name methods that you registered"):
            bench.experiment("impact", methods=["rw"])
        with pytest.raises(UsageError, match="baseline cannot be 'nothing'; one of random, "):
            bench.experiment("impact", methods=["worst"], baseline="nothing")
