"""The spool against the same rules applied row by row to plain Python objects."""

from __future__ import annotations

from contextlib import contextmanager, nullcontext

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from seedrank.core.errors import InputError
from seedrank.ingest.merge import Merge, links, pages
from seedrank.ingest.merge.pages import ends_of_redirects
from seedrank.loaders.base import Batch, LoadOptions, Where
from tests.few import QUICK
from tests.unit.loaders.spool_reference import Reference, Refused, Store

MANY = 10 if QUICK else 150
"""Examples of several loads, each three times and by the reference."""

URLS = [
    "http://a.example/",
    "HTTP://A.example",
    "http://a.example/#top",
    "https://www.a.example/",
    "http://b.example/x",
    "http://www.b.example/x",
    "http://b.example/ü",
    "http://c.example:80/../y",
    "http://[broken",
    "nothing",
]
IDS = [0, 1, 2, 10**18]

urls = st.sampled_from(URLS)
ids = st.sampled_from(IDS)
few = st.one_of(st.none(), st.sampled_from([0.0, 1.0, 2.5]))
weights = st.one_of(st.none(), st.sampled_from([0.0, 1.0, 2.0, 3.5]))
words = st.one_of(st.none(), st.sampled_from([*"abcdefghij", ""]))
statuses = st.one_of(st.none(), st.sampled_from(["crawled", "frontier", "missing"]))
hosts = st.one_of(st.none(), st.sampled_from(["A.example", "h"]))

TYPES = {
    "url": pa.string(), "id": pa.int64(), "host": pa.string(), "status": pa.string(), "clicks": pa.float64(),
    "views": pa.float64(), "note": pa.string(), "weight": pa.float64(), "anchor": pa.string(), "query": pa.string(),
    "freq": pa.float64(), "need": pa.float64(), "rank": pa.int64(), "importance": pa.float64(), "time": pa.int64(),
    "below": pa.bool_(), "spam": pa.float64(),
    "redirect": pa.string(),
}  # fmt: skip


def table(draw, kind, file, needed, optional, strategies, most=6):
    """Batches of one file, with some of the optional columns."""
    names = [*needed, *(name for name in optional if draw(st.booleans()))]
    row = st.fixed_dictionaries({name: strategies[name] for name in names})
    rows = draw(st.lists(row, min_size=1, max_size=most))
    cut = draw(st.integers(1, len(rows)))
    batches = []
    for start, some in ((0, rows[:cut]), (cut, rows[cut:])):
        if some:
            kinds = {
                name: TYPES.get(name) or (pa.string() if isinstance(some[0][name], str) else pa.int64())
                for name in names
            }
            batch = pa.RecordBatch.from_pylist(some, pa.schema(list(kinds.items())))
            batches.append(Batch(kind, batch, Where(file, start + 1), typed=True))
    return batches


@st.composite
def loads(draw):
    batches = []
    maybe = lambda strategy: st.one_of(st.none(), strategy)  # noqa: E731
    for number in range(draw(st.integers(0, 2))):
        both = draw(st.sampled_from([("url",), ("id",), ("url", "id"), ("url", "id")]))
        strategies = {"url": urls, "id": ids, "status": statuses, "host": hosts, "clicks": few, "note": words}
        if len(both) == 2:
            strategies["url"] = maybe(urls)
        batches += table(draw, "pages", f"p{number}", both, ("status", "host", "clicks", "note"), strategies)
    if draw(st.booleans()):
        batches += table(
            draw,
            "hosts",
            "h",
            ("host",),
            ("importance",),
            {"host": st.sampled_from(["a.example", "Z"]), "importance": few},
        )
    if draw(st.integers(0, 3)):
        # Few ends, so that loads meet each other; ids that pages have, so that few loads are refused.
        given_ids = [i for b in batches if "id" in b.rows.schema.names for i in b.rows["id"].to_pylist()]
        by_id = st.sampled_from(draw(st.sampled_from([given_ids or IDS, given_ids or IDS, IDS])))
        end = draw(st.sampled_from([st.sampled_from(URLS[:5]), urls, by_id]))
        strategies = {"source": end, "target": end, "weight": weights, "anchor": words}
        batches += table(draw, "links", "l", ("source", "target"), ("weight", "anchor"), strategies, most=14)
    if draw(st.booleans()):
        q = st.sampled_from(["q1", "q2"])
        batches += table(draw, "queries", "q", ("query",), ("freq", "need"), {"query": q, "freq": few, "need": few})
        key = draw(st.sampled_from(["url", "id"]))
        strategies = {"query": q, "url": urls, "id": ids, "rank": maybe(st.integers(1, 3)), "clicks": few}
        batches += table(draw, "results", "r", ("query", key), ("rank", "clicks"), strategies)
    if draw(st.booleans()):
        key = draw(st.sampled_from(["url", "id"]))
        strategies = {"time": st.just(0), "url": urls, "id": ids, "clicks": few, "views": few}
        batches += table(draw, "events", "e", ("time", key), ("clicks", "views"), strategies)
    if draw(st.booleans()):
        key, more = draw(st.sampled_from([("url", ()), ("host", ("below",))]))
        names = st.sampled_from(["a.example", "www.a.example", "Example", "h", "no.such.host"])
        strategies = {"url": urls, "host": names, "below": st.booleans(), "spam": st.sampled_from([0.0, 1.0])}
        batches += table(draw, "labels", "s", (key, *more, "spam"), (), strategies)
    return batches


