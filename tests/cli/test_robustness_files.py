"""Files that are not what they should be: lists of pages, tables of too many columns, kept answers of others."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.cli.conftest import made_once
from tests.cli.shells import shell

pytestmark = pytest.mark.slow

FAR = b"http://a.example/"
LISTS: dict[str, tuple[bytes, str]] = {
    "null.json": (b"null\n", "line 1: a line is null"),
    "later.jsonl": (b'{"url": "http://a.example/"}\n\nnull\n', "line 3: a line is null"),
    "array.json": (b'[{"url": "http://a.example/"}]\n', "line 1: a line is an array"),
    "scalar.json": (b"5\n", "line 1: a line is no object"),
    "object.json": (b'{"url": {"a": 1}}\n', "line 1, column url: is not a url"),
    "list.json": (b'{"url": ["http://a.example/"]}\n', "line 1, column url: is not a url"),
    "deep.json": (b'{"url": ' + b"[" * 100_000 + b"]" * 100_000 + b"}\n", "line 1: cannot be read as JSON"),
    "cut.json": (b'{"url": "a"}\n{"url": \n', "line 2: cannot be read as JSON"),
    "number.json": (b'{"url": "a"}\n{"url": 5}\n', "line 2, column url: is not a url"),
    "true.json": (b'{"id": true}\n', "line 1, column id: is not an id"),
    "large.json": (b'{"id": 1000000000000000000000}\n', "line 1, column id: does not fit in 64 bits"),
    "half.json": (b'{"id": 1.5}\n', "line 1, column id: is not a whole number"),
    "surrogate.json": (b'{"url": "\\ud800"}\n', "line 1, column url: is not Unicode text"),
    "weight.json": (b'{"url": "a", "weight": {}}\n', "line 1, column weight: is not a weight"),
    "nan.json": (b'{"url": "a", "weight": NaN}\n', "line 1, column weight: is not a weight"),
    "empty.json": (b"", "names no page"),
    "latin.json": (b'{"url": "a"}\n{"url": "\xe9"}\n', "line 2: is not UTF-8"),
    "latin.csv": (b"# list\nurl\nhttp://\xe9/\n", "line 3: is not UTF-8"),
    "header.csv": (b"url,\xe9\na,b\n", "line 1: is not UTF-8"),
    "latin.tsv": (b"url\tweight\na\t1\n\xe9\t2\n", "line 3: is not UTF-8"),
    "latin.txt": (b"a\n# list\n\xe9\n", "line 3: is not UTF-8"),
    "nul.txt": (b"a\nb\0\n", "line 2: a NUL byte"),
    "nul.csv": (b"url\na\0\n", "line 2: a NUL byte"),
    "nul.json": (b'{"url": "a\0"}\n', "line 1: a NUL byte"),
    "large.txt": (b"# ids\n7\n10000000000000000000000\n", "line 3, column id: does not fit in 64 bits"),
    "long.txt": (b"# list\n" + FAR + b"x" * (2 << 20) + b"\n", "line 2: a line of 2,097,169 bytes names no page"),
    "long.csv": (b"url\n" + FAR + b"x" * (2 << 20) + b"\n", "line 2: a line of 2,097,169 bytes names no page"),
    "twice.csv": (b"url,url\na,b\n", "line 1: two columns are url"),
    "ragged.csv": (b"url,weight\na,1\nb\n", "line 3: 1 fields instead of 2"),
    "open.csv": (b'url\n"x"\n"a\nb\n', "line 3: a quoted field is not closed"),
    "less.csv": (b"url,weight\nhttp://a.example/,-1\n", "line 2, column weight: is not a weight"),
    "gap.csv": (b"url,weight\nhttp://a.example/,1\n,2\n", "line 3: a row has no url"),
    "empty.csv": (b"", "names no page"),
    "none.parquet": (b"http://a.example/\n", "cannot be read as parquet"),
    "torn.parquet": (b"PAR1PAR1", "cannot be read as parquet"),
}
TABLES: dict[str, tuple[pa.Table, str]] = {
    "null.parquet": (pa.table({"url": pa.nulls(2)}), "has neither a column url nor id"),
    "struct.parquet": (pa.table({"url": [{"a": 1}]}), "column url: holds struct"),
    "list.parquet": (pa.table({"id": [[1]]}), "column id: holds list"),
    "bool.parquet": (pa.table({"id": [True]}), "column id: holds bool"),
    "bytes.parquet": (pa.table({"url": [b"a", b"\xff"]}), "line 2, column url: is not UTF-8"),
    "float.parquet": (pa.table({"id": [1.0, 1.5]}), "line 2, column id: is not a whole number"),
    "unsigned.parquet": (pa.table({"id": pa.array([2**63], pa.uint64())}), "column id: does not fit in 64 bits"),
    "weight.parquet": (pa.table({"id": [1], "weight": [[1.0]]}), "column weight: holds list"),
    "twice.parquet": (pa.table([pa.array(["a"]), pa.array(["b"])], names=["url", "url"]), "two columns are url"),
    "other.parquet": (pa.table({"x": [1]}), "has neither a column url nor id"),
    "rows.parquet": (pa.table({"url": pa.array([], pa.string())}), "names no page"),
}


@pytest.fixture
@made_once
def web(seedrank, tmp_path) -> Path:
    (tmp_path / "pages.csv").write_text("url,clicks\nhttp://a.example/,3\nhttp://b.example/,\n")
    (tmp_path / "links.csv").write_text("source,target\nhttp://a.example/,http://b.example/\n")
    assert seedrank("load", "table", "--pages", "pages.csv", "--links", "links.csv").code == 0
    return tmp_path


@pytest.fixture(scope="module")
def still(tmp_path_factory) -> Path:
    """A store that no test changes."""
    folder = tmp_path_factory.mktemp("lists")
    (folder / "links.csv").write_text("source,target\nhttp://a.example/,http://b.example/\n")
    assert shell("S load table --links links.csv", folder).returncode == 0
    return folder


@pytest.mark.parametrize("name", [*LISTS, *TABLES])
def test_a_list_that_is_none_is_one_line_with_its_place(seedrank, still, monkeypatch, name):
    monkeypatch.chdir(still)
    if name in LISTS:
        content, message = LISTS[name]
        (still / name).write_bytes(content)
    else:
        table, message = TABLES[name]
        pq.write_table(table, still / name)
    outcome = seedrank("-q", "seeds", "evaluate", name)
    assert outcome.code == 1
    assert outcome.err.startswith(f"seedrank: {name}")
    assert message in outcome.err
    assert outcome.err.count("\n") == 1
    assert len(outcome.err) < 500


def test_a_directory_and_a_pipe(seedrank, still, monkeypatch):
    monkeypatch.chdir(still)
    (still / "folder.csv").mkdir(exist_ok=True)
    assert "folder.csv: is a directory" in seedrank("seeds", "evaluate", "folder.csv").err
    done = shell("mkfifo list.csv; printf 'url\nhttp://a.example/\n' > list.csv & S -q seeds evaluate list.csv", still)
    assert (done.returncode, done.stdout.count("\n")) == (0, 1), done.stderr


def test_a_list_may_be_compressed(still, seedrank, monkeypatch):
    import gzip

    monkeypatch.chdir(still)
    (still / "list.csv.gz").write_bytes(gzip.compress(b"url\nhttp://a.example/\n"))
    assert seedrank("seeds", "evaluate", "list.csv.gz").out.count("\n") == 1


@pytest.mark.parametrize("kind", ["pages", "hosts", "links"])
@pytest.mark.parametrize("suffix", [pytest.param("csv", marks=pytest.mark.long), "tsv", "parquet"])
def test_too_many_columns_are_refused_at_once(seedrank, web, kind, suffix):
    first = {"pages": ["url"], "hosts": ["host"], "links": ["source", "target"]}[kind]
    names = [*first, *(f"c{number}" for number in range(100_000 if suffix != "parquet" else 2_000))]
    path = web / f"wide.{suffix}"
    if suffix == "parquet":
        pq.write_table(pa.table({name: ["a"] for name in names}), path)
    else:
        mark = "," if suffix == "csv" else "\t"
        path.write_text(f"{mark.join(names)}\n{mark.join('a' for _ in names)}\n")
    outcome = seedrank("load", "table", f"--{kind}", path.name)
    assert outcome.code == 1
    assert f"{path.name}" in outcome.err
    assert f"{len(names):,} columns, and a table may have 256; keep those you need" in outcome.err
    assert len(outcome.err) < 500


def test_columns_of_several_files_and_of_the_store_count_together(seedrank, web):
    def table(name: str, first: int, last: int) -> str:
        names = ["url", *(f"c{number}" for number in range(first, last))]
        (web / name).write_text(f"{','.join(names)}\nhttp://a.example/{',1' * (last - first)}\n")
        return name

    both = seedrank("load", "table", "--pages", table("a.csv", 0, 150), "--pages", table("b.csv", 150, 300))
    assert both.code == 1
    assert "b.csv, column c255: with it pages would have 257 columns, and may have 256" in both.err
    assert seedrank("load", "table", "--pages", "a.csv").code == 0
    assert seedrank("load", "table", "--pages", "b.csv").code == 1
    # What is there already may be loaded again.
    assert seedrank("load", "table", "--pages", "a.csv").code == 0


@pytest.mark.parametrize("form", ["table", "json", "csv", "parquet"])
def test_two_result_columns_of_one_name(seedrank, web, form):
    outcome = seedrank("query", "RETURN 1 AS a, 2 AS a", "--format", form)
    assert outcome.code in (1, 2)
    assert outcome.out == ""
    assert outcome.err.count("\n") == 1
    assert "Traceback" not in outcome.err


RANKINGS = {
    "columns": pa.table({"x": [1]}),
    "text": pa.table({"id": ["a"], "score": ["b"]}),
    "nulls": pa.table({"id": pa.array([0, None], pa.int64()), "score": [1.0, 2.0]}),
    "negative": pa.table({"id": [-1], "score": [1.0]}),
    "lists": pa.table({"id": [[0]], "score": [1.0]}),
    "twice": pa.table([pa.array([0]), pa.array([0]), pa.array([1.0])], names=["id", "id", "score"]),
}


@pytest.mark.parametrize("name", RANKINGS)
def test_a_foreign_ranking_is_named(seedrank, web, name):
    assert seedrank("rank", "pagerank").code == 0
    (folder,) = (web / "web.duckdb.seedrank" / "runs").glob("*/")
    pq.write_table(RANKINGS[name], folder / "ranking.parquet")
    for command in (
        ("runs", "show", "run:latest"),
        ("export", "nutch-seeds"),
        ("runs", "compare", *["run:latest"] * 2),
    ):
        outcome = seedrank(*command)
        assert outcome.code == 1, command
        assert "ranking.parquet: the kept ranking cannot be read" in outcome.err
        assert outcome.err.count("\n") == 1


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000 + "]" * 100_000,
        '{"name": ' + "[" * 100_000 + "]" * 100_000 + "}",
        "[]",
        "null",
        '{"name": 5, "tables": [], "charts": [], "claims": [], "left_out": [], "parameters": {}}',
        '{"name": "x", "tables": [], "charts": [5], "claims": [], "left_out": [], "parameters": {}}',
        '{"name": "x", "tables": {"a": 1}, "charts": [], "claims": [], "left_out": [], "parameters": {}}',
        '{"name": "x", "tables": [], "charts": [], "claims": [], "left_out": [[]], "parameters": {}}',
        "\x00",
    ],
)
def test_a_foreign_experiment_is_named(seedrank, web, text):
    assert seedrank("rank", "pagerank").code == 0
    (folder,) = (web / "web.duckdb.seedrank" / "runs").glob("*/")
    record = json.loads((folder / "run.json").read_text())
    (folder / "run.json").write_text(json.dumps({**record, "method": "experiment cores"}))
    (folder / "experiment.json").write_text(text)
    outcome = seedrank("runs", "show", "run:latest")
    assert outcome.code == 1
    assert "experiment.json: not an experiment" in outcome.err
    assert outcome.err.count("\n") == 1


def test_a_nested_run_record_is_left_out(seedrank, web):
    assert seedrank("rank", "pagerank").code == 0
    (folder,) = (web / "web.duckdb.seedrank" / "runs").glob("*/")
    (folder / "run.json").write_text("[" * 100_000 + "]" * 100_000)
    outcome = seedrank("runs")
    assert outcome.code == 0
    assert "left out" in outcome.err
