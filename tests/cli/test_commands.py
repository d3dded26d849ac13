"""The other commands, and what holds for all of them."""

from __future__ import annotations

import gzip
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from seedrank.cli import ask
from seedrank.cli.main import COMMANDS, command
from seedrank.ingest.synthetic import WebSpec, write_graph
from tests.cli.conftest import made_once

pytestmark = pytest.mark.slow

PAGES = "url,clicks,kind\nhttp://a.example/,3,page\nhttp://a.example/2,,page\nhttps://b.example/,1,\n"
LINKS = (
    "source,target,weight,anchor\nhttp://a.example/,https://b.example/,2,home\n"
    "http://a.example/,https://b.example/,1,B\nhttp://a.example/2,http://a.example/,1,\n"
)


@pytest.fixture
@made_once
def web(seedrank, tmp_path) -> Path:
    (tmp_path / "pages.csv").write_text(PAGES)
    (tmp_path / "links.csv").write_text(LINKS)
    assert seedrank("load", "table", "--pages", "pages.csv", "--links", "links.csv").code == 0
    return tmp_path


def test_stats_is_one_object_with_plain_numbers(seedrank, web):
    stats = json.loads(seedrank("stats").out)
    assert stats["pages"] == 3
    assert stats["links"] == 2
    assert stats["hosts"] == 2
    assert stats["inter_site_links"] == 1
    assert stats["columns"] == {"clicks": 2, "kind": 2}
    assert stats["out_degree"]["max"] == 1


def test_stats_as_a_table(seedrank, web):
    shown = seedrank("stats", "--format", "table").out
    assert "strong components" in shown
    assert "clicks (2)" in shown


def test_stats_with_distances(seedrank, web):
    assert json.loads(seedrank("stats").out)["distances"] is None
    found = json.loads(seedrank("stats", "--distances").out)["distances"]
    assert found["method"] == "all searches"
    assert found["mean"] == found["mean_low"] == found["mean_high"]
    assert 0 < found["reachable"] < 1
    shown = seedrank("stats", "--distances", "--format", "table").out
    assert "effective diameter" in shown
    assert "all searches" in shown
    assert seedrank("runs").out == ""


def test_stats_of_an_empty_store(seedrank, tmp_path):
    outcome = seedrank("stats")
    assert outcome.code == 1
    assert "load" in outcome.err


def test_query_shows_the_sql(seedrank, web):
    asked = "MATCH (a:Page)-[:LINKS_TO]->(b:Page)-[:ON]->(h:Host) WHERE a.clicks > 0 RETURN count(*) AS n"
    shown = seedrank("query", "--explain", asked)
    assert shown.code == 0
    assert seedrank("query", "--sql", shown.out).out == seedrank("query", asked).out != ""


def test_query_refuses_what_it_cannot_answer_rightly(seedrank, web):
    refused = seedrank("query", "MATCH (p:Page) RETURN [1, 'a'] AS n")
    assert (refused.code, refused.out, refused.err.count("\n")) == (1, "", 1)
    assert "line 1, column 23" in refused.err


def test_query_reads_no_files(seedrank, web):
    for asked in (
        "UNWIND [1] AS x LOAD WITH HEADERS (a STRING) FROM '/etc/passwd' (file_format='csv', header=false) RETURN a",
        "LOAD CSV FROM 'file:///etc/passwd' AS row RETURN row",
        'CALL `read_csv_serial`("x") RETURN *',
    ):
        for more in ((), ("--allow-writes",)):
            outcome = seedrank("query", *more, asked)
            assert (outcome.code, outcome.out, outcome.err.count("\n")) == (1, "", 1)


def test_query_runs_sql_that_reads(seedrank, web):
    found = seedrank("query", "--sql", "SELECT count(*) AS n FROM page")
    assert json.loads(found.out) == json.loads(seedrank("query", "MATCH (p:Page) RETURN count(*) AS n").out)
    for sql in ("DELETE FROM page", "COPY page TO 'pages.csv'", "SELECT * FROM read_text('/etc/passwd')", "SELECT"):
        refused = seedrank("query", "--sql", sql)
        assert (refused.code, refused.out, refused.err.count("\n")) == (1, "", 1)


