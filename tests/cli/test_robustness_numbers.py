"""Every number option of every command: out of range is one line, and in range ends."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from seedrank import open as open_store
from seedrank.cli.main import app
from seedrank.ingest.synthetic import WebSpec, write_tables
from tests.few import one_of_each

pytestmark = pytest.mark.slow

VALUES = ("-1", "0", str(10**30), "nan", "inf")
PAGES = 300
NEEDS = {
    "rank": ["hits"],
    "seeds evaluate": ["seeds.txt"],
    "seeds reduce": ["seeds.txt"],
    "seeds transfer": ["seeds.txt"],
    "crawl compare": ["bfs", "fpr"],
    "explain": ["FRONTIER"],
    "query": ["RETURN 1 AS a"],
    "runs show": ["run:latest"],
    "runs compare": ["run:latest", "run:latest"],
    "experiment cores": ["--quick"],
    "experiment coverage": ["--quick"],
    "experiment impact": ["--quick"],
    "experiment ordering": ["--quick"],
    "load table": ["--pages", "pages.csv"],
    "load snap": ["edges.txt"],
    "load adjacency": ["lists.txt"],
    "load html": ["web"],
    "load nutch-crawldb": ["crawldb"],
    "load nutch-linkdb": ["linkdb"],
    "load nutch-segment": ["segments"],
    "load heritrix-log": ["crawl.log"],
    "generate": ["made"],
    "demo": ["demo"],
}
"""What a command cannot do without."""
NOT_HERE = ("db", "runs delete")
"""They act on a server, or have no numbers."""
HEAVY = ("experiment", "demo", "generate", "load")
"""A value that is let through starts long work, so only those that must be refused are tried."""


def commands(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    for name, one in getattr(command, "commands", {}).items():
        yield from commands(one, (*path, name))
    if not hasattr(command, "commands"):
        yield " ".join(path), command


def is_number(option: Any) -> bool:
    kind = option.type_descriptor.annotation
    shares = kind in (str, list[str]) and "%" in (option.metavar or "")
    return option.param_type_name == "option" and (kind in (int, float) or shares)


OPTIONS = {
    name: [option.opts[0] for option in command.params if is_number(option)]
    for name, command in commands(typer.main.get_command(app))
    if not name.startswith(NOT_HERE)
}
ASKED = [name for name, options in OPTIONS.items() if options]
FAMILIES = ("seeds", "crawl", "frontier", "explore")
"""Their commands share options: what is let through runs in one command of the family for each option."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with pages of every status, clicks and searches, and some files to name."""
    from seedrank.loaders.table import TableSource

    folder = tmp_path_factory.mktemp("numbers")
    write_tables(WebSpec(PAGES), folder / "web")
    files = {
        kind: [str(folder / "web" / f"{kind}.parquet")] for kind in ("pages", "links", "hosts", "queries", "results")
    }
    with open_store(str(folder / "web.duckdb"), create=True) as bench:
        bench.load(TableSource(**files))
        rows = bench.query("MATCH (p:Page) RETURN p.url AS url, p.status AS status ORDER BY p.id").to_pylist()
        bench.rank("pagerank")
    by_status = {status: [row["url"] for row in rows if row["status"] == status] for status in ("crawled", "frontier")}
    (folder / "seeds.txt").write_text("\n".join(by_status["crawled"][:5]) + "\n")
    (folder / "frontier.txt").write_text(by_status["frontier"][0])
    (folder / "pages.csv").write_text("url\nhttp://a.example/\n")
    (folder / "edges.txt").write_text("0 1\n")
    (folder / "lists.txt").write_text("2\n1\n\n")
    (folder / "web" / "index.html").write_text('<a href="/a">a</a>')
    return folder


def arguments(name: str, made: Path, option: str, value: str) -> list[str]:
    frontier = (made / "frontier.txt").read_text()
    needs = [frontier if word == "FRONTIER" else word for word in NEEDS.get(name, [])]
    return [*name.split(), *needs, option, value] if option == "-k" else [*name.split(), *needs, f"{option}={value}"]


def must_be_refused(option: str, value: str) -> bool:
    """Whether no number option takes the value: what is no number, and what no count can be."""
    return value in ("nan", "inf") or (value == "-1" and not option.startswith("--value-"))


def tries(name: str) -> Iterator[tuple[str, str]]:
    """Options and values of a command, without those that another command of its family tries."""
    family = [one for one in ASKED if one.split()[0] == name.split()[0] and name.startswith(FAMILIES)] or [name]
    for option in OPTIONS[name]:
        takers = [one for one in family if option in OPTIONS[one]]
        mine = takers[sum(map(ord, option)) % len(takers)] == name
        for value in VALUES:
            if must_be_refused(option, value) or (mine and not name.startswith(HEAVY)):
                yield option, value


def check(outcome: Any, name: str, option: str, value: str) -> None:
    must = must_be_refused(option, value)
    what = f"{name} {option} {value}: {outcome.err}"
    assert outcome.code in ((2,) if must else (0, 1, 2)), what
    assert "Traceback" not in outcome.err, what
    assert "fault of seedrank" not in outcome.err, what
    if outcome.code:
        *remarks, error = outcome.err.splitlines()
        assert error.startswith("seedrank: "), what
        assert not (must and remarks), what


@pytest.mark.parametrize("name", one_of_each(ASKED, lambda name: name.split()[0]))
def test_a_number_out_of_range_is_one_line(seedrank, made, monkeypatch, name):
    monkeypatch.chdir(made)
    monkeypatch.setenv("SEEDRANK_STORE", str(made / "web.duckdb"))
    for option, value in tries(name):
        check(seedrank(*arguments(name, made, option, value)), name, option, value)


@pytest.mark.deep
@pytest.mark.parametrize("name", [name for name in ASKED if not name.startswith(HEAVY)])
def test_every_number_of_every_command_ends(seedrank, made, monkeypatch, name):
    monkeypatch.chdir(made)
    monkeypatch.setenv("SEEDRANK_STORE", str(made / "web.duckdb"))
    for option in OPTIONS[name]:
        for value in VALUES:
            check(seedrank(*arguments(name, made, option, value)), name, option, value)


@pytest.mark.parametrize("method", ["maxweight", "greedy", "rootscc", "outdegree"])
def test_more_hops_than_pages_reach_what_all_pages_reach(seedrank, made, monkeypatch, method):
    monkeypatch.chdir(made)
    monkeypatch.setenv("SEEDRANK_STORE", str(made / "web.duckdb"))
    depths = ["--depth"] if method in ("maxweight", "rootscc") else []

    def rows(hops: int) -> str:
        given = [word for option in ("--hops", *depths) for word in (option, hops)]
        outcome = seedrank("seeds", method, "-k", 3, *given)
        assert outcome.code == 0, outcome.err
        return str(outcome.out)

    assert rows(10**30) == rows(99_999_999_999) == rows(PAGES) == rows(200)


def test_more_rows_or_seeds_than_there_are_give_all(seedrank, made, monkeypatch):
    monkeypatch.chdir(made)
    monkeypatch.setenv("SEEDRANK_STORE", str(made / "web.duckdb"))
    outcome = seedrank("rank", "indegree", "--top", 10**30)
    assert outcome.out.count("\n") == PAGES
    crawl = seedrank("crawl", "bfs", "--seeds", f"pagerank:{10**30}", "--limit", 10**30, "--parallel", 10**30)
    assert crawl.code == 0, crawl.err
