"""``seedrank runs`` and ``seedrank experiment`` from the command line."""

from __future__ import annotations

import csv
import json
import shlex

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.cli.conftest import made_once
from tests.cli.outcomes import rows

pytestmark = pytest.mark.slow


@pytest.fixture
@made_once
def web(seedrank, tmp_path):
    """Forty sites of six pages; each site's first page links to all of it, and to the next site's first page."""
    links = []
    for site in range(40):
        home = f"http://s{site}.org/"
        links += [(home, f"{home}{page}") for page in range(1, 6)] + [(home, f"http://s{(site + 1) % 40}.org/")]
        links += [(f"{home}{page}", f"{home}{page % 5 + 1}") for page in range(1, 4)]
    pages = sorted({page for link in links for page in link})
    pq.write_table(pa.table({"url": pages, "status": ["crawled"] * len(pages)}), tmp_path / "pages.parquet")
    pq.write_table(
        pa.table({"source": [a for a, _ in links], "target": [b for _, b in links]}), tmp_path / "links.parquet"
    )
    assert seedrank("load", "table", "--pages", "pages.parquet", "--links", "links.parquet").code == 0
    return tmp_path


def test_runs_are_listed_with_their_commands_newest_first(seedrank, web):
    seedrank("rank", "indegree")
    seedrank("seeds", "maxout", "-k", "3")
    listed = rows(seedrank("runs"))
    assert [row["method"] for row in listed] == ["seeds maxout", "rank indegree"]
    assert listed[0]["command"] == "seedrank --store web.duckdb seeds maxout -k 3"
    seedrank("seeds", "greedy", "--no-sketch", "--tolerance", "1%")
    assert rows(seedrank("runs"))[0]["command"] == "seedrank --store web.duckdb seeds greedy --tolerance 1% --no-sketch"
    seedrank("runs", "delete", "run:latest")
    assert rows(seedrank("runs", "list")) == listed
    assert rows(seedrank("runs", "--top", "1", "list")) == listed[:1]
    shown = seedrank("runs", "--format", "table").out
    assert "parameters" not in shown
    assert "maxout" in shown


def test_a_run_is_shown(seedrank, web):
    made = rows(seedrank("seeds", "maxout", "-k", "3"))
    outcome = seedrank("runs", "show", "run:latest")
    assert rows(outcome) == made
    assert "again: seedrank --store web.duckdb seeds maxout -k 3" in outcome.err
    seedrank("rank", "pagerank", "--level", "host")
    hosts = rows(seedrank("runs", "show", "run:latest"))
    assert len(hosts) == 40
    assert hosts[0]["host"].endswith(".org")


def test_two_runs_are_compared(seedrank, web):
    one = rows(seedrank("seeds", "maxout", "-k", "3"))
    other = rows(seedrank("seeds", "outdegree", "-k", "4"))
    [second, first] = [row["id"] for row in rows(seedrank("runs"))]
    outcome = seedrank("runs", "compare", first, second)
    assert "method: seeds maxout -> seeds outdegree" in outcome.err
    assert "k: 3 -> 4" in outcome.err
    found = {row["id"]: row for row in rows(outcome)}
    ranks = [{row["id"]: row["rank"] for row in some} for some in (one, other)]
    assert set(found) == set(ranks[0]) | set(ranks[1])
    for page, row in found.items():
        assert row["rank_first"] == ranks[0].get(page)
        assert row["rank_second"] == ranks[1].get(page)
        assert row["url"].startswith("http://s")
        if page in ranks[0] and page in ranks[1]:
            assert row["move"] == ranks[0][page] - ranks[1][page]
    shared = set(ranks[0]) & set(ranks[1])
    assert f"shared {len(shared)}, overlap {len(shared) / len(found):.6g}" in outcome.err
    same = seedrank("runs", "compare", first, first)
    assert "the same was asked of the same graph" in same.err
    assert "overlap 1, rank correlation 1" in same.err


