"""Every command has an example in its help, and the example runs."""

from __future__ import annotations

import gzip
import json
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import seedrank as library
from seedrank.api.cypher_queries import queries
from seedrank.cli import main as command_line
from tests.unit.loaders import nutch_samples as nutch
from tests.unit.loaders.archive_files import html, warc_record
from tests.unit.loaders.archive_files import write as write_archive
from tests.unit.loaders.bvgraph_reference import write as write_graph
from tests.unit.loaders.test_wat import described

A, B = "http://a.example.org/", "http://b.example.org/"
KEPT = "20260131-142305-k3v9qa"
"""The run that an example names."""
STARTS_A_SERVER = ("db up", "db down", "db env", "db projections", "db remove")
"""Their examples are read, not run: they start, stop or ask a server of this machine."""
ON_NEO4J = tuple(f"explore {name}" for name, header in queries().items() if header.store == "neo4j")
"""Their examples are read here; docs/explore.md runs them on a server."""
AFTER = {
    "load query-clicks": ["load table"],
    "load spam-list": ["load table"],
    "export cc-ranks": ["rank harmonic", "rank pagerank --level host"],
    "rank compare": ["rank centrality --level host"],
    "restore": ["backup"],
}
"""What has to be there already: by examples, and by commands."""


def leaves(group: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """Commands that hold no others, by their words."""
    for name, one in group.commands.items():
        if hasattr(one, "commands"):
            yield from leaves(one, (*words, name))
        else:
            yield " ".join((*words, name)), one


COMMANDS = dict(leaves(command_line.command()))


def example_of(command: Any) -> str:
    """The last paragraph of its help, without the word that says so; empty where it is no example."""
    last = " ".join(str(command.help).split("\n\n")[-1].split())
    return last.removeprefix("Example: ") if last.startswith("Example: ") else ""


def parts_of(example: str) -> list[list[str]]:
    """The commands of an example, one after the other, as words."""
    return [shlex.split(part) for part in example.split(" && ")]


def test_every_command_has_an_example_of_itself():
    for name, command in COMMANDS.items():
        example = example_of(command)
        assert example, f"`seedrank {name} --help` shows no example"
        assert any(f"{' '.join(words)} ".startswith(f"seedrank {name} ") for words in parts_of(example)), example
        for words in parts_of(example):
            assert words[0] == "seedrank", example


def test_lines_of_help_break_where_the_terminal_ends():
    for name, command in COMMANDS.items():
        assert not [one for one in command.help.split("\n\n") if "\n" in one], name


@pytest.mark.parametrize("name", ["seeds greedy", "load table", "export scrapy", "experiment impact", "db up"])
def test_help_shows_it_as_it_is_typed(name, seedrank, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    shown = " ".join(seedrank(*name.split(), "--help").out.split())
    assert f"Example: {example_of(COMMANDS[name])}" in shown


@pytest.mark.parametrize("name", [*STARTS_A_SERVER, *ON_NEO4J])
def test_the_example_of_a_server_is_read(name):
    [words] = parts_of(example_of(COMMANDS[name]))
    COMMANDS[name].make_context(name, words[3:])  # refuses what the command does not know


ON_SPARK = tuple(name for name, command in COMMANDS.items() if "--engine spark" in example_of(command))


@pytest.mark.docs
@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in (*STARTS_A_SERVER, *ON_NEO4J, *ON_SPARK)])
def test_the_example_runs(name, seedrank, world, tmp_path, monkeypatch):
    check_example(name, seedrank, world, tmp_path, monkeypatch)


@pytest.mark.parametrize("name", ON_SPARK)
def test_the_example_runs_on_spark(name, spark, seedrank, world, tmp_path, monkeypatch):
    check_example(name, seedrank, world, tmp_path, monkeypatch)


def check_example(name, seedrank, world, tmp_path, monkeypatch):
    shutil.copytree(world, tmp_path, dirs_exist_ok=True)
    if name.startswith("load "):
        monkeypatch.setenv("SEEDRANK_STORE", "new.duckdb")
    for one in (*AFTER.get(name, ()), name):
        for words in parts_of(example_of(COMMANDS[one]) if one in COMMANDS else f"seedrank {one}"):
            done = seedrank(*words[1:])
            assert done.code == 0, done.err
    assert not name.startswith("load ") or name not in AFTER or " left out" not in done.out


# -- a folder with everything that examples name


@pytest.fixture(scope="module")
def world(tmp_path_factory) -> Path:
    """A store with a kept run, an older store, lists, a model, and a file of each format, by the names of examples."""
    folder = tmp_path_factory.mktemp("world")
    _write_store(folder)
    for name in ("urls", "jobs/mine/action"):
        (folder / name).mkdir(parents=True)
    _write_graphs(folder)
    _write_archives(folder)
    _write_crawls(folder)
    _write_logs(folder)
    return folder


