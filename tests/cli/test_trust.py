"""``seedrank rank`` by trust, spam and Common Crawl's centralities, and ``rank compare``, from the command line."""

from __future__ import annotations

import numpy as np
import pytest

import seedrank as package
from tests.cli.conftest import made_once
from tests.cli.outcomes import rows

PAGES = "url,spam,vouched\n" + "".join(
    f"http://{host}.example/{page},{spam},{vouched}\n"
    for host, page, spam, vouched in [
        ("a", 1, "", "true"), ("a", 2, "0", ""), ("b", 1, "0", "false"), ("c", 1, "1", ""), ("c", 2, "1", ""),
    ]
)  # fmt: skip
LINKS = "source,target\n" + "".join(
    f"http://{a},http://{b}\n"
    for a, b in [
        ("a.example/1", "a.example/2"), ("a.example/2", "b.example/1"), ("b.example/1", "a.example/1"),
        ("b.example/1", "c.example/1"), ("c.example/1", "c.example/2"), ("c.example/2", "c.example/1"),
    ]
)  # fmt: skip


@pytest.fixture
@made_once
def web(seedrank, tmp_path):
    (tmp_path / "pages.csv").write_text(PAGES)
    (tmp_path / "links.csv").write_text(LINKS)
    outcome = seedrank("load", "table", "--pages", "pages.csv", "--links", "links.csv")
    assert outcome.code == 0, outcome.err
    return tmp_path


def test_a_column_and_a_file_name_the_same_set(seedrank, web):
    (web / "good.txt").write_text("http://a.example/1\n")
    by_column = rows(seedrank("rank", "trust", "--trusted", "vouched"))
    assert by_column == rows(seedrank("rank", "trust", "--trusted", "good.txt"))
    import networkx as nx

    links = [line.split(",") for line in LINKS.splitlines()[1:]]
    expected = nx.pagerank(nx.DiGraph(links), personalization={"http://a.example/1": 1}, tol=1e-14, max_iter=1000)
    assert {row["url"]: row["score"] for row in by_column} == pytest.approx(expected, abs=1e-9)


def test_distrust_follows_links_back(seedrank, web):
    found = {row["url"]: row["score"] for row in rows(seedrank("rank", "distrust", "--bad", "spam"))}
    assert found["http://b.example/1"] > found["http://a.example/2"] > found["http://a.example/1"] > 0


def test_spam_mass_and_its_columns(seedrank, web):
    found = rows(seedrank("rank", "spam-mass", "--trusted", "vouched", "--good-share", "60%"))
    assert list(found[0])[-3:] == ["score", "mass", "pagerank"]
    assert {row["url"][:17] for row in found[:2]} == {"http://c.example/"}
    assert rows(seedrank("rank", "spam-mass", "--trusted", "vouched", "--min-pagerank", "1e6")) == []


@pytest.mark.parametrize("words", ["rank trust --trusted", "rank distrust --bad", "rank pagerank --teleport"])
def test_a_list_may_have_pages_that_are_not_in_the_graph(seedrank, web, words):
    (web / "good.txt").write_text("http://a.example/1\n")
    (web / "more.txt").write_text("http://a.example/1\nhttp://gone.example/\n")
    outcome = seedrank(*words.split(), "more.txt")
    assert "more.txt: 1 of 2 pages are not in the graph, such as http://gone.example/" in outcome.err
    assert rows(outcome) == rows(seedrank(*words.split(), "good.txt"))
    (web / "none.txt").write_text("http://gone.example/\n")
    outcome = seedrank(*words.split(), "none.txt")
    assert outcome.code == 1
    assert "none of its pages is in the graph" in outcome.err


def test_a_column_goes_before_a_file_of_its_name_and_says_so(seedrank, web):
    (web / "spam").write_text("http://a.example/1\n")
    outcome = seedrank("rank", "distrust", "--bad", "spam")
    assert "the column is taken; write ./spam for the file" in outcome.err
    other = seedrank("rank", "distrust", "--bad", "./spam")
    assert "column" not in other.err
    assert rows(outcome) != rows(other)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["trust"], "--trusted is missing"),
        (["distrust", "--bad", "nowhere"], "'nowhere' is neither a file nor a page column"),
        (["distrust", "--bad", "nowhere.txt"], "nowhere.txt"),
        (["trust", "--trusted", "vouched", "--damping", "1"], "--damping must be below 1"),
    ],
)
def test_bad_sets_are_one_line(seedrank, web, arguments, message):
    outcome = seedrank("rank", *arguments)
    assert outcome.code != 0
    assert message in outcome.err
    assert outcome.err.count("\n") <= 2


def test_runs_and_python_name_sets_too(seedrank, web):
    with package.open("web.duckdb", read_only=True) as bench:
        from_list = bench.rank("trust", trusted=["http://a.example/1"]).table
        best = bench.rank("trust", trusted="vouched", damping=0.5)
        # All pages of a run are members.
        assert bench.rank("trust", trusted=best).table["score"][0].as_py() < 1
    assert from_list.to_pylist() == rows(seedrank("rank", "trust", "--trusted", "vouched"))


