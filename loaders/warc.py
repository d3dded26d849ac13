"""Web archives: pages and links of the responses in WARC and ARC files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from seedrank.core.errors import InputError
from seedrank.core.numbers import counted
from seedrank.engines.kernels.html import MOST_TAGS
from seedrank.loaders.archives.arc_records import ARC, arc_records
from seedrank.loaders.archives.captures import Captures, is_web
from seedrank.loaders.archives.payload import MAX_PAGE, BadPayload, unpacked
from seedrank.loaders.archives.records import WARC, BrokenRecord, Http, Record, opened, past_breaks, warc_records
from seedrank.loaders.archives.window import Window
from seedrank.loaders.base import Batch, Where
from seedrank.loaders.compressed import Input
from seedrank.loaders.files import FileSource
from seedrank.loaders.html_links import page_links
from seedrank.loaders.page_types import is_html

__all__ = ["WarcSource", "format_of"]

_FORMATS: tuple[tuple[re.Pattern[bytes], Callable[[Window], Iterator[Record]]], ...] = (
    (WARC, warc_records),
    (ARC, arc_records),
)
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([^\s\"';,]+)", re.IGNORECASE)
_LOOKS_LIKE_HTML = re.compile(rb"\s*(?:\xef\xbb\xbf)?\s*(?:<!doctype\s+html|<html|<head|<!--)", re.IGNORECASE)


class WarcSource(FileSource):
    """WARC and ARC files, plain or gzip, ready to read (`seedrank.loaders.base.Source`).

    Every response to http or https is a page. A status 2xx makes it crawled, with its links where it is HTML; 404
    and 410 make it missing, and so does a redirect, with where it leads as ``redirect``; all else (403, 500, …) says
    nothing but that it was asked for. Types are those of 2xx, sizes those of HTML.

    Captures of one page are merged: it has the links of all, the best status and the last type. A revisit record says
    that a page is as it was: what was read of its status and links stands, and nothing is known of a page whose first
    capture is in no file loaded.

    Left out are requests, metadata, DNS records and whatever has no HTTP response (``resource`` records).
    """

    def __init__(self, files: Sequence[str], *, strict: bool = False) -> None:
        super().__init__("warc", [("warc", Input(str(file))) for file in files], strict=strict)
        self._pages = self._revisits = self._others = self._texts = self._cut = 0

    def batches(self) -> Iterator[Batch]:
        """Read everything once: batches of pages and of links."""
        self.check()
        for _, source in self.inputs:
            with opened(source) as window:
                beginning, read = format_of(window)
                captures = Captures(source.name)
                for record in past_breaks(window, beginning, read, self.broken):
                    try:
                        self._take(record, captures)
                    except (BrokenRecord, BadPayload) as error:
                        self.broken.add(f"{error}", Where(source.name, record.offset, unit="byte"))
                    if captures.full:
                        yield from captures.batches()
                yield from captures.batches()
        if self._texts and not self._pages:
            raise InputError(
                "holds the text of pages (WET), and no links",
                file=source.name,
                hint="load the WARC files it was made of, or their WAT files",
            )
        self._remark()

    def _take(self, record: Record, captures: Captures) -> None:
        if record.kind not in ("response", "revisit") or not is_web(record.url):
            self._texts += record.kind == "conversion"
            self._others += record.kind in ("response", "resource")
            return
        self._pages += 1
        if record.kind == "revisit":
            self._revisits += 1
            captures.page(record.url, record.offset, **_seen_again(record))
            return
        http = record.http()
        location, mime = http.header("Location"), (http.header("Content-Type") or "").partition(";")[0].strip()
        if not 200 <= http.status < 300 or (mime and not is_html(mime)):
            record.read(0)
            captures.page(record.url, record.offset, http.status, mime=mime, location=location)
            return
        html = self._body(record, http)
        if not mime and not _LOOKS_LIKE_HTML.match(html):
            captures.page(record.url, record.offset, http.status)
            return
        found = page_links(html, record.url, _charset(http))
        self._cut += found.cut
        captures.page(record.url, record.offset, http.status, mime=mime or "text/html", size=len(html))
        captures.links(record.url, record.offset, found.links)

    def _body(self, record: Record, http: Http) -> bytes:
        packed = record.read(MAX_PAGE + 1)
        return unpacked(packed, http.header("Transfer-Encoding"), http.header("Content-Encoding"))

    def _remark(self) -> None:
        if self._revisits:
            self.notes.append(
                f"revisit records: {self._revisits:,}; their pages are crawled where an archive with the first capture "
                "is loaded too"
            )
        if self._others:
            self.notes.append(f"left out, no web pages (DNS, FTP, resources): {counted(self._others, 'record')}")
        if self._texts:
            self.notes.append(f"left out, text without links (conversion records): {counted(self._texts, 'record')}")
        if self._cut:
            self.notes.append(f"pages with more than {MOST_TAGS:,} links, of which the rest is left out: {self._cut:,}")


def format_of(window: Window) -> tuple[re.Pattern[bytes], Callable[[Window], Iterator[Record]]]:
    """How the records of an archive begin, and what reads them."""
    head = window.head()
    for beginning, read in _FORMATS:
        if beginning.match(head):
            return beginning, read
    raise InputError("is neither a WARC nor an ARC file", file=window.name, hint="check what it is with `file`")


def _seen_again(record: Record) -> dict[str, Any]:
    """Status and location of a revisit that says more than that the page is as it was."""
    try:
        http = record.http()
    except BrokenRecord:
        return {"code": 0}
    return {"code": 0 if 200 <= http.status < 300 else http.status, "location": http.header("Location")}


def _charset(http: Http) -> str | None:
    found = _CHARSET.search(http.header("Content-Type") or "")
    return None if found is None else found[1]
