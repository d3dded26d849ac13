"""``seedrank rank`` and ``seedrank seeds`` from the command line, and what is done with their answers."""

from __future__ import annotations

import networkx as nx
import pytest

from tests.cli.conftest import made_once
from tests.cli.outcomes import rows

LINKS = "source,target\n" + "".join(
    f"http://{a}.example/{i},http://{b}.example/{j}\n"
    for a, i, b, j in [
        ("a", 1, "a", 2), ("a", 2, "a", 3), ("a", 3, "b", 1), ("b", 1, "b", 2), ("b", 2, "b", 1), ("b", 2, "c", 1),
        ("c", 1, "a", 1), ("a", 1, "c", 2), ("d", 1, "d", 2),
    ]
)  # fmt: skip


@pytest.fixture
@made_once
def web(seedrank, tmp_path):
    (tmp_path / "links.csv").write_text(LINKS)
    assert seedrank("load", "table", "--links", "links.csv").code == 0
    return tmp_path


def graph() -> nx.DiGraph:
    return nx.DiGraph([tuple(line.split(",")) for line in LINKS.splitlines()[1:]])


@pytest.mark.slow
def test_pagerank_equals_networkx(seedrank, web):
    expected = nx.pagerank(graph(), tol=1e-14, max_iter=1000)
    found = rows(seedrank("rank", "pagerank"))
    assert {row["url"]: row["score"] for row in found} == pytest.approx(expected, abs=1e-9)
    assert [row["rank"] for row in found] == list(range(1, len(expected) + 1))
    assert list(found[0])[:6] == ["rank", "id", "source_id", "url", "host", "score"]


@pytest.mark.slow
def test_trusted_pages(seedrank, web):
    (web / "trust.txt").write_text("http://d.example/1\n")
    found = {row["url"]: row["score"] for row in rows(seedrank("rank", "pagerank", "--teleport", "trust.txt"))}
    assert found["http://a.example/1"] == 0
    assert sum(found.values()) == pytest.approx(1)


def test_an_unknown_trusted_page_is_named(seedrank, web):
    (web / "trust.txt").write_text("http://nowhere.example/\n")
    outcome = seedrank("rank", "pagerank", "--teleport", "trust.txt")
    assert outcome.code == 1
    assert "http://nowhere.example/" in outcome.err


@pytest.mark.slow
@pytest.mark.parametrize("method", ["hits", "indegree", "outdegree", "harmonic"])
def test_other_measures(seedrank, web, method):
    found = rows(seedrank("rank", method))
    assert len(found) == 9
    if method == "hits":
        assert found[0]["authority"] == found[0]["score"]
    if method == "harmonic":
        expected = nx.harmonic_centrality(graph())
        assert {row["url"]: row["score"] for row in found} == pytest.approx(expected)


@pytest.mark.slow
def test_written_scores_are_worth_at_once(seedrank, web):
    rows(seedrank("rank", "indegree", "--write", "worth"))
    assert rows(seedrank("seeds", "greedy", "-k", "1", "--hops", "0", "--value", "worth"))[0]["score"] == 2
    rows(seedrank("rank", "outdegree", "--write", "worth"))
    assert rows(seedrank("seeds", "greedy", "-k", "1", "--hops", "0", "--value", "worth"))[0]["url"].endswith(
        "a.example/1"
    )


def test_a_refused_file_name_leaves_no_run(seedrank, web):
    seedrank("rank", "indegree", "-o", "x.docx")
    assert rows(seedrank("runs")) == []


@pytest.mark.slow
def test_lists_name_pages_as_they_were_loaded(seedrank, tmp_path):
    (tmp_path / "links.csv").write_text("source,target\nHTTP://Ex.com/A,http://ex.com/x#f\n")
    assert seedrank("load", "table", "--links", "links.csv", "--urls", "verbatim").code == 0
    (tmp_path / "mine.txt").write_text("HTTP://Ex.com/A\n")
    assert len(rows(seedrank("seeds", "evaluate", "mine.txt"))) == 1


