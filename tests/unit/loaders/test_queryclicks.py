"""Clicks on search results."""

from __future__ import annotations

import gzip
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import seedrank.loaders.queryclicks
from seedrank.core.errors import InputError
from seedrank.ingest.merge import Merge
from seedrank.loaders.base import LoadOptions
from seedrank.loaders.queryclicks import QueryClicksSource
from seedrank.loaders.table import TableSource
from tests.unit.loaders.spool_reference import Store

QUIET = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


@pytest.fixture
def write(tmp_path):
    def write(text: str | bytes, name: str = "clicks.tsv") -> str:
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return str(path)

    return write


def read(*files: str, **options) -> tuple[dict, dict, Counter, QueryClicksSource]:
    """Frequency of queries, (rank, clicks) of results, clicks of pages."""
    source = QueryClicksSource(list(files), **options)
    queries, results, clicks = {}, {}, Counter()
    for batch in source.batches():
        for row in batch.rows.to_pylist():
            if batch.kind == "queries":
                assert row["query"] not in queries
                queries[row["query"]] = row["freq"]
            elif batch.kind == "results":
                assert (row["query"], row["url"]) not in results
                results[row["query"], row["url"]] = (row["rank"], row["clicks"])
            else:
                clicks[row["url"]] += row["clicks"]
    return queries, results, clicks, source


def test_tables(write):
    file = write("web crawl\thttp://a/\t3\n#1 song\thttp://b/\t2\nweb crawl\thttp://a/\t\nweb crawl\thttp://b/\t5\n")
    queries, results, clicks, _ = read(file)
    assert queries == {"web crawl": 9, "#1 song": 2}
    assert results == {
        ("web crawl", "http://a/"): (None, 4),
        ("#1 song", "http://b/"): (None, 2),
        ("web crawl", "http://b/"): (None, 5),
    }
    assert clicks == {"http://a/": 4, "http://b/": 7}
    assert read(write("a\thttp://a/\na\thttp://a/\n"))[1] == {("a", "http://a/"): (None, 2)}


def test_logs_with_a_header(write):
    aol = "AnonID\tQuery\tQueryTime\tItemRank\tClickURL\n1\tcars\t2006\t3\thttp://a\n1\tcars\t2006\t1\thttp://a\n2\tcars\t2006\t\t\n"
    queries, results, clicks, _ = read(write(aol))
    assert queries == {"cars": 3}
    assert results == {("cars", "http://a"): (1, 2)}
    assert clicks == {"http://a": 2}


def test_several_files_are_one_sum(write):
    files = [write("a\thttp://a/\t1\n", "1.tsv"), write("query\turl\nx\thttp://x/\na\thttp://a/\n", "2.tsv")]
    queries, results, _, source = read(*files)
    assert (queries, results["a", "http://a/"]) == ({"a": 2, "x": 1}, (None, 2))
    places = {
        row["query"]: (batch.where.file, batch.where.line(at))
        for batch in source.batches()
        if batch.kind == "results"
        for at, row in enumerate(batch.rows.to_pylist())
    }
    assert places == {"a": (files[0], 1), "x": (files[1], 2)}


def test_only_pages_of_the_store_get_clicks(write, tmp_path):
    store = Store()
    pages = write("url\nhttp://a/\n", "pages.tsv")
    file = write("q\thttp://a\t2\nq\thttp://nowhere/\t1\nq\thttp://[/\t1\n")
    for source in (TableSource(pages=[pages]), QueryClicksSource([file])):
        with Merge(tmp_path / "spool", LoadOptions(), store) as spool:
            for batch in source.batches():
                spool.add(batch)
            changes, summary = spool.finish()
            store.apply(changes)
    assert [page.values for page in store.pages] == [{"clicks": 2.0}]
    assert store.queries == {"q": (4.0, None)}
    assert store.results == {("q", 0): (None, 2.0)}
    assert summary.counts["results dropped: unknown page"] == 1
    assert summary.counts["results dropped: unparsable URL"] == 1
    assert summary.unparsable[0] == f"{file}, line 3: 'http://[/'"


