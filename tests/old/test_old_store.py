"""What version 0.1.0 left on disk opens, answers, and goes on."""

from __future__ import annotations

import json
import shlex
import shutil
import sys
import tarfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import cli.main
import seedrank as package
from seedrank.core.errors import InputError, StoreError
from seedrank.evaluate import kept
from seedrank.frontier.model import read_model
from seedrank.graph import WebGraph
from seedrank.questions.records import question_of

ARCHIVE = Path(__file__).with_name("store-0.1.0.tar.xz")
KINDS = {
    *("rank pagerank", "rank hits", "seeds maxweight", "seeds random", "seeds greedy", "seeds evaluate"),
    *("seeds reduce", "seeds cores", "crawl fpr", "frontier rw-eg", "frontier q-overlap", "frontier learned"),
    *("explain", "crawl compare", "frontier tune", "frontier learn"),  # 0.1 kept the last three as experiments
    *("experiment coverage", "experiment cores", "experiment ordering", "experiment impact"),
}
TABLES = ("crawl compare", "frontier tune", "frontier learn")


@dataclass(frozen=True)
class Said:
    code: int
    out: str
    err: str

    @property
    def rows(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines()]


Ask = Callable[..., Said]


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory) -> Path:
    with tarfile.open(ARCHIVE) as tar:
        tar.extractall(tmp_path_factory.mktemp("old"), filter="data")
    return tmp_path_factory.getbasetemp() / "old0" / "store-0.1.0"


@pytest.fixture
def old(unpacked, tmp_path, monkeypatch) -> Iterator[Path]:
    """A copy of what 0.1.0 left, as the working folder."""
    folder = shutil.copytree(unpacked, tmp_path / "old")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("SEEDRANK_STORE", "web.lbug")
    yield folder


@pytest.fixture
def ask(old, monkeypatch, capsys) -> Ask:
    """A command on the old store, in this process; it must end well."""

    def run(*words: object) -> Said:
        monkeypatch.setattr(sys, "argv", ["seedrank", *map(str, words)])
        capsys.readouterr()
        try:
            cli.main.main()
            code = 0
        except SystemExit as leaving:
            code = int(leaving.code or 0)
        said = Said(code, *capsys.readouterr())
        assert code == 0, said.err
        assert "cannot be read" not in said.err and "Traceback" not in said.err
        return said

    return run


@pytest.fixture
def expected(old) -> dict[str, str]:
    return json.loads((old / "expected.json").read_text())


def same(rows: list[dict[str, Any]], text: str) -> bool:
    """Whether rows are those of 0.1.0: the same pages in the same order, numbers up to rounding."""
    before = [json.loads(line) for line in text.splitlines()]
    return len(rows) == len(before) and all(
        one.keys() == other.keys() and all(one[key] == pytest.approx(other[key]) for key in one)
        for one, other in zip(rows, before, strict=True)
    )


def test_every_kind_of_run_is_there(old):
    with package.open("web.lbug") as bench:
        assert {run.method for run in bench.runs()} == KINDS
        assert {run.parameters.get("level") for run in bench.runs()} >= {"page", "host"}


def test_the_graph_is_the_same(ask, expected):
    now, before = json.loads(ask("stats").out), json.loads(expected["web.lbug: stats"])
    for changed in ("version", "runs"):
        del now[changed], before[changed]
    assert {name: now[name] for name in before} == before


def test_it_holds_pages(ask, old):
    """Loads of 0.1.0 have no level."""
    before = (old / "web.lbug").read_bytes()
    assert json.loads(ask("stats").out)["level"] == "page"
    assert "url" in ask("rank", "pagerank", "--top", "1").rows[0]
    assert (old / "web.lbug").read_bytes() == before
    with package.open("web.lbug") as bench, pytest.raises(StoreError, match="holds pages, and this input holds hosts"):
        bench.load(links=pa.table({"src_host": ["a.example"], "dst_host": ["b.example"]}))
    with package.open("web.lbug") as bench:
        assert [load.level for load in bench.store.loads()] == ["page"]


@pytest.mark.parametrize(
    "question",
    [
        "web.lbug: rank pagerank --top 20",
        "web.lbug: seeds maxweight -k 5",
        "arrays: rank pagerank --top 20",
    ],
)
def test_the_same_question_has_the_same_answer(question, ask, expected):
    store, _, words = question.partition(": ")
    assert same(ask("--store", store, *words.split()).rows, expected[question])


@pytest.mark.parametrize("store", ["web.lbug", "arrays"])
def test_runs_are_listed_in_their_order(store, ask, expected):
    before = [json.loads(line)["id"] for line in expected[f"{store}: runs"].splitlines()]
    assert [row["id"] for row in ask("--store", store, "runs").rows] == before


