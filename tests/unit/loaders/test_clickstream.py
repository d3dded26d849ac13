"""Wikipedia's clickstream."""

from __future__ import annotations

import contextlib
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from seedrank.core.errors import InputError, UsageError
from seedrank.ingest.merge import Merge
from seedrank.loaders.base import LoadOptions
from seedrank.loaders.clickstream import ClickstreamSource
from seedrank.loaders.table import TableSource
from tests.unit.loaders.spool_reference import Store

WIKI = "https://en.wikipedia.org/wiki/"
NAME = "clickstream-enwiki-2024-01.tsv"
QUIET = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]

SAMPLE = """\
prev\tcurr\ttype\tn
other-search\tPageRank\texternal\t17000
other-empty\tPageRank\texternal\t9000
other-internal\tPageRank\texternal\t25
Google\tPageRank\tlink\t1200
PageRank\tGoogle\tlink\t800
Main_Page\tPageRank\tother\t11
PageRank\tWho's_Afraid_of_Virginia_Woolf?\tlink\t10
Larry_Page\tAC/DC\tlink\t12
PageRank\t100%_(song)\tlink\t14
other-search\tCafé_"X"\texternal\t15
"""


@pytest.fixture
def write(tmp_path):
    def write(text: str | bytes, name: str = NAME) -> str:
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    return write


def load(source, folder, **options):
    with Merge(folder / "spool", LoadOptions(**options)) as spool:
        for batch in source.batches():
            spool.add(batch)
        changes, summary = spool.finish()
        pages = changes.new_pages.to_pylist()
        links = [(pages[row["source"]]["url"], pages[row["target"]]["url"], row["weight"])
                 for row in changes.new_links.to_pylist()]  # fmt: skip
        return {page["url"]: page for page in pages}, links, summary


def test_views_clicks_and_links(write, tmp_path):
    pages, links, summary = load(ClickstreamSource([write(SAMPLE)]), tmp_path)
    views = {url.removeprefix(WIKI): page["views"] for url, page in pages.items()}
    assert views == {
        "PageRank": 17000 + 9000 + 25 + 1200 + 11,
        "Google": 800,
        "Who's_Afraid_of_Virginia_Woolf%3F": 10,
        "AC/DC": 12,
        "100%25_(song)": 14,
        "Caf%C3%A9_%22X%22": 15,
        "Larry_Page": None,
    }
    assert {url.removeprefix(WIKI): page["clicks"] for url, page in pages.items() if page["clicks"]} == {
        "PageRank": 17000,
        "Caf%C3%A9_%22X%22": 15,
    }
    assert sorted((a.removeprefix(WIKI), b.removeprefix(WIKI), n) for a, b, n in links) == [
        ("Google", "PageRank", 1200.0),
        ("Larry_Page", "AC/DC", 12.0),
        ("PageRank", "100%25_(song)", 14.0),
        ("PageRank", "Google", 800.0),
        ("PageRank", "Who's_Afraid_of_Virginia_Woolf%3F", 10.0),
    ]
    assert summary.counts["link rows"] == 5


def test_what_the_crawl_did_not_fetch_stays_frontier(write, tmp_path):
    store = Store()
    crawl = write(f"source\ttarget\n{WIKI}Google\t{WIKI}PageRank\n", "links.tsv")
    for source in (TableSource(links=[crawl]), ClickstreamSource([write(SAMPLE)])):
        with Merge(tmp_path / "spool", LoadOptions(), store) as spool:
            for batch in source.batches():
                spool.add(batch)
            store.apply(spool.finish()[0])
    statuses = {page.url.removeprefix(WIKI): page.status for page in store.pages}
    assert (statuses["Google"], statuses["PageRank"], statuses["Larry_Page"]) == ("crawled", "frontier", "crawled")