def test_a_run_is_forgotten_also_in_the_database(seedrank, web):
    assert seedrank("seeds", "maxout", "-k", "2", "--save").code == 0
    assert rows(seedrank("query", "MATCH (r:Run) RETURN count(r) AS n")) == [{"n": 1}]
    assert "deleted run:" in seedrank("runs", "delete", "run:latest").err
    assert rows(seedrank("query", "MATCH (r:Run) RETURN count(r) AS n")) == [{"n": 0}]
    assert rows(seedrank("runs")) == []
    outcome = seedrank("runs", "delete", "nope")
    assert outcome.code == 1
    assert "run 'nope' does not exist" in outcome.err
    assert "no run is kept" in seedrank("runs", "show", "run:latest").err


@pytest.mark.parametrize("name", ["../web.duckdb", ".hidden", ""])
def test_a_name_that_leads_elsewhere_is_no_run(seedrank, web, name):
    assert seedrank("runs", "delete", name).code == 1


def test_broken_records_do_not_hide_the_others(seedrank, web):
    seedrank("rank", "indegree")
    broken = web / "web.duckdb.seedrank" / "runs" / "broken"
    broken.mkdir()
    (broken / "run.json").write_text("{")
    outcome = seedrank("runs")
    assert [row["method"] for row in rows(outcome)] == ["rank indegree"]
    assert outcome.err.count("broken/run.json: not a run record") == 1
    assert seedrank("runs", "show", "broken").code == 1
    assert rows(seedrank("runs", "show", "run:latest"))
    assert seedrank("runs", "delete", "broken").code == 0
    assert not broken.exists()


def test_a_run_of_a_graph_that_was_made_anew_is_still_shown(seedrank, web):
    made = rows(seedrank("seeds", "maxout", "-k", "3"))
    (web / "web.duckdb").unlink()
    for rest in web.glob("web.duckdb.w*"):
        rest.unlink()
    (web / "few.csv").write_text("source,target\nhttp://a.org/,http://b.org/\n")
    assert seedrank("load", "table", "--links", "few.csv").code == 0
    outcome = seedrank("runs", "show", "run:latest")
    assert [row["id"] for row in rows(outcome)] == [row["id"] for row in made]
    assert "older version of the graph" in outcome.err
    outcome = seedrank("report")
    assert outcome.code == 0, outcome.err
    assert "ranks pages that the graph no longer has" in (web / "report.html").read_text()


@pytest.mark.slow
def test_hosts_pages_and_experiments_are_not_compared_with_each_other(seedrank, web):
    for command in (("rank", "indegree"), ("rank", "indegree", "--level", "host")):
        assert seedrank(*command).code == 0
    assert seedrank("experiment", "coverage", "--quick", "--min-pages", "1").code == 0
    [experiment, hosts, pages] = [row["id"] for row in rows(seedrank("runs"))]
    for one, other, why in ((experiment, pages, "cannot be compared"), (hosts, pages, "name two of one level")):
        outcome = seedrank("runs", "compare", one, other)
        assert outcome.code == 2
        assert why in outcome.err
    assert seedrank("experiment", "coverage", "--quick", "--min-pages", "2").code == 0
    outcome = seedrank("runs", "compare", experiment, "run:latest")
    assert "min_pages: 1 -> 2" in outcome.err
    assert "verdicts that changed 0" in outcome.err
    assert rows(outcome)[0]["verdict_first"]


