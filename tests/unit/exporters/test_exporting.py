"""Runs on their way out: which may leave, as which file, through the Python API."""

from __future__ import annotations

import gzip
import json
import logging
import os
import shutil
import subprocess

import pandas as pd
import pytest

import seedrank
from seedrank.core.errors import InputError, StoreError, UsageError
from tests.unit.exporters.made import URLS_OF, read_ranks, read_scrapy, read_urls

pytestmark = pytest.mark.slow

PAGES = pd.DataFrame(
    {
        "url": [f"https://{host}.example/{n}" for host in "ab" for n in range(6)],
        "status": ["crawled"] * 4 + ["missing", "frontier"] + ["crawled"] * 5 + ["frontier"],
        "clicks": [float(n) for n in range(12)],
    }
)
LINKS = pd.DataFrame(
    [(PAGES.url[source], PAGES.url[(source * 5 + step) % 12]) for source in range(12) for step in (1, 2, 4)],
    columns=["source", "target"],
)
QUERIES = pd.DataFrame({"query": ["example"], "freq": [3.0], "need": [1.0]})


@pytest.fixture(scope="module")
def loaded(tmp_path_factory):
    folder = tmp_path_factory.mktemp("loaded")
    with seedrank.open(folder / "x.duckdb", create=True) as made:
        made.load(pages=PAGES, links=LINKS)
    return folder