def _write_store(folder: Path) -> None:
    from seedrank.ingest.synthetic import WebSpec, write_tables
    from seedrank.loaders.table import TableSource

    tables = write_tables(WebSpec(2_000), folder.with_name(f"{folder.name}-tables"))
    files = {kind: [str(tables / f"{kind}.parquet")] for kind in ("pages", "links", "hosts", "queries", "results")}
    store = folder / "web.duckdb"
    with library.open(store, create=True) as bench:
        bench.load(TableSource(**files))
        shutil.copy(store, folder / "old.duckdb")
        first = bench.seeds("maxweight", k=5)
        urls = first.table["url"].to_pylist()
        link = folder.with_name("link.csv")
        link.write_text(f"source,target\n{urls[0]},https://example.org/new\n")
        bench.load(TableSource(links=[str(link)]))
        bench.learn(impact="views", model=str(folder / "views.json"))
        rows = [f"{url},2024-01-{day:02},{(day + n) % 3 == 0}\n" for n, url in enumerate(urls) for day in (1, 3, 9, 20)]
        (folder / "visits.csv").write_text("".join(["url,time,changed\n", *rows]))
        bench.seeds("outdegree", k=5)
    runs = folder / "web.duckdb.seedrank" / "runs"
    (runs / first.run.id).rename(runs / KEPT)
    record = runs / KEPT / "run.json"
    record.write_text(json.dumps(json.loads(record.read_text()) | {"id": KEPT}))
    for name in ("seeds.txt", "trusted.txt", "old-seeds.csv"):
        (folder / name).write_text("\n".join(["url", *urls] if name.endswith("csv") else urls) + "\n")


def _write_graphs(folder: Path) -> None:
    pack(folder / "web-NotreDame.txt.gz", "# Nodes: 2\n0\t1\n1\t0\n")
    pack(folder / "cc-main-2024-ranks.txt.gz", "1\t2.5\t1\t0.5\texample.a\n2\t1.5\t2\t0.25\texample.b\n")
    pack(folder / "cnr-2000.graph-txt.gz", "3\n1 2\n\n0\n")
    pack(folder / "uk-2002.urls.gz", f"{A}\n{B}\n{A}c\n")
    for suffix in (".graph", ".properties", ".offsets"):
        written = Path(f"{write_graph(folder, [[1, 2], [2], []])}{suffix}")
        if written.exists():
            written.rename(folder / f"uk-2002{suffix}")
    pack(folder / "web.arcs.gz", "0\t1\n1\t0\n")
    (folder / "web.nodes").write_text(f"{A}\n{B}\n")
    pack(folder / "host-vertices.txt.gz", "0\tcom.example\n1\torg.example\n2\torg.example.www\n")
    pack(folder / "host-edges.txt.gz", "0\t1\n1\t2\n")
    ranks = "#harmonicc_pos\t#harmonicc_val\t#pr_pos\t#pr_val\t#host_rev\n1\t1.5E7\t2\t1E-9\torg.example\n"
    pack(folder / "host-ranks.txt.gz", ranks)
    pack(folder / "pages.tsv.gz", f"url\tviews\n{A}\t3\n{B}\t1\n")
    pack(folder / "links.tsv.gz", f"source\ttarget\n{A}\t{B}\n")


def _write_archives(folder: Path) -> None:
    records = [warc_record(A, html(f"<a href={B}>b</a>")), warc_record(B, html("<p>"))]
    for name in ("crawl.warc.gz", "crawl-00000.warc.gz", "crawl-00001.warc.gz"):
        write_archive(folder / name, records)
    links = {"Links": [{"path": "A@/href", "url": B, "text": "b"}]}
    write_archive(folder / "CC-MAIN-20240518-00000.warc.wat.gz", [described(A, 200, {}, links)])
    pack(folder / "index.cdx.gz", f"k 1 {A} text/html 200 SHA 5\n")
    (folder / "index.cdxj").write_text(f'k 1 {{"url": "{B}", "status": "200"}}\n')


def _write_crawls(folder: Path) -> None:
    def put(name: str, data: bytes | str) -> None:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())

    data = "part-r-00000/data"
    put(f"crawl/crawldb/current/{data}", nutch.sequence_file([(nutch.text(A), nutch.datum(2))], nutch.DATUM))
    linked = [(nutch.text(B), nutch.inlinks([(A, "b")]))]
    put(f"crawl/linkdb/current/{data}", nutch.sequence_file(linked, nutch.INLINKS))
    parsed = [(nutch.text(A), nutch.parse_data([nutch.outlink(B, "b")]))]
    put(f"crawl/segments/1/parse_data/{data}", nutch.sequence_file(parsed, nutch.PARSE))
    line = "2011-06-23T17:12:08.802Z 200 99 {} - - text/html #014 20110623171208574+225 sha1:Y - -\n"
    pack(folder / "crawl.log.gz", line.format(A))
    put("build/html/index.html", '<a href="guide.html">guide</a>')


def _write_logs(folder: Path) -> None:
    line = '192.0.2.7 - - [{}/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 10 "-" "Firefox/128.0"\n'
    (folder / "access.log.1").write_text(line.format(17))
    (folder / "access.log").write_text(line.format(18))
    pack(folder / "clickstream-enwiki-2024-01.tsv.gz", "other-search\tA\texternal\t20\nB\tA\tlink\t10\n")
    pack(folder / "clicks.tsv.gz", "some words\ta.example.org\t7\n")
    (folder / "hosts.txt").write_text("a.example.org\n")


def pack(path: Path, text: str) -> None:
    path.write_bytes(gzip.compress(text.encode()))
