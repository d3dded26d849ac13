"""``seedrank frontier``, ``explain`` and ``experiment impact`` from the command line."""

from __future__ import annotations

import json
import re
from collections import Counter
from urllib.parse import unquote

import pytest

from tests.cli.conftest import made_once
from tests.cli.outcomes import rows

pytestmark = pytest.mark.slow

URL = "http://{}.example/".format
LINKS = [(1, 2), (2, 5), (2, 6), (3, 5), (3, 6), (3, 7), (4, 5), (4, 6)]
IMPACT = {1: 0, 2: 1, 3: 2, 4: 0, 5: 10}


def refused(outcome, code, *words):
    """One line that says all of `words`."""
    assert outcome.code == code, outcome.err
    said = outcome.err.splitlines()
    assert said[-1].startswith("seedrank: ")
    assert "Traceback" not in outcome.err
    for word in words:
        assert word in said[-1]


@pytest.fixture
@made_once
def figure(seedrank, tmp_path):
    """Fig. 2 of Tran et al. 2015 as tables: v1..v5 crawled, v6 and v7 frontier."""
    pages = "".join(f"{URL(f'v{n}')},crawled,{clicks},{-clicks},0\n" for n, clicks in IMPACT.items())
    (tmp_path / "pages.csv").write_text("url,status,clicks,debt,nothing\n" + pages)
    links = "".join(f"{URL(f'v{a}')},{URL(f'v{b}')},red tea v{b}\n" for a, b in LINKS)
    (tmp_path / "links.csv").write_text("source,target,anchor\n" + links)
    (tmp_path / "queries.csv").write_text("query,freq,need\nred v7,3,1\nblue,100,1\nTea,1,0.5\n")
    assert seedrank("load", "table", "--pages", "pages.csv", "--links", "links.csv").code == 0
    return tmp_path


@pytest.mark.parametrize(
    ("omega", "expected"), [(1, (0.023556, 0.022643)), (0.5, (0.029662, 0.024426)), (0.1, (0.034058, 0.025689))]
)
def test_worked_check_through_the_store(seedrank, figure, omega, expected):
    found = rows(seedrank("frontier", "rw-eg", "--omega", omega))
    assert [row["url"] for row in found] == [URL("v6"), URL("v7")]
    assert [row["score"] for row in found] == pytest.approx(expected, abs=5e-7)
    assert [row["in_links"] for row in found] == [3, 1]


def test_every_method_answers_and_is_kept(seedrank, figure):
    assert seedrank("load", "table", "--queries", "queries.csv").code == 0
    methods = ("random", "indegree", "pagerank", "q-overlap", "q-hybrid", "rw", "rw-eg")
    for method in methods:
        assert len(rows(seedrank("frontier", method, "--budget", "50%"))) == 1
    assert {row["method"] for row in rows(seedrank("runs"))} == {f"frontier {method}" for method in methods}
    found = rows(seedrank("frontier", "q-overlap"))
    assert [(row["url"], row["score"]) for row in found] == [(URL("v7"), 3.5), (URL("v6"), 0.5)]
    assert rows(seedrank("frontier", "q-overlap", "--match", "share"))[0]["score"] == 3.5


def test_only_some_frontier_pages(seedrank, figure):
    assert [row["url"] for row in rows(seedrank("frontier", "rw", "--only", "url=*v7*"))] == [URL("v7")]
    refused(seedrank("frontier", "rw", "--only", "url=*v1*"), 1, "no frontier page may be chosen")


def test_virtual_links_are_saved_for_exploration(seedrank, figure):
    assert seedrank("frontier", "rw-eg", "--save", "--save-links").code == 0
    query = (
        "MATCH (a:Page)-[r:CO_CITED]->(b:Page) RETURN a.url AS a, b.url AS b, r.weight AS weight ORDER BY weight DESC"
    )
    assert [tuple(row.values()) for row in rows(seedrank("query", query))] == [
        (URL("v5"), URL("v6"), 3),
        (URL("v5"), URL("v7"), 1),
    ]


