"""The spool: what people see of it. Counts, errors, columns and their types, real data."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest

from seedrank.core.errors import InputError, StoreError
from seedrank.core.urls import normalise_one
from seedrank.ingest.merge import Merge, links
from seedrank.loaders.base import Batch, LoadOptions, Where
from seedrank.loaders.rejects import Rejects
from seedrank.loaders.table import TableSource
from tests.unit.loaders.spool_reference import Page, Store


def batch(kind, /, *, file=None, first=2, typed=False, guarded=True, **columns):
    where = Where(file or f"{kind}.tsv", first)
    return Batch(kind, pa.RecordBatch.from_pydict(columns), where, typed, guarded=guarded)


@pytest.fixture
def load(tmp_path):
    """Load batches into a store of plain objects; gives the changes as lists of rows, and the summary."""

    def run(*batches, store=None, **options):
        with Merge(tmp_path, LoadOptions(**options), store) as spool:
            for some in batches:
                spool.add(some)
            changes, summary = spool.finish()
            if store is not None:
                store.apply(changes)
            tables = {name: t.to_pylist() for name, t in vars(changes).items() if isinstance(t, pa.Table)}
            return changes, tables, summary

    yield run
    assert list(tmp_path.iterdir()) == []


def refused(load, *batches, **options):
    with pytest.raises(InputError) as caught:
        load(*batches, **options)
    text = str(caught.value)
    assert "\n" not in text
    return text


def test_pages_and_links_by_id(load):
    changes, tables, summary = load(
        batch("pages", id=[7, 3], url=["http://a.example", "http://b.example/x"], status=[None, "missing"]),
        batch("links", source=[3, 3, 7, 7], target=[7, 3, 3, 3], weight=[None, 1.0, 2.0, 0.5]),
    )
    assert tables["new_pages"] == [
        {"id": 0, "url": "http://a.example/", "source_id": 7, "status": "crawled"},
        {"id": 1, "url": "http://b.example/x", "source_id": 3, "status": "missing"},
    ]
    assert tables["new_links"] == [
        {"source": 0, "target": 1, "weight": 2.5},
        {"source": 1, "target": 0, "weight": 1.0},
    ]
    assert tables["page_hosts"] == [{"id": 0, "host": "a.example"}, {"id": 1, "host": "b.example"}]
    assert tables["hosts"] == [{"name": "a.example", "pages": 1}, {"name": "b.example", "pages": 1}]
    assert summary.counts == {
        "page rows": 2,
        "link rows": 4,
        "links dropped: to themselves": 1,
        "links merged": 1,
        "links new": 2,
        "pages new": 2,
    }
    types = {field.name: field.type for field in changes.new_links.schema}
    assert types == {"source": pa.int64(), "target": pa.int64(), "weight": pa.float64()}


def test_pages_are_numbered_as_their_urls_appear(load):
    _, tables, _ = load(
        batch("links", source=["http://c/", "http://a/"], target=["http://b/", "http://c/"]),
        batch("links", source=["http://e/", "http://a/"], target=["http://a/#x", "http://d/"]),
    )
    assert [row["url"] for row in tables["new_pages"]] == [f"http://{name}/" for name in "cbaed"]
    assert [row["status"] for row in tables["new_pages"]] == ["crawled", "frontier", "crawled", "crawled", "frontier"]


def test_unparsable_urls_take_their_links_along_and_are_listed(load):
    bad = ["http://[", "http://a b/"]
    pages = batch("pages", id=[1, 2, 3, 4], url=["http://a/", *bad, "http://b/"])
    links = batch("links", source=[1, 2, 1], target=[2, 3, 4])
    changes, _, summary = load(pages, links)
    assert (changes.new_pages.num_rows, changes.new_links.num_rows) == (2, 1)
    assert summary.counts["page rows dropped: unparsable URL"] == 2
    assert summary.counts["links dropped: unparsable URL"] == 2
    assert summary.unparsable == ["pages.tsv, line 3: 'http://['", "pages.tsv, line 4: 'http://a b/'"]
    assert "pages.tsv, line 3, column url" in refused(load, pages, links, strict=True)
    # Verbatim nothing is parsed, so nothing is left out.
    changes, _, summary = load(pages, links, urls="verbatim")
    assert (changes.new_pages.num_rows, changes.new_links.num_rows) == (4, 3)


def test_only_the_first_twenty_unparsable_urls_are_listed(load):
    _, _, summary = load(batch("links", source=["http://a/"] * 50, target=[f"http://[{i}" for i in range(50)]))
    assert len(summary.unparsable) == 20
    assert summary.counts == {"link rows": 50, "links dropped: unparsable URL": 50}


def test_urls_without_a_scheme_are_told_what_they_lack(load):
    rows = batch("pages", url=["www.a.example/", "b.example/x"])
    assert "none of 2 rows has a URL that can be parsed, such as 'www.a.example/'" in refused(load, rows)
    _, tables, _ = load(rows, url_prefix="http://")
    assert [row["url"] for row in tables["new_pages"]] == ["http://www.a.example/", "http://b.example/x"]
    # Some rows are enough: the others are counted.
    changes, _, _ = load(batch("pages", url=["www.a.example/", "http://b.example/x"]))
    assert changes.new_pages.num_rows == 1


def test_a_prefix_makes_urls_of_names(load):
    _, tables, _ = load(batch("links", source=["Ant"], target=["Zürich"]), url_prefix="https://en.wikipedia.org/wiki/")
    urls = [row["url"] for row in tables["new_pages"]]
    assert urls == ["https://en.wikipedia.org/wiki/Ant", "https://en.wikipedia.org/wiki/Z%C3%BCrich"]


def test_variants_fold_to_the_first_url_seen(load):
    _, tables, summary = load(
        batch("pages", url=["https://www.a.example/x", "http://a.example/x"], clicks=[1.0, 2.0]),
        batch("links", source=["http://www.a.example/x"], target=["https://a.example/x"]),
        merge_variants=True,
    )
    assert [(row["url"], row["clicks"]) for row in tables["new_pages"]] == [("https://www.a.example/x", 2.0)]
    assert summary.counts["pages merged"] == 1
    assert summary.counts["links dropped: to themselves"] == 1


def test_tables_are_joined_by_id_and_by_url_in_any_order(load):
    attributes = batch("pages", file="a.tsv", id=[2, 1], kind=["x", "y"])
    pages = batch("pages", file="p.tsv", id=[1, 2], url=["http://a/", "http://b/"])
    more = batch("pages", file="m.tsv", url=["http://b/", "http://c/"], clicks=[5.0, 6.0])
    for order in ((attributes, pages, more), (more, pages, attributes), (pages, more, attributes)):
        _, tables, summary = load(*order)
        rows = {row["url"]: (row["source_id"], row["kind"], row["clicks"]) for row in tables["new_pages"]}
        assert rows == {
            "http://a/": (1, "y", None),
            "http://b/": (2, "x", 5.0),
            "http://c/": (None, None, 6.0),
        }
        assert "pages merged" not in summary.counts


def test_a_merged_rows_id_still_leads_to_the_page(load):
    _, tables, summary = load(
        batch("pages", id=[1, 2, 3], url=["http://a/", "http://a/#x", "http://b/"]),
        batch("links", source=[3, 2], target=[2, 1]),
    )
    assert summary.counts["pages merged"] == 1
    assert [row["source_id"] for row in tables["new_pages"]] == [1, 3]
    assert [(row["source"], row["target"]) for row in tables["new_links"]] == [(1, 0)]


def test_ids_that_cannot_be(load):
    pages = batch("pages", id=[1, 2], url=["http://a/", "http://b/"])
    text = refused(load, pages, batch("links", source=[1, 1], target=[2, 9]))
    assert text.startswith("links.tsv, line 3, column target: no page has this id: 9")
    text = refused(load, batch("links", source=[1, -4], target=[2, 1]))
    assert text.startswith("links.tsv, line 3, column source: is negative: -4")
    assert "column id: is negative" in refused(load, batch("pages", id=[-1]))
    text = refused(load, pages, batch("pages", file="q.tsv", id=[2], url=["http://c/"]))
    assert text.startswith("q.tsv, line 2, column id: this id stands for another URL already: 2")
    assert "neither url nor id" in refused(load, batch("pages", id=[None, 2], url=pa.array([None, None], pa.string())))


def test_ids_of_two_sources_do_not_mix(load):
    store = Store()
    load(batch("pages", id=[1], url=["http://a/"]), store=store)
    _, tables, _ = load(batch("pages", id=[1], url=["http://b/"]), store=store)
    assert tables["new_pages"] == [{"id": 1, "url": "http://b/", "source_id": 1, "status": "frontier"}]
    assert "several pages of the store have this source id: 1" in refused(
        load, batch("links", source=[1], target=[2]), store=store
    )


def test_a_page_known_by_id_gets_its_url_later(load):
    store = Store()
    load(batch("links", source=[5, 2**62], target=[2**62, 6]), store=store)
    assert [page.source_id for page in store.pages] == [5, 2**62, 6]
    _, tables, _ = load(batch("pages", id=[6, 5], url=["http://c/", "http://a/"]), store=store)
    assert tables["new_pages"] == []
    assert tables["changed_pages"] == [{"id": 0, "url": "http://a/"}, {"id": 2, "url": "http://c/"}]
    assert tables["page_hosts"] == [{"id": 0, "host": "a"}, {"id": 2, "host": "c"}]


@pytest.mark.parametrize("weight", [-1.0, float("nan"), float("inf"), -float("inf"), 1e39])
def test_weights_that_cannot_be(load, weight):
    links = batch("links", source=["http://a/"] * 2, target=["http://b/"] * 2, weight=[1.0, weight])
    assert "links.tsv, line 3, column weight: is not a weight" in refused(load, links)


def test_weights_add_within_a_load_and_the_larger_stands_across(load):
    store = Store()
    for weights, stands in ([[1.0, 2.0], 3.0], [[2.5], 3.0], [[3.0], 3.0], [[4.0, 0.5], 4.5]):
        ends = {"source": ["http://a/"] * len(weights), "target": ["http://b/"] * len(weights)}
        _, tables, summary = load(batch("links", **ends, weight=weights), store=store)
        assert store.links == {(0, 1): (stands, [])}
        assert summary.counts.get("links merged", 0) == len(weights) - 1
    assert tables["changed_links"] == [{"source": 0, "target": 1, "weight": 4.5}]
    assert summary.counts["links known"] == summary.counts["links changed"] == 1


def test_rows_that_turn_out_to_be_one_page_of_the_store(load):
    """By id the row is a page of the store; by URL it is another row, which so is that page too."""
    store = Store()
    load(batch("links", source=[5], target=[6]), store=store)
    _, tables, _ = load(
        batch("pages", file="urls.tsv", url=["http://a/"], note=["u"]),
        batch("pages", file="ids.tsv", id=[5], clicks=[1.0]),
        batch("pages", file="both.tsv", id=[5], url=["http://a/"], status=["missing"]),
        store=store,
    )
    assert tables["new_pages"] == []
    assert tables["changed_pages"] == [{"id": 0, "url": "http://a/", "note": "u", "clicks": 1.0}]


def test_statuses_only_rise(load):
    store = Store()
    status = lambda: [page.status for page in store.pages]  # noqa: E731
    urls = ["http://a/", "http://b/", "http://c/"]
    given = ["frontier", "missing", "crawled"]
    links = batch("links", source=urls[:1], target=urls[1:2])
    load(batch("pages", url=urls, status=given), links, store=store)
    assert status() == given
    load(batch("pages", url=urls, status=["frontier"] * 3), store=store)
    assert status() == given
    # Links without statuses say that their sources were fetched.
    load(links, store=store)
    assert status() == ["crawled", "missing", "crawled"]
    assert "is not a status: 'gone'" in refused(load, batch("pages", url=["http://a/"], status=["gone"]))


def test_anchors_are_distinct_in_their_order_and_at_most_eight(load):
    store = Store()
    texts = ["b", "", None, "a", "b", "c"]
    links = {"source": ["http://a/"] * 6, "target": ["http://b/"] * 6}
    load(batch("links", **links, anchor=texts), store=store)
    assert store.links == {(0, 1): (6.0, ["b", "a", "c"])}
    _, tables, _ = load(batch("links", **links, anchor=list("cdefgh")), store=store)
    assert tables["changed_links"] == [{"source": 0, "target": 1, "weight": 6.0, "anchors": list("bacdefgh")}]
    changes, _, _ = load(batch("links", **links, anchor=list("ijklmn")), store=store)
    assert changes.empty


@pytest.mark.parametrize(
    ("texts", "kind", "values"),
    [
        (["1", None, "-20"], pa.int64(), [1, None, -20]),
        (["1", "2.5", "1e3"], pa.float64(), [1.0, 2.5, 1000.0]),
        (["True", "false", None], pa.bool_(), [True, False, None]),
        (["1", "true", "x"], pa.string(), ["1", "true", "x"]),
        (["99999999999999999999", "1", None], pa.float64(), [1e20, 1.0, None]),
    ],
)
def test_text_columns_are_typed_by_all_of_their_values(load, texts, kind, values):
    batches = [
        batch("pages", url=[f"http://{i}.example/"], mine=pa.array([text], pa.string())) for i, text in enumerate(texts)
    ]
    changes, tables, _ = load(*batches)
    assert changes.page_columns == {"mine": kind}
    assert [row["mine"] for row in tables["new_pages"]] == values
    assert changes.new_pages.schema.field("mine").type == kind


@pytest.mark.slow
@pytest.mark.parametrize(
    ("texts", "kind"),
    [
        (["00123", "45"], pa.string()),
        (["45", "007", "A12"], pa.string()),
        (["0x1F", "16"], pa.string()),
        (["0", "-0.5", "0.25"], pa.float64()),
        ([" 5", "6 ", " "], pa.int64()),
        ([" true", "FALSE "], pa.bool_()),
        (["12", "A7", "B9", "C1"], pa.string()),
        (["1", "x"], pa.string()),
        (["n/a", "none"], pa.string()),
        (["1984", "Brave New World", "Ulysses"], pa.string()),
        (["1.0", "1.0.1", "1.2.3"], pa.string()),
    ],
)
def test_what_is_text_and_what_is_not(load, texts, kind):
    urls = [f"http://{i}.example/" for i in range(len(texts))]
    changes, tables, _ = load(batch("pages", url=urls, mine=texts))
    assert changes.page_columns == {"mine": kind}
    if kind == pa.string():
        assert [row["mine"] for row in tables["new_pages"]] == texts


@pytest.mark.parametrize(
    ("texts", "line", "value"),
    [
        (["1", "2", "n/a", "4"], 4, "n/a"),
        (["n/a", "NULL", "-", "4"], 2, "n/a"),
        (["5", "12 KB", "7"], 3, "12 KB"),
        (["0.5", "1,234", "3"], 3, "1,234"),
        (["?", "3.5"], 2, "?"),
    ],
)
def test_a_stray_value_in_a_column_of_numbers_is_an_error(load, texts, line, value):
    batches = [
        batch("pages", url=[f"http://{i}.example/"], first=2 + i, mine=pa.array([text], pa.string()))
        for i, text in enumerate(texts)
    ]
    assert refused(load, *batches) == (
        f"pages.tsv, line {line}, column mine: is not a number, as the others are: {value!r}; "
        "name what stands for no value with missing, or keep the column as text with text"
    )
    changes, tables, _ = load(*batches, text=["mine"])
    assert changes.page_columns == {"mine": pa.string()}
    assert [row["mine"] for row in tables["new_pages"]] == texts


def test_a_stray_value_of_a_log_makes_text(load):
    pages = batch("pages", guarded=False, url=["http://a/", "http://b/", "http://c/"], mine=["1", "2", "-"])
    assert load(pages)[0].page_columns == {"mine": pa.string()}


def test_a_stray_value_among_true_and_false_is_an_error(load):
    pages = batch("pages", url=["http://a/", "http://b/", "http://c/"], mine=["true", "maybe", "False"])
    assert "line 3, column mine: is not true or false, as the others are: 'maybe'" in refused(load, pages)


def test_hosts_have_the_same_rule(load):
    hosts = batch("hosts", host=["a", "b", "c"], mine=["1", "2", "n/a"])
    assert "line 4, column mine: is not a number" in refused(load, hosts)
    changes, _, _ = load(hosts, text="mine")
    assert changes.host_columns == {"mine": pa.string()}


def test_a_column_kept_as_text_may_come_typed(load):
    pages = batch("pages", typed=True, url=["http://a/", "http://b/"], mine=[5, None])
    changes, tables, _ = load(pages, text=["mine"])
    assert changes.page_columns == {"mine": pa.string()}
    assert [row["mine"] for row in tables["new_pages"]] == ["5", None]


def test_a_text_column_of_the_store_takes_numbers(load):
    store = Store()
    load(batch("pages", url=["http://a/"], mine=["x"]), store=store)
    load(batch("pages", url=["http://a/", "http://b/", "http://c/"], mine=["1", "2", "n/a"]), store=store)
    assert [page.values["mine"] for page in store.pages] == ["1", "2", "n/a"]


def test_typed_columns_keep_their_types(load):
    url = [f"http://{i}.example/" for i in range(2)]
    columns = {
        "small": pa.array([1, None], pa.int8()),
        "half": pa.array([0.5, None], pa.float32()),
        "yes": [True, None],
        "zip": ["01234", None],
        "price": pa.array([Decimal("1.25"), None]),
        "day": pa.array([datetime(2024, 1, 2), None], pa.date32()),
        "colour": pa.array(["red", None]).dictionary_encode(),
        "nothing": pa.array([None, None], pa.string()),
    }
    changes, tables, _ = load(batch("pages", typed=True, url=url, **columns))
    assert changes.page_columns == {
        "small": pa.int64(),
        "half": pa.float64(),
        "yes": pa.bool_(),
        "zip": pa.string(),
        "price": pa.float64(),
        "day": pa.string(),
        "colour": pa.string(),
    }
    row = tables["new_pages"][0]
    assert [row[name] for name in list(columns)[:-1]] == [1, 0.5, True, "01234", 1.25, "2024-01-02", "red"]
    assert "column tags: holds list" in refused(load, batch("pages", typed=True, url=url, tags=[["a"], ["b"]]))
    too_large = pa.array([2**63, 0], pa.uint64())
    assert "pages.tsv, line 2, column big" in refused(load, batch("pages", typed=True, url=url, big=too_large))


def test_a_column_keeps_the_type_the_store_has(load):
    store = Store()
    url = ["http://a/"]
    load(batch("pages", url=url, ratio=["0.5"], name=["x"], number=["1"]), store=store)
    load(batch("pages", url=url, ratio=["2"], name=["7"]), store=store)
    assert store.pages[0].values == {"ratio": 2.0, "name": "7", "number": 1}
    text = refused(load, batch("pages", url=url, number=["1.5"]), store=store)
    assert text.startswith("pages.tsv, line 2, column number: is double here and int64 in the store: '1.5'")
    text = refused(load, batch("pages", typed=True, url=url, name=[3]), store=store)
    assert text.startswith("pages.tsv, column name: is int64 here and string in the store")
    text = refused(
        load, batch("pages", typed=True, url=url, q=[3]), batch("pages", file="b.tsv", typed=True, url=url, q=["x"])
    )
    assert text.startswith("b.tsv, column q: is string here and int64 in pages.tsv")


def test_names_of_columns_are_made_identifiers(load):
    url = ["http://a/"]
    changes, _, _ = load(batch("pages", **{"url": url, "a b": ["x"], "2nd": ["y"], "ok_1": ["z"]}))
    assert list(changes.page_columns) == ["a_b", "_2nd", "ok_1"]
    assert "would be column a_b, as a b is" in refused(load, batch("pages", **{"url": url, "a b": ["x"], "a-b": ["y"]}))
    assert "may not be called source_id" in refused(load, batch("pages", url=url, source_id=["x"]))


def test_links_in_time_count(load):
    time = pa.array([datetime(2024, 1, 1), datetime(2024, 1, 2), None, datetime(2024, 1, 3)], pa.timestamp("us"))
    ends = {"source": ["http://a/"] * 4, "target": ["http://b/", "http://c/", "http://d/", "http://e/"]}
    links = batch("links", **ends, time=time, weight=[1.0, 2.0, 3.0, 4.0])
    since, until = datetime(2024, 1, 2, tzinfo=UTC), datetime(2024, 1, 3)
    _, tables, summary = load(links, since=since, until=until)
    assert [row["url"] for row in tables["new_pages"]] == ["http://a/", "http://c/"]
    assert [row["weight"] for row in tables["new_links"]] == [2.0]
    assert summary.counts["links dropped: out of time"] == 3
    assert len(load(links)[1]["new_links"]) == 4
    bad = batch("links", **{**ends, "target": ["http://b/", "", "http://d/", ""]}, time=time)
    assert "links.tsv, line 5, column target: is empty" in refused(load, bad, since=until)


def test_pages_of_tables_may_be_assumed_crawled(load):
    pages = batch("pages", url=["http://a/", "http://b/", "http://c/"], status=[None, None, "frontier"])
    links = batch("links", source=["http://a/"], target=["http://x/"])
    statuses = {row["url"]: row["status"] for row in load(pages, links, assume="crawled")[1]["new_pages"]}
    assert statuses == {
        "http://a/": "crawled",
        "http://b/": "crawled",
        "http://c/": "frontier",
        "http://x/": "frontier",
    }


def test_without_tables_of_pages_all_pages_of_the_load_are_assumed_crawled(load):
    store = Store()
    load(batch("links", source=["http://a/"], target=["http://b/"]), store=store)
    load(batch("links", source=["http://a/"], target=["http://c/"]), store=store)
    assert [page.status for page in store.pages] == ["crawled", "frontier", "frontier"]
    again = batch("links", source=["http://c/", "http://d/"], target=["http://b/", "http://d/"])
    load(again, store=store, assume="crawled")
    assert {page.url: page.status for page in store.pages} == {
        "http://a/": "crawled",
        "http://b/": "crawled",
        "http://c/": "crawled",
        "http://d/": "crawled",
    }
    load(batch("links", source=["http://d/"], target=["http://e/"]), store=store)
    load(batch("links", source=["http://d/"], target=["http://f/"]), store=store, assume="crawled")
    assert {page.url: page.status for page in store.pages}["http://e/"] == "frontier"


def test_events_in_time_are_summed_and_stand(load):
    store = Store()
    time = pa.array([datetime(2024, 1, day) for day in (1, 2, 3, 3, 3)], pa.timestamp("us"))
    urls = ["http://a/", "http://a/", "HTTP://a/#x", "http://b/", "http://elsewhere/"]
    pages = batch("pages", url=["http://a/", "http://b/"], clicks=[9.0, 9.0])
    events = batch("events", time=time, url=urls, clicks=[1.0, 2.0, 4.0, None, 1.0])
    window = {"since": datetime(2024, 1, 2, tzinfo=UTC), "until": datetime(2024, 1, 4)}
    _, _, summary = load(pages, events, store=store, **window)
    assert [page.values["clicks"] for page in store.pages] == [6.0, 0.0]
    assert summary.counts["events dropped: out of time"] == 1
    assert summary.counts["events dropped: unknown page"] == 1
    assert load(pages, events, store=store, **window)[0].empty
    load(batch("events", time=time, url=urls), store=store)
    assert [page.values["views"] for page in store.pages] == [3.0, 1.0]


def test_results_make_queries_but_no_pages(load):
    store = Store()
    changes, tables, summary = load(
        batch("pages", url=["http://a/"]),
        batch(
            "results",
            query=["q", "q", "r"],
            url=["http://a/", "http://a/", "http://b/"],
            rank=[3, None, 1],
            clicks=[1.0, 2.0, 3.0],
        ),
        store=store,
    )
    assert tables["queries"] == [{"text": text, "freq": None, "need": None} for text in "qr"]
    assert tables["results"] == [{"query": "q", "id": 0, "rank": 3, "clicks": 2.0}]
    assert summary.counts["results dropped: unknown page"] == 1
    assert changes.new_pages.num_rows == 1


def test_hosts_have_columns_and_counts(load):
    store = Store()
    load(
        batch("pages", url=["http://a/", "http://a/x"], host=["Named.Example", None]),
        batch("hosts", host=["A", "other"], importance=[2.0, None], team=["red", "blue"], pages=[77, 77]),
        store=store,
    )
    assert store.hosts == {
        "named.example": {"pages": 1},
        "a": {"pages": 1, "importance": 2.0, "team": "red"},
        "other": {"pages": 0, "team": "blue"},
    }
    _, tables, _ = load(batch("pages", url=["http://a/y", "http://a/"], host=[None, "a"]), store=store)
    assert tables["hosts"] == [{"name": "a", "pages": 2}]
    assert store.pages[0].host == "named.example"


def test_a_load_that_was_cut_off_is_completed(load):
    """The store has the pages but neither hosts nor links, as after a crash between the two."""
    whole, cut = Store(), Store()
    batches = (
        batch("pages", id=[1, 2, 3], url=["http://a/", "http://a/x", "http://b/"], host=[None, "h", None]),
        batch("links", source=[1, 2], target=[2, 3], weight=[2.0, 1.0]),
    )
    load(*batches, store=whole)
    for page in whole.pages[:2]:
        cut.pages.append(type(page)(page.url, page.source_id, page.status))
    cut.links[0, 1] = (2.0, [])
    load(*batches, store=cut)
    assert cut.state() == whole.state()


def test_a_full_disk_is_explained_in_one_line(tmp_path):
    with Merge(tmp_path, LoadOptions()) as spool:
        (spool.folder / "links-0.arrow").symlink_to("/dev/full")
        spool.add(batch("links", source=[1] * 100, target=[2] * 100))
        with pytest.raises(
            StoreError, match=r"the spool folder .* is full \(ENOSPC\); make room, or .*TMPDIR"
        ) as caught:
            spool.finish()
        assert str(tmp_path) in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_what_else_is_in_the_folder_stays(tmp_path):
    (tmp_path / "mine").write_text("x")
    with Merge(tmp_path, LoadOptions()) as spool:
        assert spool.folder.stat().st_mode & 0o077 == 0
        spool.add(batch("links", source=[1], target=[2]))
        changes, _ = spool.finish()
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]
    assert changes.new_links.to_pylist() == [{"source": 0, "target": 1, "weight": 1.0}]


def test_many_links_in_any_order_by_ids_that_are_not_dense(load, monkeypatch):
    monkeypatch.setattr(links, "BLOCK", 5_000)
    monkeypatch.setattr(links, "ROWS", 3_000)
    rng = np.random.default_rng(1)
    ids = np.unique(rng.integers(0, 2**60, 400))
    source, target = rng.choice(ids, 40_000), rng.choice(ids, 40_000)
    weight = rng.integers(0, 5, 40_000).astype(float)
    number: dict[int, int] = {}
    expected: dict[tuple[int, int], float] = {}
    for s, t, w in zip(source.tolist(), target.tolist(), weight.tolist(), strict=True):
        pair = number.setdefault(s, len(number)), number.setdefault(t, len(number))
        if s != t:
            expected[pair] = expected.get(pair, 0) + w
    parts = [slice(at, at + 3_000) for at in range(0, 40_000, 3_000)]
    changes, _, _ = load(*(batch("links", source=source[p], target=target[p], weight=weight[p]) for p in parts))
    assert changes.new_pages["source_id"].to_pylist() == list(number)
    columns = [changes.new_links[name].to_pylist() for name in ("source", "target", "weight")]
    assert list(zip(*columns, strict=True)) == [(*pair, expected[pair]) for pair in sorted(expected)]


def test_a_name_is_staged_once_whatever_the_number_of_blocks(tmp_path, monkeypatch):
    monkeypatch.setattr(links, "BLOCK", 100)
    with Merge(tmp_path, LoadOptions()) as merge:
        for first in range(10):
            ids = np.arange(first, first + 100) % 50
            merge.add(batch("links", source=ids, target=np.roll(ids, 1)))
        assert merge.pages == 50
        assert merge._connection.value("SELECT count(*) FROM id_name") == 50


@pytest.mark.slow
def test_asf_snapshot(shared_data, load):
    folder = shared_data("asf-web-2snapshots")
    files = [str(folder / f"2024-10-31.{kind}.tsv.gz") for kind in ("pages", "links")]
    source = TableSource(pages=files[:1], links=files[1:])
    changes, tables, summary = load(*source.batches())
    counts = summary.counts
    assert counts["page rows"] == 202_266
    assert counts["pages new"] == changes.new_pages.num_rows == 202_240
    assert counts["pages merged"] == 4
    assert counts["page rows dropped: unparsable URL"] == 22
    assert counts["link rows"] == 3_018_980
    assert counts["links dropped: unparsable URL"] == 33
    dropped = counts.get("links dropped: to themselves", 0) + counts["links merged"] + 33
    assert counts["links new"] == 3_018_980 - dropped
    assert len(summary.unparsable) == 20
    assert all(normalise_one(row["url"]) == row["url"] for row in tables["new_pages"][::1000])
    statuses = changes.new_pages["status"].value_counts().to_pylist()
    assert {row["values"] for row in statuses} == {"crawled", "missing", "frontier"}
    assert sum(row["pages"] for row in tables["hosts"]) == len(tables["page_hosts"])


def test_links_to_pages_that_redirect_lead_to_the_end(load):
    old, moved, new, round_, about = (f"http://a.example/{name}" for name in ("old", "moved", "new", "round", "about"))
    store = Store()
    _, tables, summary = load(
        batch("links", source=[new, new, "http://b.example/"], target=[old, round_, moved], anchor=["o", "r", "m"]),
        batch(
            "pages",
            url=[old, moved, round_, about, "http://c.example/"],
            redirect=[moved, "HTTP://A.example/new#top", about, round_, "http://[no"],
        ),
        store=store,
    )
    pages = {row["url"]: row for row in tables["new_pages"]}
    assert [pages[url]["status"] for url in (old, moved, round_, about, new, "http://c.example/")] == [
        "missing", "missing", "missing", "missing", "crawled", "frontier"
    ]  # fmt: skip
    assert [pages[url]["redirect"] for url in (moved, new, "http://c.example/")] == [new, None, None]
    names = {row["id"]: row["url"] for row in tables["new_pages"]}
    ends = [(names[row["source"]], names[row["target"]], row["anchors"]) for row in tables["new_links"]]
    assert ends == [(new, round_, ["r"]), ("http://b.example/", new, ["m"])]
    assert (summary.counts["links redirected"], summary.counts["links dropped: to themselves"]) == (2, 1)
    assert summary.counts["redirects dropped: unparsable URL"] == 1
    assert summary.unparsable == ["pages.tsv, line 6: 'http://[no'"]

    _, tables, _ = load(batch("links", source=["http://d.example/"], target=[old]), store=store)
    assert [names.get(row["target"]) for row in tables["new_links"]] == [new]


def test_a_page_that_is_crawled_does_not_redirect(load):
    url = [f"http://a.example/{name}" for name in ("given", "linking", "to")]
    _, tables, summary = load(
        batch("pages", url=url[:2], redirect=[url[2]] * 2, status=["crawled", None]),
        batch("links", source=[url[1], url[2]], target=[url[0], url[1]]),
    )
    assert [row["status"] for row in tables["new_pages"]] == ["crawled", "crawled", "crawled"]
    assert [(row["source"], row["target"]) for row in tables["new_links"]] == [(1, 0), (2, 1)]
    assert "links redirected" not in summary.counts


def test_a_column_of_numbers_called_redirect_in_an_older_store_stays(load):
    store = Store()
    store.columns = {"redirect": pa.int64()}
    store.pages = [Page("http://a.example/1", None, "frontier", "a.example", {"redirect": 1})]
    load(batch("links", source=["http://a.example/2"], target=["http://a.example/1"]), store=store)
    assert [(page.status, page.values) for page in store.pages] == [("frontier", {"redirect": 1}), ("crawled", {})]
    assert list(store.links) == [(1, 0)]


def test_rows_of_columns_add_no_page(load):
    store = Store()
    load(batch("pages", url=["http://old/"]), store=store)
    _, tables, summary = load(
        batch("links", source=["http://a/", "http://b/"], target=["http://b/", "http://a/"]),
        replace(
            batch("pages", url=["http://c/", "http://a", "::", None, "http://old/"], x=[1, 2, 3, 4, 5]),
            known=True,
        ),
        replace(batch("pages", url=["http://b/"], status=["missing"]), known=True),
        store=store,
    )
    assert [(row["url"], row["status"], row["x"]) for row in tables["new_pages"]] == [
        ("http://a/", "crawled", 2),
        ("http://b/", "missing", None),
    ]
    assert tables["changed_pages"] == [{"id": 0, "x": 5}]
    assert summary.counts["column rows"] == 6
    assert summary.counts["column rows dropped: not in the graph"] == 2
    assert summary.counts["column rows dropped: unparsable URL"] == 1


def test_a_wrong_value_in_rows_of_columns_has_its_line(load):
    rows = batch("pages", url=["http://gone/", "http://a/"], status=[None, "odd"])
    text = refused(load, batch("pages", url=["http://a/"]), replace(rows, known=True))
    assert text.startswith("pages.tsv, line 3, column status: is not a status: 'odd'")


def test_a_page_that_only_links_to_itself_is_crawled(load):
    _, tables, summary = load(batch("links", source=["http://a/", "http://b/"], target=["http://a/", "http://c/"]))
    assert [(row["url"], row["status"]) for row in tables["new_pages"]] == [
        ("http://a/", "crawled"),
        ("http://b/", "crawled"),
        ("http://c/", "frontier"),
    ]
    assert len(tables["new_links"]) == 1
    assert summary.counts["links dropped: to themselves"] == 1


def test_a_page_that_was_rejected_does_not_come_back_by_its_id(load):
    store = Store()
    load(batch("pages", id=[1, 2, 3], url=["http://a/", "http://[", "http://c/"]), store=store)
    _, tables, summary = load(batch("links", source=[1, 1, 2], target=[2, 3, 3]), store=store)
    assert tables["new_pages"] == []
    assert list(store.links) == [(0, 1)]
    assert summary.counts["links dropped: unknown id"] == 2
    # Where ids are all that pages have, a new one is a new page.
    store = Store()
    load(batch("links", source=[1], target=[2]), store=store)
    load(batch("links", source=[2], target=[3]), store=store)
    assert [page.source_id for page in store.pages] == [1, 2, 3]


def test_rows_with_bad_urls_are_handed_to_the_rejects(tmp_path):
    for tolerant, counted in (("50%", 3), (None, 0)):
        rejects = Rejects()
        rejects.use(tolerant, None)
        with Merge(tmp_path, LoadOptions(), rejects=rejects) as merge:
            merge.add(batch("pages", url=["http://a/", "http://["]))
            lines = Where("l.tsv", 2, np.array([2, 5, 9]))
            rows = {"source": ["http://a/"] * 3, "target": ["http://b/", "http://[", "http://]"]}
            merge.add(Batch("links", pa.RecordBatch.from_pydict(rows), lines))
            _, summary = merge.finish()
        assert rejects.count == counted
        assert len(summary.unparsable) == 3 - counted  # each is told once
        if tolerant:
            assert [line.partition(": is")[0] for line in rejects.first] == [
                "pages.tsv: line 3", "l.tsv: line 5", "l.tsv: line 9"
            ]  # fmt: skip


def test_a_store_that_knows_columns_and_has_no_rows_of_them(load):
    """As a load into Neo4j leaves it that was cut off before the hosts, or before the pages."""
    store = Store()
    store.host_types = {"importance": pa.float64()}
    store.columns = {"redirect": pa.string(), "views": pa.float64()}
    hosts = batch("hosts", host=["a.org"], importance=[2.0])
    load(batch("pages", url=["http://a.org/"], views=[3.0]), hosts, store=store)
    assert store.hosts["a.org"]["importance"] == 2.0
    assert store.pages[0].values["views"] == 3.0
