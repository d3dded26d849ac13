"""Rows of pages and links out of what Nutch knows, whether it stands in its files or in its dumps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from seedrank.core.model import Status
from seedrank.loaders.compressed import BLOCK
from seedrank.loaders.page_types import types_of

__all__ = ["NO_STATUS", "STATUSES", "Datums", "Report", "Rows", "datum_rows", "link_rows"]

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
    """CrawlDatums, column by column."""

    urls: pa.Array
    codes: np.ndarray
    """int64: Nutch's number of the status; those that `STATUSES` does not have are left out."""
    times: pa.Array
    """Time of the fetch, in a CrawlDb of the next one."""
    intervals: pa.Array
    """Seconds between fetches."""
    scores: np.ndarray
    """float64: Nutch's score; one that is not finite is none."""
    signatures: pa.Array
    """Of the content, in hexadecimal."""
    moved: pa.Array
    """Address that the page has moved to; used where the status says that it has."""
    mimes: pa.Array
    """Content types; used where the status says that the page was fetched."""


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
        return "its address is not UTF-8 text"
    return "a page without status" if code == NO_STATUS else f"unknown status {code}"


def _where(values: pa.Array, known: np.ndarray) -> pa.Array:
    return pc.if_else(pa.array(known), values, pa.scalar(None, values.type))


def link_rows(
    pages: pa.Array,
    page: np.ndarray,
    others: pa.Array,
    anchors: pa.Array,
    of: np.ndarray,
    report: Report,
    *,
    inwards: bool = False,
) -> Iterator[Rows]:
    """Rows of links, without those one end of which could not be read.

    Parameters
    ----------
    pages, page
        Addresses of pages, and the one that each link is of.
    others, anchors
        The other end of each link, and its text.
    of
        The record or line that it comes from.
    inwards
        Whether links lead from the other ends to the pages.
    """
    named: np.ndarray = pages.is_valid().to_numpy(zero_copy_only=False)
    fine = named[page] & others.is_valid().to_numpy(zero_copy_only=False)
    for row in of[~fine].tolist():
        report(row, "the address of a link is not UTF-8 text")
    kept = np.flatnonzero(fine)
    # A long address is written once in the file, and here once for each of its links.
    size = np.cumsum(pc.binary_length(pages).fill_null(0).to_numpy()[page[kept]].astype(np.int64) + 1)
    for start, end in pairwise(np.searchsorted(size, np.arange(0, (size[-1] if len(size) else 0) + BLOCK, BLOCK))):
        part = kept[start:end]
        ends = pages.take(pa.array(page[part])), others.take(pa.array(part))
        source, target = reversed(ends) if inwards else ends
        table = {"source": source, "target": target, "anchor": anchors.take(pa.array(part))}
        yield Rows("links", pa.record_batch(table), of[part])
