"""Nutch's CrawlDb, LinkDb and segments: as Nutch stores them, as its tools print them, and a real segment."""

from __future__ import annotations

import gzip
import json
import math
import struct
import tarfile
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import seedrank.loaders.compressed
import seedrank.loaders.nutch_rows
from seedrank.core.errors import InputError
from seedrank.loaders.nutch import CrawlDbSource, LinkDbSource, SegmentSource
from seedrank.loaders.nutch_dumps import CSV_HEADER
from tests.unit.loaders.nutch_samples import (
    DATUM,
    INLINKS,
    PARSE,
    ProtocolStatus,
    Unknown,
    datum,
    datum_csv,
    datum_json,
    datum_text,
    inlinks,
    outlink,
    parse_data,
    read_sequence,
    read_text,
    sequence_file,
    text,
)

A, B, C, D = (f"http://{name}.example/" for name in "abcd")
SIGNATURE = bytes(range(0x70, 0x80))
DATUMS = {
    A: {
        "status": 2,
        "signature": SIGNATURE,
        "score": 0.03,
        "meta": {"_pst_": ProtocolStatus((1, None)), "Content-Type": "text/html"},
    },
    B: {"status": 1, "time": 1425921390123, "score": 1.5, "interval": 60},
    C: {"status": 3, "meta": {"n": 3, "_pst_": ProtocolStatus((14, None))}},
    "http://e.example/": {"status": 4, "meta": {"_pst_": ProtocolStatus((13, [f"{A}x?y=1"]))}},
    "http://f.example/": {
        "status": 5,
        "meta": {"flag": True, "raw": b"\0\1", "f": 0.5, "none": None, "_pst_": ProtocolStatus((12, [D]))},
    },
    "http://g.example/": {"status": 6},
    "http://h.example/": {"status": 7},
    "http://i.example/": {"status": 8},
}
FIRST = {
    "url": A,
    "status": "crawled",
    "nutch_status": "db_fetched",
    "nutch_score": 0.03,
    "next_fetch": "2015-03-09T17:16:29Z",
    "fetch_interval": 2592000,
    "signature": SIGNATURE.hex(),
    "redirect": None,
    "type": "page",
}


def rows(source, kind: str) -> list[dict]:
    """Rows of a kind of table, each with its place."""
    return [row for batch in source.batches() if batch.kind == kind for row in batch.rows.to_pylist()]


def crawldb(compression: str = "none") -> bytes:
    pairs = [(text(url), datum(**fields)) for url, fields in DATUMS.items()]
    return sequence_file(pairs, DATUM, compression=compression)


def as_csv() -> bytes:
    return (
        CSV_HEADER
        + b"Retry interval days,Score,Signature,Metadata\n"
        + "".join(datum_csv(url, **fields) for url, fields in DATUMS.items()).encode()
    )


def as_json() -> bytes:
    return "".join(json.dumps(datum_json(url, **fields)) + "\n" for url, fields in DATUMS.items()).encode()


def as_text() -> bytes:
    return "".join(f"{url}\t{datum_text(**fields)}\n" for url, fields in DATUMS.items()).encode()


@pytest.fixture
def write(tmp_path):
    def write(name: str, data: bytes | str) -> str:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return str(path)

    return write


# -- CrawlDb


def test_a_crawldb_gives_pages_with_what_nutch_knows_of_them(write):
    source = CrawlDbSource([write("data", crawldb())])
    found = rows(source, "pages")
    assert found[0] == FIRST
    assert {row["url"]: (row["nutch_status"], row["status"], row["redirect"]) for row in found} == {
        A: ("db_fetched", "crawled", None),
        B: ("db_unfetched", "frontier", None),
        C: ("db_gone", "missing", None),
        "http://e.example/": ("db_redir_temp", "missing", f"{A}x?y=1"),
        "http://f.example/": ("db_redir_perm", "missing", D),
        "http://g.example/": ("db_notmodified", "crawled", None),
        "http://h.example/": ("db_duplicate", "crawled", None),
        "http://i.example/": ("db_orphan", "frontier", None),
    }
    assert found[1]["next_fetch"] == "2015-03-09T17:16:30Z"
    assert (found[1]["nutch_score"], found[1]["fetch_interval"]) == (1.5, 60)
    assert source.broken.count == 0
    assert "no links" in source.notes[0]


