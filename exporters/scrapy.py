"""For Scrapy: JSON lines, each with the arguments of a ``Request`` (``Request(**json.loads(line))``).

Scrapy has a queue for each priority, so there are at most a thousand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from seedrank.exporters.rows import Rows
from seedrank.exporters.text import in_blocks, json_number, json_text, lines, text

__all__ = ["STEPS", "requests"]

STEPS = 1_000
"""Priorities at most."""


def requests(rows: Rows, about: Sequence[str]) -> Iterator[bytes]:
    """A line per page, best first: ``url``, ``priority`` (higher first) and ``meta`` with rank and score."""
    count = len(rows)
    steps = min(count, STEPS)
    priority = text(steps - np.arange(count) * steps // count)
    url, rank, score = rows.column("url"), text(rows.column("rank")), json_number(rows.column("score"))
    return in_blocks(
        count,
        lambda part: lines(
            '{"url": ', json_text(url[part]), ', "priority": ', priority[part],
            ', "meta": {"rank": ', rank[part], ', "score": ', score[part], "}}",
        ),
    )  # fmt: skip
