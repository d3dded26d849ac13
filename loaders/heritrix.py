"""Heritrix's crawl.log: every address that was tried, how that ended, and the page it was found on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.errors import InputError
from seedrank.core.model import Status
from seedrank.engines.kernels.text import split_fields
from seedrank.loaders.base import Batch, Where
from seedrank.loaders.compressed import MAX_ROWS, Input
from seedrank.loaders.files import FileSource
from seedrank.loaders.lines import truth
from seedrank.loaders.page_types import types_of
from seedrank.loaders.records import cut
from seedrank.loaders.spans import Spans, utf8

__all__ = ["HeritrixLogSource"]

_FIELDS = ("logged", "code", "size", "url", "path", "via", "mime", "thread", "fetched", "digest", "seed", "annotations")
_NONE = ("-", "no-type")
_NO_LINKS = ("P", "I")
"""Last letters of discovery paths that are no links: what a fetch needs first, and what Heritrix guessed."""
_REDIRECT = "R"
_NOT_MODIFIED = 304
_GONE = (404, 410, -404)
_WEB = r"(?i)^https?://"

_REASONS = {
    0: "never tried",
    -1: "the host name was not found",
    -2: "no connection",
    -3: "the connection broke",
    -4: "no answer in time",
    -5: "an error in Heritrix",
    -6: "the host name of what it needs first was not found",
    -7: "the scheme or the address is not supported",
    -8: "several tries failed",
    -50: "still waiting for what it needs first",
    -60: "could not be queued",
    -61: "robots.txt could not be fetched",
    -62: "what it needs first could not be fetched",
    -63: "what it needs first could not be queued",
    -404: "an empty answer, taken for not found",
    -3000: "a severe error in Heritrix",
    -4000: "a trap, or of no worth",
    -4001: "too many links away",
    -4002: "too many redirects and embedded parts away",
    -5000: "out of scope",
    -5001: "blocked by a setting",
    -5002: "blocked by a processor",
    -5003: "over a quota",
    -5004: "over a limit at run time",
    -6000: "deleted by the operator",
    -7000: "the operator ended its fetch",
    -9998: "forbidden by robots.txt",
}
"""Heritrix's codes for what is no answer of a server."""


class HeritrixLogSource(FileSource):
    """Crawl logs, ready to read (`seedrank.loaders.base.Source`)."""

    def __init__(self, files: Sequence[str], *, strict: bool = False) -> None:
        super().__init__("heritrix-log", [("log", Input(str(file))) for file in files], strict=strict)
        self.notes.append(
            "a crawl.log is a tree of discovery, not the link graph: of a page it has the first link found"
        )
        self._moved: set[str] = set()
        self._codes: Counter[int] = Counter()
        self._other_schemes = 0

    def batches(self) -> Iterator[Batch]:
        """Read everything once: pages, then links, block by block."""
        self.check()
        for _, source in self.inputs:
            found = False
            for log in _logs(source):
                lines = log["line"].to_numpy()
                good = _good(log)
                self.broken.add("no line of a crawl.log", Where(source.name, lines=lines), np.flatnonzero(~good))
                found |= bool(good.any())
                yield from self._tables(log.filter(pa.array(good)), lines[good], source.name)
            if not found:
                raise InputError(
                    "holds no line of a crawl.log",
                    file=source.name,
                    hint="a line has 12 or 13 fields: time, status, size, URI, path, via, type, thread, …",
                )
        self._conclude()

    def _tables(self, log: pa.RecordBatch, lines: np.ndarray, file: str) -> Iterator[Batch]:
        web = truth(pc.match_substring_regex(log["url"], _WEB))
        self._other_schemes += int(np.count_nonzero(~web))
        log, lines = log.filter(pa.array(web)), lines[web]
        codes = log["code"].cast(pa.int64()).to_numpy()
        numbers, counts = np.unique(codes[codes <= 0], return_counts=True)
        self._codes.update(dict(zip(numbers.tolist(), counts.tolist(), strict=True)))
        self._moved.update(log["url"].filter(pa.array((codes >= 300) & (codes < 400))).to_pylist())
        yield from _batches("pages", _pages(log, codes), lines, file)
        hop = pc.utf8_slice_codeunits(log["path"], -1)
        from_web = truth(pc.match_substring_regex(log["via"], _WEB))
        moved = from_web & truth(pc.equal(hop, _REDIRECT))
        moved[moved] = [via in self._moved for via in log["via"].filter(pa.array(moved)).to_pylist()]
        redirects = pa.record_batch({"url": log["via"], "redirect": log["url"]})
        yield from _batches("pages", redirects.filter(pa.array(moved)), lines[moved], file)
        linked = from_web & ~moved & ~truth(pc.is_in(hop, pa.array(_NO_LINKS)))
        links = pa.record_batch({"source": log["via"], "target": log["url"]})
        yield from _batches("links", links.filter(pa.array(linked)), lines[linked], file)

    def _conclude(self) -> None:
        """Say what was not fetched, and why."""
        if self._codes:
            why = (f"{count:,} × {code} ({_REASONS.get(code, 'unknown')})" for code, count in self._codes.most_common())
            self.notes.append(f"tried and not fetched: {', '.join(why)}")
        if self._other_schemes:
            self.notes.append(f"{self._other_schemes:,} lines are neither http nor https (such as dns:) and left out")


