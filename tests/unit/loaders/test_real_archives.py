"""Real archives: counts as their source says, every difference accounted for, and one crawl in several formats."""

from __future__ import annotations

from collections import Counter
from urllib.parse import urldefrag, urljoin

import pytest
from selectolax.lexbor import LexborHTMLParser
from warcio.archiveiterator import ArchiveIterator

from seedrank.core.urls import normalise_one
from seedrank.loaders.cdx import CdxSource
from seedrank.loaders.charsets import text_of
from seedrank.loaders.warc import WarcSource
from seedrank.loaders.wat import WatSource
from tests.unit.loaders.archive_files import facts, loaded

pytestmark = pytest.mark.slow

LINKING = "a[href], area[href], frame[src], iframe[src]"


@pytest.fixture
def samples(shared_data):
    return shared_data("warc-samples")


def responses(path):
    """Address, status, MIME type and body of every HTTP response, read by warcio alone."""
    with path.open("rb") as file:
        for record in ArchiveIterator(file):
            if record.rec_type == "response" and record.http_headers is not None:
                mime = record.http_headers.get_header("Content-Type", "").partition(";")[0]
                url = record.rec_headers.get_header("WARC-Target-URI")
                yield url, int(record.http_headers.get_statuscode()), mime, record.content_stream().read()


def links_of(url, page):
    """Links by the whole page's tree, each as an absolute http address without fragment."""
    tree = LexborHTMLParser(text_of(page))
    found = [node.attributes.get("href") or node.attributes.get("src") or "" for node in tree.css(LINKING)]
    found += [node.attributes["content"].partition("=")[2] for node in tree.css("meta[http-equiv=refresh i]")]
    for address in found:
        target = urldefrag(urljoin(url, address.strip()))[0]
        if address and target.startswith("http") and not address.startswith("#"):
            yield normalise_one(target) or target


def rows(source):
    """Pages by URL with their status, and distinct links with the pages that they are on."""
    pages, links = Counter(), set()
    for batch in source.batches():
        table = batch.rows.to_pydict()
        if batch.kind == "pages":
            pages.update(table["status"])
        else:
            ends = zip(table["source"], table["target"], strict=True)
            links.update((normalise_one(one), normalise_one(other) or other) for one, other in ends)
    return pages, links


@pytest.mark.parametrize(
    "name, html, links, own, status",
    [
        # SOURCE.txt has 20,793 and 2,748 links: those that a pattern finds, pages' links to themselves and links in
        # comments among them. Of the 140 and 20 HTML pages 46 and 4 are errors and redirects: theirs are not taken.
        ("aut-example", 140, 20_765, 20_027, {"crawled": 214, "missing": 40, None: 7}),
        ("pywb-iana", 20, 2_642, 2_640, {"crawled": 44, None: 127}),
    ],
)
def test_links_are_those_of_the_pages(samples, name, html, links, own, status):
    path = samples / f"{name}.warc.gz"
    every, fetched, pages = set(), set(), 0
    for url, code, mime, body in responses(path):
        if mime == "text/html":
            found = {(normalise_one(url), target) for target in links_of(url, body) if target != normalise_one(url)}
            pages += 1
            every |= found
            fetched |= found if code == 200 else set()
    assert (pages, len(every), len(fetched)) == (html, links, own)
    source = WarcSource([str(path)])
    counted, taken = rows(source)
    assert {pair for pair in taken if pair[0] != pair[1]} == fetched
    assert counted == status
    assert source.broken.count == 0
    assert source.position == source.size == path.stat().st_size


def test_a_crawl_is_the_same_as_arc_and_as_warc(samples, tmp_path):
    arc, warc = (WarcSource([str(samples / f"aut-example.{form}.gz")]) for form in ("arc", "warc"))
    pages, links, summary = loaded(tmp_path, warc)
    same_pages, same_links, same_summary = loaded(tmp_path, arc)
    assert facts(same_pages) == facts(pages)
    assert same_links == links
    assert same_summary.counts == summary.counts == {
        "page rows": 261, "link rows": 37_560, "links dropped: to themselves": 8_132, "links redirected": 4,
        "links merged": 9_403, "links new": 20_025, "pages new": 18_214,
    }  # fmt: skip
    assert arc.notes == warc.notes == ["left out, no web pages (DNS, FTP, resources): 38 records"]
    types = Counter(values.get("type") for status, values in facts(pages).values() if status == "crawled")
    assert types == {
        "page": 94, "image": 55, "robots": 33, "data": 9, "script": 8, "media": 8, "style": 4, "document": 3
    }  # fmt: skip


def test_an_index_has_the_pages_of_its_archive(samples, tmp_path):
    pages, _, _ = loaded(tmp_path, WarcSource([str(samples / "pywb-iana.warc.gz")]))
    crawled = {url: values.get("type") for url, (status, values) in facts(pages).items() if status == "crawled"}
    for form in ("cdx", "cdxj"):
        source = CdxSource([str(samples / f"pywb-iana.{form}")], form=form)
        known, links, summary = loaded(tmp_path, source)
        assert {url: v.get("type") for url, (status, v) in facts(known).items() if status == "crawled"} == crawled
        assert links == {}
        assert summary.counts["page rows"] == 48 + 123
        assert set(known) <= set(pages)


def test_a_capture_as_warc_and_as_wat(samples, tmp_path):
    """The WAT sample describes the request only, so it has no page."""
    pages, links, _ = loaded(tmp_path, WarcSource([str(samples / "cc-whirlwind.warc.gz")]))
    assert pages["https://an.wikipedia.org/wiki/Escopete"].status == "crawled"
    assert (len(pages), len(links)) == (158, 157)
    source = WatSource([str(samples / "cc-whirlwind.warc.wat.gz")])
    assert loaded(tmp_path, source)[0] == {}
    assert source.notes == ["no record describes a response: there is no page in it"]
    assert source.broken.count == 0


@pytest.mark.parametrize(
    "name, counts, notes",
    [
        (
            "pywb-dupes.warc.gz",
            {"page rows": 12, "pages merged": 1, "link rows": 1, "links new": 1, "pages new": 12},
            ["revisit records: 9; their pages are crawled where an archive with the first capture is loaded too"],
        ),
        (
            "iipc-IAH-urls-wget.warc.gz",
            {"page rows": 16, "pages merged": 2, "link rows": 190, "links dropped: to themselves": 6,
             "links merged": 122, "links new": 62, "pages new": 76},
            ["left out, no web pages (DNS, FTP, resources): 3 records"],
        ),
        # A seventh response has no address.
        (
            "iipc-link-extraction-test.warc",
            {"page rows": 6, "link rows": 13, "links new": 13, "pages new": 16},
            ["left out, no web pages (DNS, FTP, resources): 1 record"],
        ),
    ],
)  # fmt: skip
def test_small_archives(samples, tmp_path, name, counts, notes):
    source = WarcSource([str(samples / name)])
    assert loaded(tmp_path, source)[2].counts == counts
    assert source.notes == notes
    assert source.broken.count == 0