@pytest.mark.parametrize("compression", ["record", "block"])
def test_compression_changes_nothing(write, compression):
    plain, packed = CrawlDbSource([write("a", crawldb())]), CrawlDbSource([write("b", crawldb(compression))])
    assert rows(plain, "pages") == rows(packed, "pages")


@pytest.mark.parametrize("dump", [as_csv, as_json, as_text])
@pytest.mark.parametrize("block", [60, 700, 1 << 20])
def test_a_dump_says_the_same_as_the_crawldb(write, monkeypatch, dump, block):
    expected = rows(CrawlDbSource([write("data", crawldb())]), "pages")
    monkeypatch.setattr(seedrank.loaders.compressed, "BLOCK", block)
    source = CrawlDbSource([write("dump.gz", gzip.compress(dump()))])
    assert rows(source, "pages") == expected
    assert source.broken.count == 0


@pytest.mark.parametrize("dump", [as_csv, as_json, as_text])
def test_rows_of_a_dump_know_their_line(write, dump):
    data = dump()
    batches = list(CrawlDbSource([write("dump", data)]).batches())
    assert sum(len(batch.rows) for batch in batches) > 1
    for batch in batches:
        for row, url in enumerate(batch.rows.column("url").to_pylist()):
            assert url in data.decode().splitlines()[batch.where.line(row) - 1]


def test_types_come_from_what_was_fetched(write):
    png = {"Content-Type": "image/png"}
    pairs = [(text(A), datum(2, meta=png)), (text(f"{B}x.pdf"), datum(1, meta=png)), (text(C), datum(5, meta=png))]
    found = rows(CrawlDbSource([write("data", sequence_file(pairs, DATUM))]), "pages")
    assert [row["type"] for row in found] == ["image", "document", None]


def test_a_page_that_others_redirect_to_is_no_redirect(write):
    """Nutch copies the metadata of the page that redirects to its target, ``_pst_`` included."""
    meta = {"_pst_": ProtocolStatus((12, [A])), "_repr_": B}
    source = CrawlDbSource([write("data", sequence_file([(text(A), datum(1, meta=meta))], DATUM))])
    assert rows(source, "pages")[0]["redirect"] is None


def test_metadata_of_an_unknown_class_hides_only_what_follows_it(write):
    moved = ProtocolStatus((12, [D]))
    pairs = [
        (text(A), datum(5, meta={"_pst_": moved, "x": Unknown()})),
        (text(B), datum(5, meta={"x": Unknown(), "_pst_": moved})),
    ]
    source = CrawlDbSource([write("data", sequence_file(pairs, DATUM))])
    assert [row["redirect"] for row in rows(source, "pages")] == [D, None]
    assert source.broken.count == 0


def test_odd_numbers_are_none(write):
    pairs = [(text(A), datum(1, score=score, time=time)) for score, time in [(float("nan"), -5), (float("inf"), 2**62)]]
    found = rows(CrawlDbSource([write("data", sequence_file(pairs, DATUM))]), "pages")
    assert [(row["nutch_score"], row["next_fetch"]) for row in found] == [(None, None)] * 2


def test_records_that_cannot_be_read_are_counted(write):
    pairs = [
        (text(A), datum(2)),
        (text(B), datum(2, version=6)),
        (text(b"http://\xff/"), datum(2)),
        (b"\x7fhttp", datum(2)),
        (text(C), datum(2)[:20]),
        (text(C), b""),
        (text(C), datum(2, signature=SIGNATURE)[:-8]),
        (text(D), datum(99)),
        (text(D), datum(65)),
        (text(D), datum(1)),
    ]
    file = write("data", sequence_file(pairs, DATUM))
    source = CrawlDbSource([file])
    assert [row["url"] for row in rows(source, "pages")] == [A, D]
    assert source.broken.count == 7
    reasons = ("version that is not known", "not UTF-8 text", "not UTF-8 text", "no CrawlDatum", "no CrawlDatum")
    for line, reason in zip(source.broken.first, reasons, strict=True):
        assert line.startswith(f"{file}: byte ")
        assert reason in line
    with pytest.raises(InputError, match="version that is not known"):
        list(CrawlDbSource([file], strict=True).batches())


def test_a_dump_in_another_time_zone_keeps_its_clock(write):
    found = rows(CrawlDbSource([write("dump", as_csv().replace(b"UTC", b"PDT"))]), "pages")
    assert found[0]["next_fetch"] == "2015-03-09T17:16:29"