def spooled(folder, store, batches, options):
    with Merge(folder, options, store) as spool:
        for batch in batches:
            spool.add(batch)
        changes, summary = spool.finish()
        store.apply(changes)
        return changes, summary


@pytest.mark.slow
@settings(max_examples=MANY, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(
    st.lists(loads(), min_size=1, max_size=3),
    st.sampled_from([LoadOptions(), LoadOptions(urls="verbatim"), LoadOptions(merge_variants=True)]),
)
def test_loads_as_the_reference_does_and_repeating_changes_nothing(tmp_path_factory, sequence, options):
    folder = tmp_path_factory.mktemp("spool")
    store = Store()
    for batches in sequence:
        try:
            expected = Reference(store, options).run(batches)
        except Refused:
            expected = None
        if expected is None:
            try:
                spooled(folder, store, batches, options)
            except InputError:
                continue
            raise AssertionError("the reference refuses this load")
        spooled(folder, store, batches, options)
        assert store.state() == expected.state()
        again, _ = spooled(folder, store, batches, options)
        assert again.empty, again
    assert not list(folder.iterdir())


@contextmanager
def in_pieces():
    """Loads of a few rows are merged in as many pieces as those of millions."""
    sizes = links.BLOCK, links.NAMES, links.ROWS, pages.PART
    links.BLOCK, links.NAMES, links.ROWS, pages.PART = 2, 16, 2, 2
    try:
        yield
    finally:
        links.BLOCK, links.NAMES, links.ROWS, pages.PART = sizes


@pytest.mark.slow
@pytest.mark.long
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.lists(loads(), min_size=2, max_size=2))
def test_loads_in_many_pieces_are_the_same(tmp_path_factory, sequence):
    folder = tmp_path_factory.mktemp("spool")
    whole, cut = Store(), Store()
    for batches in sequence:
        try:
            spooled(folder, whole, batches, LoadOptions())
        except InputError:
            continue
        with in_pieces():
            spooled(folder, cut, batches, LoadOptions())
        assert cut.state() == whole.state()


PLACES = [f"http://r.example/{name}" for name in "abcdef"]


@st.composite
def redirecting(draw):
    """Pages that redirect to each other, and links between them; pages may come after links."""
    place = st.sampled_from([*PLACES, "http://[broken", "http://www.r.example/a"])
    given = {"url": place, "redirect": st.one_of(st.none(), place), "status": statuses, "note": words}
    end = st.sampled_from(PLACES)
    linked = {"source": end, "target": end, "weight": weights, "anchor": st.sampled_from([*"uvwxyz", None])}
    parts = [
        table(draw, "pages", "p", ("url", "redirect"), ("status", "note"), given),
        table(draw, "links", "l", ("source", "target"), ("weight", "anchor"), linked, most=12),
    ]
    if draw(st.booleans()):
        parts[0] += table(draw, "pages", "q", ("url", "redirect"), (), given)
    kept = draw(st.sampled_from([(0, 1), (1, 0), (0,), (1,)]))
    return [batch for number in kept for batch in parts[number]]


@pytest.mark.slow
@settings(max_examples=MANY, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(
    st.lists(redirecting(), min_size=1, max_size=3),
    st.sampled_from([LoadOptions(), LoadOptions(urls="verbatim"), LoadOptions(merge_variants=True)]),
    st.booleans(),
)
def test_links_lead_to_the_end_of_redirects(tmp_path_factory, sequence, options, cut):
    """Texts of links that come together through a redirect have no order."""
    folder = tmp_path_factory.mktemp("spool")
    store = Store()
    with in_pieces() if cut else nullcontext():
        for batches in sequence:
            expected = Reference(store, options).run(batches)
            spooled(folder, store, batches, options)
            assert store.state(sorted) == expected.state(sorted)
            again, _ = spooled(folder, store, batches, options)
            assert again.empty, again
    assert not list(folder.iterdir())


@settings(max_examples=150, derandomize=True)
@given(st.lists(st.integers(-1, 30), max_size=31), st.integers(0, 12))
def test_chains_of_redirects_are_followed_to_their_end(to, most):
    to = [target if target < len(to) else -1 for target in to]
    expected = []
    for page in range(len(to)):
        chain = [page]
        while to[chain[-1]] >= 0 and len(chain) <= most:
            chain.append(to[chain[-1]])
        expected.append(chain[-1] if to[chain[-1]] < 0 else page)
    pages = np.flatnonzero(np.array(to, np.int64) >= 0)
    ends = np.arange(len(to))
    if len(pages):
        ends[pages] = ends_of_redirects(pages, np.array(to, np.int64)[pages], most)
    assert ends.tolist() == expected
