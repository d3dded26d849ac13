"""Graphs of hosts and domains from the command line: names go in, names come out."""

from __future__ import annotations

import gzip
import json
import re

import pyarrow.parquet as pq
import pytest

import seedrank as package
from seedrank.core.errors import InputError
from tests.cli.conftest import made_once
from tests.cli.outcomes import rows

pytestmark = pytest.mark.slow

LINKS = """src_host,dst_host,weight
a.example,b.example,3
b.example,c.example,2
c.example,a.example,1
a.example,c.example,4
c.example,d.example,1
www.e.example,f.example,1
e.example,f.example,1
"""
HOSTS = "host,clicks,views\na.example,10,3\nb.example,2,1\nz.example,1,1\n"
NAMES = {"a.example", "b.example", "c.example", "d.example", "e.example", "www.e.example", "f.example"}


@pytest.fixture
@made_once
def web(seedrank, tmp_path):
    (tmp_path / "links.csv").write_text(LINKS)
    (tmp_path / "hosts.csv").write_text(HOSTS)
    outcome = seedrank("load", "table", "--links", "links.csv", "--hosts", "hosts.csv")
    assert outcome.code == 0, outcome.err
    assert "the input is of hosts: each is stored as one page http://host/" in outcome.err
    return seedrank


@pytest.mark.parametrize(
    "words",
    [
        "rank pagerank",
        "rank hits",
        "seeds maxweight -k 3",
        "seeds evaluate a.example",
        "crawl bfs --seeds pagerank:2",
        "frontier rw",
        "explain d.example",
    ],
)
def test_answers_have_names(web, words):
    found = rows(web(*words.split()))
    assert found and "url" not in found[0]
    assert {row["host"] for row in found} <= NAMES
    assert list(found[0])[:5] == ["rank", "id", "source_id", "host", "score"]


def test_tables_for_people_have_names(web):
    outcome = web("rank", "pagerank", "--format", "table")
    assert re.search(r"rank +host +score", outcome.out)
    assert "http" not in outcome.out


def test_stats_say_the_level(web, seedrank, tmp_path):
    stats = json.loads(web("stats").out)
    assert (stats["level"], stats["pages"], stats["hosts"]) == ("host", 7, 7)
    drawn = web("stats", "--format", "table").out
    assert "level: host" in drawn and "Hosts" in drawn and "links per host" in drawn
    (tmp_path / "pages.csv").write_text("source,target\nhttp://a.example/,http://b.example/\n")
    assert seedrank("--store", "pages.duckdb", "load", "table", "--links", "pages.csv").code == 0
    assert json.loads(seedrank("--store", "pages.duckdb", "stats").out)["level"] == "page"
    assert "level" not in seedrank("--store", "pages.duckdb", "stats", "--format", "table").out


@pytest.mark.parametrize(
    "text",
    [
        "a.example\nE.example\ngone.example\n",
        "http://a.example/\nhttps://e.example/about?x\nhttp://gone.example/\n",
        "# names\na.example\tx\nwww.a.example\ne.example\nhttp://gone.example/\n",
    ],
)
def test_lists_take_names_and_urls(web, tmp_path, text):
    (tmp_path / "mine.txt").write_text(text)
    found = web("seeds", "evaluate", "mine.txt")
    assert [row["host"] for row in rows(found)] == ["a.example", "e.example"]
    assert "1 unknown" in found.err
    crawled = rows(web("crawl", "bfs", "--seeds", "mine.txt"))
    assert [row["host"] for row in crawled[:2]] == ["a.example", "e.example"]


def test_a_host_with_www_of_its_own_is_that_host(web):
    assert [row["host"] for row in rows(web("seeds", "evaluate", "www.e.example e.example"))] == [
        "www.e.example",
        "e.example",
    ]


@pytest.mark.parametrize("suffix", ["csv", "json", "parquet"])
def test_what_is_written_is_read_back(web, suffix):
    chosen = [row["host"] for row in rows(web("seeds", "maxweight", "-k", "3"))]
    assert web("seeds", "maxweight", "-k", "3", "-o", f"seeds.{suffix}").code == 0
    assert [row["host"] for row in rows(web("seeds", "evaluate", f"seeds.{suffix}"))] == chosen


def test_names_that_are_not_there(web):
    outcome = web("seeds", "evaluate", "gone.example")
    assert outcome.code == 1
    assert "none of its hosts is in the graph: 'gone.example'; check the names of hosts" in outcome.err
    assert "no host is 'gone.example'; give its name" in web("explain", "gone.example").err