def test_every_run_is_shown_and_says_how_it_is_made_again(ask, old):
    rows = ask("runs").rows
    assert len(rows) > 10
    for row in rows:
        said = ask("runs", "show", row["id"])
        assert said.rows or "claims: 0" in said.err
        assert f"again: {row['command']}" in said.err
        kept_ranking = old / "web.lbug.seedrank" / "runs" / row["id"] / "ranking.parquet"
        assert kept_ranking.exists() != (row["method"] in TABLES or row["method"].startswith("experiment "))
        if kept_ranking.exists():
            assert [one["rank"] for one in said.rows] == pq.read_table(kept_ranking)["rank"].to_pylist()


REPEATED = ("rank hits", "seeds maxweight", "seeds cores", "seeds evaluate", "crawl fpr", "frontier rw-eg", "explain")


def asked(row):
    """What a run was asked: its question where that is kept as such, else its parameters as they are."""
    parameters = json.loads(row["parameters"])
    return question_of(row["method"], parameters) or parameters


@pytest.mark.parametrize("method", REPEATED)
def test_a_run_made_again_gives_the_same(method, ask):
    row = next(row for row in ask("runs").rows if row["method"] == method)
    before = ask("runs", "show", row["id"]).rows
    ask(*shlex.split(row["command"])[1:])
    again = ask("runs").rows[0]
    assert again["method"] == row["method"]
    assert asked(again) == asked(row)
    rows = [
        {name: row[name] for name in before[0]} for row in ask("runs", "show", "run:latest").rows
    ]  # newer columns apart
    assert same(rows, "\n".join(map(json.dumps, before)))


def test_experiments_are_read_whole(old):
    with package.open("web.lbug") as bench:
        whole = [run for run in bench.runs() if run.kind == "experiment" or run.method in TABLES]
        assert whole
        for run in whole:
            found = bench.answer(run.name).experiment
            assert found.tables and found.name
            assert kept.export(found, old / "figures" / run.id)


def test_runs_are_compared(ask):
    first, second = [row["id"] for row in ask("runs").rows if row["method"] == "seeds maxweight"][:2]
    assert ask("runs", "compare", first, second).rows


def test_a_report_shows_every_answer(ask, old):
    ask("report", "-o", "report.html")
    text = (old / "report.html").read_text()
    for method in KINDS - {"explain"}:
        assert method.removeprefix("experiment ") in text
    assert "cannot be" not in text.replace("cannot be judged", "")


def test_tables_and_seeds_are_exported(ask, old):
    ask("export", "parquet", "tables")
    assert pq.read_table(old / "tables" / "pages.parquet").num_rows == 400
    row = next(row for row in ask("runs").rows if row["method"] == "seeds maxweight")
    ask("export", "nutch-seeds", "--run", row["id"], "-o", "seeds.txt")
    assert len([line for line in (old / "seeds.txt").read_text().splitlines() if line.startswith("http")]) == 3


def test_cypher_is_answered(ask):
    assert ask("query", "MATCH (p:Page) RETURN count(*) AS pages").rows == [{"pages": 400}]
    assert ask("query", "MATCH (p:Page) WHERE p.score IS NOT NULL RETURN count(*) AS n").rows == [{"n": 400}]
    saved = ask("query", "MATCH (r:Run) RETURN r.method AS method ORDER BY method").rows
    assert [row["method"] for row in saved] == ["crawl fpr", "frontier rw-eg", "seeds cores", "seeds maxweight"]


def test_a_model_is_refused_and_learnt_anew(old, ask):
    """Its features were scores that depend on the size of the graph."""
    with pytest.raises(InputError, match=r"earlier form \(format 1\).*learn it again"):
        read_model(old / "impact.model", tuple(json.loads((old / "impact.model").read_text())["features"]))
    ask("frontier", "learn", "--model", "impact.model")
    assert ask("frontier", "learned", "--model", "impact.model", "--budget", "10%").rows


def test_a_folder_of_arrays_opens_as_it_was(old):
    graph = WebGraph.open(old / "arrays")
    assert (graph.meta["format"], graph.pages, graph.transposed) == (1, 400, True)
    assert graph.urls is not None and len(graph.urls) == 400


def test_a_new_load_goes_on_where_0_1_0_stopped(ask, old):
    """The first write brings the store to today's form; what was there stays."""
    before = ask("runs").rows
    (old / "more.csv").write_text("source,target\nhttps://new.example/,https://www.garnetden.example/\n")
    ask("load", "table", "--links", "more.csv")

    assert json.loads(ask("stats").out)["pages"] == 401
    pages = ask("rank", "pagerank", "--top", "1000").rows
    assert len(pages) == 401
    assert "https://new.example/" in {row["url"] for row in pages}
    ask("seeds", "maxweight", "-k", "3", "--save")
    ask("rank", "pagerank", "--write", "score")
    assert ask("query", "MATCH (p:Page) WHERE p.score IS NOT NULL RETURN count(*) AS n").rows == [{"n": 401}]
    after = ask("runs").rows
    assert after[3:] == before
    assert [row["method"] for row in after[:3]] == ["rank pagerank", "seeds maxweight", "rank pagerank"]
    assert ask("runs", "show", before[0]["id"]).rows
    assert ask("query", "MATCH (r:Run) RETURN count(*) AS n").rows == [{"n": 5}]
