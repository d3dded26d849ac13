"""What a page is, by MIME type and URL."""

from __future__ import annotations

import re

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seedrank.core.model import PAGE_TYPES
from seedrank.core.urls import suffixes
from seedrank.ingest.merge import Merge
from seedrank.loaders.base import Batch, LoadOptions, Where
from seedrank.loaders.page_types import is_html, types_of
from tests.unit.loaders.spool_reference import Page, Store


@pytest.mark.parametrize(
    "url, mime, kind",
    [
        ("http://a.example/", None, None),
        ("http://a.example/index.html", None, None),
        ("http://a.example/robots.txt", None, "robots"),
        ("http://a.example/robots.txt?x=1", "text/html", "robots"),
        ("http://a.example/docs/robots.txt", None, "document"),
        ("http://a.example/sitemap.xml", "text/xml", "sitemap"),
        ("http://a.example/maps/sitemap_index-3.XML.gz", "application/octet-stream", "sitemap"),
        ("http://a.example/sitemap.html", None, None),
        ("http://a.example/feed.xml", "text/xml; charset=utf-8", "feed"),
        ("http://a.example/news.rss", None, "feed"),
        ("http://a.example/a.JPG?w=3#x", None, "image"),
        ("http://a.example/a.jpg/", None, None),
        ("http://a.example/view?f=a.jpg", None, None),
        ("http://a.example/wiki/File:A.jpg", None, None),
        ("http://a.example/a.jpg", "text/html;charset=x", "page"),
        ("http://a.example/photo", "image/png", "image"),
        ("http://a.example/a.css", "text/plain", "style"),
        ("http://a.example/a.woff2", "application/octet-stream", "font"),
        ("http://a.example/a", "TEXT/Plain", "document"),
        ("http://a.example/a", "application/octet-stream", "data"),
        ("http://a.example/a", "warc/revisit", None),
        ("http://a.example/a", "unk", None),
        ("http://a.example/a", "", None),
        ("http://a.example/a.xml", None, "data"),
        ("http://a.example/a.js", "application/javascript", "script"),
        ("http://a.example/a.swf", "application/x-shockwave-flash", "media"),
        ("http://a.example/a.pdf", "application/pdf", "document"),
        ("http://a.ps", None, None),
        ("a.pdf", None, None),
        (None, "image/gif", "image"),
        (None, None, None),
    ],
)
def test_types(url, mime, kind):
    assert types_of(pa.array([url], pa.string()), pa.array([mime], pa.string())).to_pylist() == [kind]
    if mime is None:
        assert types_of(pa.array([url], pa.string())).to_pylist() == [kind]


def test_suffixes_say_nothing_of_pages_that_link():
    urls = pa.array(["http://a.example/a.xml", "http://a.example/robots.txt", "http://a.example/b.xml"])
    assert types_of(urls, linking=np.array([True, True, False])).to_pylist() == [None, "robots", "data"]


def test_every_type_is_one_of_the_model():
    assert {"page", "robots", "sitemap", "feed"} < set(PAGE_TYPES)
    assert is_html(" Text/HTML ")
    assert is_html("application/xhtml+xml")
    assert not is_html("text/htm")
    assert not is_html(None)


@pytest.mark.slow
@settings(max_examples=150, derandomize=True)
@given(st.lists(st.one_of(st.none(), st.text(st.sampled_from("a.B/:?#é2"), max_size=14).map(lambda t: f"http://h/{t}"),
                          st.text(st.sampled_from("a./:?#"), max_size=12))))  # fmt: skip
def test_suffixes_are_those_of_a_plain_search(urls):
    def suffix(url):
        path = re.split(r"[?#]", url or "")[0]
        scheme, slashes, rest = path.partition("://")
        if not slashes or "/" in scheme or "/" not in rest:
            return None
        name = rest.rpartition("/")[2]
        found = re.search(r"\.([^.]{1,8})\Z", name)
        return None if found is None or ":" in name else found[1].replace("B", "b")

    expected = [suffix(url) for url in urls]
    assert suffixes(pa.array(urls, pa.string())).to_pylist() == expected


def batch(kind, **columns):
    return Batch(kind, pa.RecordBatch.from_pydict(columns), Where(kind))


def loaded(folder, store, *batches):
    with Merge(folder, LoadOptions(), store) as spool:
        for one in batches:
            spool.add(one)
        changes, _ = spool.finish()
        store.apply(changes)
    return changes


def test_new_pages_get_the_type_their_urls_tell(tmp_path):
    store = Store()
    links = batch(
        "links",
        source=["http://a.example/", "http://a.example/", "http://a.example/l.xml"],
        target=["http://a.example/i.png", "http://a.example/l.xml", "http://a.example/p.pdf"],
    )
    loaded(tmp_path, store, batch("pages", url=["http://a.example/i.png"], type=["page"]), links)
    assert {page.url: page.values.get("type") for page in store.pages} == {
        "http://a.example/": None,
        "http://a.example/i.png": "page",
        "http://a.example/l.xml": None,
        "http://a.example/p.pdf": "document",
    }
    assert loaded(tmp_path, store, links).empty


def test_without_evidence_there_is_no_column(tmp_path):
    store = Store()
    changes = loaded(tmp_path, store, batch("links", source=["http://a.example/"], target=["http://a.example/x"]))
    assert changes.page_columns == {}
    assert "type" not in changes.new_pages.column_names


def test_a_users_own_column_of_that_name_stays(tmp_path):
    store = Store()
    store.columns = {"type": pa.int64()}
    store.pages = [Page("http://a.example/", None, "frontier", "a.example", {"type": 7})]
    loaded(tmp_path, store, batch("links", source=["http://a.example/"], target=["http://a.example/x.pdf"]))
    assert [page.values.get("type") for page in store.pages] == [7, None]
