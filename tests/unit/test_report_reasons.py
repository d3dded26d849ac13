"""Why a page is in an answer: the sentences of the report say what `explain` and the graph say."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import seedrank
from seedrank.loaders.table import TableSource
from seedrank.output.report.answers import answers, latest_of_each
from seedrank.output.report.page import meanings
from seedrank.output.report.reasons import short_address

pytestmark = pytest.mark.slow

LINKS = [
    ("https://a.example/", "https://a.example/hot"),
    ("https://a.example/", "https://a.example/cold"),
    ("https://a.example/", "https://a.example/new"),
    ("https://a.example/hot", "https://a.example/new"),
    ("https://a.example/hot", "https://b.example/next"),
    ("https://b.example/", "https://a.example/"),
    ("https://b.example/", "https://b.example/next"),
    ("https://a.example/cold", "https://b.example/"),
    ("https://a.example/cold", "https://b.example/far"),
]


@pytest.fixture
def asked(tmp_path):
    """A small web in which one page is used; the reasons of an answer by its method."""

    def of(column: str, ask, *more, urls: bool = True):
        every = [*LINKS, *more]
        pages, crawled = sorted({page for link in every for page in link}), {source for source, _ in every}
        key = (lambda page: page) if urls else pages.index
        used = [(40.0 if page.endswith("/hot") else 0.0) if page in crawled else None for page in pages]
        status = ["crawled" if page in crawled else "frontier" for page in pages]
        known = {"url" if urls else "id": list(map(key, pages)), "status": status, column: used}
        pq.write_table(pa.table(known), tmp_path / "pages.parquet")
        links = {end: [key(link[n]) for link in every] for n, end in enumerate(("source", "target"))}
        pq.write_table(pa.table(links), tmp_path / "links.parquet")
        with seedrank.open(str(tmp_path / "web.duckdb"), create=True) as bench:
            bench.load(TableSource(pages=[str(tmp_path / "pages.parquet")], links=[str(tmp_path / "links.parquet")]))
            ask(bench)
            shown, left_out = answers(bench.session, latest_of_each(bench.runs()))
        assert left_out == []
        return {one.run.method: {name: (place, why) for place, name, why in one.first} for one in shown}

    return of


@pytest.mark.parametrize(("column", "used"), [("clicks", "Clicked page"), ("views", "Viewed page")])
def test_a_frontier_page_is_there_for_the_used_pages_that_link_to_it(asked, column, used):
    found = asked(column, lambda bench: bench.frontier("rw-eg", impact=column))["frontier rw-eg"]
    _, new = found["https://a.example/new"]
    assert new.startswith(f"{used} /hot (40 {column}) links here, and so does 1 other page; this brings it ")
    _, there = found["https://b.example/next"]
    assert there.startswith(f"{used} a.example/hot (40 {column}) links here, and so does 1 other page; ")
    _, far = found["https://b.example/far"]
    assert far.startswith(f"1 page without {column} links here; this brings it ")
    assert [place for place, _ in found.values()] == [1, 2, 3]


def test_other_columns_are_called_by_their_name(asked):
    found = asked("sales", lambda bench: bench.frontier("rw", impact="sales"))["frontier rw"]
    assert found["https://a.example/new"][1].startswith("Page with sales /hot (40 sales) links here")
    assert not any("linked from the same" in why for _, why in found.values())


def test_what_shares_its_links_is_named_too(asked):
    more = ("https://a.example/", "https://b.example/beside")
    found = asked("clicks", lambda bench: bench.frontier("rw-eg", impact="clicks"), more)["frontier rw-eg"]
    assert found["https://b.example/beside"][1].startswith(
        "1 page without clicks links here; linked from the same pages: clicked page a.example/hot (40 clicks); "
    )


def test_a_method_without_impact_says_how_pages_are_linked(asked):
    found = asked("clicks", lambda bench: bench.frontier("indegree", impact="clicks"))["frontier indegree"]
    assert {why for _, why in found.values()} == {"2 pages link here.", "1 page links here."}


def test_seeds_say_what_they_add_and_a_crawl_what_led_to_its_pages(asked):
    def ask(bench):
        bench.crawl("bfs", seeds=bench.seeds("maxout", k=1, hops=1))

    found = asked("clicks", ask)
    assert list(found["seeds maxout"].values()) == [(1, "Adds 3 pages; 75.0 % of all crawled pages covered so far.")]
    order = found["crawl bfs"]
    assert min(place for place, _ in order.values()) == 2  # the first is the seed
    assert order["https://a.example/cold"][1] == "Linked from a.example/, fetched before it."


def test_pages_without_urls_have_numbers(asked):
    found = asked("clicks", lambda bench: bench.frontier("rw-eg", impact="clicks"), urls=False)["frontier rw-eg"]
    name, (_, why) = next(iter(found.items()))
    assert name.startswith("page ")
    assert why.startswith("Clicked page number ")


def test_long_addresses_lose_their_middle():
    assert short_address("https://a.example/b") == "a.example/b"
    assert short_address("https://a.example/" + "x" * 90 + "/end", 20) == "a.example/x…xxxx/end"
    assert short_address("https://a.example/\u202e") == "a.example/\\u202e"


def test_words_are_explained_where_they_occur():
    said = ["Start from the 10 seeds of maxweight.", "Fetch https://fpr.example/greedy next, by rw-eg."]
    assert [word for word, _ in meanings(said)] == ["seeds", "maxweight", "rw-eg"]
    assert meanings(["Nothing to explain."]) == []