def test_query_takes_one_statement(seedrank, web):
    for given in (
        (),
        ("RETURN 1", "--sql", "SELECT 1"),
        ("--sql", "SELECT 1", "--explain"),
        ("--sql", "SELECT 1", "-p", "a=1"),
        ("--sql", "SELECT 1", "--allow-writes"),
    ):
        outcome = seedrank("query", *given)
        assert (outcome.code, outcome.out) == (2, "")


def test_query_ends_in_time_and_within_memory(seedrank, web):
    long = "UNWIND range(1, 100000) AS x UNWIND range(1, 100000) AS y RETURN sum(x % y) AS n"
    outcome = seedrank("query", "--timeout", "0.2", long)
    assert outcome.code == 1
    assert "took longer than 0.2 seconds" in outcome.err
    outcome = seedrank("query", "--store-memory", "128M", "--sql", "SELECT len(range(2000000000))")
    assert outcome.code == 1
    assert "128 MiB" in outcome.err
    assert "--store-memory" in outcome.err


def test_query_reads_and_refuses_to_write(seedrank, web):
    read = seedrank("query", "MATCH (p:Page {url: $url}) RETURN p.clicks AS clicks", "-p", "url=http://a.example/")
    assert json.loads(read.out) == {"clicks": 3.0}
    for more in ((), ("--allow-writes",)):
        refused = seedrank("query", *more, "CREATE (:Host {name: 'x', pages: 0})")
        assert refused.code == 1
        assert "only reads" in refused.err
        assert "--store neo4j" in refused.err
        assert "--allow-writes" not in refused.err


def test_a_wrong_statement_is_one_line(seedrank, web):
    outcome = seedrank("query", "MATCH (p:Page RETURN p")
    assert outcome.code == 1
    assert len(outcome.err.strip().splitlines()) == 1


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_what_is_exported_loads_back_equal(seedrank, web, kind):
    assert seedrank("export", kind, "out").code == 0
    tables = [("--pages", "pages"), ("--links", "links"), ("--hosts", "hosts")]
    files = [part for option, name in tables for part in (option, f"out/{name}.{kind}")]
    assert seedrank("--store", "copy.duckdb", "load", "table", *files).code == 0

    for statement in (
        "MATCH (p:Page) RETURN p {.*} AS page ORDER BY p.id",
        "MATCH (a:Page)-[r:LINKS_TO]->(b:Page) RETURN a.id, b.id, r.weight, r.anchors ORDER BY a.id, b.id",
        "MATCH (p:Page)-[:`ON`]->(h:Host) RETURN p.id, h.name, h.pages ORDER BY p.id",
    ):
        original, copy = seedrank("query", statement), seedrank("--store", "copy.duckdb", "query", statement)
        assert original.code == copy.code == 0, original.err
        assert original.out == copy.out


def test_export_does_not_overwrite(seedrank, web):
    (web / "out").mkdir()
    (web / "out" / "precious").touch()
    outcome = seedrank("export", "csv", "out")
    assert outcome.code == 1
    assert "not empty" in outcome.err


def test_runs_of_a_fresh_store_are_none(seedrank, web):
    outcome = seedrank("runs")
    assert (outcome.code, outcome.out) == (0, "")


def test_the_suffix_names_the_format(seedrank, web):
    statement = "MATCH (p:Page) RETURN p.id AS id ORDER BY id"
    assert seedrank("query", statement, "-o", "x.parquet").code == 0
    assert pq.read_table(web / "x.parquet")["id"].to_pylist() == [0, 1, 2]
    assert seedrank("query", statement, "-o", "x.csv").code == 0
    assert (web / "x.csv").read_text().split() == ['"id"', "0", "1", "2"]
    outcome = seedrank("query", statement, "-o", "x.docx")
    assert outcome.code == 2
    assert ".parquet" in outcome.err


