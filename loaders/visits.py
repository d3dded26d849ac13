"""Visits of pages over time: when a page was fetched, and whether it had changed; from tables, or from recordings.

Tables have a row per visit: ``url`` or ``id``, ``time``, and one or more of ``changed`` (true or false: since the
visit before), ``digest`` (of the content) and ``lastmod`` (when the page says that it changed last). Recordings are
CDX, CDXJ, WARC and ARC files: captures with status 2xx, and revisits, with the digest that is recorded, or else worked
out here.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import ClassVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.errors import InputError
from seedrank.loaders.archives.captures import is_web
from seedrank.loaders.archives.payload import MAX_PAGE, BadPayload
from seedrank.loaders.archives.records import BrokenRecord, Record, opened, past_breaks
from seedrank.loaders.base import Batch, Where
from seedrank.loaders.cdx import CdxSource
from seedrank.loaders.columns import convert
from seedrank.loaders.compressed import Input
from seedrank.loaders.recognise import recognise
from seedrank.loaders.table import TableSource
from seedrank.loaders.times import TIME
from seedrank.loaders.warc import WarcSource, format_of

__all__ = ["NO_TIME", "VisitRows", "recorded_visits", "visit_rows"]

NO_TIME = -1
"""In place of a time that nobody knows."""
_LAST = 1 << 32
"""Seconds since 1970 from which on a time is none of a crawl (2106)."""
_TEXT = pa.large_string()
_NEXT = "a row is a visit: url or id, time, and changed, digest or lastmod"
_ROWS = 1 << 16
_STAMP = re.compile(r"[12]\d{13}")


@dataclass(frozen=True)
class VisitRows:
    """Some visits, in any order."""

    file: str
    """Where they come from, for messages."""
    keys: pa.Array
    """URLs (string) or ids of the source (int64)."""
    time: np.ndarray
    """Seconds since 1970, int64."""
    changed: np.ndarray
    """int8: 1 where the page had changed since the visit before, 0 where it had not, -1 where nothing says."""
    digest: pa.Array
    """Of the content, null where there is none (large_string)."""
    lastmod: np.ndarray
    """When the page says that it changed last, seconds since 1970; `NO_TIME` where it does not."""

    def __len__(self) -> int:
        return len(self.time)


# -- tables


def visit_rows(files: Sequence[str]) -> Iterator[VisitRows]:
    """The visits of tables."""
    for file in files:
        for batch in TableSource(pages=[file]).batches():
            if batch.rows.num_rows:
                yield _of_batch(batch)


def _of_batch(batch: Batch) -> VisitRows:
    rows, names = batch.rows, batch.rows.schema.names
    for name, there in (("time", "time" in names), ("changed", {"changed", "digest", "lastmod"} & set(names))):
        if not there:
            raise InputError(f"has no column {name}", file=batch.where.file, hint=_NEXT)
    named, kind = ("url", pa.string()) if "url" in names else ("id", pa.int64())
    keys = convert(rows.column(named), kind, column=named, where=batch.where)
    time = _seconds(batch, "time")
    unknown = np.flatnonzero(time == NO_TIME)
    if len(unknown):
        raise InputError(
            "is empty", file=batch.where.file, line=batch.where.line(int(unknown[0])), column="time", hint=_NEXT
        )
    changed = np.full(len(time), -1, np.int8)
    if "changed" in names:
        flags = convert(rows.column("changed"), pa.float64(), column="changed", where=batch.where, flag=True)
        known = flags.is_valid().to_numpy(zero_copy_only=False)
        changed[known] = flags.drop_null().to_numpy() > 0
    digest = rows.column("digest").cast(_TEXT) if "digest" in names else pa.nulls(len(time), _TEXT)
    lastmod = _seconds(batch, "lastmod") if "lastmod" in names else np.full(len(time), NO_TIME)
    return VisitRows(batch.where.file, keys, time, changed, _digests(digest), lastmod)


def _digests(texts: pa.Array) -> pa.Array:
    """Digests as they are compared: some name SHA-1, which others leave out; null where there is none."""
    plain = pc.replace_substring_regex(texts, r"^(?i:sha1):", "")
    return pc.if_else(pc.is_in(plain, pa.array(["", "-"], _TEXT)), pa.scalar(None, _TEXT), plain)


def _seconds(batch: Batch, name: str) -> np.ndarray:
    """Times of a column as seconds since 1970, `NO_TIME` where there is none."""
    times = convert(batch.rows.column(name), TIME, column=name, where=batch.where)
    seconds = np.floor_divide(times.cast(pa.int64()).fill_null(NO_TIME).to_numpy(), 1_000_000)
    known = times.is_valid().to_numpy(zero_copy_only=False)
    wrong = np.flatnonzero(known & ((seconds < 0) | (seconds >= _LAST)))
    if len(wrong):
        row = int(wrong[0])
        raise InputError(
            "is no time of a crawl",
            file=batch.where.file,
            line=batch.where.line(row),
            column=name,
            value=str(times[row].as_py()),
            hint="give times from 1970 to 2105",
        )
    return np.where(known, seconds, NO_TIME)


# -- recordings


def recorded_visits(files: Sequence[str]) -> Iterator[VisitRows]:
    """The visits of recordings; lines and records that cannot be read, or have no time, are left out."""
    for file in files:
        kind = recognise(file)
        if kind in ("cdx", "cdxj"):
            source: _CdxVisits | _WarcVisits = _CdxVisits([file], form="cdx" if kind == "cdx" else "cdxj")
        elif kind == "warc":
            source = _WarcVisits([file])
        else:
            raise InputError(
                f"is no recording of captures ({kind})",
                file=file,
                hint="give CDX, CDXJ, WARC or ARC files here, and tables of visits as {history}",
                fields=("history",),
            )
        yield from source.visits()


class _CdxVisits(CdxSource):
    """Captures of CDX and CDXJ files, with their time and digest."""

    letters: ClassVar = {**CdxSource.letters, "b": "time", "k": "digest"}
    keys: ClassVar = {**CdxSource.keys, "digest": ("digest", "sha")}

    def _with_time(self, found: dict[str, pa.Array], before: pa.Array) -> dict[str, pa.Array]:
        stamps = pc.struct_field(pc.extract_regex(before, r" (?P<time>[0-9]{14}) *$"), "time")
        return {**found, "time": stamps}

    def visits(self) -> Iterator[VisitRows]:
        """Read everything once."""
        self._found: list[VisitRows] = []
        for _ in self.batches():
            yield from self._found
            self._found = []
        yield from self._found

    def _pages(self, fields: dict[str, pa.Array], numbers: np.ndarray, file: str) -> Iterator[Batch]:
        empty = pa.nulls(len(fields["url"]), _TEXT)
        urls, codes, mimes, stamps, digests = (
            fields.get(name, empty) for name in ("url", "status", "mime", "time", "digest")
        )
        kept = pc.and_(
            pc.match_substring_regex(urls, "(?i)^https?://"), pc.match_substring_regex(stamps, "^(19|20)[0-9]{12}$")
        )
        there = pc.or_kleene(pc.match_substring_regex(codes, "^2[0-9][0-9]$"), pc.equal(mimes, "warc/revisit"))
        kept = pc.fill_null(pc.and_kleene(kept, there), False)
        stamps = stamps.filter(kept)
        text = pc.replace_substring_regex(stamps, r"^(....)(..)(..)(..)(..)(..)$", r"\1-\2-\3T\4:\5:\6")
        time = _parsed(text)
        proper = (time >= 0) & (time < _LAST)
        rows = [column.filter(kept).filter(pa.array(proper)) for column in (urls, digests)]
        if proper.any():
            nothing = np.full(int(proper.sum()), NO_TIME)
            self._found.append(
                VisitRows(
                    file, rows[0].cast(pa.string()), time[proper], nothing.astype(np.int8), _digests(rows[1]), nothing
                )
            )
        yield from super()._pages(fields, numbers, file)


def _parsed(text: pa.Array) -> np.ndarray:
    """Seconds since 1970 of times in ISO 8601, `NO_TIME` for days and hours that do not exist."""
    times = pc.strptime(text, format="%Y-%m-%dT%H:%M:%S", unit="s", error_is_null=True)
    return times.cast(pa.int64()).fill_null(NO_TIME).to_numpy(zero_copy_only=False)


class _WarcVisits(WarcSource):
    """Captures of WARC and ARC files, with their time, digest and the date that the server gave."""

    def visits(self) -> Iterator[VisitRows]:
        """Read everything once."""
        self.check()
        for _, source in self.inputs:
            rows: list[tuple[str, int, str, int]] = []
            with opened(source) as window:
                beginning, read = format_of(window)
                for record in past_breaks(window, beginning, read, self.broken):
                    try:
                        rows += _capture(record)
                    except (BrokenRecord, BadPayload) as error:
                        self.broken.add(f"{error}", Where(source.name, record.offset, unit="byte"))
                    if len(rows) >= _ROWS:
                        yield _captures(source, rows)
                        rows = []
            if rows:
                yield _captures(source, rows)


def _captures(source: Input, rows: list[tuple[str, int, str, int]]) -> VisitRows:
    urls, times, digests, lastmods = zip(*rows, strict=True)
    return VisitRows(
        source.name,
        pa.array(urls, pa.string()),
        np.array(times, np.int64),
        np.full(len(rows), -1, np.int8),
        _digests(pa.array(digests, _TEXT)),
        np.array(lastmods, np.int64),
    )


def _capture(record: Record) -> list[tuple[str, int, str, int]]:
    """URL, time, digest and date of a record; nothing where it is no visit of a page that is there."""
    time = _time(record.date)
    if record.kind not in ("response", "revisit") or not is_web(record.url) or time == NO_TIME:
        return []
    lastmod, status = NO_TIME, 200
    try:
        http = record.http()
        status, lastmod = http.status, _http_date(http.header("Last-Modified"))
    except BrokenRecord:
        if record.kind == "response":  # a revisit may hold nothing
            raise
    if record.kind == "response" and not 200 <= status < 300:
        record.read(0)
        return []
    digest = record.digest
    if not digest:
        body = record.read(MAX_PAGE)
        digest = f"sha1:{base64.b32encode(hashlib.sha1(body, usedforsecurity=False).digest()).decode()}"
    return [(record.url, time, digest, lastmod)]


def _time(text: str) -> int:
    """Seconds since 1970 of a record's date: ISO 8601, or 14 digits as ARC writes it."""
    if _STAMP.fullmatch(text[:14]):
        text = f"{text[:4]}-{text[4:6]}-{text[6:8]}T{text[8:10]}:{text[10:12]}:{text[12:14]}"
    seconds = int(_parsed(pa.array([text[:19]]))[0])
    return seconds if 0 <= seconds < _LAST else NO_TIME


def _http_date(text: str | None) -> int:
    try:
        seconds = int(parsedate_to_datetime(text or "").timestamp())
    except (ValueError, TypeError, OverflowError, IndexError):
        return NO_TIME
    return seconds if 0 <= seconds < _LAST else NO_TIME