def test_a_fan_out_cap_is_reported(seedrank, figure):
    outcome = seedrank("frontier", "rw-eg", "--fan-out-cap", 2)
    assert "1 pages with more than 2 links were left out of co-citation, and with them 2 pairs" in outcome.err
    assert rows(outcome)[0]["url"] == URL("v6")


def test_events_of_a_time(seedrank, figure):
    days = "".join(f"2024-01-0{day},{URL(f'v{n}')},{clicks}\n" for day, n, clicks in [(1, 5, 10), (2, 2, 1), (3, 3, 2)])
    (figure / "events.csv").write_text("time,url,clicks\n" + days)
    whole = rows(seedrank("frontier", "rw", "--events", "events.csv"))
    assert [row["score"] for row in whole] == pytest.approx((0.023556, 0.022643), abs=5e-7)
    week = rows(seedrank("frontier", "rw", "--events", "events.csv", "--from", "2024-01-02", "--to", "2024-01-03"))
    assert week[0]["score"] != pytest.approx(whole[0]["score"], rel=1e-3)


def test_explain_adds_up(seedrank, figure):
    outcome = seedrank("explain", URL("v7"), "--omega", 0.5)
    found = rows(outcome)
    assert {row["url"] for row in found} == {URL("v3"), URL("v5")}
    by = {row["url"]: row for row in found}
    assert by[URL("v5")]["via_link"] == 0 < by[URL("v5")]["via_co_citation"]
    assert by[URL("v3")]["via_co_citation"] == 0 < by[URL("v3")]["via_link"]
    assert 0.15 / 7 + sum(row["score"] for row in found) == pytest.approx(0.024426, abs=5e-7)
    assert "rw-eg: place 2 of 2" in outcome.err
    refused(seedrank("explain", URL("v1")), 2, "is crawled")
    refused(seedrank("explain", URL("v9")), 2, "no page is")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("rw-eg", "--omega", "1.5"), 2, "--omega must be at most 1"),
        (("rw", "--omega", "-0.1"), 2, "rw does not use --omega; it goes with rw-eg, learned"),
        (("rw", "--damping", "1.1"), 2, "damping must be"),
        (("rw", "--damping", "-1"), 2, "damping must be"),
        (("rw", "--beta", "-1"), 2, "beta must be"),
        (("q-hybrid", "--lambda", "2"), 2, "lambda must be"),
        (("rw", "--budget", "3"), 2, "more than the 2 frontier pages"),
        (("rw", "--budget", "101%"), 2, "more than the 2 frontier pages"),
        (("rw", "--budget", "none"), 2, "is not a budget"),
        (("rw", "--impact", "debt"), 1, "'debt' of page 1 is -1"),
        (("rw", "--impact", "views"), 1, "no column 'views'"),
        (("rw", "--impact", "url"), 1, "no column 'url'"),
        (("rw", "--impact-transform", "cube"), 2, "one of linear, log1p, rank"),
        (("rw-eg", "--virtual", "ff"), 2, "one of df, dd"),
        (("rw-eg", "--fan-out-cap", "0"), 2, "at least 1"),
        (("q-overlap",), 1, "load some with --queries"),
        (("q-hybrid",), 1, "load some with --queries"),
        (("rw", "--from", "2024-01-01"), 2, "--events"),
        (("rw", "--events", "none.csv"), 1, "none.csv"),
        (("learned", "--model", "none.json"), 1, "none.json"),
        (("tune", "--hide", "100%"), 2, "--hide must be below 100%"),
        (("tune", "--hide", "much"), 2, "is not a share"),
        (("tune", "--splits", "4"), 2, "--splits must be at least 5, not 4"),
        (("learn", "--splits", "4"), 2, "--splits must be at least 5, not 4"),
        (("tune", "--impact", "nothing"), 1, "nothing to judge by"),
        (("learn", "--kind", "oracle"), 2, "one of tree, sgd, boosting"),
    ],
)
def test_bad_input(seedrank, figure, words, code, said):
    refused(seedrank("frontier", *words), code, said)