def test_the_coverage_experiment(seedrank, web):
    outcome = seedrank("experiment", "coverage", "--quick", "--min-pages", "5", "--into", "out")
    claims = rows(outcome)
    assert {claim["verdict"] for claim in claims} <= {"holds", "does not hold", "cannot be judged", "no data"}
    assert all(claim["quote"] and claim["place"] and claim["region"] and claim["quantity"] for claim in claims)
    assert "left out: how seeds hold over time" in outcome.err
    with (web / "out" / "coverage-coverage.csv").open() as file:
        table = list(csv.DictReader(file))
    [best] = [r for r in table if (r["along"], r["k"], r["measure"], r["method"]) == ("k", "1", "pages", "MaxOut")]
    # A home page reaches its whole site of six pages.
    assert float(best["mean"]) == 6
    assert float(best["low"]) > 0
    whole, *parts = [c for c in claims if c["key"] == "random-worst-pages"]
    assert not whole["by_construction"]
    # On one of the 40 sites every draw of random pages has the home page: nothing is left to gain there.
    assert (whole["part"], whole["n"], whole["unit"], whole["least"]) == ("", 39, "sites with room", 0.2)
    assert whole["headroom"] > 2
    assert [part["part"] for part in parts][:2] == ["PageRank - Random", "OutDegree - Random"]
    assert whole["estimate"] == min(part["estimate"] for part in parts)
    again = rows(seedrank("experiment", "coverage", "--quick", "--min-pages", "5"))
    assert again == claims
    other = rows(seedrank("experiment", "coverage", "--quick", "--min-pages", "5", "--rng", "2"))
    assert [c["claim"] for c in other] == [c["claim"] for c in claims]


def test_sites_without_a_link_from_elsewhere_can_be_measured(seedrank, web):
    pages = [f"http://alone.org/{n}" for n in range(6)]
    links = pa.table({"source": pages[:1] * 5, "target": pages[1:]})
    pq.write_table(links, web / "alone.parquet")
    pq.write_table(pa.table({"url": pages, "status": ["crawled"] * 6}), web / "lonely.parquet")
    tables = ("--pages", "lonely.parquet", "--links", "alone.parquet")
    assert seedrank("load", "table", *tables).code == 0
    asked = ("experiment", "coverage", "--quick", "--min-pages", "6", "--into", "out")
    outcome = seedrank(*asked)
    assert "left out: 1 of 41 sites: fewer than `min_external_inlinks` 1 link from other sites" in outcome.err
    outcome = seedrank(*asked, "--min-external-inlinks", "0")
    assert "`min_external_inlinks` is 0): 1 of the 41 sites have none" in outcome.err
    with (web / "out" / "coverage-counts.csv").open() as file:
        counts = {row["sites"]: int(row["count"]) for row in csv.DictReader(file)}
    assert counts["measured"] == counts["with crawled pages"] == 41
    outcome = seedrank(*asked, "--min-external-inlinks", "5")
    assert outcome.code == 1
    assert "lower --min-pages (and --min-external-inlinks)" in outcome.err


@pytest.mark.slow
def test_seeds_are_followed_into_a_newer_store(seedrank, web):
    links = pa.table({"source": ["http://s1.org/"], "target": ["http://s1.org/new"]})
    pq.write_table(links, web / "more.parquet")
    pages = pq.read_table(web / "pages.parquet")
    newer = pa.concat_tables([pages, pa.table({"url": ["http://s1.org/new"], "status": ["crawled"]})])
    pq.write_table(newer, web / "newer.parquet")
    load = ("load", "table", "--pages", "newer.parquet", "--links", "links.parquet", "--links", "more.parquet")
    assert seedrank("--store", "later.duckdb", *load).code == 0
    outcome = seedrank(
        "experiment", "coverage", "--quick", "--min-pages", "5", "--newer", "later.duckdb", "--into", "out"
    )
    assert outcome.code == 0, outcome.err
    with (web / "out" / "coverage-transfer.csv").open() as file:
        found = {row["method"]: row for row in csv.DictReader(file)}
    assert float(found["MaxOut"]["new_pages"]) == pytest.approx(1 / 40)
    assert float(found["MaxOut"]["retained"]) == pytest.approx(100)
    assert seedrank("experiment", "coverage", "--newer", "nowhere.duckdb").code == 1


def test_generated_webs_are_marked(seedrank, tmp_path):
    assert seedrank("generate", "made", "--pages", "3000").code == 0
    assert seedrank("load", "table", "--pages", "made/pages.parquet", "--links", "made/links.parquet").code == 0
    claims = rows(seedrank("experiment", "coverage", "--quick", "--min-pages", "10"))
    assert all(claim["by_construction"] for claim in claims)


