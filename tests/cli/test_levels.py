"""Questions about the hosts and domains of a graph of pages, from the command line and in Python."""

from __future__ import annotations

import json
import re

import numpy as np
import pandas as pd
import pytest

import seedrank as package
from seedrank.core.errors import UsageError
from tests.cli.conftest import made_once
from tests.cli.outcomes import rows

PAGES = """url,status,clicks,mine
http://www.a.org/,crawled,3,1
http://www.a.org/x,crawled,4,2
http://blog.a.org/,crawled,,
http://b.org/1,crawled,1,7
http://b.org/2,frontier,,
http://c.co.uk/,frontier,,
http://d.c.co.uk/,missing,,
http://e.org/,crawled,2,
"""
LINKS = """source,target,weight
http://www.a.org/,http://b.org/1,2
http://www.a.org/x,http://b.org/1,3
http://www.a.org/x,http://b.org/2,5
http://www.a.org/,http://blog.a.org/,1
http://blog.a.org/,http://b.org/1,1
http://b.org/1,http://c.co.uk/,4
http://b.org/1,http://www.a.org/x,1
http://e.org/,http://www.a.org/,1
http://e.org/,http://c.co.uk/,1
http://b.org/1,http://d.c.co.uk/,1
"""
HOSTS = {"b.org", "blog.a.org", "c.co.uk", "d.c.co.uk", "e.org", "www.a.org"}
DOMAINS = {"a.org", "b.org", "c.co.uk", "e.org"}
COMMANDS = [
    "rank pagerank",
    "rank hits",
    "rank harmonic",
    "seeds maxweight -k 2",
    "seeds maxweight -k 2 --value clicks",
    "seeds random -k 2 --only status=crawled",
    "seeds evaluate e.org",
    "seeds reduce e.org",
    "seeds transfer {list}",
    "seeds cores -k 1",
    "crawl fpr --seeds pagerank:2",
    "crawl bfs --seeds e.org",
    "crawl opic --seeds maxweight:1 --per-host 1",
    "frontier rw --impact clicks",
    "frontier rw-eg",
    "explain c.co.uk",
]


@pytest.fixture
@made_once
def web(seedrank, tmp_path):
    (tmp_path / "pages.csv").write_text(PAGES)
    (tmp_path / "links.csv").write_text(LINKS)
    (tmp_path / "list.txt").write_text("e.org\n")
    outcome = seedrank("load", "table", "--pages", "pages.csv", "--links", "links.csv")
    assert outcome.code == 0, outcome.err
    return seedrank


@pytest.mark.parametrize("level", ["host", "domain"])
def test_every_family_answers_with_names(web, level):
    names = HOSTS if level == "host" else DOMAINS
    for words in COMMANDS:
        found = rows(web(*words.format(list="list.txt").split(), "--level", level))
        assert found, words
        assert list(found[0])[:5] == ["rank", "id", "source_id", level, "score"], words
        assert {row[level] for row in found} <= names, words
    listed = rows(web("runs"))
    assert all(f"--level {level}" in row["command"] for row in listed if "maxweight" not in row["command"])
    # The seeds of a crawl are a run of the same level, and every command of a run asks the same again.
    assert [row for row in listed if row["command"].endswith(f"seeds maxweight -k 1 --level {level}")]
    again = rows(web("runs", "repeat", f"run:{listed[-1]['id']}"))
    assert {row[level] for row in again} == names


def test_links_weigh_what_links_of_pages_do_together(web, tmp_path):
    with package.open(tmp_path / "web.duckdb") as bench:
        at = bench.session.view(level="host")
        assert (
            at is bench.session.view(level="host")
            and bench.session.view() is bench.session.view(level="page") is bench.session
        )
        graph = at.stored_graph
        assert (at.level, graph.pages, graph.links) == ("host", 6, 8)
        names = graph.host_names.to_pylist()
        row = names.index("www.a.org")
        own = slice(*graph.out_offsets[row : row + 2])
        found = dict(zip(graph.out_targets[own].tolist(), graph.weights[own].tolist(), strict=True))
        assert found == {names.index("b.org"): 10.0, names.index("blog.a.org"): 1.0}
        counted = bench.session.view(level="host", host_weights="pages").stored_graph
        assert dict(zip(counted.out_targets[own].tolist(), counted.weights[own].tolist(), strict=True)) == {
            names.index("b.org"): 2.0,
            names.index("blog.a.org"): 1.0,
        }
        assert graph.column("clicks")[row] == 7 and graph.column("mine")[row] == 1.5
    assert (tmp_path / "web.duckdb.seedrank" / "graph-host-links" / "graph.json").exists()