def test_broken_rows_are_counted(write):
    file = write(
        "query\turl\tclicks\na\thttp://a/\t1\nalone\n\thttp://a/\t1\n \thttp://a/\t1\na\thttp://a/\tx\na\thttp://a/\t-1\n"
    )
    _, results, _, source = read(file)
    assert results == {("a", "http://a/"): (None, 1)}
    assert source.broken.first == [
        f"{file}: line 3: has too few fields",
        f"{file}: line 4: has no query",
        f"{file}: line 5: has no query",
        f"{file}: line 6: has a clicks that is not a number",
        f"{file}: line 7: has a clicks that is not a number",
    ]
    with pytest.raises(InputError, match="line 3: has too few fields"):
        read(file, strict=True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no click on a result"),
        ("query\turl\n", "no click on a result"),
        ("a b c\n", "line 1: 1 fields, and no header names query and url"),
        ("a\tb\tc\td\n", "line 1: 4 fields, and no header names query and url; rows are query, URL and clicks"),
    ],
)
def test_what_is_no_table_of_clicks(write, text, message):
    with pytest.raises(InputError, match=message):
        read(write(text))


texts = st.sampled_from(["a", "b c", "é", "#x"])
urls = st.sampled_from(["http://a/", "http://b/", ""])
rows = st.tuples(texts, urls, st.none() | st.integers(0, 9), st.none() | st.integers(1, 9))


@pytest.mark.slow
@settings(max_examples=80, deadline=None, derandomize=True, suppress_health_check=QUIET)
@given(rows=st.lists(rows, min_size=1, max_size=20), room=st.sampled_from([1, 3, 1000]))
def test_sums_as_python_does(tmp_path, monkeypatch, rows, room):
    monkeypatch.setattr(seedrank.loaders.queryclicks, "MAX_ROWS", room)
    monkeypatch.setattr(seedrank.loaders.lines, "MAX_ROWS", room)
    path = tmp_path / "clicks.tsv"
    said = [["" if value is None else str(value) for value in row] for row in rows]
    path.write_text("query\turl\tcount\trank\n" + "".join("\t".join(row) + "\n" for row in said))
    queries, results, clicks, _ = read(str(path))
    rows = [(q, u, 1 if n is None else n, r) for q, u, n, r in rows]
    assert queries == {q: sum(n for other, _, n, _ in rows if other == q) for q, *_ in rows}
    pairs = {(q, u) for q, u, _, _ in rows if u}
    assert results == {
        pair: (
            min((r for q, u, _, r in rows if (q, u) == pair and r is not None), default=None),
            sum(n for q, u, n, _ in rows if (q, u) == pair),
        )
        for pair in pairs
    }
    assert clicks == Counter({u: sum(n for _, other, n, _ in rows if other == u) for _, u in pairs})


@pytest.mark.slow
@settings(max_examples=100, deadline=None, derandomize=True, suppress_health_check=QUIET)
@given(data=st.binary(max_size=60) | st.text("queryl\t\n012\0", max_size=60).map(str.encode), head=st.booleans())
def test_any_bytes_load_or_are_refused(tmp_path, data, head):
    path = tmp_path / "clicks.tsv"
    path.write_bytes((b"query\turl\tclicks\trank\n" if head else b"") + data)
    try:
        with Merge(tmp_path / "spool", LoadOptions()) as spool:
            for batch in QueryClicksSource([str(path)]).batches():
                spool.add(batch)
            spool.finish()
    except InputError:
        pass


@pytest.mark.slow
def test_a_real_log(shared_data):
    file = shared_data("sogouq-sample") / "sogouq_sample_clicks.tsv.gz"
    queries, results, clicks, source = read(str(file))
    assert (len(queries), sum(queries.values())) == (4_077, 10_000)
    assert (len(clicks), sum(clicks.values())) == (7_691, 10_000)
    assert source.broken.count == 0
    with gzip.open(file, "rt") as log:
        header, *lines = (row.rstrip("\n").split("\t") for row in log)
    found = [dict(zip(header, row, strict=True)) for row in lines]
    pairs = Counter((row["query"], row["url"]) for row in found)
    assert {pair: clicks for pair, (_, clicks) in results.items()} == pairs
    best = {}
    for row in found:
        pair = row["query"], row["url"]
        best[pair] = min(best.get(pair, 10**9), int(row["result_rank"]))
    assert {pair: rank for pair, (rank, _) in results.items()} == best