def test_the_suffix_may_pack_the_file(seedrank, web):
    statement = "MATCH (p:Page) RETURN p.id AS id, p.url AS url ORDER BY id"
    plain = {}
    for suffix in ("tsv", "csv", "json", "txt"):
        assert seedrank("query", statement, "-o", f"x.{suffix}").code == 0
        plain[suffix] = (web / f"x.{suffix}").read_bytes()
        for pack, unpack in (("gz", gzip.decompress), ("zst", unzstd)):
            outcome = seedrank("query", statement, "-o", f"x.{suffix}.{pack}")
            assert outcome.code == 0, outcome.err
            assert unpack((web / f"x.{suffix}.{pack}").read_bytes()) == plain[suffix]
    assert plain["tsv"].splitlines()[0] == b"id\turl"
    assert seedrank("query", statement, "--format", "csv", "-o", "y.gz").code == 0
    assert gzip.decompress((web / "y.gz").read_bytes()) == plain["csv"]
    first = (web / "x.csv.gz").read_bytes()
    assert seedrank("query", statement, "-o", "x.csv.gz").code == 0
    assert (web / "x.csv.gz").read_bytes() == first
    refused = seedrank("query", statement, "-o", "x.parquet.gz")
    assert (refused.code, refused.err) == (
        2, "seedrank: x.parquet.gz: Parquet is packed by itself; name the file FILE.parquet\n"
    )  # fmt: skip


def unzstd(data: bytes) -> bytes:
    return pa.CompressedInputStream(pa.BufferReader(data), "zstd").read()


@pytest.mark.parametrize("name", ["x.csv", "x.tsv"])
def test_lists_have_no_room_between_separators(seedrank, web, name):
    outcome = seedrank("query", "MATCH (p:Page) RETURN collect(p.id) AS ids", "-o", name)
    assert outcome.code == 2
    assert "column ids holds lists" in outcome.err
    assert not (web / name).exists()


def test_shared_options_stand_before_or_after(seedrank, web):
    statement = "MATCH (p:Page) RETURN p.id AS id ORDER BY id"
    before = seedrank("--format", "csv", "--top", "1", "query", statement)
    after = seedrank("query", statement, "--format", "csv", "--top", "1")
    assert before.out == after.out == '"id"\n0\n'


def test_the_store_that_is_named_wins_over_the_environment(seedrank, web, monkeypatch):
    monkeypatch.setenv("SEEDRANK_STORE", "web.duckdb")
    assert json.loads(seedrank("stats").out)["store"] == "web.duckdb"
    for words in (("--store", "other.duckdb", "stats"), ("stats", "--store", "other.duckdb")):
        outcome = seedrank(*words)
        assert outcome.code == 1
        assert "other.duckdb" in outcome.err


def test_wrong_usage_exits_with_2(seedrank):
    assert seedrank("stats", "--no-such-option").code == 2
    assert seedrank("--store", "ftp://somewhere", "stats").code == 2


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ("--store", "none.duckdb", "stats"),
            "none.duckdb does not exist; load a graph first: `seedrank load` makes the store",
        ),
        (("query", "RETURN $url AS url"), "there is no value for $url; give one: --param url=…"),
        (("--database", "other", "stats"), "--database, --prefix and --model go with a neo4j:// store"),
        (("--engine", "gds", "rank", "pagerank"), "use --engine native, or a Neo4j store"),
        (("--store-memory", "1M", "stats"), "such as --store-memory 512M"),
        (("load", "table"), "name one with --pages, --links, --hosts, --queries, --results or --events"),
        (
            ("load", "table", "--links", "x.csv", "--link-columns", "a,b"),
            "--link-columns: links need source and target",
        ),
        (("frontier", "rw", "--impact", "none"), "or name another with --impact (there are: "),
    ],
)
def test_errors_name_options(seedrank, web, words, told):
    assert told in seedrank(*words).err


