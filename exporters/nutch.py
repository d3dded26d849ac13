"""Seeds for Apache Nutch: ``bin/nutch inject CRAWLDB DIR`` reads them.

A line per page: the URL, a TAB, ``nutch.score=…``, then ``nutch.fetchInterval`` and metadata where they are given.
Nutch's Injector leaves the score of a page it knows as it is (``-update``) where the line says 1, its own score of an
injected page: the best page has a little less.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np

from seedrank.core.errors import UsageError, shorten
from seedrank.exporters.rows import Rows
from seedrank.exporters.text import comments, in_blocks, lines, text

__all__ = ["nutch_seeds"]

BEST = 0.999999
"""Score of the best page: as a 32-bit float it is not 1."""
_LONGEST_INTERVAL = 2**31 - 1
_KEY = re.compile(r"[^\s=#]+")
_OWN_KEYS = ("nutch.score", "nutch.fetchInterval")


def nutch_seeds(
    rows: Rows, about: Sequence[str], *, fetch_interval: int | None = None, metadata: Sequence[str] = ()
) -> Iterator[bytes]:
    """Lines of a seed file, best first.

    Parameters
    ----------
    about
        Goes before them as comments.
    fetch_interval
        Seconds between two fetches of a page; those of a run of `recrawl plan` where nobody says.
    metadata
        ``KEY=VALUE`` for every page; Nutch's plugins read them, such as ``_maxdepth_=3``.
    """
    end = "".join(f"\t{one}" for one in (*_interval(fetch_interval), *_checked(metadata)))
    url, score = rows.column("url"), np.minimum(rows.shares(), BEST)
    planned = rows.scheduled and fetch_interval is None
    seconds = text(_seconds(rows.column("interval").to_numpy())) if planned else None

    def block(part: slice) -> bytes:
        own = () if seconds is None else ("\tnutch.fetchInterval=", seconds[part])
        return lines(url[part], "\tnutch.score=", text(score[part]), *own, end)

    pages = in_blocks(len(rows), block)
    return chain([comments(about)], pages)


def _seconds(days: np.ndarray) -> np.ndarray:
    """Intervals in whole seconds; never is the longest that Nutch knows, 68 years."""
    known = np.nan_to_num(days * 86_400, nan=_LONGEST_INTERVAL, posinf=_LONGEST_INTERVAL)
    return np.clip(np.rint(known), 1, _LONGEST_INTERVAL).astype(np.int64)


def _interval(seconds: int | None) -> list[str]:
    if seconds is None:
        return []
    if not isinstance(seconds, int) or isinstance(seconds, bool) or not 1 <= seconds <= _LONGEST_INTERVAL:
        raise UsageError(
            "{fetch_interval} {given} is not a number of seconds",
            hint=f"give a whole number from 1 to {_LONGEST_INTERVAL:,}",
            fields=("fetch_interval",),
            values={"given": shorten(seconds)},
        )
    return [f"nutch.fetchInterval={seconds}"]


def _checked(metadata: Sequence[str]) -> list[str]:
    for entry in metadata:
        key, sign, value = entry.partition("=")
        if not sign or not _KEY.fullmatch(key) or not value.isprintable() or key in _OWN_KEYS:
            raise UsageError(
                "{metadata} {given} is not an entry",
                hint="write it KEY=VALUE, without tabs and line ends; score and interval have parameters of their own",
                fields=("metadata",),
                values={"given": shorten(entry)},
            )
    return list(metadata)
