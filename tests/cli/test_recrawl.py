"""``seedrank recrawl`` from the command line, and what it hands to crawlers."""

from __future__ import annotations

import json

import pyarrow as pa
import pytest

import seedrank as library
from tests.cli.conftest import made_once
from tests.cli.outcomes import rows

PAGES = "url,status,views\n" + "".join(f"http://{h}.example/{n},crawled,{n}\n" for h in "ab" for n in range(8))
DAYS = (0, 1, 3, 6, 10)


def visits(text="url,time,changed\n"):
    """Pages of a change every other day, those of b never."""
    for host in "ab":
        for n in range(8):
            for k, day in enumerate(DAYS):
                changed = host == "a" and k % 2
                text += f"http://{host}.example/{n},2024-01-{day + 1:02},{str(bool(changed)).lower()}\n"
    return text


@pytest.fixture
@made_once
def web(seedrank, tmp_path):
    (tmp_path / "pages.csv").write_text(PAGES)
    (tmp_path / "visits.csv").write_text(visits())
    assert seedrank("load", "table", "--pages", "pages.csv").code == 0
    return tmp_path


def ask(seedrank, *words):
    return seedrank("recrawl", *words, "--history", "visits.csv")


def test_rates_of_pages_and_of_sites(seedrank, web):
    done = seedrank("recrawl", "--history", "visits.csv")
    found = rows(done)
    assert "80 visits of 16 pages, 16 changes" in done.err
    assert [row["host"] for row in found] == ["a.example"] * 8 + ["b.example"] * 8
    assert found[0]["score"] > 0.2 > 0.02 > found[-1]["score"] > 0
    assert {"visits": 5, "changes": 2, "days": 10, "last": "2024-01-11 00:00:00"}.items() <= found[0].items()
    assert found[0]["low"] < found[0]["score"] < found[0]["high"]
    sites = rows(seedrank("recrawl", "rates", "--history", "visits.csv", "--by", "site"))
    assert [(row["host"], row["visits"], row["lastmod"]) for row in sites] == [
        ("a.example", 40, "none"), ("b.example", 40, "none"),
    ]  # fmt: skip


def test_a_plan_spends_the_budget_and_compares_the_policies(seedrank, web):
    done = ask(seedrank, "plan", "--budget", "28/week")
    found = rows(done)
    assert "Come back by harmonic: " in done.err
    assert "no page is left out; optimum " in done.err
    assert sum(row["score"] for row in found) == pytest.approx(4)
    assert [row["interval"] * row["score"] for row in found] == pytest.approx([1] * 16)
    policies = rows(ask(seedrank, "plan", "--budget", "4", "--by", "policy"))
    assert [row["policy"] for row in policies] == [
        "harmonic", "optimum", "azar", "importance", "uniform", "proportional",
    ]  # fmt: skip
    assert max(policies, key=lambda row: row["freshness"])["policy"] == "optimum"
    assert [row["never"] for row in policies if row["policy"] in ("harmonic", "uniform")] == [0, 0]
    hosts = rows(ask(seedrank, "plan", "--budget", "4/day", "--by", "host"))
    assert hosts[0]["host"] == "a.example"
    assert sum(row["fetches"] for row in hosts) == pytest.approx(4)


def test_bounds_of_pages_and_hosts_are_kept(seedrank, web):
    (web / "bounds.csv").write_text("host,min_interval,max_interval,host_delay\nb.example,,4d,\na.example,,,43200\n")
    found = rows(ask(seedrank, "plan", "--budget", "12/day", "--min-interval", "12h", "--bounds", "bounds.csv"))
    assert all(row["interval"] >= 0.5 - 1e-9 for row in found)
    assert all(row["interval"] <= 4 + 1e-9 for row in found if row["host"] == "b.example")
    assert sum(row["score"] for row in found if row["host"] == "a.example") == pytest.approx(2)
    assert sum(row["score"] for row in found) == pytest.approx(12)