def test_a_second_writer_of_the_store_is_told(seedrank, web):
    hold = (
        "import sys\nfrom seedrank import graphdb\n"
        "with graphdb.open_store('web.duckdb').writing():\n    print('open', flush=True); sys.stdin.read()"
    )
    holder = subprocess.Popen([sys.executable, "-c", hold], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert holder.stdout.readline() == "open\n"
        outcome = seedrank("load", "table", "--pages", "pages.csv")
        assert outcome.code == 1
        assert "web.duckdb is being written by another command; run it again when that is done, or wait" in outcome.err
        assert "--wait 60" in outcome.err
        assert len(outcome.err.strip().splitlines()) == 1
        assert seedrank("stats").code == 0
    finally:
        holder.communicate("")
    assert seedrank("load", "table", "--pages", "pages.csv", "--wait", "5").code == 0


HEAVY = {
    "duckdb",
    "jinja2",
    "neo4j",
    "numba",
    "numpy",
    "pandas",
    "pyarrow",
    "scipy",
    "sklearn",
    "vl_convert",
}


def modules_after(code: str) -> set[str]:
    """Modules that a new process has imported after `code`."""
    code = f"import sys, seedrank.cli.main\n{code}\nprint(*sys.modules, file=sys.stderr)"
    return set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stderr.split())


def test_help_imports_nothing_heavy():
    """Neither showing help nor building every command there is."""
    helps = [["--help"], ["seeds", "--help"], ["crawl", "fpr", "--help"], ["experiment", "coverage", "--help"]]
    build = (
        "def build(command):\n"
        "    for one in getattr(command, 'commands', {}).values():\n"
        "        build(one)\n"
        "build(seedrank.cli.main.command())\n"
        f"for words in {helps}:\n"
        "    seedrank.cli.main.command()(args=words, standalone_mode=False)"
    )
    found = modules_after(build)
    assert {"seedrank.cli.crawl", "seedrank.cli.db", "seedrank.questions.experiments", "rich"} <= found
    assert not HEAVY & found


def test_a_question_hooks_into_no_import(tmp_path):
    """What is imported is left to those who import it: nothing stands between."""
    write_graph(WebSpec(200, rng=1), tmp_path / "web")
    words = ["--store", str(tmp_path / "web"), "seeds", "maxweight", "--format", "json"]
    ask = (
        "class Finders(list):\n"
        "    def insert(self, place, finder):\n"
        "        assert 'seedrank' not in str(finder)\n"
        "        super().insert(place, finder)\n"
        "sys.meta_path = Finders(sys.meta_path)\n"
        f"seedrank.cli.main.command()(args={words}, standalone_mode=False)"
    )
    found = modules_after(ask)
    assert "numba" in found
    assert not {"jinja2", "neo4j", "sklearn", "vl_convert"} & found


def test_a_command_is_built_without_the_others():
    found = modules_after("seedrank.cli.main.command()(args=['stats', '--help'], standalone_mode=False)")
    assert "seedrank.cli.stats" in found
    assert not {"seedrank.cli.crawl", "seedrank.cli.seeds", "seedrank.cli.frontier", "seedrank.questions.crawl"} & found


def test_the_list_of_commands_says_what_each_says_of_itself():
    assert list(COMMANDS) == list(command().commands)
    for name, summary in COMMANDS.items():
        said = command().commands[name].help
        assert " ".join(said.split("\n\n")[0].split()) == summary, name


def test_the_command_line_tells_of_long_work_and_of_no_other(seedrank, monkeypatch):
    seedrank("generate", "--graph", "web", "--pages", "200")
    assert "takes about" not in seedrank("--store", "web", "rank", "pagerank").err
    monkeypatch.setattr(ask, "LONG", 0.0)
    said = seedrank("--store", "web", "rank", "pagerank").err
    assert re.search(r"rank pagerank takes about 0 s and [\d.]+ [KM]iB of memory, going by a machine", said)
    assert "takes about" not in seedrank("--store", "web", "--quiet", "rank", "pagerank").err


def test_the_next_command_can_be_pasted(seedrank, tmp_path):
    """Also where a folder has a name that a shell would split."""
    for words in (["my web"], ["--graph", "my arrays"]):
        said = seedrank("generate", *words, "--pages", "200").err
        following = said.split("Next: seedrank ")[1].splitlines()[0]
        assert seedrank(*shlex.split(following)).code == 0, following


def test_a_process_ends_without_a_word(seedrank, tmp_path):
    """DuckDB's module reports its types as lost where the end of the process does not collect them."""
    (tmp_path / "links.csv").write_text("source,target\nhttp://a.example/,http://b.example/\n")
    command = [Path(sys.executable).parent / "seedrank", "-q", "load", "table", "--links", "links.csv"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
