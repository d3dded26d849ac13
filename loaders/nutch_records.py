"""Nutch's records as tables: CrawlDatum as pages, ParseData and Inlinks as links."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from loaders.hadoop import Records
from loaders.page_types import types_of
from loaders.spans import Spans, utf8
from seedrank.core.model import Status
from seedrank.kernels.hadoop import read_texts
from seedrank.kernels.nutch import (
    FINE,
    OTHER_VERSION,
    copy_inlinks,
    copy_outlinks,
    read_datums,
    read_inlinks,
    read_parses,
)

__all__ = [
    "NO_STATUS",
    "STATUSES",
    "Datums",
    "Report",
    "Rows",
    "datum_pages",
    "datum_rows",
    "good_links",
    "inlinks",
    "parse_links",
]

_CRAWLED, _MISSING, _FRONTIER = Status.CRAWLED.label, Status.MISSING.label, Status.FRONTIER.label
_SILENT = (0x41, 0x44)
_REDIRECTS = (4, 5, 0x23, 0x24)
_FETCHED = (2, 6, 7, 0x21, 0x26)
_FETCHES = range(0x21, 0x40)

STATUSES = {
    1: ("db_unfetched", _FRONTIER),
    2: ("db_fetched", _CRAWLED),
    3: ("db_gone", _MISSING),
    4: ("db_redir_temp", _MISSING),
    5: ("db_redir_perm", _MISSING),
    6: ("db_notmodified", _CRAWLED),
    7: ("db_duplicate", _CRAWLED),
    8: ("db_orphan", _FRONTIER),
    0x21: ("fetch_success", _CRAWLED),
    0x22: ("fetch_retry", _FRONTIER),
    0x23: ("fetch_redir_temp", _MISSING),
    0x24: ("fetch_redir_perm", _MISSING),
    0x25: ("fetch_gone", _MISSING),
    0x26: ("fetch_notmodified", _CRAWLED),
    0x42: ("injected", _FRONTIER),
    0x43: ("linked", _FRONTIER),
}
"""Nutch's number of a status -> its name there, and ours. A page that redirects is not there: its target is.