def test_stats_at_a_level(web):
    stats = json.loads(web("stats", "--level", "domain").out)
    assert (stats["level"], stats["pages"], stats["crawled"], stats["frontier"]) == ("domain", 4, 3, 1)
    assert stats["weighted"] and stats["columns"]["clicks"] == 3
    drawn = web("stats", "--level", "host", "--format", "table").out
    assert "level: host" in drawn and "links per host" in drawn


def test_a_teleport_names_hosts_or_their_urls(web, tmp_path):
    found = []
    for number, text in enumerate(("e.org\n", "http://e.org/anything\n")):
        (tmp_path / f"trust{number}.txt").write_text(text)
        words = ["rank", "pagerank", "--level", "host", "--teleport", f"trust{number}.txt"]
        found.append({row["host"]: row["score"] for row in rows(web(*words))})
    assert found[0] == found[1]
    plain = {row["host"]: row["score"] for row in rows(web("rank", "pagerank", "--level", "host"))}
    assert found[0]["e.org"] > 0.15 and found[0] != plain
    (tmp_path / "trust.txt").write_text("gone.org\n")
    assert (
        "none of its hosts is in the graph: 'gone.org'"
        in web("rank", "pagerank", "--level", "host", "--teleport", "trust.txt").err
    )


def test_a_run_of_another_level_is_refused_in_one_line(web):
    rows(web("seeds", "maxweight", "-k", "2", "--level", "host"))
    run = f"run:{rows(web('runs'))[0]['id']}"
    for words in (["crawl", "bfs", "--seeds", run], ["seeds", "evaluate", run], ["seeds", "reduce", "run:latest"]):
        refused = web(*words)
        assert refused.code == 2 and refused.err.count("\n") == 1
        assert f"{run} (seeds maxweight) ranks hosts, and pages are asked about" in refused.err
        assert "name a run of pages, or ask about hosts: --level host" in refused.err
    assert rows(web("crawl", "bfs", "--seeds", run, "--level", "host"))
    rows(web("seeds", "maxweight", "-k", "2"))
    refused = web("runs", "compare", run, "run:latest")
    assert refused.code == 2 and re.search(r"is of hosts, run:\S+ of pages; name two of one level", refused.err)
    rows(web("seeds", "random", "-k", "2", "--level", "host"))
    assert {row["host"] for row in rows(web("runs", "compare", run, "run:latest"))} <= HOSTS


def test_what_leaves_has_the_level_of_its_run(web):
    chosen = [row["host"] for row in rows(web("seeds", "maxweight", "-k", "2", "--level", "host"))]
    assert web("export", "urls", "-q").out.splitlines() == [f"http://{host}/" for host in chosen]
    assert all(f'label="{host}"' in web("export", "gexf", "-q").out for host in chosen)
    shown = web("runs", "show", "run:latest", "--format", "table").out
    assert chosen[0] in shown and "http" not in shown.partition("again")[0]
    rows(web("rank", "pagerank", "--level", "domain"))
    assert "domains of rank pagerank" in web("export", "nutch-seeds").out + web("export", "nutch-seeds").err