def test_metadata_of_several_lines_in_csv(write):
    odd = datum_csv(B, 3, meta={"_pst_": "exception(16), lastModified=0: java\n\tat x\nhttp://no.example/", "x": 'a"b'})
    source = CrawlDbSource([write("dump", as_csv() + odd.encode() + datum_csv(D, 1).encode())])
    assert [row["url"] for row in rows(source, "pages")] == [*DATUMS, B, D]
    assert source.broken.count == 0


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (as_csv() + b"not a row\n", 10),
        (as_csv() + b'"http://z.example/",7\n', 10),
        (as_csv() + as_csv().splitlines()[1].replace(b"a.example", b"\xff") + b"\n", 10),
        (as_json() + b"{\n", 9),
        (as_json() + b'{"url": "http://z.example/"}\n', 9),
        (as_json() + b'{"url": 5, "statusCode": 1, "score": 1}\n', 9),
        (as_json() + b'{"url": "\xff", "statusCode": 1, "score": 1}\n', 9),
        (as_json() + b"[" * 100_000 + b"\n", 9),
        (as_text() + b"http://z.example/\tVersion: 7\nFetch time: never\n", 1 + as_text().count(b"\n")),
        (as_text() + b"http://\xff/\tVersion: 7\nStatus: 1 (db_unfetched)\n", 1 + as_text().count(b"\n")),
    ],
)
def test_broken_lines_of_dumps_are_counted(write, data, line):
    file = write("dump", data)
    source = CrawlDbSource([file])
    assert [row["url"] for row in rows(source, "pages")] == list(DATUMS)
    assert source.broken.count == 1
    assert source.broken.first[0].startswith(f"{file}: line {line}: ")


# -- LinkDb


LINKS = {A: [(B, "to a"), (C, "")], D: [(A, "Ünïcode \u2192")], C: []}


def linkdb_dump(metadata: str = " metadata: ") -> str:
    return "".join(
        f"{url}\tInlinks:\n"
        + "".join(f" fromUrl: {source} anchor: {anchor}{metadata}\n" for source, anchor in links)
        + "\n"
        for url, links in LINKS.items()
    )


@pytest.mark.parametrize("compression", ["none", "record", "block"])
@pytest.mark.parametrize("flagged", [True, False])
def test_a_linkdb_gives_links_with_anchors(write, compression, flagged):
    pairs = [(text(url), inlinks(links, flagged=flagged)) for url, links in LINKS.items()]
    source = LinkDbSource([write("data", sequence_file(pairs, INLINKS, compression=compression))])
    assert rows(source, "links") == [
        {"source": B, "target": A, "anchor": "to a"},
        {"source": C, "target": A, "anchor": ""},
        {"source": A, "target": D, "anchor": "Ünïcode \u2192"},
    ]
    assert source.broken.count == 0


def test_metadata_of_inlinks_is_passed_over(write):
    meta = {"a": 1, "b": "x", "c": b"raw", "d": ProtocolStatus((12, [None, "x"]))}
    pairs = [(text(A), inlinks([(B, "b"), (C, "c")], meta=meta))]
    assert len(rows(LinkDbSource([write("data", sequence_file(pairs, INLINKS))]), "links")) == 2


@pytest.mark.parametrize("metadata", ["", " metadata: ", " metadata:  k: v"])
@pytest.mark.parametrize("block", [50, 1 << 20])
def test_a_dump_of_a_linkdb_says_the_same(write, monkeypatch, metadata, block):
    pairs = [(text(url), inlinks(links)) for url, links in LINKS.items()]
    expected = rows(LinkDbSource([write("data", sequence_file(pairs, INLINKS))]), "links")
    monkeypatch.setattr(seedrank.loaders.compressed, "BLOCK", block)
    source = LinkDbSource([write("dump", linkdb_dump(metadata))])
    assert rows(source, "links") == expected
    assert source.broken.count == 0


@pytest.mark.parametrize(
    "value",
    [b"", struct.pack(">i", 5) + text(A), struct.pack(">i", -1), inlinks([(A, "a")]) + b"x", inlinks([(A, "a")])[:-3]],
)
def test_inlinks_that_do_not_fit_are_counted(write, value):
    source = LinkDbSource([write("data", sequence_file([(text(A), value), (text(B), inlinks([(C, "")]))], INLINKS))])
    assert len(rows(source, "links")) == 1
    assert source.broken.count == 1


