"""``seedrank crawl`` and ``seedrank experiment ordering`` from the command line."""

from __future__ import annotations

import pytest

from tests.cli.conftest import made_once
from tests.cli.outcomes import rows

FIGURE_2 = "source,target\n" + "".join(
    f"http://x.example/{a},http://{host}.example/{b}\n"
    for a, host, b in [
        ("a", "x", "b"), ("a", "x", "c"), ("b", "x", "d"), ("b", "x", "e"), ("c", "x", "b"), ("c", "x", "e"),
        ("e", "y", "f"),
    ]
)  # fmt: skip


@pytest.fixture
@made_once
def web(seedrank, tmp_path):
    (tmp_path / "links.csv").write_text(FIGURE_2)
    (tmp_path / "seeds.txt").write_text("http://x.example/a\n")
    assert seedrank("load", "table", "--links", "links.csv").code == 0
    return tmp_path


def last(row) -> str:
    return row["url"][-1]


def test_fpr(seedrank, web):
    found = rows(seedrank("crawl", "fpr", "--seeds", "seeds.txt"))
    assert "".join(map(last, found)) == "abcefd"
    assert found[0]["score"] == pytest.approx(0.15)
    assert [row["discovered"] for row in found] == [1, 2, 3, 5, 6, 4]
    assert list(found[0]) == ["rank", "id", "source_id", "url", "host", "score", "discovered"]


@pytest.mark.slow
def test_the_order_is_kept_and_can_be_seeds_again(seedrank, web):
    outcome = seedrank("crawl", "bfs", "--seeds", "seeds.txt")
    assert "6 pages from 1 seed, 2 hosts" in outcome.err
    assert rows(seedrank("runs"))[0]["method"] == "crawl bfs"
    assert "".join(map(last, rows(seedrank("crawl", "bfs", "--seeds", "run:latest:2", "--limit", "2")))) == "ab"


@pytest.mark.slow
@pytest.mark.parametrize(
    "order",
    [
        "rankmass", "windowed-rankmass", "opic", "l-neighbor", "bfs", "backlink", "pagerank", "larger-sites",
        "transdomain", "omniscient", "random",
    ],
)  # fmt: skip
def test_every_order_fetches_everything(seedrank, web, order):
    found = rows(seedrank("crawl", order, "--seeds", "seeds.txt"))
    assert sorted(map(last, found)) == list("abcdef")
    assert last(found[0]) == "a"


def test_rankmass_stops_at_its_bound(seedrank, web):
    outcome = seedrank("crawl", "rankmass", "--seeds", "seeds.txt", "--epsilon", "0.05")
    assert "of the RankMass" in outcome.err
    assert rows(outcome)[-1]["bound"] > 0.3


@pytest.mark.slow
def test_seeds_by_methods(seedrank, web):
    assert len(rows(seedrank("crawl", "fpr", "--seeds", "pagerank:2", "--limit", "2"))) == 2
    assert last(rows(seedrank("crawl", "fpr", "--seeds", "maxweight:1"))[0]) == "a"


@pytest.mark.slow
def test_politeness(seedrank, web):
    options = ("--seeds", "seeds.txt", "--host-delay", "10", "--parallel", "2")
    outcome = seedrank("crawl", "fpr", *options)
    assert [row["second"] for row in rows(outcome)] == [0, 10, 20, 30, 31, 40]
    assert "simulated hours" in outcome.err
    assert len(rows(seedrank("crawl", "fpr", *options, "--hours", "0.005"))) == 2


def test_caps(seedrank, web):
    outcome = seedrank("crawl", "fpr", "--seeds", "seeds.txt", "--per-host", "2")
    assert "".join(map(last, rows(outcome))) == "ab"
    assert "stopped after 2 of 6 pages" in outcome.err
    assert "over the cap" in outcome.err


@pytest.mark.slow
def test_transdomain_is_capped_by_host_and_by_domain_where_a_site_is_one(seedrank, tmp_path):
    (tmp_path / "links.csv").write_text(
        "source,target\nhttp://a.x.example/1,http://a.x.example/2\nhttp://a.x.example/1,http://b.x.example/3\n"
    )
    assert seedrank("load", "table", "--links", "links.csv").code == 0
    words = ("crawl", "transdomain", "--seeds", "http://a.x.example/1", "--per-host", "1")
    assert "".join(map(last, rows(seedrank(*words)))) == "13"
    assert "".join(map(last, rows(seedrank(*words, "--site", "domain")))) == "1"


