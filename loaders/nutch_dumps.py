"""What Nutch's tools print of a CrawlDb (CSV, JSON lines, text), a LinkDb and a segment (text).

Each function takes some lines, whole records of them, and gives tables with the line (from 0) of each row.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.json as pa_json

from seedrank.loaders.lines import truth
from seedrank.loaders.nutch_rows import NO_STATUS, Datums, Report, Rows, datum_rows, link_rows
from seedrank.loaders.spans import utf8

__all__ = ["CSV_HEADER", "crawldb_csv", "crawldb_json", "crawldb_text", "linkdb_text", "segment_text"]

CSV_HEADER = b"Url,Status code,Status name,Fetch Time,Modified Time,Retries since fetch,Retry interval seconds,"

_MOVED = r"(?:temp_)?moved\(1[23]\), lastModified=-?\d+: "
_CSV = (
    r'^"(?P<url>.*?)",(?P<code>\d{1,3}),"[^"]*",(?P<time>[^,]*),[^,]*,-?\d+,(?P<interval>[^,]*),[^,]*,(?P<score>[^,]*),'
    r'"(?P<signature>[^"]*)","(?P<metadata>.*)$'
)
_CSV_MOVED = rf"_pst_:{_MOVED}(?P<value>\S*?)\|\|\|"
_JSON_MOVED = rf"^{_MOVED}(?P<value>\S+)$"
_TEXT_MOVED = rf"^(?:Metadata: |\s*)_pst_[=:] ?{_MOVED}(?P<value>\S+)\s*$"
_PAGE_MOVED = r"^Status: success\(1,100\), args\[0\]=(?P<value>\S+), args"
_DATUM = r"^(?P<value>[^\t]+)\tVersion: \d+\s*$"
_INLINKS = r"^(?P<value>[^\t]+)\tInlinks:\s*$"
_INLINK = r"^ fromUrl: (?P<url>\S+) anchor: (?P<anchor>.*)$"
_OUTLINK = r"^  outlink: toUrl: (?P<url>\S+) anchor: (?P<anchor>.*)$"
_SECTION = r"^(?:Recno:: \d+|CrawlDatum::|Content::|ParseData::|ParseText::)\s*$"
_JAVA_TIME = r"^\w{3} (?P<month>\w{3}) (?P<day>\d\d) (?P<clock>\d\d:\d\d:\d\d) (?P<zone>\S+) (?P<year>\d{4})\s*$"
_NUMBER = r"^(?P<value>-?\d{1,30}(?:\.\d{1,30})?(?:[eE][-+]?\d{1,3})?)"
_UNIVERSAL = pa.array([b"UTC", b"GMT", b"Z"])

_JSON = pa.schema(
    {
        "url": pa.string(),
        "statusCode": pa.int64(),
        "fetchTime": pa.string(),
        "retryIntervalSeconds": pa.float64(),
        "score": pa.float64(),
        "signature": pa.string(),
        "metadata": pa.struct({"_pst_": pa.string(), "Content-Type": pa.string()}),
    }
)


def crawldb_csv(lines: pa.Array, report: Report) -> Iterator[Rows]:
    """Pages of ``readdb -dump -format csv``; metadata, the last field, may run over several lines."""
    found = pc.extract_regex(lines, _CSV)
    records = truth(found.is_valid())
    unclosed = records & ~_like(lines, r'"\s*$')
    last = np.maximum.accumulate(np.where(records, np.arange(len(lines)), -1))
    known = records | ((last >= 0) & unclosed[last]) | _like(lines, r"^\s*$") | _begins(lines, CSV_HEADER)
    for row in np.flatnonzero(~known).tolist():
        report(row, "no line of a CrawlDb's dump")
    at = np.flatnonzero(records)
    kept = found.filter(pa.array(records))
    datums = Datums(
        urls=utf8(kept.field("url")),
        codes=_whole(kept.field("code"), NO_STATUS),
        times=_java_times(kept.field("time")),
        intervals=_integers(_numbers(kept.field("interval"))),
        scores=_floats(_numbers(kept.field("score"))),
        signatures=_not_null(kept.field("signature")),
        moved=_value(kept.field("metadata"), _CSV_MOVED),
        mimes=_value(kept.field("metadata"), r"(?:^|\|)Content-Type:(?P<value>[^|]*)\|\|\|"),
    )
    yield _pages(datums, at, report, segment=False)


def crawldb_json(lines: pa.Array, report: Report) -> Iterator[Rows]:
    """Pages of ``readdb -dump -format json``: an object per line."""
    at = np.flatnonzero(~_like(lines, r"^\s*$"))
    lines = lines.take(pa.array(at))
    table = _objects(lines)
    if table is None:
        # Only where a line is broken: one by one, to tell which.
        rows = [_object(line, row, report) for row, line in zip(at.tolist(), lines.to_pylist(), strict=True)]
        at = at[[row is not None for row in rows]]
        table = pa.Table.from_pylist([row for row in rows if row is not None], _JSON)
    columns = {name: table.column(name).combine_chunks() for name in _JSON.names}
    datums = Datums(
        urls=columns["url"].cast(pa.large_string()),
        codes=columns["statusCode"].fill_null(NO_STATUS).to_numpy(),
        times=_java_times(columns["fetchTime"].cast(pa.binary())),
        intervals=_integers(columns["retryIntervalSeconds"]),
        scores=_floats(columns["score"]),
        signatures=_not_null(columns["signature"].cast(pa.binary())),
        moved=_value(pc.struct_field(columns["metadata"], "_pst_").cast(pa.binary()), _JSON_MOVED),
        mimes=pc.struct_field(columns["metadata"], "Content-Type").cast(pa.large_string()),
    )
    yield _pages(datums, at, report, segment=False)


def crawldb_text(lines: pa.Array, report: Report) -> Iterator[Rows]:
    """Pages of ``readdb -dump``: a block of ``Name: value`` lines per page."""
    starts = np.flatnonzero(_like(lines, _DATUM))
    urls = _value(lines.take(pa.array(starts)), _DATUM)
    yield _pages(_datums(lines, starts, urls), starts, report, segment=False)


def linkdb_text(lines: pa.Array, report: Report) -> Iterator[Rows]:
    """Links of ``readlinkdb -dump``: a page, and a line per link to it."""
    starts = np.flatnonzero(_like(lines, _INLINKS))
    targets = _value(lines.take(pa.array(starts)), _INLINKS)
    at = np.flatnonzero(_begins(lines, b" fromUrl: "))
    record = np.searchsorted(starts, at, side="right") - 1
    at, record = at[record >= 0], record[record >= 0]
    urls, anchors = _links(lines, at, _INLINK)
    anchors = pc.replace_substring_regex(anchors, r" metadata: [^\t]*$", "")
    yield from link_rows(targets, record, urls, anchors, at, report, inwards=True)


def segment_text(lines: pa.Array, report: Report) -> Iterator[Rows]:
    """Pages and links of ``readseg -dump``: per page an address, and sections of what the segment has of it."""
    heads = np.flatnonzero(_like(lines, _SECTION))
    records = np.flatnonzero(_begins(lines, b"Recno:: "))
    records = records[records + 1 < len(lines)]
    urls = _value(lines.take(pa.array(records + 1)), r"^URL:: (?P<value>\S+)\s*$")
    named = truth(urls.is_valid())
    for row in records[~named].tolist():
        report(row, "a record without address")
    datums = heads[_begins(lines.take(pa.array(heads)), b"CrawlDatum::")]
    owner = np.searchsorted(records, datums, side="right") - 1
    datums, owner = datums[owner >= 0], owner[owner >= 0]
    of_datum = urls.take(pa.array(owner))
    known = truth(of_datum.is_valid())
    datums, of_datum = datums[known], of_datum.filter(pa.array(known))
    yield _pages(_datums(lines, datums, of_datum, heads), datums, report, segment=True)
    yield from _parses(lines, heads, records, urls, report)


def _parses(lines: pa.Array, heads: np.ndarray, records: np.ndarray, urls: pa.Array, report: Report) -> Iterator[Rows]:
    """Links of the sections ``ParseData::``; a redirect in HTML is a link."""
    parse = _begins(lines.take(pa.array(heads)), b"ParseData::")

    def inside(at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        section, record = np.searchsorted(heads, at, side="right") - 1, np.searchsorted(records, at, side="right") - 1
        fits = (section >= 0) & (record >= 0) & parse[section]
        return at[fits], record[fits]

    at, record = inside(np.flatnonzero(_begins(lines, b"  outlink: ")))
    targets, anchors = _links(lines, at, _OUTLINK)
    yield from link_rows(urls, record, targets, anchors, at, report)
    at, record = inside(np.flatnonzero(_like(lines, _PAGE_MOVED)))
    moved = _value(lines.take(pa.array(at)), _PAGE_MOVED)
    yield from link_rows(urls, record, moved, pa.nulls(len(moved), moved.type), at, report)


def _datums(lines: pa.Array, starts: np.ndarray, urls: pa.Array, heads: np.ndarray | None = None) -> Datums:
    """CrawlDatums as text, each from its line in `starts` to the next line in `heads`."""
    heads = starts if heads is None else heads
    ends = np.append(heads, len(lines))[np.searchsorted(heads, starts, side="right")]

    def field(begin: str, pattern: str) -> pa.Array:
        """What the first line of each datum that begins so says."""
        at = np.flatnonzero(_begins(lines, begin.encode()) if begin else _like(lines, pattern))
        datum = np.searchsorted(starts, at, side="right") - 1
        inside = (datum >= 0) & (at < ends[datum]) if len(ends) else np.zeros(len(at), np.bool_)
        first = np.full(len(starts), -1)
        first[datum[inside][::-1]] = at[inside][::-1]
        return _value(lines.take(pa.array(first, mask=first < 0)), pattern, text=False)

    return Datums(
        urls=urls,
        codes=_whole(field("Status: ", r"^Status: (?P<value>\d{1,3}) "), NO_STATUS),
        times=_java_times(field("Fetch time: ", r"^Fetch time: (?P<value>.*)$")),
        intervals=_integers(_numbers(field("Retry interval: ", r"^Retry interval: (?P<value>\S+)"))),
        scores=_floats(_numbers(field("Score: ", r"^Score: (?P<value>\S+)"))),
        signatures=_not_null(field("Signature: ", r"^Signature: (?P<value>\S+)")),
        moved=utf8(field("", _TEXT_MOVED)),
        mimes=utf8(field("", r"^\s*Content-Type=(?P<value>\S+)")),
    )


def _pages(datums: Datums, at: np.ndarray, report: Report, *, segment: bool) -> Rows:
    def blame(row: int, reason: str) -> None:
        report(int(at[row]), reason)

    rows = datum_rows(datums, blame, segment=segment)
    return Rows(rows.kind, rows.table, at[rows.of])


def _links(lines: pa.Array, at: np.ndarray, pattern: str) -> tuple[pa.Array, pa.Array]:
    found = pc.extract_regex(lines.take(pa.array(at)), pattern)
    return utf8(_field(found, "url")), utf8(_field(found, "anchor"))


def _objects(lines: pa.Array) -> pa.Table | None:
    """JSON objects, one per line; `None` where a line is none, or one with other types."""
    whole = pa.ListArray.from_arrays([0, len(lines)], lines)
    text = pc.binary_join(whole, pa.scalar(b"\n", lines.type))[0].as_py()
    options = pa_json.ParseOptions(explicit_schema=_JSON, unexpected_field_behavior="ignore")
    try:
        text.decode()
        table = pa_json.read_json(
            pa.BufferReader(text), pa_json.ReadOptions(block_size=len(text) + 1), parse_options=options
        )
    except (pa.ArrowException, UnicodeDecodeError):
        return None
    return table if table.num_rows == len(lines) else None


def _object(line: bytes, row: int, report: Report) -> dict[str, Any] | None:
    try:
        found = json.loads(line)
        given = {name: found.get(name) for name in _JSON.names}
        if not isinstance(given["metadata"], dict):
            given["metadata"] = None
        given["score"] = float(given["score"])
        pa.Table.from_pylist([given], _JSON)
    except (ValueError, TypeError, AttributeError, RecursionError, OverflowError, pa.ArrowException):
        report(row, "no JSON object of a CrawlDb's dump")
        return None
    return given


def _java_times(values: pa.Array) -> pa.Array:
    """Java's ``Wed Apr 08 10:16:25 UTC 2015`` as ISO 8601; without Z where the zone is another, and so unknown."""
    found = pc.extract_regex(values, _JAVA_TIME)
    parts = [_field(found, name).cast(pa.string()) for name in ("year", "month", "day", "clock")]
    text = pc.binary_join_element_wise(*parts, " ")
    time = pc.strptime(text, format="%Y %b %d %H:%M:%S", unit="s", error_is_null=True)
    universal = pc.is_in(_field(found, "zone"), _UNIVERSAL)
    written = pc.strftime(time, format="%Y-%m-%dT%H:%M:%S")
    return pc.binary_join_element_wise(written, pc.if_else(universal, "Z", ""), "")