def test_which_wikipedia(write, tmp_path):
    row = "other-search\tA\texternal\t10\n"
    for name, url in {
        "clickstream-dewiki-2024-01.tsv": "https://de.wikipedia.org/wiki/A",
        "clickstream-zh_yuewiki-2024-01.tsv": "https://zh-yue.wikipedia.org/wiki/A",
    }.items():
        assert list(load(ClickstreamSource([write(row, name)]), tmp_path)[0]) == [url]
    given = ClickstreamSource([write(row, "mine.tsv")], url_prefix="https://x.example/")
    assert list(load(given, tmp_path, url_prefix="https://x.example/")[0]) == ["https://x.example/A"]
    with pytest.raises(UsageError, match=r"mine.tsv does not say of which Wikipedia it is; give url_prefix="):
        ClickstreamSource(["mine.tsv"])


def test_broken_rows_are_counted(write):
    rows = ["a\tb\tlink", "a\tb\tlink\t1\t2", "a\tb\tlink\tmany", "a\tb\tlink\t-3", "a\tb\tjump\t3", "\tb\tlink\t3",
            "a\t\tlink\t3", "a\tb\tlink\t9999999999999999", "a\0\tb\tlink\t3"]  # fmt: skip
    file = write(SAMPLE + "\n".join(rows) + "\n")
    source = ClickstreamSource([file])
    assert sum(batch.rows.num_rows for batch in source.batches() if batch.kind == "links") == 5
    assert source.broken.count == 9
    assert source.broken.first[:3] == [
        f"{file}: line 12: does not have four fields",
        f"{file}: line 13: does not have four fields",
        f"{file}: line 14: has no number",
    ]
    with pytest.raises(InputError, match="line 20"):
        list(ClickstreamSource([file], strict=True).batches())
    with pytest.raises(InputError, match="no row of a clickstream; its columns are prev, curr, type and n"):
        list(ClickstreamSource([write("prev\tcurr\ttype\tn\nx\n")]).batches())


titles = st.sampled_from(["A", "B_(x)", "C?", "100%", "D#1", "É", "other-x"])
rows = st.tuples(
    titles | st.just("other-search"), titles, st.sampled_from(["link", "other", "external"]), st.integers(0, 99)
)


@pytest.mark.slow
@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=QUIET)
@given(st.lists(rows, min_size=1, max_size=15))
def test_sums_as_python_does(tmp_path, rows):
    path = tmp_path / NAME
    path.write_text("".join("\t".join(map(str, row)) + "\n" for row in rows))
    views, clicks, links = Counter(), Counter(), Counter()
    for batch in ClickstreamSource([str(path)]).batches():
        for row in batch.rows.to_pylist():
            if batch.kind == "links":
                links[row["source"], row["target"]] += row["weight"]
            elif batch.kind == "events":
                (views if "views" in row else clicks)[row["url"]] += row.get("views", row.get("clicks"))

    def url(title):
        return WIKI + title.replace("%", "%25").replace("?", "%3F").replace("#", "%23")

    assert views == Counter({url(curr): sum(n for _, c, _, n in rows if c == curr) for _, curr, _, _ in rows})
    assert clicks == Counter(
        {url(curr): sum(n for p, c, _, n in rows if c == curr and p == "other-search")
         for prev, curr, _, _ in rows if prev == "other-search"}
    )  # fmt: skip
    assert links == Counter(
        {(url(prev), url(curr)): sum(n for p, c, t, n in rows if (p, c, t) == (prev, curr, "link"))
         for prev, curr, kind, _ in rows if kind == "link"}
    )  # fmt: skip


@pytest.mark.slow
@settings(max_examples=100, deadline=None, derandomize=True, suppress_health_check=QUIET)
@given(junk=st.binary(max_size=60) | st.text("a\t\n0link\0", max_size=40).map(str.encode), good=st.booleans())
def test_any_bytes_load_or_are_refused(tmp_path, junk, good):
    path = tmp_path / NAME
    path.write_bytes((SAMPLE.encode() if good else b"") + junk)
    with contextlib.suppress(InputError):
        load(ClickstreamSource([str(path)]), tmp_path)