def test_an_export_takes_the_newest_answer_of_a_level(web):
    rows(web("rank", "indegree", "--level", "host"))
    rows(web("rank", "indegree"))
    lines = web("export", "urls", "-q", "--level", "host").out.splitlines()
    assert len(lines) == 5 and "http://www.a.org/" in lines
    assert "no ranking with domains is kept" in web("export", "urls", "--level", "domain").err
    run = f"run:{rows(web('runs'))[0]['id']}"
    assert f"{run} ranks pages, not hosts" in web("export", "urls", "--run", run, "--level", "host").err
    assert "--level cannot be 'town'; one of page, host, domain" in web("export", "urls", "--level", "town").err


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_the_tables_of_a_level_make_a_store_of_that_level(web, kind, tmp_path):
    assert web("export", kind, "hosts", "--level", "host").code == 0
    tables = " ".join(f"--{name} hosts/{name}.{kind}" for name in ("pages", "links", "hosts"))
    loaded = web("--store", "hosts.duckdb", "load", "table", *tables.split())
    assert loaded.code == 0, loaded.err
    derived, stored = (
        json.loads(web("--store", store, "stats", *more).out)
        for store, more in (("web.duckdb", ["--level", "host"]), ("hosts.duckdb", []))
    )
    for name in ("level", "pages", "crawled", "frontier", "missing", "links", "weighted", "out_degree", "columns"):
        assert derived[name] == stored[name], name
    scores = [
        {row["host"]: row["score"] for row in rows(web("--store", store, "rank", "pagerank", *more))}
        for store, more in (("web.duckdb", ["--level", "host"]), ("hosts.duckdb", []))
    ]
    assert scores[0] == pytest.approx(scores[1])
    refused = web("export", kind, "--run", "run:latest", "--level", "host", "-o", f"a.{kind}")
    assert "--level goes with a folder" in refused.err


def test_the_report_has_names_of_hosts(web, tmp_path):
    rows(web("rank", "pagerank", "--level", "host"))
    rows(web("seeds", "cores", "-k", "1", "--level", "host"))
    assert web("report", "-o", "report.html").code == 0
    page = (tmp_path / "report.html").read_text()
    assert "rank pagerank of hosts" in page and "<td>www.a.org" in page
    assert re.search(r"hosts? links? here", page, re.I)


def test_scores_go_to_hosts(web, tmp_path):
    scores = {row["host"]: row["score"] for row in rows(web("rank", "pagerank", "--level", "host", "--write", "pr"))}
    asked = "MATCH (h:Host) RETURN h.name AS host, h.pr AS pr"
    assert {row["host"]: row["pr"] for row in rows(web("query", asked))} == pytest.approx(scores)
    with package.open(tmp_path / "web.duckdb") as bench:
        assert "pr" in bench.graph.hosts.column_names
        graph = bench.session.view(level="host").graph
        assert dict(zip(graph.host_names.to_pylist(), graph.column("pr").tolist(), strict=True)) == pytest.approx(
            scores
        )
        # Written again, and read in the same session.
        doubled = {name: 2 * score for name, score in scores.items()}
        bench.session.view(level="host").write_scores(
            "pr", np.array([doubled[name] for name in graph.host_names.to_pylist()])
        )
        again = bench.session.view(level="host").graph
        assert dict(zip(again.host_names.to_pylist(), again.column("pr").tolist(), strict=True)) == pytest.approx(
            doubled
        )
    found = rows(web("seeds", "maxweight", "-k", "1", "--level", "host", "--value", "pr"))
    assert found[0]["score"] > 0
    refused = web("rank", "pagerank", "--level", "domain", "--write", "pr")
    assert refused.code == 2 and refused.err.count("\n") == 1 and "a domain has no node in the database" in refused.err


def test_sentences_speak_of_what_is_asked_about(web):
    told = web("frontier", "rw-eg", "--level", "domain").err
    assert "1 of 1 frontier domain, from 3 crawled domains" in told


def test_what_writes_pages_is_refused_above_them(web):
    for words in ("seeds maxweight --save", "frontier rw-eg --save-links", "seeds cores --save"):
        refused = web(*words.split(), "--level", "host")
        assert refused.code == 2 and refused.err.count("\n") == 1
        assert "pages can be saved in the database, and hosts are asked about" in refused.err
    assert "searches lead to pages, and domains" in web("frontier", "q-overlap", "--level", "domain").err
    assert "--host-weights goes with hosts or domains" in web("rank", "pagerank", "--host-weights", "pages").err


