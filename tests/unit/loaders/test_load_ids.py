"""The id of a load: another for other options that shape what is read, the same for the same load."""

from __future__ import annotations

import hashlib
from datetime import datetime

import pyarrow as pa
import pytest

from seedrank.ingest.load import load_record
from seedrank.loaders.accesslog import AccessLogSource
from seedrank.loaders.arcs import ArcsSource
from seedrank.loaders.base import LoadOptions, Summary
from seedrank.loaders.clickstream import ClickstreamSource
from seedrank.loaders.formats import FORMATS, source_of
from seedrank.loaders.frames import FrameSource
from seedrank.loaders.saved_pages import HtmlSource
from seedrank.loaders.spamlist import SpamListSource
from seedrank.loaders.table import TableSource

MAY, JUNE = datetime(2015, 5, 1), datetime(2015, 6, 1)
FRAME = pa.table({"page": ["http://a/"], "url": ["http://b/"]})


def table(file, **given):
    return TableSource(pages=[file], **given)


def frames(_, **given):
    return FrameSource({"pages": FRAME}, **given)


def one(make):
    """A loader of one file in a list."""
    return lambda file, **given: make([file], **given)


LOADS = {
    "access-log": (
        one(AccessLogSource),
        [
            {},
            {"site": "http://x"},
            {"site": "http://y"},
            {"site": "http://x", "robots": True},
            {"site": "http://x", "assets": True},
            {"site": "http://x", "robots": True, "assets": True},
            {"since": MAY},
            {"until": MAY},
            {"since": JUNE},
        ],
    ),
    "spam-list": (one(SpamListSource), [{}, {"subdomains": True}]),
    "arcs": (one(ArcsSource), [{}, {"separator": ","}, {"separator": " "}, {"url_prefix": "http://"}]),
    "clickstream": (one(ClickstreamSource), [{}, {"url_prefix": "http://x/"}, {"url_prefix": "http://y/"}]),
    "table": (
        table,
        [
            {},
            {"columns": {"pages": ["url", "views"]}},
            {"columns": {"pages": ["url", "clicks"]}},
            {"format": "csv"},
            {"format": "json"},
            {"url_prefix": "http://"},
            {"options": LoadOptions(map={"url": "page"})},
            {"options": LoadOptions(status_map={"page": "crawled"})},
            {"options": LoadOptions(missing="n/a")},
            {"options": LoadOptions(text="code")},
        ],
    ),
    "frames": (frames, [{}, {"options": LoadOptions(map={"url": "page"})}, {"options": LoadOptions(missing="n/a")}]),
}
"""Loaders, each with options that make different loads of one file."""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "clickstream-enwiki-2024-01.tsv"
    path.write_text("0\t1\n")
    return str(path)


def identity(source, options: LoadOptions | None = None) -> str:
    return load_record(source, options or LoadOptions(), Summary()).id


def plain(source, options: str = "") -> str:
    """The id as stores have it: of the contents and the options of the load alone."""
    return hashlib.sha256(f"{source.sha256()} {options}".encode()).hexdigest()[:16]


@pytest.mark.parametrize(("make", "choices"), LOADS.values(), ids=LOADS)
def test_other_options_are_another_load_and_equal_ones_the_same(make, choices, file):
    ids = [identity(make(file, **given)) for given in choices]
    assert len(set(ids)) == len(choices)
    assert ids == [identity(make(file, **given)) for given in choices]


@pytest.mark.parametrize(("make", "choices"), LOADS.values(), ids=LOADS)
def test_what_tells_loads_apart_is_in_their_records(make, choices, file):
    said = [load_record(make(file, **given), LoadOptions(), Summary()).source for given in choices]
    assert len(set(said)) == len(choices)


@pytest.mark.parametrize("make", [make for make, _ in LOADS.values()], ids=LOADS)
def test_a_load_without_options_keeps_the_id_that_stores_have(make, file):
    assert identity(make(file)) == plain(make(file))


def test_every_format_without_options_keeps_the_id_that_stores_have(file, tmp_path):
    for name in sorted(set(FORMATS) - {"html", "bvgraph", "nutch-crawldb", "nutch-linkdb", "nutch-segment"}):
        source = source_of(name, [file])
        assert identity(source) == plain(source), name
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text("<p>a page</p>")
    source = HtmlSource([str(tmp_path / "site")])
    list(source.batches())
    assert identity(source) == plain(source)


@pytest.mark.parametrize(
    ("make", "given", "text"),
    [
        (one(AccessLogSource), {"since": MAY, "until": JUNE}, f"since={MAY} until={JUNE}"),
        (one(ArcsSource), {"url_prefix": "http://"}, "url_prefix=http://"),
        (one(ClickstreamSource), {"url_prefix": "http://"}, "url_prefix=http://"),
        (table, {"url_prefix": "http://"}, "url_prefix=http://"),
    ],
    ids=["access-log", "arcs", "clickstream", "table"],
)
def test_an_option_of_the_load_counts_once_whether_the_source_has_it_too(make, given, text, file):
    options = LoadOptions(**given)
    both = load_record(make(file, **given), options, Summary())
    assert both.id == plain(make(file), text)
    assert both.id == identity(make(file, **given)) == identity(make(file), options)
    assert both.source.count(text) == 1


def test_options_of_a_table_count_once_whether_the_source_has_them_too(file):
    options = LoadOptions(urls="verbatim", map={"url": "page"}, missing="n/a")
    text = "urls=verbatim map=url=page missing=n/a"
    for make in (table, frames):
        record = load_record(make(file, options=options), options, Summary())
        assert record.id == plain(make(file), text)
        assert record.source.count("map=") == 1


def test_the_order_of_kinds_does_not_matter(file):
    columns = {"pages": ["url"], "links": ["source", "target"]}
    turned = dict(reversed(columns.items()))
    assert identity(table(file, columns=columns)) == identity(table(file, columns=turned))


def test_a_site_is_the_same_however_it_is_written(file):
    assert identity(AccessLogSource([file], site="http://X")) == identity(AccessLogSource([file], site="http://x/"))