def test_what_cannot_be_measured_is_explained(seedrank, web, tmp_path, empty_store):
    outcome = seedrank("experiment", "coverage", "--min-pages", "1000")
    assert outcome.code == 1
    assert "no site is left; lower --min-pages" in outcome.err
    (tmp_path / "file").touch()
    outcome = seedrank("experiment", "coverage", "--quick", "--min-pages", "1", "--into", "file")
    assert outcome.code == 1
    assert len([line for line in outcome.err.splitlines() if line.startswith("seedrank: ")]) == 1
    outcome = seedrank("--store", empty_store, "experiment", "coverage")
    assert outcome.code == 1
    assert "the graph has no pages; load some" in outcome.err


@pytest.mark.parametrize(
    ("run", "command"),
    [
        ({}, "seedrank --store 'my web.duckdb' rank pagerank"),
        ({"parameters": {"damping": 0.5, "level": "host"}},
         "seedrank --store 'my web.duckdb' rank pagerank --damping 0.5 --level host"),
        ({"method": "seeds evaluate", "parameters": {"file": "a b.txt", "hops": 2}},
         "seedrank --store 'my web.duckdb' seeds evaluate 'a b.txt' --hops 2"),
        ({"method": "seeds greedy", "parameters": {"only": ["host=a", "clicks>0"], "history": "old.txt"}},
         "seedrank --store 'my web.duckdb' seeds greedy --only host=a --only 'clicks>0' --history old.txt"),
        ({"method": "crawl fpr@20", "parameters": {"inter_host_weight": 20.0, "window": 0.05, "limit": 9}},
         "seedrank --store 'my web.duckdb' crawl fpr --inter-host-weight 20.0 --limit 9"),
        ({"method": "seeds cores", "parameters": {"density": 90.0, "stop_first": True, "size": 20}},
         "seedrank --store 'my web.duckdb' seeds cores --density 90.0 --stop-first"),
        ({"method": "experiment ordering", "parameters": {"orders": ["fpr", "bfs"], "quick": True}},
         "seedrank --store 'my web.duckdb' experiment ordering fpr bfs --quick"),
        ({"method": "frontier rw-eg", "parameters": {"impact": "views", "omega": 0.5, "beta": 0.0}},
         "seedrank --store 'my web.duckdb' frontier rw-eg --impact views --omega 0.5"),
        ({"store": "bolt://h:1", "engine": "gds", "asked_engine": "auto"}, "seedrank --store bolt://h:1 rank pagerank"),
        ({"store": "bolt://h:1", "engine": "native", "asked_engine": "gds"},
         "seedrank --store bolt://h:1 rank pagerank --engine gds"),
        ({"store": "bolt://h:1", "asked_engine": "auto", "database": "news"},
         "seedrank --store bolt://h:1 --database news rank pagerank"),
        ({"asked_engine": "native"}, "seedrank --store 'my web.duckdb' rank pagerank --engine native"),
        ({"store": "spark+parquet:web", "engine": "spark", "asked_engine": "spark"},
         "seedrank --store spark+parquet:web rank pagerank --engine spark"),
        ({"method": "no such"}, "seedrank --store 'my web.duckdb' no such"),
    ],
)  # fmt: skip
def test_the_command_of_a_run(run, command):
    from seedrank.cli.command_words import command_of
    from seedrank.runs import Run

    record = {"id": "x", "method": "rank pagerank", "parameters": {}, "graph": "v", "store": "my web.duckdb",
              "engine": "native", "version": "0", "created": "2026", "seconds": 1.0}  # fmt: skip
    assert command_of(Run(**{**record, **run})) == command


def test_a_run_is_repeated_where_it_ran(seedrank, web):
    seedrank("rank", "indegree", "--engine", "native")
    command = "again: seedrank --store web.duckdb rank indegree --engine native"
    assert command in seedrank("runs", "repeat", "run:latest").err
    assert len(rows(seedrank("runs"))) == 2
    assert command in seedrank("runs", "show", "run:latest").err


