"""WAT files: the same pages and links as the WARC files they describe."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seedrank.core.errors import InputError
from seedrank.loaders.warc import WarcSource
from seedrank.loaders.wat import WatSource
from tests.unit.loaders.archive_files import facts, html, http, loaded, warc_record, write

pytestmark = pytest.mark.slow

A, B, C, D = (f"http://a.example/{name}" for name in "abcd")


def described(url, status, headers, page=None, *, kind="response"):
    """A record as Common Crawl writes it."""
    response = {
        "Response-Message": {"Version": "HTTP/1.1", "Status": str(status), "Reason": "OK"},
        "Headers-Length": "100",
        "Headers": headers,
        "Entity-Length": "100",
        "HTML-Metadata": page or {},
    }
    envelope = {
        "Payload-Metadata": {
            "Actual-Content-Type": f"application/http; msgtype={kind}",
            f"HTTP-{kind.capitalize()}-Metadata": response,
        },
        "Format": "WARC/1.0",
        "WARC-Header-Length": "400",
        "WARC-Header-Metadata": {"WARC-Type": kind, "WARC-Target-URI": url, "Content-Length": "200"},
    }
    made = {"Container": {"Filename": "made.warc.gz", "Compressed": True, "Offset": "0"}, "Envelope": envelope}
    return warc_record(url, json.dumps(made).encode(), kind="metadata")


PAGE = {
    "Head": {
        "Title": "A",
        "Base": "http://a.example/dir/",
        "Metas": [
            {"name": "robots", "content": "index"},
            {"http-equiv": "Refresh", "content": "5; url=next"},
        ],
        "Link": [{"path": "LINK@/href", "url": "/style.css", "rel": "stylesheet"}],
    },
    "Links": [
        {"path": "IMG@/src", "url": "i.png", "alt": "picture"},
        {"path": "A@/href", "url": "../b", "text": "to  b\n"},
        {"path": "A@/href", "url": "/b", "text": "again"},
        {"path": "A@/href", "url": "#part", "text": "here"},
        {"path": "A@/href", "url": "http://a.example/a#part", "text": "here"},
        {"path": "A@/href", "url": "mailto:x@a.example"},
        {"path": "AREA@/href", "url": C},
        {"path": "IFRAME@/src", "url": "//b.example"},
        {"path": "FORM@/action", "url": "/search", "method": "get"},
        {"path": "SCRIPT@/src", "url": "/s.js"},
    ],
}
HTML = """<head><base href=/dir/><meta name=robots content=index><meta http-equiv=Refresh content='5; url=next'>
<link rel=stylesheet href=/style.css></head><img src=i.png alt=picture><a href=../b>to  b
</a><a href=/b>again</a><a href="#part">here</a><a href="http://a.example/a#part">here</a>
<a href=mailto:x@a.example></a><map><area href=http://a.example/c></map><iframe src=//b.example></iframe>
<form action=/search method=get></form><script src=/s.js></script>"""


def test_a_crawl_is_the_same_as_warc_and_as_wat(tmp_path):
    records = [
        (A, html(HTML), described(A, 200, {"Content-Type": "text/html; charset=UTF-8"}, PAGE)),
        (B, http(301, Location="d"), described(B, 301, {"location": "d"})),
        (C, http(404, Content_Type="text/html"), described(C, 404, {"Content-Type": "text/html"}, PAGE)),
        ("http://a.example/i.png", http(200, Content_Type="image/png"), described(
            "http://a.example/i.png", 200, {"Content-Type": "image/png"})),
        ("http://a.example/403", http(403), described("http://a.example/403", 403, {})),
    ]  # fmt: skip
    others = [warc_record("", b"x", kind="warcinfo"), described(A, 200, {}, kind="request")]
    warc = WarcSource([write(tmp_path / "made.warc.gz", [warc_record(url, block) for url, block, _ in records])])
    wat = WatSource([write(tmp_path / "made.warc.wat.gz", [*others, *(made for _, _, made in records)])])
    pages, links, _ = loaded(tmp_path, warc)
    same_pages, same_links, _ = loaded(tmp_path, wat)
    assert links == {
        (A, D): (2.0, ["to b", "again"]),
        (A, C): (1.0, []),
        (A, "http://b.example/"): (1.0, []),
        (A, "http://a.example/dir/next"): (1.0, []),
        (A, "http://a.example/dir/"): (1.0, ["here"]),
    }
    assert same_links == links
    without_size = {url: (status, {k: v for k, v in more.items() if k != "bytes"})
                    for url, (status, more) in facts(pages).items()}  # fmt: skip
    assert facts(same_pages) == without_size
    assert wat.broken.count == 0
    assert wat.notes == []


def test_records_that_are_broken_or_say_nothing(tmp_path):
    odd = [
        b"no JSON", b"[]", b"{}", b"[" * 100_000, b'{"Envelope": 5}', b'{"Envelope": {"Payload-Metadata": []}}',
        b'{"Envelope": {"WARC-Header-Metadata": {"WARC-Type": "response", "WARC-Target-URI": 5}}}',
        b"\xff\xfe\xff",
    ]  # fmt: skip
    page = {"Head": {"Base": 5, "Metas": 5}, "Links": [5, {"path": "A@/href"}, {"path": "A@/href", "url": "\ud800"}]}
    records = [
        *(warc_record(A, text, kind="metadata") for text in odd),
        described(B, "2xx", {"Content-Type": 5}),
        described(C, 200, {}, page),
        described("dns:a.example", 200, {}),
    ]
    source = WatSource([write(tmp_path / "made.wat", records)])
    pages, links, _ = loaded(tmp_path, source)
    assert {url: page.status for url, page in pages.items()} == {
        B: "frontier", C: "crawled", "http://a.example/%EF%BF%BD": "frontier"
    }  # fmt: skip
    assert links == {(C, "http://a.example/%EF%BF%BD"): (1.0, [])}
    assert source.broken.count == 3
    assert "byte 0: it is not JSON" in source.broken.first[0]
    with pytest.raises(InputError, match="byte 0: it is not JSON"):
        list(WatSource([str(tmp_path / "made.wat")], strict=True).batches())


def test_what_a_file_without_links_says(tmp_path):
    source = WatSource([write(tmp_path / "one.wat", [described(A, 200, {}, kind="request")])])
    loaded(tmp_path, source)
    assert source.notes == ["no record describes a response: there is no page in it"]
    source = WatSource([write(tmp_path / "two.wat", [described(A, 200, {})])])
    loaded(tmp_path, source)
    assert source.notes == ["no page has links in it"]
    (tmp_path / "text").write_text("hello")
    with pytest.raises(InputError, match="is not a WAT file"):
        list(WatSource([str(tmp_path / "text")]).batches())


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.sampled_from(["response", "A@/href", "refresh", A, "200"])),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(
                ["Envelope", "WARC-Header-Metadata", "WARC-Type", "WARC-Target-URI", "Payload-Metadata", "Headers",
                 "HTTP-Response-Metadata", "Response-Message", "Status", "HTML-Metadata", "Links", "url", "path",
                 "Head", "Metas", "Base"]
            ),
            inner,
            max_size=4,
        ),
    ),
    max_leaves=12,
)  # fmt: skip


@settings(max_examples=150, derandomize=True)
@given(st.one_of(JSON.map(lambda made: json.dumps(made).encode()), st.binary(max_size=100)), st.booleans())
def test_any_record_loads_or_is_counted(tmp_path_factory, text, within):
    folder = tmp_path_factory.mktemp("wat")
    made = json.loads(described(A, 200, {}, {}).partition(b"\r\n\r\n")[2])
    if within:
        try:
            made["Envelope"]["Payload-Metadata"]["HTTP-Response-Metadata"]["HTML-Metadata"] = json.loads(text)
        except ValueError:
            return
        text = json.dumps(made).encode()
    source = WatSource([write(folder / "made.wat", [warc_record(A, text, kind="metadata")])])
    loaded(folder, source)
    assert source.broken.count <= 1
