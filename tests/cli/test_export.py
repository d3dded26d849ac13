"""``seedrank export TARGET``: answers for other programs, and back again."""

from __future__ import annotations

import json

import pytest

from seedrank.exporters.targets import TARGETS
from tests.cli.conftest import made_once
from tests.cli.outcomes import rows
from tests.unit.exporters.made import URLS_OF, read_nutch, read_ranks

pytestmark = pytest.mark.slow

LISTS = [name for name in URLS_OF if name not in ("gexf", "graphml")]
URL = "http://{}.example/{}".format
LINKS = [("a", 1, "a", 2), ("a", 2, "b", 1), ("b", 1, "a", 1), ("b", 1, "c", 1), ("b", 1, "d", 1), ("c", 1, "a", 1)]


@pytest.fixture
@made_once
def web(seedrank, tmp_path):
    """Page d/1 is frontier, a/3 missing."""
    crawled = {(host, n) for host, n, _, _ in LINKS}
    pages = "".join(f"{URL(*page)},crawled,3\n" for page in sorted(crawled))
    (tmp_path / "pages.csv").write_text(f"url,status,clicks\n{pages}{URL('d', 1)},frontier,\n{URL('a', 3)},missing,\n")
    links = [*LINKS, ("a", 1, "a", 3), ("c", 1, "a", 3)]
    text = "".join(f"{URL(a, i)},{URL(b, j)}\n" for a, i, b, j in links)
    (tmp_path / "links.csv").write_text("source,target\n" + text)
    (tmp_path / "queries.csv").write_text("query,freq,need\nexample,3,1\n")
    files = ("--pages", "pages.csv", "--links", "links.csv", "--queries", "queries.csv")
    assert seedrank("load", "table", *files).code == 0
    return tmp_path


@pytest.fixture
def ranked(seedrank, web):
    """The pages of a ranking, best first."""
    return [row["url"] for row in rows(seedrank("rank", "indegree"))]


def named(target: str) -> str:
    return "list.schedule" if target == "heritrix-action" else f"list-{target}"


def test_every_list_is_accepted_wherever_a_list_of_pages_is(seedrank, web, ranked):
    crawled = [url for url in ranked if url not in (URL("d", 1), URL("a", 3))]
    for target in LISTS:
        file = named(target)
        outcome = seedrank("export", target, "-o", file, "--only", "status=crawled")
        assert outcome.code == 0, outcome.err
        assert outcome.err == f"{file}: {len(crawled)} pages, best first\n"
        assert [row["url"] for row in rows(seedrank("seeds", "evaluate", file))] == crawled, target
        assert {row["url"] for row in rows(seedrank("seeds", "reduce", file))} <= set(crawled)
        assert [row["url"] for row in rows(seedrank("crawl", "bfs", "--seeds", file, "--limit", 4))] == crawled[:4]
        kept = seedrank("seeds", "greedy", "--keep", file, "-k", 1)
        assert kept.code == 0, kept.err
        assert rows(seedrank("rank", "pagerank", "--teleport", file))
        assert rows(seedrank("rank", "indegree"))  # the newest again


@pytest.mark.parametrize("target", URLS_OF)
def test_a_ranking_goes_to_standard_output_without_its_missing_pages(seedrank, web, ranked, target):
    alive = [url for url in ranked if url != URL("a", 3)]
    for more in ((), ("-o", "-")):
        outcome = seedrank("export", target, *more)
        assert outcome.code == 0, outcome.err
        assert URLS_OF[target](outcome.out) == alive
        assert URL("d", 1) in alive, "frontier pages are handed over"
        said = outcome.err.splitlines()
        assert said[0] == "left out: 1 page missing"
        score = str(TARGETS[target].score)
        assert said[1:] == ([] if TARGETS[target].header else [score])
    assert not list(web.glob("*about*")) and not (web / "-").exists()
    whole = seedrank("export", target, "--with-missing", "-q")
    assert (URLS_OF[target](whole.out), whole.err) == (ranked, "")


def test_pages_are_chosen(seedrank, web, ranked):
    alive = [url for url in ranked if url != URL("a", 3)]
    assert seedrank("export", "urls", "--top", 2).out.split() == alive[:2]
    assert seedrank("--top", 2, "export", "urls").out.split() == alive[:2]
    of_a = [url for url in alive if "/a." in url]
    assert seedrank("export", "urls", "--only", "host=a.example").out.split() == of_a
    assert seedrank("export", "urls", "--only", "host=a.example", "--exclude", "url=*2").out.split() == [
        url for url in of_a if not url.endswith("2")
    ]
    assert seedrank("export", "urls", "--only", "status=frontier").out.split() == [URL("d", 1)]