@pytest.mark.slow
def test_spam_is_told_of_labelled_pages(seedrank, web):
    (web / "spam.csv").write_text(
        "url,spam\nhttp://x.example/a,0\nhttp://x.example/b,1\nhttp://x.example/c,0\nhttp://x.example/d,\n"
    )
    assert seedrank("load", "table", "--pages", "spam.csv").code == 0
    assert "spam 33.3 % of 3 labelled pages" in seedrank("crawl", "bfs", "--seeds", "seeds.txt").err
    leaf = seedrank("crawl", "bfs", "--seeds", "http://x.example/d")
    assert "no fetched page is labelled as spam or not" in leaf.err
    (row,) = rows(seedrank("crawl", "compare", "bfs", "--seeds", "seeds.txt"))
    assert row["spam"] == pytest.approx(1 / 3)
    assert row["spam_labelled"] == 3
    assert row["spam_50"] == pytest.approx(1 / 3)
    assert row["spam_50_labelled"] == 3
    (web / "good.txt").write_text("http://x.example/a\n")
    told = ("--seeds", "seeds.txt", "--first", "1", "--first", "50%", "--trusted", "good.txt")
    outcome = seedrank("crawl", "bfs", *told)
    assert "first 1: trusted 100.0 % of 1 labelled page of 1 fetched" in outcome.err
    (row,) = rows(seedrank("crawl", "compare", "bfs", *told))
    assert (row["trusted_first_1"], row["trusted_first_1_labelled"], row["spam_first_1_labelled"]) == (1.0, 1, 1)
    # What cannot be measured is told before the crawl, which may take an hour.
    outcome = seedrank("crawl", "bfs", "--seeds", "http://x.example/d", "--trusted", "nowhere.txt")
    assert outcome.code == 1
    assert outcome.err.startswith("seedrank: nowhere.txt: file not found")
    outcome = seedrank("crawl", "bfs", "--seeds", "seeds.txt", "--first", "none")
    assert "--first 'none' is not a number of pages" in outcome.err


@pytest.mark.slow
def test_comparison(seedrank, web):
    outcome = seedrank(
        "crawl", "compare", "fpr", "fpr@20", "windowed-rankmass:5%", "pagerank:partial", "bfs", "--seeds", "seeds.txt",
        "--into", "figures",
    )  # fmt: skip
    found = rows(outcome)
    assert [row["order"] for row in found] == ["fpr", "fpr@20", "windowed-rankmass:5%", "pagerank:partial", "bfs"]
    assert all(row["pages"] == 6 and row["pagerank"] == pytest.approx(1) for row in found)
    names = {path.name for path in (web / "figures").iterdir()}
    assert {"crawl-compare-effectiveness.svg", "crawl-compare-run-time.svg", "crawl-compare-curves.csv"} <= names


@pytest.mark.slow
def test_experiment(seedrank, web, monkeypatch):
    monkeypatch.setattr("seedrank.experiments.ordering.measure.MOST_AT_ONCE", 1)
    assert seedrank("generate", "--graph", "made", "--pages", "1500").code == 0
    outcome = seedrank("--store", "made", "experiment", "ordering", "--quick", "--into", "figures")
    claims = rows(outcome)
    assert len([claim for claim in claims if not claim["part"]]) == 11
    assert len([claim for claim in claims if claim["key"] == "every-m-better"]) == 4
    assert {claim["paper"] for claim in claims} == {"Alam et al."}
    # The web is made: no claim on it simply holds.
    verdicts = {claim["verdict"] for claim in claims}
    assert verdicts <= {"holds by construction", "does not hold", "cannot be judged", "no data"}
    assert all(claim["region"] for claim in claims)
    ours = {claim["key"] for claim in claims if not (claim["quote"] and claim["place"])}
    assert ours == {"fpr over bfs"}, "all others are sentences of the paper"
    # Times are taken again until they settle.
    assert {claim["n"] for claim in claims if claim["unit"] != "runs on this machine"} == {5}
    assert all(claim["n"] >= 5 for claim in claims)
    for name in ("effectiveness.svg", "area.svg", "orders.csv", "by-pages.csv", "seed-sets.csv", "paper-seeds.csv"):
        assert (web / "figures" / f"ordering-{name}").is_file()

    shown = seedrank("--store", "made", "experiment", "ordering", "--quick", "--format", "table").out
    assert shown.index("Results: orders") < shown.index("Claims") < shown.index("Every FPR@M") < shown.index("  fpr@2 ")
    assert "quick" in shown.splitlines()[0]