def test_impact_that_is_all_zero_leaves_pagerank_and_says_so(seedrank, figure):
    outcome = seedrank("frontier", "rw", "--impact", "nothing")
    assert "PageRank is what remains" in outcome.err
    assert [row["score"] for row in rows(outcome)] == pytest.approx([0.053455, 0.0275], abs=5e-7)


def test_no_frontier_and_nothing_crawled(seedrank, tmp_path):
    (tmp_path / "links.csv").write_text(f"source,target\n{URL('a')},{URL('b')}\n{URL('b')},{URL('a')}\n")
    assert seedrank("load", "table", "--links", "links.csv").code == 0
    refused(seedrank("frontier", "pagerank"), 1, "no page is frontier", "experiment impact")
    (tmp_path / "pages.csv").write_text(f"url,status,clicks\n{URL('a')},frontier,1\n")
    assert seedrank("--store", "other.duckdb", "load", "table", "--pages", "pages.csv").code == 0
    refused(seedrank("--store", "other.duckdb", "frontier", "pagerank"), 1, "no page is crawled")
    refused(seedrank("--store", "other.duckdb", "experiment", "impact"), 1, "no page is crawled")


def test_words_follow_the_impact(seedrank, figure):
    assert "% of which have clicks" in seedrank("frontier", "rw").err
    assert "0 % of which have nothing" in seedrank("frontier", "rw-eg", "--impact", "nothing").err
    without = seedrank("frontier", "indegree")
    shown = seedrank("runs", "show", "run:latest")
    assert "from 5 crawled pages\n" in without.err
    assert "%" not in without.err
    assert "share_of_crawled_with_impact" not in shown.err


@pytest.fixture(scope="module")
def generated(tmp_path_factory):
    from seedrank.ingest.synthetic import WebSpec, write_tables

    return write_tables(WebSpec(3000, rng=4, crawled=0.5), tmp_path_factory.mktemp("generated") / "web")


@pytest.fixture
@made_once
def made(seedrank, generated):
    """A generated web in the default store."""
    kinds = ("pages", "links", "hosts", "queries", "results")
    tables = [part for kind in kinds for part in (f"--{kind}", generated / f"{kind}.parquet")]
    assert seedrank("load", "table", *tables).code == 0
    return generated


ALL = {
    "random", "indegree", "pagerank", "q-overlap", "q-hybrid", "rw", "rw-eg", "rw-tuned", "rw-eg-tuned",
    "learned-tree", "learned-sgd", "learned-boosting", "ideal",
}  # fmt: skip

FITTED = {"rw-tuned", "rw-eg-tuned", "learned-tree", "learned-sgd", "learned-boosting"}


def judged(seedrank, *words):
    claims = rows(seedrank("experiment", "impact", "--quick", "--splits", 2, "--into", "into", *words))
    assert len(claims) >= 12
    for claim in claims:
        holds = "holds by construction" if claim["by_construction"] else "holds"
        assert claim["verdict"] in (holds, "does not hold", "cannot be judged", "no data", "figure")
    assert all(claim["why"] for claim in claims if claim["verdict"] in ("cannot be judged", "no data"))
    return claims


def table(folder, name):
    import pyarrow.csv

    return pyarrow.csv.read_csv(folder / "into" / f"impact-{name}.csv").to_pylist()


def advised(outcome, found, default, what):
    """The last remark is what to do: share and difference with their intervals."""
    share, points = r"\d+\.\d % \[\d+\.\d, \d+\.\d\]", r"[+-]\d+\.\d points \[-?\d+\.\d, -?\d+\.\d\]"
    over = r" \(95 %, over 5 splits of this graph\)"
    use = f"use {re.escape(found)}: {share} of the ideal, {points} over the default{over}"
    keep = f"keep the default, {re.escape(default)}: {share} of the ideal; {what} gives {points} against it{over}"
    last = outcome.err.splitlines()[-1]
    assert re.fullmatch(f"{use}|{keep}", last), last
    low = float(re.search(r"points \[(-?[\d.]+),", last)[1])
    assert low >= 0 or last.startswith("keep")


