"""A plain list of URLs: what every crawler takes. It has no comments, as some take those for URLs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from seedrank.exporters.rows import Rows
from seedrank.exporters.text import in_blocks, lines

__all__ = ["urls"]


def urls(rows: Rows, about: Sequence[str]) -> Iterator[bytes]:
    """One URL a line, best first."""
    url = rows.column("url")
    return in_blocks(len(rows), lambda part: lines(url[part]))