def test_a_killed_experiment_leaves_no_folder(seedrank, web, monkeypatch):
    there = []

    def stop(*given, **more):
        there.extend(web.rglob("new"))
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("seedrank.cli.experiment.answer_to", stop)
        assert seedrank("experiment", "coverage", "--quick", "--into", "new/results").code == 130
    assert there == []
    assert seedrank("experiment", "coverage", "--quick", "--min-pages", "5", "--into", "new/results").code == 0
    assert any((web / "new" / "results").iterdir())


@pytest.mark.parametrize("words", ["report", "runs", "runs compare", "experiment coverage"])
def test_help(words, seedrank):
    assert seedrank(*words.split(), "--help").code == 0


def test_spearman_is_that_of_scipy(seedrank):
    from scipy.stats import spearmanr

    from seedrank.runs import Ranking
    from seedrank.runs.comparison import moves_of

    draw = np.random.default_rng(4)
    one, other = draw.permutation(30)[:20], draw.permutation(30)[:25]
    _, facts = moves_of(Ranking(one, np.zeros(20)), Ranking(other, np.zeros(25)))
    shared = np.intersect1d(one, other)
    places = [[list(some).index(page) for page in shared] for some in (one, other)]
    assert facts["rank correlation"] == pytest.approx(spearmanr(*places).statistic)
    assert facts["overlap"] == len(shared) / len(np.union1d(one, other))


@pytest.mark.slow
def test_the_command_of_every_kind_of_run_can_be_run(seedrank, tmp_path):
    """What a newcomer may ask, and the lines that are said to ask it again: the same rows."""
    assert seedrank("generate", "made", "--pages", "1500").code == 0
    tables = [word for kind in ("pages", "links", "hosts", "queries", "results")
              for word in (f"--{kind}", f"made/{kind}.parquet")]  # fmt: skip
    assert seedrank("load", "table", *tables).code == 0
    assert seedrank("seeds", "maxweight", "-k", "4", "-o", "seeds.csv").code == 0
    frontier = rows(seedrank("frontier", "indegree", "--top", "1"))[0]["url"]
    asked = [
        ("rank", "hits", "--iterations", "9"),
        ("seeds", "greedy", "-k", "3", "--hops", "2", "--tolerance", "1%", "--no-sketch"),
        ("seeds", "cores", "-k", "3", "--density", "90", "--stop-first"),
        ("seeds", "evaluate", "seeds.csv", "--hops", "2"),
        ("seeds", "reduce", "seeds.csv", "--keep-share", "90%"),
        ("crawl", "fpr", "--inter-host-weight", "20", "--limit", "50", "--seeds", "run:latest"),
        ("crawl", "windowed-rankmass", "--window", "20%", "--limit", "50", "--seeds", "cores:3"),
        ("crawl", "rw-eg", "--impact", "views", "--omega", "0.5", "--limit", "60", "--seeds", "seeds.csv"),
        ("crawl", "compare", "fpr@2", "bfs", "--limit", "50", "--seeds", "seeds.csv"),
        ("frontier", "rw-eg", "--omega", "0.3", "--budget", "5%"),
        ("frontier", "tune", "--resamples", "3", "--budget", "10%"),
        ("frontier", "learn", "--model", "m.json", "--kind", "sgd", "--extras"),
        ("explain", frontier, "--impact", "views"),
        ("experiment", "coverage", "--quick", "--min-pages", "10"),
    ]
    for words in asked:
        first = seedrank("-q", *words)
        assert first.code == 0, f"{words}: {first.err}"
        command = rows(seedrank("-q", "runs", "--top", "1"))[0]["command"]
        again = shlex.split(command)
        assert again[0] == "seedrank"
        assert again[3 : 3 + len(words[:2])][0] == words[0], command
        second = seedrank("-q", *again[1:])
        assert second.code == 0, f"{command}: {second.err}"
        assert _timeless(second.out) == _timeless(first.out), command


def _timeless(text: str) -> list[dict]:
    return [{k: v for k, v in json.loads(line).items() if "second" not in k and k != "us_per_page"}
            for line in text.splitlines()]  # fmt: skip