@pytest.fixture
def bench(loaded, tmp_path, monkeypatch):
    shutil.copytree(loaded, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    with seedrank.open(tmp_path / "x.duckdb") as made:
        yield made


@pytest.mark.parametrize("target", URLS_OF)
def test_every_target_takes_a_ranking(bench, tmp_path, target):
    answer = bench.rank("pagerank")
    expected = [url for url in answer.table["url"].to_pylist() if url != PAGES.url[4]]
    name = "x.schedule" if target == "heritrix-action" else "x.out"
    made = bench.export(target, answer, name)
    text = (tmp_path / name).read_text()
    assert URLS_OF[target](text) == expected
    assert made.about["pages"] == 11
    assert made.about["left_out"] == {"missing": 1}
    assert b"".join(made.blocks()).decode() == text
    whole = bench.export(target, answer.run, with_missing=True)
    assert len(URLS_OF[target](b"".join(whole.blocks()).decode())) == 12


def test_runs_are_named_and_chosen_from(bench):
    answer = bench.rank("indegree")
    urls = answer.table["url"].to_pylist()
    for run in (None, "run:latest", answer.run.name, answer.run.id, answer.run, answer):
        made = bench.export("urls", run, top=2, only=["host=a.*"], exclude=[f"url={PAGES.url[4]}"])
        expected = [url for url in urls if "/a." in url and url != PAGES.url[4]][:2]
        assert read_urls(b"".join(made.blocks()).decode()) == expected


def test_frontier_pages_go_out_with_their_scores(bench):
    answer = bench.frontier("rw-eg")
    found = read_scrapy(b"".join(bench.export("scrapy", answer).blocks()).decode())
    assert [request["url"] for request in found] == answer.table["url"].to_pylist()
    assert [request["meta"]["score"] for request in found] == answer.table["score"].to_pylist()


def test_a_crawl_goes_out_in_its_order(bench):
    answer = bench.crawl("bfs", seeds=[PAGES.url[0]])
    expected = [url for url in answer.table["url"].to_pylist() if url != PAGES.url[4]]
    made = bench.export("nutch-seeds", answer)
    text = b"".join(made.blocks()).decode()
    assert URLS_OF["nutch-seeds"](text) == expected
    scores = [float(line.partition("nutch.score=")[2]) for line in text.splitlines() if "\t" in line]
    assert scores == sorted(scores, reverse=True)


# -- hosts


def test_hosts_go_out_as_their_root_pages(bench):
    answer = bench.rank("pagerank", level="host")
    hosts = answer.table["host"].to_pylist()
    assert read_urls(b"".join(bench.export("urls", answer).blocks()).decode()) == [f"http://{one}/" for one in hosts]
    drawn = b"".join(bench.export("gexf", answer).blocks()).decode()
    assert drawn.count("<node ") == drawn.count("<edge ") == 2
    assert "2 hosts of rank pagerank" in drawn
    only = bench.export("urls", answer, only=["host=b.*"])
    assert b"".join(only.blocks()) == b"http://b.example/\n"


def test_a_host_is_missing_where_all_its_pages_are(bench, tmp_path):
    bench.load(
        pages=pd.DataFrame({"url": ["http://c.example/", "http://d.example/"], "status": ["missing", "frontier"]})
    )
    answer = bench.rank("indegree", level="host")
    assert answer.table.num_rows == 4
    made = bench.export("urls", answer)
    assert made.about["left_out"] == {"missing": 1}
    assert b"http://d.example/" in b"".join(made.blocks())


def test_ranks_of_common_crawl_take_the_newest_runs_of_hosts(bench):
    harmonic, pagerank = bench.rank("harmonic", level="host"), bench.rank("pagerank", level="host")
    bench.rank("harmonic"), bench.rank("pagerank")
    made = bench.export("cc-ranks")
    assert made.about["runs"] == [harmonic.run.name, pagerank.run.name]
    found = read_ranks(b"".join(made.blocks()).decode())
    assert [row[4] for row in found] == harmonic.table["host"].to_pylist()
    assert [float(row[1]) for row in found] == harmonic.table["score"].to_pylist()
    by_name = dict(zip(pagerank.table["host"].to_pylist(), pagerank.table["score"].to_pylist(), strict=True))
    assert {row[4]: float(row[3]) for row in found} == by_name


def test_ranks_of_common_crawl_name_what_they_need(bench):
    with pytest.raises(StoreError, match="no run of rank harmonic is kept; rank by it first"):
        bench.export("cc-ranks")
    pages, hosts = bench.rank("harmonic"), bench.rank("pagerank", level="host")
    with pytest.raises(UsageError, match=r"ranks pages, run:\S+ hosts; name runs of one level"):
        bench.export("cc-ranks", harmonic=pages, pagerank=hosts)
    with pytest.raises(UsageError, match="is of rank pagerank, not of rank harmonic"):
        bench.export("cc-ranks", harmonic=hosts)
    with pytest.raises(UsageError, match=r"has no option 'run'; one of harmonic"):
        bench.export("cc-ranks", pages)


# -- what may not leave


@pytest.fixture
def searched(bench):
    bench.load(queries=QUERIES)
    return bench


@pytest.mark.parametrize("method", ["q-overlap", "q-hybrid"])
def test_orders_by_searches_leave_as_tables_only(searched, tmp_path, method):
    answer = searched.frontier(method)
    for target in URLS_OF:
        with pytest.raises(UsageError, match=rf"is of {method}, .* US patent 7,899,807; write it as a table \(csv"):
            searched.export(target, answer, "x.schedule")
    assert sorted(path.name for path in tmp_path.iterdir() if "x.duckdb" not in path.name) == []
    assert answer.table.num_rows == 2


def test_a_list_made_of_such_a_run_may_not_leave_either(searched):
    overlap = searched.frontier("q-overlap")
    crawl = searched.crawl("bfs", seeds=overlap)
    with pytest.raises(UsageError, match="US patent"):
        searched.export("urls", crawl)
    searched.delete_run(overlap.run.name)
    assert searched.export("urls", crawl).about["pages"] == 2


def test_a_model_that_learnt_from_searches_may_not_leave(searched):
    answer = searched.frontier("learned")
    assert "q-overlap" in answer.facts["features"]
    with pytest.raises(UsageError, match=r"uses the scores of q-overlap, .* US patent"):
        searched.export("urls", answer)


def test_a_model_that_did_not_may(bench):
    answer = bench.frontier("learned")
    assert answer.facts["features"] == ["indegree", "pagerank", "rw", "rw-eg"]
    assert bench.export("urls", answer).about["pages"] == 2


def test_a_run_that_does_not_say_what_its_model_used_may_not(bench):
    answer = bench.frontier("learned")
    record = bench.session.runs.folder_of(answer.run.id) / "run.json"
    known = json.loads(record.read_text())
    del known["facts"]["features"]
    record.write_text(json.dumps(known))
    with pytest.raises(UsageError, match="does not say which scores its model learnt from; ask again"):
        bench.export("urls", answer)


@pytest.mark.parametrize(
    ("ask", "text"),
    [
        (lambda b: b.export("urls", b.evaluate([PAGES.url[0]])), "is a table, not a ranking"),
        (lambda b: b.export("wget"), "unknown target 'wget'"),
        (lambda b: b.export("urls", tops=3), "urls has no option 'tops'; did you mean top?"),
        (lambda b: b.export("urls", b.rank(), fetch_interval=3), "urls has no option 'fetch_interval'"),
        (lambda b: b.export("urls", b.rank(), top=0), "top must be at least 1"),
        (lambda b: b.export("heritrix-action", b.rank(), "x.txt"), "let its name end in .schedule or .schedule.gz"),
    ],
)
def test_mistakes_are_told(bench, ask, text):
    bench.rank()
    with pytest.raises(UsageError) as caught:
        ask(bench)
    assert text in str(caught.value)
    assert "--" not in str(caught.value)


def test_an_unknown_run_is_told(bench):
    with pytest.raises(StoreError, match="run 'none' does not exist; list the runs"):
        bench.export("urls", "run:none")


# -- files


def test_formats_without_comments_have_a_statement_beside_them(bench, tmp_path):
    bench.rank()
    for target in URLS_OF:
        name = f"{target}.schedule"
        made = bench.export(target, file=name)
        beside = tmp_path / f"{name}.about.json"
        assert beside.exists() != made.target.header
        if beside.exists():
            assert json.loads(beside.read_text()) == made.about
        else:
            assert made.about["direction"] in (tmp_path / name).read_text()


def test_a_pipe_has_nothing_beside_it(bench, tmp_path):
    bench.rank()
    pipe = tmp_path / "pipe.txt"
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE)
    before = set(tmp_path.iterdir())
    made = bench.export("urls", file=pipe)
    assert not made.target.header
    assert reader.communicate(timeout=60)[0] == b"".join(made.blocks())
    assert set(tmp_path.iterdir()) == before