def test_next_is_a_list_for_a_day_with_its_reasons(seedrank, web):
    done = ask(seedrank, "next", "--at", "2024-01-13", "--budget", "5")
    found = rows(done)
    assert len(found) == 5
    assert "at 2024-01-13T00:00:00: 5 of 16 pages" in done.err
    assert found[0]["url"] == "http://a.example/7"
    assert found[0]["days"] == 2
    assert found[0]["why"].startswith("last fetched 2 days ago; changes every ")
    scores = [row["score"] for row in found]
    assert scores == sorted(scores, reverse=True)
    late = rows(ask(seedrank, "next", "--at", "2024-01-13", "--max-interval", "1d", "--host-delay", "43200"))
    assert [row["host"] for row in late].count("a.example") == 2
    assert all(row["why"].startswith("waited for its longest interval; ") for row in late)
    assert rows(ask(seedrank, "next", "--at", "2024-01-13", "--min-interval", "3d")) == []


@pytest.mark.slow
def test_a_simulation_puts_expected_simulated_and_recorded_side_by_side(seedrank, web):
    done = ask(seedrank, "simulate", "--budget", "4/day", "--days", "20", "--into", "out")
    found = rows(done)
    assert "the optimum is below no other policy by more than two standard errors" in done.err
    assert [row["policy"] for row in found][-1] == "next"
    for row in found[:-1]:
        assert abs(row["simulated"] - row["expected"]) < 4 * row["error"]
        assert 0 <= row["recorded"] <= 1
    assert (web / "out" / "recrawl-simulate-freshness.svg").is_file()
    assert (web / "out" / "recrawl-simulate-policies.csv").is_file()


def test_recordings_are_named_one_after_the_other(seedrank, web):
    for day in (1, 2, 3):
        record = json.dumps({"url": "http://a.example/1", "status": "200", "digest": f"{day // 2}"})
        (web / f"{day}.cdxj").write_text(f"example,a)/1 2024010{day}000000 {record}\n")
    [row] = rows(seedrank("recrawl", "--from-cdx", "1.cdxj", "2.cdxj", "3.cdxj"))
    assert (row["visits"], row["changes"]) == (3, 1)
    assert seedrank("recrawl", "--from-cdx=1.cdxj", "2.cdxj").code == 0
    assert "more than" in seedrank("recrawl", "rates", "1.cdxj").err