def test_hosts(seedrank, web):
    found = rows(seedrank("rank", "indegree", "--level", "host"))
    assert {row["host"]: row["score"] for row in found} == {
        "a.example": 1, "b.example": 1, "c.example": 2, "d.example": 0,
    }  # fmt: skip


@pytest.mark.slow
def test_scores_can_be_written_and_asked_for(seedrank, web):
    rows(seedrank("rank", "indegree", "--write", "popularity"))
    statement = "MATCH (p:Page {url: 'http://b.example/1'}) RETURN p.popularity AS x"
    assert rows(seedrank("query", statement)) == [{"x": 2.0}]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("rank", "pagerank", "--damping", "1.5"), "damping"),
        (("rank", "hits", "--iterations", "0"), "iterations"),
        (("--engine", "gds", "rank", "pagerank"), "--engine native"),
        (("seeds", "maxout", "-k", "0"), "k must be at least 1"),
        (("seeds", "maxout", "--hops", "-1"), "hops must be at least 0"),
        (("seeds", "maxweight", "--value", "worth"), "no column 'worth'"),
        (("seeds", "maxout", "--only", "host is a"), "not a valid condition"),
        (("seeds", "maxout", "--only", "host=nowhere"), "no page may be chosen"),
        (("seeds", "maxout", "--per-site", "--min-pages", "99"), "no site is left"),
        (("seeds", "maxout", "--allocate", "fame"), "--allocate takes one of"),
        (("seeds", "evaluate", "gone.txt"), "file not found"),
        (("seeds", "maxout", "--min-pages", "9"), "--per-site or --allocate"),
        (("seeds", "maxout", "--repeats", "9"), "--repeats"),
        (("seeds", "greedy", "--tolerance", "a lot"), "not a share"),
        (("seeds", "greedy", "--tolerance", "100%"), "--tolerance must be below 1"),
        (("seeds", "greedy", "--time-limit", "0"), "--time-limit must be above 0"),
        (("export", "csv"), "--run RUN"),
        (("export", "csv", "folder", "--run", "run:latest"), "--run RUN"),
        (("export", "csv", "folder", "-o", "x.csv"), "-o goes with --run"),
        (("export", "csv", "--run", "run:none"), "run 'none' does not exist"),
        (("rank", "indegree", "--write", "url"), "cannot be written to 'url'"),
        (("rank", "indegree", "--write", "a b"), "cannot be written to 'a b'"),
        (("rank", "indegree", "-o", "x.docx"), "names no format"),
    ],
)
def test_bad_questions_are_one_line(seedrank, web, arguments, message):
    outcome = seedrank(*arguments)
    assert outcome.code in (1, 2)
    assert message in outcome.err
    assert "Traceback" not in outcome.err


@pytest.mark.slow
@pytest.mark.parametrize(
    "method", ["random", "pagerank", "outdegree", "maxout", "maxweight", "maxscc", "rootscc", "greedy"]
)
def test_every_method_gives_seeds(seedrank, web, method):
    found = rows(seedrank("seeds", method, "-k", "2", "--hops", "2"))
    assert 1 <= len(found) <= 2
    assert found[-1]["covered_pages"] == sum(row["gain_pages"] for row in found)


def test_seeds_in_use_count_first(seedrank, web):
    (web / "in-use.txt").write_text("http://a.example/1\n")
    found = rows(seedrank("seeds", "greedy", "-k", "1", "--hops", "9", "--keep", "in-use.txt"))
    assert [row["url"] for row in found] == ["http://d.example/1"]


@pytest.mark.slow
def test_seeds_in_every_site(seedrank, web):
    found = rows(seedrank("seeds", "maxweight", "-k", "1", "--per-site"))
    assert sorted(row["host"] for row in found) == ["a.example", "b.example", "c.example", "d.example"]