@pytest.mark.slow
def test_learning_and_tuning_on_a_generated_web(seedrank, made, tmp_path):
    tune = ("frontier", "tune", "--budget", "5%", "--resamples", 2, "--splits", 5)
    outcome = seedrank(*tune, "--truth", made / "truth.parquet")
    grid = rows(outcome)
    assert len(grid) == 22
    best = max(grid, key=lambda row: row["score"])
    advised(outcome, f"--omega {best['omega']:g} --beta {best['beta']:g}", "--omega 0.8 --beta 0", "tuning")
    learn = ("frontier", "learn", "--kind", "boosting", "--extras", "--model", "m.json", "--splits", 5)
    outcome = seedrank(*learn)
    assert sum(row["importance"] for row in rows(outcome)) == pytest.approx(1)
    assert outcome.err.count("on pages not learnt from") == 4
    assert outcome.err.count("on all pages of known impact") == 3
    advised(outcome, "frontier learned --model m.json", "frontier rw-eg", "the model")
    shown = seedrank("runs", "show", "run:latest").err
    for fact in (r"gain_low: -?\d.*", "advice: (use|keep)"):
        assert re.search(f"^{fact}$", shown, re.MULTILINE)
    first = rows(seedrank("frontier", "learned", "--model", "m.json", "--budget", "10"))
    assert len(first) == 10
    assert rows(seedrank("frontier", "learned", "--model", "m.json", "--budget", "10")) == first
    assert len(rows(seedrank("frontier", "learned", "--budget", "10"))) == 10
    model = json.loads((tmp_path / "m.json").read_text())
    (tmp_path / "m.json").write_text(json.dumps({**model, "seedrank model": 99}))
    refused(seedrank("frontier", "learned", "--model", "m.json"), 1, "another version")
    (tmp_path / "m.json").write_text(json.dumps({**model, "features": ["moon"]}))
    refused(seedrank("frontier", "learned", "--model", "m.json"), 1, "not to be had here: moon")


@pytest.mark.slow
@pytest.mark.parametrize("real_frontier", [False, True])
def test_experiment_on_a_generated_web(seedrank, made, tmp_path, real_frontier):
    words = ("--truth", made / "truth.parquet") if real_frontier else ("--hide", "35%", "--impact", "views")
    judged(seedrank, *words)
    shares = table(tmp_path, "shares")
    assert {row["method"] for row in shares} == ALL
    assert {row["split"] for row in shares} == {0, 1}
    assert all(row["share"] == pytest.approx(1) for row in shares if row["method"] == "ideal")
    assert all(row["share"] == pytest.approx(1) for row in shares if row["budget"] == 1)
    assert {row["budget"] for row in shares if row["asked"]} == {0.01, 0.02, 0.05, 0.1}
    if not real_frontier:
        assert {row["impact"] for row in table(tmp_path, "ratios")} == {"clicks", "views"}
    facts = {row["fact"]: row["value"] for row in table(tmp_path, "facts")}
    impact = "clicks" if real_frontier else "views"
    hops = [value for fact, value in facts.items() if fact.startswith(f"frontier pages with {impact} ")]
    assert sum(hops) == pytest.approx(1)
    assert not [fact for fact in facts if "click" in fact and not real_frontier]
    assert (tmp_path / "into" / "impact-share-by-budget.svg").read_text().startswith("<svg")


@pytest.mark.slow
def test_experiment_with_other_files_is_made_anew(seedrank, made, tmp_path):
    truth = tmp_path / "truth.csv"
    truth.write_text("id,clicks\n" + "".join(f"{n},{n % 7}\n" for n in range(3000)))
    first = judged(seedrank, "--truth", truth)
    assert judged(seedrank, "--truth", truth) == first
    truth.write_text("id,clicks\n" + "".join(f"{n},{(n * n) % 11}\n" for n in range(3000)))
    assert judged(seedrank, "--truth", truth) != first


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--hide", "0%"), 2, "--hide must be above 0%"),
        (("--budget", "0%"), 2, "--budget must be above 0%"),
        (("--budget", "x"), 2, "is not a share"),
        (("--impact", "fame"), 1, "no column 'fame'"),
        (("--truth", "none.csv"), 1, "none.csv"),
    ],
)
def test_bad_experiments(seedrank, made, words, code, said):
    refused(seedrank("experiment", "impact", *words), code, said)


