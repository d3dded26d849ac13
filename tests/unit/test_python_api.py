"""The Python API as a newcomer uses it: frames in, lists of any kind, and errors that name fields and the next step."""

from __future__ import annotations

import pandas as pd
import pytest

import seedrank
from seedrank.core.errors import GraphError, InputError, StoreError, UsageError
from seedrank.questions.question import fields_of

PAGES = pd.DataFrame(
    {
        "url": [f"https://{host}.example/{n}" for host in "ab" for n in range(6)],
        "status": ["crawled"] * 5 + ["frontier"] + ["crawled"] * 5 + ["frontier"],
        "clicks": [float(n) for n in range(12)],
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


@pytest.mark.slow
def test_frames_and_files_with_other_names_are_mapped(tmp_path):
    pages = pd.DataFrame({"page": ["http://a/", "http://b/"], "popularity": ["5", "n/a"], "state": ["done", None]})
    links = pd.DataFrame({"src": ["http://a/"], "dst": ["http://x/"], "n": [3], "extra": ["?"]})
    options = seedrank.LoadOptions(
        map={"url": "page", "views": "popularity", "status": "state", "links.weight": "n"},
        status_map={"done": "crawled"},
        missing="n/a",
        assume="crawled",
    )
    for form in ("frames", "files"):
        with seedrank.open(tmp_path / f"{form}.duckdb", create=True) as bench:
            if form == "frames":
                summary, _ = bench.load(pages=pages, links=links, options=options)
                assert summary.notes == ["links: columns not used: extra"]
            else:
                pages.to_csv(tmp_path / "pages.csv", index=False)
                links.to_csv(tmp_path / "links.csv", index=False)
                files = seedrank.TableSource(pages=[str(tmp_path / "pages.csv")], links=[str(tmp_path / "links.csv")])
                summary, _ = bench.load(files, options)
                assert summary.notes == [f"{tmp_path / 'links.csv'}: columns not used: extra"]
            found = bench.query(
                "MATCH (p:Page) RETURN p.url AS url, p.views AS views, p.status AS status ORDER BY p.id"
            )
            assert [tuple(row.values()) for row in found.to_pylist()] == [
                ("http://a/", 5.0, "crawled"),
                ("http://b/", None, "crawled"),
                ("http://x/", None, "frontier"),
            ]
            assert bench.query("MATCH ()-[r:LINKS_TO]->() RETURN r.weight AS w").to_pylist() == [{"w": 3.0}]


@pytest.mark.slow
def test_lists_are_urls_frames_files_answers_and_runs(bench, tmp_path):
    urls = list(PAGES.url[:3])
    file = tmp_path / "seeds.txt"
    file.write_text("\n".join(urls))
    chosen = bench.seeds("random", k=3, keep=urls)
    for pages in (urls, PAGES.iloc[:3], PAGES.url[:3], file, str(file)):
        assert bench.evaluate(pages, hops=1).facts["seeds"] == 3
        assert bench.crawl("bfs", seeds=pages).facts["seeds"] == 3
    for pages in (chosen, chosen.run.name):
        assert bench.evaluate(pages).facts["seeds"] == len(chosen.table)
        assert bench.crawl("bfs", seeds=pages).facts["seeds"] == len(chosen.table)
    latest = bench.seeds("random", k=2)
    assert bench.evaluate("run:latest").run.question.file == latest.run.name
    assert bench.reduce(urls).facts["of"] == 3
    assert bench.ask(chosen.run.question).table["url"] == chosen.table["url"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ask", "error", "text"),
    [
        (lambda b: b.load(page=PAGES, links=LINKS), UsageError, "unknown table 'page'; tables are pages"),
        (lambda b: b.seeds("maxweight", hop=2), UsageError, "seeds has no field 'hop'; did you mean hops?"),
        (lambda b: b.compare("bfs", limt=3), UsageError, "crawl compare has no field 'limt'; did you mean limit?"),
        (lambda b: b.tune(omegas=1), UsageError, "frontier tune has no field 'omegas'; did you mean omega?"),
        (lambda b: b.experiment("cores", coresz=3), UsageError, "has no field 'coresz'; did you mean cores?"),
        (lambda b: b.compare(seeds="pagerank:1"), UsageError, "orders are missing"),
        (lambda b: b.crawl("bfs", seeds=[]), UsageError, "seeds names no page; give ids or URLs"),
        (lambda b: b.crawl("bfs", seeds=[0, None]), UsageError, "seeds names no page in row 2"),
        (lambda b: b.ask(seedrank.SeedQuestion(k=1), sav=True), UsageError, "no option 'sav'; did you mean save?"),
        (lambda b: b.compare(5), UsageError, "orders must be"),
        (lambda b: b.ask("seeds"), UsageError, "'seeds' is not a question"),
        (lambda b: b.evaluate("none.txt"), InputError, "none.txt"),
        (lambda b: b.seeds("outdegree", always_k=True), UsageError, "outdegree does not use always_k"),
    ],
)  # fmt: skip
def test_mistakes_are_told_in_words_of_python(bench, ask, error, text):
    with pytest.raises(error) as caught:
        ask(bench)
    assert text in str(caught.value)
    assert "--" not in str(caught.value)


def test_a_new_store_says_that_it_is_empty(tmp_path):
    with seedrank.open(tmp_path / "new.duckdb", create=True) as bench:
        assert bench.stats().pages == 0
        with pytest.raises(StoreError, match=r"holds no graph yet; load a graph first$"):
            bench.query("MATCH (p:Page) RETURN p.url")
        for ask in (bench.seeds, lambda: bench.crawl("bfs")):
            with pytest.raises(GraphError, match="no page"):
                ask()


@pytest.mark.parametrize(("field", "value"), [("engine", "cuda"), ("site", "page")])
def test_a_session_takes_engines_and_sites_that_exist(tmp_path, field, value):
    with pytest.raises(UsageError, match=f"no.* '{value}'; "):
        seedrank.open(tmp_path / "x.duckdb", create=True, **{field: value})


@pytest.mark.slow
def test_an_experiment_shows_its_claims_in_a_few_lines(bench):
    _, experiment = bench.experiment("ordering", quick=True, seeds=2)
    assert len(repr(experiment).splitlines()) < 30
    assert "claims" in repr(experiment)


def test_one_of_several_and_numbers_are_taken_as_people_write_them(bench):
    assert seedrank.SeedQuestion(only="clicks>2") == seedrank.SeedQuestion(only=("clicks>2",))
    assert seedrank.SeedQuestion(only=["clicks>2"]) == seedrank.SeedQuestion(only=("clicks>2",))
    assert bench.frontier("indegree", budget=1).table.num_rows == 1


def test_help_of_a_question_has_its_fields():
    text = seedrank.FrontierQuestion.__doc__
    for name, about in fields_of(seedrank.FrontierQuestion).items():
        assert f"{name}\n    {about.help}" in text
    assert "omega" not in seedrank.TuneQuestion.__doc__.partition("Parameters")[2].split("\n")


def test_files_are_loaded_by_their_content_or_by_format(tmp_path):
    (tmp_path / "edges.txt").write_text("# Nodes: 3\n0\t1\n1\t2\n")
    with seedrank.open(tmp_path / "y.duckdb", create=True) as bench:
        summary, _ = bench.load(tmp_path / "edges.txt")
        assert summary.counts["link rows"] == 2
        assert summary.notes[0].endswith("for an edge list of numbers (snap)")
        assert bench.load([tmp_path / "edges.txt"], format="arcs")[0].counts["link rows"] == 2
        with pytest.raises(UsageError, match="unknown format 'nonsense'"):
            bench.load(tmp_path / "edges.txt", format="nonsense")
        with pytest.raises(UsageError, match="names belongs to a format; name it: format"):
            bench.load(tmp_path / "edges.txt", names="x")
