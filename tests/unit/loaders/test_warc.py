"""WARC and ARC files: what a record says of a page, encodings, and archives that are broken or hostile."""

from __future__ import annotations

import gzip
import zlib

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seedrank.core.errors import InputError
from seedrank.loaders.archives import payload
from seedrank.loaders.archives.payload import MAX_PAGE, BadPayload, unpacked
from seedrank.loaders.warc import WarcSource
from tests.unit.loaders.archive_files import ARC_HEAD, arc_record, facts, html, http, loaded, warc_record, write

A, B, C, D = (f"http://a.example/{name}" for name in "abcd")


def read(tmp_path, records, *, packed=True, strict=False, name="made.warc"):
    source = WarcSource([write(tmp_path / name, records, packed=packed)], strict=strict)
    pages, links, _ = loaded(tmp_path, source)
    return pages, links, source


def test_what_responses_say_of_pages(tmp_path):
    pages, links, source = read(
        tmp_path,
        [
            warc_record("", b"software: made\r\n", kind="warcinfo"),
            warc_record(A, b"GET /a HTTP/1.1\r\n\r\n", kind="request"),
            warc_record(A, html(f"<a href=b>to b</a><a href=/b>again</a><a href={C}>to c</a><img src=i.png>")),
            warc_record(B, http(301, b"<a href=no>", reason="Moved", Location="d#top", Content_Type="text/html")),
            warc_record(C, http(404, b"<a href=no>", Content_Type="text/html")),
            warc_record(D, http(200, b"<!DOCTYPE html><a href=a>home</a>")),
            warc_record("http://a.example/gone.pdf", http(410)),
            warc_record("http://a.example/i.png", http(200, b"\x89PNG", Content_Type="image/png")),
            warc_record("http://a.example/robots.txt", http(200, b"User-agent: *", Content_Type="text/plain")),
            warc_record("http://a.example/error", http(500, b"<a href=no>", Content_Type="text/html")),
            warc_record("http://a.example/same", http(304, b"", Location="x")),
            warc_record("http://a.example/plain", http(200, b"no HTML")),
            warc_record("<http://a.example/wget>", http(404)),
            warc_record("dns:a.example", b"20240518 192.0.2.1"),
            warc_record("http://a.example/resource", b"<a href=no>", kind="resource"),
            warc_record("http://a.example/meta", b"outlink: no", kind="metadata"),
        ],
    )
    assert facts(pages) == {
        A: ("crawled", {"type": "page", "bytes": 88.0}),
        B: ("missing", {"redirect": D}),
        C: ("missing", {}),
        D: ("crawled", {"type": "page", "bytes": 33.0}),
        "http://a.example/gone.pdf": ("missing", {"type": "document"}),
        "http://a.example/i.png": ("crawled", {"type": "image"}),
        "http://a.example/robots.txt": ("crawled", {"type": "robots"}),
        "http://a.example/error": ("frontier", {}),
        "http://a.example/same": ("frontier", {}),
        "http://a.example/plain": ("crawled", {}),
        "http://a.example/wget": ("missing", {}),
    }
    assert links == {(A, D): (2.0, ["to b", "again"]), (A, C): (1.0, ["to c"]), (D, A): (1.0, ["home"])}
    assert source.broken.count == 0
    assert source.notes == ["left out, no web pages (DNS, FTP, resources): 2 records"]
    assert source.position == source.size


def test_captures_of_a_page_are_merged(tmp_path):
    pages, links, source = read(
        tmp_path,
        [
            warc_record(A, http(404)),
            warc_record(A, html("<a href=b>b</a>")),
            warc_record(A, html("<a href=b>b</a><a href=c>c</a>")),
            warc_record(A, http(302, Location="d")),
            warc_record(A, http(200), kind="revisit"),
            warc_record(B, b"", kind="revisit"),
            warc_record(C, http(302, Location="a"), kind="revisit"),
        ],
    )
    assert facts(pages) == {
        A: ("crawled", {"type": "page", "bytes": 30.0, "redirect": D}),
        B: ("frontier", {}),
        C: ("missing", {"redirect": A}),
        D: ("frontier", {}),
    }
    assert links == {(A, B): (2.0, ["b"])}
    assert source.notes == [
        "revisit records: 3; their pages are crawled where an archive with the first capture is loaded too"
    ]


PAGE = b"<html><a href=b>to b</a></html>"


def chunked(body):
    return b"5;x=1\r\n" + body[:5] + b"\r\n" + b"%X\r\n" % len(body[5:]) + body[5:] + b"\r\n0\r\n\r\n"


def raw_deflate(body):
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(body) + packer.flush()