@pytest.mark.slow
def test_ctrl_c(seedrank, web, monkeypatch):
    from seedrank.engines.kernels import push

    def interrupted(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(push, "fetch", interrupted)
    outcome = seedrank("crawl", "fpr", "--seeds", "seeds.txt")
    assert outcome.code == 130
    assert "marked partial" in outcome.err
    assert rows(seedrank("runs"))[0]["method"] == "crawl fpr"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("fpr", "--inter-host-weight", "0"), 2, "must be above 0"),
        (("fpr", "--inter-host-weight", "-3"), 2, "must be above 0"),
        (("bfs", "--inter-host-weight", "2"), 2, "goes with fpr"),
        (("windowed-rankmass", "--window", "0%"), 2, "--window must be above 0%"),
        (("windowed-rankmass", "--window", "101%"), 2, "--window must be at most 100%, not 101%"),
        (("windowed-rankmass", "--window", "wide"), 2, "--window 'wide' is not a share"),
        (("rankmass", "--epsilon", "0"), 2, "--epsilon must be above 0"),
        (("rankmass", "--epsilon", "1"), 2, "--epsilon must be below 1"),
        (("fpr", "--epsilon", "0.1"), 2, "does not use --epsilon; it goes with rankmass"),
        (("fpr", "--limit", "0"), 2, "--limit must be at least 1"),
        (("fpr", "--per-host", "0"), 2, "--per-host must be at least 1"),
        (("fpr", "--parallel", "0"), 2, "--parallel must be at least 1"),
        (("fpr", "--host-delay", "-1"), 2, "--host-delay must be at least 0"),
        (("fpr", "--hours", "0"), 2, "--hours must be above 0"),
        (("fpr", "--damping", "1"), 2, "--damping must be below 1"),
        (("pagerank", "--every", "often"), 2, "--every 'often'"),
        (("bfs", "--partial"), 2, "goes with pagerank"),
        (("fpr", "--seeds", "pagerank:0"), 2, "not a number of seeds"),
        (("fpr", "--seeds", "pagerank"), 2, "pagerank:160"),
        (("fpr", "--seeds", "nowhere.txt"), 1, "nowhere.txt"),
        (("fpr", "--seeds", "run:nothing"), 1, "does not exist"),
        (("fpr", "--bytes", "100"), 1, "column 'bytes'"),
        (("compare", "fpr@0"), 2, "must be above 0"),
        (("compare", "fpr@x"), 2, "names no order"),
        (("compare", "windowed-rankmass:200%"), 2, "at most 100%, not 200%"),
        (("compare", "best"), 2, "unknown order 'best'"),
        (("compare", "fpr", "fpr"), 2, "named twice"),
    ],
)
def test_bad_input(seedrank, web, words, code, said):
    given = words if "--seeds" in words else (*words, "--seeds", "seeds.txt")
    outcome = seedrank("crawl", *given)
    assert outcome.code == code, outcome.err
    assert said in outcome.err
    assert "Traceback" not in outcome.err


@pytest.mark.slow
def test_seeds_that_are_not_in_the_graph(seedrank, web):
    (web / "some.txt").write_text("http://x.example/a\nhttp://no.example/1\nhttp://no.example/2\n")
    outcome = seedrank("crawl", "fpr", "--seeds", "some.txt")
    assert outcome.code == 0
    assert "2 of 3 pages are not in the graph, such as http://no.example/1, http://no.example/2" in outcome.err
    (web / "none.txt").write_text("http://no.example/1\n")
    outcome = seedrank("crawl", "fpr", "--seeds", "none.txt")
    assert outcome.code == 1
    assert "none of its pages is in the graph" in outcome.err


@pytest.mark.slow
def test_without_hosts(seedrank, tmp_path):
    (tmp_path / "links.txt").write_text("1 2\n2 3\n3 1\n")
    assert seedrank("load", "snap", "links.txt").code == 0
    assert len(rows(seedrank("crawl", "fpr", "--seeds", "pagerank:1"))) == 3
    for words in (
        ("fpr", "--inter-host-weight", "2"), ("bfs", "--per-host", "1"), ("bfs", "--host-delay", "1"),
        ("larger-sites",), ("transdomain",),
    ):  # fmt: skip
        outcome = seedrank("crawl", *words, "--seeds", "pagerank:1")
        assert outcome.code == 1
        assert "load URLs or a host column" in outcome.err


def test_a_policy_that_starves_says_how_far_it_came(seedrank, web):
    (web / "leaf.txt").write_text("http://x.example/d\n")
    outcome = seedrank("crawl", "fpr", "--seeds", "leaf.txt")
    assert len(rows(outcome)) == 1
    assert "stopped after 1 of 6 pages" in outcome.err
