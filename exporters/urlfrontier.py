"""For a URLFrontier service: JSON lines that its client's ``PutURLs -f FILE`` sends, each a ``URLItem``.

The service has no score. It takes the pages of a host by date, so pages go out as known ones that have long been due,
each a second after the one before it; the score is metadata. Pages of a run that says when to come back go out with
those dates.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow.compute as pc

from seedrank.exporters.rows import Rows
from seedrank.exporters.text import in_blocks, json_text, lines, text

__all__ = ["FIRST", "urlfrontier"]

FIRST = 1_000_000_000
"""Before the first page's date (9 September 2001): 0 would mean never, and 700 million pages later is still past."""


def urlfrontier(rows: Rows, about: Sequence[str]) -> Iterator[bytes]:
    """A line per page, best first."""
    url, host, score = rows.column("url"), pc.fill_null(rows.column("host"), ""), text(rows.column("score"))
    date = text(_dates(rows))
    return in_blocks(
        len(rows),
        lambda part: lines(
            '{"known":{"info":{"url":', json_text(url[part]), ',"key":', json_text(host[part]),
            ',"crawlID":"DEFAULT","metadata":{"score":{"values":["', score[part],
            '"]}}},"refetchableFromDate":"', date[part], '"}}',
        ),
    )  # fmt: skip


def _dates(rows: Rows) -> np.ndarray:
    """Seconds since 1970: when each page is due, 0 for never."""
    if not rows.scheduled:
        return FIRST + np.arange(1, len(rows) + 1)
    due = rows.column("due").to_numpy(zero_copy_only=False).astype("datetime64[s]")
    return np.where(np.isnat(due), 0, due.astype(np.int64))