def test_crawlers_get_intervals_and_dates(seedrank, web):
    found = rows(ask(seedrank, "plan", "--budget", "4/day", "--policy", "optimum"))
    assert found[-1]["interval"] is None
    lines = [line for line in seedrank("export", "nutch-seeds").out.splitlines() if not line.startswith("#")]
    fields = [dict(part.split("=") for part in line.split("\t")[1:]) for line in lines]
    assert [int(one["nutch.fetchInterval"]) for one in fields] == [
        2**31 - 1 if row["interval"] is None else round(row["interval"] * 86_400) for row in found
    ]
    lines = seedrank("export", "urlfrontier").out.splitlines()
    due = [int(json.loads(line)["known"]["refetchableFromDate"]) for line in lines]
    assert due[-1] == 0
    last = 1_704_931_200  # 2024-01-11
    assert due[0] == int(last + found[0]["interval"] * 86_400)
    fixed = seedrank("export", "nutch-seeds", "--fetch-interval", "60").out
    assert fixed.count("nutch.fetchInterval=60") == len(found)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["rates"], "no visits are given; name a table with --history, or recordings with --from-cdx"),
        (["plan", "--history", "visits.csv"], "--budget is missing; say how many fetches there are"),
        (["plan", "--history", "visits.csv", "--budget", "many"], "--budget 'many' is not a number of fetches"),
        (["plan", "--history", "visits.csv", "--budget", "0/day"], "--budget '0/day' is not a number of fetches"),
        (["plan", "--history", "visits.csv", "--budget", "1", "--max-interval", "2d"],
         "--max-interval asks for 8 fetches a day of 16 pages, and --budget has 1"),
        (["plan", "--history", "visits.csv", "--budget", "9", "--max-interval", "2d", "--host-delay", "43200"],
         "--max-interval and --host-delay exclude each other on 2 hosts"),
        (["plan", "--history", "visits.csv", "--budget", "9", "--min-interval", "2d", "--max-interval", "1d"],
         "--max-interval must be above 0 and not below --min-interval"),
        (["plan", "--history", "visits.csv", "--budget", "9", "--min-interval", "2y"], "'2y' is not a time"),
        (["plan", "--history", "visits.csv", "--budget", "9", "--importance", "fame"],
         "pages have no column 'fame' to tell what they are worth; name another with --importance (there are: views)"),
        (["plan", "--history", "visits.csv", "--budget", "9", "--bounds", "pages.csv"], "hosts need host"),
        (["plan", "--history", "visits.csv", "--budget", "9", "--only", "host=c.example"], "no page may be fetched"),
        (["simulate", "--history", "visits.csv", "--budget", "1000000000/hour"],
         "--budget and 30 days make 7.2e+11 fetches, more than can be followed one by one; give fewer"),
        (["next", "--history", "visits.csv", "--at", "2023-01-01"], "--at is before every visit"),
        (["rates", "--history", "strangers.csv"], "none of the pages of 1 visits is in the graph"),
        (["rates", "--history", "nowhere.csv"], "nowhere.csv"),
        (["rates", "--from-cdx", "pages.csv"], "is no recording of captures"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_explained_in_a_line(seedrank, web, words, told):
    (web / "strangers.csv").write_text("url,time,changed\nhttp://x.example/,2024-01-01,1\n")
    done = seedrank("recrawl", *words)
    assert done.code in (1, 2)
    assert told in done.err
    assert done.err.count("\n") == 1


@pytest.mark.parametrize("bound", ["soon", "-1", "1e999", "nan"])
def test_a_bound_that_is_no_time_is_told_with_its_line(seedrank, web, bound):
    (web / "bounds.csv").write_text(f"host,max_interval\na.example,{bound}\n")
    done = ask(seedrank, "plan", "--budget", "9/day", "--bounds", "bounds.csv")
    assert "bounds.csv, line 2, column max_interval: is not a time" in done.err


def test_python_takes_frames_and_gives_the_same(web):
    import pandas as pd

    frame = pd.read_csv(web / "visits.csv")
    with library.open("web.duckdb") as bench:
        rates = bench.recrawl(history=frame)
        plan = bench.recrawl_plan(history=frame, budget=4, importance="views", min_interval=0.5, write="interval")
        assert len(rates) == len(plan) == 16
        assert plan.facts["compared"]["harmonic"]["fetches"] == pytest.approx(4)
        assert set(plan.tables) == {"policies", "hosts"}
        assert len(bench.recrawl_next(history=frame, budget=3)) == 3
        assert bench.recrawl_simulate(history=frame, budget="4/day", days=5, repeats=2).experiment.charts
        again = bench.recrawl_plan(plan.run.question, policy="uniform")
        assert again.facts["policy"] == "uniform"
        bench.report("report.html")
    assert "recrawl plan" in (web / "report.html").read_text()


def test_pages_that_are_numbers_without_hosts_are_planned_too():
    pages = pa.table({"id": [10, 11, 12], "status": ["crawled"] * 3})
    history = pa.table({"id": [10, 10, 11, 11], "time": [0, 86_400, 0, 86_400], "changed": [False, True, False, False]})
    with library.from_frames(pages=pages) as bench:
        first, second = bench.recrawl(history=history).table.to_pylist()
        assert (first["source_id"], first["changes"], second["changes"]) == (10, 1, 0)
        plan = bench.recrawl_plan(history=history, budget="3/day", importance="uniform", host_delay=10)
        assert sum(plan.table["score"].to_pylist()) == pytest.approx(3)
        assert list(plan.tables) == ["policies"]


def test_a_plan_is_asked_again_by_its_run(seedrank, web):
    first = rows(ask(seedrank, "plan", "--budget", "4/day", "--importance", "uniform"))
    again = seedrank("runs", "repeat", "run:latest")
    assert rows(again) == first
