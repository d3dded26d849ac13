"""Records of WARC files, by fastwarc."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fastwarc.warc import ArchiveIterator, HeaderMap, WarcRecord

from seedrank.loaders.archives.records import TOO_SHORT, BrokenRecord, Http, Record
from seedrank.loaders.archives.window import Window

__all__ = ["WARC", "warc_records"]

WARC = re.compile(rb"WARC/[01]\.\d{1,3}\r?\n")
"""The beginning of a record."""


def warc_records(window: Window) -> Iterator[Record]:
    """Records from where the window is; `OSError` where it goes on with none."""
    for found in ArchiveIterator(window, parse_http=False):  # type: ignore[arg-type]  # it only reads and tells
        yield _record(found)


def _record(found: WarcRecord) -> Record:
    def http() -> Http:
        try:
            # Whatever the record says of its content.
            found.is_http = True
            found.parse_http()
        except OSError as error:
            raise BrokenRecord(f"its HTTP header cannot be read ({error})") from error
        headers: HeaderMap | None = found.http_headers
        if headers is None or headers.status_code is None:
            raise BrokenRecord("it holds no HTTP response")
        return Http(headers.status_code, headers.get)

    def read(most: int) -> bytes:
        try:
            data = found.reader.read(most) if most else b""
            size = len(data) + found.consume()
        except OSError as error:
            record.spoilt = True
            raise BrokenRecord(f"it cannot be read ({error})") from error
        if size < found.content_length:
            raise BrokenRecord(TOO_SHORT)
        return data

    # Some versions of wget put the address in angle brackets.
    url = (found.headers.get("WARC-Target-URI") or "").strip().removeprefix("<").removesuffix(">")
    record = Record(found.stream_pos, str(found.record_type), url, http, read)
    return record