def test_a_finer_level_than_is_stored_is_refused(seedrank, tmp_path):
    (tmp_path / "links.csv").write_text("src_host,dst_host,weight\nx.a.org,b.org,2\ny.a.org,b.org,3\nb.org,y.a.org,1\n")
    assert seedrank("load", "table", "--links", "links.csv").code == 0
    same = [rows(seedrank("rank", "pagerank", *more)) for more in ([], ["--level", "host"])]
    assert same[0] == same[1]
    assert "the graph is of hosts, and its pages are not known; leave out --level" in seedrank(
        "rank", "pagerank", "--level", "page").err  # fmt: skip
    refused = seedrank("rank", "pagerank", "--level", "host", "--host-weights", "pages")
    assert "links between hosts weigh what is stored" in refused.err
    assert {row["domain"] for row in rows(seedrank("rank", "pagerank", "--level", "domain"))} == {"a.org", "b.org"}
    with package.open(tmp_path / "web.duckdb") as bench:
        found = bench.session.view(level="domain").stored_graph
        assert found.links == 2 and found.weights.tolist() == [1.0, 5.0]
        assert found.column("hosts").tolist() == [1, 2]


def test_a_graph_without_hosts_says_so_once(seedrank, tmp_path):
    (tmp_path / "links.csv").write_text("source,target\n1,2\n2,3\n3,1\n")
    assert seedrank("load", "table", "--links", "links.csv").code == 0
    stats = json.loads(seedrank("stats").out)
    assert stats["inter_site_links"] is None and stats["sites"] == 0
    drawn = seedrank("stats", "--format", "table").out
    assert "between sites" not in drawn and drawn.count("host") == 2
    assert "No page has a host, so there are no sites: load URLs or a host column" in drawn
    assert seedrank("rank", "pagerank").code == seedrank("report", "-o", "report.html").code == 0
    for words in ("rank pagerank --level host", "stats --level domain", "seeds maxweight --per-site", "seeds cores",
                  "crawl fpr --seeds pagerank:1 --per-host 1"):  # fmt: skip
        refused = seedrank(*words.split())
        assert refused.code == 1 and refused.err.count("\n") == 1, words
        assert "no page has a host" in refused.err and "load URLs or a host column" in refused.err


def test_pages_without_a_host_are_left_out_and_counted(seedrank, tmp_path):
    (tmp_path / "pages.csv").write_text("id,host\n1,a.org\n2,b.org\n3,\n")
    (tmp_path / "links.csv").write_text("source,target\n1,2\n3,1\n")
    assert seedrank("load", "table", "--pages", "pages.csv", "--links", "links.csv").code == 0
    found = seedrank("rank", "indegree", "--level", "host")
    assert {row["host"]: row["score"] for row in rows(found)} == {"a.org": 0, "b.org": 1}
    assert "1 pages without a host are left out" in found.err


def test_in_python(web, tmp_path):
    with package.open(tmp_path / "web.duckdb") as bench:
        best = bench.seeds(k=2, level="host")
        assert best.run.parameters["level"] == "host" and "host" in best.frame()
        for seeds in (best, best.frame(), ["e.org", "http://www.a.org/x"], "e.org b.org"):
            assert len(bench.evaluate(seeds, level="host").table) >= 1
            assert len(bench.crawl("bfs", seeds=seeds, level="host").table) >= 1
        with pytest.raises(UsageError, match="ranks hosts, and domains are asked about"):
            bench.crawl("bfs", seeds=best, level="domain")
        assert bench.stats(level="domain").pages == 4
        assert bench.compare("bfs", "fpr", seeds="e.org", level="host").tables["orders"].num_rows == 2
        assert bench.answer(best.run.name).frame().equals(best.frame())
        bench.load(links=pd.DataFrame({"source": ["http://f.org/"], "target": ["http://e.org/"]}))
        assert bench.session.view(level="host").graph.pages == 7, "a load forgets what was made"