@pytest.mark.slow
def test_wikispeedia_end_to_end(seedrank, shared_data, tmp_path):
    """Articles, links and views; target articles of the players' missions stand in for searches."""
    data = shared_data("wikispeedia")
    (tmp_path / "views.tsv").write_text("".join((data / "page_views.tsv").read_text().splitlines(True)[1:]))
    missions = [line.split(";")[-1] for line in (data / "paths_finished_resolved.tsv").read_text().splitlines() if line]
    targets = Counter(unquote(article).replace("_", " ") for article in missions)
    queries = "".join(f"{text}\t{count}\n" for text, count in targets.items())
    (tmp_path / "queries.tsv").write_text(f"query\tfreq\n{queries}")
    load = ("--pages", "views.tsv", "--page-columns", "url,views", "--links", data / "links.tsv")
    names = ("--link-columns", "source,target", "--queries", "queries.tsv")
    assert seedrank("load", "table", *load, *names, "--url-prefix", "https://en.wikipedia.org/wiki/").code == 0
    claims = judged(seedrank, "--impact", "views", "--queries-are", "target articles of missions")
    assert any("target articles of missions" in claim["why"] for claim in claims)
    shares = table(tmp_path, "shares")
    assert {row["method"] for row in shares} == ALL
    asked = {(row["part"], row["method"], row["budget"]): row["share"] for row in shares if row["asked"]}
    assert asked["unseen", "rw-eg-tuned", 0.1] > asked["unseen", "random", 0.1] + 0.3
    assert asked["all", "pagerank", 0.1] > asked["all", "random", 0.1] + 0.3
    # The figure: every split at every budget, no matter how many pages it has.
    curves = Counter((row["part"], row["method"], row["budget"]) for row in shares if not row["asked"])
    assert set(curves.values()) == {2}


def test_experiment_on_so_few_pages_that_budgets_fall_together(seedrank, tmp_path):
    links = "".join(f"{URL(f'p{a}')},{URL(f'p{(a * a + b) % 40}')}\n" for a in range(40) for b in (1, 3, 7))
    (tmp_path / "links.csv").write_text("source,target\n" + links)
    pages = "".join(f"{URL(f'p{n}')},crawled,{n % 5},{n % 9}\n" for n in range(40))
    (tmp_path / "pages.csv").write_text("url,status,clicks,views\n" + pages)
    assert seedrank("load", "table", "--pages", "pages.csv", "--links", "links.csv").code == 0
    claims = rows(seedrank("experiment", "impact", "--splits", 1, "--quick", "--into", "into"))
    assert {claim["claim"] for claim in claims if claim["by_construction"]}
    found = table(tmp_path, "summary")
    without_searches = ALL - {"q-overlap", "q-hybrid"}
    assert {row["method"] for row in found if row["part"] == "unseen"} == without_searches
    assert {row["method"] for row in found if row["part"] == "all"} == without_searches - FITTED
    assert len(found) == 4 * (2 * len(without_searches) - len(FITTED))
    assert max(row["normalised_ctr"] for row in found if row["method"] != "ideal") == pytest.approx(1)


@pytest.fixture
@made_once
def recorded(seedrank, tmp_path):
    """An old recording, 120 crawled and 40 frontier pages; and later.csv, in-links that a later one counts of them."""
    links = [(f"p{a}", f"p{(a * a + b) % 120}") for a in range(120) for b in (1, 3, 7)]
    links += [(f"p{a}", f"f{(a * a // 5 * b + a) % 40}") for a in range(120) for b in (0, 1)]
    rows = "".join(f"{URL(a)},{URL(b)}\n" for a, b in links)
    (tmp_path / "links.csv").write_text(f"source,target\n{rows}")
    (tmp_path / "pages.csv").write_text(f"url,status\n{URL('gone')},missing\n{URL('alone')},frontier\n")
    assert seedrank("load", "table", "--pages", "pages.csv", "--links", "links.csv").code == 0
    later = [(f"f{n}", n * n % 17) for n in range(40)] + [("p3", 5), ("p4", 6), ("new", 7), ("gone", 2), ("alone", "")]
    rows = "".join(f"{URL(page)},{grown}\n" for page, grown in later)
    (tmp_path / "later.csv").write_text(f"url,inlinks\n{rows}")
    assert seedrank("rank", "indegree", "--write", "inlinks").code == 0
    return tmp_path