def test_conditions_on_names(web):
    found = rows(web("seeds", "maxweight", "-k", "5", "--only", "host=*e.example"))
    assert {row["host"] for row in found} == {"e.example", "www.e.example"}


def test_cores_and_comparisons_have_names(web):
    core = rows(web("seeds", "cores", "-k", "1"))[0]
    assert {page["host"] for page in [*core["hubs"], *core["authorities"]]} <= NAMES
    assert web("rank", "pagerank").code == web("rank", "indegree").code == 0
    runs = [row["id"] for row in rows(web("runs"))][:2]
    compared = web("runs", "compare", *(f"run:{run}" for run in runs))
    assert compared.code == 0, compared.err
    assert "a.example" in compared.out and "http://" not in compared.out


def test_the_report_has_names(web, tmp_path):
    assert web("rank", "pagerank").code == web("seeds", "maxweight", "-k", "2").code == 0
    assert web("report", "-o", "report.html").code == 0
    page = (tmp_path / "report.html").read_text()
    assert "level: host" in page and "<td>c.example" in page
    assert "http://c.example" not in page


def test_what_fetches_gets_urls_and_what_draws_gets_names(web):
    chosen = [row["host"] for row in rows(web("seeds", "maxweight", "-k", "2"))]
    assert web("export", "urls", "-q").out.splitlines() == [f"http://{host}/" for host in chosen]
    assert web("export", "urls", "-q", "--exclude", "host=a.*").out.splitlines() == [f"http://{chosen[1]}/"]
    for target, label in (("gexf", 'label="{}"'), ("graphml", '<data key="label">{}</data>')):
        drawn = web("export", target, "-q").out
        assert all(label.format(host) in drawn for host in chosen), target


def test_common_crawl_ranks_come_back_as_columns(web, tmp_path):
    assert web("rank", "harmonic").code == web("rank", "pagerank").code == 0
    best = [row["host"] for row in rows(web("rank", "harmonic"))]
    assert web("export", "cc-ranks", "-o", "ranks.txt").code == 0
    ordered = sorted(best, key=lambda host: host.split(".")[::-1])
    vertices = "".join(f"{i}\t{'.'.join(host.split('.')[::-1])}\n" for i, host in enumerate(ordered))
    (tmp_path / "vertices.txt").write_text(vertices)
    outcome = web("--store", "again.duckdb", "load", "cc-webgraph", "vertices.txt", "--ranks", "ranks.txt")
    assert outcome.code == 0, outcome.err
    asked = "MATCH (p:Page) RETURN p.url AS url ORDER BY p.harmonicc_pos"
    assert [row["url"] for row in rows(web("--store", "again.duckdb", "query", asked))] == [
        f"http://{h}/" for h in best
    ]


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_exported_tables_are_read_back_into_an_equal_store(web, seedrank, kind):
    assert web("export", kind, "graph").code == 0
    tables = [f"--{name} graph/{name}.{kind}" for name in ("pages", "links", "hosts")]
    outcome = seedrank("--store", "again.duckdb", "load", "table", *" ".join(tables).split())
    assert outcome.code == 0, outcome.err
    one, other = (json.loads(seedrank("--store", store, "stats").out) for store in ("web.duckdb", "again.duckdb"))
    for name in ("level", "pages", "crawled", "links", "columns", "out_degree", "weighted"):
        assert one[name] == other[name], name
    if kind == "parquet":
        assert pq.read_table("graph/links.parquet").column_names[:2] == ["src_host", "dst_host"]


def test_columns_of_hosts_may_come_later(web, tmp_path):
    (tmp_path / "more.csv").write_text("host,trust\nC.example,7\n")
    assert web("load", "table", "--hosts", "more.csv").code == 0
    found = rows(web("query", "MATCH (p:Page) WHERE p.trust > 0 RETURN p.url AS url, p.trust AS trust"))
    assert found == [{"url": "http://c.example/", "trust": 7}]
    assert json.loads(web("stats").out)["level"] == "host"


def test_labels_and_events_of_hosts(web, tmp_path):
    (tmp_path / "spam.txt").write_text("f.example\nhttp://b.example/some/page\n")
    assert web("load", "spam-list", "spam.txt").code == 0
    (tmp_path / "events.csv").write_text(
        "time,url,clicks\n2026-01-01,https://d.example/x,2\n2026-01-02,d.example,3\n2026-01-02,gone.example,1\n"
    )
    outcome = web("load", "table", "--events", "events.csv")
    assert outcome.code == 0, outcome.err
    found = rows(web("query", "MATCH (p:Page) WHERE p.spam > 0 OR p.clicks > 4 RETURN p.url AS url ORDER BY url"))
    assert [row["url"] for row in found] == [f"http://{name}.example/" for name in "abdf"]
    assert json.loads(web("stats").out)["level"] == "host"