Not in the list are `signature` (0x41) and `parse_metadata` (0x44): they say nothing about a fetch.
"""

_LATEST = 253_402_300_799_000
"""The last millisecond of the year 9999: a later time is none."""
NO_STATUS = -1
"""A record without status."""

Report = Callable[[int, str], None]
"""Takes the number of a record or line that cannot be read, and the reason."""


@dataclass(frozen=True)
class Rows:
    """Rows of a table (`kind`), and the number of the record or line that each comes from."""

    kind: str
    table: pa.RecordBatch
    of: np.ndarray


@dataclass(frozen=True)
class Datums:
    """CrawlDatums, column by column.

    Parameters
    ----------
    codes
        int64: Nutch's number of the status; those that `STATUSES` does not have are left out.
    times
        Time of the fetch, in a CrawlDb of the next one.
    intervals
        Seconds between fetches.
    scores
        float64: Nutch's score; one that is not finite is none.
    signatures
        Of the content, in hexadecimal.
    moved
        Address that the page has moved to; used where the status says that it has.
    mimes
        Content types; used where the status says that the page was fetched.
    """

    urls: pa.Array
    codes: np.ndarray
    times: pa.Array
    intervals: pa.Array
    scores: np.ndarray
    signatures: pa.Array
    moved: pa.Array
    mimes: pa.Array


def datum_rows(datums: Datums, report: Report, *, segment: bool) -> Rows:
    """Rows of pages.

    In a segment the time is that of the fetch and goes with fetches only, and a page that was only linked to has
    no more than its address. Fetches come last: what they say of a page stands.
    """
    known = np.isin(datums.codes, list(STATUSES))
    named: np.ndarray = datums.urls.is_valid().to_numpy(zero_copy_only=False)
    for row in np.flatnonzero(~named | ~(known | np.isin(datums.codes, _SILENT))).tolist():
        report(row, _complaint(bool(named[row]), int(datums.codes[row])))
    order = np.argsort(datums.codes, kind="stable") if segment else np.arange(len(datums.codes))
    order = order[(known & named)[order]]
    codes, scores = datums.codes[order], datums.scores[order]
    at = np.searchsorted(list(STATUSES), codes)
    names, labels = (pa.array(words).take(pa.array(at)) for words in zip(*STATUSES.values(), strict=True))
    detailed = codes < _FETCHES.stop
    timed = detailed & (codes >= _FETCHES.start) if segment else detailed
    taken = pa.array(order)
    urls = datums.urls.take(taken)
    table = {
        "url": urls,
        "status": labels,
        "nutch_status": _where(names, detailed),
        "nutch_score": _where(pa.array(scores), detailed & np.isfinite(scores)),
        "fetch_time" if segment else "next_fetch": _where(datums.times.take(taken), timed),
        "fetch_interval": _where(datums.intervals.take(taken), detailed),
        "signature": _where(datums.signatures.take(taken), detailed),
        "redirect": _where(datums.moved.take(taken), np.isin(codes, _REDIRECTS)),
        "type": types_of(urls, _where(datums.mimes.take(taken), np.isin(codes, _FETCHED))),
    }
    return Rows("pages", pa.record_batch(table), order)


def _complaint(named: bool, code: int) -> str:
    if not named:
        return "its address is no UTF-8 text"
    return "a page without status" if code == NO_STATUS else f"unknown status {code}"


def _where(values: pa.Array, known: np.ndarray) -> pa.Array:
    return pc.if_else(pa.array(known), values, pa.scalar(None, values.type))


def datum_pages(records: Records, report: Report, *, segment: bool) -> list[Rows]:
    """Pages of records with an address as key and a CrawlDatum as value.

    Parameters
    ----------
    records
        The records.
    report
        Told of those that cannot be read: which, and why.
    segment
        Whether they are of a segment, not of a CrawlDb.
    """
    values, size = records.values, len(records.values)
    state, codes = np.empty(size, np.int8), np.zeros(size, np.int8)
    times, intervals = np.zeros(size, np.int64), np.zeros(size, np.int64)
    scores = np.zeros(size, np.uint32)
    signatures, found = np.empty((size, 2), np.int64), np.empty((size, 4), np.int64)
    read_datums(values.data, values.starts, values.ends, state, codes, times, intervals, scores, signatures, found)
    urls, good = _urls(records, state, "CrawlDatum", report)
    at = np.flatnonzero(good)
    datums = Datums(
        urls=urls.take(pa.array(at)),
        codes=codes[at].astype(np.int64),
        times=_times(times[at]),
        intervals=pa.array(intervals[at]),
        # The decimal number that Nutch means and prints: 0.03, where the bits say 0.029999999329447746.
        scores=scores.view(np.float32)[at].astype("U32").astype(np.float64),
        signatures=_hex(_spans(values, signatures).take(at)),
        moved=utf8(_spans(values, found[:, :2]).take(at).binary()),
        mimes=utf8(_spans(values, found[:, 2:]).take(at).binary()),
    )
    rows = datum_rows(datums, lambda row, reason: report(int(at[row]), reason), segment=segment)
    return [Rows(rows.kind, rows.table, at[rows.of])]


def parse_links(records: Records, report: Report) -> list[Rows]:
    """Links of records with an address as key and a ParseData as value; a redirect in HTML is a link."""
    values, size = records.values, len(records.values)
    state, counts, found = np.empty(size, np.int8), np.empty(size, np.int64), np.empty((size, 2), np.int64)
    read_parses(values.data, values.starts, values.ends, state, counts, found)
    urls, good = _urls(records, state, "ParseData", report)
    counts[~good] = 0
    of, bounds = np.empty(counts.sum(), np.int64), np.empty((counts.sum(), 4), np.int64)
    copy_outlinks(values.data, values.starts, values.ends, counts, of, bounds)
    links = good_links(urls.take(pa.array(of)), *_link_texts(values, bounds), of, report)
    moved = utf8(_spans(values, found).binary())
    moves = np.flatnonzero(good & moved.is_valid().to_numpy(zero_copy_only=False))
    there = pa.array(moves)
    refreshes = good_links(urls.take(there), moved.take(there), pa.nulls(len(moves), pa.large_string()), moves, report)
    return [links, refreshes]


def inlinks(records: Records, report: Report) -> list[Rows]:
    """Links of records with an address as key and the links to it (Inlinks) as value."""
    values, size = records.values, len(records.values)
    state, counts, flagged = np.empty(size, np.int8), np.empty(size, np.int64), np.empty(size, np.bool_)
    read_inlinks(values.data, values.starts, values.ends, state, counts, flagged)
    urls, good = _urls(records, state, "Inlinks", report)
    counts[~good] = 0
    of, bounds = np.empty(counts.sum(), np.int64), np.empty((counts.sum(), 4), np.int64)
    copy_inlinks(values.data, values.starts, values.ends, counts, flagged, of, bounds)
    sources, anchors = _link_texts(values, bounds)
    return [good_links(sources, urls.take(pa.array(of)), anchors, of, report)]


def good_links(sources: pa.Array, targets: pa.Array, anchors: pa.Array, of: np.ndarray, report: Report) -> Rows:
    """Rows of links, without those one end of which could not be read."""
    fine: np.ndarray = pc.and_(sources.is_valid(), targets.is_valid()).to_numpy(zero_copy_only=False)
    for row in of[~fine].tolist():
        report(row, "the address of a link is no UTF-8 text")
    links = pa.record_batch({"source": sources, "target": targets, "anchor": anchors})
    return Rows("links", links.filter(pa.array(fine)), of[fine])


def _urls(records: Records, state: np.ndarray, kind: str, report: Report) -> tuple[pa.Array, np.ndarray]:
    """The keys as addresses, and which records are fine; the others are reported."""
    keys = records.keys
    starts, ends = np.empty(len(keys), np.int64), np.empty(len(keys), np.int64)
    read_texts(keys.data, keys.starts, keys.ends, starts, ends)
    urls = utf8(Spans(keys.data, starts, ends).binary())
    named: np.ndarray = urls.is_valid().to_numpy(zero_copy_only=False)
    good = named & (state == FINE)
    for row in np.flatnonzero(~good).tolist():
        if not named[row]:
            report(row, "its address is no UTF-8 text")
        elif state[row] == OTHER_VERSION:
            report(row, f"a {kind} of a version that is not known")
        else:
            report(row, f"no {kind}, though the file says so")
    return urls, good


def _spans(values: Spans, bounds: np.ndarray) -> Spans:
    return Spans(values.data, bounds[:, 0], bounds[:, 1])


def _link_texts(values: Spans, bounds: np.ndarray) -> tuple[pa.Array, pa.Array]:
    """Address and anchor of links; an anchor that is not UTF-8 is none."""
    address, anchor = (utf8(_spans(values, part).binary()) for part in (bounds[:, :2], bounds[:, 2:]))
    return address, anchor


def _hex(spans: Spans) -> pa.Array:
    raw = spans.binary()
    valid, offsets, data = raw.buffers()
    digits = np.frombuffer(b"0123456789abcdef", np.uint8)
    values = np.frombuffer(data, np.uint8)
    text = np.stack([digits[values >> 4], digits[values & 15]], axis=1)
    ends = np.frombuffer(offsets, np.int64) * 2
    return pa.Array.from_buffers(pa.large_string(), len(raw), [valid, pa.py_buffer(ends), pa.py_buffer(text)])


def _times(milliseconds: np.ndarray) -> pa.Array:
    """Times as text in ISO 8601; before 1970 and after the year 9999 there is none."""
    known = (milliseconds > 0) & (milliseconds <= _LATEST)
    seconds = pa.array(milliseconds // 1000, mask=~known).cast(pa.timestamp("s"))
    return pc.strftime(seconds, format="%Y-%m-%dT%H:%M:%SZ")