def test_a_frontier_in_time(seedrank, recorded):
    """The pages that a later recording adds, judged by its in-links, where there are neither clicks nor views."""
    outcome = seedrank(
        "experiment", "impact", "--impact", "inlinks", "--truth", "later.csv", "--quick", "--into", "into"
    )
    assert len(rows(outcome)) >= 10
    assert "frontier: 40 frontier pages whose impact became known since (later.csv)" in outcome.err
    assert "impact: inlinks, which stands in for clicks or views" in outcome.err
    left = [line for line in outcome.err.splitlines() if line.startswith("left out: 5 pages of later.csv")]
    assert len(left) == 1
    for words in ("2 crawled already", "1 missing", "1 without inlinks", "1 not in the store", URL("new")):
        assert words in left[0]
    found = table(recorded, "shares")
    assert {row["pages"] for row in found if row["part"] == "all" and row["budget"] == 1} == {40}
    # Every split has the same pages: no interval where nothing was drawn.
    whole = [row for row in table(recorded, "summary") if row["part"] == "all"]
    assert whole and all(row["low"] is None for row in whole)


def test_tuning_and_learning_on_a_frontier_in_time(seedrank, recorded):
    later = ("--impact", "inlinks", "--truth", "later.csv", "--splits", 5, "--budget", "20%")
    first = seedrank("frontier", "tune", *later, "--resamples", 2)
    grid = rows(first)
    for outcome in (first, seedrank("frontier", "learn", *later, "--model", "m.json")):
        assert "40 frontier pages whose impact became known since (later.csv)" in outcome.err
        assert "left out: 5 pages of later.csv" in outcome.err
        assert re.match("use |keep the default, ", outcome.err.splitlines()[-1])
    # On all pages of one frontier there is nothing to draw, and no interval.
    assert re.search(r"^rw-eg: [\d.]+ % of the ideal on all pages of known impact$", outcome.err, re.MULTILINE)
    # Parts that are kept are good for this table only.
    assert rows(seedrank("frontier", "tune", *later, "--resamples", 2)) == grid
    (recorded / "later.csv").write_text("url,inlinks\n" + "".join(f"{URL(f'f{n}')},{n}\n" for n in range(40)))
    assert rows(seedrank("frontier", "tune", *later, "--resamples", 2)) != grid


def test_a_frontier_that_is_hidden_says_so(seedrank, recorded):
    outcome = seedrank("experiment", "impact", "--impact", "inlinks", "--quick")
    assert rows(outcome)
    assert "frontier: 35 % of the crawled pages, hidden at random" in outcome.err
    shown = seedrank("runs", "show", "run:latest")
    assert "hidden at random" in shown.err
    assert seedrank("report", "-o", "report.html").code == 0
    assert "hidden at random" in (recorded / "report.html").read_text()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("url,inlinks\nhttp://p3.example/,5\n", ("nothing became known of any frontier page",)),
        ("url,visits\nhttp://f3.example/,5\n", ("later.csv", "has no column 'inlinks'")),
        ("url,inlinks\nhttp://f3.example/,-5\n", ("later.csv", "column inlinks", "-5")),
        ("url,inlinks\nhttp://f3.example/,inf\n", ("later.csv", "column inlinks", "inf")),
        ("url,inlinks\nhttp://f3.example/,5\n", ("too few pages of known impact to fit and to judge on: 1",)),
    ],
)
def test_bad_tables_of_what_became_known(seedrank, recorded, text, said):
    (recorded / "later.csv").write_text(text)
    refused(seedrank("experiment", "impact", "--impact", "inlinks", "--truth", "later.csv"), 1, *said)
