"""Calls that people are likely to get wrong: each is an error of ours in one line, which says what to do instead."""

from __future__ import annotations

from types import SimpleNamespace

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import seedrank

pytestmark = pytest.mark.slow

URLS = [f"https://{host}.example/{n}" for host in "ab" for n in range(6)]
PAGES = pd.DataFrame({"url": URLS, "status": (["crawled"] * 5 + ["frontier"]) * 2, "clicks": range(12), "topic": "x"})
LINKS = pd.DataFrame(
    [(URLS[n], URLS[(n * 5 + step) % 12]) for n in range(12) for step in (1, 2, 4)], columns=["source", "target"]
)


@pytest.fixture(scope="module")
def bench():
    with seedrank.from_frames(pages=PAGES, links=LINKS) as made:
        yield made


WRONG = [
    # names of methods and of fields
    (lambda b: b.seeds("MaxWeight"), "did you mean maxweight?"),
    (lambda b: b.seeds("max_weight"), "did you mean maxweight?"),
    (lambda b: b.seeds("nonsense"), "one of best"),
    (lambda b: b.seeds(5), "one of best"),
    (lambda b: b.seeds("maxweight", kk=3), "did you mean k?"),
    (lambda b: b.seeds("maxweight", K=3), "did you mean k?"),
    (lambda b: b.seeds("maxweight", Hops=3), "did you mean hops?"),
    (lambda b: b.seeds("maxweight", seeds=3), "one of weights"),
    (lambda b: b.crawl("FPR"), "did you mean fpr?"),
    (lambda b: b.crawl("fpr@x"), "such as fpr, fpr@20"),
    (lambda b: b.crawl("bfs@2"), "such as fpr, fpr@20"),
    (lambda b: b.crawl("fpr", limt=3), "did you mean limit?"),
    (lambda b: b.crawl(3), "one of fpr"),
    (lambda b: b.compare(["fpr", "bsf"]), "did you mean bfs?"),
    (lambda b: b.compare([]), "name one or more"),
    (lambda b: b.compare("fpr", "fpr"), "name each order once"),
    (lambda b: b.frontier("rw_eg"), "did you mean rw-eg?"),
    (lambda b: b.frontier("rw", impact="Clicks"), "name another"),
    (lambda b: b.rank("PageRank"), "did you mean pagerank?"),
    (lambda b: b.rank("trust"), "name a file of pages"),
    (lambda b: b.experiment("Ordering"), "did you mean ordering?"),
    (lambda b: b.experiment(3), "one of coverage"),
    (lambda b: b.experiment("ordering", order=["fpr"]), "did you mean orders?"),
    (lambda b: b.experiment("ordering", orders=[len]), "decorate it first"),
    (lambda b: b.experiment(["ordering"]), "did you mean ordering?"),
    (lambda b: b.experiment("ordering", orders=len), "decorate it first"),
    (lambda b: b.experiment("ordering", baseline=len, measure="clicks"), "decorate it first"),
    (lambda b: b.seeds(seedrank.CrawlQuestion()), "give its fields by name"),
    (lambda b: b.cores("hits"), "give its fields by name"),
    # values of fields
    (lambda b: b.seeds("maxweight", k=0), "at least 1"),
    (lambda b: b.seeds("maxweight", k="3"), "a whole number"),
    (lambda b: b.seeds("maxweight", k=2.5), "a whole number"),
    (lambda b: b.seeds("maxweight", k=3, budget=3), "give one of them"),
    (lambda b: b.seeds("maxweight", hops=None), "a whole number"),
    (lambda b: b.crawl("fpr", damping=1.0), "below 1"),
    (lambda b: b.crawl("fpr", budget="5%"), "a whole number"),
    (lambda b: b.crawl("fpr", limit=-1), "at least 1"),
    (lambda b: b.crawl("fpr", level="hosts"), "one of page, host, domain"),
    (lambda b: b.frontier("rw", budget="5 pages"), "such as 5%"),
    (lambda b: b.frontier("rw", budget=100), "give at most"),
    (lambda b: b.seeds("maxweight", save="yes"), 'or "all"'),
    (lambda b: b.seeds("maxweight", save=-1), 'or "all"'),
    (lambda b: b.rank(write=3), "letters, digits and _"),
    (lambda b: b.seeds("maxweight", only=[5]), "must be text"),
    (lambda b: b.seeds("maxweight", only="colour=red"), "columns"),
    # lists of pages
    (lambda b: b.crawl("fpr", seeds=["http://gone.example/"]), "check the URLs"),
    (lambda b: b.crawl("fpr", seeds=[999]), "check the URLs"),
    (lambda b: b.crawl("fpr", seeds=[-1]), "give ids or URLs"),
    (lambda b: b.crawl("fpr", seeds=[0.5]), "give ids or URLs"),
    (lambda b: b.crawl("fpr", seeds=[None]), "give ids or URLs"),
    (lambda b: b.crawl("fpr", seeds=[]), "give ids or URLs"),
    (lambda b: b.crawl("fpr", seeds=""), "give ids or URLs"),
    (lambda b: b.crawl("fpr", seeds=None), "give ids or URLs"),
    (lambda b: b.evaluate(None), "give ids or URLs"),
    (lambda b: b.transfer(""), "give ids or URLs"),
    (lambda b: b.transfer(pd.DataFrame({"url": URLS[:2], "weight": [1.0, 2.0]})), "leave out its column weight"),
    (lambda b: b.crawl("bfs", trusted=pd.DataFrame({"url": URLS[:2], "weight": [1.0, 2.0]})), "leave out its column"),
    (lambda b: b.crawl("fpr", seeds=[URLS]), "give ids or URLs"),
    (lambda b: b.crawl("fpr", seeds={URLS[0]: 2.0}), "give a frame"),
    (lambda b: b.crawl("fpr", seeds=np.arange(12) > 5), "numpy.flatnonzero"),
    (lambda b: b.crawl("fpr", seeds=np.zeros((2, 2), int)), "give ids or URLs"),
    (lambda b: b.crawl("fpr", seeds=pd.DataFrame({"page": URLS})), "a column url"),
    (lambda b: b.crawl("fpr", seeds=pd.DataFrame({"url": URLS[:1], "weight": [-1.0]})), "0 or more"),
    (lambda b: b.crawl("fpr", seeds="maxweight"), "write it like maxweight:160"),
    (lambda b: b.crawl("fpr", seeds="seeds.txt"), "check"),
    (lambda b: b.crawl("fpr", seeds="run:nothing"), "list the runs"),
    (lambda b: b.crawl("fpr", seeds=SimpleNamespace()), "give ids or URLs"),
    (lambda b: b.evaluate(b.experiment("ordering", quick=True, seeds=2)), "is an experiment, not a ranking"),
    (lambda b: b.transfer([3]), "give URLs"),
    (lambda b: b.rank("trust", trusted="spma"), "the columns are"),
    # values and tables
    (lambda b: b.seeds("maxweight", value="click"), "the columns are"),
    (lambda b: b.seeds("maxweight", value="topic"), "numbers"),
    (lambda b: b.seeds("maxweight", value=[1.0, 2.0]), "give one for every one"),
    (lambda b: b.seeds("maxweight", value=["a"] * 12), "give a page column"),
    (lambda b: b.seeds("maxweight", value=lambda p: p["nothing"]), "its columns are"),
    (lambda b: b.seeds("maxweight", value=pd.Series([1.0], index=["http://gone.example/"])), "check the URLs"),
    (lambda b: b.seeds("maxweight", value="paper", history=3), "give a DataFrame"),
    (lambda b: b.frontier("rw", events=pd.DataFrame({"when": [1]})), "time"),
    (lambda b: b.frontier("rw", since="yesterday"), "write it like"),
    # kept answers, exports, Cypher
    (lambda b: b.answer("run:nothing"), "list the runs"),
    (lambda b: b.answer(3), "give an answer, run:ID or run:latest"),
    (lambda b: b.answer(b.rank(), "tabel"), "one of ranking, table, experiment"),
    (lambda b: b.compare_runs(b.rank(), None), "give an answer, run:ID or run:latest"),
    (lambda b: b.rank().export("out", size=(8, 5)), "write it like 8x5cm"),
    (lambda b: b.rank().export(None), "a folder"),
    (lambda b: seedrank.export(PAGES, "out"), "an answer or an experiment"),
    (lambda b: seedrank.bibtex(["fpr"]), "such as maxweight"),
    (lambda b: b.query(None), "give its text"),
    (lambda b: b.graph.text("clicks"), "the columns of text are: topic"),
    (lambda b: b.ask("maxweight"), "make one, such as"),
    (lambda b: b.ask(seedrank.SeedQuestion(), saev=True), "did you mean save?"),
    (lambda b: b.export("Nutch"), "did you mean nutch-seeds?"),
    (lambda b: b.query("MATCH (p:Page) RETURN p"), "use an embedded store"),
    (lambda b: b.seeds("outdegree", save=True), "use an embedded store"),
    (lambda b: b.load(pages=PAGES), "use an embedded store"),
    (lambda b: b.pages("hosts"), "one of page, host, domain"),
    # methods of one's own
    (lambda b: seedrank.crawl_order(lambda known: known), "write it like degree-discount"),
    (lambda b: seedrank.seed_method("mine")(dict), "put the decorator of mine above one"),
    # opening
    (lambda b: seedrank.open(None), "give a path or URL"),
    (lambda b: seedrank.open(PAGES), "from_frames"),
    (lambda b: seedrank.from_frames(PAGES, LINKS, progress=True), "leave it out"),
    (lambda b: seedrank.from_frames(PAGES, LINKS, options={"assume": "crawled"}), "write LoadOptions"),
    (lambda b: seedrank.open("x.duckdb", create=True).load(PAGES), "pages=frame"),
    (lambda b: seedrank.open("x.duckdb", create=True).load(3), "pages=frame"),
    (lambda b: seedrank.open("nowhere.duckdb"), "create=True makes the store"),
    (lambda b: seedrank.open("http://a.example"), "a store is a path"),
    (lambda b: seedrank.open("x.duckdb", create=True, engine="gpu"), "engines are"),
    (lambda b: seedrank.from_frames(), "give one or more of pages"),
    (lambda b: seedrank.from_frames([1, 2]), "give a DataFrame"),
    (lambda b: seedrank.from_frames(PAGES, LINKS, status_mpa={}), "did you mean status_map?"),
    (lambda b: seedrank.from_frames(PAGES.assign(status="done"), LINKS), "status"),
    (lambda b: seedrank.from_frames(PAGES, LINKS.rename(columns={"source": "origin"})), "source"),
    (lambda b: seedrank.from_frames(PAGES, LINKS, status_map="done"), "status_map"),
    (lambda b: seedrank.from_scipy(sparse.eye_array(3, 4)), "give a square one"),
    (lambda b: seedrank.from_scipy(-np.ones((2, 2))), "0 or more"),
    (lambda b: seedrank.from_scipy("matrix"), "give a square sparse matrix"),
    (lambda b: seedrank.from_networkx([(0, 1)]), "give a Graph"),
    (lambda b: seedrank.from_networkx(nx.DiGraph()), "add some"),
    (lambda b: seedrank.from_networkx(nx.DiGraph([(0, 1, {"weight": "x"})])), "mend it"),
]


@pytest.mark.parametrize(("call", "way_out"), WRONG, ids=[str(number) for number in range(1, len(WRONG) + 1)])
def test_a_wrong_call_says_in_one_line_what_to_do(bench, call, way_out, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(seedrank.SeedrankError) as caught:
        call(bench)
    text = str(caught.value)
    assert way_out in text
    assert "\n" not in text
    assert len(text) < 600


def test_there_are_sixty_of_them():
    assert len(WRONG) >= 60