def test_nutch_options(seedrank, web, ranked):
    words = ("--fetch-interval", 3600, "--metadata", "from=seedrank", "--metadata", "_maxdepth_=2")
    outcome = seedrank("export", "nutch-seeds", *words)
    _, fields = read_nutch(outcome.out)[0]
    assert fields == {
        "nutch.score": "0.999999", "nutch.fetchInterval": "3600", "from": "seedrank", "_maxdepth_": "2",
    }  # fmt: skip


def test_ranks_of_common_crawl(seedrank, web):
    for method in ("harmonic", "pagerank"):
        rows(seedrank("rank", method, "--level", "host"))
    assert seedrank("export", "cc-ranks", "-o", "ranks.txt").code == 0
    found = read_ranks((web / "ranks.txt").read_text())
    assert {row[4] for row in found} == {"a.example", "b.example", "c.example", "d.example"}
    assert [row[0] for row in found] == ["1", "2", "3", "4"]
    about = json.loads((web / "ranks.txt.about.json").read_text())
    assert about["methods"] == ["rank harmonic", "rank pagerank"]
    assert about["direction"] == "higher values and lower positions are better"
    harmonic, pagerank = about["runs"]
    again = seedrank("export", "cc-ranks", "--harmonic", harmonic, "--pagerank", pagerank)
    assert again.out == (web / "ranks.txt").read_text()


def test_one_page_is_no_pages(seedrank, web, ranked):
    outcome = seedrank("export", "heritrix-seeds", "--top", 1, "-o", "one.txt")
    assert outcome.err == "one.txt: 1 page, best first\n"
    assert ": 1 page of rank indegree (" in (web / "one.txt").read_text()


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("urls", "--run", "run:none"), 1, "run 'none' does not exist"),
        (("urls", "--only", "url=nothing"), 2, "no page to hand over; check --only and --exclude"),
        (("urls", "--top", 0), 2, "--top must be at least 1, not 0"),
        (("urls", "--only", "colour=red"), 1, "no column 'colour'"),
        (("nutch-seeds", "--fetch-interval", 0), 2, "--fetch-interval 0 is not a number of seconds"),
        (("nutch-seeds", "--metadata", "a\tb"), 2, r"--metadata 'a\tb' is not an entry"),
        (("heritrix-action", "-o", "x.txt"), 2, "let its name end in .schedule"),
        (("cc-ranks",), 1, "no run of rank harmonic is kept"),
        (
            ("urls", "-o", "nowhere/x"),
            1,
            "nowhere/x: cannot be written (folder nowhere does not exist); make the folder",
        ),
        (("urls", "--harmonic", "run:latest"), 2, "--harmonic"),
    ],
)
def test_what_cannot_be_is_one_line(seedrank, web, ranked, words, code, told):
    outcome = seedrank("export", *words)
    assert (outcome.code, outcome.out) == (code, "")
    assert outcome.err.count("\n") == 1
    assert told in outcome.err


def test_orders_by_searches_leave_as_tables_only(seedrank, web):
    assert rows(seedrank("frontier", "q-overlap"))
    for target in LISTS:
        outcome = seedrank("export", target, "-o", named(target))
        assert outcome.code == 2
        assert "US patent 7,899,807; write it as a table (csv, json, parquet)" in outcome.err
        assert not (web / named(target)).exists()
    for kind in ("csv", "parquet"):
        assert seedrank("export", kind, "--run", "run:latest", "-o", f"x.{kind}").code == 0
        assert (web / f"x.{kind}").exists()


def test_a_run_of_the_wrong_kind_names_one_that_fits(seedrank, web, ranked):
    (web / "list").write_text(URL("a", 1))
    rows(seedrank("seeds", "evaluate", "list"))
    outcome = seedrank("export", "urls")
    assert outcome.code == 2
    assert "not a ranking; the newest run with" in outcome.err


@pytest.mark.parametrize("target", TARGETS)
def test_help_says_what_the_score_means(seedrank, target):
    outcome = seedrank("export", target, "--help")
    assert outcome.code == 0
    words = outcome.out.split()
    for word in str(TARGETS[target].score).split():
        assert word.rstrip(".") in {one.rstrip(".") for one in words}
    assert "Example:" in outcome.out
