"""Frames of polars go in, and answers come out as frames of any library that speaks Arrow."""

from __future__ import annotations

from datetime import date

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from polars.testing import assert_frame_equal

import seedrank
from seedrank.core.errors import InputError
from seedrank.loaders.frames import FrameSource

pytestmark = pytest.mark.slow

URLS = [f"https://{host}.example/{n}" for host in "ab" for n in range(6)]
PAGES = pl.DataFrame(
    {
        "url": URLS,
        "status": pl.Series((["crawled"] * 5 + ["frontier"]) * 2, dtype=pl.Categorical),
        "clicks": [None, *range(1, 12)],
        "topic": pl.Series(["news", None, "long " * 50] * 4, dtype=pl.Enum(["news", "long " * 50])),
        "title": ["Émile", None, "x" * 300] * 4,
        "seen": pl.Series([date(2024, 1, 1), None] * 6, dtype=pl.Date),
        "nothing": [None] * 12,
        "rank": pl.Series(range(12), dtype=pl.UInt8),
        "kept": [True, False, None] * 4,
    }
)
LINKS = pl.DataFrame(
    [(URLS[n], URLS[(n * 5 + step) % 12]) for n in range(12) for step in (1, 2, 4)],
    schema=["source", "target"],
    orient="row",
)
COLUMNS = "p.url AS url, p.status AS status, p.clicks AS clicks, p.topic AS topic, p.title AS title"


@pytest.fixture
def bench(tmp_path):
    with seedrank.open(tmp_path / "x.duckdb", create=True) as made:
        made.load(pages=PAGES, links=LINKS)
        yield made


def test_a_frame_of_polars_loads_as_the_same_frame_of_pandas(bench, tmp_path):
    with seedrank.open(tmp_path / "pandas.duckdb", create=True) as other:
        other.load(pages=PAGES.to_pandas(), links=LINKS.to_pandas())
        assert bench.graph.column_names == other.graph.column_names
        for one in (bench, other):
            rows = one.query(f"MATCH (p:Page) RETURN {COLUMNS} ORDER BY p.id").to_pylist()
            assert [tuple(row.values()) for row in rows[:3]] == [
                (URLS[0], "crawled", None, "news", "Émile"),
                (URLS[1], "crawled", 1.0, None, None),
                (URLS[2], "crawled", 2.0, "long " * 50, "x" * 300),
            ]
        assert bench.stats().columns == other.stats().columns
        assert bench.graph.out_targets.tolist() == other.graph.out_targets.tolist()


def test_the_same_frame_is_the_same_load_whichever_way_it_comes(bench):
    """polars hands out string views, its `to_arrow` large strings, and pyarrow reads plain ones."""
    plain = pa.table({name: pa.array(LINKS[name].to_list(), pa.string()) for name in LINKS.columns})
    assert len({FrameSource({"links": links}).sha256() for links in (LINKS, LINKS.to_arrow(), plain)}) == 1
    bench.load(pages=PAGES.to_arrow(), links=LINKS.to_arrow())
    assert len(bench.stats().loads) == 1


def test_columns_of_a_polars_frame_are_checked(bench):
    with pytest.raises(InputError, match="pages, column tags: holds large_list"):
        bench.load(pages=PAGES.with_columns(tags=pl.Series([["a"]] * 12)))
    wrong = pl.Series(["crawled", "crawled", "eaten", *["crawled"] * 9], dtype=pl.Categorical)
    with pytest.raises(InputError, match=r"pages, line 3, column status: .*eaten"):
        bench.load(pages=PAGES.with_columns(status=wrong))


def test_hosts_and_other_names_come_from_polars_too(tmp_path):
    links = pl.DataFrame({"source_host": ["a.example", "b.example"], "target_host": ["b.example", "c.example"]})
    with seedrank.open(tmp_path / "hosts.duckdb", create=True) as hosts:
        hosts.load(links=links.cast(pl.Categorical))
        assert hosts.stats().level == "host"
        assert hosts.graph.links == 2
    pages = pl.DataFrame({"page": ["http://a/", "http://b/"], "popularity": ["5", "n/a"]})
    options = seedrank.LoadOptions(map={"url": "page", "views": "popularity"}, missing="n/a")
    with seedrank.open(tmp_path / "mapped.duckdb", create=True) as mapped:
        mapped.load(pages=pages, options=options)
        views = mapped.query("MATCH (p:Page) RETURN p.views AS views ORDER BY p.id")["views"].to_pylist()
        assert views == [5.0, None]


def test_lists_of_pages_are_frames_and_series_of_polars(bench):
    for pages in (PAGES.head(3), PAGES["url"].head(3)):
        assert bench.evaluate(pages, hops=1).facts["seeds"] == 3
        assert bench.crawl("bfs", seeds=pages).facts["seeds"] == 3


def test_answers_speak_arrow(bench):
    answer = bench.rank("pagerank")
    frame = pl.DataFrame(answer)
    assert frame.height == 12
    assert frame["url"].to_list() == answer.table["url"].to_pylist()
    assert_frame_equal(frame, pl.from_arrow(answer.table))
    assert pa.table(answer) == answer.table
    assert list(pd.DataFrame.from_arrow(answer)["rank"]) == list(range(1, 13))
    place = answer.table.schema.get_field_index("url")
    longer = answer.table.schema.set(place, pa.field("url", pa.large_string()))
    assert pa.table(answer, schema=longer)["url"].type == pa.large_string()


def test_an_answer_is_a_table_to_load(bench, tmp_path):
    answer = bench.rank("pagerank")
    with seedrank.open(tmp_path / "next.duckdb", create=True) as following:
        following.load(pages=answer)
        assert following.stats().columns["score"] == 12