def test_a_store_holds_one_level(web, seedrank, tmp_path):
    (tmp_path / "pages.csv").write_text("source,target\nhttp://a.example/x,http://b.example/\n")
    before = web("stats").out
    outcome = web("load", "table", "--links", "pages.csv")
    assert outcome.code == 1
    assert outcome.err.strip() == (
        "seedrank: web.duckdb holds hosts, and this input holds pages; "
        "load it into a store of its own: --store pages.duckdb"
    )
    assert web("stats").out == before
    assert seedrank("--store", "pages.duckdb", "load", "table", "--links", "pages.csv").code == 0
    outcome = seedrank("--store", "pages.duckdb", "load", "table", "--links", "links.csv")
    assert "pages.duckdb holds pages, and this input holds hosts" in outcome.err


def test_domains(seedrank, tmp_path):
    (tmp_path / "links.csv").write_text("src_domain,dest_domain\nexample.org,bbc.co.uk\nbbc.co.uk,example.org\n")
    assert seedrank("load", "table", "--links", "links.csv").code == 0
    (tmp_path / "mine.txt").write_text("https://news.bbc.co.uk/1/hi\nwww.example.org\n")
    found = rows(seedrank("seeds", "evaluate", "mine.txt"))
    assert [row["domain"] for row in found] == ["bbc.co.uk", "example.org"]
    found = rows(seedrank("seeds", "maxweight", "-k", "2", "--only", "domain=*.uk"))
    assert [row["domain"] for row in found] == ["bbc.co.uk"]
    outcome = seedrank("rank", "pagerank", "--level", "host")
    assert "the graph is of domains, and its hosts are not known; leave out --level" in outcome.err


def test_common_crawl_from_the_command_line(seedrank, tmp_path):
    files = {
        "vertices.txt.gz": "0\tcom.example\n1\torg.example\n2\torg.example.www\n",
        "edges.txt.gz": "0\t1\n1\t0\n1\t2\n",
        "ranks.txt.gz": "#harmonicc_pos\t#harmonicc_val\t#pr_pos\t#pr_val\t#host_rev\n"
        "1\t3.0\t1\t0.5\torg.example\n2\t2.5\t2\t0.3\tcom.example\n3\t1.0\t3\t0.2\torg.example.www\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_bytes(gzip.compress(text.encode()))
    words = ["load", "cc-webgraph", "vertices.txt.gz", "edges.txt.gz", "--ranks", "ranks.txt.gz"]
    outcome = seedrank(*words)
    assert outcome.code == 0, outcome.err
    assert json.loads(outcome.out)["links new"] == 3
    assert "nothing was written" in seedrank(*words).err
    found = rows(seedrank("rank", "indegree"))
    assert [row["host"] for row in found] == ["example.com", "example.org", "www.example.org"]
    assert json.loads(seedrank("stats").out)["columns"]["harmonicc_pos"] == 3
    # A part is another load, and adds nothing here.
    assert seedrank(*words, "--tld", "org", "--limit", "1").code == 0
    loads = json.loads(seedrank("stats").out)["loads"]
    assert [load["source"].partition("ranks.txt.gz")[2] for load in loads] == ["", " tld=org limit=1"]
    outcome = seedrank("--store", "part.duckdb", *words, "--around", "www.example.org", "--hops", "1")
    assert "2 of 3 hosts are kept" in outcome.err
    assert {row["host"] for row in rows(seedrank("--store", "part.duckdb", "rank", "indegree"))} == {
        "example.org",
        "www.example.org",
    }


def test_in_python(web, tmp_path):
    with package.open(tmp_path / "web.duckdb") as bench:
        assert bench.session.level == "host"
        best = bench.seeds("maxweight", k=2)
        assert best.frame()["host"][1] == "a.example"
        for seeds in (["a.example", "http://e.example/x"], best.frame(), "a.example e.example", best):
            assert "a.example" in list(bench.evaluate(seeds).frame()["host"])
        assert bench.crawl("bfs", seeds=["b.example"]).frame()["host"][1] == "b.example"
        with pytest.raises(InputError, match="none of its hosts is in the graph"):
            bench.evaluate(["a b"])
        with pytest.raises(InputError):
            bench.evaluate(["gone.example"])
        assert bench.stats().level == "host"