def test_addresses_that_are_no_text_are_counted(write):
    value = struct.pack(">i", 2) + text(b"http://\xff/") + text("x") + text(B) + text(b"\xff")
    source = LinkDbSource([write("data", sequence_file([(text(A), value)], INLINKS))])
    assert rows(source, "links") == [{"source": B, "target": A, "anchor": None}]
    assert source.broken.count == 1
    dump = (
        f"{A}\tInlinks:\n".encode()
        + b" fromUrl: http://\xff/ anchor: x\n"
        + f" fromUrl: {B} anchor: ".encode()
        + b"\xff\n"
    )
    source = LinkDbSource([write("dump", dump)])
    assert rows(source, "links") == [{"source": B, "target": A, "anchor": None}]
    assert source.broken.first[0].endswith("line 2: the address of a link is not UTF-8 text")


# -- segments


def segment(write, name: str = "segments/20260101120000") -> None:
    """A segment: A fetched, B redirects, C gone; and D, which only a redirect led to."""
    chosen = [(text(url), datum(1, score=0.5)) for url in (A, B, C)]
    moved = {"_pst_": ProtocolStatus((12, [D])), "Content-Type": "text/html"}
    fetched = [
        (text(A), datum(0x21, score=0.5, time=1425921389000)),
        (text(B), datum(0x24, meta=moved)),
        (text(C), datum(0x25)),
        (text(D), datum(0x43, score=0.0, meta=moved)),
    ]
    links = [outlink(B, "to b"), outlink(D, "", {"rel": "nofollow"}), outlink(C, "to c")]
    parsed = [(text(A), parse_data(links)), (text(D), parse_data([], redirect=f"{D}next"))]
    write(f"{name}/crawl_generate/part-r-00000", sequence_file(chosen, DATUM))
    write(f"{name}/crawl_generate/.part-r-00000.crc", b"crc")
    write(f"{name}/crawl_fetch/part-r-00000/data", sequence_file(fetched, DATUM, compression="record"))
    write(f"{name}/crawl_fetch/part-r-00000/index", b"not read")
    write(f"{name}/crawl_fetch/_SUCCESS", b"")
    write(f"{name}/parse_data/part-r-00000/data", sequence_file(parsed, PARSE, compression="block"))
    write(f"{name}/content/part-r-00000/data", b"not read")


def test_a_segment_gives_pages_and_links(write, tmp_path):
    segment(write)
    source = SegmentSource([str(tmp_path / "segments" / "20260101120000")])
    assert [Path(file).relative_to(tmp_path).parts[2] for file in source.files] == [
        "crawl_generate", "crawl_fetch", "parse_data"
    ]  # fmt: skip
    assert rows(source, "links") == [
        {"source": A, "target": B, "anchor": "to b"},
        {"source": A, "target": D, "anchor": ""},
        {"source": A, "target": C, "anchor": "to c"},
        {"source": D, "target": f"{D}next", "anchor": None},
    ]
    pages = rows(source, "pages")
    assert [(row["url"], row["status"], row["redirect"]) for row in pages] == [
        (A, "frontier", None),
        (B, "frontier", None),
        (C, "frontier", None),
        (A, "crawled", None),
        (B, "missing", D),
        (C, "missing", None),
        (D, "frontier", None),
    ]
    fetched, linked = pages[3], pages[6]
    assert (fetched["fetch_time"], fetched["nutch_score"]) == ("2015-03-09T17:16:29Z", 0.5)
    assert pages[0]["fetch_time"] is None, "chosen, not fetched"
    assert {name for name, value in linked.items() if value is not None} == {"url", "status"}
    assert source.broken.count == 0


@pytest.mark.parametrize("given", ["crawl", "crawl/segments", "crawl/segments/1"])
def test_segments_are_found_from_above(write, tmp_path, given):
    segment(write, "crawl/segments/1")
    segment(write, "crawl/segments/2")
    source = SegmentSource([str(tmp_path / given)])
    assert len(source.files) == (3 if given.endswith("1") else 6)


