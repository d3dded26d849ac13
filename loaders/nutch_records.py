"""Nutch's records as tables: CrawlDatum as pages, ParseData and Inlinks as links."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.engines.kernels.hadoop import read_texts
from seedrank.engines.kernels.nutch import (
    FINE,
    OTHER_VERSION,
    copy_inlinks,
    copy_outlinks,
    read_datums,
    read_inlinks,
    read_parses,
)
from seedrank.loaders.hadoop import Records
from seedrank.loaders.nutch_rows import Datums, Report, Rows, datum_rows, link_rows
from seedrank.loaders.spans import Spans, utf8

__all__ = ["datum_pages", "inlinks", "parse_links"]

_LATEST = 253_402_300_799_000
"""The last millisecond of the year 9999: a later time is none."""


def datum_pages(records: Records, report: Report, *, segment: bool) -> Iterator[Rows]:
    """Pages of records with an address as key and a CrawlDatum, of a segment or of a CrawlDb, as value."""
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
    yield Rows(rows.kind, rows.table, at[rows.of])


def parse_links(records: Records, report: Report) -> Iterator[Rows]:
    """Links of records with an address as key and a ParseData as value; a redirect in HTML is a link."""
    values, size = records.values, len(records.values)
    state, counts, found = np.empty(size, np.int8), np.empty(size, np.int64), np.empty((size, 2), np.int64)
    read_parses(values.data, values.starts, values.ends, state, counts, found)
    urls, good = _urls(records, state, "ParseData", report)
    counts[~good] = 0
    of, bounds = _room(counts)
    copy_outlinks(values.data, values.starts, values.ends, counts, of, bounds)
    yield from link_rows(urls, of, *_link_texts(values, bounds), of, report)
    moved = utf8(_spans(values, found).binary())
    of = np.flatnonzero(good & moved.is_valid().to_numpy(zero_copy_only=False))
    moved = moved.take(pa.array(of))
    yield from link_rows(urls, of, moved, pa.nulls(len(moved), moved.type), of, report)


def inlinks(records: Records, report: Report) -> Iterator[Rows]:
    """Links of records with an address as key and the links to it (Inlinks) as value."""
    values, size = records.values, len(records.values)
    state, counts, flagged = np.empty(size, np.int8), np.empty(size, np.int64), np.empty(size, np.bool_)
    read_inlinks(values.data, values.starts, values.ends, state, counts, flagged)
    urls, good = _urls(records, state, "Inlinks", report)
    counts[~good] = 0
    of, bounds = _room(counts)
    copy_inlinks(values.data, values.starts, values.ends, counts, flagged, of, bounds)
    yield from link_rows(urls, of, *_link_texts(values, bounds), of, report, inwards=True)


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
            report(row, "its address is not UTF-8 text")
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


def _room(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Space for the links of records: the record of each, and begin and end of address and anchor."""
    links = int(counts.sum())
    return np.empty(links, np.int32), np.empty((links, 4), np.int32)


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