def _numbers(values: pa.Array) -> pa.Array:
    return _value(values, _NUMBER).cast(pa.float64())


def _integers(numbers: pa.Array) -> pa.Array:
    """Whole numbers, null where there is none or it is too large."""
    small = pc.less(pc.abs(numbers), 2.0**53)
    return pc.if_else(small, pc.trunc(numbers), pa.scalar(None, pa.float64())).cast(pa.int64())


def _floats(numbers: pa.Array) -> np.ndarray:
    values: np.ndarray = numbers.fill_null(np.nan).to_numpy(zero_copy_only=False)
    return values


def _whole(values: pa.Array, missing: int) -> np.ndarray:
    numbers: np.ndarray = utf8(values).cast(pa.int64()).fill_null(missing).to_numpy(zero_copy_only=False)
    return numbers


def _not_null(values: pa.Array) -> pa.Array:
    """Texts; Java's word for none is none."""
    texts = utf8(values)
    return pc.if_else(pc.equal(texts, "null"), pa.scalar(None, texts.type), texts)


def _value(values: pa.Array, pattern: str, *, text: bool = True) -> pa.Array:
    """What a pattern finds as ``value``, null where it does not match or is not UTF-8."""
    found = _field(pc.extract_regex(values, pattern), "value")
    return utf8(found) if text else found


def _field(found: pa.Array, name: str) -> pa.Array:
    """A field of what a pattern found, null where it did not match."""
    return pc.if_else(found.is_valid(), pc.struct_field(found, name), pa.scalar(None, found.type.field(name).type))


def _like(lines: pa.Array, pattern: str) -> np.ndarray:
    return truth(pc.match_substring_regex(lines, pattern))


def _begins(lines: pa.Array, word: bytes) -> np.ndarray:
    return truth(pc.starts_with(lines, word))