@pytest.mark.parametrize("target", ["scrapy", "browsertrix"])
def test_a_name_that_ends_in_txt_gives_the_plain_list(bench, tmp_path, target):
    bench.rank()
    made = bench.export(target, file="x.txt")
    bench.export("urls", file="y.txt")
    assert (tmp_path / "x.txt").read_bytes() == (tmp_path / "y.txt").read_bytes()
    assert made.about["target"] == target
    assert (tmp_path / "x.txt.about.json").exists()
    bench.export(target, file="z.txt.gz")
    assert gzip.decompress((tmp_path / "z.txt.gz").read_bytes()) == (tmp_path / "x.txt").read_bytes()


def test_files_are_compressed_by_their_suffix_and_the_same_each_time(bench, tmp_path):
    bench.rank()
    for name in ("a.gz", "b.gz", "c"):
        bench.export("nutch-seeds", file=name)
    packed = (tmp_path / "a.gz").read_bytes()
    assert packed == (tmp_path / "b.gz").read_bytes()
    assert gzip.decompress(packed) == (tmp_path / "c").read_bytes()


def test_a_file_appears_whole_or_not_at_all(bench, tmp_path):
    bench.rank()
    bench.export("nutch-seeds", file="seeds")
    before = (tmp_path / "seeds").read_bytes()
    with pytest.raises(UsageError, match="is not an entry"):
        bench.export("nutch-seeds", file="seeds", metadata=["broken"])
    assert (tmp_path / "seeds").read_bytes() == before
    with pytest.raises(UsageError, match="ranks pages"):
        bench.rank("harmonic")
        bench.export("cc-ranks", file="ranks")
    with pytest.raises(InputError, match="cannot be written"):
        bench.export("urls", file="nowhere/x")
    assert sorted(path.name for path in tmp_path.iterdir() if "x.duckdb" not in path.name) == ["seeds"]


@pytest.mark.parametrize(("target", "name"), [("heritrix-action", "n.schedule"), ("heritrix-seeds", "n.seeds")])
def test_a_watched_folder_sees_the_whole_file_only(bench, tmp_path, target, name, monkeypatch):
    """Heritrix acts on every file of its action folder, and moves it away, whatever it is called."""
    action = tmp_path / "job" / "action"
    action.mkdir(parents=True)
    seen: list[set[str]] = []
    real = os.fsync
    monkeypatch.setattr("os.fsync", lambda number: (seen.append({one.name for one in action.iterdir()}), real(number)))
    bench.rank()
    bench.export(target, file=action / name)
    assert {one.name for one in action.iterdir()} == {name}
    assert [one.name for one in action.parent.iterdir()] == ["action"]
    assert seen[0] == set(), "brought to disk before it is moved in"


def test_a_folder_whose_neighbour_may_not_be_written_takes_the_file_itself(bench, tmp_path, monkeypatch):
    bench.rank()
    inner = tmp_path / "closed" / "action"
    inner.mkdir(parents=True)
    monkeypatch.setattr("os.access", lambda path, mode: False)
    bench.export("heritrix-action", file=inner / "n.schedule")
    assert {one.name for one in inner.iterdir()} == {"n.schedule"}


def test_a_run_of_an_older_graph_says_so(bench, caplog):
    answer = bench.rank()
    bench.load(pages=pd.DataFrame({"url": ["http://new.example/"]}))
    with caplog.at_level(logging.WARNING):
        made = bench.export("urls", answer)
    assert made.about["pages"] == 11
    assert "older version of the graph" in caplog.text


def test_an_export_outlives_its_store(tmp_path, monkeypatch):
    """The command line closes the store first: a pipe may be read slowly."""
    with seedrank.open(tmp_path / "x.duckdb", create=True) as bench:
        bench.load(pages=PAGES, links=LINKS)
        bench.rank()
        made = bench.export("gexf")
    assert b"".join(made.blocks()).count(b"<node ") == 11