def test_both_centralities_in_one_table_can_be_exported_and_compared(seedrank, web):
    found = rows(seedrank("rank", "centrality", "--level", "host"))
    assert [row["harmonicc_pos"] for row in found] == [1, 2, 3]
    harmonic = {row["host"]: row["score"] for row in rows(seedrank("rank", "harmonic", "--level", "host"))}
    assert {row["host"]: row["harmonicc_val"] for row in found} == harmonic
    pagerank = rows(seedrank("rank", "pagerank", "--level", "host"))
    assert [row["host"] for row in sorted(found, key=lambda row: row["pr_pos"])] == [row["host"] for row in pagerank]
    by_host = {row["host"]: row["score"] for row in pagerank}
    np.testing.assert_allclose([row["pr_val"] for row in found], [by_host[row["host"]] for row in found])
    assert seedrank("export", "cc-ranks", "-o", "both.txt").code == 0
    seedrank("rank", "centrality", "--level", "host")
    assert seedrank("export", "cc-ranks", "-o", "ranks.txt").code == 0
    assert (web / "both.txt").read_bytes() == (web / "ranks.txt").read_bytes()
    outcome = seedrank("rank", "compare", "ranks.txt", "run:latest")
    assert {row["change"] for row in rows(outcome)} == {"unmoved"}
    assert "old 3, new 3, entered 0, left 0, moved 0, unmoved 3" in outcome.err
    outcome = seedrank("--store", "nowhere.duckdb", "rank", "compare", "ranks.txt", "ranks.txt")
    assert outcome.code == 0, outcome.err


def test_what_looks_wrong_is_listed_and_kept(seedrank, tmp_path):
    farm = [f"http://f{number}.example/" for number in range(4)]
    (tmp_path / "links.csv").write_text(
        "source,target\n"
        + "".join(f"{a},{b}\n" for a in farm for b in farm if a != b)
        + f"http://a.example/,{farm[0]}\n"
    )
    assert seedrank("load", "table", "--links", "links.csv").code == 0
    outcome = seedrank("stats", "--suspicious")
    (row,) = rows(outcome)
    assert (row["kind"], row["hosts"]) == ("farm", 4)
    assert "farm 1, one source 0, trap 0, mirror 0" in outcome.err
    assert rows(seedrank("runs", "show", "run:latest")) == [row]
    assert rows(seedrank("runs", "repeat", "run:latest")) == [row]
    assert rows(seedrank("stats", "--suspicious", "--farm-hosts", "5")) == []
    assert seedrank("report", "-o", "report.html").code == 0
    outcome = seedrank("stats", "--farm-hosts", "5")
    assert "--farm-hosts goes with --suspicious" in outcome.err
    with package.open("web.duckdb", read_only=True) as bench:
        answer = bench.suspicious(farm_inside=0.5)
        assert answer.tables["members"].num_rows == 4
        assert bench.answer("run:latest").table.to_pylist() == answer.table.to_pylist()


def trapped(seedrank, tmp_path):
    """Pages 0 and 1 link to each other; 3 leads to 2, and 2 to 0."""
    (tmp_path / "ways.csv").write_text("source,target\n" + "".join(
        f"http://{a}.example/,http://{b}.example/\n" for a, b in ("ab", "ba", "ca", "dc")
    ))  # fmt: skip
    outcome = seedrank("load", "table", "--links", "ways.csv")
    assert outcome.code == 0, outcome.err


@pytest.mark.parametrize(
    "words", ["pagerank", "pagerank --teleport t.txt", "trust --trusted t.txt", "distrust --bad t.txt"]
)
def test_walks_close_to_1_keep_their_sum(seedrank, tmp_path, words):
    trapped(seedrank, tmp_path)
    (tmp_path / "t.txt").write_text("http://d.example/\nhttp://a.example/\n")
    found = rows(seedrank("rank", *words.split(), "--damping", "0.999"))
    assert sum(row["score"] for row in found) == pytest.approx(1, abs=1e-12)
    if words == "pagerank":
        assert [row["score"] for row in found[:2]] == pytest.approx([0.49975, 0.49950], abs=1e-5)


def test_spam_mass_close_to_1(seedrank, tmp_path):
    """What trusted pages give is 0.85 · p of them alone, in units of (1-d)/n, by a dense solution."""
    trapped(seedrank, tmp_path)
    (tmp_path / "t.txt").write_text("http://d.example/\n")
    found = {row["url"]: row for row in rows(seedrank("rank", "spam-mass", "--trusted", "t.txt", "--damping", "0.999"))}
    urls = [f"http://{name}.example/" for name in "abcd"]
    links = np.array([[0, 1, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0]], float)
    whole, good = (
        np.linalg.solve(np.eye(4) - 0.999 * links.T, start) for start in (np.ones(4), np.array([0, 0, 0, 3.4]))
    )
    assert [found[url]["pagerank"] for url in urls] == pytest.approx(whole)
    assert [found[url]["score"] for url in urls] == pytest.approx(1 - good / whole, abs=1e-7)


def test_a_walk_that_does_not_converge_says_so(seedrank, tmp_path, monkeypatch):
    """On the terminal, in the run and in the report: of a walk that may take no step."""
    monkeypatch.setattr("seedrank.engines.checks.most_steps", lambda *_: 1)
    trapped(seedrank, tmp_path)
    outcome = seedrank("rank", "pagerank", "--damping", "0.999")
    assert "a walk did not converge: after 1 step " in outcome.err
    with package.open(tmp_path / "web.duckdb") as bench:
        (run,) = bench.runs()
        assert run.facts["unfinished"].startswith("a walk did not converge")
    assert seedrank("report", "-o", "report.html").code == 0
    assert "a walk did not converge" in (tmp_path / "report.html").read_text()