def test_a_list_is_judged(seedrank, web):
    (web / "mine.txt").write_text("http://a.example/1\nhttp://a.example/1\nhttp://b.example/1\nhttp://gone.example/\n")
    outcome = seedrank("seeds", "evaluate", "mine.txt", "--hops", "9")
    found = rows(outcome)
    assert "1 unknown" in outcome.err
    assert "1 repeated" in outcome.err
    assert "1 add nothing" in outcome.err
    assert [row["gain"] for row in found][1] == 0


def test_a_list_is_reduced_to_what_it_needs(seedrank, web):
    (web / "mine.txt").write_text("http://b.example/1\nhttp://a.example/1\nhttp://d.example/1\n")
    found = rows(seedrank("seeds", "reduce", "mine.txt", "--hops", "9"))
    assert sorted(row["url"] for row in found) == ["http://a.example/1", "http://d.example/1"]


@pytest.mark.slow
def test_answers_are_kept_and_handed_to_nutch(seedrank, web):
    rows(seedrank("seeds", "maxweight", "-k", "2"))
    assert rows(seedrank("runs"))[0]["method"] == "seeds maxweight"
    outcome = seedrank("export", "nutch-seeds")
    first, *_ = [line for line in outcome.out.splitlines() if not line.startswith("#")]
    url, _, score = first.partition("\t")
    assert url.startswith("http://")
    assert score == "nutch.score=0.999999"


@pytest.mark.slow
def test_answers_can_be_saved_into_the_database(seedrank, web):
    rows(seedrank("seeds", "maxout", "-k", "2", "--save"))
    found = rows(seedrank("query", "MATCH (r:Run)-[x:RANKED]->(p:Page) RETURN r.method AS m, x.rank AS n ORDER BY n"))
    assert found[0] == {"m": "seeds maxout", "n": 1}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_an_answer_is_written_as_a_table(seedrank, web, kind):
    found = rows(seedrank("seeds", "maxweight", "-k", "2"))
    assert seedrank("export", kind, "--run", "run:latest", "-o", f"seeds.{kind}").code == 0
    again = rows(seedrank("seeds", "evaluate", f"seeds.{kind}"))
    assert [row["url"] for row in again] == [row["url"] for row in found]


@pytest.mark.slow
def test_the_search_says_how_exact_it_is(seedrank, web):
    assert "within 0.5 % of the best" in seedrank("seeds", "greedy", "--tolerance", "0.5%").err
    assert "within" not in seedrank("seeds", "greedy").err


@pytest.mark.slow
def test_pagerank_of_each_site_alone(seedrank, web):
    """As networkx has it on the links within sites; by the whole graph other pages are first."""
    within = nx.DiGraph((a, b) for a, b in graph().edges if a[:16] == b[:16])
    within.add_nodes_from(graph())
    scores = nx.pagerank(within, tol=1e-14, max_iter=1000)
    crawled = sorted(page for page, degree in graph().out_degree if degree)
    found = rows(seedrank("seeds", "pagerank", "-k", "1", "--per-site", "--pagerank-of", "site"))
    assert {row["host"]: row["url"] for row in found} == {
        host: max((page for page in crawled if host in page), key=lambda page: round(scores[page], 9))
        for host in ("a.example", "b.example", "c.example", "d.example")
    }
    whole = rows(seedrank("seeds", "pagerank", "-k", "1", "--per-site"))
    assert [row["url"] for row in whole] != [row["url"] for row in found]


@pytest.mark.slow
def test_a_list_is_judged_by_any_value(seedrank, web):
    (web / "mine.txt").write_text("http://a.example/1\n")
    plain = rows(seedrank("seeds", "evaluate", "mine.txt", "--value", "paper", "--value-base", "1"))
    double = rows(seedrank("seeds", "evaluate", "mine.txt", "--value", "paper", "--value-base", "3"))
    assert double[0]["gain"] > plain[0]["gain"]
    reduced = rows(seedrank("seeds", "reduce", "mine.txt", "--value", "paper", "--value-base", "3"))
    assert reduced[0]["gain"] == double[0]["gain"]