def segment_dump() -> str:
    """What ``readseg -dump`` prints of A and B."""
    datums = [datum_text(67, score=0.0), datum_text(0x21, score=0.5), datum_text(65)]
    parts = [f"\nCrawlDatum::\n{said}\n" for said in datums]
    html = "\nContent::\nVersion: -1\nStatus: 99\n<p>\n  outlink: toUrl: http://no.example/ anchor: no\nScore: 9\n"
    parse = (
        f"\nParseData::\nVersion: 5\nStatus: success(1,0)\nTitle: t\nOutlinks: 2\n  outlink: toUrl: {B} anchor: to b\n"
    )
    parse += f"  outlink: toUrl: {D} anchor: \nContent Metadata:\n  Content-Type = text/html\nParse Metadata:\n\n"
    moved = datum_text(0x24, meta={"_pst_": ProtocolStatus((12, [D]))})
    refresh = f"\nParseData::\nVersion: 5\nStatus: success(1,100), args[0]={C}, args[1]=0\nTitle: \nOutlinks: 0\n"
    shown = "\nParseText::\n  outlink: toUrl: http://text.example/ anchor: no\n\n"
    return (
        f"\nRecno:: 0\nURL:: {A}\n{''.join(parts)}{html}{parse}{shown}"
        f"\nRecno:: 1\nURL:: {B}\n\nCrawlDatum::\n{moved}\n"
        f"\nRecno:: 2\nURL:: {D}\n{refresh}"
    )


@pytest.mark.parametrize("block", [100, 1 << 20])
def test_a_dump_of_a_segment(write, monkeypatch, block):
    monkeypatch.setattr(seedrank.loaders.compressed, "BLOCK", block)
    source = SegmentSource([write("dump/dump", segment_dump())])
    assert rows(source, "links") == [
        {"source": A, "target": B, "anchor": "to b"},
        {"source": A, "target": D, "anchor": ""},
        {"source": D, "target": C, "anchor": None},
    ]
    pages = rows(source, "pages")
    assert {(row["url"], row["status"], row["nutch_status"], row["redirect"]) for row in pages} == {
        (A, "crawled", "fetch_success", None),
        (A, "frontier", None, None),
        (B, "missing", "fetch_redir_perm", D),
    }
    assert (pages[0]["nutch_score"], pages[0]["fetch_time"]) == (0.5, "2015-03-09T17:16:29Z")
    assert source.broken.count == 0


def test_a_record_of_a_dump_without_address(write):
    source = SegmentSource([write("dump", segment_dump() + "\nRecno:: 3\nURL\n\nCrawlDatum::\nVersion: 7\n")])
    assert len(rows(source, "links")) == 3
    assert "without address" in source.broken.first[0]


@pytest.mark.parametrize(
    "value",
    [
        b"",
        parse_data([], version=4),
        parse_data([outlink(A, "a")])[:20],
        parse_data([outlink(A, "a", {"x": Unknown()})]),
        parse_data([b"\x7fshort"]),
    ],
)
def test_parse_data_that_cannot_be_read_is_counted(write, value):
    pairs = [(text(A), value), (text(B), parse_data([outlink(C, "c")]))]
    source = SegmentSource([write("data", sequence_file(pairs, PARSE))])
    assert rows(source, "links") == [{"source": B, "target": C, "anchor": "c"}]
    assert source.broken.count == 1


def test_a_real_segment(shared_data, tmp_path):
    with tarfile.open(shared_data("nutch-test-segment") / "test-segments.tar.gz") as archive:
        archive.extractall(tmp_path, filter="data")
    folder = tmp_path / "src" / "testresources" / "test-segments"
    source = SegmentSource([str(folder)])
    links, pages = rows(source, "links"), rows(source, "pages")
    assert source.broken.count == 0
    # Nutch writes each link a second time, into crawl_parse: as a CrawlDatum `linked` of its target.
    linked = [
        read_text(key)
        for file in sorted(folder.glob("*/crawl_parse/part-00000"))
        for key, value in read_sequence(file.read_bytes())
        if value[1] == 0x43
    ]
    assert len(links) == 2659
    assert Counter(row["target"] for row in links) == Counter(linked)
    assert Counter(row["nutch_status"] for row in pages) == {
        "db_unfetched": 58,
        "fetch_success": 40,
        "fetch_retry": 1,
        "fetch_redir_temp": 3,
        "fetch_redir_perm": 7,
        "fetch_gone": 7,
        None: 4,
    }
    redirects = {row["url"]: row["redirect"] for row in pages if row["redirect"]}
    assert len(redirects) == 10
    assert redirects["http://mongodb.org/"] == "https://www.mongodb.org/"
    assert {row["source"] for row in links} <= {row["url"] for row in pages if row["nutch_status"] == "fetch_success"}
    assert links[0] == {
        "source": "http://nutch.apache.org/",
        "target": "http://nutch.apache.org/index.html",
        "anchor": "Apache",
    }


