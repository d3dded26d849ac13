"""Heritrix's crawl.log, against plain Python."""

from __future__ import annotations

import gzip

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import seedrank.loaders.compressed
from seedrank.core.errors import InputError
from seedrank.engines.kernels.text import split_fields
from seedrank.ingest.merge import Merge
from seedrank.loaders.base import LoadOptions
from seedrank.loaders.heritrix import HeritrixLogSource

A, B, C, D = (f"http://{name}.example/" for name in "abcd")


def line(url, code=200, path="-", via="-", *, size="1299", mime="text/html", fetched="20110623171208574+225", seed=A):
    """A line as Heritrix writes it, its columns padded with spaces."""
    code, size = str(code).rjust(5), str(size).rjust(10)
    return (
        f"2011-06-23T17:12:08.802Z {code} {size} {url} {path} {via} {mime} #014 {fetched} sha1:YIUOKDGOLGI5 {seed} 3t\n"
    )


LOG = "".join(
    [
        line("dns:a.example", 1, "P", A, mime="text/dns", size=50),
        line(f"{A}robots.txt", 404, "P", A, mime="text/plain", size=9),
        line(A),
        line(B, 301, "L", A, size=0, mime="no-type"),
        line(C, 200, "LR", B),
        line(f"{C}a.png", 200, "LRE", C, mime="image/png", size=854427),
        line(D, -9998, "LRL", C, size="-", mime="no-type", fetched="-"),
        line(f"{A}gone", 404, "L", A),
        line(f"{A}broken", 503, "L", A),
        line(f"{A}refresh", 200, "L", A),
        line(f"{A}next", -4001, "12+LLLLR", f"{A}refresh", size="-", fetched="-"),
        line(f"{A}favicon.ico", 200, "I", A),
        line(f"{A}empty", -404, "X", A, size="-"),
        line(f"{A}same", 304, "L", A),
        line("ftp://a.example/x", 226, "L", A),
    ]
)


@pytest.fixture
def write(tmp_path):
    def write(data: str | bytes, name: str = "crawl.log") -> str:
        path = tmp_path / name
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        return str(path)

    return write


def rows(source, kind: str) -> list[dict]:
    return [row for batch in source.batches() if batch.kind == kind for row in batch.rows.to_pylist()]


def test_pages_with_how_their_fetch_ended(write):
    source = HeritrixLogSource([write(LOG)])
    pages = rows(source, "pages")
    assert {row["url"]: row["status"] for row in pages if "status" in row} == {
        f"{A}robots.txt": "missing",
        A: "crawled",
        B: None,
        C: "crawled",
        f"{C}a.png": "crawled",
        D: None,
        f"{A}gone": "missing",
        f"{A}broken": None,
        f"{A}refresh": "crawled",
        f"{A}next": None,
        f"{A}favicon.ico": "crawled",
        f"{A}empty": "missing",
        f"{A}same": "crawled",
    }
    by_url = {row["url"]: row for row in pages if "status" in row}
    assert by_url[C] == {
        "url": C,
        "status": "crawled",
        "fetch_status": 200,
        "fetch_time": "2011-06-23T17:12:08Z",
        "bytes": 1299.0,
        "type": "page",
        "path": "LR",
        "seed": A,
    }
    assert by_url[A]["path"] is None
    assert {name: by_url[D][name] for name in ("fetch_time", "bytes", "type", "fetch_status")} == {
        "fetch_time": None, "bytes": None, "type": None, "fetch_status": -9998
    }  # fmt: skip
    assert [by_url[url]["type"] for url in (f"{A}robots.txt", f"{C}a.png", f"{A}gone")] == ["robots", "image", None]
    assert source.broken.count == 0


def test_links_are_the_tree_of_discovery_and_redirects_are_none(write):
    source = HeritrixLogSource([write(LOG)])
    assert [(row["source"], row["target"]) for row in rows(source, "links")] == [
        (A, B),
        (C, f"{C}a.png"),
        (C, D),
        (A, f"{A}gone"),
        (A, f"{A}broken"),
        (A, f"{A}refresh"),
        (f"{A}refresh", f"{A}next"),  # in its HTML: the page itself was there
        (A, f"{A}empty"),
        (A, f"{A}same"),
    ]
    redirects = [row for row in rows(HeritrixLogSource([write(LOG)]), "pages") if "redirect" in row]
    assert redirects == [{"url": B, "redirect": C}]


def test_what_is_said_of_a_log(write):
    source = HeritrixLogSource([write(LOG)])
    list(source.batches())
    assert "tree of discovery" in source.notes[0]
    assert "1 × -9998 (forbidden by robots.txt)" in source.notes[1]
    assert "1 × -4001 (too many links away)" in source.notes[1]
    assert source.notes[2].startswith("2 lines are neither http nor https")


