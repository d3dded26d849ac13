"""Records of ARC files, by warcio: a line ``URL IP date type length``, then so many bytes."""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Iterator

from warcio.limitreader import LimitReader
from warcio.recordloader import ArcWarcRecord, ArcWarcRecordLoader
from warcio.statusandheaders import StatusAndHeadersParser

from seedrank.loaders.archives.records import TOO_SHORT, BrokenRecord, Http, Record
from seedrank.loaders.archives.window import Window

__all__ = ["ARC", "arc_records"]

ARC = re.compile(rb"[A-Za-z][A-Za-z0-9+.-]{1,20}:[^\n]{1,3000} [^\s]{1,60} \d{8,17} [^\s]{1,200} \d{1,15}\r?\n")
"""The beginning of a record."""

_BLOCK = 1 << 16
_LONGEST = 1 << 12
"""Bytes of a record's first line."""
_HEAD = 1 << 15
"""Bytes of an HTTP header."""
_HEAD_ENDS = re.compile(rb"\r?\n\r?\n")


def arc_records(window: Window) -> Iterator[Record]:
    """Records from where the window is; `OSError` or `BrokenRecord` where it goes on with none."""
    stream = _Unpacked(window)
    loader = ArcWarcRecordLoader(arc2warc=False)
    while stream.fill():
        offset = stream.tell()
        line = stream.readline()
        if not line.strip():
            continue
        if not ARC.fullmatch(line):
            raise BrokenRecord("it is not an ARC record")
        found = loader.parse_record_stream(stream, line, known_format="arc", no_record_parse=True)
        yield _record(found, offset)
        while found.raw_stream.read(_BLOCK):
            pass


def _record(found: ArcWarcRecord, offset: int) -> Record:
    stream = found.raw_stream
    head = io.BytesIO()

    def http() -> Http:
        nonlocal head
        try:
            data = _read(stream, _HEAD)
        except OSError as error:
            record.spoilt = True
            raise BrokenRecord(f"it cannot be read ({error})") from error
        ends = _HEAD_ENDS.search(data)
        if ends is None or not data.startswith(b"HTTP/"):
            raise BrokenRecord("it holds no HTTP response")
        parsed = StatusAndHeadersParser(["HTTP/"], verify=False).parse(io.BytesIO(data[: ends.end()]))
        head = io.BytesIO(data[ends.end() :])
        status = parsed.get_statuscode()
        if not status.isdecimal():
            raise BrokenRecord("its HTTP response has no status")
        return Http(int(status), parsed.get_header)

    def read(most: int) -> bytes:
        try:
            data = head.read(most)
            data += _read(stream, most - len(data))
            while stream.read(_BLOCK):
                pass
        except OSError as error:
            record.spoilt = True
            raise BrokenRecord(f"it cannot be read ({error})") from error
        if stream.limit:
            raise BrokenRecord(TOO_SHORT)
        return data

    url = found.rec_headers.get_header("uri")
    kind = "warcinfo" if found.rec_type == "arc_header" else "response"
    record = Record(offset, kind, url, http, read, found.rec_headers.get_header("archive-date") or "")
    return record


def _read(stream: LimitReader, size: int) -> bytes:
    """So many bytes, fewer where the record ends."""
    parts = []
    while size > 0 and (part := stream.read(size)):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


class _Unpacked:
    """The bytes of an archive, unpacked, as warcio reads them: with lines, and never much at a time."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self._packed = window.head(packed=True).startswith(b"\x1f\x8b")
        self._unpacker = zlib.decompressobj(31)
        self._waiting = b""
        self._begins = self._ends = window.tell()
        self._data = b""

    def tell(self) -> int:
        """Where what comes next lies in the file; of packed records, where their member begins."""
        return self._begins if self._packed else self._window.tell() - len(self._data)

    def fill(self) -> bool:
        """Have something to read, unless the file ends."""
        while not self._data:
            if self._packed and self._unpacker.eof:
                self._waiting = self._unpacker.unused_data
                self._unpacker = zlib.decompressobj(31)
                self._begins = self._window.tell() - len(self._waiting)
            more = self._waiting or self._window.read(_BLOCK)
            if not more:
                return False
            self._data, self._waiting = self._unpack(more) if self._packed else (more, b"")
        return True

    def read(self, size: int) -> bytes:
        """At most `size` bytes, and at least one unless the file ends."""
        if size <= 0 or not self.fill():
            return b""
        data, self._data = self._data[:size], self._data[size:]
        return data

    def readline(self, size: int = _LONGEST) -> bytes:
        """A line, or its first bytes where it is longer than a line of a header may be."""
        line = b""
        while not line.endswith(b"\n") and len(line) < min(size, _LONGEST) and self.fill():
            end = self._data.find(b"\n") + 1
            line += self.read(min(end or _LONGEST, _LONGEST - len(line)))
        return line

    def _unpack(self, more: bytes) -> tuple[bytes, bytes]:
        try:
            return self._unpacker.decompress(more, _BLOCK), self._unpacker.unconsumed_tail
        except zlib.error as error:
            raise OSError(f"{error}") from error