@pytest.mark.parametrize("form", ["segment", "linkdb", "dump"])
def test_a_long_address_with_many_links_comes_in_small_batches(write, monkeypatch, form):
    monkeypatch.setattr(seedrank.loaders.nutch_rows, "BLOCK", 10_000)
    page, others = f"{A}{'x' * 1000}", [f"{B}{i}" for i in range(100)]
    if form == "segment":
        pairs = [(text(page), parse_data([outlink(one, "") for one in others]))]
        source = SegmentSource([write("data", sequence_file(pairs, PARSE))])
    elif form == "linkdb":
        pairs = [(text(page), inlinks([(one, "") for one in others]))]
        source = LinkDbSource([write("data", sequence_file(pairs, INLINKS))])
    else:
        lines = "".join(f" fromUrl: {one} anchor: \n" for one in others)
        source = LinkDbSource([write("dump", f"{page}\tInlinks:\n{lines}")])
    batches = [batch.rows for batch in source.batches() if batch.kind == "links"]
    assert max(batch.num_rows for batch in batches) <= 10
    column = "target" if form == "segment" else "source"
    assert [url for batch in batches for url in batch.column(column).to_pylist()] == others


# -- whatever is written is read


WORD = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=150)
NUMBER = st.integers(-(2**63), 2**63 - 1) | st.floats(width=32) | st.booleans()
META = st.dictionaries(WORD, WORD | NUMBER | st.binary(max_size=9) | st.none(), max_size=3)
PAGE = st.tuples(WORD, st.lists(st.tuples(WORD, WORD, META), max_size=4), st.none() | WORD)


@pytest.mark.slow
@settings(max_examples=100, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), compression=st.sampled_from(["none", "record", "block"]))
def test_any_crawl_datum(tmp_path, data, compression):
    pairs, expected = [], []
    for number in range(data.draw(st.integers(1, 4))):
        url = f"http://{number}.example/" + data.draw(WORD)
        status = data.draw(st.sampled_from([1, 2, 3, 4, 5, 6, 7, 8]))
        time = data.draw(st.integers(1, 253_402_300_799))
        interval = data.draw(st.integers(-(2**31), 2**31 - 1))
        score = data.draw(st.floats(width=32))
        signature = data.draw(st.binary(max_size=127))
        meta = data.draw(META)
        moved = data.draw(st.none() | WORD)
        if moved is not None:
            meta = {**meta, "_pst_": ProtocolStatus((data.draw(st.sampled_from([12, 13])), [moved]))}
        meta = dict(data.draw(st.permutations(list(meta.items()))))
        value = datum(status, time=time * 1000, interval=interval, score=score, signature=signature, meta=meta)
        pairs.append((text(url), value))
        shown = datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%dT%H:%M:%SZ").rjust(20, "0")
        number = float(str(np.float32(score))) if math.isfinite(score) else None
        expected.append((url, number, shown, interval, signature.hex() or None, moved if status in (4, 5) else None))
    path = tmp_path / "data"
    path.write_bytes(sequence_file(pairs, DATUM, compression=compression))
    source = CrawlDbSource([str(path)])
    columns = ("url", "nutch_score", "next_fetch", "fetch_interval", "signature", "redirect")
    assert [tuple(row[name] for name in columns) for row in rows(source, "pages")] == expected
    assert source.broken.count == 0


@pytest.mark.slow
@settings(max_examples=100, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pages=st.lists(PAGE, min_size=1, max_size=4), flagged=st.booleans())
def test_any_links(tmp_path, pages, flagged):
    parsed = [(text(url), parse_data([outlink(*link) for link in links], redirect=to)) for url, links, to in pages]
    path = tmp_path / "data"
    path.write_bytes(sequence_file(parsed, PARSE))
    refreshed = [(url, to, None) for url, _, to in pages if to is not None]
    out = [(url, target, anchor) for url, links, _ in pages for target, anchor, _ in links]
    assert [tuple(row.values()) for row in rows(SegmentSource([str(path)]), "links")] == out + refreshed
    linked = [(text(url), inlinks([link[:2] for link in links], flagged=flagged)) for url, links, _ in pages]
    path.write_bytes(sequence_file(linked, INLINKS))
    into = [(source, url, anchor) for url, links, _ in pages for source, anchor, _ in links]
    assert [tuple(row.values()) for row in rows(LinkDbSource([str(path)]), "links")] == into


