"""Records of WARC and ARC files, one after the other, past those that are broken."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from fastwarc.warc import ArchiveIterator, HeaderMap, WarcRecord

from seedrank.core.errors import InputError
from seedrank.loaders.archives.window import Window
from seedrank.loaders.base import Where
from seedrank.loaders.compressed import Input
from seedrank.loaders.rejects import Rejects

__all__ = ["TOO_SHORT", "WARC", "BrokenRecord", "Http", "Record", "opened", "past_breaks", "warc_records"]

TOO_SHORT = "the record ends too early"


class BrokenRecord(Exception):
    """A record that cannot be used; the text says why."""


@dataclass(frozen=True)
class Http:
    """The head of a response."""

    status: int
    """Such as 200."""
    header: Callable[[str], str | None]
    """A header by name, `None` where there is none of that name."""


@dataclass
class Record:
    """A record; what is not read of it is passed over."""

    offset: int
    """Where it begins in its file."""
    kind: str
    """Type of a WARC record; those of ARC are ``response``, and ``warcinfo`` at the beginning."""
    url: str
    """What it is about, empty where it does not say."""
    http: Callable[[], Http]
    """Reads the head of the response that the record holds; raises `BrokenRecord` where it holds none."""
    read: Callable[[int], bytes]
    """Reads up to so many bytes, of the response's body after `http`, and passes over the rest. Raises `BrokenRecord`
    where the record is not whole."""
    date: str = ""
    """When it was made: ISO 8601, or 14 digits in ARC files."""
    digest: str = ""
    """Of the page, as the record gives it; empty where it does not."""
    spoilt: bool = False
    """Whether reading it failed in a way that the next record cannot be found."""


@contextmanager
def opened(source: Input) -> Iterator[Window]:
    """The bytes of an archive, which must not be empty."""
    with source.raw() as raw:
        window = Window(raw, source.name)
        if not window.head(packed=True):
            raise InputError("is empty", file=source.name, hint="is the archive whole?")
        yield window
        # What lies behind the last record belongs to the file's digest all the same.
        while window.read():
            pass


def past_breaks(
    window: Window, beginning: re.Pattern[bytes], read: Callable[[Window], Iterator[Record]], broken: Rejects
) -> Iterator[Record]:
    """Read records; behind a place that cannot be read, go on with the next that begins.

    Parameters
    ----------
    beginning
        Matches the beginning of a record.
    read
        Reads records from where the window is; raises `OSError` or `BrokenRecord` where it cannot go on.
    """
    packed = window.head(packed=True).startswith(b"\x1f\x8b")
    start: int | None = window.tell()
    counted = False
    while start is not None:
        last = None
        try:
            for record in read(window):
                last, counted = record, False
                yield record
            return
        except (OSError, BrokenRecord) as error:
            # Where the break is in the record that follows, it is met a second time.
            if not counted and not (last is not None and last.spoilt):
                what = f"{error}" if last is None else f"what follows this record cannot be read ({error})"
                broken.add(what, Where(window.name, start if last is None else last.offset, unit="byte"))
            counted = True
            start = window.resume((start if last is None else last.offset) + 1, beginning, packed=packed)


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
    date, digest = (found.headers.get(name) or "" for name in ("WARC-Date", "WARC-Payload-Digest"))
    record = Record(found.stream_pos, str(found.record_type), url, http, read, date, digest)
    return record