@pytest.mark.parametrize(
    "body, transfer, content",
    [
        (PAGE, None, None),
        (gzip.compress(PAGE, mtime=0), None, "gzip"),
        (gzip.compress(PAGE, mtime=0), None, "X-GZIP"),
        (zlib.compress(PAGE), None, "deflate"),
        (raw_deflate(PAGE), None, "deflate"),
        (pa.Codec("brotli").compress(PAGE, asbytes=True), None, "br"),
        (pa.Codec("zstd").compress(PAGE, asbytes=True), None, "zstd"),
        (chunked(PAGE), "chunked", None),
        (chunked(gzip.compress(PAGE, mtime=0)), "Chunked", "gzip"),
        (gzip.compress(pa.Codec("brotli").compress(PAGE, asbytes=True), mtime=0), None, "br, gzip"),
        (PAGE, "chunked", "gzip"),
        (PAGE, None, "br"),
        (PAGE, None, "deflate"),
        (PAGE, None, "utf-8"),
    ],
)
def test_encodings_are_undone_where_there_are_any(body, transfer, content):
    assert unpacked(body, transfer, content) == PAGE


@pytest.mark.slow
@pytest.mark.parametrize("codec, name", [("gzip", "gzip"), ("brotli", "br"), ("zstd", "zstd")])
def test_a_page_that_was_cut_off_is_unpacked_as_far_as_it_goes(codec, name):
    text = b"".join(b"%d " % (number * number) for number in range(100_000))
    packed = pa.Codec(codec).compress(text, asbytes=True)
    found = unpacked(packed[: len(packed) // 2], None, name)
    assert 0 < len(found) < len(text)
    assert text.startswith(found)


@pytest.mark.slow
@pytest.mark.parametrize("codec, name", [("gzip", "gzip"), ("brotli", "br"), ("zstd", "zstd")])
def test_bombs_are_refused(codec, name):
    bomb = pa.Codec(codec).compress(b"\0" * (4 * MAX_PAGE), asbytes=True)
    with pytest.raises(BadPayload, match="more than 16 MiB"):
        unpacked(bomb, None, name)
    with pytest.raises(BadPayload, match="larger than 16 MiB"):
        unpacked(b"x" * (MAX_PAGE + 1), None, None)
    with pytest.raises(BadPayload, match="cannot be unpacked"):
        unpacked(b"\x1f\x8b\x08" + b"\xff" * 30, None, "gzip")


def test_a_bomb_in_an_archive_is_a_broken_record(tmp_path, monkeypatch):
    monkeypatch.setattr(payload, "MAX_PAGE", 1000)
    records = [
        warc_record(A, html(gzip.compress(b"x" * 5000), Content_Encoding="gzip")),
        warc_record(B, html("<a href=c>c</a>")),
    ]
    pages, _, source = read(tmp_path, records)
    assert set(pages) == {B, C}
    assert source.broken.first == [f"{tmp_path}/made.warc: byte 0: the page unpacks to more than 0 MiB"]


def test_encodings_of_text(tmp_path):
    _, links, _ = read(
        tmp_path,
        [
            warc_record(A, html("<a href=b>é</a>".encode("latin-1"), Content_Type='text/html; charset="ISO-8859-1"')),
            warc_record(B, html("<meta charset=koi8-r><a href=c>я</a>".encode("koi8-r"))),
        ],
    )
    assert {anchor for _, anchors in links.values() for anchor in anchors} == {"é", "я"}


def pages_in_a_row(count, body="<a href=/end>x</a>"):
    return [f"http://a.example/{number}" for number in range(count)], html(body)


@pytest.mark.slow
@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize("form", ["warc", "arc"])
@pytest.mark.parametrize("where", [0, 5, 11])
def test_behind_a_broken_record_reading_goes_on(tmp_path, packed, form, where):
    urls, block = pages_in_a_row(12, "<a href=/end>x</a>" + "".join(f"{n * n:x}" for n in range(3000)))
    make = warc_record if form == "warc" else arc_record
    files = [make(url, block) for url in urls]
    members = [gzip.compress(one, mtime=0) if packed else one for one in files]
    good = members[where]
    members[where] = good[: len(good) // 2]
    first = [ARC_HEAD] if form == "arc" else [warc_record("", b"", kind="warcinfo")]
    path = tmp_path / "made"
    path.write_bytes(b"".join([gzip.compress(first[0]) if packed else first[0], *members]))
    source = WarcSource([str(path)])
    pages, _, _ = loaded(tmp_path, source)
    # A plain record that is too short takes what follows for its own end, and only then the break is met.
    lost = {urls[where], *([] if packed else urls[where + 1 : where + 2])}
    assert {url for url, page in pages.items() if page.status == "crawled"} >= set(urls) - lost
    assert 1 <= source.broken.count <= 2
    assert str(path) in source.broken.first[0]
    with pytest.raises(InputError, match=r"byte \d+: "):
        list(WarcSource([str(path)], strict=True).batches())


def test_junk_between_records_is_one_break(tmp_path):
    records = [warc_record(A, html("<a href=c>")), b"junk\r\n\r\n", warc_record(B, html("<a href=d>"))]
    pages, _, source = read(tmp_path, records, packed=False)
    assert {url for url, page in pages.items() if page.status == "crawled"} == {A, B}
    assert source.broken.first == [
        f"{tmp_path}/made.warc: byte 0: what follows this record cannot be read (Invalid WARC header)"
    ]


@pytest.mark.parametrize("length", [10**15, 10**30, -5, "x", 3])
def test_wrong_sizes_are_broken_records(tmp_path, length):
    records = [warc_record(A, html("<a href=c>")), warc_record(B, html("<a href=d>"), length=length)]
    pages, _, source = read(tmp_path, records)
    assert pages[A].status == "crawled"
    assert source.broken.count >= 1
    arc = [ARC_HEAD, arc_record(A, html("<a href=c>")), arc_record(B, html("<a href=d>"), length=length)]
    pages, _, source = read(tmp_path, arc, name="made.arc")
    assert pages[A].status == "crawled"
    assert source.broken.count >= 1


def test_responses_that_are_none(tmp_path):
    records = [
        warc_record(A, b"junk"),
        warc_record(B, b"HTTP/1.1 OK\r\n\r\n"),
        warc_record(C, http(200, **{f"X{n}": "y" * 1000 for n in range(50)})),
        warc_record(D, html("x")),
    ]
    pages, _, source = read(tmp_path, records)
    assert set(pages) == {D}
    assert source.broken.count == 3
    pages, _, source = read(tmp_path, [arc_record(A, b"junk"), arc_record(B, b"HTTP/1.1 OK\r\n\r\n")], name="made.arc")
    assert (set(pages), source.broken.count) == (set(), 2)


@pytest.mark.parametrize(
    "content, wrong",
    [
        (b"", "is empty"),
        (b"hello", "is neither a WARC nor an ARC file"),
        (gzip.compress(b"hello", mtime=0), "is neither a WARC nor an ARC file"),
        (b"\x1f\x8b\x08", "is neither a WARC nor an ARC file"),
        (b"\0" * 5000, "is neither a WARC nor an ARC file"),
    ],
)
def test_what_is_no_archive(tmp_path, content, wrong):
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(InputError, match=wrong):
        list(WarcSource([str(tmp_path / "file")]).batches())


def test_text_without_links_is_refused(tmp_path):
    text = warc_record(A, b"what a page says", kind="conversion")
    with pytest.raises(InputError, match="holds the text of pages \\(WET\\), and no links"):
        read(tmp_path, [text])
    pages, _, source = read(tmp_path, [text, warc_record(B, html("no link"))])
    assert len(pages) == 1
    assert "left out, text without links (conversion records): 1 record" in source.notes


def test_one_gzip_member_for_all(tmp_path):
    urls, block = pages_in_a_row(5)
    for make, first in ((warc_record, b""), (arc_record, ARC_HEAD)):
        pages, _, source = read(tmp_path, [first + b"".join(make(url, block) for url in urls)])
        assert {url for url, page in pages.items() if page.status == "crawled"} == set(urls)
        assert source.broken.count == 0


def test_urls_that_cannot_be_parsed_are_listed_with_their_record(tmp_path):
    source = WarcSource([write(tmp_path / "made.warc", [warc_record(A, html("<a href='http://[no'>x</a>"))])])
    _, _, summary = loaded(tmp_path, source)
    assert summary.unparsable == [f"{tmp_path}/made.warc, byte 0: 'http://[no'"]


WHOLE = {
    "warc": [
        warc_record(A, html("<a href=b>b</a>")),
        warc_record(B, http(301, Location="c")),
        warc_record(C, http(404)),
    ],
    "arc": [ARC_HEAD, arc_record(A, html("<a href=b>b</a>")), arc_record(B, http(301, Location="c"))],
}
TOKENS = [
    b"WARC/1.0\r\n", b"\r\n\r\n", b"\n", b"\0", b"\xff", b"Content-Length: ", b"-1", b"99999999999999999999",
    b"\x1f\x8b\x08", b"HTTP/1.1 ", b"http://a 1.1.1.1 20240101000000 text/html 5\n", b"Transfer-Encoding: chunked\r\n",
]  # fmt: skip


@st.composite
def damaged(draw):
    packed = draw(st.booleans())
    records = WHOLE[draw(st.sampled_from(sorted(WHOLE)))]
    data = b"".join(gzip.compress(record, mtime=0) if packed else record for record in records)
    for _ in range(draw(st.integers(0, 5))):
        start = draw(st.integers(0, len(data)))
        end = draw(st.integers(start, min(start + 60, len(data))))
        data = data[:start] + draw(st.one_of(st.sampled_from(TOKENS), st.binary(max_size=8))) + data[end:]
    return data


@pytest.mark.slow
@settings(max_examples=150, derandomize=True)
@given(st.one_of(damaged(), st.binary(max_size=300)))
def test_any_bytes_load_or_are_refused(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("warc")
    (folder / "file").write_bytes(data)
    try:
        loaded(folder, WarcSource([str(folder / "file")]))
    except InputError as error:
        assert "\n" not in str(error)