# -- folders, and what is given by mistake


@pytest.mark.parametrize("given", ["crawldb", "crawldb/current", "crawldb/current/part-r-00000"])
def test_a_crawldb_is_found_from_above(write, tmp_path, given):
    write("crawldb/current/part-r-00000/data", crawldb())
    write("crawldb/current/part-r-00000/index", b"x")
    write("crawldb/current/part-r-00001/data", sequence_file([], DATUM))
    write("crawldb/old/part-r-00000/data", b"x")
    write("crawldb/.locked", b"")
    assert len(rows(CrawlDbSource([str(tmp_path / given)]), "pages")) == len(DATUMS)


def test_parts_of_a_dump_are_read_together_and_empty_ones_skipped(write, tmp_path):
    write("dump/part-r-00000", as_csv())
    write("dump/part-r-00001", b"")
    write("dump/part-r-00002", as_text())
    write("dump/_SUCCESS", b"")
    write("dump/.part-r-00000.crc", b"x")
    source = CrawlDbSource([str(tmp_path / "dump")])
    assert len(rows(source, "pages")) == 2 * len(DATUMS)
    assert len(source.sha256()) == 64
    assert source.position == source.size


@pytest.mark.parametrize(
    ("source", "name", "data", "message"),
    [
        (CrawlDbSource, "a", linkdb_dump(), r"is a dump of a LinkDb; load it as nutch-linkdb"),
        (CrawlDbSource, "a", segment_dump(), r"is a dump of a segment; load it as nutch-segment"),
        (LinkDbSource, "a", as_csv(), r"is a dump of a CrawlDb; load it as nutch-crawldb"),
        (LinkDbSource, "a", crawldb(), r"is not part of a LinkDb.*CrawlDatum.*Inlinks"),
        (SegmentSource, "a", sequence_file([], INLINKS), r"is not part of a segment.*ParseData"),
        (CrawlDbSource, "a", sequence_file([], DATUM, key_class="x.Y"), r"it holds x.Y and"),
        (CrawlDbSource, "a", "source\ttarget\n", r"is nothing that Nutch writes"),
        (CrawlDbSource, "a", b"", r"is empty"),
        (CrawlDbSource, "a/b/c", b"x", r"holds no file of Nutch's"),
        (SegmentSource, "a/b/c", b"x", r"holds no segment"),
    ],
)
def test_what_is_given_by_mistake(write, tmp_path, source, name, data, message):
    write(name, data)
    with pytest.raises(InputError, match=message) as caught:
        list(source([str(tmp_path / "a")]).batches())
    assert "\n" not in str(caught.value)


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match="file not found"):
        list(CrawlDbSource([str(tmp_path / "none")]).batches())


# -- any bytes


SOUND = {
    CrawlDbSource: [crawldb(), crawldb("record"), as_csv(), as_json(), as_text()],
    LinkDbSource: [
        sequence_file([(text(url), inlinks(links)) for url, links in LINKS.items()], INLINKS),
        linkdb_dump().encode(),
    ],
    SegmentSource: [
        sequence_file([(text(A), parse_data([outlink(B, "to b", {"a": 1}), outlink(C, "")], redirect=D))], PARSE),
        segment_dump().encode(),
    ],
}


@pytest.mark.slow
@settings(max_examples=150, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_damage_is_counted_or_refused(tmp_path, data):
    source = data.draw(st.sampled_from(list(SOUND)))
    damaged = bytearray(data.draw(st.sampled_from(SOUND[source])))
    for _ in range(data.draw(st.integers(1, 5))):
        at = data.draw(st.integers(0, len(damaged) - 1))
        damaged[at : at + data.draw(st.integers(0, 4))] = data.draw(
            st.binary(max_size=5) | st.sampled_from([b"\n", b'"', b"\t", b"\x7f\xff\xff\xff", b"\xff" * 4, b"http://"])
        )
    path = tmp_path / "data"
    path.write_bytes(damaged)
    try:
        for batch in source([str(path)]).batches():
            batch.rows.validate(full=True)
            assert all(batch.where.line(row) >= 1 for row in range(batch.rows.num_rows))
    except InputError as error:
        assert "\n" not in str(error)