def test_a_thirteenth_field_and_fields_of_any_width(write):
    extra = line(A).rstrip("\n") + ' {"contentSize":174,"warcFilename":"a b.warc.gz"}\r\n'
    source = HeritrixLogSource([write("\n" + extra + "  " + line(B).replace(" ", "\t") + "\n")])
    batches = list(source.batches())
    assert [row["url"] for row in batches[0].rows.to_pylist()] == [A, B]
    assert [batches[0].where.line(row) for row in range(2)] == [2, 3]
    assert source.broken.count == 0


@pytest.mark.parametrize("block", [50, 1 << 20])
def test_blocks_of_any_size_and_packed_files(write, monkeypatch, block):
    expected = [rows(HeritrixLogSource([write(LOG)]), kind) for kind in ("pages", "links")]
    monkeypatch.setattr(seedrank.loaders.compressed, "BLOCK", block)
    source = HeritrixLogSource([write(gzip.compress(LOG.encode()), "crawl.log.gz")])
    assert [sorted(rows(source, kind), key=str) for kind in ("pages", "links")] == [
        sorted(some, key=str) for some in expected
    ]
    assert source.broken.count == 0


def test_lines_that_cannot_be_read_are_counted(write):
    bad = [
        "short line\n",
        line(A).replace("  200", "2x0"),
        line(A).replace("3t", ""),
        line("http://\udcff/").encode(errors="surrogateescape"),
    ]
    data = b"".join(
        [line(A).encode(), *(one if isinstance(one, bytes) else one.encode() for one in bad), line(B).encode()]
    )
    file = write(data)
    source = HeritrixLogSource([file])
    assert [row["url"] for row in rows(source, "pages")] == [A, B]
    assert source.broken.count == 4
    assert [entry.split(": ")[1] for entry in source.broken.first] == ["line 2", "line 3", "line 4", "line 5"]
    with pytest.raises(InputError, match=r"line 2: no line of a crawl\.log"):
        list(HeritrixLogSource([file], strict=True).batches())


@pytest.mark.parametrize("data", ["", "\n\n", "source\ttarget\nhttp://a/\thttp://b/\n", b"\0" * 1000])
def test_what_is_no_log(write, data):
    with pytest.raises(InputError, match=r"holds no line of a crawl\.log; a line has 12 or 13 fields"):
        list(HeritrixLogSource([write(data)]).batches())


def test_a_redirect_costs_no_hop(write, tmp_path):
    with Merge(tmp_path / "spool", LoadOptions()) as spool:
        for batch in HeritrixLogSource([write(LOG)]).batches():
            spool.add(batch)
        changes, _ = spool.finish()
        urls = changes.new_pages["url"].to_pylist()
        status = dict(zip(urls, changes.new_pages["status"].to_pylist(), strict=True))
        links = {(urls[row["source"]], urls[row["target"]]) for row in changes.new_links.to_pylist()}
    assert (A, C) in links
    assert (A, B) not in links
    assert [status[url] for url in (A, B, C, D, f"{A}broken")] == [
        "crawled", "missing", "crawled", "frontier", "frontier"
    ]  # fmt: skip


FIELD = st.text(st.characters(codec="utf-8", exclude_categories=["Z", "C"]), min_size=1, max_size=5)

LINE = st.lists(FIELD, max_size=5).map(" \t".join) | st.sampled_from(["", " ", "\r"])


@settings(max_examples=100, derandomize=True)
@given(
    text=st.lists(st.lists(FIELD, max_size=5).map(" \t".join) | st.sampled_from(["", " ", "\r"]), max_size=8).map(
        "\n".join
    ),
    fields=st.integers(1, 4),
    room=st.integers(1, 9),
)
def test_fields_are_those_that_python_splits(text, fields, room):
    data, found, before = np.frombuffer(text.encode(), np.uint8), [], 0
    while len(data):
        bounds, lines = np.full((room, 2 * fields), -7), np.empty(room, np.int64)
        count, used, passed = split_fields(data, fields, bounds, lines)
        for row in range(count):
            spans = bounds[row].reshape(-1, 2).tolist()
            found.append((before + lines[row], [data[a:b].tobytes().decode() for a, b in spans if a >= 0]))
        data, before = data[used:], before + passed
    expected = [(at, one.split()[:fields]) for at, one in enumerate(text.split("\n")) if one.split()]
    assert found == expected


@pytest.mark.slow
@settings(max_examples=150, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_damage_is_counted_or_refused(tmp_path, data):
    damaged = bytearray(LOG.encode())
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(damaged) - 1))
        damaged[at : at + data.draw(st.integers(0, 4))] = data.draw(
            st.binary(max_size=5) | st.sampled_from([b"\n", b" ", b"-", b"999999999", b"http://", "é".encode()])
        )
    path = tmp_path / "crawl.log"
    path.write_bytes(damaged)
    try:
        for batch in HeritrixLogSource([str(path)]).batches():
            batch.rows.validate(full=True)
            assert batch.where.line(batch.rows.num_rows - 1) <= damaged.count(b"\n") + 1
    except InputError as error:
        assert "\n" not in str(error)