def _logs(source: Input) -> Iterator[pa.RecordBatch]:
    """The fields that matter here, with the line of each row."""
    line = 1
    for piece in cut(source.chunks(), source.name):
        data = np.frombuffer(piece, np.uint8)
        while len(data):
            # A line of a log has more bytes than this; where it has not, there are more rounds.
            room = len(data) // 64 + 1
            bounds, lines = np.empty((room, 2 * len(_FIELDS)), np.int64), np.empty(room, np.int64)
            count, used, passed = split_fields(data, len(_FIELDS), bounds, lines)
            bounds = bounds[:count]
            columns = {"line": pa.array(lines[:count] + line), "whole": pa.array(bounds[:, -1] >= 0)}
            for name in ("code", "size", "url", "path", "via", "mime", "fetched", "seed"):
                at = 2 * _FIELDS.index(name)
                columns[name] = utf8(Spans(data, bounds[:, at], bounds[:, at + 1]).binary())
            yield pa.record_batch(columns)
            data = data[used:]
            line += passed


def _good(log: pa.RecordBatch) -> np.ndarray:
    """Which lines are of a crawl.log."""
    number = pc.match_substring_regex(log["code"], r"^-?\d{1,9}$")
    text = pc.and_(log["url"].is_valid(), pc.and_(log["path"].is_valid(), log["via"].is_valid()))
    return truth(pc.and_(log["whole"], pc.and_(number, text)))


def _pages(log: pa.RecordBatch, codes: np.ndarray) -> pa.RecordBatch:
    # What redirects, fails for now or was not tried says nothing: the merge knows what becomes of such pages.
    crawled, gone = ((codes >= 200) & (codes < 300)) | (codes == _NOT_MODIFIED), np.isin(codes, _GONE)
    status = np.where(crawled, Status.CRAWLED, Status.MISSING)
    labels = pa.array([Status(value).label for value in range(3)])
    size = pc.if_else(pc.match_substring_regex(log["size"], r"^\d{1,15}$"), log["size"], None).cast(pa.float64())
    begun = pc.utf8_slice_codeunits(log["fetched"], 0, 14)
    time = pc.strptime(begun, format="%Y%m%d%H%M%S", unit="s", error_is_null=True)
    return pa.record_batch(
        {
            "url": log["url"],
            "status": labels.take(pa.array(status, mask=~(crawled | gone))),
            "fetch_status": pa.array(codes),
            "fetch_time": pc.strftime(time, format="%Y-%m-%dT%H:%M:%SZ"),
            "bytes": pc.if_else(pa.array(crawled), size, None),
            "type": types_of(log["url"], pc.if_else(pa.array(crawled), _known(log["mime"]), None)),
            "path": _known(log["path"]),
            "seed": _known(log["seed"]),
        }
    )


def _known(values: pa.Array) -> pa.Array:
    """Values, null where Heritrix says that there is none."""
    return pc.if_else(pc.is_in(values, pa.array(_NONE, values.type)), None, values)


def _batches(kind: str, rows: pa.RecordBatch, lines: np.ndarray, file: str) -> Iterator[Batch]:
    for start in range(0, rows.num_rows, MAX_ROWS):
        part = slice(start, start + MAX_ROWS)
        yield Batch(kind, rows.slice(start, MAX_ROWS), Where(file, 1, lines[part]), typed=True)
